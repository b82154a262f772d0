// What an action throws, for comparisons.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace attnscope {

// The text of the Error of `kind` that `action` throws; "nothing thrown", or "another kind: …".
template <class Action>
QString errorText(ErrorKind kind, Action action) {
  try {
    action();
  } catch (const Error& error) {
    const QString text = QString::fromUtf8(error.what());
    return error.kind() == kind ? text : "another kind: " + text;
  }
  return "nothing thrown";
}

}  // namespace attnscope
