// The terminal of a running tandem: a page redrawn in place, or plain lines where there is no terminal.
#pragma once

#include <deque>
#include <mutex>
#include <string>

#include "tandem/app/render.hpp"

namespace tandem::app {

class Console {
 public:
  Console();

  // Any thread, and never waits: the event is written by the next flush(). Of too many the oldest go.
  void event(const runtime::Event& event);
  // The rest is for one thread. Output that nobody takes (a stopped terminal, a full pipe) is left for later.
  // On a terminal the newest few events stand below the page; elsewhere each is one line.
  void flush();
  void say(const std::string& line);
  // Called often: redraws, or writes a status line when it is time again.
  void show(const runtime::SystemStatus& status);

 private:
  const bool terminal_;
  const bool one_stream_;  // standard error goes where standard output goes: an event is written once, by the log
  void write(const runtime::Event& event);

  std::mutex mutex_;
  std::deque<runtime::Event> pending_;
  std::deque<std::string> recent_;
  std::size_t drawn_lines_ = 0;
  Instant next_line_{};
};

}  // namespace tandem::app
