// Encoder–decoder with attention (models.md 4.1): Bahdanau et al. 2014 (query previous), Luong et al. 2015 (query
// current, input feeding), Cho et al. 2014 (context fixed), Sutskever et al. 2014 (context none).
#pragma once

#include "core/models/model.h"

namespace attnscope {

void addSeq2SeqParameters(ParameterLayout& layout, const Seq2SeqConfig& config);

template <class S>
std::unique_ptr<Model<S>> makeSeq2Seq(const Seq2SeqConfig& config);

}  // namespace attnscope
