#include "core/base/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace attnscope {

namespace {

using State = std::array<std::uint32_t, 8>;

// The constants are the first 32 fractional bits of roots of the first 64 primes; long double has bits enough.
std::array<int, 64> firstPrimes() {
  std::array<int, 64> primes{};
  int found = 0;
  for (int n = 2; found < 64; ++n) {
    bool prime = true;
    for (int i = 0; i < found && prime; ++i) prime = n % primes[i] != 0;
    if (prime) primes[found++] = n;
  }
  return primes;
}

std::uint32_t fractionBits(long double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

std::array<std::uint32_t, 64> roundConstants() {
  std::array<std::uint32_t, 64> constants{};
  const std::array<int, 64> primes = firstPrimes();
  for (int i = 0; i < 64; ++i) constants[i] = fractionBits(std::cbrt(static_cast<long double>(primes[i])));
  return constants;
}

State initialState() {
  State state{};
  const std::array<int, 64> primes = firstPrimes();
  for (int i = 0; i < 8; ++i) state[i] = fractionBits(std::sqrt(static_cast<long double>(primes[i])));
  return state;
}

void addBlock(State& state, const unsigned char* block, const std::array<std::uint32_t, 64>& constants) {
  std::array<std::uint32_t, 64> w{};
  for (int t = 0; t < 16; ++t) {
    w[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
           std::uint32_t{block[4 * t + 2]} << 8 | block[4 * t + 3];
  }
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int t = 0; t < 64; ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State add{a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[i] += add[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  const std::array<std::uint32_t, 64> constants = roundConstants();
  State state = initialState();
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t done = 0;
  for (; bytes.size() - done >= 64; done += 64) addBlock(state, data + done, constants);

  std::string tail(bytes.substr(done));
  tail += '\x80';
  while (tail.size() % 64 != 56) tail += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(bits >> shift & 0xFF);
  for (std::size_t i = 0; i < tail.size(); i += 64) {
    addBlock(state, reinterpret_cast<const unsigned char*>(tail.data()) + i, constants);
  }

  std::string digest;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) digest += "0123456789abcdef"[word >> shift & 0xF];
  }
  return digest;
}

}  // namespace attnscope
