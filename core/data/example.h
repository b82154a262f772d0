// One example to train on or to trace, whatever the family.
#pragma once

#include <string>
#include <vector>

namespace attnscope {

// A known right alignment: output row (0-based) and source position (0-based). Several links in a row form a set.
// A family whose memory columns are not source positions maps the position to its column (recurrent states: + 1).
struct GoldLink {
  int row = 0;
  int position = 0;
  bool operator==(const GoldLink&) const = default;
};

struct Example {
  std::vector<int> source;             // token ids; seq2seq: closed by </s>; empty for vector inputs
  std::vector<int> target;             // token ids closed by </s> (seq2seq)
  std::vector<float> vectors;          // vector inputs, T × size, row-major
  std::vector<int> labels;             // class: one; step_class: one per step
  std::vector<float> values;           // vector: size; step_vector: T × size
  std::vector<GoldLink> gold;          // empty where unknown
  std::vector<std::string> sourceTokens;  // as spelled (ids lose what is <unk>); may be empty
  std::vector<std::string> targetTokens;  // likewise
};

}  // namespace attnscope
