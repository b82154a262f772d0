// SHA-256 (FIPS 180-4): tells whether a data file is the one a model was trained on.
#pragma once

#include <string>
#include <string_view>

namespace attnscope {

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace attnscope
