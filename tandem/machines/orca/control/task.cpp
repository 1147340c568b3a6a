// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/control/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::orca {
namespace {

constexpr Duration oldest_position = 1s;
constexpr double dive_margin = 0.1;  // m, that it sinks on after the stick was let go

// "waiting for the SLAM: lost" without its changing part.
std::string_view cause_of(std::string_view waiting) {
  return waiting.empty() ? std::string_view("no position") : waiting.substr(0, waiting.find(':'));
}

}  // namespace

void BoxTask::restart() { *this = BoxTask(options_); }

void BoxTask::enter(Stage stage, Instant now, std::string_view text) {
  stage_ = stage;
  since_ = now;
  text_ = text;
}

std::optional<double> BoxTask::height(const Vehicle& vehicle, Instant now) const {
  const bool fresh = vehicle.sonar_at != Instant{} && now - vehicle.sonar_at <= options_.sonar_timeout;
  const bool counts = vehicle.sonar >= options_.sonar_least && vehicle.sonar < options_.sonar_most;
  return fresh && counts ? std::optional(vehicle.sonar) : std::nullopt;
}

BoxTask::Wish BoxTask::step(const Vehicle& vehicle, std::string_view waiting, Instant now) {
  const bool placed = vehicle.estimates_position && now - vehicle.position_at <= oldest_position;
  const bool sees = waiting.empty() && placed;
  if (sees && seeing_since_ == Instant{}) seeing_since_ = now;
  if (sees) {
    blind_since_ = {};
  } else {
    seeing_since_ = {};
    if (blind_since_ == Instant{}) blind_since_ = now;
  }
  const bool steady = sees && now - seeing_since_ >= options_.steady;
  const auto above = height(vehicle, now);
  switch (stage_) {
    case Stage::wait_for_sonar:
      if (text_.empty()) text_ = "waiting for the sonar";
      if (above) enter(Stage::dive, now, fmt::format("diving to {:.1f} m above the sea floor", options_.height));
      return {};
    case Stage::dive:
      if (!above) {
        enter(Stage::wait_for_sonar, now, "waiting for the sonar");
      } else if (*above <= options_.height + dive_margin) {
        begin_blind(now, "waiting until vision is used");
      } else {
        return {.heave = -options_.dive};
      }
      return {};
    case Stage::find_vision:
      if (steady) {
        go_on(vehicle, now);
      } else if (!sees && now - std::max(since_, blind_since_) >= options_.search_after) {
        enter(Stage::search, now, "moving up and down until the SLAM has a map");
        rises_ = true;
      }
      return {};
    case Stage::search:
      if (steady) go_on(vehicle, now);
      return {.heave = stage_ == Stage::search ? search_heave(vehicle, now) : 0};
    case Stage::hold:
    case Stage::fly:
      if (!sees) {
        begin_blind(now, fmt::format("holding depth: {}", cause_of(waiting)));
        return {};
      }
      return guided(vehicle, now);
  }
  return {};
}

void BoxTask::begin_blind(Instant now, std::string_view text) {
  flies_ = stage_ == Stage::fly;
  enter(Stage::find_vision, now, text);
}

// By the sonar alone: a vehicle that does not know where it is does not leave its place.
double BoxTask::search_heave(const Vehicle& vehicle, Instant now) {
  const auto above = height(vehicle, now);
  if (!above || seeing_since_ != Instant{}) return 0;
  if (rises_ && *above >= options_.height + options_.search_reach) rises_ = false;
  if (!rises_ && *above <= options_.height) rises_ = true;
  return rises_ ? options_.search : -options_.search;
}

// An estimate that has jumped is another frame: what was begun in the old one is over.
void BoxTask::go_on(const Vehicle& vehicle, Instant now) {
  if (!boxed_ || !flies_ || vehicle.estimate_jumps != jumps_) return begin_hold(vehicle, now);
  begin_corner(corner_, now);
}

void BoxTask::begin_hold(const Vehicle& vehicle, Instant now) {
  boxed_ = true;
  guided_ = false;
  home_ = vehicle.X_map_base.position;
  yaw_ = vehicle.yaw();
  jumps_ = vehicle.estimate_jumps;
  corner_ = 0;
  enter(Stage::hold, now, "holding position");
}

void BoxTask::begin_corner(int corner, Instant now) {
  corner_ = corner;
  guided_ = false;
  enter(Stage::fly, now, fmt::format("box {}, going to corner {} of 4", boxes_ + 1, corner + 1));
}

std::array<double, 3> BoxTask::corner_place() const {
  const double ahead = corner_ == 0 || corner_ == 1 ? options_.side : 0;
  const double left = corner_ == 1 || corner_ == 2 ? options_.side : 0;
  return {home_[0] + ahead * std::cos(yaw_) - left * std::sin(yaw_),
          home_[1] + ahead * std::sin(yaw_) + left * std::cos(yaw_), home_[2]};
}

BoxTask::Wish BoxTask::guided(const Vehicle& vehicle, Instant now) {
  if (vehicle.estimate_jumps != jumps_) begin_hold(vehicle, now);
  if (vehicle.guided() && !guided_) {
    guided_ = true;
    since_ = now;
  }
  if (guided_ && stage_ == Stage::hold && now - since_ >= options_.hold) begin_corner(0, now);
  if (guided_ && stage_ == Stage::fly) {
    const auto place = corner_place();
    const auto& here = vehicle.X_map_base.position;
    if (std::hypot(place[0] - here[0], place[1] - here[1], place[2] - here[2]) <= options_.near) {
      if (corner_ < 3) {
        begin_corner(corner_ + 1, now);
      } else {
        ++boxes_;
        const auto home = home_;
        begin_hold(vehicle, now);
        home_ = home;  // the next box lies upon the first
      }
    } else if (now - since_ > options_.leg_patience) {
      begin_hold(vehicle, now);
      text_ = "holding position: a corner was not reached";
    }
  }
  return {.mode = Mode::guided, .goal = GoalCommand{stage_ == Stage::fly ? corner_place() : home_, yaw_, now}};
}

}  // namespace tandem::orca
