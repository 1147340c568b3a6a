// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/device/mode_names.hpp"

namespace tandem::orca {
namespace {

const char* tracking_word(Tracking tracking) {
  switch (tracking) {
    case Tracking::not_ready:
      return "not ready";
    case Tracking::no_images:
      return "no images";
    case Tracking::not_initialised:
      return "not initialised";
    case Tracking::ok:
      return "tracks";
    case Tracking::recently_lost:
      return "recently lost";
    case Tracking::lost:
      return "lost";
    case Tracking::ok_klt:
      return "tracks by optical flow only";
  }
  return "?";
}

}  // namespace

machines::Picture Machine::picture() const {
  const auto state = shared_.get();
  return state ? picture_of(*state) : machines::Picture{};
}

std::vector<machines::Value> Machine::values() const {
  const auto state = shared_.get();
  if (!state || state->vehicle.frames == 0) return {};
  const State& s = *state;
  const Vehicle& v = s.vehicle;
  const auto count = [](std::uint64_t number) { return std::vector{static_cast<double>(number)}; };
  const Eigen::Vector3d rpy = rpy_from_rotation(pose_from(v.X_map_base).linear());
  const auto& p = v.X_map_base.position;
  const auto known = [&](double number) { return v.estimates_position ? number : std::nan(""); };
  const char* const place = v.estimates_position ? "" : "no position";
  std::vector<machines::Value> values;
  if (!s.stage.empty()) values.push_back({"stage", "", {}, std::string(s.stage.view())});
  const std::vector<machines::Value> first = {
      {"depth, sonar", "m", {-p[2], v.sonar}, ""},
      {"pose",
       "m, rad",
       {known(p[0]), known(p[1]), p[2], rpy.x(), rpy.y(), rpy.z()},
       place,
       {"x", "y", "z", "roll", "pitch", "yaw"}},
      {"velocity", "m/s", {known(v.velocity[0]), known(v.velocity[1]), known(v.velocity[2])}, place, {"x", "y", "z"}},
      {"mode", "", {}, mode_name(v.mode)},
      {"autopilot", "", {}, v.armed ? "armed" : "disarmed"},
      {"activity", "", {}, name(s.activity)},
      {"vision", "", {}, s.waiting.empty() ? std::string("used") : std::string(s.waiting.view())},
  };
  values.insert(values.end(), first.begin(), first.end());
  if (s.frames > 0) {
    values.push_back({"slam", "", {static_cast<double>(s.map)}, tracking_word(s.tracking)});
    values.push_back(
        {"scale", "m per unit", {s.scale, s.scale_spread}, s.scale_known ? "" : "not known", {"value", "spread"}});
    values.push_back({"visual range",
                      "units, points",
                      {s.visual.range, static_cast<double>(s.visual.points)},
                      "",
                      {"range", "points"}});
    values.push_back({"frames, sent, out",
                      "",
                      {static_cast<double>(s.frames), static_cast<double>(s.sent), static_cast<double>(s.outliers)},
                      ""});
    values.push_back({"confidence", "%", {s.confidence}, ""});
    values.push_back({"source set", "", {static_cast<double>(s.source_set)}, ""});
  }
  if (v.battery_at != Instant{})
    values.push_back({"battery", "V, A", {v.voltage, v.current}, "", {"voltage", "current"}});
  if (v.round_trip > Duration{}) values.push_back({"round trip", "ms", {1e3 * seconds(v.round_trip)}, ""});
  if (v.loss > 0) values.push_back({"frames lost", "%", {100 * v.loss}, ""});
  if (s.damaged > 0) values.push_back({"damaged frames", "", count(s.damaged), ""});
  if (s.other_definition > 0) values.push_back({"frames of another dialect", "", count(s.other_definition), ""});
  if (s.unsigned_or_forged > 0) values.push_back({"unsigned or forged frames", "", count(s.unsigned_or_forged), ""});
  if (s.impostors > 0) values.push_back({"frames with the own address", "", count(s.impostors), ""});
  if (v.rejected > 0) values.push_back({"rejected", "", count(v.rejected), ""});
  if (v.reboots > 0) values.push_back({"restarts of the autopilot", "", count(v.reboots), ""});
  if (v.estimate_jumps > 0) values.push_back({"jumps of the estimate", "", count(v.estimate_jumps), ""});
  if (!v.advice.empty()) values.push_back({"settings", "", {}, std::string(v.advice.view())});
  if (!v.failsafe_advice.empty())
    values.push_back({"failsafe settings", "", {}, "it keeps thrusting: " + std::string(v.failsafe_advice.view())});
  if (!v.text.empty()) values.push_back({"last words", "", {}, std::string(v.text.view())});
  return values;
}

}  // namespace tandem::orca
