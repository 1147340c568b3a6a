// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/slam_node.hpp"

#include <doctest/doctest.h>

#include "tandem/machines/orca/companion/featureless_slam.hpp"
#include "tandem/machines/orca/companion/path_log.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tests/machines/orca/companion/slam_rig.hpp"
#include "tests/vision/flight.hpp"

namespace {

using namespace tandem;
using slam_rig::eventually;
using slam_rig::Image;
using slam_rig::SlamStatus;
using slam_rig::Stage;

Pose along(int i) { return flight::looking_down(0.05 * i, 0.02 * i, -2.5 + 0.01 * i); }

// Looks on the way until there is a map; the next step.
int begin_map(Stage& stage, int step = 0) {
  for (const int last = step + 25; step < last; ++step) {
    if (stage.look(along(step)).tracking_state == SlamStatus::TRACKING_OK) return step + 1;
  }
  FAIL("no map in 25 images");
  return step;
}

Image in_colours(const Image& gray, const std::string& encoding) {
  Image image = gray;
  image.encoding = encoding;
  image.step = 3 * gray.width;
  image.data.clear();
  for (const std::uint8_t pixel : gray.data) image.data.insert(image.data.end(), 3, pixel);
  return image;
}

}  // namespace

TEST_CASE("the SLAM follows rendered images up to scale") {
  Stage stage;
  CHECK(stage.look(along(0)).tracking_state == SlamStatus::TRACKING_SYSTEM_NOT_READY);  // nobody told the camera
  stage.tell_camera(stage.camera);
  REQUIRE(eventually([&] { return stage.look(along(0)).tracking_state == SlamStatus::TRACKING_NOT_INITIALIZED; }));
  orca::PathLog log;
  for (int i = 1; i < 30; ++i) {
    const SlamStatus status = stage.look(along(i));
    log.add(0.1 * i, along(i), along(i));
    if (status.tracking_state != SlamStatus::TRACKING_OK) continue;
    log.add_slam(0.1 * i, status.map_id, ros2::pose_from(status.pose));
    CHECK(status.header.frame_id == "world");
    CHECK(status.tracked_points.point_step == 12);
    CHECK(status.tracked_points.width >= 15);
    CHECK(status.tracked_points.data.size() == 12 * status.tracked_points.width);
  }
  const auto aligned = log.aligned();
  REQUIRE(aligned.size() == 1);
  CHECK(aligned[0].path.size() > 15);
  CHECK(aligned[0].rms < 0.01 * log.truth.length());
  CHECK(eventually([&] { return stage.listener.poses >= 15 && stage.listener.clouds >= 1; }));
  CHECK(stage.listener.map_points >= 50);
  const orca::SlamCounts counts = stage.slam.counts();
  CHECK(counts.state == vision::TrackingState::ok);
  CHECK(counts.refused == 0);
  CHECK(stage.slam.values().at(0).text == vision::name(vision::TrackingState::ok));
}

TEST_CASE("colours and reliable publishers are heard and other encodings refused") {
  Stage stage(ros2::Qos::standard());
  stage.tell_camera(stage.camera);
  REQUIRE(eventually([&] { return stage.look(along(0)).tracking_state == SlamStatus::TRACKING_NOT_INITIALIZED; }));
  const int next = begin_map(stage, 1);
  CHECK(stage.show(in_colours(stage.picture(along(next)), "rgb8")).tracking_state == SlamStatus::TRACKING_OK);
  CHECK(stage.show(in_colours(stage.picture(along(next + 1)), "bgr8")).tracking_state == SlamStatus::TRACKING_OK);
  const std::size_t heard = stage.listener.heard();
  Image odd = stage.picture(along(next + 2));
  odd.encoding = "mono16";
  REQUIRE(stage.images.publish(odd));
  REQUIRE(eventually([&] { return stage.slam.counts().refused == 1; }));
  CHECK(eventually([&] { return stage.slam.trouble().find("got 'mono16'") != std::string::npos; }));
  CHECK(stage.listener.heard() == heard);
  CHECK(stage.look(along(next + 2)).tracking_state == SlamStatus::TRACKING_OK);
}

TEST_CASE("images of another size wait for their camera and then begin another map") {
  Stage stage;
  stage.tell_camera(stage.camera);
  REQUIRE(eventually([&] { return stage.look(along(0)).tracking_state == SlamStatus::TRACKING_NOT_INITIALIZED; }));
  begin_map(stage, 1);
  CHECK(stage.listener.last().map_id == 0);
  stage.camera = orca::vehicle_camera(0.3);
  REQUIRE(stage.images.publish(stage.picture(along(0))));
  REQUIRE(eventually([&] { return stage.slam.counts().refused == 1; }));
  stage.tell_camera(stage.camera);
  std::uint32_t map = 0;
  for (int i = 0; i < 200 && map == 0; ++i) {
    const std::uint64_t before = stage.slam.counts().images + stage.slam.counts().refused;
    REQUIRE(stage.images.publish(stage.picture(along(0))));
    REQUIRE(eventually([&] { return stage.slam.counts().images + stage.slam.counts().refused > before; }));
    map = stage.slam.counts().map;
  }
  CHECK(map == 1);
  CHECK(stage.slam.counts().state == vision::TrackingState::not_initialised);
  begin_map(stage, 1);
  CHECK(stage.listener.last().map_id == 1);
}

TEST_CASE("a reset begins the next map") {
  Stage stage;
  stage.tell_camera(stage.camera);
  REQUIRE(eventually([&] { return stage.look(along(0)).tracking_state == SlamStatus::TRACKING_NOT_INITIALIZED; }));
  const int next = begin_map(stage, 1);
  const ros2::Client<ros2::std_srvs::Empty> client(stage.node, "/reset_slam");
  REQUIRE(client.wait_for_server(20s));
  REQUIRE(client.call({}, {.timeout = 20s}).ok());
  const SlamStatus status = stage.look(along(next));
  CHECK(status.tracking_state == SlamStatus::TRACKING_NOT_INITIALIZED);
  CHECK(status.map_id == 1);
  CHECK(status.tracked_points.width == 0);
}

TEST_CASE("a black camera is lost and told so until there is another map") {
  Stage stage;
  stage.tell_camera(stage.camera);
  REQUIRE(eventually([&] { return stage.look(along(0)).tracking_state == SlamStatus::TRACKING_NOT_INITIALIZED; }));
  const int next = begin_map(stage, 1);
  CHECK(stage.black().tracking_state == SlamStatus::TRACKING_RECENTLY_LOST);
  CHECK(stage.black().tracking_state == SlamStatus::TRACKING_RECENTLY_LOST);
  CHECK(stage.look(along(next)).tracking_state == SlamStatus::TRACKING_OK);  // known again
  CHECK(stage.listener.last().map_id == 0);
  bool lost = false;
  for (int i = 0; i < 8 && !lost; ++i) lost = stage.black().tracking_state == SlamStatus::TRACKING_LOST;
  CHECK(lost);
  begin_map(stage, next);
  CHECK(stage.listener.last().map_id == 1);
}

TEST_CASE("the vehicle's eye looks down and is heard as a sensor") {
  ros2::Context context(ros2::loopback_options());
  ros2::Node node(context, "stage");
  std::atomic<int> images{0}, infos{0};
  std::atomic<std::uint32_t> width{0};
  const auto image = node.subscribe<Image>("/image_raw", ros2::Qos::sensor_data(),
                                           [&](const Image& message, const ros2::MessageInfo&) {
                                             width = message.header.frame_id == "camera_sensor" ? message.width : 0;
                                             ++images;
                                           });
  const auto info = node.subscribe<slam_rig::CameraInfo>(
      "/camera_info", ros2::Qos::sensor_data(),
      [&](const slam_rig::CameraInfo& message, const ros2::MessageInfo&) { infos += message.width == 200 ? 1 : 0; });
  orca::CameraOptions options;
  options.camera = orca::vehicle_camera(0.25);
  options.rate = 50;
  const Pose X_map_base(Eigen::Translation3d(1, 2, -2));
  orca::VirtualCamera camera(context, options, [&] { return X_map_base; });
  {
    const std::jthread thread([&](std::stop_token stop) { camera.run(std::move(stop)); });
    CHECK(eventually([&] { return images >= 3 && infos >= 3; }));
  }
  CHECK(width == 200);
  CHECK(camera.images() >= 3);
  // Optical z is down, the top of the image is forward: x of the image is the vehicle's right.
  const Pose X = orca::X_map_camera(X_map_base);
  CHECK((X.linear().col(2) - Eigen::Vector3d(0, 0, -1)).norm() < 1e-9);
  CHECK((X.linear().col(0) - Eigen::Vector3d(0, -1, 0)).norm() < 1e-9);
  CHECK((X.translation() - X_map_base.translation()).norm() < 0.5);
  options.rate = 0;
  CHECK_THROWS_AS(orca::VirtualCamera(context, options, [&] { return X_map_base; }), std::invalid_argument);
}

TEST_CASE("without images the features tell the same") {
  ros2::Context context(ros2::loopback_options());
  slam_rig::Listener listener(context);
  ManualClock clock;
  int step = 0;
  orca::VirtualSlam slam(
      context, {}, [&] { return Pose(Eigen::Translation3d(0.05 * step, 0.02 * step, -2.5)); }, clock);
  REQUIRE(eventually([&] { return listener.connected(); }));
  orca::PathLog log;
  for (; step < 40; ++step, clock.advance(100ms)) {
    const Pose X_map_base(Eigen::Translation3d(0.05 * step, 0.02 * step, -2.5));
    log.add(0.1 * step, X_map_base, X_map_base);
    slam.look();
    REQUIRE(eventually([&] { return listener.heard() == static_cast<std::size_t>(step) + 1; }));
    const SlamStatus status = listener.last();
    if (status.tracking_state == SlamStatus::TRACKING_OK)
      log.add_slam(0.1 * step, status.map_id, ros2::pose_from(status.pose));
  }
  const auto aligned = log.aligned();
  REQUIRE(aligned.size() == 1);
  CHECK(aligned[0].path.size() > 20);
  CHECK(aligned[0].rms < 0.01 * log.truth.length());
}
