#include "ui/panels/export_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include "core/base/error.h"
#include "ui/dialog_seams.h"
#include "ui/export/file_name.h"
#include "ui/format.h"
#include "ui/settings.h"

namespace attnscope {

static constexpr QSize kPreview(380, 260);

void exportNow(const Exportable& picture, const Theme& theme, const ExportOptions& options) {
  const Drawing draw = [&](QPainter& painter, const QRectF& rect, bool vector) {
    picture.draw(painter, rect, theme, vector);
  };
  exportDrawing(draw, picture.preferred, options, picture.csv);
}

static QList<std::pair<QString, QString>> entriesOf(const std::vector<Exportable>& pictures) {
  QList<std::pair<QString, QString>> entries;
  for (const Exportable& picture : pictures) entries.append({picture.name, picture.title});
  return entries;
}

ExportDialog::ExportDialog(std::vector<Exportable> pictures, const QString& shown, const QString& base,
                           const Theme& theme, QWidget* parent)
    : QDialog(parent), m_pictures(std::move(pictures)), m_base(base), m_windowTheme(theme) {
  setObjectName("exportDialog");
  setWindowTitle(tr("Export"));
  const QSettings stored = settings();
  m_what = new ChoiceField("exportWhat", entriesOf(m_pictures));
  m_format = new ChoiceField("exportFormat", {{"png", tr("PNG image")},
                                              {"svg", tr("SVG drawing")},
                                              {"pdf", tr("PDF drawing")},
                                              {"jpg", tr("JPEG image")},
                                              {"csv", tr("CSV numbers")}});
  m_theme = new ChoiceField("exportTheme",
                            {{"window", tr("as in the window")}, {"light", tr("light")}, {"dark", tr("dark")}});
  m_width = new WholeField("exportWidth", 16, 20000);
  m_height = new WholeField("exportHeight", 16, 20000);
  m_scale = new NumberField("exportScale", 0.25, 8);
  m_size = roleLabel({}, "note", "exportSize");
  m_preview = new QLabel;
  m_preview->setObjectName("exportPreview");
  m_preview->setFixedSize(kPreview);
  m_preview->setAlignment(Qt::AlignCenter);
  m_what->show(shown);
  m_format->show(stored.value("export/format", "png").toString());
  m_theme->show(stored.value("export/theme", "window").toString());
  m_scale->show(stored.value("export/scale", 2.0).toDouble());

  for (ChoiceField* field : {m_what, m_format, m_theme}) field->setMinimumContentsLength(16);
  auto* form = new QFormLayout;
  form->setVerticalSpacing(8);
  form->addRow(tr("Picture"), m_what);
  form->addRow(tr("Format"), m_format);
  form->addRow(tr("Size"), pairOf(m_width, QStringLiteral("×"), m_height));
  form->addRow(tr("Pixel scale"), m_scale);
  form->addRow(tr("Colours"), m_theme);
  form->addRow(m_size);
  auto* row = new QHBoxLayout;
  row->setSpacing(16);
  row->addLayout(form);
  row->addWidget(m_preview);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  QPushButton* save = buttons->addButton(tr("Export…"), QDialogButtonBox::AcceptRole);
  save->setObjectName("exportSave");
  save->setProperty("role", "primary");
  save->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addLayout(row);
  column->addWidget(buttons);

  const auto takeSize = [this] {
    m_width->show(chosen().preferred.width());
    m_height->show(chosen().preferred.height());
    refresh();
  };
  connect(m_what, &ChoiceField::chosen, this, takeSize);
  connect(m_format, &ChoiceField::chosen, this, &ExportDialog::refresh);
  connect(m_theme, &ChoiceField::chosen, this, &ExportDialog::refresh);
  for (WholeField* field : {m_width, m_height}) connect(field, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
  connect(m_scale, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
  connect(save, &QPushButton::clicked, this, &ExportDialog::exportNow);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  takeSize();
}

const Exportable& ExportDialog::chosen() const { return m_pictures[std::max(0, m_what->currentIndex())]; }

const Theme& ExportDialog::theme() const {
  if (m_theme->value() == "light") return Theme::light();
  return m_theme->value() == "dark" ? Theme::darkTheme() : m_windowTheme;
}

ExportOptions ExportDialog::options() const {
  ExportOptions options;
  options.width = m_width->value();
  options.height = m_height->value();
  options.scale = m_scale->value();
  options.title = chosen().title;
  return options;
}

void ExportDialog::refresh() {
  const QString format = m_format->value();
  const bool pixels = format == "png" || format == "jpg";
  const bool picture = format != "csv";
  m_scale->setEnabled(pixels);
  for (QWidget* field : std::initializer_list<QWidget*>{m_width, m_height, m_theme}) field->setEnabled(picture);
  const QSize size(m_width->value(), m_height->value());
  m_size->setText(pixels ? tr("%1 × %2 pixels")
                               .arg(countText(std::lround(size.width() * m_scale->value())),
                                    countText(std::lround(size.height() * m_scale->value())))
                  : picture ? tr("vector drawing, text stays text")
                            : tr("the numbers on show, with a header row"));
  const QSize shown = size.scaled(kPreview, Qt::KeepAspectRatio);
  const double ratio = devicePixelRatioF();
  QImage image((QSizeF(shown) * ratio).toSize().expandedTo(QSize(1, 1)), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(theme().window);
  if (picture) {
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(static_cast<double>(shown.width()) / size.width(),
                  static_cast<double>(shown.height()) / size.height());
    chosen().draw(painter, QRectF(QPointF(), size), theme(), false);
  }
  m_preview->setPixmap(QPixmap::fromImage(image));
}

void ExportDialog::remember() const {
  QSettings stored = settings();
  stored.setValue("export/format", m_format->value());
  stored.setValue("export/theme", m_theme->value());
  stored.setValue("export/scale", m_scale->value());
}

void ExportDialog::exportNow() {
  remember();
  const QString format = m_format->value();
  const QString folder = settings().value("export/folder", QDir::homePath()).toString();
  const QString proposal = QDir(folder).filePath(legalFileName(m_base + '-' + chosen().name, format));
  QString file = dialogSeams().saveFile(this, tr("Export %1").arg(chosen().title), proposal,
                                        QStringLiteral("%1 (*.%2)").arg(m_format->currentText(), format));
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().compare(format, Qt::CaseInsensitive) != 0) file += '.' + format;
  settings().setValue("export/folder", QFileInfo(file).absolutePath());
  ExportOptions asked = options();
  asked.path = file.toStdString();
  try {
    attnscope::exportNow(chosen(), theme(), asked);
    Q_EMIT exported(file);
  } catch (const Error& error) {
    Q_EMIT failed(text(error.what()));
  }
  accept();
}

}  // namespace attnscope
