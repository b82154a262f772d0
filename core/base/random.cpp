#include "core/base/random.h"

#include <cmath>
#include <numbers>

#include "core/base/error.h"

namespace attnscope {
namespace {

std::uint64_t splitMix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t rotateLeft(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

}  // namespace

std::uint64_t stableHash(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
  return hash;
}

Random::Random(std::uint64_t seed, std::string_view stream) {
  std::uint64_t state = seed ^ stableHash(stream);
  for (auto& word : m_state) word = splitMix(state);
}

std::uint64_t Random::bits() {
  auto& s = m_state;
  const std::uint64_t result = rotateLeft(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotateLeft(s[3], 45);
  return result;
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

int Random::below(int n) {
  ATTNSCOPE_CHECK(n >= 1, "Random::below(" + std::to_string(n) + ")");
  const std::uint64_t range = static_cast<std::uint64_t>(n);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;  // reject the tail: no value is favoured
  std::uint64_t draw = bits();
  while (draw >= limit) draw = bits();
  return static_cast<int>(draw % range);
}

int Random::between(int low, int high) { return low + below(high - low + 1); }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace attnscope
