// Scopes (models.md 3): which of the available positions a step may see.
#pragma once

#include <string_view>

#include "core/autograd/ops_attention.h"

namespace attnscope {

// `step` is 0-based; `available` positions 0 … available−1 are real.
using ScopeRange = Range (*)(int step, int available);

ScopeRange scopeRange(std::string_view name);  // check: `name` is in scopeTable()

}  // namespace attnscope
