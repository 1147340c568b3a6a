// SPDX-License-Identifier: Apache-2.0
// A dive as ROS tells it, and what the recorder makes of it.
#include "tandem/machines/orca/companion/path_recorder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tandem/machines/orca/companion/path_picture.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/orb_slam3_msgs.hpp"
#include "tandem/ros2/messages/orca_msgs.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tests/ros2/loopback.hpp"

namespace {

using namespace tandem;
using namespace tandem::orca;

PathLog round_log(bool with_truth) {
  PathLog log;
  for (int i = 0; i < 100; ++i) {
    const double time = 0.1 * i;
    const Eigen::Vector3d place(2 * std::cos(time), 2 * std::sin(time), -0.1 * time);
    if (with_truth) log.truth.add({time, place});
    log.estimate.add({time, place + Eigen::Vector3d(0.01 * time, 0, 0)});
    log.slam.add({time, 0.5 * place, 1});
  }
  return log;
}

std::string read_whole(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("paths are drawn from above and over time with one line for each") {
  const plot::Figure figure = path_picture(round_log(true));
  REQUIRE(figure.panels.size() == 2);
  CHECK(figure.panels[0].lines.size() == 3);
  CHECK(figure.panels[1].lines.size() == 3);
  CHECK(figure.panels[0].equal);
  CHECK(figure.note.find("2 m per unit") != std::string::npos);
  const auto bytes = plot::bytes_of(figure, plot::Format::svg);
  REQUIRE(bytes);
  CHECK(bytes->find("<svg") != std::string::npos);
}

TEST_CASE("without a truth the map is laid upon the estimate") {
  const plot::Figure figure = path_picture(round_log(false));
  CHECK(figure.panels[0].lines.size() == 2);
  const auto aligned = round_log(false).aligned();
  REQUIRE(aligned.size() == 1);
  CHECK(aligned[0].scale == doctest::Approx(2).epsilon(0.02));
}

TEST_CASE("names of pictures that cannot be are refused") {
  CHECK(check_path_file("a.png"));
  CHECK(check_path_file("a.svg"));
  CHECK(check_path_file("a.csv"));
  CHECK_FALSE(check_path_file("a.jpg"));
  CHECK_FALSE(check_path_file("a"));
  CHECK(check_path_file("/tmp/a.png"));
  CHECK_FALSE(check_path_file("/no/such/folder/a.png"));
  CHECK_FALSE(check_path_file("/no/such/folder/a.csv"));
  const PathLog nothing;
  CHECK_FALSE(write_paths(nothing, "a.png"));
}

TEST_CASE("the recorder compares estimate and truth and writes the points at its end") {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("tandem-paths-{}.csv", getpid());
  ros2::Context context(ros2::loopback_options());
  ros2::Node node(context, "dive");
  const auto truths = node.advertise<ros2::nav_msgs::Odometry>("/model/orca/odometry", ros2::Qos::sensor_data());
  const auto estimates = node.advertise<ros2::geometry_msgs::PoseStamped>("/ekf_pose");
  const auto statuses = node.advertise<ros2::orca_msgs::BridgeStatus>("/bridge_status");
  const auto sightings = node.advertise<ros2::orb_slam3_msgs::SlamStatus>("/slam_status");
  RecorderOptions options;
  options.file = file.string();
  PathRecorder recorder(context, options);
  CHECK(std::ranges::any_of(context.graph().endpoints, [](const ros2::GraphEndpoint& endpoint) {
    return endpoint.dds_topic == "rq/paths/list_parametersRequest" && endpoint.local;
  }));
  CHECK_THROWS_AS(PathRecorder(context, {.node = "other", .file = "x.jpg"}), std::invalid_argument);
  {
    std::jthread thread([&](std::stop_token stop) { recorder.run(std::move(stop)); });
    REQUIRE(ros2::eventually([&] {
      return truths.matched() == 1 && estimates.matched() == 1 && statuses.matched() == 1 && sightings.matched() == 1;
    }));
    double x = 0;
    UtcTime stamp(1000s);
    REQUIRE(ros2::eventually([&] {
      stamp += 100ms;
      x += 0.1;
      ros2::nav_msgs::Odometry truth;
      truth.header.stamp = ros2::message_from(stamp);
      truth.pose.pose.position.x = x;
      (void)truths.publish(truth);
      (void)statuses.publish(ros2::orca_msgs::BridgeStatus{});
      std::this_thread::sleep_for(30ms);
      ros2::geometry_msgs::PoseStamped estimate;
      estimate.header.stamp = truth.header.stamp;
      estimate.pose.position.x = 5 + 1.1 * x;  // begins elsewhere, and is 10 % too fast
      (void)estimates.publish(estimate);
      ros2::orb_slam3_msgs::SlamStatus seen;
      seen.header.stamp = truth.header.stamp;
      seen.tracking_state = 2;
      seen.map_id = 3;
      seen.pose.position.x = x / 4;
      (void)sightings.publish(seen);
      std::this_thread::sleep_for(30ms);
      return recorder.error().travelled > 1;
    }));
    const PathError error = recorder.error();
    CHECK(error.known);
    CHECK(error.error == doctest::Approx(0.1 * error.travelled).epsilon(0.25));
    CHECK(recorder.values().size() == 1);
    // Drawn in the frames of the machine's scene, at the place of the estimate without its error.
    const machines::Picture picture = recorder.truth_picture();
    REQUIRE(picture.seen);
    REQUIRE(picture.frames.size() == 2);
    CHECK(picture.frames[0].position[0] > 5);
  }
  const std::string text = read_whole(file);
  CHECK(text.find("truth,") != std::string::npos);
  CHECK(text.find("estimate,") != std::string::npos);
  CHECK(text.find("slam,") != std::string::npos);
  std::filesystem::remove(file);
}

TEST_CASE("the true place goes on with the estimate between two looks, in position and in heading") {
  const auto at = [](double time, double x, double yaw) {
    return TruePlace::Heard{time, pose_from(Eigen::Vector3d(x, 0, -1), rotation_from_rpy(0, 0, yaw))};
  };
  TruePlace place;
  place.hear_truth(at(0.05, 0, 0));
  CHECK_FALSE(place.X_map_true());
  // At 1 m/s and 0.5 rad/s; the estimate has another origin and is right at first.
  place.hear_estimate(at(0.0, 7 - 0.05, -0.025));
  CHECK_FALSE(place.X_map_true());
  place.hear_estimate(at(0.1, 7 + 0.05, 0.025));
  REQUIRE(place.X_map_true());
  CHECK(place.X_map_true()->translation().isApprox(Eigen::Vector3d(7.05, 0, -1), 1e-3));
  // Then it is 0.2 m too far and turned by 0.1 rad too much; the truth of that moment comes late.
  for (const double time : {0.2, 0.3}) place.hear_estimate(at(time, 7 + time - 0.05 + 0.2, 0.5 * (time - 0.05) + 0.1));
  place.hear_truth(at(0.25, 0.2, 0.1));
  REQUIRE(place.X_map_true());
  CHECK(place.X_map_true()->translation().x() == doctest::Approx(7.25).epsilon(1e-3));
  CHECK(rpy_from_rotation(place.X_map_true()->linear()).z() == doctest::Approx(0.125).epsilon(1e-6));
  // Half a second without a truth: it is still the same way behind, ahead along the way that it went.
  place.hear_estimate(at(0.8, 7.75 + 0.2, 0.375 + 0.1));
  const Eigen::Vector3d apart = place.X_map_true()->translation() - Eigen::Vector3d(7.95, 0, -1);
  CHECK(apart.norm() == doctest::Approx(0.2).epsilon(1e-3));
  // What is older than a second, and a clock that was set back, are no neighbours of a new truth.
  place.hear_estimate(at(-100, 0, 0));
  place.hear_truth(at(-99.95, 0, 0));
  CHECK_FALSE(place.X_map_true()->translation().hasNaN());
}
