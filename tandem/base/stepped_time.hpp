// SPDX-License-Identifier: Apache-2.0
// Simulated time for a whole process: threads take turns, one runs at a time, and when all of them wait, time jumps to
// the earliest deadline. Sockets stay real. What happens depends on the order of the threads and on what they send,
// not on how fast the host is: a run can be repeated, and is as fast as its computations.
//
// A thread takes part when it is a tandem::Thread (base/thread.hpp) or has made the SteppedTime. Others (a page, a
// writer of files) run beside it in real time and read the simulated clock.
#pragma once

#include <poll.h>

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "tandem/base/clock.hpp"

namespace tandem {

namespace stepped {
class OneCore;
}

class SteppedTime {
 public:
  struct Options {
    double speed = 0;     // maximum, in multiples of real time; 0: no limit
    Duration work = 1us;  // what a turn takes: two events seldom share a stamp, and every loop on the clock ends
  };
  static constexpr Instant origin{1h};                                       // when it begins
  static constexpr UtcTime utc_origin{std::chrono::seconds(1'767'225'600)};  // 2026-01-01, at `origin`

  // From here on now() and system_clock() are simulated; the calling thread takes part and has the turn. Throws
  // std::logic_error when there is one already, std::system_error when the system has no descriptor left.
  explicit SteppedTime(const Options& options);
  SteppedTime() : SteppedTime(Options{}) {}
  // On the thread that made it: waits for all other participants to end; then time is real again.
  ~SteppedTime();
  SteppedTime(const SteppedTime&) = delete;
  SteppedTime& operator=(const SteppedTime&) = delete;

  static bool active() { return detail::stepped_nanoseconds.load(std::memory_order_relaxed) >= 0; }
  static bool takes_part();  // the calling thread, in one that is active

  // As ppoll until a deadline, by the simulated clock, for any thread while it is active. Returns also when `ready`
  // is true; that is asked by other threads while the caller waits, and must not block.
  using Ready = std::function<bool()>;
  static int wait(std::span<pollfd> watched, Instant deadline, const Ready& ready = {});

  // How a thread takes part: its creator makes the seat, so that the order of seats does not depend on when threads
  // begin to run. Null seats are of real time; all of this does nothing then.
  struct Seat;
  static std::shared_ptr<Seat> reserve(std::string name);
  static void sit_down(const std::shared_ptr<Seat>& seat);   // the new thread, first; returns with the turn
  static void leave(const std::shared_ptr<Seat>& seat);      // the same thread, last
  static void give_back(const std::shared_ptr<Seat>& seat);  // its thread could not be started
  static void wait_until_left(const std::shared_ptr<Seat>& seat);

  struct Table;

 private:
  std::shared_ptr<Table> table_;
  std::unique_ptr<stepped::OneCore> core_;  // restored by the thread that made it
};

}  // namespace tandem
