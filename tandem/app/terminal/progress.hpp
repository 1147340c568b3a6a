// SPDX-License-Identifier: Apache-2.0
// How far a long answer is, on standard error: a bar that is redrawn on a terminal, a line every 2 s elsewhere.
#pragma once

#include <string>

#include "tandem/base/clock.hpp"

namespace tandem::app {

// What to write, without writing it.
class ProgressText {
 public:
  ProgressText(std::string what, bool terminal, Instant start);

  // Bytes for standard error, or nothing yet. The first comes after half a second (2 s where there is no terminal):
  // what is quicker than that needs no bar.
  std::string at(double fraction, Instant now);
  // Takes the bar away.
  std::string end() const;

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  Instant start_, next_;
};

// "3 s", "2 min 05 s", "1 h 10 min".
std::string duration_text(double seconds);

}  // namespace tandem::app
