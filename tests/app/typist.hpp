// SPDX-License-Identifier: Apache-2.0
// A program in a terminal of its own, and a person who types.
#pragma once

#include <termios.h>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"

namespace tandem::app {

class Typist {
 public:
  Typist(const std::string& program, const std::vector<std::string>& arguments, unsigned short columns = 200,
         unsigned short rows = 40);
  Typist(const Typist&) = delete;
  ~Typist();

  void type(std::string_view keys) const;
  void signal(int number) const { ::kill(pid_, number); }
  void resize(unsigned short columns, unsigned short rows) const;
  tcflag_t modes() const;
  // Types the keys again and again until the output has this, after what the last call waited for.
  bool shows(std::string_view text, std::string_view keys = "", Duration limit = 30s);
  // Waits until a signal has stopped the program (^Z), to be continued.
  bool pauses(Duration limit = 30s);
  // The exit code; -1 when it did not end in time, 128 + number when a signal ended it.
  int finish(Duration limit = 30s);
  // All output so far, after waiting for more of it for at most `time`.
  const std::string& read(Duration time);
  const std::string& screen() const { return all_; }

 private:
  void read_some(Duration time);

  pid_t pid_ = -1;
  int master_ = -1, terminal_ = -1;
  std::string seen_, all_;
};

}  // namespace tandem::app
