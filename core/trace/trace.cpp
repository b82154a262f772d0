#include "core/trace/trace.h"

#include <algorithm>

namespace attnscope {
namespace {

template <class List, class Member>
auto* findByName(List& list, std::string_view name, Member member) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.*member == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

const Site* TraceExample::findSite(std::string_view name) const { return findByName(sites, name, &Site::name); }

const std::vector<GoldCell>* TraceExample::findGold(std::string_view site) const {
  const SiteGold* found = findByName(gold, site, &SiteGold::site);
  return found ? &found->cells : nullptr;
}

const Matrix* findMatrix(const std::vector<NamedMatrix>& list, std::string_view name) {
  const NamedMatrix* found = findByName(list, name, &NamedMatrix::name);
  return found ? &found->matrix : nullptr;
}

}  // namespace attnscope
