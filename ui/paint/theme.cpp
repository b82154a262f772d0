#include "ui/paint/picture.h"

namespace attnscope {

const Theme& Theme::light() {
  static const Theme theme{.dark = false,
                           .window = QColor(0xffffff),
                           .panel = QColor(0xf4f5f7),
                           .field = QColor(0xf4f5f7),
                           .border = QColor(0xdfe2e7),
                           .text = QColor(0x20242c),
                           .mutedText = QColor(0x6b7280),
                           .accent = QColor(0x2f6fde),
                           .accentText = QColor(0xffffff),
                           .grid = QColor(0xe3e5ea),
                           .loss = QColor(0xd1495b),
                           .accuracy = QColor(0x2a9d6f),
                           .entropy = QColor(0x8257c2),
                           .agreement = QColor(0x2f6fde),
                           .warning = QColor(0xc2410c),
                           .good = QColor(0x2a9d6f)};
  return theme;
}

const Theme& Theme::darkTheme() {
  static const Theme theme{.dark = true,
                           .window = QColor(0x262a32),
                           .panel = QColor(0x1d2026),
                           .field = QColor(0x1d2026),
                           .border = QColor(0x383e49),
                           .text = QColor(0xe6e8ec),
                           .mutedText = QColor(0x9aa1ad),
                           .accent = QColor(0x6ea3ff),
                           .accentText = QColor(0x10131a),
                           .grid = QColor(0x383e49),
                           .loss = QColor(0xe0566a),
                           .accuracy = QColor(0x2fae7e),
                           .entropy = QColor(0x9a73d8),
                           .agreement = QColor(0x6ea3ff),
                           .warning = QColor(0xf59e5b),
                           .good = QColor(0x46c48f)};
  return theme;
}

}  // namespace attnscope
