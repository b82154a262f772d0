// Numbers and texts as the window shows them: English grouping, whatever the system's locale.
#pragma once

#include <QString>
#include <string>

namespace attnscope {

inline QString text(const std::string& s) { return QString::fromStdString(s); }
QString countText(long number);        // 1,240
QString compactText(double number);    // 41.2 k
QString lossText(double loss);         // four significant digits; "not finite"
QString percentText(double share);     // 0.996 → 99.6 %
QString durationText(double seconds);  // 0:07, 1:02:03
QString bytesText(double bytes);       // 12 MB
QString shortNumber(double number);    // the fewest digits that read back: 0.002

}  // namespace attnscope
