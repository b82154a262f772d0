// Pictures as files: sizes, densities, contents, failures.
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <map>

#include "core/base/error.h"
#include "tests/support/sample_trace.h"
#include "ui/export/export.h"
#include "ui/export/file_name.h"

using namespace attnscope;

namespace {

Picture pictureOf(const Trace* trace) {
  Picture picture;
  picture.trace = trace;
  picture.style.theme = &Theme::light();
  picture.style.font.setPixelSize(13);
  picture.style.caption = "reverse, GRU, step 1,240, seed 1";
  return picture;
}

struct SvgSummary {
  bool wellFormed = false;
  int rectangles = 0, images = 0;
  QString text, viewBox;
};

SvgSummary readSvg(const QString& path) {
  QFile file(path);
  SvgSummary out;
  if (!file.open(QIODevice::ReadOnly)) return out;
  QXmlStreamReader xml(&file);
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QLatin1String("svg")) out.viewBox = xml.attributes().value("viewBox").toString();
    out.rectangles += xml.name() == QLatin1String("rect");
    out.images += xml.name() == QLatin1String("image");
    if (xml.name() == QLatin1String("text")) out.text += xml.readElementText() + '\n';
  }
  out.wellFormed = !xml.hasError();
  return out;
}

template <class Function>
QString errorOf(ErrorKind kind, Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.kind() == kind ? QString::fromUtf8(error.what()) : QString("another kind: ") + error.what();
  }
  return QString();
}

}  // namespace

class TestExport : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  Trace m_letters = sample::letters(), m_strange = sample::strangeTokens();

  ExportOptions to(const char* name) const {
    ExportOptions options;
    options.path = m_folder.filePath(QString::fromUtf8(name)).toStdString();
    return options;
  }
  QString path(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }
  const PictureInfo& alignment() const { return *findPicture("alignment"); }

 private Q_SLOTS:
  void pngHasSizeAndDensity() {
    ExportOptions options = to("a.png");
    options.width = 500;
    options.height = 400;
    exportPicture(alignment(), pictureOf(&m_letters), options);
    const QImage once(path("a.png"));
    QCOMPARE(once.size(), QSize(500, 400));
    QCOMPARE(once.dotsPerMeterX(), 3780);
    options.scale = 2;
    exportPicture(alignment(), pictureOf(&m_letters), options);
    const QImage twice(path("a.png"));
    QCOMPARE(twice.size(), QSize(1000, 800));
    QCOMPARE(twice.dotsPerMeterX(), 7559);
    QCOMPARE(twice.dotsPerMeterY(), 7559);
  }

  void oneSideKeepsTheProportion() {
    ExportOptions options = to("b.png");
    QCOMPARE(exportSize(QSize(400, 200), options), QSize(400, 200));
    options.width = 800;
    QCOMPARE(exportSize(QSize(400, 200), options), QSize(800, 400));
    options.width = 0;
    options.height = 100;
    QCOMPARE(exportSize(QSize(400, 200), options), QSize(200, 100));
  }

  void exportedEqualsPainted() {
    for (const PictureInfo& info : pictureTable()) {
      ExportOptions options = to("same.png");
      options.width = 640;
      options.height = 480;
      const Picture picture = pictureOf(&m_letters);
      exportPicture(info, picture, options);
      QImage painted(640, 480, QImage::Format_ARGB32_Premultiplied);
      painted.fill(Qt::transparent);
      QPainter painter(&painted);
      info.paint(painter, QRectF(0, 0, 640, 480), picture);
      painter.end();
      const QImage read = QImage(path("same.png")).convertToFormat(QImage::Format_ARGB32);
      QVERIFY2(read == painted.convertToFormat(QImage::Format_ARGB32), info.name);
    }
  }

  void jpegIsAnImage() {
    exportPicture(alignment(), pictureOf(&m_letters), to("a.JPG"));
    QCOMPARE(QImage(path("a.JPG")).size(), alignment().preferredSize(pictureOf(&m_letters)));
  }

  void svgIsRectanglesAndText() {
    for (const PictureInfo& info : pictureTable()) {
      ExportOptions options = to("a.svg");
      options.width = 700;
      options.height = 600;
      exportPicture(info, pictureOf(&m_strange), options);
      const SvgSummary svg = readSvg(path("a.svg"));
      QVERIFY2(svg.wellFormed, info.name);
      QCOMPARE(svg.viewBox, QString("0 0 700 600"));
      QCOMPARE(svg.images, 0);
      QVERIFY(svg.rectangles >= 10);
      QVERIFY(svg.text.contains("猫") || info.name == std::string("inspector"));
      QVERIFY(svg.text.contains("seed 1"));
    }
    exportPicture(alignment(), pictureOf(&m_letters), to("cells.svg"));
    const SvgSummary svg = readSvg(path("cells.svg"));
    QVERIFY(svg.rectangles >= 100);
    for (const char* part : {"Source (input)", "Target (generated)", "weight", "gold", "0.80", "</s>"}) {
      QVERIFY2(svg.text.contains(part), part);
    }
  }

  void pdfHasTextAndFonts() {
    exportPicture(alignment(), pictureOf(&m_letters), to("a.pdf"));
    QFile file(path("a.pdf"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith("%PDF-"));
    QVERIFY(bytes.contains("/FontFile"));
    const QSize size = alignment().preferredSize(pictureOf(&m_letters));
    const int at = static_cast<int>(bytes.indexOf("/MediaBox [0 0 "));
    QVERIFY(at > 0);
    const QList<QByteArray> box = bytes.mid(at + 15, 40).split(' ');
    QVERIFY(std::abs(box[0].toDouble() - size.width() * 0.75) < 0.6);
    const QString tool = QStandardPaths::findExecutable("pdftotext");
    if (tool.isEmpty()) QSKIP("pdftotext is not installed");
    QProcess process;
    process.start(tool, {path("a.pdf"), "-"});
    QVERIFY(process.waitForFinished());
    const QString text = QString::fromUtf8(process.readAllStandardOutput());
    for (const char* part : {"Source (input)", "0.80", "seed 1"}) QVERIFY2(text.contains(part), part);
  }

  void pdfHoldsEmojiAsImages() {
    const auto images = [&](const Trace& trace) {
      exportPicture(alignment(), pictureOf(&trace), to("emoji.pdf"));
      QFile file(path("emoji.pdf"));
      return file.open(QIODevice::ReadOnly) ? file.readAll().count("/Subtype /Image") : -1;
    };
    QCOMPARE(images(m_letters), 0);
    QVERIFY(images(m_strange) > 0);
  }

  void csvIsTheTable() {
    exportPicture(alignment(), pictureOf(&m_letters), to("a.csv"));
    QFile file(path("a.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().toStdString(), alignment().csv(pictureOf(&m_letters)));
  }

  void drawingsExportToo() {
    ExportOptions options = to("curve.svg");
    bool vector = false;
    exportDrawing(
        [&](QPainter& painter, const QRectF& rect, bool isVector) {
          vector = isVector;
          painter.drawText(rect.center(), "loss");
        },
        QSize(300, 200), options);
    QVERIFY(vector);
    QVERIFY(readSvg(path("curve.svg")).text.contains("loss"));
    options.path = path("curve.csv").toStdString();
    QVERIFY(errorOf(ErrorKind::Usage, [&] {
              exportDrawing([](QPainter&, const QRectF&, bool) {}, QSize(300, 200), options);
            }).contains("no table"));
  }

  void requestsThatMakeNoSenseAreRefused_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("scale");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown") << "x.bmp" << 0 << 1.0 << "png, jpg, jpeg, svg, pdf, csv";
    QTest::newRow("none") << "x" << 0 << 1.0 << "no extension";
    QTest::newRow("small") << "x.png" << 15 << 1.0 << "16–20000";
    QTest::newRow("large") << "x.svg" << 20001 << 1.0 << "16–20000";
    QTest::newRow("negative") << "x.png" << -5 << 1.0 << "16–20000";
    QTest::newRow("scale") << "x.png" << 100 << 0.0 << "scale";
    QTest::newRow("no scale") << "x.png" << 100 << std::nan("") << "scale";
    QTest::newRow("pixels") << "x.png" << 20000 << 8.0 << "million";
  }
  void requestsThatMakeNoSenseAreRefused() {
    QFETCH(QString, name);
    QFETCH(int, width);
    QFETCH(double, scale);
    QFETCH(QString, says);
    ExportOptions options = to(qPrintable(name));
    options.width = width;
    options.scale = scale;
    const QString message =
        errorOf(ErrorKind::Usage, [&] { exportPicture(alignment(), pictureOf(&m_letters), options); });
    QVERIFY2(message.contains(says), qPrintable(message));
    QVERIFY(!QFile::exists(path(qPrintable(name))));
  }

  void failuresLeaveNoFile() {
    for (const char* name : {"absent/a.png", "absent/a.svg", "absent/a.pdf", "absent/a.csv"}) {
      QVERIFY(!errorOf(ErrorKind::CannotWrite, [&] {
                 exportPicture(alignment(), pictureOf(&m_letters), to(name));
               }).isEmpty());
    }
    QVERIFY(!QDir(path("absent")).exists());
    QDir().mkpath(path("folder.png"));
    const auto before = QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    QVERIFY(!errorOf(ErrorKind::CannotWrite, [&] {
               exportPicture(alignment(), pictureOf(&m_letters), to("folder.png"));
             }).isEmpty());
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), before);
  }

  void fileNamesAreLegalAndShort() {
    QCOMPARE(legalFileName("a/b: c", "png"), QString("a-b-c.png"));
    QCOMPARE(legalFileName("../../etc/passwd", "svg"), QString("etc-passwd.svg"));
    QCOMPARE(legalFileName("猫 chat", "pdf"), QString("猫-chat.pdf"));
    QCOMPARE(legalFileName("", "png"), QString("attnscope.png"));
    QCOMPARE(legalFileName("</>", "png"), QString("attnscope.png"));
    QCOMPARE(legalFileName("CON", "png"), QString("attnscope-CON.png"));
    for (const QString& token : {QString(300, 'x'), QString(300, QChar(0x732b)), QString("𝒳").repeated(200)}) {
      const QString name = legalFileName(token, "png");
      QVERIFY(name.toUtf8().size() <= 64);
      QVERIFY(name.isValidUtf16());
      QVERIFY(name.size() > 10);
    }
  }
};

QTEST_MAIN(TestExport)
#include "test_export.moc"
