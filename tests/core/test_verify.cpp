// Case files: right ones pass, and every wrong number, name or shape is found.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/io/safetensors.h"
#include "core/train/verify.h"
#include "tests/support/error_text.h"

using namespace attnscope;

namespace {

constexpr double kTolerance = 1e-5;
const std::string kSeq2Seq = "seq2seq-gru-additive-previous", kRecurrent = "recurrent-rnn-states-state-class";

std::filesystem::path caseFile(const std::string& name) {
  return std::filesystem::path(ATTNSCOPE_TEST_DATA) / "cases" / (name + ".safetensors");
}

StoredTensor& tensorOf(TensorFile& content, const std::string& name) {
  return const_cast<StoredTensor&>(*content.find(name));
}

QString failures(const CaseResult& result) {
  QStringList names;
  for (const auto& tensor : result.tensors)
    if (!tensor.ok) names += QString::fromStdString(tensor.name);
  return names.join(" ");
}

}  // namespace

class TestVerify : public QObject {
  Q_OBJECT
 private slots:
  void cases_data();
  void cases();
  void everyWrongTensorIsFound_data();
  void everyWrongTensorIsFound();
  void paddingMeansNothing_data();
  void paddingMeansNothing();
  void unknownExpectationFails();
  void otherShapeFails();
  void nonFiniteExpectationFails();
  void absentExpectationIsNotCompared();
  void noExpectationIsBadInput();
  void badInputs_data();
  void badInputs();
  void toleranceOfGradients();

 private:
  CaseResult verified(const TensorFile& content, double tolerance = kTolerance) const {
    const auto path = std::filesystem::path(m_folder.path().toStdString()) / "case.safetensors";
    writeSafetensors(content, path);
    return verifyCase(path, tolerance);
  }
  QString refusal(const TensorFile& content) const {
    return errorText(ErrorKind::BadInput, [&] { verified(content); }).remove(m_folder.path() + "/");
  }
  QTemporaryDir m_folder;
};

void TestVerify::cases_data() {
  QTest::addColumn<QString>("name");
  const QDir folder(QString(ATTNSCOPE_TEST_DATA) + "/cases");
  for (const QString& file : folder.entryList({"*.safetensors"})) QTest::newRow(qPrintable(file)) << file.chopped(12);
}

void TestVerify::cases() {
  QFETCH(QString, name);
  const CaseResult result = verifyCase(caseFile(name.toStdString()), kTolerance);
  QVERIFY2(result.ok, qPrintable(failures(result)));
  QVERIFY(result.tensors.size() > 5);
  for (const auto& tensor : result.tensors) {
    QVERIFY2(tensor.error <= tensor.tolerance / 4, tensor.name.c_str());  // a right engine stays well below
    QVERIFY(tensor.detail.empty());
  }
}

void TestVerify::everyWrongTensorIsFound_data() {
  QTest::addColumn<QByteArray>("file");
  QTest::addColumn<QByteArray>("tensor");
  for (const std::string& file : {kSeq2Seq, kRecurrent})
    for (const auto& tensor : readSafetensors(caseFile(file)).tensors)
      if (tensor.name.starts_with("expect."))
        QTest::addRow("%s %s", file.c_str(), tensor.name.c_str())
            << QByteArray::fromStdString(file) << QByteArray::fromStdString(tensor.name);
}

void TestVerify::everyWrongTensorIsFound() {
  QFETCH(QByteArray, file);
  QFETCH(QByteArray, tensor);
  TensorFile content = readSafetensors(caseFile(file.toStdString()));
  auto& numbers = tensorOf(content, tensor.toStdString()).numbers;
  const auto largest =
      std::max_element(numbers.begin(), numbers.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  *largest = *largest == 0 ? 1e-3 : *largest * 1.01;
  const CaseResult result = verified(content);
  QVERIFY(!result.ok);
  QCOMPARE(failures(result), QString(tensor.mid(7)));
  for (const auto& check : result.tensors) QCOMPARE(check.detail.find("worst at [") == 0, !check.ok);
}

void TestVerify::paddingMeansNothing_data() {
  QTest::addColumn<QByteArray>("file");
  for (const char* file : {"seq2seq-gru-additive-previous", "recurrent-rnn-inputs-state-step_vector",
                           "recurrent-rnn-states-state-class", "recurrent-lstm-states-input-step_class"})
    QTest::newRow(file) << QByteArray(file);
}

void TestVerify::paddingMeansNothing() {
  QFETCH(QByteArray, file);
  TensorFile content = readSafetensors(caseFile(file.toStdString()));
  const bool seq2seq = file.startsWith("seq2seq");
  const auto lengths = content.find(seq2seq ? "input.source_lengths" : "input.lengths")->integers;
  int changed = 0;
  for (auto& tensor : content.tensors) {
    if (!tensor.name.starts_with("input.") || tensor.shape.size() < 2 || tensor.name == "input.target" ||
        tensor.name == "input.value")
      continue;
    const auto width = static_cast<std::size_t>(tensor.count() / (tensor.shape[0] * tensor.shape[1]));
    for (std::size_t b = 0; b < lengths.size(); ++b)
      for (std::size_t at = (b * tensor.shape[1] + lengths[b]) * width; at < (b + 1) * tensor.shape[1] * width;
           ++at, ++changed) {
        if (tensor.numbers.empty())
          tensor.integers[at] = at % 2 ? -77 : 1'000'000;
        else
          tensor.numbers[at] = std::numeric_limits<double>::quiet_NaN();
      }
  }
  QVERIFY(changed > 0);
  const CaseResult result = verified(content), before = verifyCase(caseFile(file.toStdString()), kTolerance);
  QVERIFY2(result.ok, qPrintable(failures(result)));
  for (std::size_t i = 0; i < result.tensors.size(); ++i) QCOMPARE(result.tensors[i].error, before.tensors[i].error);
}

void TestVerify::unknownExpectationFails() {
  for (const char* name : {"expect.attention.encoder", "expect.grad.attention.W9", "expect.", "expect.states"}) {
    TensorFile content = readSafetensors(caseFile(kSeq2Seq));
    content.tensors.push_back(tensorOf(content, "expect.loss"));
    content.tensors.back().name = name;
    const CaseResult result = verified(content);
    QCOMPARE(failures(result), QString(name).mid(7));
    QVERIFY(std::isnan(result.tensors.back().error));
    QVERIFY(result.tensors.back().detail.find("no such result") != std::string::npos);
  }
}

void TestVerify::otherShapeFails() {
  TensorFile content = readSafetensors(caseFile(kSeq2Seq));
  auto& logits = tensorOf(content, "expect.logits");
  logits.shape = {logits.shape[0], logits.shape[1] * logits.shape[2]};
  QCOMPARE(failures(verified(content)), "logits");
  content = readSafetensors(caseFile(kSeq2Seq));
  auto& loss = tensorOf(content, "expect.loss");
  loss.type = TensorType::I64;
  loss.integers = {1};
  loss.numbers.clear();
  QCOMPARE(failures(verified(content)), "loss");
}

void TestVerify::nonFiniteExpectationFails() {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    TensorFile content = readSafetensors(caseFile(kSeq2Seq));
    tensorOf(content, "expect.context").numbers[3] = bad;
    QCOMPARE(failures(verified(content, 1e9)), "context");
  }
}

void TestVerify::absentExpectationIsNotCompared() {
  TensorFile content = readSafetensors(caseFile(kSeq2Seq));
  std::erase_if(content.tensors,
                [](const StoredTensor& t) { return t.name.starts_with("expect.") && t.name != "expect.loss"; });
  const CaseResult result = verified(content);
  QVERIFY(result.ok);
  QCOMPARE(result.tensors.size(), std::size_t{1});
}

void TestVerify::noExpectationIsBadInput() {
  TensorFile content = readSafetensors(caseFile(kSeq2Seq));
  std::erase_if(content.tensors, [](const StoredTensor& t) { return t.name.starts_with("expect."); });
  QVERIFY(refusal(content).startsWith("case.safetensors: has no tensor expect."));
}

void TestVerify::badInputs_data() {
  QTest::addColumn<QByteArray>("fault");
  QTest::addColumn<QString>("text");
  const auto row = [](const char* fault, const char* text) {
    QTest::newRow(fault) << QByteArray(fault) << QString("case.safetensors: ") + text;
  };
  row("no source", "tensor input.source: is missing");
  row("no lengths", "tensor input.source_lengths: is missing");
  row("no target", "tensor input.target: is missing");
  row("floating source", "tensor input.source: must hold integers");
  row("source shape", "tensor input.source: has a wrong shape");
  row("unknown word", "tensor input.source: holds 1000, but ids end at");
  row("negative word", "tensor input.target: holds -1, but ids end at");
  row("length 0", "tensor input.source_lengths: holds the length 0");
  row("length beyond", "tensor input.source_lengths: holds the length 1000");
  row("no examples", "tensor input.source: is empty");
  row("no positions", "tensor input.source: is empty");
  row("no target tokens", "tensor input.target: holds no token");
  row("missing weight", "tensor attention.q: is missing");
  row("nan weight", "tensor attention.q: holds a number that is not finite");
  row("no config", "has no metadata attnscope.config");
  row("other family", "config.family: must be one of");
}

void TestVerify::badInputs() {
  QFETCH(QByteArray, fault);
  QFETCH(QString, text);
  TensorFile content = readSafetensors(caseFile(kSeq2Seq));
  const auto tensor = [&](const char* name) -> StoredTensor& { return tensorOf(content, name); };
  const auto remove = [&](const char* name) {
    std::erase_if(content.tensors, [=](const StoredTensor& t) { return t.name == name; });
  };
  const auto resize = [&](const char* name, std::vector<std::int64_t> shape) {
    tensor(name).shape = std::move(shape);
    tensor(name).integers.resize(static_cast<std::size_t>(tensor(name).count()));
  };
  auto& source = tensor("input.source");
  if (fault == "no source") remove("input.source");
  if (fault == "no lengths") remove("input.source_lengths");
  if (fault == "no target") remove("input.target");
  if (fault == "floating source") {
    source.type = TensorType::F64;
    source.numbers.assign(source.integers.begin(), source.integers.end());
    source.integers.clear();
  }
  if (fault == "source shape") source.shape = {source.count()};
  if (fault == "unknown word") source.integers[0] = 1000;
  if (fault == "negative word") tensor("input.target").integers[0] = -1;
  if (fault == "length 0") tensor("input.source_lengths").integers[0] = 0;
  if (fault == "length beyond") tensor("input.source_lengths").integers[0] = 1000;
  if (fault == "no examples") {
    resize("input.source", {0, 5});
    resize("input.source_lengths", {0});
    resize("input.target", {0, 5});
  }
  if (fault == "no positions") resize("input.source", {source.shape[0], 0});
  if (fault == "no target tokens")
    std::fill(tensor("input.target").integers.begin(), tensor("input.target").integers.end(), 0);
  if (fault == "missing weight") remove("attention.q");
  if (fault == "nan weight") tensor("attention.q").numbers[0] = std::numeric_limits<double>::quiet_NaN();
  if (fault == "no config") content.metadata.clear();
  if (fault == "other family") content.metadata["attnscope.config"] = R"({"family":"perceptron"})";
  const QString refused = refusal(content);
  QVERIFY2(refused.startsWith(text), qPrintable(refused));
  QVERIFY(!refused.contains('\n'));
}

void TestVerify::toleranceOfGradients() {
  for (const auto& tensor : verifyCase(caseFile(kSeq2Seq), 1e-4).tensors)
    QCOMPARE(tensor.tolerance, tensor.name.starts_with("grad.") ? 1e-3 : 1e-4);
}

QTEST_GUILESS_MAIN(TestVerify)
#include "test_verify.moc"
