// Model files: the same bits back, and one clear error for everything that does not fit.
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <limits>

#include "core/io/file.h"
#include "core/train/model_file.h"
#include "tests/support/error_text.h"
#include "tests/support/model_run.h"

using namespace attnscope;

namespace {

Vocabulary words(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("w" + std::to_string(i));
  return Vocabulary::ofWords(names);
}

ModelFile modelOf(const Json& json) {
  ModelRun<float> run(json);
  ModelFile model;
  model.config = toJson(run.config);
  model.weights = run.values;
  if (run.config.family == "seq2seq") {
    model.source = words(run.config.seq2seq.sourceVocabulary - 4);
    model.target = words(run.config.seq2seq.targetVocabulary - 4);
  } else {
    if (run.config.recurrent.tokens) model.source = words(run.config.recurrent.vocabulary - 4);
    model.labels = {"no", "yes", "perhaps"};
  }
  model.task = {{"task", "reverse"}, {"step", 12}, {"seed", 3}};
  return model;
}

}  // namespace

class TestModelFile : public QObject {
  Q_OBJECT
 private slots:
  void roundTrip_data();
  void roundTrip();
  void writingTwiceGivesTheSameBytes();
  void onlySpecialTokens();
  void truncated();
  void broken_data();
  void broken();
  void otherTypesAreRead();
  void hugeConfigurationsAllocateNothing();
  void cannotWrite();

 private:
  std::filesystem::path path(const char* name = "model.safetensors") const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
  }
  QString refusal(const TensorFile& content) const {
    writeSafetensors(content, path("broken.safetensors"));
    return errorText(ErrorKind::BadInput, [&] { readModelFile(path("broken.safetensors")); })
        .remove(m_folder.path() + "/");
  }
  QTemporaryDir m_folder;
};

void TestModelFile::roundTrip_data() {
  QTest::addColumn<QByteArray>("config");
  const auto row = [](const char* name, const Json& config) {
    QTest::newRow(name) << QByteArray::fromStdString(config.dump());
  };
  row("seq2seq", smallSeq2Seq());
  row("vectors", smallRecurrent());
  row("tokens", smallRecurrent(Json::parse(R"({"input":{"kind":"token","vocabulary":9,"embedding":3,"size":null}})")));
  row("values", smallRecurrent(Json::parse(R"({"output":{"kind":"vector"}})")));
}

void TestModelFile::roundTrip() {
  QFETCH(QByteArray, config);
  ModelFile model = modelOf(Json::parse(config.toStdString()));
  model.weights[0] = std::numeric_limits<float>::denorm_min();
  model.weights[1] = -0.0f;
  model.weights[2] = std::numeric_limits<float>::max();
  writeModelFile(model, path());
  const ModelFile read = readModelFile(path());
  QVERIFY(read.config == model.config);
  QVERIFY(read.task == model.task);
  QVERIFY(read.source.tokens() == model.source.tokens() && read.target.tokens() == model.target.tokens());
  QVERIFY(read.labels == model.labels);
  QCOMPARE(read.weights.size(), model.weights.size());
  QVERIFY(std::memcmp(read.weights.data(), model.weights.data(), model.weights.size() * sizeof(float)) == 0);
}

void TestModelFile::writingTwiceGivesTheSameBytes() {
  const ModelFile model = modelOf(smallSeq2Seq());
  writeModelFile(model, path("a"));
  writeModelFile(readModelFile(path("a")), path("b"));
  QVERIFY(readFile(path("a")) == readFile(path("b")));
}

// Data whose words are all rare leave only the special tokens; such a model is read like any other.
void TestModelFile::onlySpecialTokens() {
  writeModelFile(modelOf(smallSeq2Seq({{"source_vocabulary", 4}, {"target_vocabulary", 4}})), path());
  QCOMPARE(readModelFile(path()).source.size(), 4);
}

void TestModelFile::truncated() {
  writeModelFile(modelOf(smallRecurrent()), path());
  const std::string bytes = readFile(path());
  for (std::size_t kept :
       {std::size_t{0}, std::size_t{4}, std::size_t{8}, std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    writeFile(path("cut.safetensors"), bytes.substr(0, kept));
    const QString text = errorText(ErrorKind::BadInput, [&] { readModelFile(path("cut.safetensors")); });
    QVERIFY2(text.contains("cut.safetensors") && !text.contains('\n'), qPrintable(text));
  }
  QVERIFY(errorText(ErrorKind::BadInput, [&] {
            readModelFile(path("absent.safetensors"));
          }).contains("absent.safetensors"));
}

void TestModelFile::broken_data() {
  QTest::addColumn<QByteArray>("fault");
  QTest::addColumn<QString>("text");
  const auto row = [](const char* fault, const char* text) {
    QTest::newRow(fault) << QByteArray(fault) << QString(text);
  };
  row("missing", "broken.safetensors: tensor attention.W1: is missing");
  row("shape", "broken.safetensors: tensor attention.W1: has shape [8,5], the configuration needs [5,8]");
  row("surplus", "broken.safetensors: tensor extra.weight: is none of this configuration's");
  row("nan", "broken.safetensors: tensor attention.q: holds a number that is not finite");
  row("too large", "broken.safetensors: tensor attention.q: holds a number that is not finite");
  row("integers", "broken.safetensors: tensor attention.q: must hold floating numbers");
  row("no config", "broken.safetensors: has no metadata attnscope.config");
  row("config text", "broken.safetensors: metadata attnscope.config: is not valid JSON");
  row("config list", "broken.safetensors: config: an object");
  row("config key", "broken.safetensors: config.encoder.cell: must be one of");
  row("no vocabulary", "broken.safetensors: metadata attnscope.vocabulary: 9 tokens are needed, 0 found");
  row("short vocabulary", "broken.safetensors: metadata attnscope.vocabulary.source: 9 tokens are needed, 8 found");
  row("vocabulary object", "broken.safetensors: metadata attnscope.vocabulary.source: must be a list of strings");
  row("vocabulary numbers", "broken.safetensors: metadata attnscope.vocabulary.source: must be a list of strings");
  row("task list", "broken.safetensors: metadata attnscope.task: must be an object");
  row("task text", "broken.safetensors: metadata attnscope.task: is not valid JSON");
}

void TestModelFile::broken() {
  QFETCH(QByteArray, fault);
  QFETCH(QString, text);
  writeModelFile(modelOf(smallSeq2Seq()), path());
  TensorFile content = readSafetensors(path());
  const auto tensor = [&](const char* name) -> StoredTensor& { return const_cast<StoredTensor&>(*content.find(name)); };
  auto& metadata = content.metadata;
  if (fault == "missing")
    std::erase_if(content.tensors, [](const StoredTensor& t) { return t.name == "attention.W1"; });
  if (fault == "shape") std::swap(tensor("attention.W1").shape[0], tensor("attention.W1").shape[1]);
  if (fault == "surplus") {
    content.tensors.push_back(tensor("attention.q"));
    content.tensors.back().name = "extra.weight";
  }
  if (fault == "nan") tensor("attention.q").numbers[2] = std::numeric_limits<double>::quiet_NaN();
  if (fault == "too large") {
    tensor("attention.q").type = TensorType::F64;
    tensor("attention.q").numbers[2] = 1e300;
  }
  if (fault == "integers") {
    tensor("attention.q").type = TensorType::I64;
    tensor("attention.q").integers.assign(5, 1);
    tensor("attention.q").numbers.clear();
  }
  if (fault == "no config") metadata.erase("attnscope.config");
  if (fault == "config text") metadata["attnscope.config"] = "{";
  if (fault == "config list") metadata["attnscope.config"] = "[1]";
  if (fault == "config key") metadata["attnscope.config"] = smallSeq2Seq({{"encoder", {{"cell", "x"}}}}).dump();
  if (fault == "no vocabulary") metadata.erase("attnscope.vocabulary.source");
  if (fault == "short vocabulary") metadata["attnscope.vocabulary.source"] = Json(words(4).tokens()).dump();
  if (fault == "vocabulary object") metadata["attnscope.vocabulary.source"] = "{}";
  if (fault == "vocabulary numbers") metadata["attnscope.vocabulary.source"] = "[1,2]";
  if (fault == "task list") metadata["attnscope.task"] = "[]";
  if (fault == "task text") metadata["attnscope.task"] = "{,";
  const QString refused = refusal(content);
  QVERIFY2(refused.startsWith(text), qPrintable(refused));
  QVERIFY(!refused.contains('\n'));
  // Nothing of a refused file stays: the good one reads as before.
  QVERIFY(readModelFile(path()).weights == modelOf(smallSeq2Seq()).weights);
}

void TestModelFile::otherTypesAreRead() {
  const ModelFile model = modelOf(smallSeq2Seq());
  writeModelFile(model, path());
  TensorFile content = readSafetensors(path());
  for (auto& tensor : content.tensors) tensor.type = TensorType::F64;
  // Inputs and results of a case are no part of the model.
  content.tensors.push_back({"input.source", TensorType::I64, {1}, {}, {3}});
  content.tensors.push_back({"expect.loss", TensorType::F64, {}, {1.0}, {}});
  // One vocabulary for both sides where sizes agree.
  writeSafetensors(content, path());
  QVERIFY(readModelFile(path()).weights == model.weights);
}

// A few bytes that claim a large model must not take the machine's memory before they are refused.
void TestModelFile::hugeConfigurationsAllocateNothing() {
  TensorFile content;
  content.metadata["attnscope.config"] = smallSeq2Seq({{"encoder", {{"hidden", 1000000}}}}).dump();
  const QString text = refusal(content);
  QVERIFY2(text.startsWith("broken.safetensors: config: a model of ") && text.contains("too large"), qPrintable(text));
}

void TestModelFile::cannotWrite() {
  const QString text = errorText(
      ErrorKind::CannotWrite, [&] { writeModelFile(modelOf(smallRecurrent()), path("no/such/folder.safetensors")); });
  QVERIFY2(text.contains("no/such/folder.safetensors"), qPrintable(text));
}

QTEST_GUILESS_MAIN(TestModelFile)
#include "test_model_file.moc"
