// Matrix products over views (all accumulate), and whole-matrix helpers. Shapes are checked.
#pragma once

#include "core/tensor/view.h"

namespace attnscope {

template <class S>
void addProduct(View<S> c, View<S> a, View<S> b);  // C[n,m] += A[n,k] B[k,m]
template <class S>
void addProductABt(View<S> c, View<S> a, View<S> b);  // C[n,m] += A[n,k] B[m,k]ᵀ
template <class S>
void addProductAtB(View<S> c, View<S> a, View<S> b);  // C[n,m] += A[k,n]ᵀ B[k,m]
template <class S>
void addColumnSums(View<S> sums, View<S> a);  // sums[1,m] += Σ_rows A[n,m]
template <class S>
void add(View<S> target, View<S> source);  // target += source
template <class S>
void copy(View<S> target, View<S> source);
template <class S>
void fill(View<S> target, S value);
template <class S>
bool allFinite(const S* data, std::size_t count);

}  // namespace attnscope
