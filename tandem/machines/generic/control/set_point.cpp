// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/control/set_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::generic {
namespace {

constexpr double most_steps = 2;  // cycles that one step may make up for

Error refused(const OutputInfo& output, std::string_view why) {
  return {Fault::refused, fmt::format("{}: {}", output.name, why)};
}

}  // namespace

Result<void> SetPoint::take(const Command& command, Instant now, double present) {
  const OutputInfo& output = *output_;
  const auto judged = accepted(output, command.value);
  if (!judged) return judged.error();
  const double age = seconds(now - command.at);
  if (output.rules.watchdog && age > *output.rules.watchdog)
    return refused(output,
                   fmt::format("the command is {:.3f} s old; the watchdog is {:.3f} s", age, *output.rules.watchdog));
  if (output.rules.level == Output::Level::pulse) return take_pulse(*judged != 0, now, present);
  if (!active_ && output.rules.rate) {
    if (!std::isfinite(present)) return refused(output, "its present value is not known, so its rate has no start");
    const double slack = output.raw_step() / 2 + 1e-9 * std::max(1.0, std::abs(present));
    const auto [low, high] = output.rules.limits;
    if (present < low - slack || present > high + slack)
      return refused(output,
                     fmt::format("expected a present value of {:.9g} to {:.9g}, got {:.9g}", low, high, present));
    value_ = std::clamp(present, low, high);
    moved_ = now - duration_of(cycle_);
  }
  active_ = true;
  idle_ = false;
  target_ = *judged;
  commanded_ = command.at;
  return {};
}

// A pulse is an edge: a bit that is still on, as a pulse was cut short, is off for as long first.
Result<void> SetPoint::take_pulse(bool on, Instant now, double present) {
  const Duration length = duration_of(output_->rules.pulse);
  if (on && pulse_ != Pulse::rest) return refused(*output_, "its pulse has not ended yet");
  active_ = true;
  if (!on) {
    pulse_ = Pulse::rest;
  } else if (present == 1) {
    pulse_ = Pulse::clearing;
    pulse_until_ = now + length;
  } else {
    pulse_ = Pulse::on;
    pulse_until_ = now + length;
  }
  return {};
}

std::optional<double> SetPoint::step_pulse(Instant now) {
  if (pulse_ == Pulse::clearing && now >= pulse_until_) {
    pulse_ = Pulse::on;
    pulse_until_ = now + duration_of(output_->rules.pulse);
  } else if (pulse_ == Pulse::on && now >= pulse_until_) {
    pulse_ = Pulse::rest;
  }
  return pulse_ == Pulse::on ? 1 : 0;
}

std::optional<double> SetPoint::step(Instant now, double followed) {
  if (!active_) return std::nullopt;
  if (output_->rules.level == Output::Level::pulse) return step_pulse(now);
  const auto toward = goal(now, followed);
  if (!toward) {
    forget();
    return std::nullopt;
  }
  if (!output_->rules.rate) {
    value_ = *toward;
  } else {
    const double dt = std::clamp(seconds(now - moved_), 0.0, most_steps * cycle_);
    const double most = *output_->rules.rate * dt;
    value_ += std::clamp(*toward - value_, -most, most);
    moved_ = now;
  }
  return output_->on_wire(value_);
}

// Nothing: it is left alone from here on.
std::optional<double> SetPoint::goal(Instant now, double followed) {
  const Output& rules = output_->rules;
  idle_ = rules.watchdog && seconds(now - commanded_) > *rules.watchdog;
  if (!idle_) return target_;
  const auto allowed = [&](double value) { return value >= rules.limits.lowest && value <= rules.limits.highest; };
  switch (rules.idle) {
    case Output::Idle::leave:
      return std::nullopt;
    case Output::Idle::zero:
      return allowed(0) ? 0 : value_;
    case Output::Idle::follow:
      if (output_->bit && std::isfinite(followed)) return followed != 0 ? 1 : 0;
      return allowed(followed) ? followed : value_;  // not for NaN
    case Output::Idle::hold:
      break;
  }
  return value_;
}

}  // namespace tandem::generic
