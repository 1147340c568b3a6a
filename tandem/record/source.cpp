// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tandem/record/growing_file.hpp"

namespace tandem::record {

Result<Source> Source::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return file_error(path, "could not be opened", errno);
  Source source(path, file, 0);
  struct stat facts {};
  if (::fstat(file, &facts) != 0) return file_error(path, "could not be inspected", errno);
  if (!S_ISREG(facts.st_mode)) return Error{Fault::invalid, path + ": expected a regular file, got another kind"};
  source.size_ = static_cast<std::uint64_t>(facts.st_size);
  return source;
}

Source::Source(Source&& other) noexcept
    : name_(std::move(other.name_)),
      size_(other.size_),
      memory_(other.memory_),
      file_(std::exchange(other.file_, -1)),
      window_(std::move(other.window_)),
      window_start_(other.window_start_) {}

Source::~Source() {
  if (file_ >= 0) ::close(file_);
}

Result<Bytes> Source::read(std::uint64_t offset, std::uint64_t size) {
  if (offset >= size_) return Bytes{};
  const auto wanted = static_cast<std::size_t>(std::min(size, size_ - offset));
  if (file_ < 0) return memory_.subspan(static_cast<std::size_t>(offset), wanted);
  if (offset < window_start_ || offset + wanted > window_start_ + window_.size()) {
    constexpr std::uint64_t ahead = 256u << 10;
    const auto loaded =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max<std::uint64_t>(wanted, ahead), size_ - offset));
    if (auto read = load(offset, loaded); !read) return std::move(read).error();
  }
  return Bytes(window_).subspan(static_cast<std::size_t>(offset - window_start_),
                                std::min<std::size_t>(wanted, window_.size() - (offset - window_start_)));
}

Result<void> Source::load(std::uint64_t offset, std::size_t size) {
  window_.resize(size);
  window_start_ = offset;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(file_, window_.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int code = errno;
      window_.clear();
      return file_error(name_, fmt::format("byte {} could not be read", offset + done), code);
    }
    if (got == 0) break;  // it has become shorter
    done += static_cast<std::size_t>(got);
  }
  window_.resize(done);
  return {};
}

}  // namespace tandem::record
