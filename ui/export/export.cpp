#include "ui/export/export.h"

#include <QBuffer>
#include <QImageWriter>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/io/file.h"

namespace attnscope {
namespace {

constexpr int kSmallest = 16, kLargest = 20000;
constexpr double kMostPixels = 4e8;
constexpr double kPixelsPerInch = 96;

[[noreturn]] void usage(const ExportOptions& options, const std::string& message) {
  throw Error(ErrorKind::Usage, options.path.string(), message);
}

std::string extensionOf(const std::filesystem::path& path) {
  return QString::fromStdString(path.extension().string()).mid(1).toLower().toStdString();
}

void checkSide(const ExportOptions& options, const char* name, int value) {
  if (value >= kSmallest && value <= kLargest) return;
  usage(options, std::string(name) + " " + std::to_string(value) + " is outside 16–20000 pixels");
}

QImage drawImage(const Drawing& draw, QSize size, double scale) {
  QImage image(qRound(size.width() * scale), qRound(size.height() * scale), QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return image;
  image.setDevicePixelRatio(scale);
  const int dotsPerMeter = qRound(kPixelsPerInch * scale / 0.0254);
  image.setDotsPerMeterX(dotsPerMeter);
  image.setDotsPerMeterY(dotsPerMeter);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  draw(painter, QRectF(QPointF(0, 0), QSizeF(size)), false);
  return image;
}

QByteArray imageBytes(const Drawing& draw, QSize size, const ExportOptions& options, bool jpeg) {
  const double pixels = size.width() * options.scale * size.height() * options.scale;
  if (!(options.scale >= 0.25 && options.scale <= 8)) usage(options, "the scale must lie between 0.25 and 8");
  if (pixels > kMostPixels) usage(options, "more than 400 million pixels: choose a smaller size or scale");
  QImage image = drawImage(draw, size, options.scale);
  if (image.isNull()) throw Error(ErrorKind::CannotWrite, options.path.string(), "not enough memory for this size");
  if (jpeg) image = image.convertToFormat(QImage::Format_RGB32);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QImageWriter writer(&buffer, jpeg ? "jpeg" : "png");
  if (jpeg) writer.setQuality(options.jpegQuality);
  if (!writer.write(image)) {
    throw Error(ErrorKind::CannotWrite, options.path.string(), writer.errorString().toStdString());
  }
  return bytes;
}

QByteArray svgBytes(const Drawing& draw, QSize size, const ExportOptions& options) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(qRound(kPixelsPerInch));
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(0, 0), size));
  generator.setTitle(options.title);
  generator.setDescription(QString());
  {
    QPainter painter(&generator);
    draw(painter, QRectF(QPointF(0, 0), QSizeF(size)), true);
  }
  return bytes;
}

QByteArray pdfBytes(const Drawing& draw, QSize size, const ExportOptions& options) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(qRound(kPixelsPerInch));
    const double points = 72 / kPixelsPerInch;
    writer.setPageSize(QPageSize(QSizeF(size.width() * points, size.height() * points), QPageSize::Point, QString(),
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(options.title);
    writer.setCreator(QStringLiteral("Attnscope " ATTNSCOPE_VERSION));
    QPainter painter(&writer);
    draw(painter, QRectF(QPointF(0, 0), QSizeF(size)), true);
  }
  return bytes;
}

std::string knownExtensions() { return exportExtensions().join(QStringLiteral(", ")).toStdString(); }

}  // namespace

QStringList exportExtensions() {
  return {QStringLiteral("png"), QStringLiteral("jpg"), QStringLiteral("jpeg"),
          QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv")};
}

QSize exportSize(QSize preferred, const ExportOptions& options) {
  int width = options.width, height = options.height;
  const double proportion = static_cast<double>(preferred.height()) / std::max(1, preferred.width());
  if (width == 0 && height == 0) return preferred;
  if (width == 0) width = std::clamp(qRound(height / proportion), kSmallest, kLargest);
  if (height == 0) height = std::clamp(qRound(width * proportion), kSmallest, kLargest);
  return QSize(width, height);
}

void exportDrawing(const Drawing& draw, QSize preferred, const ExportOptions& options,
                   const std::function<std::string()>& csv) {
  const std::string extension = extensionOf(options.path);
  if (!exportExtensions().contains(QString::fromStdString(extension))) {
    usage(options, (extension.empty() ? std::string("no extension") : "unknown extension \"" + extension + "\"") +
                       "; known are " + knownExtensions());
  }
  if (extension == "csv") {
    if (!csv) usage(options, "this drawing has no table of numbers; choose png, jpg, svg or pdf");
    return writeFile(options.path, csv());
  }
  const QSize size = exportSize(preferred, options);
  checkSide(options, "width", size.width());
  checkSide(options, "height", size.height());
  QByteArray bytes;
  if (extension == "svg")
    bytes = svgBytes(draw, size, options);
  else if (extension == "pdf")
    bytes = pdfBytes(draw, size, options);
  else
    bytes = imageBytes(draw, size, options, extension != "png");
  writeFile(options.path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

void exportPicture(const PictureInfo& info, const Picture& picture, const ExportOptions& options) {
  const Drawing draw = [&](QPainter& painter, const QRectF& rect, bool vector) {
    Picture shown = picture;
    shown.style.vector = vector;
    info.paint(painter, rect, shown);
  };
  exportDrawing(draw, info.preferredSize(picture), options, [&] { return info.csv(picture); });
}

QImage pictureImage(const PictureInfo& info, const Picture& picture, QSize size, double scale) {
  return drawImage([&](QPainter& painter, const QRectF& rect, bool) { info.paint(painter, rect, picture); }, size,
                   scale);
}

}  // namespace attnscope
