// SPDX-License-Identifier: Apache-2.0
// The faults of one machine's link: begins them, ends them in time, and measures what they do. They never arm, reset or
// write anything.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>

#include "tandem/base/stepped_time.hpp"
#include "tandem/runtime/chaos/hop.hpp"
#include "tandem/runtime/chaos/measurement.hpp"
#include "tandem/runtime/chaos/report.hpp"
#include "tandem/runtime/supervision/event.hpp"

namespace tandem::runtime::chaos {

// Any thread. Time is real time, as in the proxies. Its own thread sleeps until there are faults, and then samples the
// machine a hundred times a second until ten seconds after them at most.
class Injector {
 public:
  // `look`: how the machine is now; called from any thread, at once, without a lock of the caller.
  Injector(std::string machine, bool is_virtual, Hop hop, std::function<Sample()> look, OnEvent on_event);
  ~Injector();
  Injector(const Injector&) = delete;
  Injector& operator=(const Injector&) = delete;

  const std::string& url() const { return hop_.url(); }

  // Takes the place of faults that are on. Refused for a real device that is armed, unless `i_know`. The text says what
  // was begun, with its seed.
  Result<std::string> begin(const Terms& terms, bool i_know, std::string_view by);
  // Lifts the faults at once; what they did is still measured.
  std::string clear(std::string_view by);

  // Calls `arm` unless faults are on that a real device may not be armed with; nothing begins meanwhile.
  Result<void> arm(const std::function<Result<void>()>& arm);

  std::string status() const;  // "ready", or what is on and how long it still lasts
  std::string last_result() const;
  Report report() const;

 private:
  struct Run {
    Terms terms;  // with their seed
    std::string by;
    bool i_know = false, active = true;
    Instant begun, ends;
    net::ProxyCounts before;
    Measurement measurement;
  };

  void run(const std::stop_token& stop);
  std::optional<Event> step(const Sample& sample);
  void lift(Instant at);                  // with the mutex
  void put_motion(Report& report) const;  // so
  Event finish();                         // so

  static constexpr std::size_t kept_results = 32;

  const std::string machine_;
  const bool is_virtual_;
  Hop hop_;
  const std::function<Sample()> look_;
  const OnEvent on_event_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::mt19937_64 seeds_{SteppedTime::active() ? 1U : std::random_device{}()};
  std::optional<Run> run_;  // guarded, as is the rest; also once it is over, until its measurement is complete
  std::uint64_t runs_ = 0;
  std::string last_terms_, last_by_;
  net::ProxyCounts last_before_;
  Measured last_measured_;  // of the newest run that is over
  std::deque<RunResult> results_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace tandem::runtime::chaos
