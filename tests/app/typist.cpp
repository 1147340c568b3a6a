// SPDX-License-Identifier: Apache-2.0
#include "tests/app/typist.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace tandem::app {

Typist::Typist(const std::string& program, const std::vector<std::string>& arguments, unsigned short columns,
               unsigned short rows) {
  master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) throw std::runtime_error("pty");
  terminal_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
  resize(columns, rows);
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::setsid();
    ::ioctl(terminal_, TIOCSCTTY, 0);
    for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(terminal_, each);
    ::setenv("TERM", "xterm", 1);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
}

Typist::~Typist() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(terminal_);
  ::close(master_);
}

void Typist::type(std::string_view keys) const { (void)!::write(master_, keys.data(), keys.size()); }

void Typist::resize(unsigned short columns, unsigned short rows) const {
  const winsize size{rows, columns, 0, 0};
  ::ioctl(terminal_, TIOCSWINSZ, &size);
}

tcflag_t Typist::modes() const {
  termios now{};
  ::tcgetattr(terminal_, &now);
  return now.c_lflag & static_cast<tcflag_t>(ICANON | ECHO | ISIG);
}

bool Typist::shows(std::string_view text, std::string_view keys, Duration limit) {
  const Instant until = system_clock().now() + limit;
  std::size_t at = seen_.find(text);
  for (; at == std::string::npos; at = seen_.find(text)) {
    if (system_clock().now() > until) return false;
    type(keys);
    read_some(50ms);
  }
  seen_.erase(0, at + text.size());
  return true;
}

bool Typist::pauses(Duration limit) {
  const Instant until = system_clock().now() + limit;
  int state = 0;
  while (::waitpid(pid_, &state, WNOHANG | WUNTRACED) == 0) {
    if (system_clock().now() > until) return false;
    read_some(10ms);
  }
  return WIFSTOPPED(state);
}

int Typist::finish(Duration limit) {
  const Instant until = system_clock().now() + limit;
  int state = 0;
  while (::waitpid(pid_, &state, WNOHANG) == 0) {
    if (system_clock().now() > until) return -1;
    read_some(10ms);
  }
  pid_ = -1;
  for (std::size_t before = 0; before != all_.size();) {
    before = all_.size();
    read_some(10ms);
  }
  return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
}

const std::string& Typist::read(Duration time) {
  read_some(time);
  return all_;
}

void Typist::read_some(Duration time) {
  pollfd watched{master_, POLLIN, 0};
  if (::poll(&watched, 1, static_cast<int>(time / 1ms)) <= 0) return;
  std::array<char, 4096> bytes;
  const ssize_t count = ::read(master_, bytes.data(), bytes.size());
  if (count <= 0) return;
  seen_.append(bytes.data(), static_cast<std::size_t>(count));
  all_.append(bytes.data(), static_cast<std::size_t>(count));
}

}  // namespace tandem::app
