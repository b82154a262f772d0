#include "core/attention/scope.h"

#include <string>

#include "core/attention/tables.h"
#include "core/base/error.h"

namespace attnscope {
namespace {

constexpr MechanismInfo kInfo[] = {
    {"global", "global", "every real position", "Luong et al. 2015, 3.1"},
};

Range globalRange(int, int available) { return {0, available}; }

constexpr ScopeRange kRanges[] = {globalRange};  // same order as kInfo

}  // namespace

std::span<const MechanismInfo> scopeTable() { return kInfo; }

ScopeRange scopeRange(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kInfo); ++i)
    if (kInfo[i].name == name) return kRanges[i];
  ATTNSCOPE_CHECK(false, std::string(name));
}

}  // namespace attnscope
