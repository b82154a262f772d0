// JSON on one line, whatever bytes its strings hold.
#pragma once

#include <string>

#include "core/base/json.h"

namespace attnscope {

// Strings that are no UTF-8 (the name of a file may be any bytes) are written with U+FFFD where they are not.
inline std::string jsonText(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace attnscope
