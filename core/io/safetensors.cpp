#include "core/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/io/file.h"

namespace attnscope {

namespace {

static_assert(std::endian::native == std::endian::little, "tensor data are little-endian and copied as they are");

// The header is looked up by name only: this type finds a key fast where the ordered one searches.
using HeaderJson = nlohmann::json;

constexpr std::uint64_t kMaxHeader = 100'000'000;

struct TypeRow {
  TensorType type;
  const char* name;
  std::uint64_t bytes;
};
constexpr TypeRow kTypes[] = {{TensorType::F64, "F64", 8},   {TensorType::F32, "F32", 4}, {TensorType::F16, "F16", 2},
                              {TensorType::BF16, "BF16", 2}, {TensorType::I64, "I64", 8}, {TensorType::I32, "I32", 4}};

const TypeRow& typeRow(TensorType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row;
  }
  throw std::logic_error("a tensor type without a row");
}

bool isInteger(TensorType type) { return type == TensorType::I64 || type == TensorType::I32; }

struct Entry {
  StoredTensor tensor;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

[[noreturn]] void fail(const std::string& place, const std::string& message) {
  throw Error(ErrorKind::BadInput, place, message);
}

double halfToDouble(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  double value = 0;
  if (exponent == 0x1F) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(1024 + fraction, exponent - 25);
  }
  return bits & 0x8000 ? -value : value;
}

double brainToDouble(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

template <class Stored, class Wide, class Convert>
void widen(std::string_view data, std::vector<Wide>& out, Convert convert) {
  out.resize(data.size() / sizeof(Stored));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored value;
    std::memcpy(&value, data.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = static_cast<Wide>(convert(value));
  }
}

void readValues(std::string_view data, StoredTensor& tensor) {
  const auto same = [](auto value) { return value; };
  switch (tensor.type) {
    case TensorType::F64:
      return widen<double>(data, tensor.numbers, same);
    case TensorType::F32:
      return widen<float>(data, tensor.numbers, same);
    case TensorType::F16:
      return widen<std::uint16_t>(data, tensor.numbers, halfToDouble);
    case TensorType::BF16:
      return widen<std::uint16_t>(data, tensor.numbers, brainToDouble);
    case TensorType::I64:
      return widen<std::int64_t>(data, tensor.integers, same);
    case TensorType::I32:
      return widen<std::int32_t>(data, tensor.integers, same);
  }
}

// Finds what a parsed object no longer shows. (The parser's own callback searches all entries at the end of each.)
class HeaderCheck : public nlohmann::json_sax<HeaderJson> {
 public:
  explicit HeaderCheck(const std::string& place) : m_place(place) {}

  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(std::string& name) override {
    // One of two entries of one name would be hidden.
    if (m_depth == 1 && !m_names.insert(name).second) {
      fail(m_place, "the header names \"" + excerpt(name) + "\" twice; the file is damaged");
    }
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(HeaderJson::binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const HeaderJson::exception&) override { return false; }

 private:
  bool enter() {
    if (++m_depth > 8) {
      fail(m_place, "the header is nested too deeply; the file is damaged or not a safetensors file");
    }
    return true;
  }
  bool leave() {
    --m_depth;
    return true;
  }

  const std::string& m_place;
  int m_depth = 0;
  std::set<std::string> m_names;
};

HeaderJson parseHeader(std::string_view text, const std::string& place) {
  HeaderCheck check(place);
  if (HeaderJson::sax_parse(text, &check)) {
    HeaderJson header = HeaderJson::parse(text, nullptr, false);
    if (header.is_object()) return header;
  }
  fail(place, "the header is not a JSON object; the file is damaged or not a safetensors file");
}

std::optional<std::uint64_t> unsignedNumber(const HeaderJson& value) {
  if (!value.is_number_unsigned()) return std::nullopt;
  return value.get<std::uint64_t>();
}

// The bytes that the shape asks for; the product must not overflow.
std::uint64_t neededBytes(const HeaderJson& shape, std::uint64_t itemBytes, StoredTensor& tensor,
                          const std::string& place) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t bytes = itemBytes;
  bool isEmpty = false;
  for (const HeaderJson& item : shape) {
    const std::optional<std::uint64_t> size = unsignedNumber(item);
    if (!size || *size > kMax) fail(place, "its shape is not a list of sizes");
    tensor.shape.push_back(static_cast<std::int64_t>(*size));
    if (*size == 0) {
      isEmpty = true;
    } else if (bytes > kMax / *size) {
      fail(place, "its shape asks for more elements than any file holds");
    } else {
      bytes *= *size;
    }
  }
  return isEmpty ? 0 : bytes;
}

Entry parseEntry(const std::string& name, const HeaderJson& value, std::uint64_t dataSize, const std::string& place) {
  if (!value.is_object() || !value.contains("dtype") || !value.contains("shape") || !value.contains("data_offsets") ||
      !value["dtype"].is_string() || !value["shape"].is_array() || !value["data_offsets"].is_array() ||
      value["data_offsets"].size() != 2) {
    fail(place, "its header entry lacks a dtype, a shape or two data_offsets");
  }
  Entry entry;
  entry.tensor.name = name;
  const std::string dtype = value["dtype"].get<std::string>();
  const auto row = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& r) { return dtype == r.name; });
  if (row == std::end(kTypes)) {
    fail(place, "its type \"" + excerpt(dtype) + "\" is not supported; use F64, F32, F16, BF16, I64 or I32");
  }
  entry.tensor.type = row->type;
  const std::uint64_t bytes = neededBytes(value["shape"], row->bytes, entry.tensor, place);
  const auto begin = unsignedNumber(value["data_offsets"][0]);
  const auto end = unsignedNumber(value["data_offsets"][1]);
  if (!begin || !end || *begin > *end) fail(place, "its data_offsets are not a range");
  if (*end > dataSize) {
    fail(place, "its data end at byte " + std::to_string(*end) + " where the file has only " +
                    std::to_string(dataSize) + "; the file is truncated");
  }
  if (*end - *begin != bytes) {
    fail(place,
         "its shape needs " + std::to_string(bytes) + " bytes where " + std::to_string(*end - *begin) + " are stored");
  }
  entry.begin = *begin;
  entry.end = *end;
  return entry;
}

std::string tensorPlace(const std::string& place, const std::string& name) {
  return place + ": tensor " + excerpt(name, 80);
}

void checkContiguous(const std::vector<Entry>& entries, std::uint64_t dataSize, const std::string& place) {
  std::uint64_t position = 0;
  for (const Entry& entry : entries) {
    if (entry.begin < position) fail(tensorPlace(place, entry.tensor.name), "its data overlap those of another tensor");
    if (entry.begin > position) fail(tensorPlace(place, entry.tensor.name), "there is a gap before its data");
    position = entry.end;
  }
  if (position != dataSize) {
    fail(place, std::to_string(dataSize - position) + " bytes at the end belong to no tensor; the file is damaged");
  }
}

void readMetadata(const HeaderJson& value, TensorFile& content, const std::string& place) {
  if (!value.is_object()) fail(place, "__metadata__ is not an object of strings");
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) fail(place, "__metadata__ \"" + excerpt(key) + "\" is not a string");
    content.metadata[key] = text.get<std::string>();
  }
}

void appendValues(std::string& bytes, const StoredTensor& tensor) {
  const auto append = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  switch (tensor.type) {
    case TensorType::F64:
      for (const double v : tensor.numbers) append(v);
      return;
    case TensorType::F32:
      for (const double v : tensor.numbers) append(static_cast<float>(v));
      return;
    case TensorType::I64:
      for (const std::int64_t v : tensor.integers) append(v);
      return;
    case TensorType::I32:
      for (const std::int64_t v : tensor.integers) append(static_cast<std::int32_t>(v));
      return;
    case TensorType::F16:
    case TensorType::BF16:
      break;
  }
  ATTNSCOPE_CHECK(false, "tensor " + tensor.name + ": 16-bit types are only read");
}

}  // namespace

std::int64_t StoredTensor::count() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) {
    if (size == 0) return 0;
  }
  for (const std::int64_t size : shape) product *= size;
  return product;
}

const StoredTensor* TensorFile::find(std::string_view name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

TensorFile readSafetensors(const std::filesystem::path& file) {
  return parseSafetensors(readFile(file), file == "-" ? "standard input" : file.string());
}

TensorFile parseSafetensors(std::string_view bytes, const std::string& place) {
  if (bytes.empty()) fail(place, "the file is empty");
  if (bytes.size() < 8) fail(place, "the file is shorter than the 8 bytes every safetensors file begins with");
  std::uint64_t headerSize = 0;
  std::memcpy(&headerSize, bytes.data(), 8);
  if (headerSize > kMaxHeader) {
    fail(place, "the header is said to be " + std::to_string(headerSize) +
                    " bytes long, over 100 MB; the file is damaged or not a safetensors file");
  }
  bytes.remove_prefix(8);
  if (headerSize > bytes.size()) {
    fail(place, "the header of " + std::to_string(headerSize) + " bytes goes past the end; the file is truncated");
  }
  const HeaderJson header = parseHeader(bytes.substr(0, headerSize), place);
  const std::string_view data = bytes.substr(headerSize);

  TensorFile content;
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name == "__metadata__") {
      readMetadata(value, content, place);
    } else {
      entries.push_back(parseEntry(name, value, data.size(), tensorPlace(place, name)));
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  checkContiguous(entries, data.size(), place);
  for (Entry& entry : entries) {
    readValues(data.substr(entry.begin, entry.end - entry.begin), entry.tensor);
    content.tensors.push_back(std::move(entry.tensor));
  }
  return content;
}

std::string safetensorsBytes(const TensorFile& content) {
  Json header = Json::object();
  if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
  std::uint64_t position = 0;
  for (const StoredTensor& tensor : content.tensors) {
    const std::size_t stored = isInteger(tensor.type) ? tensor.integers.size() : tensor.numbers.size();
    ATTNSCOPE_CHECK(static_cast<std::int64_t>(stored) == tensor.count(), "tensor " + tensor.name);
    const TypeRow& row = typeRow(tensor.type);
    const std::uint64_t end = position + stored * row.bytes;
    header[tensor.name] = {{"dtype", row.name}, {"shape", tensor.shape}, {"data_offsets", {position, end}}};
    position = end;
  }
  std::string text = header.dump();
  // Data begin at a multiple of 8, so that other readers may map them.
  text.append((8 - text.size() % 8) % 8, ' ');

  const std::uint64_t headerSize = text.size();
  std::string bytes(reinterpret_cast<const char*>(&headerSize), 8);
  bytes.reserve(8 + text.size() + position);
  bytes += text;
  for (const StoredTensor& tensor : content.tensors) appendValues(bytes, tensor);
  return bytes;
}

void writeSafetensors(const TensorFile& content, const std::filesystem::path& file) {
  writeFile(file, safetensorsBytes(content));
}

}  // namespace attnscope
