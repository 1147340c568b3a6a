// SPDX-License-Identifier: Apache-2.0
// Standard input as keys, one by one and without echo, and the signals that end a program beside them. The terminal is
// left as it was found, whichever way the program ends.
#pragma once

#include <termios.h>

#include <memory>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"

namespace tandem::app {

class KeyTerminal {
 public:
  // Taken before any thread is started, so that all of them leave the signals to wait(). The error says what standard
  // input is instead of a terminal. Keys that were typed before do not count.
  static Result<std::unique_ptr<KeyTerminal>> take();
  KeyTerminal(const KeyTerminal&) = delete;
  ~KeyTerminal();

  struct Input {
    std::string bytes;   // keys, if any were pressed
    bool ended = false;  // the terminal is gone, or a signal asks to end
    int signal = 0;      // which
  };
  // Returns as soon as there is something, and at the latest after this time.
  Input wait(Duration time);

 private:
  KeyTerminal() = default;

  int signals_ = -1;  // descriptor
};

}  // namespace tandem::app
