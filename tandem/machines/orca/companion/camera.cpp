// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/camera.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/machines/orca/companion/image_message.hpp"
#include "tandem/machines/orca/description.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::orca {
namespace {

const CameraOptions& checked_camera(const CameraOptions& options) {
  if (auto good = vision::check(options.camera); !good) throw std::invalid_argument(good.error().text);
  if (!(options.rate >= 0.1 && options.rate <= 200))
    throw std::invalid_argument(fmt::format("camera: rate: expected 0.1 to 200 Hz, got {}", options.rate));
  return options;
}

}  // namespace

Pose X_map_camera(const Pose& X_map_base) { return X_map_base * X_base_link() * X_link_camera(); }

vision::Camera vehicle_camera(double factor) {
  const Eye eye;
  return vision::scaled({.width = eye.width,
                         .height = eye.height,
                         .fx = eye.focal,
                         .fy = eye.focal,
                         .cx = eye.centre_x,
                         .cy = eye.centre_y},
                        factor);
}

VirtualCamera::VirtualCamera(ros2::Context& context, const CameraOptions& options, TruePose truth, Clock& clock)
    : options_(checked_camera(options)),
      truth_(std::move(truth)),
      clock_(clock),
      floor_(options.floor),
      info_(camera_info_from(options.camera, frames::camera)),
      node_(context, options.node, options.name_space),
      image_publisher_(node_.advertise<ros2::sensor_msgs::Image>("image_raw", ros2::Qos::sensor_data())),
      info_publisher_(node_.advertise<ros2::sensor_msgs::CameraInfo>("camera_info", ros2::Qos::sensor_data())) {
  image_.header.frame_id = frames::camera;
}

void VirtualCamera::run(std::stop_token stop) {
  repeat(std::move(stop), clock_, options_.rate, [this] {
    if (options_.plug == nullptr || !options_.plug->pulled()) shoot();
  });
}

void VirtualCamera::shoot() {
  image_.header.stamp = info_.header.stamp = ros2::message_from(clock_.utc());
  floor_.render(options_.camera, X_map_camera(truth_()), gray_);
  fill(image_, gray_);
  (void)info_publisher_.publish(info_);  // first: anyone who gets the image knows the camera
  (void)image_publisher_.publish(image_);
  images_.fetch_add(1, std::memory_order_relaxed);
}

void repeat(std::stop_token stop, Clock& clock, double rate, const std::function<void()>& body) {
  const Duration period = duration_of(1 / rate);
  constexpr Duration longest_sleep = 50ms;  // so that a stop is received
  for (Instant next = clock.now(); !stop.stop_requested();) {
    if (const Instant now = clock.now(); now < next) {
      clock.sleep_until(std::min(next, now + longest_sleep));
      continue;
    }
    body();
    next = std::max(next + period, clock.now());
  }
}

}  // namespace tandem::orca
