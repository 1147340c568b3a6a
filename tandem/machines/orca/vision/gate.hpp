// SPDX-License-Identifier: Apache-2.0
// Decides which of the SLAM's frames become deltas for the autopilot, and which of its source sets the autopilot shall
// use. A frame that cannot be trusted ends the chain: the one after it has no predecessor, so nothing is sent for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tandem/machines/orca/sighting.hpp"
#include "tandem/machines/orca/vision/delta.hpp"
#include "tandem/machines/orca/vision/scale_filter.hpp"
#include "tandem/machines/orca/vision/timeline.hpp"

namespace tandem::orca {

enum class Verdict : std::uint8_t {
  good,        // a delta
  begins,      // the first of a chain; the next one can be a delta
  silent,      // the SLAM says nothing
  lost,        // it does not track
  new_map,     // it tracks in another map than before
  no_sonar,    // no reading for too long
  no_scale,    // the map's scale was not seen for too long, or never
  not_finite,  // NaN or infinity
  bad_time,    // not later than the frame before
  gap,         // too long after it
  outlier,     // moved or turned further than the vehicle can
};
inline constexpr std::size_t verdict_count = 11;
const char* name(Verdict verdict);
// The frame was fine in itself, but the vehicle must not rely on vision.
constexpr bool blind(Verdict verdict) {
  return verdict == Verdict::silent || verdict == Verdict::lost || verdict == Verdict::new_map ||
         verdict == Verdict::no_sonar || verdict == Verdict::no_scale || verdict == Verdict::not_finite;
}

struct VisionOptions {
  ScaleOptions scale;
  Pose X_base_camera = X_base_link() * X_link_camera();
  Pose X_base_sonar = X_base_ping();
  double sonar_half_angle = Sonar{}.half_angle;  // rad
  double sonar_offset = 0;                       // m that the sonar reads too far, always
  Duration sonar_age = 25ms;                     // of a new reading when it is received, in the mean
  double most_step = 0.5;                        // m between two frames
  double most_turn = 0.5235987755982988;         // rad, also: 30 degrees
  Duration longest_span = 1s;                    // between two frames of one chain
  Duration longest_hold = 3s;                    // of a scale that no ratio has confirmed
  Duration longest_silence = 1s;                 // of the SLAM
  int regained_after = 3;                        // good frames in a row: vision is used again
  int given_up_after = 10;                       // others in a row, whatever they are: it is not
};

class VisionGate {
 public:
  explicit VisionGate(const VisionOptions& options = {});

  struct Step {
    Verdict verdict = Verdict::begins;
    std::optional<BodyDelta> delta;  // when good; also what an outlier would have been
    Pose X_slam_base = Pose::Identity();
    ScaleFilter::Scale scale;
    bool placed = false;  // X_slam_base means something: tracked, with a known scale
  };

  // Where the camera sits, when others tell it; the chain ends if that is news.
  void mount(const Pose& X_base_camera);
  // How the body lies; as often as it is reported, so that an image finds the attitude that it was taken with.
  void hear_attitude(const Eigen::Matrix3d& R_map_base, Instant at);
  // With the body's attitude then, for those who have received none.
  void hear_sonar(double range, const Eigen::Matrix3d& R_map_base, Instant at);
  // One frame of the SLAM.
  Step take(const Sighting& sighting, Instant now);
  // Every cycle: notices that the SLAM fell silent, or the sonar.
  void tick(Instant now);
  // The chain ends, as when the autopilot was restarted; scales are kept.
  void restart();
  // The SLAM itself restarts: its maps are gone.
  void forget();

  // 0 as long as nothing is to be said about it; 1 with vision, 2 without.
  int source_set() const { return source_set_; }
  Verdict verdict() const { return verdict_; }  // the last
  const ScaleFilter& scales() const { return scales_; }
  std::uint64_t count(Verdict verdict) const { return counts_[static_cast<std::size_t>(verdict)]; }

 private:
  struct Before {
    Sighting sighting;
    Pose X_world_camera;
  };
  Verdict judge(const Sighting& sighting, Instant now, Step& step);
  double camera_range_at(Instant moment) const;
  Verdict judge_delta(const Sighting& sighting, Instant now, Step& step);
  void conclude(Verdict verdict);

  VisionOptions options_;
  ScaleFilter scales_;
  Timeline<Eigen::Vector3d> ups_;  // the map's upward axis in the body
  Timeline<double> heights_;       // m, of the body over the floor, as the sonar has it
  Eigen::Vector3d upright_ =
      Eigen::Vector3d::UnitZ();  // of the last sonar reading, as long as no attitude was reported
  double last_range_ = 0;        // m
  std::optional<Before> before_;
  std::optional<std::uint32_t> map_;  // the last that was tracked in
  Instant heard_{};                   // the last frame
  int bad_times_ = 0;                 // in a row
  int good_ = 0;                      // the same
  int barren_ = 0;                    // frames since the last good one
  int source_set_ = 0;
  Verdict verdict_ = Verdict::silent;
  std::array<std::uint64_t, verdict_count> counts_{};
};

// Where each map of the SLAM lies in ours. A map is laid where the vehicle believes to be when it is first placed.
class MapAnchors {
 public:
  // X_map_slam of this map.
  Pose anchor(std::uint32_t map, const Pose& X_map_base, const Pose& X_slam_base);
  // The vehicle's belief has jumped: the next placing counts again.
  void forget() { count_ = 0; }
  std::uint64_t laid() const { return laid_; }  // how often one was

 private:
  struct Anchor {
    std::uint32_t map = 0;
    Pose X_map_slam;
  };
  std::array<Anchor, ScaleFilter::most_maps> anchors_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;  // to be replaced when all are taken
  std::uint64_t laid_ = 0;
};

}  // namespace tandem::orca
