// SPDX-License-Identifier: Apache-2.0
// Keeps one machine's link: connects, cycles, notices loss and staleness, and comes back, indefinitely.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/kit/paced.hpp"
#include "tandem/machines/shared.hpp"
#include "tandem/net/backoff.hpp"
#include "tandem/runtime/supervision/arm_latch.hpp"
#include "tandem/runtime/supervision/event.hpp"
#include "tandem/runtime/supervision/histogram.hpp"
#include "tandem/runtime/supervision/rate_watch.hpp"

namespace tandem::runtime {

enum class LinkState : std::uint8_t {
  down,        // lost, before the next attempt
  connecting,  // trying, or waiting to try again
  syncing,     // connected; no live sample yet, or none any more
  live,
  faulted,  // its thread threw: out of service until tandem is started again
};
const char* name(LinkState state);

// All of a link that others may know, as of its last change or cycle.
struct LinkStatus {
  LinkState state = LinkState::down;
  Quality quality = Quality::invalid;
  ShortText<160> cause;    // why it is not live
  ShortText<200> warning;  // why its samples come more seldom than configured; empty: they do not
  Instant last_live{};     // the newest live sample; the epoch before the first
  Instant last_cycle{};
  double rate = 0;            // live samples per second over the last second or so
  std::uint64_t samples = 0;  // live ones
  std::uint64_t invalid = 0;  // samples that were not believed
  std::uint64_t connects = 0;
  std::uint64_t attempts = 0;  // connects and failed attempts
  std::uint64_t stale_episodes = 0;
  std::uint64_t skipped = 0;  // cycles that were never begun: their turns were too long ago
};

struct Hops {
  Histogram solve;    // readable -> solved
  Histogram publish;  // solved -> published
  Histogram total;    // readable -> published
  Histogram late;     // its turn -> the cycle has begun; empty where the device sets the pace
};

struct SupervisorOptions {
  Duration connect_timeout = 500ms;  // for each round trip of a connect, and from it to the first sample
  Duration longest_pause = 500ms;    // of the thread while armed
  std::uint64_t seed = 1;            // of the back-off's jitter
  int calm_cycles = 50;              // live ones before a worker runs the machine
};

// Everything but step() and run() may be called from any thread.
class Supervisor {
 public:
  Supervisor(std::string name, std::unique_ptr<machines::Machine> machine, Clock& clock, OnEvent on_event,
             SupervisorOptions options = {}, OnIncident on_incident = {});

  // One attempt to connect with its wait, or one cycle.
  void step(const std::stop_token& stop);
  // The same cycle in two halves, for a worker. False: it takes a step().
  bool ask();
  bool take();  // whether the cycle is over
  // Whether a worker may run it: it is live, has been calm for a while, and its cycles are single exchanges.
  bool shares() const;
  bool can_share() const { return shared_ != nullptr; }
  machines::Shared& shared() { return *shared_; }
  void moved();  // to another thread
  // Steps until a stop is requested, then disconnects. Whatever the machine throws ends here: faulted, and named.
  // `share` is called whenever a worker may run the machine, and returns when that is over.
  using Share = std::function<void(const std::stop_token& stop)>;
  void run(const std::stop_token& stop, const Share& share = {}) noexcept;

  const std::string& name() const { return name_; }
  bool moves() const { return moves_; }
  LinkStatus status() const;  // its rate falls to zero when samples end
  const Hops& hops() const { return hops_; }
  ArmLatch& latch() { return latch_; }
  const ArmLatch& latch() const { return latch_; }
  std::vector<machines::Value> values() const { return machine_->values(); }
  std::vector<machines::Metric> metrics() const { return machine_->metrics(); }
  machines::Scene scene() const { return machine_->scene(); }
  machines::Picture picture() const { return machine_->picture(); }
  machines::Picture beside_picture() const { return machine_->beside_picture(); }
  ros2::FullNode* ros_node() { return machine_->ros_node(); }
  machines::Machine& machine() { return *machine_; }

  Duration stale_limit() const { return stale_limit_; }
  Duration silence_limit() const { return silence_limit_; }

 private:
  void attempt(const std::stop_token& stop);
  void one_cycle();
  machines::Permit begin_cycle();
  void end_cycle(const Result<machines::Cycle>& cycle);
  void count_calm(const machines::Cycle& cycle);
  void account(const machines::Cycle& cycle, Instant now);
  void became_live(Instant now);
  void check_age(const machines::Cycle& cycle, Instant now);
  void lost(const std::string& cause, const std::stop_token& stop);
  void wait_to_retry(const std::stop_token& stop);
  void enter(LinkState state, std::string_view cause);
  void count_rate(Instant now);
  void judge_rate();
  void watch_gate(const machines::Cycle& cycle);
  void watch_protective_stop(const machines::Cycle& cycle);
  void stopped(std::string_view why);
  // False: too close behind the last of its kind, and only counted; then nothing is allocated.
  bool tell(std::string_view kind, std::string_view text, bool bad = false);
  void incident(std::string_view cause, std::string_view text);  // said each time, unlike events

  const std::string name_;
  const std::unique_ptr<machines::Machine> machine_;
  Clock& clock_;
  const OnEvent on_event_;
  const OnIncident on_incident_;
  const SupervisorOptions options_;
  const machines::Paced* const paced_;  // the machine, if it has a rate
  machines::Shared* const shared_;      // the machine, if a worker can run it
  const bool moves_;
  const Duration stale_limit_, silence_limit_;
  ArmLatch latch_;
  Hops hops_;
  Latest<LinkStatus> shown_;

  // Of the machine's thread.
  LinkStatus status_;
  net::Backoff backoff_;
  bool linked_ = false;
  bool was_live_ = false;            // since this connect
  bool protective_stop_ = true;      // the device has stopped itself; one that had before is no news
  ShortText<160> refused_;           // why the last sample was, as reported; empty since one was live
  bool began_live_ = false;          // the present cycle
  Instant lapses_{};                 // when the permit of the present cycle does, if nothing else ends it
  int calm_cycles_ = 0;              // live ones, since one that was prepared or brought nothing
  std::optional<std::string> loss_;  // why the link is lost, until that is handled
  Instant away_since_{}, live_since_{}, last_readable_{}, last_heard_{}, last_away_line_{};
  Instant rate_since_{};
  std::uint64_t rate_samples_ = 0;
  RateWatch rate_watch_;
  CpuWait cpu_wait_;
  Instant last_slow_line_{};
  struct Told {
    Instant last{};
    int held_back = 0;
  };
  std::map<std::string_view, Told> reported_;  // so that a flapping device does not flood the log
};

}  // namespace tandem::runtime
