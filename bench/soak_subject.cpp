// SPDX-License-Identifier: Apache-2.0
#include "bench/soak_subject.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <thread>

#include "tandem/base/latest.hpp"
#include "tandem/machines/cable_robot/virtual/device.hpp"
#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/machines/em1500/virtual/device.hpp"
#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/machines/orca/virtual/faults.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/machines/raptorlift/virtual/faults.hpp"
#include "tandem/machines/ur3e/virtual/device.hpp"
#include "tandem/net/url.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

namespace bench {
namespace {

net::Endpoint loopback_at(std::uint16_t port) { return {0x7f000001, port}; }

net::FaultProxy line_to(std::uint16_t port) {
  auto proxy = net::FaultProxy::start({.upstream = loopback_at(port)});
  if (!proxy) throw std::runtime_error(proxy.error().text);
  return std::move(*proxy);
}

std::uint16_t port_in(const std::string& text) {
  const auto url = net::parse_url(text);
  if (!url || !url->port) throw std::runtime_error("no port in " + text);
  return *url->port;
}

template <typename Device>
std::jthread running(Device& device) {
  return std::jthread([&device](const std::stop_token& stop) { device.run(stop); });
}

// Drives a circle at 1 m/s, so that it stays in the hall.
class Truck final : public Subject {
 public:
  explicit Truck(ros2::Node& node)
      : commands_(node.advertise<ros2::geometry_msgs::Twist>("/raptorlift/cmd_vel")),
        device_(raptorlift::make_virtual_device({.clock = &system_clock(), .faults = &faults_})),
        thread_(running(*device_)) {
    lines_.push_back(line_to(port_in(device_->url())));
  }
  std::string name() const override { return "raptorlift"; }
  std::string entry() const override {
    return fmt::format("type: raptorlift, device: \"modbus://{}\", namespace: /raptorlift",
                       lines_[0].endpoint().text());
  }
  Place truth() const override {
    const raptorlift::TruckState state = device_->truth();
    return {{state.axle.x, state.axle.y}, std::hypot(state.twist.vx, state.twist.vy)};
  }
  double moving() const override { return 0.9; }
  void restart() override { faults_.next(raptorlift::PlcFaults::restart); }
  void command() override {
    ros2::geometry_msgs::Twist twist;
    twist.linear.x = 1;
    twist.angular.z = 0.3;
    commands_.publish(twist);
  }

 private:
  ros2::Publisher<ros2::geometry_msgs::Twist> commands_;
  raptorlift::PlcFaults faults_;
  std::unique_ptr<raptorlift::VirtualDevice> device_;
  std::jthread thread_;
};

// Follows its own path.
class Cables final : public Subject {
 public:
  Cables()
      : device_(cable_robot::make_virtual_device({.clock = &system_clock(), .faults = &faults_})),
        thread_(running(*device_)) {
    lines_.push_back(line_to(port_in(device_->url())));
  }
  std::string name() const override { return "cable_robot"; }
  std::string entry() const override {
    return fmt::format(
        "type: cable_robot, device: \"modbus://{}\", namespace: /cable_robot, task: path, task_period: 6",
        lines_[0].endpoint().text());
  }
  Place truth() const override {
    const cable_robot::PlatformState state = device_->truth();
    const auto& [x, y, z] = state.position;
    const auto& [vx, vy, vz] = state.velocity;
    return {{x, y, z}, std::hypot(vx, vy, vz)};
  }
  double moving() const override { return 0.1; }
  void restart() override { faults_.next(cable_robot::WinchFaults::restart); }

 private:
  cable_robot::WinchFaults faults_;
  std::unique_ptr<cable_robot::VirtualDevice> device_;
  std::jthread thread_;
};

// Steered ahead in a circle by a full stick. Only the way over ground counts: disarmed, it floats up.
class Submarine final : public Subject {
 public:
  explicit Submarine(ros2::Node& node)
      : commands_(node.advertise<ros2::geometry_msgs::Twist>("/orca/cmd_vel")),
        device_(orca::make_virtual_device(setup(faults_))),
        thread_(running(*device_)) {
    lines_.push_back(line_to(port_in(device_->tcp_url())));
  }
  std::string name() const override { return "orca"; }
  std::string entry() const override {
    return fmt::format("type: orca, device: \"mavlink://{}?link=tcp\", namespace: /orca", lines_[0].endpoint().text());
  }
  Place truth() const override {
    const orca::Truth truth = device_->truth();
    const auto place = truth.X_map_base.translation();
    return {{place.x(), place.y()}, truth.velocity.head<2>().norm()};
  }
  double moving() const override { return 0.6; }
  void restart() override { faults_.next(orca::VehicleFaults::restart); }
  void command() override {
    ros2::geometry_msgs::Twist twist;
    twist.linear.x = 1;
    twist.angular.z = 0.3;
    commands_.publish(twist);
  }

 private:
  static orca::VirtualDeviceSetup setup(orca::VehicleFaults& faults) {
    orca::VirtualDeviceSetup setup;
    setup.clock = &system_clock();
    setup.faults = &faults;
    return setup;
  }

  ros2::Publisher<ros2::geometry_msgs::Twist> commands_;
  orca::VehicleFaults faults_;
  std::unique_ptr<orca::VirtualDevice> device_;
  std::jthread thread_;
};

// Swings its base to and fro.
class Arm final : public Subject {
 public:
  explicit Arm(ros2::Node& node)
      : commands_(node.advertise<ros2::std_msgs::Float64MultiArray>("/ur3e/forward_velocity_controller/commands")) {
    ur3e::VirtualDeviceSetup setup;
    setup.clock = &system_clock();
    setup.script = &pendant_;
    setup.cycle_begins = [this](Instant, Instant) { look(); };
    device_ = std::make_unique<ur3e::VirtualDevice>(setup);
    thread_ = running(*device_);
    lines_.push_back(line_to(device_->ports().rtde));
    lines_.push_back(line_to(device_->ports().primary));
    lines_.push_back(line_to(device_->ports().dashboard));
  }
  std::string name() const override { return "ur3e"; }
  std::string entry() const override {
    return fmt::format("type: ur3e, device: \"rtde://{}?primary={}&dashboard={}\", namespace: /ur3e, gripper: false",
                       lines_[0].endpoint().text(), lines_[1].endpoint().port, lines_[2].endpoint().port);
  }
  const char* unit() const override { return "rad"; }
  Place truth() const override { return seen_.get().value_or(Place{}); }
  double moving() const override { return 0.9 * swing; }
  void restart() override { pendant_.power_cycle = true; }
  void command() override {
    const double base = truth().position[0];
    if (std::abs(base) > 1) side_ = base > 0 ? -1 : 1;
    ros2::std_msgs::Float64MultiArray speeds;
    speeds.data = {side_ * swing, 0, 0, 0, 0, 0};
    commands_.publish(speeds);
  }

 private:
  static constexpr double swing = 1;  // rad/s

  // In the device's own thread, where its controller may be looked at.
  void look() {
    ur3e::Controller& controller = device_->controller();
    const auto& measured = controller.body.measured();
    Place place;
    for (std::size_t i = 0; i < 6; ++i) place.position[i] = measured.position[static_cast<Eigen::Index>(i)];
    place.speed = measured.velocity.cwiseAbs().maxCoeff();
    seen_.put(place);
    // Somebody at the pendant switches it on again.
    if (controller.power.robot_mode() == ur::RobotMode::power_off) controller.power.power_on();
    if (controller.power.robot_mode() == ur::RobotMode::idle) controller.power.brake_release();
  }

  ros2::Publisher<ros2::std_msgs::Float64MultiArray> commands_;
  double side_ = 1;
  ur3e::PendantScript pendant_;
  Latest<Place> seen_;
  std::unique_ptr<ur3e::VirtualDevice> device_;
  std::jthread thread_;
};

// Moves by itself and is only read.
class Platform final : public Subject {
 public:
  Platform() {
    start();
    lines_.push_back(line_to(port_in(device_->url())));
  }
  std::string name() const override { return "em1500"; }
  std::string entry() const override {
    return fmt::format("type: em1500, device: \"ads://{}\", namespace: /em1500, twin: false",
                       lines_[0].endpoint().text());
  }
  Place truth() const override { return {}; }
  double moving() const override { return 0; }
  void restart() override {
    thread_ = {};
    device_.reset();
    start();
    lines_[0].redirect(loopback_at(port_in(device_->url())));
  }

 private:
  void start() {
    em1500::VirtualDeviceSetup setup;
    setup.clock = &system_clock();
    device_ = em1500::make_virtual_device(setup);
    thread_ = running(*device_);
  }

  std::unique_ptr<machines::VirtualDevice> device_;
  std::jthread thread_;
};

}  // namespace

std::vector<std::unique_ptr<Subject>> make_subjects(ros2::Node& node) {
  std::vector<std::unique_ptr<Subject>> all;
  all.push_back(std::make_unique<Truck>(node));
  all.push_back(std::make_unique<Cables>());
  all.push_back(std::make_unique<Arm>(node));
  all.push_back(std::make_unique<Submarine>(node));
  all.push_back(std::make_unique<Platform>());
  return all;
}

}  // namespace bench
