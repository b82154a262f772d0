// Files read whole and written whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

// Throws Error(BadInput) naming the file: absent, a folder, unreadable. "-" reads standard input.
std::string readFile(const std::filesystem::path& file);

// Writes a temporary file beside `file`, flushes it to disk and renames it over. On failure the temporary is
// removed, `file` is untouched and Error(CannotWrite) says why. "-" writes standard output.
void writeFile(const std::filesystem::path& file, std::string_view bytes);

// The same for a writer of its own (an image library): it is given the temporary's path, and either returns or throws.
void writeFileWith(const std::filesystem::path& file, const std::function<void(const std::filesystem::path&)>& write);

}  // namespace attnscope
