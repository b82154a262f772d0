// The safetensors format (formats.md 1): named tensors and string metadata.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

enum class TensorType { F64, F32, F16, BF16, I64, I32 };

struct StoredTensor {
  std::string name;
  TensorType type = TensorType::F32;   // as in the file
  std::vector<std::int64_t> shape;     // [] is a scalar
  std::vector<double> numbers;         // floating types, widened exactly
  std::vector<std::int64_t> integers;  // integer types
  std::int64_t count() const;          // product of the shape
};

struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::vector<StoredTensor> tensors;  // in file order
  const StoredTensor* find(std::string_view name) const;
};

// Throws Error(BadInput) naming file and tensor: truncated, header over 100 MB or not JSON, unknown type, offsets
// outside the file, overlapping, with gaps, or not matching the shape. Non-finite values are read as they are.
TensorFile readSafetensors(const std::filesystem::path& file);
TensorFile parseSafetensors(std::string_view bytes, const std::string& place);

// Writes F32/F64 (from numbers) and I64/I32; metadata and tensors in the given order. Atomic.
std::string safetensorsBytes(const TensorFile& content);
void writeSafetensors(const TensorFile& content, const std::filesystem::path& file);

}  // namespace attnscope
