// SPDX-License-Identifier: Apache-2.0
#include "bench/soak_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace bench {

Child::Child(std::string program, const std::filesystem::path& folder, const std::string& name,
             const std::string& config)
    : program_(std::move(program)),
      config_(folder / (name + ".yaml")),
      log_(folder / (name + ".log")),
      control_(folder / (name + ".sock")) {
  std::ofstream(config_) << config;
  start();
}

void Child::start() {
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot start a process");
  if (pid_ > 0) return;
  // The child: only calls that are safe between fork and exec.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int out = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::execl(program_.c_str(), program_.c_str(), "run", config_.c_str(), "--control", control_.c_str(), nullptr);
  ::_exit(127);
}

void Child::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

std::optional<runtime::MachineStatus> Child::status() const {
  const auto status = runtime::ask_status(control_, 500ms);
  if (!status || status->machines.empty()) return std::nullopt;
  return status->machines.front();
}

bool Child::command(const std::string& what) const { return runtime::ask_text(control_, what, "", 1s).ok(); }

}  // namespace bench
