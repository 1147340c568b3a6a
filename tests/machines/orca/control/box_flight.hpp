// SPDX-License-Identifier: Apache-2.0
// A dive, a wait and a box in the simulated loop, with what it came to; and SLAMs to fly it with.
#pragma once

#include <algorithm>
#include <memory>

#include "tandem/vision/features.hpp"
#include "tests/machines/orca/vision/vision_loop.hpp"

namespace tandem::orca {

inline LoopView view_from(const vision::Tracking& tracking) {
  LoopView view;
  view.state = static_cast<Tracking>(tracking.state);
  view.map = tracking.map_id;
  view.map_changed = tracking.map_changed;
  view.X_world_camera = tracking.X_world_camera;
  for (const Eigen::Vector3d& point : tracking.points) view.points.push_back(point.cast<float>());
  return view;
}

// Pixels of spots on the floor, with noise.
inline LoopSlam feature_slam(const vision::FeatureSettings& settings) {
  return [odometry = std::make_shared<vision::FeatureOdometry>(settings)](const Pose& X_map_camera, double time) {
    return view_from(odometry->add(X_map_camera, time));
  };
}

struct BoxPlan {
  double side = 4;     // m
  double depth = 1.5;  // m
  bool turns = true;   // the bow points along each side
};

struct BoxResult {
  bool flown = false;
  double length = 0;       // s
  double distance = 0;     // m, the true way
  double error = 0;        // m at the end, of the estimate against the truth, both from the box's start
  double worst = 0;        // m, on the way
  double scale_worst = 0;  // share, of scale against the true one
  double scale_mean = 0;   // likewise, with its sign
  double heading = 0;      // rad, worst
  int good = 0, frames = 0;
  double told = 0;       // s from the last frame that was tracked until source set 2 was asked for; 0: it never was
  double recovered = 0;  // s from the first frame that is tracked again until the position is good
};

class BoxFlight {
 public:
  BoxFlight(const LoopOptions& options, LoopSlam slam, const BoxPlan& box = {})
      : loop(options, std::move(slam)), box_(box) {
    loop.on_frame = [this](const VisionLoop::Frame& frame) { note(frame); };
  }

  // Down and along until the autopilot trusts vision, then to the depth of the box.
  bool dive() {
    loop.run(2);
    loop.mode(Mode::alt_hold);
    loop.arm();
    loop.sticks(0.3, -0.4);
    if (!loop.run_until(30, [&] { return loop.estimate().position_good; })) return false;
    loop.sticks(0, 0);
    loop.mode(Mode::guided);
    Eigen::Vector3d place = loop.estimate().position;
    place.z() = box_.depth;
    loop.go_to(place, 0);
    loop.run(6);
    return loop.autopilot.pilot().mode() == Mode::guided;
  }
  BoxResult fly() {
    result_ = {};
    noting_ = true;
    start_ = loop.offset();
    const Eigen::Vector3d first = loop.estimate().position;
    const double began = loop.time(), before = loop.travelled();
    const double s = box_.side;
    const std::array<Eigen::Vector2d, 4> corners{{{s, 0}, {s, s}, {0, s}, {0, 0}}};
    result_.flown = true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      Eigen::Vector3d corner(first.x() + corners[i].x(), first.y() + corners[i].y(), box_.depth);
      loop.go_to(corner, box_.turns ? std::numbers::pi / 2 * static_cast<double>(i) : 0);
      const bool there = loop.run_until(40, [&] { return (loop.estimate().position - corner).norm() < 0.15; });
      result_.flown = result_.flown && there;
    }
    result_.length = loop.time() - began;
    result_.distance = loop.travelled() - before;
    result_.error = (loop.offset() - start_).norm();
    if (scales_ > 0) result_.scale_mean = scale_sum_ / scales_;
    noting_ = false;
    return result_;
  }

  VisionLoop loop;

 private:
  void note(const VisionLoop::Frame& frame) {
    if (!noting_) return;
    ++result_.frames;
    note_loss(frame);
    result_.good += frame.step.verdict == Verdict::good ? 1 : 0;
    result_.worst = std::max(result_.worst, (loop.offset() - start_).norm());
    result_.heading = std::max(result_.heading, std::abs(loop.heading_error()));
    const auto truth = loop.true_scale();
    if (!truth || !frame.step.placed) return;
    const double off = frame.step.scale.value / *truth - 1;
    result_.scale_worst = std::max(result_.scale_worst, std::abs(off));
    scale_sum_ += off;
    ++scales_;
  }

  void note_loss(const VisionLoop::Frame& frame) {
    if (frame.sighting.tracking != Tracking::ok) {
      lost_ = true;
      found_at_.reset();
    } else if (lost_ && !found_at_) {
      found_at_ = loop.time();
    }
    if (!lost_) last_at_ = loop.time();
    if (lost_ && result_.told == 0 && loop.gate.source_set() == 2) result_.told = loop.time() - last_at_;
    if (lost_ && found_at_ && loop.estimate().position_good && loop.gate.source_set() == 1) {
      result_.recovered = loop.time() - *found_at_;
      lost_ = false;
    }
  }

  BoxPlan box_;
  BoxResult result_;
  bool lost_ = false;
  double last_at_ = 0;
  std::optional<double> found_at_;
  bool noting_ = false;
  Eigen::Vector2d start_ = Eigen::Vector2d::Zero();
  double scale_sum_ = 0;
  int scales_ = 0;
};

}  // namespace tandem::orca
