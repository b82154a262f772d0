// Where the developers' test data are, which are not ours to pass on: tests that want them are skipped without.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace attnscope {

// The file or folder `name` of the data folder of $ATTNSCOPE_SHARED, else of "shared" beside the source folder; absent
// where there is none.
inline std::optional<std::filesystem::path> sharedData(const std::string& name) {
  namespace fs = std::filesystem;
  const char* folder = std::getenv("ATTNSCOPE_SHARED");
  const fs::path root = folder ? fs::path(folder) : fs::path(ATTNSCOPE_SOURCE_DIR).parent_path() / "shared";
  const fs::path path = root / "data" / name;
  std::error_code code;
  if (!fs::exists(path, code)) return std::nullopt;
  return path;
}

}  // namespace attnscope
