#include "core/tensor/kernels.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/tensor/eigen.h"

namespace attnscope {
namespace {

template <class S>
std::string shapes(const View<S>& a, const View<S>& b, const View<S>& c) {
  const auto shape = [](const View<S>& v) { return std::to_string(v.rows) + "x" + std::to_string(v.columns); };
  return shape(a) + ", " + shape(b) + " -> " + shape(c);
}

}  // namespace

template <class S>
void addProduct(View<S> c, View<S> a, View<S> b) {
  ATTNSCOPE_CHECK(a.columns == b.rows && c.rows == a.rows && c.columns == b.columns, shapes(a, b, c));
  asEigen(c).noalias() += asEigen(a) * asEigen(b);
}

template <class S>
void addProductABt(View<S> c, View<S> a, View<S> b) {
  ATTNSCOPE_CHECK(a.columns == b.columns && c.rows == a.rows && c.columns == b.rows, shapes(a, b, c));
  asEigen(c).noalias() += asEigen(a) * asEigen(b).transpose();
}

template <class S>
void addProductAtB(View<S> c, View<S> a, View<S> b) {
  ATTNSCOPE_CHECK(a.rows == b.rows && c.rows == a.columns && c.columns == b.columns, shapes(a, b, c));
  asEigen(c).noalias() += asEigen(a).transpose() * asEigen(b);
}

template <class S>
void addColumnSums(View<S> sums, View<S> a) {
  ATTNSCOPE_CHECK(sums.rows == 1 && sums.columns == a.columns, shapes(a, a, sums));
  auto total = asRow(sums.data, sums.columns);
  for (int r = 0; r < a.rows; ++r) total += asRow(a.row(r), a.columns);
}

template <class S>
void add(View<S> target, View<S> source) {
  ATTNSCOPE_CHECK(target.rows == source.rows && target.columns == source.columns, shapes(source, source, target));
  asEigen(target) += asEigen(source);
}

template <class S>
void copy(View<S> target, View<S> source) {
  ATTNSCOPE_CHECK(target.rows == source.rows && target.columns == source.columns, shapes(source, source, target));
  for (int r = 0; r < source.rows; ++r) std::copy_n(source.row(r), source.columns, target.row(r));
}

template <class S>
void fill(View<S> target, S value) {
  for (int r = 0; r < target.rows; ++r) std::fill_n(target.row(r), target.columns, value);
}

template <class S>
bool allFinite(const S* data, std::size_t count) {
  return std::all_of(data, data + count, [](S x) { return std::isfinite(x); });
}

#define ATTNSCOPE_INSTANTIATE(S)                              \
  template void addProduct(View<S>, View<S>, View<S>);        \
  template void addProductABt(View<S>, View<S>, View<S>);     \
  template void addProductAtB(View<S>, View<S>, View<S>);     \
  template void addColumnSums(View<S>, View<S>);              \
  template void add(View<S>, View<S>);                        \
  template void copy(View<S>, View<S>);                       \
  template void fill(View<S>, S);                             \
  template bool allFinite(const S*, std::size_t);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)

}  // namespace attnscope
