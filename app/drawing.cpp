#include "app/drawing.h"

#include <QGuiApplication>
#include <algorithm>
#include <clocale>

namespace attnscope {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return text;
}

std::string stringAt(const Json& json, const Json::json_pointer& path) {
  return json.contains(path) && json.at(path).is_string() ? json.at(path).get<std::string>() : std::string();
}

}  // namespace

DrawingSession::DrawingSession() {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  static int argc = 1;
  static char name[] = "attnscope";
  static char* argv[] = {name, nullptr};
  // Starting up, Qt remarks on its own environment, which nobody who wants a picture needs to read.
  const QtMessageHandler previous = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
  m_application = std::make_unique<QGuiApplication>(argc, argv);
  qInstallMessageHandler(previous);
  std::setlocale(LC_NUMERIC, "C");
}

DrawingSession::~DrawingSession() = default;

std::string captionOf(const Trace& trace, const std::string& name) {
  std::string caption = name;
  if (trace.config.is_object()) {
    std::string cell = stringAt(trace.config, "/decoder/cell"_json_pointer);
    if (cell.empty()) cell = stringAt(trace.config, "/cell"_json_pointer);
    for (const std::string& part : {upper(cell), stringAt(trace.config, "/attention/score"_json_pointer)}) {
      if (!part.empty()) caption += " · " + part;
    }
  }
  if (trace.step >= 0) {
    caption += " · step " + std::to_string(trace.step) + " · seed " + std::to_string(trace.seed);
  }
  return caption;
}

PictureStyle exportStyle(bool dark, ColorMap colorMap, const std::string& caption) {
  PictureStyle style;
  style.theme = dark ? &Theme::darkTheme() : &Theme::light();
  style.font = QGuiApplication::font();
  style.colorMap = colorMap;
  style.caption = QString::fromStdString(caption);
  return style;
}

}  // namespace attnscope
