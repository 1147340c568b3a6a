// SPDX-License-Identifier: Apache-2.0
// A SLAM without images: told what the virtual vehicle's camera would see, it publishes what slam_node does. For fast
// runs; only pixels of spots on the floor reach its map, the truth does not.
#pragma once

#include <atomic>

#include "tandem/machines/orca/companion/camera.hpp"
#include "tandem/machines/orca/companion/slam_publisher.hpp"
#include "tandem/net/plug.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/vision/features.hpp"

namespace tandem::orca {

struct VirtualSlamOptions {
  std::string node = "slam";
  std::string name_space = "/";
  vision::FeatureSettings features;
  double rate = 10;                 // Hz
  const net::Plug* plug = nullptr;  // of the vehicle: the images come through it; null: never pulled
};

class VirtualSlam {
 public:
  // Throws std::invalid_argument for invalid options.
  VirtualSlam(ros2::Context& context, const VirtualSlamOptions& options, TruePose truth, Clock& clock = system_clock());

  void run(std::stop_token stop);
  // One frame, now.
  const vision::Tracking& look();

 private:
  VirtualSlamOptions options_;
  TruePose truth_;
  Clock& clock_;
  Instant started_;
  vision::FeatureOdometry odometry_;
  std::atomic<bool> reset_{false};
  ros2::FullNode node_;
  SlamPublisher publisher_;
  ros2::Service<ros2::std_srvs::Empty> reset_service_;
};

}  // namespace tandem::orca
