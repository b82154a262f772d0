// Attention inside an RNN (models.md 4.2): the model looks back at its own earlier states, at its inputs so far or at
// the layer below.
#pragma once

#include "core/models/model.h"

namespace attnscope {

void addRecurrentParameters(ParameterLayout& layout, const RecurrentConfig& config);

template <class S>
std::unique_ptr<Model<S>> makeRecurrent(const RecurrentConfig& config);

}  // namespace attnscope
