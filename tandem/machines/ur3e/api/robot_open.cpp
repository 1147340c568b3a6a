// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <thread>

#include "tandem/machines/ur3e/api/robot.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

constexpr std::string_view ros_scheme = "ros2:";
constexpr Duration join_within = 500ms;  // whether a controller listens on this machine

}  // namespace

// The virtual controller that belongs to this robot, in its own thread.
struct Robot::Virtual {
  explicit Virtual(std::unique_ptr<machines::VirtualDevice> made)
      : device(std::move(made)), thread([this](std::stop_token stop) { device->run(stop); }) {}
  std::unique_ptr<machines::VirtualDevice> device;
  std::jthread thread;
};

Robot::~Robot() { close(); }

void Robot::close() {
  // A last word that need not get through: without its heartbeat the control program stops by itself.
  if (arm_ != nullptr) [[maybe_unused]]
    const auto disarmed = arm_->disarm(now() + 300ms);
  arm_.reset();
  gripper_.reset();
  virtual_.reset();
}

Result<ControllerAddress> Robot::find_virtual(const RobotOptions& options, std::unique_ptr<Virtual>& started) {
  const ControllerAddress standard;
  if (options.join_virtual && ur::RtdeClient::connect(standard.host, standard.rtde, now() + join_within))
    return standard;
  if (options.join_virtual && options.running_virtual)
    if (const std::string running = options.running_virtual(); !running.empty()) return controller_address(running);
  if (!options.make_virtual)
    return Error{Fault::refused, fmt::format("virtual: no controller on {}:{}, and none can be started here",
                                             standard.host, standard.rtde)};
  auto device = options.make_virtual();
  if (device == nullptr) return Error{Fault::device, "virtual: the controller could not be started"};
  started = std::make_unique<Virtual>(std::move(device));
  return controller_address(started->device->url());
}

Result<void> Robot::open_controller(const RobotOptions& options, const ControllerAddress& address) {
  controller_ = address;
  stale_after_ = options.link.stale_after;
  RtdeArmOptions link = options.link;
  link.address = address;
  auto opened = RtdeArm::open(std::move(link), now() + options.connect_within.value_or(5s));
  if (!opened) return std::move(opened).error();
  arm_ = std::move(*opened);
  if (options.gripper) {
    gripper_ = std::make_unique<Gripper>(make_socket_fingers(address, options.link.tap), options.opened_gripper_mm);
    if (auto answers = gripper_->status(); !answers) return std::move(answers).error();
  }
  return {};
}

Result<void> Robot::open_ros(const RobotOptions& options) {
  RosArmOptions ros;
  ros.controller = options.device.substr(ros_scheme.size());
  ros.context = options.ros;
  ros.connect_within = options.connect_within.value_or(ros.connect_within);
  stale_after_ = ros.stale_after;
  auto opened = open_ros_arm(ros);
  if (!opened) return std::move(opened).error();
  arm_ = std::move(opened->arm);
  if (options.gripper) gripper_ = std::make_unique<Gripper>(std::move(opened->fingers), options.opened_gripper_mm);
  return {};
}

Result<std::unique_ptr<Robot>> Robot::open(RobotOptions options) {
  if (!(options.opened_gripper_mm > 0))
    return Error{Fault::invalid,
                 fmt::format("opened gripper size: expected mm above 0, got {}", options.opened_gripper_mm)};
  std::unique_ptr<Robot> robot(new Robot);
  Result<void> opened;
  if (options.device.starts_with(ros_scheme)) {
    opened = robot->open_ros(options);
  } else {
    auto address =
        options.device == "virtual" ? find_virtual(options, robot->virtual_) : controller_address(options.device);
    if (!address) return std::move(address).error();
    opened = robot->open_controller(options, *address);
  }
  if (!opened) return within(options.device, std::move(opened).error());
  if (options.arm) {
    // A robot that is off or stopped is opened all the same: its state says why it does not move.
    auto armed = robot->arm();
    const auto here = robot->state();
    const bool ready = here && here->robot_mode == ur::RobotMode::running &&
                       (here->safety_mode == ur::SafetyMode::normal || here->safety_mode == ur::SafetyMode::reduced);
    if (!armed && ready) return within(options.device, std::move(armed).error());
  }
  return robot;
}

}  // namespace tandem::ur3e
