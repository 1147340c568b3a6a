// SPDX-License-Identifier: Apache-2.0
// A machine that moves and whose device is polled: turns of its cycle, freshness of its feedback, what it asks of the
// arm latch, and the way of one sample. How its device is driven, braked and switched off is each machine's own.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tandem/base/latest.hpp"
#include "tandem/machines/kit/lines.hpp"
#include "tandem/machines/kit/paced.hpp"
#include "tandem/machines/kit/verdict.hpp"
#include "tandem/machines/machine.hpp"

namespace tandem::machines {

// State has quality, why, live_at, samples and rejected. Sample is what one exchange of the link brings: an Exchange.
template <typename State, typename Sample>
class PolledMachine : public Machine, public Paced, public Speaks {
 public:
  std::optional<std::string> take_stop() override { return std::exchange(stop_, std::nullopt); }
  // A third of the time after which feedback is stale: cycles are shorter, but a late one is not yet stale.
  Duration period() const override { return stale_after_ / 3; }
  double rate() const override { return 1 / cycle_time_; }
  std::uint64_t skipped() const override { return skipped_; }
  bool moves() const override { return true; }
  Lines& lines() override { return lines_; }

  // Called from any thread.
  State state() const { return shared_.get().value_or(State{}); }

 protected:
  // Seconds: of a cycle, until feedback is stale, until a lost link latches a stop.
  PolledMachine(Clock& clock, double cycle, double feedback, double link)
      : clock_(clock), cycle_time_(cycle), stale_after_(duration_of(feedback)), lost_after_(duration_of(link)) {}

  virtual Verdict judge(const Sample& sample) = 0;
  virtual void observe(const Sample& sample) = 0;  // one that is believed
  virtual void publish(Instant received) = 0;

  // From nothing. A link that was lost for too long while the machine moved latches a stop.
  template <typename Link>
  Result<void> connect_link(Link& link, Instant deadline) {
    const Duration away = clock_.now() - measured_at_;
    auto connected = link.connect(deadline);
    share(Quality::stale, connected ? "connected; no sample yet" : connected.error().text);
    if (moved_ && away >= lost_after_) {
      stop_ = fmt::format("the link was lost for {:.1f} s while moving", seconds(away));
      moved_ = false;  // once: a reset holds, whenever the link comes back
    }
    if (!connected) return connected;
    moved_ = refused_ = false;
    disarm_.reset();
    measured_at_ = {};
    next_cycle_ = clock_.now();
    return connected;
  }

  void wait_for_turn() {
    constexpr Duration most_caught_up = 100ms;  // what is further behind is lost
    const Instant now = clock_.now();
    const Instant turn = next_cycle_ += duration_of(cycle_time_);
    if (now - turn > most_caught_up) {
      next_cycle_ = now;
      skipped_ += static_cast<std::uint64_t>((now - turn) / duration_of(cycle_time_));
    }
    clock_.sleep_until(next_cycle_);
    late_ = std::max<Duration>(clock_.now() - turn, Duration{0});
  }

  Instant next_turn() const { return next_cycle_ + duration_of(cycle_time_); }
  void delay_next_turn(Duration delay) { next_cycle_ += delay; }
  // The cycle that has begun is not made, but begins again.
  void give_turn_back() { next_cycle_ -= duration_of(cycle_time_); }

  bool is_fresh(Instant now) const { return measured_at_ != Instant{} && now - measured_at_ <= stale_after_; }
  // Seconds since the sample before this one; none if that is too old to go on from.
  std::optional<double> time_since_last(Instant at) const {
    return is_fresh(at) ? std::optional(seconds(at - measured_at_)) : std::nullopt;
  }

  // At the start of a cycle. A machine that has asked to be disarmed does not start again before it was.
  void see(const Permit& permit) {
    refused_ = refused_ && permit.armed() && permit.arms() == seen_arms_;
    seen_arms_ = permit.arms();
  }
  bool may_start(const Permit& permit, Instant now) const { return permit.armed() && !refused_ && is_fresh(now); }
  // Asked for at the end of this cycle; each gives its reason back.
  std::string_view ask_disarm(std::string why) { return disarm_.emplace(std::move(why)); }
  std::string_view ask_stop(std::string why) { return stop_.emplace(std::move(why)); }
  std::string_view ask_disarm_by_age(Instant now) {
    return ask_disarm(fmt::format("the feedback is {:.0f} ms old", 1e3 * seconds(now - measured_at_)));
  }
  void tell(Cycle& cycle) {
    if (disarm_) {
      cycle.disarm = refused_ = true;
      cycle.why = *std::exchange(disarm_, std::nullopt);
    }
    if (stop_) {
      cycle.stop = true;
      cycle.why = *std::exchange(stop_, std::nullopt);
    }
  }

  // Turns of the cycle before a link is closed in order: while `goes_on`, until `step` fails or `longest` is over.
  template <typename GoesOn, typename Step>
  void farewell(Duration longest, GoesOn goes_on, Step step) {
    const Instant until = clock_.now() + longest;
    while (goes_on() && clock_.now() < until) {
      wait_for_turn();
      if (!step()) return;
    }
  }

  Cycle handle(const Sample& sample) {
    Cycle cycle;
    cycle.late = late_;
    cycle.readable = sample.received;
    cycle.quality = sample.quality;
    cycle.why = sample.why;
    if (cycle.quality == Quality::live) {
      const Verdict verdict = judge(sample);
      cycle.quality = verdict.quality;
      cycle.why = verdict.why;
    }
    if (cycle.quality != Quality::live) {
      state_.rejected += cycle.readable != Instant{} ? 1 : 0;
      share(cycle.quality, cycle.why);
      return cycle;
    }
    observe(sample);
    cycle.solved = clock_.now();
    publish(sample.received);
    cycle.published = clock_.now();
    share(Quality::live, "");
    return cycle;
  }
  void believe(Instant at) {
    measured_at_ = state_.live_at = at;
    ++state_.samples;
  }
  void share(Quality quality, std::string_view why) {
    state_.quality = quality;
    state_.why = why;
    shared_.put(state_);
  }

  Clock& clock_;
  State state_;            // of the machine's thread; others see shared_
  Instant measured_at_{};  // of the newest believed sample; the epoch when there is none
  bool moved_ = false;     // since the device was last switched off in order
  Latest<State> shared_;
  Lines lines_;

 private:
  const double cycle_time_;  // s
  const Duration stale_after_, lost_after_;
  Instant next_cycle_{};               // when the next exchange is due
  Duration late_{};                    // how late this cycle has begun
  std::uint64_t skipped_ = 0;          // turns that were lost
  std::uint64_t seen_arms_ = 0;        // of the permit in this cycle
  bool refused_ = false;               // a disarm was asked for, and has not come yet
  std::optional<std::string> disarm_;  // for the end of this cycle
  std::optional<std::string> stop_;    // the same, latched
};

}  // namespace tandem::machines
