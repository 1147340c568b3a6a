// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/growing_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "tandem/base/crc32.hpp"

namespace tandem::record {

Error file_error(const std::string& path, const std::string& what, int code) {
  const Fault fault = code == ENOSPC || code == EDQUOT || code == EEXIST ? Fault::busy
                      : code == ENOENT                                   ? Fault::not_found
                                                                         : Fault::device;
  return {fault, fmt::format("{}: {}: {}", path, what, std::generic_category().message(code)),
          static_cast<unsigned>(code)};
}

// Brings the file to the disk whenever it is asked to; what it is asked meanwhile is one more time.
struct GrowingFile::Syncer {
  Syncer(int its_file, const std::string& path)
      : file(its_file),
        folder(path.find('/') == std::string::npos ? "." : path.substr(0, path.rfind('/') + 1)),
        thread([this] { run(); }) {}
  ~Syncer() {
    {
      const std::lock_guard lock(mutex);
      over = true;
    }
    changed.notify_one();
    thread.join();
  }

  void run() noexcept {
    ::pthread_setname_np(::pthread_self(), "record disk");
    sync_name();
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return wanted || over; });
      if (!std::exchange(wanted, false)) return;
      busy = true;
      lock.unlock();
      const int came = ::fdatasync(file) == 0 ? 0 : errno;
      lock.lock();
      busy = false;
      if (came != 0) code = came;
      changed.notify_all();
    }
  }

  // After a power cut a file without a name is no file.
  void sync_name() const {
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    ::fsync(opened);
    ::close(opened);
  }

  const int file;
  const std::string folder;  // known before the thread begins, which allocates nothing
  std::mutex mutex;
  std::condition_variable changed;
  bool wanted = false, busy = false, over = false;
  int code = 0;        // that was not reported yet; the kernel says it once, and the next time may succeed
  std::thread thread;  // last: it uses all of them
};

Result<GrowingFile> GrowingFile::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
  if (file < 0) return file_error(path, "could not be created", errno);
  return GrowingFile(path, file);
}

GrowingFile::GrowingFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      syncer_(std::move(other.syncer_)),
      size_(other.size_),
      crc_(other.crc_) {}
GrowingFile::~GrowingFile() {
  syncer_.reset();
  if (file_ >= 0) ::close(file_);
}

Result<void> GrowingFile::append(std::initializer_list<Bytes> pieces) {
  std::uint64_t end = size_;
  for (const Bytes piece : pieces) {
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t written = ::pwrite(file_, piece.data() + done, piece.size() - done, static_cast<off_t>(end + done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        const int code = written < 0 ? errno : EIO;
        (void)!::ftruncate(file_, static_cast<off_t>(size_));
        return file_error(path_, fmt::format("{} bytes could not be written", piece.size()), code);
      }
      done += static_cast<std::size_t>(written);
    }
    end += piece.size();
  }
  size_ = end;
  for (const Bytes piece : pieces) crc_ = crc32(piece, crc_);
  return {};
}

Result<void> GrowingFile::sync_soon() {
  if (!syncer_) syncer_ = std::make_unique<Syncer>(file_, path_);
  int code = 0;
  {
    const std::lock_guard lock(syncer_->mutex);
    syncer_->wanted = true;
    code = std::exchange(syncer_->code, 0);
  }
  syncer_->changed.notify_one();
  if (code != 0) return file_error(path_, "could not be written to disk", code);
  return {};
}

Result<void> GrowingFile::sync() {
  int code = ::fdatasync(file_) == 0 ? 0 : errno;
  if (syncer_) {
    std::unique_lock lock(syncer_->mutex);
    syncer_->changed.wait(lock, [this] { return !syncer_->wanted && !syncer_->busy; });
    if (const int earlier = std::exchange(syncer_->code, 0); earlier != 0) code = earlier;
  }
  if (code != 0) return file_error(path_, "could not be written to disk", code);
  return {};
}

}  // namespace tandem::record
