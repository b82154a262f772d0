#include "app/output.h"

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <system_error>

#include "core/base/error.h"
#include "core/io/file.h"

namespace attnscope {
namespace fs = std::filesystem;

void printText(std::string_view text) { writeFile("-", text); }

void printJson(const Json& json) { printText(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

void printRemark(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fputc('\n', stderr);
}

void printError(std::string_view line) {
  std::string text = "attnscope: " + std::string(line);
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  printRemark(text);
}

void checkWritable(const fs::path& file) {
  std::error_code code;
  if (file == "-") return;
  const fs::file_status status = fs::status(file, code);
  if (fs::is_directory(status)) {
    throw Error(ErrorKind::CannotWrite, file.string(), "cannot be written: it is a folder; name a file");
  }
  if (fs::exists(status)) {
    if (::access(file.c_str(), W_OK) != 0) {
      throw Error(ErrorKind::CannotWrite, file.string(), "cannot be written: there is no permission");
    }
    if (!fs::is_regular_file(status)) return;
  }
  // Only writing tells whether a folder can be written to.
  const fs::path probe = file.parent_path() / (".attnscope-probe-" + std::to_string(::getpid()));
  try {
    writeFile(probe, "");
  } catch (const Error& error) {
    throw Error(error.kind(), file.string(), error.message());
  }
  fs::remove(probe, code);
}

void makeFolder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) {
    throw Error(ErrorKind::CannotWrite, folder.string(), "the folder cannot be made: " + code.message());
  }
  if (!fs::is_directory(folder, code)) {
    throw Error(ErrorKind::CannotWrite, folder.string(), "is a file where a folder is needed; name another");
  }
}

std::string absolutePath(const fs::path& file) {
  std::error_code code;
  const fs::path path = fs::absolute(file, code);
  return (code ? file : path.lexically_normal()).string();
}

std::string fixedText(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  char buffer[400];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits);
  return std::string(buffer, result.ptr);
}

std::string percentText(double share) {
  const double percent = 100 * share;
  return fixedText(std::floor(percent * 10 + 1e-6) / 10, percent >= 100 ? 0 : 1) + " %";
}

std::string durationText(double seconds) {
  const long whole = std::max(0L, std::lround(std::min(seconds, 1e15)));
  const auto twoDigits = [](long value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  const long hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours > 0) return std::to_string(hours) + ":" + twoDigits(minutes) + ":" + twoDigits(whole % 60);
  return std::to_string(minutes) + ":" + twoDigits(whole % 60);
}

std::string countText(double value) {
  if (value >= 999'500) return fixedText(value / 1e6, 1) + "M";
  if (value >= 999.5) return fixedText(value / 1e3, value < 9950 ? 1 : 0) + "k";
  return fixedText(value, 0);
}

std::string skippedText(const LoadReport& report) {
  long count = 0;
  std::string reasons;
  for (const auto& [reason, rows] : report.skipped) {
    count += rows;
    reasons += (reasons.empty() ? "" : ", ") + std::to_string(rows) + " × " + reason;
  }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(report.rows) + " rows skipped: " + reasons;
}

}  // namespace attnscope
