// SPDX-License-Identifier: Apache-2.0
// A SLAM on loopback DDS, shown one image after the other, and what it says of them.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/orca/companion/camera.hpp"
#include "tandem/machines/orca/companion/image_message.hpp"
#include "tandem/machines/orca/companion/slam_node.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tests/ros2/loopback.hpp"

namespace slam_rig {

using namespace tandem;
using ros2::eventually;
using ros2::geometry_msgs::PoseStamped;
using ros2::orb_slam3_msgs::SlamStatus;
using ros2::sensor_msgs::CameraInfo;
using ros2::sensor_msgs::Image;
using ros2::sensor_msgs::PointCloud2;

// What comes on slam_status and beside it.
class Listener {
 public:
  explicit Listener(ros2::Context& context)
      : node_(context, "listener"),
        statuses_(node_.subscribe<SlamStatus>("/slam_status", ros2::Qos::standard(),
                                              [this](const SlamStatus& message, const ros2::MessageInfo&) {
                                                const std::lock_guard lock(mutex_);
                                                heard_.push_back(message);
                                              })),
        poses_(node_.subscribe<PoseStamped>("/camera_pose", ros2::Qos::standard(),
                                            [this](const PoseStamped&, const ros2::MessageInfo&) { ++poses; })),
        clouds_(node_.subscribe<PointCloud2>("/map_points", ros2::Qos::standard(),
                                             [this](const PointCloud2& message, const ros2::MessageInfo&) {
                                               map_points = message.width;
                                               ++clouds;
                                             })) {}

  bool connected() const { return statuses_.matched() == 1 && poses_.matched() == 1 && clouds_.matched() == 1; }
  std::size_t heard() const {
    const std::lock_guard lock(mutex_);
    return heard_.size();
  }
  SlamStatus last() const {
    const std::lock_guard lock(mutex_);
    return heard_.back();
  }

  std::atomic<int> poses{0}, clouds{0};
  std::atomic<std::uint32_t> map_points{0};

 private:
  mutable std::mutex mutex_;
  std::vector<SlamStatus> heard_;  // guarded
  ros2::Node node_;
  ros2::Subscription statuses_, poses_, clouds_;
};

inline orca::SlamOptions quick_to_give_up() {
  orca::SlamOptions options;
  options.mapping.lost_after = 0.45;
  return options;
}

class Stage {
 public:
  explicit Stage(const ros2::Qos& image_qos = ros2::Qos::sensor_data())
      : context(ros2::loopback_options()),
        node(context, "stage"),
        images(node.advertise<Image>("/image_raw", image_qos)),
        infos(node.advertise<CameraInfo>("/camera_info", ros2::Qos::standard())),
        listener(context),
        slam(context, quick_to_give_up()),
        thread_([this](std::stop_token stop) { slam.run(std::move(stop)); }) {
    REQUIRE(eventually([this] { return images.matched() == 1 && infos.matched() == 1 && listener.connected(); }));
  }

  // Images are of this camera from here on; the SLAM hears of it soon.
  void tell_camera(const vision::Camera& told) {
    (void)infos.publish(orca::camera_info_from(told, "camera_sensor"));
    camera = told;
  }

  Image picture(const Pose& X_world_camera) {
    floor_.render(camera, X_world_camera, gray_);
    Image image;
    orca::fill(image, gray_);
    return image;
  }

  // Shown, and the status that follows.
  SlamStatus show(Image image) {
    stamp_ += 100ms;
    image.header.stamp = ros2::message_from(stamp_);
    REQUIRE(images.publish(image));
    REQUIRE(eventually([&] { return listener.heard() > 0 && listener.last().header.stamp == image.header.stamp; }));
    return listener.last();
  }
  SlamStatus look(const Pose& X_world_camera) { return show(picture(X_world_camera)); }
  SlamStatus black() {
    Image image = picture(Pose::Identity());
    image.data.assign(image.data.size(), 0);
    return show(std::move(image));
  }

  ros2::Context context;
  ros2::Node node;
  ros2::Publisher<Image> images;
  ros2::Publisher<CameraInfo> infos;
  Listener listener;
  orca::SlamNode slam;
  vision::Camera camera = orca::vehicle_camera(0.4);

 private:
  vision::SeaFloor floor_{vision::SeaFloorSettings{}};
  vision::GrayImage gray_;
  UtcTime stamp_{1000s};
  std::jthread thread_;  // last: it uses the slam
};

}  // namespace slam_rig
