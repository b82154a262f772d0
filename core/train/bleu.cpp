#include "core/train/bleu.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace attnscope {
namespace {

using Counts = std::map<std::vector<std::string>, long>;

Counts countGrams(const std::vector<std::string>& tokens, std::size_t order) {
  Counts counts;
  for (std::size_t i = 0; i + order <= tokens.size(); ++i) {
    ++counts[std::vector<std::string>(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                      tokens.begin() + static_cast<std::ptrdiff_t>(i + order))];
  }
  return counts;
}

}  // namespace

void Bleu::add(const std::vector<std::string>& output, const std::vector<std::string>& reference) {
  m_outputLength += static_cast<long>(output.size());
  m_referenceLength += static_cast<long>(reference.size());
  for (int n = 0; n < kOrder; ++n) {
    const Counts known = countGrams(reference, static_cast<std::size_t>(n) + 1);
    for (const auto& [gram, count] : countGrams(output, static_cast<std::size_t>(n) + 1)) {
      m_total[n] += count;
      const auto found = known.find(gram);
      if (found != known.end()) m_matched[n] += std::min(count, found->second);
    }
  }
}

double Bleu::score() const {
  double logarithms = 0;
  for (int n = 0; n < kOrder; ++n) {
    if (m_matched[n] == 0) return 0;
    logarithms += std::log(static_cast<double>(m_matched[n]) / static_cast<double>(m_total[n])) / kOrder;
  }
  const double ratio = static_cast<double>(m_referenceLength) / static_cast<double>(m_outputLength);
  return 100 * std::exp(std::min(0.0, 1 - ratio) + logarithms);
}

}  // namespace attnscope
