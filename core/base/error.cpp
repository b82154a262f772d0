#include "core/base/error.h"

namespace attnscope {

void failCheck(const char* expression, const char* file, int line, const std::string& detail) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": internal check failed: " + expression +
                         " (" + detail + ")");
}

}  // namespace attnscope
