// Tokens as labels: always text, never markup, always visible.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

bool isSpecialToken(std::string_view token);  // <pad>, <s>, </s>, <unk>: shown muted

// What stands in a label: whitespace (but a space between words) and control characters get visible signs, a lone
// combining mark a dotted circle, the empty token "∅"; <pad> is the empty string, since padding is never drawn.
QString tokenLabel(std::string_view token);

// The same in curly quotes for a readout, isolated so that a right-to-left token leaves the sentence in order.
QString quotedToken(std::string_view token);

// 1 → "₁"; digits and a minus sign lowered.
QString subscript(int number);

// Which labels are drawn so that none overlap: one every k positions, k as small as possible. Label i is extents[i]
// long along an axis with `pitch` pixels a position, `gap` stays free between two; `keep` (−1: none) is always shown.
std::vector<int> thinnedLabels(const std::vector<double>& extents, double pitch, double gap, int keep);

}  // namespace attnscope
