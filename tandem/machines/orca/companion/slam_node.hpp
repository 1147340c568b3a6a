// SPDX-License-Identifier: Apache-2.0
// A SLAM stand-in on ROS, for those who have no ORB_SLAM3: images in, poses up to scale out, under the names and with
// the meaning of orb_slam3_ros. It sees images and nothing else.
//
//   receives      image_raw (mono8, rgb8, bgr8; best effort and reliable publishers alike), camera_info
//   publishes  slam_status with every image, camera_pose while it is known, map_points
//   serves     reset_slam
//
// It looks at the newest image; those that came meanwhile are dropped and counted. Until camera_info has reported the
// camera of such images, the status is -1, not ready; another camera begins another map. An image that cannot be read
// is refused: no status, a line on /rosout.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/companion/newest_image.hpp"
#include "tandem/machines/orca/companion/slam_publisher.hpp"
#include "tandem/net/bell.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/vision/odometry.hpp"

namespace tandem::orca {

struct SlamOptions {
  std::string node = "slam";
  std::string name_space = "/";
  std::string image_topic = "image_raw";
  std::string info_topic = "camera_info";
  vision::MapperSettings mapping;
};

// Counts since the start.
struct SlamCounts {
  vision::TrackingState state = vision::TrackingState::not_ready;
  std::uint32_t map = 0;
  std::uint32_t points = 0;   // of the map, seen in the last image
  std::uint64_t images = 0;   // looked at
  std::uint64_t dropped = 0;  // there was a newer one
  std::uint64_t refused = 0;  // could not be read, or of another size than the camera's
  double look_time = 0;       // s, that the last image took
};

class SlamNode final : public machines::Companion {
 public:
  SlamNode(ros2::Context& context, const SlamOptions& options, Clock& clock = system_clock());

  // Looks until a stop is requested.
  void run(std::stop_token stop) override;
  // From any thread.
  SlamCounts counts() const;
  std::string trouble() const;  // why the last image or camera was refused; empty when none was
  std::vector<machines::Value> values() const override;

 private:
  using Trouble = ShortText<200>;

  void hear(const ros2::sensor_msgs::Image& message);
  void hear(const ros2::sensor_msgs::CameraInfo& message);
  void wait_for_bell() const;
  void take_camera();
  void look(const StampedImage& seen);
  void publish_map(UtcTime stamp);
  void refuse(const std::string& why);
  void tell_trouble();

  SlamOptions options_;
  net::Bell bell_;  // rung by the threads of DDS, heard by ours
  // From the threads of DDS.
  NewestImage images_;
  Mailbox<vision::Camera> cameras_;
  Mailbox<Trouble> troubles_;
  std::atomic<std::uint64_t> dropped_{0}, refused_{0};
  std::atomic<bool> reset_{false};
  // Of our thread.
  std::optional<vision::Camera> camera_;
  std::optional<vision::Odometry> odometry_;
  std::uint32_t first_map_ = 0;  // id of the odometry's map 0
  SlamCounts counts_;
  std::string reported_;
  Instant reported_at_{};
  std::vector<Eigen::Vector3d> points_;
  // For others.
  Latest<SlamCounts> shared_counts_;
  Latest<Trouble> shared_trouble_;

  ros2::FullNode node_;
  SlamPublisher publisher_;
  ros2::Service<ros2::std_srvs::Empty> reset_service_;
  std::array<ros2::Subscription, 2> subscriptions_;  // last: what they call must outlive them
};

}  // namespace tandem::orca
