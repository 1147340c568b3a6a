// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/twin/follower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tandem/base/short_text.hpp"
#include "tandem/machines/em1500/description.hpp"

namespace tandem::em1500 {
namespace {

// The longest gap between samples that is lived through step by step; after a longer one the twin moves on
// from where it is, at its own speed.
constexpr double longest_gap = 0.25;  // s

}  // namespace

TwinFollower::TwinFollower(const ModelOptions& model, const stewart::Lengths& reference, const Limits& limits)
    : body_(model), limits_(limits) {
  for (std::size_t i = 0; i < 6; ++i) offset_[i] = reference[i] - platform().home_lengths[i];
}

void TwinFollower::stand(const stewart::Lengths& displacements) {
  stewart::Lengths lengths{};
  for (std::size_t i = 0; i < 6; ++i) lengths[i] = platform().home_lengths[i] + offset_[i] + displacements[i];
  const auto solution = stewart::pose_from_lengths(platform(), lengths);
  // Legs that fit no pose, or only one beyond the strokes, are not taken over: the twin goes as near as it can.
  if (!solution || stewart::clearance(strokes(), lengths).distance < 0) return;
  body_.stand(solution->X_base_top);
  target_ = body_.displacements();
}

void TwinFollower::follow(const stewart::Lengths& displacements, double elapsed) {
  if (state_.samples == 0) stand(displacements);
  ++state_.samples;
  state_.commanded = displacements;
  const double dt = body_.timestep();
  owed_ = std::min(owed_ + std::max(0.0, elapsed), longest_gap);
  const int steps = static_cast<int>(owed_ / dt + 1e-6);
  owed_ -= steps * dt;
  const stewart::Lengths from = target_;
  for (int step = 1; step <= steps; ++step) {
    const double share = static_cast<double>(step) / steps;
    stewart::Lengths velocities{};
    for (std::size_t i = 0; i < 6; ++i) {
      const double wanted = from[i] + share * (displacements[i] + offset_[i] - from[i]);
      const double move = std::clamp(wanted - target_[i], -limits_.speed * dt, limits_.speed * dt);
      target_[i] = std::clamp(target_[i] + move, -stroke, stroke);
      velocities[i] = move / dt;
    }
    body_.command(target_, velocities);
    if (!body_.step()) break;
  }
  observe(elapsed);
}

void TwinFollower::observe(double elapsed) {
  const stewart::Lengths slides = body_.displacements();
  state_.velocities = body_.velocities();
  state_.forces = body_.forces();
  state_.pose = stewart::coordinates_from_pose(body_.pose());
  state_.worst = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    state_.legs[i] = slides[i] - offset_[i];
    state_.residual[i] = state_.commanded[i] - state_.legs[i];
    state_.worst = std::max(state_.worst, std::abs(state_.residual[i]));
  }
  beyond_ = state_.worst > limits_.residual_alarm ? beyond_ + std::max(0.0, elapsed) : 0.0;
  judge();
}

void TwinFollower::judge() {
  state_.beyond = false;
  if (!body_.cause().empty()) return raise(short_text<160>("the twin's physics diverged {}", body_.cause()));
  if (beyond_ < limits_.alarm_after) {
    state_.alarm = {};
    return;
  }
  const auto worst = std::max_element(state_.residual.begin(), state_.residual.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  const auto leg = static_cast<std::size_t>(worst - state_.residual.begin());
  state_.beyond = true;
  const bool at_end = std::abs(state_.legs[leg] + offset_[leg]) > stroke - 0.005;
  raise(short_text<160>("leg {} deviates {:+.4f} m from the twin (limit {:.4f} m) for {:.1f} s{}", leg + 1, *worst,
                        limits_.residual_alarm, beyond_, at_end ? ": the twin's leg is at the end of its stroke" : ""));
}

void TwinFollower::wait(double silence) {
  if (silence < limits_.silence_alarm) return;
  state_.beyond = false;
  raise(state_.samples == 0 ? short_text<160>("no leg lengths published yet, for {:.1f} s", silence)
                            : short_text<160>("no leg lengths published for {:.1f} s", silence));
}

void TwinFollower::raise(std::string_view cause) {
  if (state_.alarm.empty()) ++state_.alarms;
  state_.alarm = cause;
}

}  // namespace tandem::em1500
