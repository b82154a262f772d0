// From a record of a forward pass to a trace (core/trace/trace.h).
#pragma once

#include "core/data/example.h"
#include "core/data/vocabulary.h"
#include "core/models/config.h"
#include "core/models/record.h"
#include "core/trace/trace.h"

namespace attnscope {

// How ids are spelled.
struct Lexicon {
  Vocabulary source, target;
  std::vector<std::string> labels;
};

// The site of example b alone, its real rows and columns; rows and columns are not labelled.
Site siteOf(const SiteRecord<float>& record, int batch, int b, int rows, int columns);

// The known right cells of a site: source positions as columns (recurrent states: position + 1).
std::vector<GoldCell> goldOf(const Example& example, const ModelConfig& config, const Site& site);

// Everything about example b of a pass.
TraceExample traceOf(const Record<float>& record, int b, const Example& example, const ModelConfig& config,
                     const Lexicon& lexicon, bool forced);

}  // namespace attnscope
