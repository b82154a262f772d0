// Pictures as files. What is exported is what is painted: the same functions draw into an image, an SVG or a PDF.
// Needs a QGuiApplication (the offscreen platform will do). Files are written whole or not at all.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <functional>

#include "ui/paint/picture.h"

namespace attnscope {

struct ExportOptions {
  std::filesystem::path path;  // its extension chooses the format
  int width = 0;  // logical pixels, 16–20000; 0: what the picture prefers (or follows from the other side)
  int height = 0;
  double scale = 1;      // pixels per logical pixel of PNG and JPEG, 0.25–8; also the density they state
  int jpegQuality = 92;  // 1–100
  QString title;         // of SVG and PDF documents; may be empty
};

// Paints a whole drawing into the rectangle; `vector` is true for SVG and PDF.
using Drawing = std::function<void(QPainter&, const QRectF&, bool vector)>;

QStringList exportExtensions();  // "png", "jpg", "jpeg", "svg", "pdf", "csv"

// Throws Error(Usage) for an unknown extension (naming the known ones) or a size outside the limits (an image of at
// most 400 million pixels), Error(CannotWrite) when writing fails; then no file is left behind.
void exportPicture(const PictureInfo& info, const Picture& picture, const ExportOptions& options);

// The same for anything that can be drawn; `csv` may be null, then ".csv" is Error(Usage).
void exportDrawing(const Drawing& draw, QSize preferred, const ExportOptions& options,
                   const std::function<std::string()>& csv = nullptr);

// The logical size an export will have: as asked, the missing side in the preferred proportion.
QSize exportSize(QSize preferred, const ExportOptions& options);

// The picture as it would be written to a PNG, for the clipboard and previews.
QImage pictureImage(const PictureInfo& info, const Picture& picture, QSize size, double scale);

}  // namespace attnscope
