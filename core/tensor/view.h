// A matrix somewhere in memory: row-major, rows may lie apart. Owns nothing.
// A sequence of T steps over a batch of B is one matrix of T·B rows: row t·B + b, so that a time step is one
// contiguous block and the whole sequence goes through one product.
#pragma once

#include <cstddef>

namespace attnscope {

template <class S>
struct View {
  S* data = nullptr;
  int rows = 0;
  int columns = 0;
  int stride = 0;  // from one row to the next, ≥ columns

  explicit operator bool() const { return data != nullptr; }
  S* row(int r) const { return data + static_cast<std::size_t>(r) * stride; }
  View rowRange(int begin, int count) const {
    return {data ? row(begin) : nullptr, count, columns, stride};
  }
  View columnRange(int begin, int count) const {
    return {data ? data + begin : nullptr, rows, count, stride};
  }
};

}  // namespace attnscope
