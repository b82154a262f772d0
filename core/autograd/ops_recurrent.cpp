#include "core/autograd/ops_recurrent.h"

#include "core/tensor/eigen.h"
#include "core/tensor/kernels.h"

namespace attnscope {
namespace {

// A padded row: state carried, gates zero; its gradient goes straight to the previous state.
template <class S>
void carryRow(Var<S> gates, Var<S> previous, Var<S> next, int b) {
  std::copy_n(previous.value.row(b), next.columnCount(), next.value.row(b));
  std::fill_n(gates.value.row(b), gates.columnCount(), S(0));
}

template <class S>
void carryGradient(Var<S> gates, Var<S> previous, Var<S> next, int b) {
  asRow(previous.grad.row(b), next.columnCount()) += asRow(next.grad.row(b), next.columnCount());
  std::fill_n(gates.grad.row(b), gates.columnCount(), S(0));
}

}  // namespace

template <class S>
void rnnStep(Tape<S>& tape, Var<S> gates, Var<S> previous, Var<S> h, StepMask mask) {
  const int B = h.rowCount(), H = h.columnCount();
  for (int b = 0; b < B; ++b) {
    if (!mask.real(b)) {
      carryRow(gates, previous, h, b);
      continue;
    }
    auto g = asRow(gates.value.row(b), H);
    g = g.tanh();
    asRow(h.value.row(b), H) = g;
  }
  tape.onBackward([=] {
    for (int b = 0; b < B; ++b) {
      if (!mask.real(b)) {
        carryGradient(gates, previous, h, b);
        continue;
      }
      asRow(gates.grad.row(b), H) = asRow(h.grad.row(b), H) * (S(1) - asRow(gates.value.row(b), H).square());
    }
  });
}

template <class S>
void gruStep(Tape<S>& tape, Var<S> gates, Var<S> hidden, Var<S> previous, Var<S> h, StepMask mask) {
  const int B = h.rowCount(), H = h.columnCount();
  for (int b = 0; b < B; ++b) {
    if (!mask.real(b)) {
      carryRow(gates, previous, h, b);
      continue;
    }
    S* gate = gates.value.row(b);
    S* inner = hidden.value.row(b);
    auto rz = asRow(gate, 2 * H);
    rz = (rz + asRow(inner, 2 * H)).logistic();
    auto r = asRow(gate, H), z = asRow(gate + H, H), n = asRow(gate + 2 * H, H);
    n = (n + r * asRow(inner + 2 * H, H)).tanh();
    asRow(h.value.row(b), H) = n + z * (asRow(previous.value.row(b), H) - n);
  }
  tape.onBackward([=] {
    for (int b = 0; b < B; ++b) {
      if (!mask.real(b)) {
        carryGradient(gates, previous, h, b);
        continue;
      }
      S* gate = gates.value.row(b);
      S* dGate = gates.grad.row(b);
      S* dInner = hidden.grad.row(b);
      const auto r = asRow(gate, H), z = asRow(gate + H, H), n = asRow(gate + 2 * H, H);
      const auto dh = asRow(h.grad.row(b), H);
      auto dr = asRow(dGate, H), dz = asRow(dGate + H, H), dn = asRow(dGate + 2 * H, H);
      dn = dh * (S(1) - z) * (S(1) - n.square());
      dz = dh * (asRow(previous.value.row(b), H) - n) * z * (S(1) - z);
      dr = dn * asRow(hidden.value.row(b) + 2 * H, H) * r * (S(1) - r);
      asRow(dInner, 2 * H) = asRow(dGate, 2 * H);
      asRow(dInner + 2 * H, H) = dn * r;
      asRow(previous.grad.row(b), H) += dh * z;
    }
  });
}

template <class S>
void gruResetBefore(Tape<S>& tape, Var<S> gates, Var<S> previous, Var<S> reset, StepMask mask) {
  const int B = previous.rowCount(), H = previous.columnCount();
  for (int b = 0; b < B; ++b) {
    if (!mask.real(b)) continue;  // gruUpdateBefore zeroes the gates
    auto rz = asRow(gates.value.row(b), 2 * H);
    rz = rz.logistic();
    asRow(reset.value.row(b), H) = asRow(gates.value.row(b), H) * asRow(previous.value.row(b), H);
  }
  tape.onBackward([=] {
    for (int b = 0; b < B; ++b) {
      if (!mask.real(b)) continue;
      const auto r = asRow(gates.value.row(b), H);
      const auto dReset = asRow(reset.grad.row(b), H);
      asRow(gates.grad.row(b), H) = dReset * asRow(previous.value.row(b), H) * r * (S(1) - r);
      asRow(previous.grad.row(b), H) += dReset * r;
    }
  });
}

template <class S>
void gruUpdateBefore(Tape<S>& tape, Var<S> gates, Var<S> previous, Var<S> h, StepMask mask) {
  const int B = h.rowCount(), H = h.columnCount();
  for (int b = 0; b < B; ++b) {
    if (!mask.real(b)) {
      carryRow(gates, previous, h, b);
      continue;
    }
    auto z = asRow(gates.value.row(b) + H, H), n = asRow(gates.value.row(b) + 2 * H, H);
    n = n.tanh();
    asRow(h.value.row(b), H) = n + z * (asRow(previous.value.row(b), H) - n);
  }
  tape.onBackward([=] {
    for (int b = 0; b < B; ++b) {
      if (!mask.real(b)) {
        carryGradient(gates, previous, h, b);
        continue;
      }
      const auto z = asRow(gates.value.row(b) + H, H), n = asRow(gates.value.row(b) + 2 * H, H);
      const auto dh = asRow(h.grad.row(b), H);
      asRow(gates.grad.row(b) + 2 * H, H) = dh * (S(1) - z) * (S(1) - n.square());
      asRow(gates.grad.row(b) + H, H) = dh * (asRow(previous.value.row(b), H) - n) * z * (S(1) - z);
      asRow(previous.grad.row(b), H) += dh * z;
    }
  });
}

template <class S>
void lstmStep(Tape<S>& tape, Var<S> gates, Var<S> previousC, Var<S> previousH, Var<S> c, Var<S> h, StepMask mask) {
  const int B = h.rowCount(), H = h.columnCount();
  for (int b = 0; b < B; ++b) {
    if (!mask.real(b)) {
      carryRow(gates, previousH, h, b);
      std::copy_n(previousC.value.row(b), H, c.value.row(b));
      continue;
    }
    S* gate = gates.value.row(b);
    auto inForget = asRow(gate, 2 * H);
    inForget = inForget.logistic();
    auto i = asRow(gate, H), f = asRow(gate + H, H), g = asRow(gate + 2 * H, H), o = asRow(gate + 3 * H, H);
    g = g.tanh();
    o = o.logistic();
    asRow(c.value.row(b), H) = f * asRow(previousC.value.row(b), H) + i * g;
    asRow(h.value.row(b), H) = o * asRow(c.value.row(b), H).tanh();
  }
  tape.onBackward([=] {
    for (int b = 0; b < B; ++b) {
      if (!mask.real(b)) {
        carryGradient(gates, previousH, h, b);
        asRow(previousC.grad.row(b), H) += asRow(c.grad.row(b), H);
        continue;
      }
      S* gate = gates.value.row(b);
      S* dGate = gates.grad.row(b);
      const auto i = asRow(gate, H), f = asRow(gate + H, H), g = asRow(gate + 2 * H, H), o = asRow(gate + 3 * H, H);
      auto di = asRow(dGate, H), df = asRow(dGate + H, H), dg = asRow(dGate + 2 * H, H), dO = asRow(dGate + 3 * H, H);
      const auto dh = asRow(h.grad.row(b), H);
      auto dc = asRow(c.grad.row(b), H);
      // dO holds tanh(c) first: one tanh instead of two.
      dO = asRow(c.value.row(b), H).tanh();
      dc += dh * o * (S(1) - dO.square());
      dO = dh * dO * o * (S(1) - o);
      di = dc * g * i * (S(1) - i);
      df = dc * asRow(previousC.value.row(b), H) * f * (S(1) - f);
      dg = dc * i * (S(1) - g.square());
      asRow(previousC.grad.row(b), H) += dc * f;
    }
  });
}

#define ATTNSCOPE_INSTANTIATE(S)                                                              \
  template void rnnStep(Tape<S>&, Var<S>, Var<S>, Var<S>, StepMask);                          \
  template void gruStep(Tape<S>&, Var<S>, Var<S>, Var<S>, Var<S>, StepMask);                  \
  template void gruResetBefore(Tape<S>&, Var<S>, Var<S>, Var<S>, StepMask);                   \
  template void gruUpdateBefore(Tape<S>&, Var<S>, Var<S>, Var<S>, StepMask);                  \
  template void lstmStep(Tape<S>&, Var<S>, Var<S>, Var<S>, Var<S>, Var<S>, StepMask);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)

}  // namespace attnscope
