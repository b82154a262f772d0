// The one header that shows Eigen; included by sources only.
#pragma once

#include <Eigen/Core>

#include "core/tensor/view.h"

namespace attnscope {

template <class S>
using EigenMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class S>
using EigenMap = Eigen::Map<EigenMatrix<S>, 0, Eigen::OuterStride<>>;
template <class S>
using EigenRow = Eigen::Map<Eigen::Array<S, 1, Eigen::Dynamic>>;
template <class S>
using EigenColumn = Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, 1>>;

template <class S>
EigenMap<S> asEigen(const View<S>& view) {
  return EigenMap<S>(view.data, view.rows, view.columns, Eigen::OuterStride<>(view.stride));
}
template <class S>
EigenRow<S> asRow(S* data, int size) {
  return EigenRow<S>(data, size);
}
template <class S>
EigenColumn<S> asColumn(S* data, int size) {
  return EigenColumn<S>(data, size);
}

}  // namespace attnscope
