// The one generator every random draw comes from. A run has one seed; each use takes a named stream of it,
// so that adding a draw in one place moves no number in another. The same seed gives the same numbers on
// every machine: no std:: distribution is used (their results differ between libraries).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

class Random {
 public:
  // `stream` names the use: "weights", "train", "validation", …
  Random(std::uint64_t seed, std::string_view stream);

  std::uint64_t bits();                    // 64 uniform bits (xoshiro256++, Blackman & Vigna 2019)
  double uniform();                        // [0, 1), 53 bits
  double uniform(double low, double high); // [low, high)
  int below(int n);                        // 0 … n−1 without bias, n ≥ 1
  int between(int low, int high);          // low … high, both included
  double normal();                         // mean 0, standard deviation 1 (Box–Muller)

  template <class T>
  void shuffle(std::vector<T>& items) {    // Fisher–Yates
    for (int i = static_cast<int>(items.size()) - 1; i > 0; --i) std::swap(items[i], items[below(i + 1)]);
  }

  // The generator's whole state, for checkpoints.
  std::array<std::uint64_t, 4> state() const { return m_state; }
  void setState(const std::array<std::uint64_t, 4>& state) { m_state = state; }

 private:
  std::array<std::uint64_t, 4> m_state;
};

// FNV-1a, 64 bit: stable on every machine (std::hash is not).
std::uint64_t stableHash(std::string_view bytes);

}  // namespace attnscope
