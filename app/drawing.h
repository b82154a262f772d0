// Pictures without a display, for the commands that draw.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "ui/export/export.h"

class QGuiApplication;

namespace attnscope {

// While it lives, pictures can be painted. The numbers of the C library stay as they were, whatever the locale.
class DrawingSession {
 public:
  DrawingSession();
  ~DrawingSession();

 private:
  std::unique_ptr<QGuiApplication> m_application;
};

// Model, mechanism, step, seed: what a picture that leaves its program must say.
std::string captionOf(const Trace& trace, const std::string& name);

PictureStyle exportStyle(bool dark, ColorMap colorMap, const std::string& caption);

}  // namespace attnscope
