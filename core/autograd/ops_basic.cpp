#include "core/autograd/ops_basic.h"

#include <string>

#include "core/base/error.h"
#include "core/tensor/eigen.h"
#include "core/tensor/kernels.h"

namespace attnscope {

template <class S>
Projection<S>::Projection(Tape<S>& tape, Var<S> weight, Var<S> x, Var<S> y, WeightLayout layout)
    : m_weight(weight), m_x(x), m_y(y), m_layout(layout) {
  ATTNSCOPE_CHECK(x.rowCount() == y.rowCount(),
                  std::to_string(x.rowCount()) + " rows of x, " + std::to_string(y.rowCount()) + " of y");
  if (!weight.grad) return;
  tape.onBackward([weight, x, y, layout] {
    if (layout == WeightLayout::OutIn)
      addProductAtB(weight.grad, y.grad, x.value);
    else
      addProductAtB(weight.grad, x.value, y.grad);
  });
}

template <class S>
void Projection<S>::apply(Tape<S>& tape, int rowBegin, int rowCount) const {
  const Var<S> x = m_x.rows(rowBegin, rowCount), y = m_y.rows(rowBegin, rowCount), weight = m_weight;
  const WeightLayout layout = m_layout;
  if (layout == WeightLayout::OutIn)
    addProductABt(y.value, x.value, weight.value);
  else
    addProduct(y.value, x.value, weight.value);
  if (!x.grad) return;
  tape.onBackward([weight, x, y, layout] {
    if (layout == WeightLayout::OutIn)
      addProduct(x.grad, y.grad, weight.value);
    else
      addProductABt(x.grad, y.grad, weight.value);
  });
}

template <class S>
void addBias(Tape<S>& tape, Var<S> bias, Var<S> y) {
  ATTNSCOPE_CHECK(bias.rowCount() == 1 && bias.columnCount() == y.columnCount(), std::to_string(y.columnCount()));
  const auto row = asRow(bias.value.data, bias.columnCount());
  for (int r = 0; r < y.rowCount(); ++r) asRow(y.value.row(r), y.columnCount()) += row;
  if (bias.grad) tape.onBackward([bias, y] { addColumnSums(bias.grad, y.grad); });
}

template <class S>
void addToEveryBlock(Tape<S>& tape, Var<S> x, Var<S> y) {
  const int block = x.rowCount(), blocks = y.rowCount() / block;
  for (int t = 0; t < blocks; ++t) add(y.value.rowRange(t * block, block), x.value);
  if (!x.grad) return;
  tape.onBackward([x, y, block, blocks] {
    for (int t = 0; t < blocks; ++t) add(x.grad, y.grad.rowRange(t * block, block));
  });
}

template <class S>
void copyOp(Tape<S>& tape, Var<S> source, Var<S> target) {
  copy(target.value, source.value);
  if (source.grad) tape.onBackward([source, target] { add(source.grad, target.grad); });
}

template <class S>
void tanhInPlace(Tape<S>& tape, Var<S> x) {
  auto value = asEigen(x.value).array();
  value = value.tanh();
  if (!x.grad) return;
  tape.onBackward([x] {
    auto grad = asEigen(x.grad).array();
    grad *= S(1) - asEigen(x.value).array().square();
  });
}

template <class S>
void embed(Tape<S>& tape, Var<S> table, const int* ids, Var<S> y) {
  const int size = y.columnCount();
  for (int r = 0; r < y.rowCount(); ++r) {
    const int id = ids[r];
    ATTNSCOPE_CHECK(id >= 0 && id < table.rowCount(), std::to_string(id));
    if (id == 0)
      std::fill_n(y.value.row(r), size, S(0));
    else
      std::copy_n(table.value.row(id), size, y.value.row(r));
  }
  if (!table.grad) return;
  tape.onBackward([table, ids, y, size] {
    for (int r = 0; r < y.rowCount(); ++r)
      if (ids[r] != 0) asRow(table.grad.row(ids[r]), size) += asRow(y.grad.row(r), size);
  });
}

template <class S>
void gatherRows(Tape<S>& tape, Var<S> x, const int* rows, Var<S> y) {
  const int size = y.columnCount();
  for (int r = 0; r < y.rowCount(); ++r)
    if (rows[r] >= 0) std::copy_n(x.value.row(rows[r]), size, y.value.row(r));
  if (!x.grad) return;
  tape.onBackward([x, rows, y, size] {
    for (int r = 0; r < y.rowCount(); ++r)
      if (rows[r] >= 0) asRow(x.grad.row(rows[r]), size) += asRow(y.grad.row(r), size);
  });
}

#define ATTNSCOPE_INSTANTIATE(S)                                  \
  template class Projection<S>;                                   \
  template void addBias(Tape<S>&, Var<S>, Var<S>);                \
  template void addToEveryBlock(Tape<S>&, Var<S>, Var<S>);        \
  template void copyOp(Tape<S>&, Var<S>, Var<S>);                 \
  template void tanhInPlace(Tape<S>&, Var<S>);                    \
  template void embed(Tape<S>&, Var<S>, const int*, Var<S>);      \
  template void gatherRows(Tape<S>&, Var<S>, const int*, Var<S>);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)

}  // namespace attnscope
