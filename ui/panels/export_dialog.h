// Exports one of the pictures on show: format, size, theme, with a preview. Remembers its choices.
#pragma once

#include <QDialog>
#include <QLabel>
#include <functional>
#include <vector>

#include "ui/export/export.h"
#include "ui/panels/fields.h"

namespace attnscope {

// Something that can be exported, as it is on show.
struct Exportable {
  QString name;   // of files: "alignment"
  QString title;  // as shown
  QSize preferred;
  std::function<void(QPainter&, const QRectF&, const Theme&, bool vector)> draw;
  std::function<std::string()> csv;
};

class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  // `shown` is preselected; `base` begins the proposed file name ("reverse-step-1240").
  ExportDialog(std::vector<Exportable> pictures, const QString& shown, const QString& base, const Theme& theme,
               QWidget* parent);

 Q_SIGNALS:
  void exported(const QString& file);
  void failed(const QString& message);

 private:
  const Exportable& chosen() const;
  const Theme& theme() const;
  ExportOptions options() const;
  void refresh();
  void exportNow();
  void remember() const;

  std::vector<Exportable> m_pictures;
  QString m_base;
  const Theme& m_windowTheme;
  ChoiceField *m_what, *m_format, *m_theme;
  WholeField *m_width, *m_height;
  NumberField* m_scale;
  QLabel *m_size, *m_preview;
};

// Throws Error. The extension of `options.path` decides the format.
void exportNow(const Exportable& picture, const Theme& theme, const ExportOptions& options);

}  // namespace attnscope
