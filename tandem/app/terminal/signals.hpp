// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP as something to wait for.
#pragma once

#include "tandem/base/clock.hpp"

namespace tandem::app {

// Made before any thread is started, so that all of them leave the signals to wait(). A SIGHUP that was ignored at the
// start, as nohup does, stays ignored.
class Signals {
 public:
  Signals();
  // True when one came within the time: the process is to end in order. Another one within a second is ignored, since a
  // bouncing key and a closing terminal send several; one that comes later ends the process at once (the terminal
  // is restored before), but not while a FinishFirst exists.
  bool wait(Duration time);
};

// While it exists, no further signal but SIGKILL ends the process: machines take leave of their devices,
// and the end of a recording is being written.
class FinishFirst {
 public:
  FinishFirst();
  FinishFirst(const FinishFirst&) = delete;
  ~FinishFirst();
};

}  // namespace tandem::app
