// Scopes (models.md 3): which of the available positions a step may see, and how their weights are bent afterwards.
#pragma once

#include <string_view>

#include "core/attention/config.h"
#include "core/autograd/parameters.h"

namespace attnscope {

template <class S>
struct AttentionPass;

// One scope: a row of the table in scope.cpp.
template <class S>
struct ScopeOps {
  void (*setUp)(AttentionPass<S>&);                                       // nullptr: nothing to do
  void (*choose)(AttentionPass<S>&, int step, const int* available);      // fill this step's ranges
  void (*reweigh)(AttentionPass<S>&, int step);                           // raw weights → weights; nullptr: they are the same
};
template <class S>
ScopeOps<S> scopeOps(std::string_view name);  // check: `name` is in scopeTable()

void addScopeParameters(ParameterLayout& layout, const AttentionConfig& config, int d);

}  // namespace attnscope
