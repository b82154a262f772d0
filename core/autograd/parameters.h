// A model's parameters: one contiguous block of numbers, found by name (torch.nn names and layouts, models.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/autograd/tape.h"

namespace attnscope {

// How a fresh parameter is drawn (models.md 1).
enum class Init {
  Recurrent,   // uniform ±1/√hidden, `scale` = hidden
  Glorot,      // uniform ±√(6/(in+out))
  Zero,
  Embedding,   // normal, standard deviation 0.1; row 0 (<pad>) is zero
  ForgetOne,   // lstm bias_ih: as Recurrent, but the forget gate's quarter is 1
  ForgetZero,  // lstm bias_hh: as Recurrent, but the forget gate's quarter is 0
};

struct ParameterInfo {
  std::string name;
  std::vector<int> shape;   // 1 or 2 numbers; a vector is a matrix of one row on the tape
  Init init = Init::Glorot;
  int scale = 1;
  std::size_t offset = 0;   // into the block
  int rows() const { return shape.size() == 1 ? 1 : shape[0]; }
  int columns() const { return shape.back(); }
  std::size_t count() const { return static_cast<std::size_t>(rows()) * columns(); }
};

class ParameterLayout {
 public:
  void add(std::string name, std::vector<int> shape, Init init, int scale = 1);
  const std::vector<ParameterInfo>& list() const { return m_list; }
  const ParameterInfo& find(std::string_view name) const;  // check: it exists
  const ParameterInfo* tryFind(std::string_view name) const;
  std::size_t size() const { return m_size; }  // numbers in the block
  // The parameter that holds number `index` of the block.
  const ParameterInfo& owner(std::size_t index) const;

 private:
  std::vector<ParameterInfo> m_list;
  std::map<std::string, std::size_t, std::less<>> m_index;
  std::size_t m_size = 0;
};

// Fresh values; each tensor draws from its own stream of the seed, so one more tensor moves no other's numbers.
template <class S>
void initialise(const ParameterLayout& layout, std::uint64_t seed, S* values);

// The layout bound to values and a place for gradients (nullptr: none); hands out variables by name.
template <class S>
class Parameters {
 public:
  Parameters(const ParameterLayout& layout, S* values, S* gradients)
      : m_layout(&layout), m_values(values), m_gradients(gradients) {}
  Var<S> operator[](std::string_view name) const;

 private:
  const ParameterLayout* m_layout;
  S* m_values;
  S* m_gradients;
};

}  // namespace attnscope
