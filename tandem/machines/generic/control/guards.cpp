// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/control/guards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tandem::generic {

Guards::Guards(const Description& description) {
  if (!description.enable.empty()) {
    auto parsed = Expression::parse(description.enable);
    if (!parsed) throw std::invalid_argument("enable: " + parsed.error().text);
    enable_ = std::move(*parsed);
    for (const std::string& name : enable_->names()) used_.push_back({name, {}});
    now_.assign(used_.size(), std::numeric_limits<double>::quiet_NaN());
    before_ = now_;
  }
  if (!description.robot) return;
  for (const Joint& joint : description.robot->joints) {
    const Declaration* const declared = description.find(joint.position);
    if (!joint.position.empty() && (declared == nullptr || declared->critical.value_or(true)))
      critical_names_.push_back(joint.position);
  }
}

void Guards::bind(const std::vector<Signal>& signals) {
  for (Used& used : used_) used.at = find_signal(signals, used.name);
  critical_.clear();
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const bool of_joint = std::ranges::find(critical_names_, signals[i].name) != critical_names_.end();
    if (signals[i].critical || of_joint) critical_.emplace_back(i, signals[i].name);
  }
  std::ranges::fill(now_, std::numeric_limits<double>::quiet_NaN());
  bad_ = nullptr;
}

bool Guards::judge(double dt, const Readings& readings) {
  bad_ = nullptr;
  for (const auto& [signal, name] : critical_) {
    const Reading& reading = readings.of[signal];
    if (reading.quality != SignalQuality::bad && reading.quality != SignalQuality::stale) continue;
    bad_ = &name;
    quality_ = reading.quality;
    why_ = reading.why;
    break;
  }
  const bool allowed = !enable_ || enabled(dt, readings);
  return bad_ == nullptr && allowed;
}

bool Guards::enabled(double dt, const Readings& readings) {
  before_.swap(now_);
  time_ += dt;
  for (std::size_t i = 0; i < used_.size(); ++i)
    now_[i] = used_[i].at ? value_of(*used_[i].at, readings) : std::numeric_limits<double>::quiet_NaN();
  const double truth = enable_->evaluate({.values = now_, .before = before_, .t = time_, .dt = dt});
  if (std::isfinite(truth)) return truth != 0;
  for (std::size_t i = 0; i < used_.size() && bad_ == nullptr; ++i) {
    if (std::isfinite(now_[i])) continue;
    bad_ = &used_[i].name;
    quality_ = used_[i].at ? readings.of[used_[i].at->signal].quality : SignalQuality::bad;
    why_ = used_[i].at ? readings.of[used_[i].at->signal].why : ShortText<120>("the device has no such signal");
  }
  return false;
}

std::string Guards::objection() const {
  if (bad_ != nullptr) return fmt::format("{} is {}{}{}", *bad_, name(quality_), why_.empty() ? "" : ": ", why_.view());
  return fmt::format("enable: expected {} to hold, got false", enable_ ? enable_->text() : "nothing");
}

}  // namespace tandem::generic
