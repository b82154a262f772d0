// Files read whole, and written whole or not at all.
#include <sys/resource.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <filesystem>

#include "core/io/file.h"
#include "tests/support/error_text.h"

using namespace attnscope;
namespace fs = std::filesystem;

namespace {

// While it lives, no file can grow beyond `bytes`: writing fails as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &m_old);
    const rlimit limit{bytes, m_old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &m_old); }

 private:
  rlimit m_old{};
};

}  // namespace

class TestFile : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void writesAndReads();
  void keepsModeAndLinks();
  void readFailures();
  void writeFailures();
  void failureAfterSomeBytes_data();
  void failureAfterSomeBytes();
  void ownWriter();
  void ownWriterFails();
  void devicesStayDevices();

 private:
  fs::path path(const char* name) const { return fs::path(m_folder->path().toStdString()) / name; }
  QStringList files() const {
    return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }
  std::unique_ptr<QTemporaryDir> m_folder;
};

void TestFile::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void TestFile::writesAndReads() {
  const std::string bytes = std::string("a\0b\r\n", 5) + std::string(200000, 'x');
  writeFile(path("ü.bin"), bytes);
  QCOMPARE(readFile(path("ü.bin")), bytes);
  writeFile(path("ü.bin"), "short");
  QCOMPARE(readFile(path("ü.bin")), std::string("short"));
  writeFile(path("ü.bin"), "");
  QCOMPARE(readFile(path("ü.bin")), std::string());
  QCOMPARE(files().size(), 1);
}

void TestFile::keepsModeAndLinks() {
  writeFile(path("file"), "1");
  fs::permissions(path("file"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("file", path("link"));
  writeFile(path("link"), "2");
  QVERIFY(fs::is_symlink(path("link")));
  QCOMPARE(readFile(path("file")), std::string("2"));
  QVERIFY(fs::status(path("file")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

void TestFile::readFailures() {
  const QString folder = m_folder->path();
  const auto read = [&](const fs::path& file) { return errorText(ErrorKind::BadInput, [&] { readFile(file); }); };
  QCOMPARE(read(path("absent")), folder + "/absent: there is no such file");
  QCOMPARE(read(path("")), folder + "/: is a folder where a file is needed");
  writeFile(path("file"), "1");
  QCOMPARE(read(path("file") / "below"), folder + "/file/below: there is no such file");
}

void TestFile::writeFailures() {
  const QString folder = m_folder->path();
  const auto write = [&](const fs::path& file) {
    return errorText(ErrorKind::CannotWrite, [&] { writeFile(file, "1"); });
  };
  writeFile(path("file"), "1");
  QCOMPARE(write(path("file") / "below"),
           folder + "/file/below: cannot be written: a part of its path is a file, not a folder");
  QCOMPARE(write(path("no") / "where"),
           folder + "/no/where: cannot be written: its folder does not exist; create it first");
  QCOMPARE(write(path("")), folder + "/: cannot be written: it is a folder; name a file");
  QCOMPARE(write(folder.toStdString()), folder + ": cannot be written: it is a folder; name a file");
  QVERIFY(write(path(std::string(300, 'x').c_str())).startsWith(folder));
  QCOMPARE(write(""), QString("no file name is given to write to"));
  QCOMPARE(files(), QStringList{"file"});
}

void TestFile::failureAfterSomeBytes_data() {
  QTest::addColumn<int>("room");
  for (const int room : {0, 1, 4096, 65536, 99999}) QTest::addRow("%d", room) << room;
}

void TestFile::failureAfterSomeBytes() {
  QFETCH(int, room);
  writeFile(path("file"), "old");
  QString error;
  {
    const FileSizeLimit limit(static_cast<rlim_t>(room));
    error = errorText(ErrorKind::CannotWrite, [&] { writeFile(path("file"), std::string(100000, 'x')); });
  }
  QVERIFY2(error.startsWith(m_folder->path() + "/file: cannot be written: "), qPrintable(error));
  QCOMPARE(readFile(path("file")), std::string("old"));
  QCOMPARE(files(), QStringList{"file"});
}

void TestFile::ownWriter() {
  fs::path given;
  writeFileWith(path("picture.png"), [&](const fs::path& file) {
    given = file;
    writeFile(file, "image");
  });
  QCOMPARE(given.extension().string(), std::string(".png"));
  QCOMPARE(given.parent_path().string(), m_folder->path().toStdString());
  QVERIFY(given != path("picture.png"));
  QCOMPARE(readFile(path("picture.png")), std::string("image"));
  QCOMPARE(files(), QStringList{"picture.png"});
}

void TestFile::ownWriterFails() {
  writeFile(path("picture.png"), "old");
  const auto writer = [&](const fs::path& file) {
    writeFile(file, "half");
    throw Error(ErrorKind::CannotWrite, "picture", "no room");
  };
  QCOMPARE(errorText(ErrorKind::CannotWrite, [&] { writeFileWith(path("picture.png"), writer); }),
           QString("picture: no room"));
  QCOMPARE(readFile(path("picture.png")), std::string("old"));
  QCOMPARE(files(), QStringList{"picture.png"});
}

void TestFile::devicesStayDevices() {
  if (!fs::exists("/dev/full")) QSKIP("this machine has no /dev/full");
  QCOMPARE(errorText(ErrorKind::CannotWrite, [] { writeFile("/dev/full", "1"); }),
           QString("/dev/full: cannot be written: the disk is full"));
  fs::create_symlink("/dev/null", path("null"));
  writeFile(path("null"), "1");
  QVERIFY(fs::is_symlink(path("null")));
  int ends[2];
  QCOMPARE(::pipe(ends), 0);
  writeFile("/proc/self/fd/" + std::to_string(ends[1]), "through");
  char bytes[7];
  QCOMPARE(::read(ends[0], bytes, 7), 7);
  QCOMPARE(std::string(bytes, 7), std::string("through"));
  ::close(ends[0]);
  ::close(ends[1]);
  QVERIFY(fs::is_character_file("/dev/null") && fs::is_character_file("/dev/full"));
}

QTEST_GUILESS_MAIN(TestFile)
#include "test_file.moc"
