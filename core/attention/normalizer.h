// Normalisers (models.md 3): scores of the real positions of one row become weights.
#pragma once

#include <string_view>

#include "core/autograd/ops_attention.h"

namespace attnscope {

// Check: `name` is in normalizerTable().
template <class S>
NormalizerOps<S> normalizerOps(std::string_view name);

}  // namespace attnscope
