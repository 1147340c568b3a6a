// SPDX-License-Identifier: Apache-2.0
#include "tests/app/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace tandem::app {

Process::Process(const std::string& program, const std::vector<std::string>& arguments, const std::string& input) {
  std::array<int, 2> in{}, out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(out[1], STDERR_FILENO);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  out_ = out[0];
  // Inputs of tests are smaller than a pipe's buffer.
  (void)!::write(in[1], input.data(), input.size());
  ::close(in[1]);
}

Process::~Process() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(out_);
}

bool Process::read_some(Instant until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - system_clock().now()).count();
  pollfd watched{out_, POLLIN, 0};
  if (ended_ || left <= 0 || ::poll(&watched, 1, static_cast<int>(left)) <= 0) return false;
  std::array<char, 4096> bytes;
  const ssize_t count = ::read(out_, bytes.data(), bytes.size());
  if (count <= 0) return ended_ = true, false;
  output_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

bool Process::says(const std::string& text, Duration limit) {
  const Instant until = system_clock().now() + limit;
  while (output_.find(text) == std::string::npos) {
    if (!read_some(until)) return false;
  }
  return true;
}

int Process::finish(Duration limit) {
  const Instant until = system_clock().now() + limit;
  while (read_some(until)) {
  }
  int state = 0;
  while (::waitpid(pid_, &state, WNOHANG) == 0) {
    if (system_clock().now() > until) return -1;
    system_clock().sleep_until(system_clock().now() + 5ms);
  }
  pid_ = -1;
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

}  // namespace tandem::app
