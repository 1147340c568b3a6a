// SPDX-License-Identifier: Apache-2.0
// The virtual vehicle's eye on ROS: what it sees of the sea floor from where it truly is.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/net/plug.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/vision/sea_floor.hpp"

namespace tandem::orca {

// Where the body truly is, X_map_base; asked from any thread.
using TruePose = std::function<Pose()>;

// Of the camera in the map, for a body that is there.
Pose X_map_camera(const Pose& X_map_base);
// The model's camera, with its numbers of pixels times `factor`.
vision::Camera vehicle_camera(double factor = 1);

struct CameraOptions {
  std::string node = "camera";
  std::string name_space = "/";
  vision::Camera camera = vehicle_camera();
  vision::SeaFloorSettings floor;
  double rate = 10;                 // Hz
  const net::Plug* plug = nullptr;  // of the vehicle: its images take the same way; null: never pulled
};

// Publishes image_raw (mono8) and with each image camera_info, both in the frame camera_sensor, for sensors (best
// effort). Images that are late are left out, not made up for.
class VirtualCamera {
 public:
  // Throws std::invalid_argument for invalid options.
  VirtualCamera(ros2::Context& context, const CameraOptions& options, TruePose truth, Clock& clock = system_clock());

  void run(std::stop_token stop);
  // One image, now.
  void shoot();
  std::uint64_t images() const { return images_.load(std::memory_order_relaxed); }

 private:
  CameraOptions options_;
  TruePose truth_;
  Clock& clock_;
  vision::SeaFloor floor_;
  vision::GrayImage gray_;
  ros2::sensor_msgs::Image image_;
  ros2::sensor_msgs::CameraInfo info_;
  std::atomic<std::uint64_t> images_{0};
  ros2::FullNode node_;
  ros2::Publisher<ros2::sensor_msgs::Image> image_publisher_;
  ros2::Publisher<ros2::sensor_msgs::CameraInfo> info_publisher_;
};

// Calls `body` `rate` times a second until a stop is requested; what is late is left out.
void repeat(std::stop_token stop, Clock& clock, double rate, const std::function<void()>& body);

}  // namespace tandem::orca
