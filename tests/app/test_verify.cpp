#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/io/safetensors.h"
#include "tests/support/program.h"

using namespace attnscope;

namespace {

QStringList caseFiles() {
  QStringList files;
  const QDir folder(QStringLiteral(ATTNSCOPE_TEST_DATA "/cases"));
  for (const QString& name : folder.entryList({QStringLiteral("*.safetensors")})) files << folder.filePath(name);
  return files;
}

const char* kCase = "seq2seq-gru-additive-previous.safetensors";

TensorFile readCase() { return readSafetensors(std::filesystem::path(ATTNSCOPE_TEST_DATA) / "cases" / kCase); }

StoredTensor& tensor(TensorFile& content, const std::string& name) {
  const auto found = std::find_if(content.tensors.begin(), content.tensors.end(),
                                  [&](const StoredTensor& one) { return one.name == name; });
  if (found == content.tensors.end()) qFatal("the case has no tensor %s", name.c_str());
  return *found;
}

}  // namespace

class TestVerify : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  QString write(const TensorFile& content) const {
    const QString file = m_folder.filePath(QStringLiteral("altered.safetensors"));
    writeSafetensors(content, file.toStdString());
    return file;
  }

 private Q_SLOTS:
  void everyCaseIsRight() {
    const QStringList files = caseFiles();
    QVERIFY(files.size() >= 25);
    const ProgramResult result = runProgram(QStringList{"verify"} + files);
    QVERIFY2(result.code == 0, result.errors);
    const QList<QByteArray> lines = result.output.trimmed().split('\n');
    QCOMPARE(lines.back(), QByteArray::number(files.size()) + " cases, 0 failed");
    for (const QString& file : files) {
      const auto own = std::count_if(lines.begin(), lines.end(),
                                     [&](const QByteArray& line) { return line.startsWith(file.toUtf8() + " "); });
      QVERIFY2(own > 3, file.toUtf8());
    }
    for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
      const auto file = std::find_if(files.begin(), files.end(), [&](const QString& one) {
        return lines[i].startsWith(one.toUtf8() + " ");  // its folder may have spaces in its name
      });
      QVERIFY2(file != files.end(), lines[i]);
      const QList<QByteArray> fields = lines[i].sliced(file->toUtf8().size() + 1).split(' ');
      QCOMPARE(fields.size(), 4);
      const double tolerance = fields[0].startsWith("grad.") ? 1e-4 : 1e-5;
      QCOMPARE(fields[2].toDouble(), tolerance);
      QVERIFY2(fields[1].toDouble() <= tolerance && fields[3] == "ok", lines[i]);
    }
  }

  void anErrorOfOnePercentIsFound_data() {
    QTest::addColumn<QString>("name");
    for (const StoredTensor& one : readCase().tensors) {
      if (!one.name.starts_with("expect.")) continue;
      const QString name = QString::fromStdString(one.name);
      QTest::newRow(qPrintable(name)) << name;
    }
  }

  void anErrorOfOnePercentIsFound() {
    QFETCH(QString, name);
    TensorFile content = readCase();
    std::vector<double>& numbers = tensor(content, name.toStdString()).numbers;
    const auto largest =
        std::max_element(numbers.begin(), numbers.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (std::abs(*largest) < 1e-3) QSKIP("all of this tensor is zero");
    *largest *= 1.01;
    const QString file = write(content);
    const QByteArray shortName = name.mid(7).toUtf8();
    const ProgramResult result = runProgram({"verify", file});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.output.endsWith("\n1 cases, 1 failed\n"), result.output);
    QCOMPARE(result.output.count(" FAIL\n"), 1);
    const QRegularExpression line(QStringLiteral("^%1 %2 \\S+ \\S+ FAIL$")
                                      .arg(QRegularExpression::escape(file), QRegularExpression::escape(shortName)),
                                  QRegularExpression::MultilineOption);
    QVERIFY2(line.match(QString::fromUtf8(result.output)).hasMatch(), result.output);
    QVERIFY2(result.errors.startsWith("attnscope: " + file.toUtf8() + ": " + shortName + ": worst at ["),
             result.errors);
    QCOMPARE(runProgram({"verify", "--tolerance", "0.1", file}).code, 0);
  }

  void asJson() {
    TensorFile content = readCase();
    tensor(content, "expect.loss").numbers[0] = std::nan("");
    const QString good = caseFiles().front(), bad = write(content);
    const ProgramResult result = runProgram({"verify", "--json", good, bad});
    QCOMPARE(result.code, 1);
    const QJsonArray list = QJsonDocument::fromJson(result.output).array();
    QCOMPARE(list.size(), 2);
    QCOMPARE(list[0]["case"].toString(), good);
    QVERIFY(list[0]["ok"].toBool() && !list[1]["ok"].toBool(true));
    for (const QJsonValue& one : list[1]["tensors"].toArray()) {
      const bool isLoss = one["name"].toString() == QLatin1String("loss");
      QCOMPARE(one["ok"].toBool(), !isLoss);
      QVERIFY(one["tolerance"].isDouble());
      QVERIFY(isLoss ? one["error"].isNull() : one["error"].isDouble());
    }
  }

  void whatCannotBeRunIsBadInputButDoesNotStopTheRest() {
    TensorFile foreign = readCase();
    foreign.metadata["attnscope.config"] = R"({"family":"pointer"})";
    const QString bad = write(foreign), good = caseFiles().front();
    const ProgramResult result = runProgram({"verify", bad, good, m_folder.filePath("absent.safetensors")});
    QCOMPARE(result.code, 3);
    QCOMPARE(result.errors.count('\n'), 2);
    QVERIFY2(result.errors.startsWith("attnscope: " + bad.toUtf8()), result.errors);
    QVERIFY2(result.output.contains(good.toUtf8() + " loss ") && result.output.endsWith("3 cases, 2 failed\n"),
             result.output);
  }

  void aCaseMustExpectSomething() {
    TensorFile content = readCase();
    std::erase_if(content.tensors, [](const StoredTensor& one) { return one.name.starts_with("expect."); });
    const ProgramResult result = runProgram({"verify", write(content)});
    QCOMPARE(result.code, 3);
    QVERIFY2(result.errors.contains("expect"), result.errors);
  }

  void aMisshapenTensorIsNamed() {
    TensorFile content = readCase();
    StoredTensor& wrong = tensor(content, "output.bias");
    wrong.shape = {wrong.count(), 1};
    const ProgramResult result = runProgram({"verify", write(content)});
    QCOMPARE(result.code, 3);
    QVERIFY2(result.errors.contains("output.bias"), result.errors);
  }
};

QTEST_GUILESS_MAIN(TestVerify)
#include "test_verify.moc"
