// What one forward pass leaves behind: views into the tape's memory, valid until the tape is reset. `verify`, the
// trace builder and the metrics read it; nothing in it knows what a picture is.
// A sequence of T steps over B examples is a matrix of T·B rows, row t·B + b.
#pragma once

#include <string>
#include <vector>

#include "core/autograd/ops_attention.h"
#include "core/autograd/tape.h"

namespace attnscope {

template <class S>
struct SiteRecord {
  std::string name;              // models.md 5
  int steps = 0, positions = 0;  // T, N
  View<S> weights, scores;       // [T·B, N]
  const Range* ranges = nullptr; // [T·B], the cells that are real
  View<S> memory;                // [N·B, m], row i·B + b
  View<S> contexts, queries;     // [T·B, m], [T·B, d]
};

template <class S>
struct LayerRecord {
  std::string name;              // "encoder.0", "encoder.0.reverse", "decoder.0", "rnn.0"
  int steps = 0;
  const int* lengths = nullptr;  // [B]
  View<S> h, c;                  // [T·B, H]; c for lstm
  struct Gate {
    std::string name;
    View<S> values;              // [T·B, H]
  };
  std::vector<Gate> gates;
};

template <class S>
struct Record {
  int batch = 0;
  double lossSum = 0;            // over everything real
  long lossCount = 0;            // what lossSum is divided by to be a mean
  int steps = 0;                 // rows of logits per example: T, or 1 for class and vector
  View<S> logits;                // [steps·B, V] (vector outputs: the prediction)
  std::vector<int> lengths;      // [B] real steps of logits
  std::vector<int> chosen;       // [steps·B]: the largest logit's id; free-running: what was fed on
  std::vector<SiteRecord<S>> sites;
  std::vector<LayerRecord<S>> layers;
};

}  // namespace attnscope
