// Examples side by side, padded to the longest; lengths decide what is real (models.md 1).
#pragma once

#include <span>
#include <vector>

#include "core/data/example.h"

namespace attnscope {

// All arrays are example-major: entry [b, t] stands at b·length + t.
struct Batch {
  int size = 0;
  int sourceLength = 0;                // padded n (recurrent: T)
  std::vector<int> source;             // [size, sourceLength], 0 where padded; empty for vector inputs
  std::vector<int> sourceLengths;      // [size]
  int vectorSize = 0;
  std::vector<float> vectors;          // [size, sourceLength, vectorSize], 0 where padded
  int targetLength = 0;                // padded m
  std::vector<int> target;             // [size, targetLength]; empty: no target known
  std::vector<int> targetLengths;      // [size]
  std::vector<int> labels;             // class: [size]; step_class: [size, sourceLength], −1 where padded
  std::vector<float> values;           // vector: [size, k]; step_vector: [size, sourceLength, k]
  long targetCount() const;            // real target positions, Σ targetLengths
  long stepCount() const;              // real input steps, Σ sourceLengths
};

// `vectorSize`: numbers per step of vector inputs, `valueSize`: per value of vector outputs (0: none).
Batch makeBatch(std::span<const Example* const> examples, int vectorSize, int valueSize);

}  // namespace attnscope
