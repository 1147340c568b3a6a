// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/supervisor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace tandem::runtime {

namespace {
constexpr Duration shortest_stale = 100ms;
constexpr Duration shortest_silence = 1s;
constexpr Duration away_line_every = 10s;
constexpr Duration steady_after = 1s;  // live this long: the next loss starts the back-off again
constexpr Duration same_line_every = 1s;
constexpr Duration rate_window = 1s;
constexpr Duration slow_line_every = 60s;
constexpr Duration stop_asked_every = 50ms;

std::string since_text(Duration age) { return fmt::format("no live sample for {:.0f} ms", seconds(age) * 1e3); }
}  // namespace

const char* name(LinkState state) {
  switch (state) {
    case LinkState::down:
      return "down";
    case LinkState::connecting:
      return "connecting";
    case LinkState::syncing:
      return "syncing";
    case LinkState::live:
      return "live";
    case LinkState::faulted:
      return "faulted";
  }
  return "?";
}

Supervisor::Supervisor(std::string name, std::unique_ptr<machines::Machine> machine, Clock& clock, OnEvent on_event,
                       SupervisorOptions options, OnIncident on_incident)
    : name_(std::move(name)),
      machine_(std::move(machine)),
      clock_(clock),
      on_event_(std::move(on_event)),
      on_incident_(std::move(on_incident)),
      options_(options),
      paced_(dynamic_cast<const machines::Paced*>(machine_.get())),
      shared_(dynamic_cast<machines::Shared*>(machine_.get())),
      moves_(machine_->moves()),
      stale_limit_(std::max<Duration>(3 * machine_->period(), shortest_stale)),
      silence_limit_(std::max<Duration>(10 * machine_->period(), shortest_silence)),
      latch_(clock, std::max<Duration>(options.longest_pause, 5 * machine_->period())),
      backoff_(options.seed),
      away_since_(clock.now()),
      rate_watch_(paced_ != nullptr ? paced_->rate() : 0) {
  shown_.put(status_);
}

LinkStatus Supervisor::status() const {
  LinkStatus status = shown_.get().value_or(LinkStatus{});
  const Duration age = clock_.now() - status.last_live;
  if (age > 2 * rate_window) status.rate = 0;
  // Its thread should have said so by now: it hangs in a cycle.
  if (status.quality == Quality::live && age > 2 * stale_limit_) {
    status.quality = Quality::stale;
    if (status.cause.empty()) status.cause = since_text(age) + "; its thread is not responding";
  }
  return status;
}

void Supervisor::run(const std::stop_token& stop, const Share& share) noexcept {
  std::string cause;
  try {
    while (!stop.stop_requested()) {
      step(stop);
      if (share && shares()) share(stop);
    }
    machine_->disconnect();
    latch_.link_lost("shut down");
    enter(LinkState::down, "shut down");
    return;
  } catch (const std::exception& error) {
    cause = error.what();
  } catch (...) {
    cause = "an exception of unknown type";
  }
  machine_->disconnect();
  const bool disarmed = latch_.link_lost("faulted: " + cause);
  enter(LinkState::faulted, cause);
  tell("faulted", "failed; restart tandem: " + cause, true);
  if (disarmed) incident("lost", cause);
}

void Supervisor::step(const std::stop_token& stop) {
  if (!loss_) linked_ ? one_cycle() : attempt(stop);
  if (loss_) lost(*std::exchange(loss_, std::nullopt), stop);
}

bool Supervisor::ask() {
  const auto asked = shared_->ask(begin_cycle());
  if (!asked) loss_ = asked.error().text;
  return asked && *asked;
}

bool Supervisor::take() {
  const auto cycle = shared_->take();
  if (cycle) end_cycle(*cycle);
  return cycle.has_value();
}

bool Supervisor::shares() const {
  return shared_ != nullptr && !loss_ && calm_cycles_ >= options_.calm_cycles && shared_->may_share();
}

void Supervisor::moved() { cpu_wait_ = {}; }

void Supervisor::attempt(const std::stop_token& stop) {
  if (status_.state != LinkState::connecting) enter(LinkState::connecting, status_.cause);
  ++status_.attempts;
  const auto connected = machine_->connect(clock_.now() + options_.connect_timeout);
  const Instant now = clock_.now();
  if (connected) {
    ++status_.connects;
    linked_ = true;
    was_live_ = false;
    last_heard_ = now;
    last_readable_ = {};
    return enter(LinkState::syncing, "waiting for the first sample");
  }
  machine_->disconnect();
  if (const auto why = machine_->take_stop()) stopped(*why);
  enter(LinkState::connecting, connected.error().text);
  const bool first = last_away_line_ == Instant{};
  if (first || now - last_away_line_ >= away_line_every) {
    last_away_line_ = now;
    tell("away",
         fmt::format("unreachable for {:.0f} s, retrying: {}", seconds(now - away_since_), connected.error().text),
         true);
  }
  wait_to_retry(stop);
}

void Supervisor::one_cycle() { end_cycle(machine_->cycle(begin_cycle())); }

machines::Permit Supervisor::begin_cycle() {
  bool paused = false;
  began_live_ = status_.state == LinkState::live;
  lapses_ = status_.last_live + stale_limit_;
  const machines::Permit permit = latch_.permit(paused, lapses_);
  if (paused) {
    const std::string cause(latch_.status().cause);
    tell("disarmed", cause, true);
    incident("lost", cause);
  }
  return moves_ ? permit : machines::Permit();
}

void Supervisor::end_cycle(const Result<machines::Cycle>& cycle) {
  if (!cycle) {
    calm_cycles_ = 0;
    loss_ = cycle.error().text;
    return;
  }
  const Instant now = clock_.now();
  account(*cycle, now);
  check_age(*cycle, now);
  count_calm(*cycle);
  if (cycle->disarm && latch_.disarm(cycle->why, "device")) tell("disarmed", std::string(cycle->why), true);
  if (cycle->stop) stopped(cycle->why);
  watch_protective_stop(*cycle);
  // A permit that lapsed within the cycle has ended the motion. A sample that came at its end must not begin it again.
  // One that began before the link was live ends nothing: it let no output leave.
  if (moves_ && began_live_ && !cycle->prepared && now >= lapses_ && latch_.status().state == ArmState::armed) {
    const std::string cause = since_text(now - (lapses_ - stale_limit_));
    if (latch_.disarm(cause, "tandem")) {
      tell("disarmed", cause, true);
      incident("lost", cause);
    }
  }
  const Duration silence = now - last_heard_;
  const Duration limit = was_live_ ? silence_limit_ : std::max(options_.connect_timeout, stale_limit_);
  if (silence > limit) loss_ = fmt::format("connected, but no data for {:.1f} s", seconds(silence));
  if (!loss_) shown_.put(status_);
}

// One sample that came and was not believed does not move a machine to its own thread: on a busy host that would turn
// a fleet into as many threads. One that did not come does, and so do samples that stay away until the link is stale.
void Supervisor::count_calm(const machines::Cycle& cycle) {
  const bool answered = cycle.readable != Instant{} && status_.state == LinkState::live;
  if (cycle.prepared || !answered)
    calm_cycles_ = 0;
  else if (cycle.quality == Quality::live)
    calm_cycles_ = std::min(calm_cycles_ + 1, options_.calm_cycles);
}

void Supervisor::account(const machines::Cycle& cycle, Instant now) {
  status_.last_cycle = now;
  if (cycle.late) hops_.late.add(*cycle.late);
  if (paced_ != nullptr) status_.skipped = paced_->skipped();
  if (cycle.readable > last_readable_) {
    last_readable_ = cycle.readable;
    last_heard_ = now;
    if (cycle.quality == Quality::invalid) {
      ++status_.invalid;
      watch_gate(cycle);
    }
  }
  if (cycle.quality != Quality::live) return;
  ++status_.samples;
  if (!refused_.empty()) refused_ = {};
  status_.last_live = now;
  status_.quality = Quality::live;
  if (cycle.solved >= cycle.readable) hops_.solve.add(cycle.solved - cycle.readable);
  if (cycle.published >= cycle.solved) {
    hops_.publish.add(cycle.published - cycle.solved);
    hops_.total.add(cycle.published - cycle.readable);
  }
  count_rate(now);
  if (status_.state != LinkState::live) became_live(now);
  if (now - live_since_ >= steady_after) backoff_.reset();
}

void Supervisor::became_live(Instant now) {
  const bool back = status_.stale_episodes > 0 && was_live_;
  was_live_ = true;
  live_since_ = now;
  latch_.link_live();
  enter(LinkState::live, "");
  if (back) {
    tell("fresh", "samples are live again");
  } else {
    tell("live", fmt::format("after {:.0f} ms, attempt {}", seconds(now - away_since_) * 1e3, status_.attempts));
  }
  last_away_line_ = {};
}

void Supervisor::check_age(const machines::Cycle& cycle, Instant now) {
  if (status_.state == LinkState::syncing && !was_live_) {
    if (!cycle.why.empty()) status_.cause = cycle.why;
    return;
  }
  const Duration age = now - status_.last_live;
  if (status_.state != LinkState::live || age <= stale_limit_) return;
  const std::string cause =
      cycle.why.empty() ? since_text(age) : fmt::format("{}: {}", since_text(age), cycle.why.view());
  ++status_.stale_episodes;
  status_.quality = cycle.quality == Quality::invalid ? Quality::invalid : Quality::stale;
  const bool disarmed = latch_.link_lost("stale: " + cause);
  enter(LinkState::syncing, cause);
  tell("stale", cause + (disarmed ? "; disarmed" : ""), true);
  if (disarmed) incident("lost", cause);
}

void Supervisor::lost(const std::string& cause, const std::stop_token& stop) {
  machine_->disconnect();
  rate_watch_.forget();
  calm_cycles_ = 0;
  status_.warning = {};
  linked_ = false;
  const bool disarmed = latch_.link_lost("link lost: " + cause);
  if (was_live_) away_since_ = clock_.now();
  if (status_.quality == Quality::live) status_.quality = Quality::stale;
  enter(LinkState::down, cause);
  if (was_live_) {
    last_away_line_ = clock_.now();
    tell("lost", cause + (disarmed ? "; disarmed" : ""), true);
  } else if (last_away_line_ == Instant{} || clock_.now() - last_away_line_ >= away_line_every) {
    last_away_line_ = clock_.now();
    tell("away", cause, true);
  }
  if (disarmed) incident("lost", cause);
  wait_to_retry(stop);
}

void Supervisor::wait_to_retry(const std::stop_token& stop) {
  const Instant now = clock_.now();
  const Instant until = now + backoff_.next(now - away_since_);
  while (!stop.stop_requested() && clock_.now() < until) {
    clock_.sleep_until(std::min(until, clock_.now() + stop_asked_every));
  }
}

void Supervisor::enter(LinkState state, std::string_view cause) {
  status_.state = state;
  status_.cause = cause;
  shown_.put(status_);
}

void Supervisor::count_rate(Instant now) {
  if (rate_since_ == Instant{} || now - rate_since_ > 2 * rate_window) {
    rate_since_ = now;
    rate_samples_ = 0;
    return;
  }
  ++rate_samples_;
  const Duration window = now - rate_since_;
  if (window >= rate_window || (status_.rate == 0 && window >= rate_window / 5)) {
    status_.rate = static_cast<double>(rate_samples_) / seconds(window);
  }
  if (window >= rate_window) {
    rate_since_ = now;
    rate_samples_ = 0;
    if (rate_watch_.watches()) judge_rate();
  }
}

// Once per window. One line a minute at most: on a busy host the rate may stay near the limit for long.
void Supervisor::judge_rate() {
  const auto cpu_wait = cpu_wait_.take();
  const bool changed = rate_watch_.take(status_.rate);
  if (!rate_watch_.slow()) {
    status_.warning = {};
    return;
  }
  const std::string reason = rate_watch_.reason(status_.rate, paced_->delays(), cpu_wait);
  status_.warning = reason;
  const Instant now = clock_.now();
  if (!changed || (last_slow_line_ != Instant{} && now - last_slow_line_ < slow_line_every)) return;
  last_slow_line_ = now;
  tell("slow", reason, true);
}

// Each reason once until a sample is live again, so that a timeline names the gate. Not of a device that was never
// live.
void Supervisor::watch_gate(const machines::Cycle& cycle) {
  if (status_.samples == 0 || cycle.why.empty() || refused_.view() == cycle.why.view()) return;
  if (tell("gate", cycle.why.view(), true)) refused_ = cycle.why;
}

// Said once, when it begins.
void Supervisor::watch_protective_stop(const machines::Cycle& cycle) {
  if (cycle.quality != Quality::live || cycle.protective_stop == protective_stop_) return;
  protective_stop_ = cycle.protective_stop;
  if (!protective_stop_) return;
  const std::string cause = cycle.why.empty() ? "the device stopped itself" : std::string(cycle.why);
  tell("protective_stop", cause, true);
  incident("protective_stop", cause);
}

void Supervisor::stopped(std::string_view why) {
  const bool latched = latch_.stop(why, "device");
  tell("stopped", std::string(why), true);
  if (latched) incident("stopped", why);
}

void Supervisor::incident(std::string_view cause, std::string_view text) {
  if (on_incident_) on_incident_({name_, cause, std::string(text)});
}

bool Supervisor::tell(std::string_view kind, std::string_view text, bool bad) {
  if (!on_event_) return true;
  Told& told = reported_[kind];
  const Instant now = clock_.now();
  if (told.last != Instant{} && now - told.last < same_line_every) {
    ++told.held_back;
    return false;
  }
  std::string line(text);
  if (told.held_back > 0) line += fmt::format(" ({} similar messages suppressed)", told.held_back);
  told = {now, 0};
  on_event_({name_, kind, std::move(line), bad});
  return true;
}

}  // namespace tandem::runtime
