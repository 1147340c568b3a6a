// SIGINT and SIGTERM as something to wait for.
#pragma once

#include "tandem/base/clock.hpp"

namespace tandem::app {

// Made before any thread is started, so that all of them leave the signals to wait().
class Signals {
 public:
  Signals();
  // True when one came within the time. From then on a second one ends the process at once.
  bool wait(Duration time);
};

}  // namespace tandem::app
