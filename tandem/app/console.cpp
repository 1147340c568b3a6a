#include "tandem/app/console.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "tandem/runtime/log.hpp"

namespace tandem::app {

namespace {

constexpr std::size_t recent_shown = 6;
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

winsize terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 120, size.ws_row = 50;
  return size;
}

}  // namespace

Console::Console() : terminal_(::isatty(STDOUT_FILENO) == 1), one_stream_(same_stream()) {}

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
    recent_.push_back(render_event(event));
    if (recent_.size() > recent_shown) recent_.pop_front();
  } else if (!one_stream_) {
    write_out(render_event(event) + '\n');
  }
}

void Console::say(const std::string& line) {
  flush();
  drawn_lines_ = 0;  // what was drawn stays above
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
  const winsize size = terminal_size();
  std::string page = render(status, {true, size.ws_col});
  if (!recent_.empty()) page += '\n';
  for (const std::string& line : recent_) page += cut("  " + line, size.ws_col) + '\n';
  // A page longer than the terminal could not be drawn over in place.
  std::size_t lines = 0, end = 0;
  while (end < page.size() && lines + 1 < size.ws_row) {
    end = page.find('\n', end) + 1;
    ++lines;
  }
  page.resize(end);
  const std::string home = drawn_lines_ > 0 ? fmt::format("\x1b[{}A", drawn_lines_) : "";
  write_out(home + "\x1b[J" + page);
  drawn_lines_ = lines;
}

}  // namespace tandem::app
