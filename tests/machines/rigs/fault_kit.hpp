// SPDX-License-Identifier: Apache-2.0
// What the tests of faults share, whatever the machine: what was told, who else may answer, and what a process has
// left.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tandem/net/socket.hpp"
#include "tests/deadline.hpp"

namespace tandem {

inline std::size_t entries(const char* folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}
inline std::size_t open_descriptors() { return entries("/proc/self/fd"); }
inline std::size_t running_threads() { return entries("/proc/self/task"); }

// Every cause and error that was given, from any thread.
class Told {
 public:
  void say(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (texts_.size() < 2000 && !text.empty()) texts_.emplace(text);
  }
  bool said(std::string_view part) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(texts_, [&](const auto& text) { return text.find(part) != std::string::npos; });
  }
  std::string all() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const auto& text : texts_) all += "\n    " + text;
    return all;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    texts_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> texts_;
};

// Somebody else on a device's port, who answers everything with a web page.
class Stranger {
 public:
  Stranger() : listener_(std::move(*net::TcpListener::listen("127.0.0.1", 0))) {
    thread_ = std::jthread([this](const std::stop_token& stop) {
      const std::string page = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      while (!stop.stop_requested()) {
        auto caller = listener_.accept(in(20ms));
        if (!caller) continue;
        std::array<std::uint8_t, 256> request{};
        static_cast<void>(caller->read_some(request, in(100ms)).ok());
        const Bytes bytes(reinterpret_cast<const std::uint8_t*>(page.data()), page.size());
        static_cast<void>(caller->write_all(bytes, in(100ms)).ok());
      }
    });
  }
  net::Endpoint endpoint() const { return listener_.local(); }

 private:
  net::TcpListener listener_;
  std::jthread thread_;
};

// No descriptor is left in this process while it lives.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 256;
    setrlimit(RLIMIT_NOFILE, &few);
    take();
  }
  // What has become free since.
  void take() {
    for (int fd = open("/dev/null", O_RDONLY); fd >= 0; fd = open("/dev/null", O_RDONLY)) taken_.push_back(fd);
  }
  ~NoDescriptors() {
    for (const int fd : taken_) close(fd);
    setrlimit(RLIMIT_NOFILE, &before_);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

}  // namespace tandem
