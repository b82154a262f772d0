// Linear maps, embeddings and small glue. Every operation accumulates gradients; shapes as [rows, columns].
#pragma once

#include "core/autograd/tape.h"

namespace attnscope {

// How a weight stands in a product: y += x Wᵀ (W [out, in], as torch.nn.Linear) or y += x W (W [in, out]).
enum class WeightLayout { OutIn, InOut };

// One weight (or a part of it) used on many row blocks of one input buffer: y[rows] += x[rows] · W.
// The weight's gradient over all blocks is one product, made when backward reaches the place where this object was
// created; so create it before the time loop. x and y are aligned row by row; views of larger buffers are fine.
template <class S>
class Projection {
 public:
  Projection() = default;
  Projection(Tape<S>& tape, Var<S> weight, Var<S> x, Var<S> y, WeightLayout layout = WeightLayout::OutIn);
  void apply(Tape<S>& tape, int rowBegin, int rowCount) const;
  void applyAll(Tape<S>& tape) const { apply(tape, 0, m_x.rowCount()); }

 private:
  Var<S> m_weight, m_x, m_y;
  WeightLayout m_layout = WeightLayout::OutIn;
};

// Every row of y += bias [1, columns]; the bias' gradient is one sum when backward comes here.
template <class S>
void addBias(Tape<S>& tape, Var<S> bias, Var<S> y);

// y [B·T, n] += x [B, n] for each of the T blocks of B rows.
template <class S>
void addToEveryBlock(Tape<S>& tape, Var<S> x, Var<S> y);

// target = source (target was zero and gets nothing else).
template <class S>
void copyOp(Tape<S>& tape, Var<S> source, Var<S> target);

// In place: x = tanh(x). Who added to x before needs only x's gradient, so nothing is lost.
template <class S>
void tanhInPlace(Tape<S>& tape, Var<S> x);

// y[r] = table[ids[r]]; id 0 (<pad>) reads as zero and has no gradient. `ids` must outlive the pass (Tape::array).
template <class S>
void embed(Tape<S>& tape, Var<S> table, const int* ids, Var<S> y);

// y[r] = x[rows[r]]; rows[r] < 0 reads as zero. `rows` must outlive the pass.
template <class S>
void gatherRows(Tape<S>& tape, Var<S> x, const int* rows, Var<S> y);

}  // namespace attnscope
