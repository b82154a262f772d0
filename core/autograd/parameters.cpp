#include "core/autograd/parameters.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/random.h"

namespace attnscope {

void ParameterLayout::add(std::string name, std::vector<int> shape, Init init, int scale) {
  ParameterInfo info{std::move(name), std::move(shape), init, scale, m_size};
  ATTNSCOPE_CHECK(!m_index.contains(info.name), info.name);
  m_index[info.name] = m_list.size();
  m_size += info.count();
  m_list.push_back(std::move(info));
}

const ParameterInfo* ParameterLayout::tryFind(std::string_view name) const {
  const auto found = m_index.find(name);
  return found == m_index.end() ? nullptr : &m_list[found->second];
}

const ParameterInfo& ParameterLayout::find(std::string_view name) const {
  const ParameterInfo* info = tryFind(name);
  ATTNSCOPE_CHECK(info, std::string(name));
  return *info;
}

const ParameterInfo& ParameterLayout::owner(std::size_t index) const {
  for (const auto& info : m_list)
    if (index < info.offset + info.count()) return info;
  ATTNSCOPE_CHECK(false, std::to_string(index));
}

namespace {

template <class S>
void drawUniform(Random& random, double bound, S* values, std::size_t count) {
  // Rounded to float: a model starts from the same numbers in either precision.
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(random.uniform(-bound, bound));
}

template <class S>
void initialiseOne(const ParameterInfo& info, Random& random, S* values) {
  const std::size_t count = info.count();
  const double recurrent = 1.0 / std::sqrt(static_cast<double>(info.scale));
  switch (info.init) {
    case Init::Zero:
      std::fill_n(values, count, S(0));
      break;
    case Init::Recurrent:
    case Init::ForgetOne:
    case Init::ForgetZero:
      drawUniform(random, recurrent, values, count);
      if (info.init != Init::Recurrent)  // gates stand in the order i, f, g, o
        std::fill_n(values + count / 4, count / 4, info.init == Init::ForgetOne ? S(1) : S(0));
      break;
    case Init::Glorot:
      drawUniform(random, std::sqrt(6.0 / (info.rows() + info.columns())), values, count);
      break;
    case Init::Embedding:
      for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(0.1 * random.normal());
      std::fill_n(values, info.columns(), S(0));
      break;
  }
}

}  // namespace

template <class S>
void initialise(const ParameterLayout& layout, std::uint64_t seed, S* values) {
  for (const auto& info : layout.list()) {
    Random random(seed, "weights/" + info.name);
    initialiseOne(info, random, values + info.offset);
  }
}

template <class S>
Var<S> Parameters<S>::operator[](std::string_view name) const {
  const ParameterInfo& info = m_layout->find(name);
  const View<S> value{m_values + info.offset, info.rows(), info.columns(), info.columns()};
  View<S> grad;
  if (m_gradients) grad = {m_gradients + info.offset, info.rows(), info.columns(), info.columns()};
  return {value, grad};
}

template void initialise(const ParameterLayout&, std::uint64_t, float*);
template void initialise(const ParameterLayout&, std::uint64_t, double*);
template class Parameters<float>;
template class Parameters<double>;

}  // namespace attnscope
