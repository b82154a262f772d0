// Default names of exported files.
#pragma once

#include <QString>

namespace attnscope {

// A short legal file name (without folder) on every common system from any title or token: letters, digits, "-" and
// "_" of any script stay, everything else becomes one "-"; at most 60 UTF-8 bytes before the extension; never empty,
// never a name that a system reserves. legalFileName("a/b: c", "png") is "a-b-c.png".
QString legalFileName(const QString& title, const QString& extension);

}  // namespace attnscope
