// SPDX-License-Identifier: Apache-2.0
// The whole way of a pose in simulated time: body, sensors, autopilot, its MAVLink streams, a SLAM, visual range,
// scale, gate, delta, and back to the autopilot. No socket, no thread, no clock: the same options give the same dive.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <vector>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/vision/gate.hpp"
#include "tandem/machines/orca/vision/visual_range.hpp"
#include "tests/machines/orca/virtual/autopilot_rig.hpp"
#include "tests/machines/orca/vision/scale_witness.hpp"

namespace tandem::orca {

// What a SLAM says of the image taken from this true pose of the camera at this time, s.
struct LoopView {
  Tracking state = Tracking::not_ready;
  std::uint32_t map = 0;
  bool map_changed = false;
  Pose X_world_camera = Pose::Identity();
  std::vector<Eigen::Vector3f> points;
};
using LoopSlam = std::function<LoopView(const Pose& X_map_camera, double time)>;

struct LoopOptions {
  std::uint64_t seed = 1;
  double timestep = 0.005;   // s
  double depth = 0.2;        // m, at the start
  double slam_delay = 0.04;  // s, from the image to its frame
  double aiding_delay = 3;   // s
  bool vision = true;        // false: nothing is told to the autopilot
  VisionOptions gate;
  SensorOptions sensors;
  Eigen::Vector3d current = Eigen::Vector3d::Zero();  // m/s, of the water
};

class VisionLoop {
 public:
  VisionLoop(const LoopOptions& options, LoopSlam slam)
      : options_(options),
        slam_(std::move(slam)),
        body(body_options(options)),
        sensors(sensor_options(options), body.options().hull),
        gate(options.gate),
        autopilot(autopilot_options(options), outlets_, now_) {
    heartbeat();
    for (const std::uint32_t id : {mavlink::Attitude::wire_id, mavlink::RangeFinder::wire_id})
      command(511, static_cast<float>(id), 50'000);
    tell(mavlink::SetGpsGlobalOrigin{.target_system = 1, .latitude = 476302000, .longitude = -1223982391});
  }

  void run(double length) {
    run_until(length, [] { return false; });
  }
  // False when it took longer.
  template <typename Condition>
  bool run_until(double length, Condition condition) {
    for (const double end = time() + length; time() + 1e-9 < end;) {
      step();
      if (condition()) return true;
    }
    return false;
  }

  double time() const { return body.truth().time; }
  void mode(Mode mode) { command(176, 1, static_cast<float>(mode)); }
  void arm() { command(400, 1); }
  // Shares of full stick; up is positive.
  void sticks(double forward, double up) {
    sticks_ = mavlink::ManualControl{.target = 1,
                                     .x = static_cast<std::int16_t>(1000 * forward),
                                     .y = 0,
                                     .z = static_cast<std::int16_t>(500 + 500 * up),
                                     .r = 0};
  }
  // GUIDED, NED.
  void go_to(const Eigen::Vector3d& place, double yaw) {
    mavlink::SetPositionTargetLocalNed target;
    target.target_system = target.target_component = target.coordinate_frame = 1;
    target.type_mask = 0x09F8;
    target.x = static_cast<float>(place.x());
    target.y = static_cast<float>(place.y());
    target.z = static_cast<float>(place.z());
    target.yaw = static_cast<float>(yaw);
    tell(target);
  }

  const Estimate& estimate() const { return autopilot.estimate(); }
  Eigen::Vector3d truth_ned() const { return ned_from_enu(body.truth().X_map_base.translation()); }
  Eigen::Vector2d offset() const { return (estimate().position - truth_ned()).head<2>(); }
  double heading_error() const {
    const Eigen::Quaterniond q = ned_frd_from_enu_flu(Eigen::Quaterniond(body.truth().X_map_base.linear()));
    const auto yaw = [](const Eigen::Quaterniond& r) { return rpy_from_rotation(r.toRotationMatrix()).z(); };
    return std::remainder(yaw(estimate().q_ned_frd) - yaw(q), 2 * std::numbers::pi);
  }
  // m per unit of the SLAM's map.
  std::optional<double> true_scale() const { return witness_.scale(); }
  double travelled() const { return travelled_; }  // m

  struct Frame {
    VisionGate::Step step;
    Sighting sighting;
  };
  std::function<void(const Frame&)> on_frame;

 private:
  static BodyOptions body_options(const LoopOptions& options) {
    BodyOptions body;
    body.model.timestep = options.timestep;
    body.X_map_start = Pose(Eigen::Translation3d(0, 0, -options.depth));
    body.current = options.current;
    return body;
  }
  static SensorOptions sensor_options(const LoopOptions& options) {
    SensorOptions sensors = options.sensors;
    sensors.seed = options.seed;
    return sensors;
  }
  static AutopilotOptions autopilot_options(const LoopOptions& options) {
    AutopilotOptions autopilot;
    autopilot.estimator.aiding_delay = options.aiding_delay;
    autopilot.estimator.declination = options.sensors.field.declination;
    return autopilot;
  }

  template <mavlink::Message M>
  void tell(const M& message) {
    mavlink::FrameBuffer buffer;
    mavlink::Header header;
    header.source = {255, 190};
    header.sequence = sequence_++;
    mavlink::Parser parser;
    parser.feed(mavlink::encode(buffer, header, message));
    if (const auto frame = parser.next()) autopilot.handle(*frame, 0, now_);
  }
  void command(std::uint16_t number, float p1 = 0, float p2 = 0) {
    tell(
        mavlink::CommandLong{.target_system = 1, .target_component = 1, .command = number, .param1 = p1, .param2 = p2});
  }
  void heartbeat() { tell(mavlink::Heartbeat{.type = 6, .autopilot = 8}); }

  void step() {
    const double dt = body.timestep();
    const Eigen::Vector3d before = body.truth().X_map_base.translation();
    body.step();
    travelled_ += (body.truth().X_map_base.translation() - before).norm();
    now_ += duration_of(dt);
    body.pulses(autopilot.step(sensors.sample(body.truth()), dt, now_));
    autopilot.poll(now_, UtcTime{});
    hear();
    if (time() + 1e-9 >= next_second_) {
      next_second_ += 1;
      heartbeat();
    }
    if (time() + 1e-9 >= next_tenth_) {
      next_tenth_ += 0.1;
      if (sticks_) tell(*sticks_);
      look();
    }
    while (!pending_.empty() && pending_.front().received <= now_) {
      take(pending_.front());
      pending_.pop_front();
    }
    gate.tick(now_);
  }
  void hear() {
    if (heard.count<mavlink::Attitude>() != attitudes_) {
      attitudes_ = heard.count<mavlink::Attitude>();
      const auto a = heard.last<mavlink::Attitude>();
      const Eigen::Quaterniond q(
          rotation_from_rpy(static_cast<double>(a->roll), static_cast<double>(a->pitch), static_cast<double>(a->yaw)));
      R_map_base_ = enu_flu_from_ned_frd(q).normalized().toRotationMatrix();
      gate.hear_attitude(R_map_base_, now_);
    }
    if (heard.count<mavlink::RangeFinder>() != ranges_) {
      ranges_ = heard.count<mavlink::RangeFinder>();
      gate.hear_sonar(static_cast<double>(heard.last<mavlink::RangeFinder>()->distance), R_map_base_, now_);
    }
  }
  void look() {
    const Pose X_map_camera = body.truth().X_map_base * X_base_link() * X_link_camera();
    const LoopView view = slam_(X_map_camera, time());
    Sighting sighting;
    sighting.received = now_ + duration_of(options_.slam_delay);
    sighting.taken = now_;
    sighting.stamp = duration_of(time());
    sighting.tracking = view.state;
    sighting.map = view.map;
    sighting.map_changed = view.map_changed;
    sighting.X_world_camera = plain_from(view.X_world_camera);
    if (view.state == Tracking::ok) sighting.visual = finder_.measure(view.X_world_camera, view.points);
    pending_.push_back(sighting);
    if (view.state != Tracking::ok || view.map_changed) witness_.lose();
    if (view.state == Tracking::ok)
      witness_.see(view.map, X_map_camera.translation(), view.X_world_camera.translation());
  }
  void take(const Sighting& sighting) {
    const VisionGate::Step judged = gate.take(sighting, now_);
    if (on_frame) on_frame({judged, sighting});
    if (options_.vision && judged.verdict == Verdict::good) {
      const auto floats = [](const Eigen::Vector3d& v) {
        return std::array{static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
      };
      tell(
          mavlink::VisionPositionDelta{.time_usec = 0,
                                       .time_delta_usec = static_cast<std::uint64_t>(judged.delta->span.count() / 1000),
                                       .angle_delta = floats(judged.delta->rotation),
                                       .position_delta = floats(judged.delta->position),
                                       .confidence = static_cast<float>(judged.delta->confidence)});
    }
    if (gate.source_set() == source_set_) return;
    source_set_ = gate.source_set();
    command(42007, static_cast<float>(source_set_));
  }

  LoopOptions options_;
  LoopSlam slam_;
  Instant now_{1h};
  double next_tenth_ = 0, next_second_ = 1;
  int attitudes_ = 0, ranges_ = 0, source_set_ = 0;
  Eigen::Matrix3d R_map_base_ = Eigen::Matrix3d::Identity();
  VisualRangefinder finder_;
  std::deque<Sighting> pending_;
  std::optional<mavlink::ManualControl> sticks_;
  ScaleWitness witness_;
  double travelled_ = 0;
  std::uint8_t sequence_ = 0;
  mavlink::Outlet* outlets_[1] = {&heard};

 public:
  Body body;
  VirtualSensors sensors;
  Heard heard;
  VisionGate gate;
  Autopilot autopilot;
};

}  // namespace tandem::orca
