// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/injector.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>

namespace tandem::runtime::chaos {
namespace {

constexpr Duration sample_period = 10ms;
constexpr std::uint64_t seeds = 1'000'000;  // of those that nobody chose: short enough to be typed

PathReport difference(const net::PathCounts& now, const net::PathCounts& before) {
  return {now.chunks - before.chunks,         now.bytes_in - before.bytes_in,   now.dropped - before.dropped,
          now.duplicated - before.duplicated, now.reordered - before.reordered, now.corrupted - before.corrupted};
}

}  // namespace

Injector::Injector(std::string machine, bool is_virtual, Hop hop, std::function<Sample()> look, OnEvent on_event)
    : machine_(std::move(machine)),
      is_virtual_(is_virtual),
      hop_(std::move(hop)),
      look_(std::move(look)),
      on_event_(std::move(on_event)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Injector::~Injector() {
  thread_.request_stop();
  thread_.join();
}

Result<std::string> Injector::begin(const Terms& terms, bool i_know, std::string_view by) {
  if (auto suits = hop_.suits(terms); !suits) return within(machine_, std::move(suits).error());
  std::vector<Event> events;
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    const Sample sample = look_();
    if (!is_virtual_ && !i_know && sample.moves && sample.arm.state == ArmState::armed)
      return Error{
          Fault::busy,
          fmt::format("{}: expected a disarmed machine, as its device is real, got an armed one; disarm it, or "
                      "add --i-know if every person near it is safe",
                      machine_)};
    if (run_) {
      lift(now());
      events.push_back(finish());
    }
    const Instant begun = now();
    Run run{terms, std::string(by),          i_know,        true,
            begun, begun + length_of(terms), hop_.counts(), Measurement(begun, breaks_link(terms))};
    if (!run.terms.seed) run.terms.seed = seeds_() % seeds;
    run.measurement.add(sample);
    hop_.apply(run.terms, *run.terms.seed);
    ++runs_;
    last_terms_ = text_of(run.terms);
    last_by_ = run.by;
    last_before_ = run.before;
    text = words_of(run.terms);
    events.push_back({machine_, "chaos", fmt::format("{}, by {}", text, by), true});
    run_.emplace(std::move(run));
  }
  changed_.notify_all();
  for (const Event& event : events) on_event_(event);
  return fmt::format("{}: {}", machine_, text);
}

std::string Injector::clear(std::string_view by) {
  {
    const std::lock_guard lock(mutex_);
    if (!run_ || !run_->active) return fmt::format("{}: no faults", machine_);
    lift(now());
  }
  on_event_({machine_, "chaos", fmt::format("cleared by {}", by)});
  return fmt::format("{}: cleared", machine_);
}

Result<void> Injector::arm(const std::function<Result<void>()>& arm) {
  const std::lock_guard lock(mutex_);
  if (!is_virtual_ && run_ && run_->active && !run_->i_know)
    return Error{Fault::busy, fmt::format("its device is real and faults are on its link ({}); `tandem chaos {} clear` "
                                          "first",
                                          text_of(run_->terms), machine_)};
  return arm();
}

void Injector::run(const std::stop_token& stop) {
  ::pthread_setname_np(::pthread_self(), "chaos");
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return run_.has_value(); })) return;
    }
    if (const auto event = step(look_())) on_event_(*event);
    std::unique_lock lock(mutex_);
    const Instant next = now() + sample_period;
    changed_.wait_until(lock, stop, run_ && run_->active ? std::min(next, run_->ends) : next, [] { return false; });
  }
}

std::optional<Event> Injector::step(const Sample& sample) {
  const std::lock_guard lock(mutex_);
  // It may have been replaced while the machine was looked at.
  if (!run_ || sample.at < run_->begun) return std::nullopt;
  run_->measurement.add(sample);
  if (run_->active && now() >= run_->ends) lift(now());
  if (!run_->measurement.complete(now())) return std::nullopt;
  return finish();
}

void Injector::lift(Instant at) {
  if (!run_->active) return;
  hop_.lift(run_->terms);
  run_->active = false;
  run_->measurement.faults_ended(at);
}

Event Injector::finish() {
  last_measured_ = run_->measurement.result();
  const std::string text =
      fmt::format("{}: {} [{}]", machine_, words_of(last_measured_, is_virtual_, look_().moves), text_of(run_->terms));
  results_.push_back({runs_, text});
  if (results_.size() > kept_results) results_.pop_front();
  run_.reset();
  return {machine_, "chaos", fmt::format("over: {}", text.substr(machine_.size() + 2))};
}

std::string Injector::status() const {
  const std::lock_guard lock(mutex_);
  if (!run_ || !run_->active) return "ready";
  Report report;
  put_motion(report);
  const std::string motion = motion_text(report);
  return fmt::format("{}, {:.1f} s left{}{}", text_of(run_->terms), std::max(0.0, seconds(run_->ends - now())),
                     motion.empty() ? "" : ", ", motion);
}

void Injector::put_motion(Report& report) const {
  const Measured& measured = run_ ? run_->measurement.result() : last_measured_;
  report.unit = measured.unit, report.moved = measured.moved, report.speed = measured.speed;
}

std::string Injector::last_result() const {
  const std::lock_guard lock(mutex_);
  return results_.empty() ? std::string() : results_.back().text;
}

Report Injector::report() const {
  const Sample sample = look_();
  const std::lock_guard lock(mutex_);
  const net::ProxyCounts counts = hop_.counts();
  Report report;
  report.machine = machine_;
  report.is_virtual = is_virtual_;
  report.streams = hop_.has_streams();
  report.datagrams = hop_.has_datagrams();
  report.active = run_ && run_->active;
  report.measuring = run_.has_value();
  report.run = runs_;
  report.terms = last_terms_;
  report.by = last_by_;
  if (report.active) report.remaining = std::max(0.0, seconds(run_->ends - now()));
  report.state = sample.state;
  report.quality = sample.quality;
  if (sample.moves) report.arm = name(sample.arm.state);
  report.rate = sample.rate;
  report.age = sample.age;
  put_motion(report);
  report.to_device = difference(counts.to_device, last_before_.to_device);
  report.to_client = difference(counts.to_client, last_before_.to_client);
  report.cuts = counts.cuts - last_before_.cuts;
  report.connections = counts.connections - last_before_.connections;
  report.results.assign(results_.begin(), results_.end());
  return report;
}

}  // namespace tandem::runtime::chaos
