// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/key_terminal.hpp"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "tandem/app/terminal/last_resort.hpp"

namespace tandem::app {
namespace {

// One process has one terminal; a crash has to find how it was.
termios terminal_before;
volatile std::sig_atomic_t terminal_taken = 0;

void restore_modes() {
  if (terminal_taken != 0) ::tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);  // allowed here, says POSIX
}

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) sigaddset(&signals, each);
  return signals;
}

Error terminal_trouble(const char* what) {
  return {Fault::unsupported, std::string(what) + ": " + std::system_category().message(errno)};
}

}  // namespace

Result<std::unique_ptr<KeyTerminal>> KeyTerminal::take() {
  if (::isatty(STDIN_FILENO) != 1)
    return Error{Fault::unsupported,
                 "standard input: expected a terminal, got something else; start it in a terminal, without a pipe or < "
                 "(over ssh: `ssh -t`; in a container: `-it`)"};
  if (::tcgetpgrp(STDIN_FILENO) != ::getpgrp())
    return Error{Fault::unsupported, "started in the background, without keyboard input: start it without &"};
  if (::tcgetattr(STDIN_FILENO, &terminal_before) != 0) return terminal_trouble("standard input");
  auto terminal = std::unique_ptr<KeyTerminal>(new KeyTerminal);
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTTOU, SIG_IGN);  // or giving the terminal back from the background would stop us
  terminal->signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (terminal->signals_ < 0) return terminal_trouble("signalfd");
  restore_before_death(restore_modes);

  termios keys = terminal_before;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_iflag &= ~static_cast<tcflag_t>(IXON);  // no one stops the output by ^S and wonders
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  keys.c_cc[VSUSP] = _POSIX_VDISABLE;  // a suspended program would leave the shell without echo
  terminal_taken = 1;
  if (::tcsetattr(STDIN_FILENO, TCSAFLUSH, &keys) != 0) return terminal_trouble("standard input");
  return terminal;
}

KeyTerminal::~KeyTerminal() {
  if (terminal_taken != 0) {
    ::tcflush(STDIN_FILENO, TCIFLUSH);  // keys still held are not for the shell
    ::tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
    terminal_taken = 0;
  }
  restore_before_death(nullptr);
  if (signals_ >= 0) ::close(signals_);
}

KeyTerminal::Input KeyTerminal::wait(Duration time) {
  std::array<pollfd, 2> watched{{{STDIN_FILENO, POLLIN, 0}, {signals_, POLLIN, 0}}};
  const auto limit = std::chrono::ceil<std::chrono::milliseconds>(std::max<Duration>(time, 0s)).count();
  Input input;
  if (::poll(watched.data(), watched.size(), static_cast<int>(limit)) <= 0) return input;
  if ((watched[1].revents & POLLIN) != 0) {
    signalfd_siginfo told{};
    if (::read(signals_, &told, sizeof told) == static_cast<ssize_t>(sizeof told))
      input.signal = static_cast<int>(told.ssi_signo);
    input.ended = true;
    return input;
  }
  if (watched[0].revents == 0) return input;
  std::array<char, 256> bytes;
  const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count > 0) input.bytes.assign(bytes.data(), static_cast<std::size_t>(count));
  input.ended = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
  return input;
}

}  // namespace tandem::app
