// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace bench {

// This program as another process, with words that say which part to play.
class Other {
 public:
  explicit Other(const char* part, const std::string& argument = "", const std::string& more = "") : pid_(fork()) {
    if (pid_ != 0) return;
    execl("/proc/self/exe", "bench_ros2", part, argument.c_str(), more.c_str(), nullptr);
    _exit(127);
  }
  ~Other() {
    kill(pid_, SIGCONT);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  void pause() const { kill(pid_, SIGSTOP); }

 private:
  pid_t pid_;
};

}  // namespace bench
