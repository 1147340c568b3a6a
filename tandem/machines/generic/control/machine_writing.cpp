// SPDX-License-Identifier: Apache-2.0
// The way of a command to the device. Every output is behind the latch, which is asked right before each request.
#include <fmt/format.h>

#include <utility>

#include "tandem/machines/generic/control/machine.hpp"

namespace tandem::generic {
namespace {

constexpr int most_beats_unanswered = 3;  // in a row
constexpr Duration write_wait = 500ms;    // for the answer to one request

}  // namespace

// What was commanded before an arm or a disarm is forgotten, whichever came in between.
void Machine::see_latch(const machines::Permit& permit) {
  const bool armed = permit.armed();
  const bool begins = armed && (!was_armed_ || permit.arms() != arms_);
  if (begins || armed != was_armed_) {
    writer_.begin();
    commands_.see_armed(false);
    beats_unanswered_ = 0;
  }
  if (begins) state_.ended = {};
  was_armed_ = armed;
  arms_ = permit.arms();
  const Instant now = clock_.now();
  const double dt = last_judged_ == Instant{} ? description_->cycle : seconds(now - last_judged_);
  last_judged_ = now;
  armed_ = may_start(permit, now);
  const bool holds = guards_.judge(dt, readings_);
  if (armed_ && !holds) end(guards_.objection());
}

// Outputs end with this cycle; the latch follows.
void Machine::end(std::string why) {
  armed_ = false;
  writer_.begin();
  commands_.see_armed(false);
  state_.ended = why;
  (void)ask_disarm(std::move(why));
}

void Machine::refuse(std::string_view why) {
  ++state_.refused;
  state_.last_refusal = why;
  refusals_log_->warn("refused: {}", why);
}

Result<void> Machine::write(const machines::Permit& permit) {
  if (auto done = write_on_stop(permit); !done) return done;
  see_latch(permit);
  const Instant now = clock_.now();
  take_commands(now);
  if (auto done = armed_ ? write_outputs(permit, now) : Result<void>(); !done) return done;
  if (armed_ && !commands_.armed()) {
    armed_since_ = clock_.now();
    commands_.see_armed(true);
  }
  stoppable_ = armed_ || stopping_;
  stopping_ = false;
  state_.armed = armed_;
  state_.commanded = static_cast<std::uint32_t>(writer_.active());
  return {};
}

Result<void> Machine::write_outputs(const machines::Permit& permit, Instant now) {
  if (auto why = writer_.read_back(now, readings_)) {
    armed_ = false;
    stopping_ = true;
    writer_.begin();
    commands_.see_armed(false);
    state_.ended = *why;
    (void)ask_stop(std::move(*why));
    return {};
  }
  if (auto sent = send(permit, now); !sent) return sent;
  return armed_ && description_->heartbeat && holds(permit) ? beat() : Result<void>();
}

// Right before each request.
bool Machine::holds(const machines::Permit& permit) const { return permit.armed() && permit.arms() == arms_; }

// Mail is taken in any case, so that none of before an arm is found after it.
void Machine::take_commands(Instant now) {
  for (std::size_t i = 0; i < commands_.outputs().size(); ++i) {
    const auto command = commands_.take(i);
    if (!command) continue;
    if (!armed_ || !commands_.armed() || command->at < armed_since_) {
      refuse(fmt::format("{}: not armed", commands_.outputs()[i].name));
      continue;
    }
    if (auto taken = writer_.take(i, *command, now, readings_); !taken) {
      refuse(taken.error().text);
    } else {
      state_.last_refusal = {};
    }
  }
}

Result<void> Machine::send(const machines::Permit& permit, Instant now) {
  const std::vector<Write>& due = writer_.step(now, readings_);
  for (std::size_t begin = 0; begin < due.size();) {
    const auto group = writer_.group(begin);
    if (!holds(permit)) return {};
    outcomes_.clear();
    const Instant at = clock_.now();
    if (auto sent = link_->write(group, outcomes_, at + write_wait); !sent) return sent;
    if (auto why = writer_.note(group, outcomes_, at)) {
      end(std::move(*why));
      return {};
    }
    begin += group.size();
  }
  return {};
}

// One that is lost is made up for by the next; a device that refuses it would never miss us.
Result<void> Machine::beat() {
  auto sent = link_->beat(beat_++, clock_.now() + write_wait);
  if (sent) {
    ++state_.beats;
    beats_unanswered_ = 0;
    return {};
  }
  if (sent.error().fault == Fault::closed) return sent;
  if (sent.error().fault == Fault::device || ++beats_unanswered_ >= most_beats_unanswered)
    end("heartbeat: " + sent.error().text);
  return {};
}

// A stop while armed: once, and only if the device is heard in this very cycle.
Result<void> Machine::write_on_stop(const machines::Permit& permit) {
  if (!std::exchange(stoppable_, false) || permit.armed() || !permit.stopped()) return {};
  if (writer_.on_stop().empty() || !is_fresh(clock_.now())) return {};
  outcomes_.clear();
  auto sent = link_->write(writer_.on_stop(), outcomes_, clock_.now() + write_wait);
  if (!sent) return sent;
  for (const Written& each : outcomes_) {
    if (each.outcome) continue;
    const std::string text =
        fmt::format("on_stop: {}: {}", description_->signals[each.declaration].name, each.outcome.error().text);
    state_.ended = text;
    machines::log_line(ros_node(), lines_, ros2::LogLevel::warn, text);
  }
  return {};
}

}  // namespace tandem::generic
