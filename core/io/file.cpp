#include "core/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/error.h"

namespace attnscope {

namespace fs = std::filesystem;

namespace {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : m_fd(fd) {}
  ~Descriptor() {
    if (m_fd >= 0) ::close(m_fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return m_fd; }
  int close() { return ::close(std::exchange(m_fd, -1)); }

 private:
  int m_fd;
};

std::string systemMessage(int code) { return std::generic_category().message(code); }

[[noreturn]] void failRead(const std::string& place, int code) {
  std::string message = "cannot be read: " + systemMessage(code);
  if (code == ENOENT || code == ENOTDIR) message = "there is no such file";
  if (code == EISDIR) message = "is a folder where a file is needed";
  if (code == EACCES || code == EPERM) message = "there is no permission to read it";
  throw Error(ErrorKind::BadInput, place, message);
}

[[noreturn]] void failWrite(const std::string& place, int code) {
  std::string message = "cannot be written: " + systemMessage(code);
  if (code == ENOENT) message = "cannot be written: its folder does not exist; create it first";
  if (code == ENOTDIR) message = "cannot be written: a part of its path is a file, not a folder";
  if (code == EISDIR) message = "cannot be written: it is a folder; name a file";
  if (code == EACCES || code == EPERM) message = "cannot be written: there is no permission";
  if (code == EROFS) message = "cannot be written: the disk is read-only";
  if (code == ENOSPC || code == EDQUOT) message = "cannot be written: the disk is full";
  throw Error(ErrorKind::CannotWrite, place, message);
}

// A device may never end, and what is read is held in memory.
constexpr std::size_t kMostBytes = std::size_t{2} << 30;

[[noreturn]] void failSize(const std::string& place) {
  throw Error(ErrorKind::BadInput, place, "holds more than 2 GB; give a smaller file");
}

std::string readAll(int fd, const std::string& place) {
  std::string bytes;
  struct stat status {};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    if (static_cast<std::size_t>(status.st_size) > kMostBytes) failSize(place);
    bytes.reserve(static_cast<std::size_t>(status.st_size) + 1);
  }
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count == 0) return bytes;
    if (count > 0) bytes.append(buffer, static_cast<std::size_t>(count));
    if (bytes.size() > kMostBytes) failSize(place);
    if (count < 0 && errno != EINTR) failRead(place, errno);
  }
}

void writeAll(int fd, std::string_view bytes, const std::string& place) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      failWrite(place, errno);
    }
  }
}

int openForWriting(const fs::path& file, int flags) { return ::open(file.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666); }

// Bytes to what exists already: a device, a pipe, an empty temporary.
void writeInto(const fs::path& file, std::string_view bytes, const std::string& place) {
  Descriptor out(openForWriting(file, O_TRUNC));
  if (out.get() < 0) failWrite(place, errno);
  writeAll(out.get(), bytes, place);
  if (out.close() != 0) failWrite(place, errno);
}

// The file that a chain of symbolic links ends at: a link must stay a link.
fs::path linkTarget(const fs::path& file) {
  fs::path target = file;
  std::error_code code;
  for (int i = 0; i < 40 && fs::is_symlink(target, code); ++i) {
    const fs::path next = fs::read_symlink(target, code);
    if (code) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

// An empty file of a name nobody has, in the folder of `file` so that it can be renamed over it, and with its
// extension, by which image libraries choose the format.
class Temporary {
 public:
  Temporary(const fs::path& file, const std::string& place) {
    static std::atomic<unsigned> counter{0};
    for (;;) {
      m_path = file.parent_path() / (".attnscope-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
      m_path += file.extension();
      Descriptor created(openForWriting(m_path, O_CREAT | O_EXCL));
      if (created.get() >= 0) return;
      if (errno != EEXIST) {
        const int code = errno;
        m_path.clear();
        failWrite(place, code);
      }
    }
  }
  ~Temporary() {
    if (!m_path.empty()) ::unlink(m_path.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const fs::path& path() const { return m_path; }

  void replace(const fs::path& file, const std::string& place) {
    Descriptor written(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
    if (written.get() < 0) failWrite(place, errno);
    struct stat old {};
    // Some file systems have no modes and some cannot flush, which is no failure to write.
    if (::stat(file.c_str(), &old) == 0) (void)::fchmod(written.get(), old.st_mode & 07777);
    if (::fsync(written.get()) != 0 && errno != EINVAL && errno != ENOTSUP) failWrite(place, errno);
    if (::rename(m_path.c_str(), file.c_str()) != 0) failWrite(place, errno);
    m_path.clear();
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) ::fsync(directory.get());
  }

 private:
  fs::path m_path;
};

}  // namespace

std::string readFile(const fs::path& file) {
  if (file == "-") return readAll(STDIN_FILENO, "standard input");
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) failRead(file.string(), errno);
  return readAll(in.get(), file.string());
}

void writeFile(const fs::path& file, std::string_view bytes) {
  if (file == "-") return writeAll(STDOUT_FILENO, bytes, "standard output");
  writeFileWith(file, [&](const fs::path& target) { writeInto(target, bytes, file.string()); });
}

void writeFileWith(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  const std::string place = file.string();
  if (file.empty()) throw Error(ErrorKind::CannotWrite, "", "no file name is given to write to");
  struct stat status {};
  const bool exists = ::stat(file.c_str(), &status) == 0;
  if (!file.has_filename() || (exists && S_ISDIR(status.st_mode))) failWrite(place, EISDIR);
  // A rename would replace a device or a pipe by a file.
  if (exists && !S_ISREG(status.st_mode)) return write(file);
  if (exists && ::access(file.c_str(), W_OK) != 0) failWrite(place, errno);
  const fs::path target = linkTarget(file);
  Temporary temporary(target, place);
  write(temporary.path());
  temporary.replace(target, place);
}

}  // namespace attnscope
