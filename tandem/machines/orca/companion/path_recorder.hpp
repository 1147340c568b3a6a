// SPDX-License-Identifier: Apache-2.0
// Listens to a dive on ROS, says how far the estimate is from the truth, and draws the paths and where the vehicle
// truly is.
//
//   receives  model/orca/odometry (of a virtual vehicle only), ekf_pose, bridge_status, slam_status
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/companion/path_log.hpp"
#include "tandem/ros2/full_node.hpp"

namespace tandem::orca {

inline constexpr std::string_view truth_topic = "model/orca/odometry";

struct RecorderOptions {
  std::string node = "paths";
  std::string name_space = "/";
  std::string file{};  // .png, .svg or .csv, written now and then and at the end; empty: none
  Duration write_every = 30s;
};

// How the estimate compares with the truth, since the autopilot reports where it is. Both begin at the same point.
struct PathError {
  double error = 0;      // m
  double travelled = 0;  // m, truly
  bool known = false;
};

// Where the vehicle truly is, from what was received of truth and estimate. The truth comes more seldom than the
// estimate: the offset of the last look goes on with the estimate, so that a vehicle at speed is not ahead of its
// truth.
class TruePlace {
 public:
  struct Heard {
    double time = 0;  // s
    Pose X_map_base = Pose::Identity();
  };

  void hear_estimate(const Heard& estimate);
  void hear_truth(const Heard& truth);
  // Nothing before both were heard of one moment.
  std::optional<Pose> X_map_true() const;

 private:
  void compare();

  std::deque<Heard> estimates_;  // of the last second, oldest first
  std::optional<Heard> truth_;
  std::optional<Pose> X_base_true_;        // as of the last look
  std::optional<Eigen::Vector3d> begins_;  // of the estimate from the truth at first: both begin at the same point
};

class PathRecorder final : public machines::Companion {
 public:
  // Throws std::invalid_argument for an invalid file.
  PathRecorder(ros2::Context& context, const RecorderOptions& options, Clock& clock = system_clock());

  void run(std::stop_token stop) override;
  std::vector<machines::Value> values() const override;  // any thread
  machines::Picture truth_picture() const override;      // any thread
  PathError error() const { return shared_.get().value_or(PathError{}); }

 private:
  struct Heard {
    double time = 0;  // s, UTC
    std::array<double, 3> position{};
    std::uint32_t map = 0;
    std::array<double, 4> orientation{0, 0, 0, 1};  // x, y, z, w
  };
  struct Drawn {
    std::array<double, 3> position{};
    std::array<double, 4> orientation{0, 0, 0, 1};
    Instant at{};
  };

  void listen();
  void compare();
  void draw();
  void write();

  RecorderOptions options_;
  Clock& clock_;
  // From the threads of DDS.
  Mailbox<Heard> truths_, estimates_, sightings_;
  std::atomic<bool> aiding_{false};
  // Of our thread.
  PathLog log_;
  std::optional<double> began_;            // s, UTC: times of the log count from here
  std::optional<Eigen::Vector3d> offset_;  // of the estimate from the truth, at first
  std::optional<Eigen::Vector3d> last_truth_;
  PathError compared_;
  TruePlace place_;
  // For others.
  Latest<PathError> shared_;
  Latest<Drawn> drawn_;
  Latest<ShortText<160>> trouble_;
  ros2::FullNode node_;
  std::array<ros2::Subscription, 4> subscriptions_;  // last: what they call must outlive them
};

// make_companion of the machine's type: our SLAM and the recorder, as the options say; null for neither.
std::unique_ptr<machines::Companion> make_companions(const machines::Setup& setup);

}  // namespace tandem::orca
