// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/console.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "tandem/app/terminal/last_resort.hpp"
#include "tandem/app/terminal/screen.hpp"
#include "tandem/runtime/log.hpp"

namespace tandem::app {

namespace {

constexpr std::size_t most_recent = 100;
constexpr std::size_t most_warnings = 100;
constexpr Duration line_every = 5s;
constexpr std::size_t most_pending = 1000;
constexpr Duration patience = 500ms;  // for the first and last lines

// True when a write of ordinary length would not wait.
bool taken(int fd, Duration limit) {
  pollfd watched{fd, POLLOUT, 0};
  return ::poll(&watched, 1, static_cast<int>(limit / 1ms)) == 1;
}

bool same_stream() {
  struct stat out {
  }, err{};
  return ::fstat(STDOUT_FILENO, &out) == 0 && ::fstat(STDERR_FILENO, &err) == 0 && out.st_dev == err.st_dev &&
         out.st_ino == err.st_ino;
}

void write_out(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

ScreenSize terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

bool can_draw() {
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

std::string clock_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

// The alternate screen without a cursor, and the way back. One process has one terminal; a signal has to find how it
// is.
constexpr std::string_view enter_screen = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view leave_screen = "\x1b[?25h\x1b[?1049l";
volatile std::sig_atomic_t on_screen = 0;

void leave_by_signal() {
  if (on_screen == 0) return;
  on_screen = 0;
  (void)!::write(STDOUT_FILENO, leave_screen.data(), leave_screen.size());
}

// ^Z: the shell gets its own screen; the next show() takes the other one again.
extern "C" void leave_and_pause(int) {
  leave_by_signal();
  ::raise(SIGSTOP);
}

void watch_pause(bool on) {
  struct sigaction now {};
  if (::sigaction(SIGTSTP, nullptr, &now) != 0) return;
  if (now.sa_handler != (on ? SIG_DFL : leave_and_pause)) return;
  struct sigaction then {};
  then.sa_handler = on ? leave_and_pause : SIG_DFL;
  then.sa_flags = SA_RESTART;
  ::sigaction(SIGTSTP, &then, nullptr);
}

}  // namespace

Console::Console() : terminal_(can_draw()), one_stream_(same_stream()) {}

Console::~Console() {
  leave();
  close_page();  // waits for a stopped terminal: nothing else is left to do
}

void Console::event(const runtime::Event& event) {
  const std::lock_guard lock(mutex_);
  if (pending_.size() == most_pending) pending_.pop_front();
  pending_.push_back(event);
}

void Console::flush() {
  while (taken(STDOUT_FILENO, 0s) && taken(STDERR_FILENO, 0s)) {
    runtime::Event event;
    {
      const std::lock_guard lock(mutex_);
      if (pending_.empty()) return;
      event = std::move(pending_.front());
      pending_.pop_front();
    }
    write(event);
  }
}

void Console::write(const runtime::Event& event) {
  if (!terminal_ || !one_stream_) runtime::log_event(event);
  if (terminal_) {
    if (event.kind == "log" && !event.bad) return;  // the page above shows the same numbers
    recent_.push_back(render_event(event));
    if (recent_.size() > most_recent) recent_.pop_front();
    if (!event.bad) return;
    warnings_.push_back(fmt::format("{} {}", clock_time(), recent_.back()));
    if (warnings_.size() <= most_warnings) return;
    warnings_.pop_front();
    ++forgotten_;
  } else if (!one_stream_) {
    write_out(render_event(event) + '\n');
  }
}

void Console::say(const std::string& line) {
  flush();
  leave();
  if (taken(STDOUT_FILENO, patience)) write_out(line + '\n');
}

void Console::show(const runtime::SystemStatus& status) {
  const Instant now = system_clock().now();
  flush();
  if (!taken(STDOUT_FILENO, 0s)) return;
  if (!terminal_) {
    if (now < next_line_) return;
    if (next_line_ != Instant{}) write_out(render_line(status) + '\n');
    next_line_ = now + line_every;
    return;
  }
  std::string page;
  if (on_screen == 0) {
    restore_before_death(leave_by_signal);
    watch_pause(true);
    opened_ = true;
    page = enter_screen;
    on_screen = 1;
  }
  page += "\x1b[H";
  // A line is erased before it is written: behind its last column the cursor still is on it.
  const auto lines = screen_lines(status, kept_, recent_, terminal_size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool last = i + 1 == lines.size();
    page += fmt::format("{}{}{}", last ? "\x1b[J" : "\x1b[K", lines[i], last ? "" : "\r\n");
  }
  write_out(page);
}

void Console::close_page() {
  if (!std::exchange(opened_, false)) return;
  if (on_screen != 0) write_out(std::string(leave_screen));
  on_screen = 0;
  watch_pause(false);
  restore_before_death(nullptr);
}

void Console::leave() {
  if ((!opened_ && warnings_.empty()) || !taken(STDOUT_FILENO, patience)) return;
  close_page();
  if (forgotten_ > 0) write_out(fmt::format("({} earlier warnings are not shown)\n", std::exchange(forgotten_, 0)));
  for (const std::string& line : std::exchange(warnings_, {})) write_out(line + '\n');
}

}  // namespace tandem::app
