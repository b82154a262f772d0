// Any bytes are a safetensors file or Error(BadInput). Build with clang++ -fsanitize=fuzzer,address,undefined and link
// the core's sources.
#include <cstddef>
#include <cstdint>

#include "core/base/error.h"
#include "core/io/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    attnscope::parseSafetensors({reinterpret_cast<const char*>(data), size}, "fuzz");
  } catch (const attnscope::Error& error) {
    if (error.kind() != attnscope::ErrorKind::BadInput) throw;
  }
  return 0;
}
