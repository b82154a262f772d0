// The safetensors format, good and broken.
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/io/file.h"
#include "core/io/safetensors.h"
#include "tests/support/error_text.h"
#include "tests/support/shared_data.h"

using namespace attnscope;
using namespace std::string_literals;

namespace {

std::string fileOf(const std::string& header, const std::string& data, std::uint64_t headerSize) {
  return std::string(reinterpret_cast<const char*>(&headerSize), 8) + header + data;
}

std::string fileOf(const std::string& header, const std::string& data = "") {
  return fileOf(header, data, header.size());
}

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

QString refusal(const std::string& bytes) {
  return errorText(ErrorKind::BadInput, [&] { parseSafetensors(bytes, "m.safetensors"); });
}

TensorFile sample() {
  TensorFile content;
  content.metadata = {{"attnscope.config", "{\"a\":\"ü\"}"}, {"b", ""}};
  content.tensors = {{"z.weight", TensorType::F32, {2, 3}, {1, -0.0, 0.1F, 3e38F, 1e-40F, INFINITY}, {}},
                     {"a.bias", TensorType::F64, {2}, {0.1, 5e-324}, {}},
                     {"scalar", TensorType::F64, {}, {7}, {}},
                     {"none", TensorType::F32, {3, 0}, {}, {}},
                     {"ids", TensorType::I64, {2}, {}, {std::numeric_limits<std::int64_t>::min(), -1}},
                     {"small", TensorType::I32, {1}, {}, {-7}}};
  return content;
}

}  // namespace

class TestSafetensors : public QObject {
  Q_OBJECT
 private slots:
  void roundTrip();
  void layout();
  void writesFiles();
  void halfPrecision();
  void brainPrecision();
  void nonFiniteIsRead();
  void refusals_data();
  void refusals();
  void anyTruncation();
  void anyDamage();
  void manyTensorsAreQuick();
  void sharedGood();
  void sharedBroken_data();
  void sharedBroken();
};

void TestSafetensors::roundTrip() {
  const TensorFile content = sample();
  const TensorFile read = parseSafetensors(safetensorsBytes(content), "m");
  QVERIFY(read.metadata == content.metadata);
  QCOMPARE(read.tensors.size(), content.tensors.size());
  for (const StoredTensor& tensor : content.tensors) {
    const StoredTensor* found = read.find(tensor.name);
    QVERIFY(found);
    QVERIFY(found->type == tensor.type && found->shape == tensor.shape && found->integers == tensor.integers);
    QCOMPARE(bytesOf(found->numbers), bytesOf(tensor.numbers));
  }
  QCOMPARE(read.tensors[0].name, "z.weight"s);
  QCOMPARE(read.find("scalar")->count(), 1);
  QCOMPARE(read.find("none")->count(), 0);
  QVERIFY(!read.find("absent"));
}

void TestSafetensors::layout() {
  TensorFile content;
  content.tensors = {{"w", TensorType::F32, {1}, {1}, {}}};
  const std::string bytes = safetensorsBytes(content);
  std::uint64_t headerSize = 0;
  std::memcpy(&headerSize, bytes.data(), 8);
  QCOMPARE(headerSize % 8, 0U);
  const Json header = Json::parse(bytes.substr(8, headerSize));
  QCOMPARE(header.dump(), R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})"s);
  QCOMPARE(bytes.substr(8 + headerSize), "\0\0\x80\x3F"s);
}

void TestSafetensors::writesFiles() {
  const QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("m.safetensors").toStdString();
  writeSafetensors(sample(), file);
  QCOMPARE(readSafetensors(file).tensors.size(), sample().tensors.size());
  QVERIFY(
      errorText(ErrorKind::CannotWrite, [&] { writeSafetensors(sample(), file / "below"); }).contains("not a folder"));
  QVERIFY(errorText(ErrorKind::BadInput, [&] {
            readSafetensors(folder.filePath("x").toStdString());
          }).contains("no such file"));
}

void TestSafetensors::halfPrecision() {
  const std::vector<std::uint16_t> bits = {0x3C00, 0xC000, 0x7BFF, 0x0001, 0x03FF, 0x0400,
                                           0x3555, 0x7C00, 0xFC00, 0x7E00, 0x8000};
  const TensorFile read =
      parseSafetensors(fileOf(R"({"h":{"dtype":"F16","shape":[11],"data_offsets":[0,22]}})", bytesOf(bits)), "m");
  const std::vector<double>& values = read.tensors[0].numbers;
  const double expected[] = {
      1,        -2,       65504, std::ldexp(1, -24), 1023 * std::ldexp(1, -24), std::ldexp(1, -14), 0.333251953125,
      INFINITY, -INFINITY};
  for (std::size_t i = 0; i < std::size(expected); ++i) QCOMPARE(values[i], expected[i]);
  QVERIFY(std::isnan(values[9]));
  QVERIFY(values[10] == 0 && std::signbit(values[10]));
}

void TestSafetensors::brainPrecision() {
  const std::vector<std::uint16_t> bits = {0x3F80, 0xC000, 0x7F7F, 0x0001, 0x7F80, 0x7FC0};
  const TensorFile read =
      parseSafetensors(fileOf(R"({"h":{"dtype":"BF16","shape":[6],"data_offsets":[0,12]}})", bytesOf(bits)), "m");
  const std::vector<double>& values = read.tensors[0].numbers;
  QCOMPARE(values[0], 1.0);
  QCOMPARE(values[1], -2.0);
  QVERIFY(values[2] == std::ldexp(255, 120));
  QVERIFY(values[3] == std::ldexp(1, -133));
  QVERIFY(std::isinf(values[4]) && std::isnan(values[5]));
}

void TestSafetensors::nonFiniteIsRead() {
  const TensorFile read = parseSafetensors(
      fileOf(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", bytesOf<float>({NAN, -INFINITY})), "m");
  QVERIFY(std::isnan(read.tensors[0].numbers[0]) && std::isinf(read.tensors[0].numbers[1]));
}

void TestSafetensors::refusals_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("part");  // of the message
  const auto row = [](const char* name, const std::string& bytes, const char* part) {
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(part);
  };
  const auto entry = [](const std::string& type, const std::string& shape, const std::string& offsets) {
    return "{\"w\":{\"dtype\":" + type + ",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}}";
  };
  row("empty", "", "the file is empty");
  row("short", "1234567", "shorter than the 8 bytes");
  row("huge header", fileOf("{}", "", 1ULL << 62), "over 100 MB");
  row("header of 100,000,001", fileOf("{}", "", 100000001), "over 100 MB");
  row("header of 100,000,000", fileOf("{}", "", 100000000), "goes past the end");
  row("no header", fileOf(""), "not a JSON object");
  row("text", fileOf("hello"), "not a JSON object");
  row("array", fileOf("[]"), "not a JSON object");
  row("not UTF-8", fileOf("{\"\xFF\":1}"), "not a JSON object");
  row("junk behind", fileOf("{}{}"), "not a JSON object");
  row("deep", fileOf("{\"w\":" + std::string(100000, '[')), "nested too deeply");
  row("twice", fileOf(R"({"w":{},"w":{}})"), "names \"w\" twice");
  row("no entry", fileOf(R"({"w":1})"), "tensor w: its header entry lacks");
  row("no offsets", fileOf(R"({"w":{"dtype":"F32","shape":[]}})"), "tensor w: its header entry lacks");
  row("three offsets", fileOf(entry("\"F32\"", "[]", "[0,4,8]"), "1234"), "its header entry lacks");
  row("type", fileOf(entry("\"F8_E4M3\"", "[1]", "[0,1]"), "1"), "tensor w: its type \"F8_E4M3\" is not supported");
  row("negative size", fileOf(entry("\"F32\"", "[-1]", "[0,4]"), "1234"), "not a list of sizes");
  row("fraction", fileOf(entry("\"F32\"", "[1.0]", "[0,4]"), "1234"), "not a list of sizes");
  row("overflow", fileOf(entry("\"F32\"", "[4294967296,4294967296]", "[0,0]")), "more elements than any file holds");
  row("overflow to 4", fileOf(entry("\"F32\"", "[4611686018427387905]", "[0,4]"), "1234"), "more elements");
  row("backwards", fileOf(entry("\"F32\"", "[0]", "[4,0]"), "1234"), "not a range");
  row("negative offset", fileOf(entry("\"F32\"", "[1]", "[-4,0]"), "1234"), "not a range");
  row("outside", fileOf(entry("\"F32\"", "[1]", "[0,4]"), "123"), "tensor w: its data end at byte 4");
  row("shape", fileOf(entry("\"F32\"", "[2]", "[0,4]"), "1234"),
      "tensor w: its shape needs 8 bytes where 4 are stored");
  row("gap at the front", fileOf(entry("\"F32\"", "[1]", "[4,8]"), "12345678"), "tensor w: there is a gap");
  row("surplus", fileOf(entry("\"F32\"", "[1]", "[0,4]"), "12345678"), "4 bytes at the end belong to no tensor");
  row("data without tensors", fileOf("{}", "1"), "1 bytes at the end belong to no tensor");
  row("overlap",
      fileOf(
          R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          "12345678"),
      "tensor b: its data overlap");
  row("metadata", fileOf(R"({"__metadata__":{"a":1}})"), "\"a\" is not a string");
  row("metadata list", fileOf(R"({"__metadata__":[]})"), "not an object of strings");
}

void TestSafetensors::refusals() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, part);
  const QString error = refusal(bytes.toStdString());
  QVERIFY2(error.startsWith("m.safetensors: ") && error.contains(part) && !error.contains('\n'), qPrintable(error));
}

void TestSafetensors::anyTruncation() {
  const std::string bytes = safetensorsBytes(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const QString error = refusal(bytes.substr(0, size));
    QVERIFY2(error.startsWith("m.safetensors: "), qPrintable(QString::number(size) + error));
  }
}

// A changed byte is read or refused, and never anything else.
void TestSafetensors::anyDamage() {
  const std::string bytes = safetensorsBytes(sample());
  Random random(1, "damage");
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = bytes;
    for (int k = random.between(1, 3); k > 0; --k)
      damaged[random.below(static_cast<int>(bytes.size()))] = static_cast<char>(random.below(256));
    try {
      parseSafetensors(damaged, "m");
    } catch (const Error& error) {
      QVERIFY(error.kind() == ErrorKind::BadInput);
    }
  }
}

void TestSafetensors::manyTensorsAreQuick() {
  std::string header = "{";
  for (int i = 0; i < 100000; ++i) {
    header += (i > 0 ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
  }
  QElapsedTimer timer;
  timer.start();
  QCOMPARE(parseSafetensors(fileOf(header + "}"), "m").tensors.size(), 100000U);
  QVERIFY2(timer.elapsed() < 10000, qPrintable(QString::number(timer.elapsed())));
}

void TestSafetensors::sharedGood() {
  const auto folder = sharedData("attention/safetensors");
  if (!folder) QSKIP("the folder attention/safetensors of the shared data is absent");
  const TensorFile good = readSafetensors(*folder / "good.safetensors");
  const TensorFile padded = readSafetensors(*folder / "good-padded.safetensors");
  const TensorFile half = readSafetensors(*folder / "good-f16.safetensors");
  QCOMPARE(good.tensors.size(), 1U);
  QCOMPARE(padded.tensors[0].numbers, good.tensors[0].numbers);
  QCOMPARE(half.tensors[0].numbers.size(), good.tensors[0].numbers.size());
  for (std::size_t i = 0; i < good.tensors[0].numbers.size(); ++i) {
    QVERIFY(std::abs(half.tensors[0].numbers[i] - good.tensors[0].numbers[i]) <=
            5e-4 * std::abs(good.tensors[0].numbers[i]) + 1e-7);
  }
  bool scalar = false, none = false;
  const TensorFile odd = readSafetensors(*folder / "good-scalar-and-empty.safetensors");
  for (const StoredTensor& tensor : odd.tensors) {
    scalar = scalar || (tensor.shape.empty() && tensor.count() == 1);
    none = none || tensor.count() == 0;
  }
  QVERIFY(scalar && none);
  bool finite = true;
  const TensorFile nonFinite = readSafetensors(*folder / "nan-inf.safetensors");
  for (const double v : nonFinite.tensors[0].numbers) finite = finite && std::isfinite(v);
  QVERIFY(!finite);
}

void TestSafetensors::sharedBroken_data() {
  QTest::addColumn<QString>("part");
  QTest::newRow("empty-file") << "the file is empty";
  QTest::newRow("header-huge") << "over 100 MB";
  QTest::newRow("header-longer-than-file") << "goes past the end";
  QTest::newRow("not-json") << "not a JSON object";
  QTest::newRow("offsets-overlap") << "overlap";
  QTest::newRow("shape-mismatch") << "its shape needs";
  QTest::newRow("truncated-data") << "truncated";
}

void TestSafetensors::sharedBroken() {
  QFETCH(QString, part);
  const auto file = sharedData(std::string("attention/safetensors/") + QTest::currentDataTag() + ".safetensors");
  if (!file) QSKIP("this file of attention/safetensors of the shared data is absent");
  const QString error = errorText(ErrorKind::BadInput, [&] { readSafetensors(*file); });
  QVERIFY2(error.startsWith(QString::fromStdString(file->string())) && error.contains(part), qPrintable(error));
}

QTEST_GUILESS_MAIN(TestSafetensors)
#include "test_safetensors.moc"
