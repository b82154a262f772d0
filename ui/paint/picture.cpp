#include "ui/paint/picture.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>

#include "ui/paint/pictures.h"

namespace attnscope {

const TraceExample* Picture::current() const {
  if (!trace || example < 0 || example >= static_cast<int>(trace->examples.size())) return nullptr;
  return &trace->examples[static_cast<std::size_t>(example)];
}

std::span<const PictureInfo> pictureTable() {
  static const std::array table{kAlignmentPicture, kContextPicture, kStatesPicture, kInspectorPicture};
  return table;
}

const PictureInfo* findPicture(std::string_view name) {
  for (const PictureInfo& info : pictureTable()) {
    if (name == info.name) return &info;
  }
  return nullptr;
}

const Site* shownSite(const Picture& picture) {
  const TraceExample* example = picture.current();
  if (!example || example->sites.empty()) return nullptr;
  const Site* named = picture.state.site.empty() ? nullptr : example->findSite(picture.state.site);
  return named ? named : &example->sites.front();
}

int shownHead(const Picture& picture, const Site& site) {
  return std::clamp(picture.state.head, 0, std::max(0, site.heads - 1));
}

std::vector<std::string> axisTokens(const TraceExample& example, const Axis& axis, int count) {
  const auto fits = [count](const std::vector<std::string>& tokens) {
    return static_cast<int>(tokens.size()) == count;
  };
  if (fits(axis.tokens)) return axis.tokens;
  if (axis.name == "source" && fits(example.source)) return example.source;
  if (axis.name == "target" && fits(example.target)) return example.target;
  std::vector<std::string> numbers;
  for (int i = 1; i <= count; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

QString axisTitle(const TraceExample& example, const Axis& axis) {
  if (axis.name == "source") return QCoreApplication::translate("paint", "Source (input)");
  if (axis.name == "target") {
    return example.forced ? QCoreApplication::translate("paint", "Target (given)")
                          : QCoreApplication::translate("paint", "Target (generated)");
  }
  if (axis.name == "memory") return QCoreApplication::translate("paint", "Memory position");
  if (axis.name == "blocks") return QCoreApplication::translate("paint", "Memory blocks");
  if (axis.name == "sentences") return QCoreApplication::translate("paint", "Sentences");
  if (axis.name == "steps" || axis.name.empty()) return QCoreApplication::translate("paint", "Step");
  QString title = QString::fromStdString(axis.name);
  title[0] = title[0].toUpper();
  return title;
}

}  // namespace attnscope
