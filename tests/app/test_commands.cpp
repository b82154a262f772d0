#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/program.h"

using namespace attnscope;

namespace {

QByteArray oneLine(const ProgramResult& result) {
  if (!result.errors.endsWith('\n') || result.errors.count('\n') != 1) return "not one line: " + result.errors;
  return result.errors;
}

}  // namespace

// Usage, wrong files and the shape of answers; no training.
class TestCommands : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
  QString file(const char* name, const QByteArray& content) const {
    QFile out(path(name));
    if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size()) qFatal("the test file cannot be made");
    return path(name);
  }

 private Q_SLOTS:
  void helpAndVersion() {
    QCOMPARE(runProgram({QStringLiteral("--version")}).output, QByteArray("attnscope " ATTNSCOPE_VERSION "\n"));
    const ProgramResult help = runProgram({QStringLiteral("--help")});
    QCOMPARE(help.code, 0);
    for (const char* command : {"tasks", "train", "trace", "plot", "evaluate", "verify", "demo"}) {
      QVERIFY2(help.output.contains(command), command);
      const ProgramResult own = runProgram({QLatin1String(command), QStringLiteral("--help")});
      QCOMPARE(own.code, 0);
      QVERIFY2(own.output.contains("\n  attnscope "), command);
      QVERIFY2(own.output.contains("--quiet") && own.output.contains("--version"), command);
    }
  }

  void usageErrors_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* arguments, const char* says) {
      QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' ')) << QByteArray(says);
    };
    row("unknown command", "trian", "there is no command \"trian\"; see attnscope --help");
    row("unknown option", "tasks --jsno", "see attnscope tasks --help");
    row("unknown task", "train --task revers", "no task is called \"revers\"");
    row("no data", "train", "--task NAME");
    row("two kinds of data", "train --task copy --data x.tsv", "either");
    row("not a number", "train --task copy --steps abc", "\"abc\" is not a whole number");
    row("zero steps", "train --task copy --steps 0", "--steps");
    row("nan", "train --task copy --rate nan", "\"nan\" is not a number");
    row("accuracy above one", "train --task copy --until-accuracy 99", "from 0 to 1");
    row("an option twice", "train --task copy --steps 1 --steps 2", "--steps: is given more than once");
    row("wrong optimiser", "train --task copy --optimizer adamw", "adamw");
    row("wrong keep", "train --task copy --keep all", "best or last");
    row("wrong lengths", "train --task copy --lengths 5-x", "5-x");
    row("option the task does not take", "train --task dates --symbols 5", "symbols");
    row("text option without data", "train --task copy --tokenizer words", "--data");
    row("set without value", "train --task copy --set hidden", "PATH=VALUE");
    row("set to nonsense", "train --task copy --set attention.score=nice", "config.attention.score");
    row("set to a family that does not fit", "train --task copy --set family=recurrent", "config");
    row("set to a family that is no name", "train --task copy --set family=3", "config.family");
    row("set to a query that is no name", "train --task copy --set query=3", "config.query");
    row("set to a size beyond memory", "train --task copy --set encoder.hidden=1000000", "parameters");
    row("set of unknown key", "train --task copy --set encoder.size=4", "config.encoder");
    row("model missing", "trace --task", "--model");
    row("plot without out", "plot x.json", "--out");
    row("unknown view", "plot x.json --view line --out a.png", "the views are alignment");
    row("unknown format", "plot x.json --out a.bmp", ".svg");
    row("unknown theme", "plot x.json --out a.png --theme blue", "light or dark");
    row("two standard outputs", "train --task copy --out - --log -", "only one");
    row("verify nothing", "verify", "CASE");
  }

  void emptyValues() {
    for (const char* option : {"--out", "--log", "--config", "--validation", "--tokenizer", "--keep"}) {
      const ProgramResult result = runProgram({"train", "--data", "pairs.tsv", option, ""});
      QCOMPARE(result.code, 2);
      QVERIFY2(oneLine(result).contains(QByteArray(option) + ": is empty"), result.errors);
    }
    QCOMPARE(runProgram({"plot", "x.json", "--out", ""}).code, 2);
  }

  void settingsOfAnyBytes() {
    QProcess process;
    process.start(QStringLiteral("sh"), {"-c", ATTNSCOPE_BINARY " train --task copy --set $(printf 'family=\\377')"});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("config.family: must be one of seq2seq, recurrent"));
  }

  void usageErrors() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const ProgramResult result = runProgram(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.output.isEmpty(), result.output);
    const QByteArray line = oneLine(result);
    QVERIFY2(line.startsWith("attnscope: ") && line.contains(says), line);
  }

  void wrongData_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("empty file") << QByteArray() << QByteArray("pairs.tsv");
    QTest::newRow("one column") << QByteArray("one\ntwo\n") << QByteArray("pairs.tsv:1: ");
    QTest::newRow("binary junk") << QByteArray("\x00\x01\xfe\xff\x89PNG\x00\x00", 10) << QByteArray("pairs.tsv:1: ");
    QTest::newRow("only a line of 100,000 tokens") << "a " + QByteArray("x ").repeated(99'999) + "\ty\n"
                                                   << QByteArray("longer than 200 tokens");
    QTest::newRow("source without tokens") << QByteArray(" \ta b\n") << QByteArray("empty source");
  }

  void wrongData() {
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, says);
    const QString data = file("pairs.tsv", content);
    const ProgramResult result = runProgram({QStringLiteral("train"), QStringLiteral("--data"), data});
    QCOMPARE(result.code, 3);
    const QByteArray line = oneLine(result);
    QVERIFY2(line.startsWith("attnscope: " + data.toUtf8()) && line.contains(says), line);
  }

  void wrongFiles_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("content");
    const QStringList trace{"trace", "--task", "--model"}, plot{"plot", "--out", path("x.png")};
    const QStringList evaluate{"evaluate", "--task", "--model"}, train{"train", "--task", "copy", "--config"};
    QTest::newRow("trace: no such file") << trace << QByteArray();
    QTest::newRow("trace: junk") << trace << QByteArray("junk and more junk");
    QTest::newRow("evaluate: header beyond the end")
        << evaluate << QByteArray("\xff\x00\x00\x00\x00\x00\x00\x00{}", 10);
    QTest::newRow("plot: half a trace") << plot << QByteArray("{\"attnscope\":\"trace\",");
    QTest::newRow("plot: no trace") << plot << QByteArray("{\"examples\":3}");
    QTest::newRow("plot: junk") << plot << QByteArray("\x01\x02\x03", 3);
    QTest::newRow("train: config is no JSON") << train << QByteArray("{\"family\":");
    QTest::newRow("train: config is a list") << train << QByteArray("[]");
    QTest::newRow("train: config of unknown family") << train << QByteArray("{\"family\":\"tree\"}");
  }

  void wrongFiles() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, content);
    QFile::remove(path("input"));
    const QString name = content.isEmpty() ? path("absent") : file("input", content);
    const ProgramResult result = runProgram(arguments + QStringList{name});
    QVERIFY2(result.code == 3, result.errors);
    QVERIFY2(oneLine(result).startsWith("attnscope: " + name.toUtf8()), result.errors);
    QVERIFY(!QFile::exists(path("x.png")));
  }

  void aFileBeyondMemory() {
    QFile big(path("big.tsv"));
    QVERIFY(big.open(QIODevice::WriteOnly) && big.resize(qint64{3} << 30));
    const ProgramResult result = runProgram({"train", "--data", big.fileName()});
    QCOMPARE(result.code, 3);
    QVERIFY2(oneLine(result).contains("more than 2 GB"), result.errors);
  }

  void unwritablePlacesAreFoundFirst() {
    const QString inAFile = file("plain", "x") + "/model.safetensors";
    const QString absent = path("nowhere") + "/model.safetensors";
    for (const QString& place : {inAFile, absent, m_folder.path()}) {
      for (const char* option : {"--out", "--log"}) {
        const ProgramResult result = runProgram({"train", "--task", "copy", "--steps", "1", option, place});
        QCOMPARE(result.code, 4);
        QVERIFY2(oneLine(result).startsWith("attnscope: " + place.toUtf8()), result.errors);
      }
    }
    QCOMPARE(runProgram({"demo", "--out", path("plain")}).code, 4);
    QCOMPARE(runProgram({"tasks"}, {}, {}, {}).code, 0);
  }

  void aFullDiskIsAnError() {
    if (!QFile::exists(QStringLiteral("/dev/full"))) QSKIP("there is no /dev/full here");
    const ProgramResult result =
        runProgram({"train", "--task", "copy", "--steps", "1", "--batch", "1", "--quiet", "--out", "/dev/full"});
    QCOMPARE(result.code, 4);
    QVERIFY2(oneLine(result).contains("/dev/full"), result.errors);
  }

  void withoutADisplayTheWindowSaysSo() {
    const QStringList none{"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"};
    const QString trace = file("some.json", "{}");
    for (const QStringList& arguments : {QStringList(), QStringList{trace}}) {
      const ProgramResult result = runProgram(arguments, {}, {}, none);
      QCOMPARE(result.code, 2);
      QVERIFY2(oneLine(result).contains("display") && result.errors.contains("attnscope demo"), result.errors);
    }
    const ProgramResult unreachable =
        runProgram({}, {}, {}, {"DISPLAY=:4711", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM=xcb"});
    QCOMPARE(unreachable.code, 2);
    QVERIFY2(oneLine(unreachable).contains("display"), unreachable.errors);
  }

  void aFileThatIsNotThere() {
    const ProgramResult result = runProgram({path("absent.json")});
    QCOMPARE(result.code, 3);
    QVERIFY2(oneLine(result).contains("absent.json"), result.errors);
  }

  void tasksAreListed() {
    const ProgramResult text = runProgram({"tasks"});
    QCOMPARE(text.code, 0);
    const QJsonArray list = QJsonDocument::fromJson(runProgram({"tasks", "--json"}).output).array();
    QVERIFY(list.size() >= 6);
    QCOMPARE(text.output.count('\n'), list.size());
    for (const QJsonValue& task : list) {
      const QJsonObject object = task.toObject();
      for (const char* key : {"name", "title", "family", "gold", "for", "look_for"}) {
        QVERIFY2(!object[QLatin1String(key)].toString().isEmpty(), key);
      }
      QVERIFY(object["options"].isObject() && object["config"].isObject() && object["training"].isObject());
      QVERIFY(text.output.contains(object["for"].toString().toUtf8()));
    }
    QCOMPARE(list[0]["options"]["lengths"].toString(), QStringLiteral("4-12"));
  }
};

QTEST_GUILESS_MAIN(TestCommands)
#include "test_commands.moc"
