// SPDX-License-Identifier: Apache-2.0
// The terminal of a running tandem: a page on the alternate screen, which leaves the scrollback alone, or plain lines
// where there is no terminal.
#pragma once

#include <deque>
#include <mutex>
#include <string>

#include "tandem/app/terminal/render.hpp"

namespace tandem::app {

class Console {
 public:
  Console();
  Console(const Console&) = delete;
  ~Console();

  // Any thread, and never waits: the event is written by the next flush(). Of too many the oldest go.
  void event(const runtime::Event& event);
  // The rest is for one thread. Output that is not taken (a stopped terminal, a full pipe) is left for later.
  // On a terminal the newest few events are below the page; elsewhere each is one line.
  void flush();
  void say(const std::string& line);  // stays in the scrollback; ends the page
  // A line that the page always has, whole: the address of the web page.
  void keep(std::string line) { kept_ = std::move(line); }
  // Called often: redraws, or writes a status line when it is time again.
  void show(const runtime::SystemStatus& status);
  // Back to the screen as it was before the page, and what went wrong since the last time onto it.
  void leave();

 private:
  const bool terminal_;
  const bool one_stream_;  // standard error goes where standard output goes: an event is written once, by the log
  void write(const runtime::Event& event);
  void close_page();

  std::mutex mutex_;
  std::deque<runtime::Event> pending_;
  std::deque<std::string> recent_;    // newest last
  std::deque<std::string> warnings_;  // on a terminal, since the last leave()
  std::size_t forgotten_ = 0;         // warnings that were too many
  std::string kept_;
  bool opened_ = false;  // the page, since the last leave()
  Instant next_line_{};
};

}  // namespace tandem::app
