// The JSON type used everywhere: keys keep the order in which they were written.
#pragma once

#include <nlohmann/json.hpp>

namespace attnscope {
using Json = nlohmann::ordered_json;
}
