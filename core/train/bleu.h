// Corpus BLEU-4 (Papineni et al. 2002): how many n-grams of the outputs are in the references.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace attnscope {

// Sums over sentences, one reference each: 100 · min(1, e^{1 − r/c}) · (Π_{n=1…4} matched_n / total_n)^{1/4}, matches
// clipped by their count in the reference; r and c are the lengths of all references and outputs. Not smoothed.
class Bleu {
 public:
  void add(const std::vector<std::string>& output, const std::vector<std::string>& reference);
  // 0–100; 0 where no 4-gram matches.
  double score() const;

 private:
  static constexpr int kOrder = 4;
  std::array<long, kOrder> m_matched{}, m_total{};
  long m_outputLength = 0, m_referenceLength = 0;
};

}  // namespace attnscope
