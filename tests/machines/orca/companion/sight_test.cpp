// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/sight.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "tests/machines/orca/companion/slam_rig.hpp"

namespace {

using namespace tandem;
using slam_rig::eventually;

// Glides along, and may fail.
class GlidingVehicle final : public orca::VirtualDevice {
 public:
  explicit GlidingVehicle(bool fails = false) : fails_(fails) {}
  std::string url() const override { return "mavlink://127.0.0.1:1?link=udpout"; }
  std::string tcp_url() const override { return "mavlink://127.0.0.1:2?link=tcp"; }
  void run(std::stop_token stop) override {
    if (fails_) throw std::runtime_error("the vehicle failed");
    while (!stop.stop_requested()) std::this_thread::sleep_for(5ms);
  }
  orca::Truth truth() const override {
    orca::Truth truth;
    truth.X_map_base = Pose(Eigen::Translation3d(0.05 * asked_++, 0, -2.5));
    return truth;
  }
  Pose estimate() const override { return Pose::Identity(); }

 private:
  bool fails_;
  mutable std::atomic<int> asked_{0};
};

machines::VirtualSetup seeing(const std::string& slam, ros2::Context* ros) {
  machines::VirtualSetup setup;
  setup.options.put("slam", slam);
  setup.options.put("camera_scale", 0.4);
  setup.options.put("floor_seed", 1.0);
  setup.options.put("seafloor", -4.0);
  setup.options.put("namespace", std::string("/"));
  setup.ros = ros;
  setup.clock = &system_clock();
  return setup;
}

}  // namespace

TEST_CASE("a vehicle that nobody looks through stays as it is") {
  ros2::Context context(ros2::loopback_options());
  auto vehicle = std::make_unique<GlidingVehicle>();
  const machines::VirtualDevice* plain = vehicle.get();
  const auto device = orca::with_sight(std::move(vehicle), seeing("none", &context));
  CHECK(device.get() == plain);
  auto deaf = std::make_unique<GlidingVehicle>();
  plain = deaf.get();
  CHECK(orca::with_sight(std::move(deaf), seeing("images", nullptr)).get() == plain);
  CHECK_FALSE(orca::sees_on_ros(seeing("none", nullptr).options));
  CHECK(orca::sees_on_ros(seeing("camera", nullptr).options));
}

TEST_CASE("features of the virtual vehicle give a map on ROS") {
  ros2::Context context(ros2::loopback_options());
  const slam_rig::Listener listener(context);
  const auto device = orca::with_sight(std::make_unique<GlidingVehicle>(), seeing("features", &context));
  CHECK(device->url() == "mavlink://127.0.0.1:1?link=udpout");
  const std::jthread thread([&](std::stop_token stop) { device->run(std::move(stop)); });
  CHECK(eventually(
      [&] { return listener.heard() > 0 && listener.last().tracking_state == slam_rig::SlamStatus::TRACKING_OK; }));
}

TEST_CASE("the companion sees the images of the virtual vehicle") {
  ros2::Context context(ros2::loopback_options());
  const slam_rig::Listener listener(context);
  const machines::VirtualSetup setup = seeing("images", &context);
  const auto device = orca::with_sight(std::make_unique<GlidingVehicle>(), setup);
  machines::Setup beside{.name = "sub", .device = device->url(), .options = setup.options, .ros = &context};
  beside.clock = &system_clock();
  const auto slam = orca::make_slam(beside);
  REQUIRE(slam != nullptr);
  const std::jthread looking([&](std::stop_token stop) { slam->run(std::move(stop)); });
  const std::jthread diving([&](std::stop_token stop) { device->run(std::move(stop)); });
  CHECK(eventually(
      [&] { return listener.heard() > 0 && listener.last().tracking_state == slam_rig::SlamStatus::TRACKING_OK; }));
  beside.options = seeing("camera", nullptr).options;
  CHECK(orca::make_slam(beside) == nullptr);
}

TEST_CASE("a vehicle that fails ends its eye and says so") {
  ros2::Context context(ros2::loopback_options());
  const auto device = orca::with_sight(std::make_unique<GlidingVehicle>(true), seeing("camera", &context));
  CHECK_THROWS_WITH_AS(device->run(std::stop_token{}), "the vehicle failed", std::runtime_error);
}
