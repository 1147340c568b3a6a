// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/slam_node.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tandem/machines/orca/companion/image_message.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::orca {
namespace {

using ros2::sensor_msgs::CameraInfo;
using ros2::sensor_msgs::Image;
using ros2::std_srvs::Empty;

constexpr Duration say_again = 10s;  // the same trouble

bool same_camera(const vision::Camera& a, const vision::Camera& b) {
  return a.width == b.width && a.height == b.height && a.fx == b.fx && a.fy == b.fy && a.cx == b.cx && a.cy == b.cy;
}

}  // namespace

SlamNode::SlamNode(ros2::Context& context, const SlamOptions& options, Clock& clock)
    : options_(options),
      node_(context, options.node, options.name_space, clock),
      publisher_(node_),
      reset_service_(node_, "reset_slam",
                     [this](const Empty::Request&) {
                       reset_.store(true, std::memory_order_release);
                       bell_.ring();
                       return Empty::Response{};
                     }),
      subscriptions_{
          node_.subscribe<CameraInfo>(options.info_topic, ros2::Qos::sensor_data(),
                                      [this](const CameraInfo& message, const ros2::MessageInfo&) { hear(message); }),
          node_.subscribe<Image>(options.image_topic, ros2::Qos::sensor_data(),
                                 [this](const Image& message, const ros2::MessageInfo&) { hear(message); })} {
  if (bell_.fd() < 0) throw std::runtime_error("slam: could not create an event descriptor");
}

// On the receive thread of DDS, as the other hear().
void SlamNode::hear(const Image& message) {
  StampedImage& next = images_.next();
  if (auto read = read_image(message, next.image); !read) return refuse(read.error().text);
  next.stamp = ros2::utc_from(message.header.stamp);
  if (images_.post()) dropped_.fetch_add(1, std::memory_order_relaxed);
  bell_.ring();
}

void SlamNode::hear(const CameraInfo& message) {
  const auto camera = camera_from(message);
  if (!camera) {
    troubles_.post(Trouble(camera.error().text));
  } else {
    cameras_.post(*camera);
  }
  bell_.ring();
}

void SlamNode::refuse(const std::string& why) {
  refused_.fetch_add(1, std::memory_order_relaxed);
  troubles_.post(Trouble(why));
  bell_.ring();
}

void SlamNode::wait_for_bell() const {
  std::array watches{net::Watch{.fd = bell_.fd()}};
  const auto ready = net::wait(watches, now() + 50ms);
  if (ready && *ready > 0) bell_.silence();
}

void SlamNode::run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    wait_for_bell();
    take_camera();
    if (reset_.exchange(false, std::memory_order_acq_rel) && odometry_) odometry_->reset();
    if (const StampedImage* seen = images_.take()) look(*seen);
    tell_trouble();
    counts_.dropped = dropped_.load(std::memory_order_relaxed);
    counts_.refused = refused_.load(std::memory_order_relaxed);
    shared_counts_.put(counts_);
  }
}

void SlamNode::take_camera() {
  const auto camera = cameras_.take();
  if (!camera || (camera_ && same_camera(*camera_, *camera))) return;
  if (odometry_) first_map_ += odometry_->tracking().map_id + 1;
  camera_ = *camera;
  odometry_.emplace(vision::OdometrySettings{*camera, options_.mapping});
}

void SlamNode::look(const StampedImage& seen) {
  const Instant began = now();  // real time: what a look costs
  if (!odometry_) {
    ++counts_.images;
    counts_.state = vision::TrackingState::not_ready;
    vision::Tracking waiting;
    waiting.state = counts_.state;
    return publisher_.publish(waiting, seen.stamp);
  }
  if (auto added = odometry_->add(seen.image.view(), seconds(seen.stamp.time_since_epoch())); !added)
    return refuse(added.error().text);
  const vision::Tracking& tracking = odometry_->tracking();
  publisher_.publish(tracking, seen.stamp, first_map_);
  if (tracking.state == vision::TrackingState::ok && publisher_.map_wanted()) publish_map(seen.stamp);
  ++counts_.images;
  counts_.state = tracking.state;
  counts_.map = first_map_ + tracking.map_id;
  counts_.points = static_cast<std::uint32_t>(tracking.points.size());
  counts_.look_time = seconds(now() - began);
}

void SlamNode::publish_map(UtcTime stamp) {
  points_.clear();
  for (const auto& [track, point] : odometry_->map().points) points_.push_back(point);
  publisher_.publish_map(points_, stamp);
}

// The same words at most once in a while, whatever a camera keeps sending.
void SlamNode::tell_trouble() {
  const auto trouble = troubles_.take();
  if (!trouble) return;
  shared_trouble_.put(*trouble);
  const Instant time = node_.clock().now();
  if (trouble->view() == reported_ && time < reported_at_ + say_again) return;
  reported_ = trouble->view();
  reported_at_ = time;
  node_.log(ros2::LogLevel::warn, reported_);
}

SlamCounts SlamNode::counts() const { return shared_counts_.get().value_or(SlamCounts{}); }

std::string SlamNode::trouble() const { return std::string(shared_trouble_.get().value_or(Trouble{}).view()); }

std::vector<machines::Value> SlamNode::values() const {
  const SlamCounts counts = this->counts();
  const auto number = [](auto count) { return std::vector<double>{static_cast<double>(count)}; };
  std::vector<machines::Value> values{
      {"tracking", "", {}, vision::name(counts.state)},   {"slam map", "", number(counts.map), ""},
      {"map points", "", number(counts.points), ""},      {"images", "", number(counts.images), ""},
      {"images dropped", "", number(counts.dropped), ""}, {"images refused", "", number(counts.refused), ""},
      {"time per image", "s", {counts.look_time}, ""},
  };
  if (const std::string why = trouble(); !why.empty())
    values.push_back({"last reason for refused images", "", {}, why});
  return values;
}

}  // namespace tandem::orca
