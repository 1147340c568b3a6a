// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/machines/generic/signal_text.hpp"

namespace tandem::generic {
namespace {

using machines::Control;
using machines::Indicator;
using machines::Part;
using machines::Scene;

constexpr std::size_t most_plotted = 16;
constexpr const char* cabinet_frame = "device";
constexpr const char* default_color = "#8a94a6";

machines::ScenePose scene_pose(const Pose& pose) {
  const Eigen::Vector3d p = pose.translation();
  const Eigen::Quaterniond q(pose.linear());
  return {{p.x(), p.y(), p.z()}, {q.x(), q.y(), q.z(), q.w()}};
}

Show show_of(const Declaration& declared, const Signal& signal) {
  if (declared.show != Show::automatic) return declared.show;
  if (signal.kind == Kind::number || signal.kind == Kind::integer) return Show::plot;
  return signal.kind == Kind::bit || signal.kind == Kind::bit_field ? Show::lamp : Show::none;
}

void draw_cabinet(Scene& scene, const std::string& name) {
  Part body{.name = name, .size = {0.6, 0.4, 1.2}, .color = "#6b7688"};
  body.at.position = {0, 0, 0.6};
  Part door{.name = name + " door", .size = {0.54, 0.01, 1.1}, .color = "#9aa5b4"};
  door.at.position = {0, -0.205, 0.6};
  scene.parts = {std::move(body), std::move(door)};
  for (Part& part : scene.parts) part.frame = cabinet_frame;
  scene.frames = {cabinet_frame};
  scene.main_frame = cabinet_frame;
  scene.extent = 2;
}

double reach_of(const UrdfVisual& visual) {
  double size = std::max({visual.size[0], visual.size[1], visual.size[2]});
  for (const auto& point : visual.points) size = std::max<double>(size, std::hypot(point[0], point[1], point[2]));
  return visual.at.translation().norm() + size;
}

void draw_robot(Scene& scene, const Urdf& urdf) {
  const std::vector<double> rest(urdf.joints.size(), 0);
  const std::vector<Pose> poses = link_poses(urdf, rest);
  double reach = 0.5;
  for (std::size_t i = 0; i < urdf.links.size(); ++i) {
    const UrdfLink& link = urdf.links[i];
    if (i != urdf.root) scene.frames.push_back(link.name);
    for (const UrdfVisual& visual : link.visuals) {
      Part part{.name = link.name, .shape = visual.shape, .size = visual.size, .at = scene_pose(visual.at)};
      if (i != urdf.root) part.frame = link.name;
      part.color = visual.color.empty() ? default_color : visual.color;
      part.opacity = visual.opacity;
      part.points = visual.points;
      part.triangles = visual.triangles;
      reach = std::max(reach, poses[i].translation().norm() + reach_of(visual));
      scene.parts.push_back(std::move(part));
    }
  }
  scene.main_frame = scene.frames.empty() ? "world" : scene.frames.back();
  scene.extent = 2 * reach;
}

void add_indicators(Scene& scene, const Description& description, const std::vector<Signal>& signals) {
  for (const Signal& signal : signals) {
    if (signal.hidden) continue;
    const Declaration& declared = description.signals[signal.declaration];
    const Show show = show_of(declared, signal);
    Indicator indicator{.value = signal.name, .group = declared.group};
    if (show == Show::lamp) {
      indicator.kind = Indicator::Kind::lamp;
    } else if (show == Show::gauge) {
      indicator.kind = Indicator::Kind::gauge;
      const Range range = signal.expect ? *signal.expect : declared.write ? declared.write->limits : Range{0, 1};
      indicator.low = range.lowest;
      indicator.high = range.highest;
    } else if (signal.kind != Kind::enumeration) {
      continue;
    }
    scene.indicators.push_back(std::move(indicator));
  }
}

// A set point that is sent once would be too old at once.
bool ages(const OutputInfo& output) { return output.rules.watchdog && *output.rules.watchdog < shortest_set_point; }

// Held both ways, at a quarter of what is allowed: a person sees what it does before it is fast.
void add_jogs(Scene& scene, Control control) {
  const std::string name = control.name;
  control.kind = Control::Kind::jog;
  control.group = name;
  for (const double end : {control.high, control.low}) {
    if (end == control.rest) continue;
    control.name = name + (end > control.rest ? " +" : " -");
    control.value = control.rest + (end - control.rest) / 4;
    scene.controls.push_back(control);
  }
}

void add_controls(Scene& scene, const Description& description, const std::vector<OutputInfo>& outputs,
                  const std::string& node) {
  for (const OutputInfo& output : outputs) {
    const Declaration& declared = description.signals[output.declaration];
    if (declared.show == Show::none) continue;
    Control control;
    control.name = output.name;
    control.topic = node + "/set/" + output.name;
    control.field = "data";
    control.unit = output.unit;
    if (output.bit) {
      control.kind = Control::Kind::button;
      control.type = "std_msgs/msg/Bool";
      control.flag = true;
      control.low = 0;
      if (output.rules.level == Output::Level::pulse) {
        scene.controls.push_back(std::move(control));
        continue;
      }
      for (const bool on : {true, false}) {
        control.name = output.name + (on ? " on" : " off");
        control.group = output.name;
        control.value = on ? 1 : 0;
        scene.controls.push_back(control);
      }
      continue;
    }
    control.type = output.integer ? "std_msgs/msg/Int64" : "std_msgs/msg/Float64";
    control.low = output.rules.limits.lowest;
    control.high = output.rules.limits.highest;
    control.rest = std::clamp(0.0, control.low, control.high);
    control.scale = output.si_scale;
    control.offset = output.si_offset;
    if (ages(output)) {
      add_jogs(scene, std::move(control));
      continue;
    }
    control.kind = Control::Kind::slider;
    control.value = control.rest;
    control.shows = output.name;
    scene.controls.push_back(std::move(control));
  }
}

}  // namespace

std::vector<std::size_t> plotted(const Description& description, const std::vector<Signal>& signals) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < signals.size() && chosen.size() < most_plotted; ++i) {
    const Signal& signal = signals[i];
    if (signal.hidden || signal.count != 1 || signal.kind == Kind::text) continue;
    const Show show = show_of(description.signals[signal.declaration], signal);
    if (show == Show::plot || show == Show::gauge) chosen.push_back(i);
  }
  return chosen;
}

Scene make_scene(const Description& description, const Urdf* urdf, const SignalList& signals,
                 const std::vector<OutputInfo>& outputs, const std::string& node) {
  Scene scene;
  if (urdf != nullptr) {
    draw_robot(scene, *urdf);
  } else {
    draw_cabinet(scene, description.name);
  }
  if (signals) {
    for (const std::size_t i : plotted(description, *signals)) {
      const Signal& signal = (*signals)[i];
      const Range range = signal.expect.value_or(Range{0, 1});
      scene.scalars.push_back({signal.name, signal.unit, range.lowest, range.highest});
    }
    add_indicators(scene, description, *signals);
  }
  if (!node.empty()) add_controls(scene, description, outputs, node);
  return scene;
}

machines::Picture picture_of(const Description& description, Posture* posture, const SharedReadings::Copy& copy) {
  machines::Picture picture;
  if (!copy.signals) return picture;
  picture.seen =
      std::ranges::any_of(copy.readings.of, [](const Reading& reading) { return reading.received != Instant{}; });
  if (posture != nullptr) {
    posture->bind(*copy.signals);
    posture->read(copy.readings);
    picture.seen = picture.seen && posture->known();
    const std::vector<Pose> poses = link_poses(posture->urdf(), posture->positions());
    for (std::size_t i = 0; i < poses.size(); ++i) {
      if (i != posture->urdf().root) picture.frames.push_back(scene_pose(poses[i]));
    }
  } else {
    picture.frames.emplace_back();
  }
  for (const std::size_t i : plotted(description, *copy.signals)) {
    const SignalQuality quality = copy.readings.of[i].quality;
    const bool usable = quality == SignalQuality::good || quality == SignalQuality::uncertain;
    picture.scalars.push_back(usable ? copy.readings.numbers[(*copy.signals)[i].first]
                                     : std::numeric_limits<double>::quiet_NaN());
  }
  return picture;
}

}  // namespace tandem::generic
