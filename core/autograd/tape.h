// Reverse-mode differentiation. A tape owns the memory of one forward pass and the list of what backward must do,
// in creation order, which is a topological order. Several tapes may live at once; none is shared between threads.
//
// A variable is a value and the place of its gradient: parts of it (a time step, some columns) are views that share
// both, so slicing costs nothing and needs no operation. Operations accumulate: an operation may write into, or add
// to, a buffer that was made before; whoever reads it later adds to the same gradient.
#pragma once

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

#include "core/tensor/arena.h"
#include "core/tensor/view.h"

namespace attnscope {

template <class S>
struct Var {
  View<S> value;
  View<S> grad;  // empty: no gradient wanted

  int rowCount() const { return value.rows; }
  int columnCount() const { return value.columns; }
  Var rows(int begin, int count) const { return {value.rowRange(begin, count), grad.rowRange(begin, count)}; }
  Var columns(int begin, int count) const { return {value.columnRange(begin, count), grad.columnRange(begin, count)}; }
  explicit operator bool() const { return static_cast<bool>(value); }
};

template <class S>
class Tape {
 public:
  // Without recording nothing has a gradient and nothing is kept for backward (decoding, validation).
  explicit Tape(bool recording = true) : m_recording(recording) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  bool recording() const { return m_recording; }

  // A zeroed buffer with a gradient (when recording).
  Var<S> zeros(int rows, int columns) {
    Var<S> var{allocateView(m_values, rows, columns), {}};
    if (m_recording) var.grad = allocateView(m_gradients, rows, columns);
    return var;
  }
  // A zeroed buffer without a gradient.
  Var<S> constant(int rows, int columns) { return {allocateView(m_values, rows, columns), {}}; }

  // Plain memory that lives as long as this pass; uninitialised.
  template <class T>
  T* array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(m_values.allocate(count * sizeof(T)));
  }

  // `backward` is called, in reverse order of registration, by backward(). It is copied into the arena.
  template <class F>
  void onBackward(F backward) {
    static_assert(std::is_trivially_destructible_v<F>, "capture views and numbers only");
    if (!m_recording) return;
    F* stored = new (m_values.allocate(sizeof(F))) F(std::move(backward));
    m_nodes.push_back({[](const void* f) { (*static_cast<const F*>(f))(); }, stored});
  }

  void backward() {
    for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); ++node) node->run(node->closure);
  }

  // Forgets the pass; every Var and array of it is invalid.
  void reset() {
    m_nodes.clear();
    m_values.reset();
    m_gradients.reset();
  }

  std::size_t memoryBytes() const { return m_values.capacity() + m_gradients.capacity(); }

 private:
  struct Node {
    void (*run)(const void*);
    const void* closure;
  };

  View<S> allocateView(Arena& arena, int rows, int columns) {
    const std::size_t count = static_cast<std::size_t>(rows) * columns;
    S* data = static_cast<S*>(arena.allocate(count * sizeof(S)));
    std::fill_n(data, count, S(0));
    return {data, rows, columns, columns};
  }

  bool m_recording;
  Arena m_values, m_gradients;
  std::vector<Node> m_nodes;
};

}  // namespace attnscope
