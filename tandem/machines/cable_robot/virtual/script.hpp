// SPDX-License-Identifier: Apache-2.0
// Faults of the virtual cable robot at set times, as its configuration lists them.
//
// Each is a text: the time since the start in seconds, a word, and what the word asks for. Winches count from 0.
//   "5 cut 3"            the cable of winch 3 is cut
//   "5 stick 3"          its drum is stuck
//   "5 break 3"          its load cell breaks
//   "5 slip 3 0.01"      its cable slips on the drum by 0.01 m
//   "9 repair 3"           cut, stick and break are over
//   "5 silence 1.5"      no answers for 1.5 s
//   "5 late 0.05 1.5"    answers 0.05 s late, for 1.5 s
//   "5 exception 1.5"    exceptions instead of answers, for 1.5 s
//   "5 close"            closes the next connection that asks
//   "5 restart"          as after power was gone
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"

namespace tandem::cable_robot {

class WinchFaults;

class FaultScript {
 public:
  FaultScript() = default;
  // Throws std::invalid_argument that names the text, what was expected and what was seen.
  FaultScript(std::span<const std::string> texts, int winches);

  bool empty() const { return events_.empty(); }
  // All that is due by now and was not yet.
  void play(Duration running, WinchFaults& faults);

 private:
  enum class Verb {
    cut,
    stick,
    break_cell,
    slip,
    repair,
    silence,
    silence_over,
    late,
    late_over,
    exception,
    exception_over,
    close,
    restart
  };
  struct Event {
    Duration at{};
    Verb verb{};
    int winch = 0;
    double amount = 0;  // m or s
  };
  void add(const std::string& text, int winches);
  static void perform(const Event& event, WinchFaults& faults);

  std::vector<Event> events_;  // by time
  std::size_t next_ = 0;
};

}  // namespace tandem::cable_robot
