// SPDX-License-Identifier: Apache-2.0
// teleop: a truck driven by the keys of a terminal.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "tandem/app/commands.hpp"
#include "tandem/app/ros/session.hpp"
#include "tandem/app/teleop/screen.hpp"
#include "tandem/app/terminal/key_terminal.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tandem/runtime/control/client.hpp"
#include "tandem/runtime/control/protocol.hpp"

namespace tandem::app {
namespace {

using ros2::geometry_msgs::TwistStamped;
using ros2::nav_msgs::Odometry;
using ros2::std_srvs::Trigger;

constexpr Duration publish_period = 50ms;
constexpr Duration odometry_lasts = 500ms;
constexpr Duration farewell = 500ms;  // for the last zero to arrive

TeleopMeasured measured_from(const Odometry& message, Instant at) {
  const auto& pose = message.pose.pose;
  const auto& twist = message.twist.twist;
  return {twist.linear.x,
          twist.angular.z,
          pose.position.x,
          pose.position.y,
          2 * std::atan2(pose.orientation.z, pose.orientation.w),
          at};
}

// The namespace of the truck's node: as given, else that of the tandem which runs here, else the root.
std::string name_space_from(const TeleopArguments& arguments) {
  if (!arguments.name_space.empty()) return arguments.name_space;
  const auto status = runtime::ask_status(runtime::control_path(arguments.control), 1s);
  const std::string node = status ? find_driven(*status, arguments.machine, arguments.name).node : "";
  const std::size_t slash = node.rfind('/');
  return slash == std::string::npos || slash == 0 ? "/" : node.substr(0, slash);
}

// The truck on ROS: told on one topic, measured on another, stopped by a service.
class DrivenTruck {
 public:
  DrivenTruck(ros2::Context& context, const std::string& name_space, const machines::KeyDrive& keys)
      : node_(context, "tandem_teleop", name_space),
        publisher_(node_.advertise<TwistStamped>(std::string(keys.velocity_topic), ros2::Qos::standard(1))),
        odometry_(node_.subscribe<Odometry>(std::string(keys.odometry_topic), ros2::Qos::sensor_data(),
                                            [this](const Odometry& message, const ros2::MessageInfo& info) {
                                              measured_.put(measured_from(message, info.received));
                                            })),
        stop_(node_, std::string(keys.stop_service)) {
    message_.header.frame_id = keys.frame;
  }

  void tell(const TeleopDrive::Twist& twist) {
    message_.header.stamp = ros2::message_from(system_clock().utc());
    message_.twist.linear.x = twist.v;
    message_.twist.angular.z = twist.w;
    (void)publisher_.publish(message_);
  }
  void leave() {
    tell({});
    (void)publisher_.wait_for_acknowledgements(farewell);
  }
  Result<std::string> stop() const {
    auto answer = stop_.call({}, {.timeout = 1s, .idempotent = true});
    if (!answer) return std::move(answer).error();
    if (!answer->success) return Error{Fault::device, answer->message};
    return answer->message;
  }
  const std::string& topic() const { return publisher_.topic(); }
  std::size_t listeners() const { return publisher_.matched(); }
  std::optional<TeleopMeasured> measured() const {
    const auto last = measured_.get();
    return last && system_clock().now() - last->at < odometry_lasts ? last : std::nullopt;
  }

 private:
  ros2::FullNode node_;
  ros2::Publisher<TwistStamped> publisher_;
  Latest<TeleopMeasured> measured_;
  ros2::Subscription odometry_;
  ros2::Client<Trigger> stop_;
  TwistStamped message_;
};

class Teleop {
 public:
  Teleop(const TeleopArguments& arguments, const machines::KeyDrive& keys, KeyTerminal& terminal)
      : terminal_(terminal),
        session_({arguments.domain, std::nullopt}),
        truck_(session_.context(), name_space_from(arguments), keys),
        drive_(keys),
        watch_(runtime::control_path(arguments.control), arguments.machine, arguments.name,
               [this] { return truck_.stop(); }) {}

  int run() {
    screen_.event(
        fmt::format("w s a d or arrows drive, + - shift, space halts (twice, or x: stops the machine), q "
                    "quits.\nDriven by {} only while keys are pressed: {} s after the last one a speed of 0 is sent.",
                    truck_.topic(), seconds(TeleopDrive::hold)));
    Instant next = system_clock().now();
    while (!over_ && !screen_.closed()) {
      const KeyTerminal::Input input = terminal_.wait(next - system_clock().now());
      for (const char byte : input.bytes) press(keys_.take(byte));
      over_ = over_ || input.ended;
      if (system_clock().now() < next && !over_) continue;
      next = std::max(next + publish_period, system_clock().now());
      tell();
      show();
    }
    truck_.leave();
    screen_.event("a speed of 0 was sent; the truck keeps its arm state for other clients (`tandem stop`)");
    return success;
  }

 private:
  void press(TeleopKey key) {
    const auto effect = drive_.press(key, system_clock().now());
    switch (effect) {
      case TeleopDrive::Effect::none:
        return;
      case TeleopDrive::Effect::drives:
      case TeleopDrive::Effect::halts:
        return remark(motion_text(drive_.wanted()));
      case TeleopDrive::Effect::gear:
        return remark(fmt::format("gear {}, {:.2f} m/s", drive_.gear(), drive_.gear_speed()));
      case TeleopDrive::Effect::stop_machine:
        truck_.tell({});
        watch_.ask_for_stop();
        return screen_.event("stop requested");
      case TeleopDrive::Effect::quit:
        over_ = true;
    }
  }

  void tell() {
    const bool was_held = held_;
    const auto twist = drive_.twist(system_clock().now());
    held_ = drive_.held(system_clock().now());
    if (twist) truck_.tell(*twist);
    if (was_held && !held_ && !over_) remark(fmt::format("no key for {} s: halt", seconds(TeleopDrive::hold)));
  }

  void show() {
    const auto machine = watch_.machine();
    if (machine && machine != reported_) screen_.event(advice(*machine));
    reported_ = machine;
    for (const std::string& answer : watch_.take_answers()) screen_.event(answer);
    screen_.status(status_line(
        {machine, truck_.listeners(), drive_.gear(), drive_.gear_speed(), held_, drive_.wanted(), truck_.measured()}));
  }

  // On a terminal the status line says the same.
  void remark(const std::string& text) {
    if (!screen_.terminal()) screen_.event(text);
  }

  KeyTerminal& terminal_;
  ros::Session session_;
  DrivenTruck truck_;
  TeleopScreen screen_;
  TeleopKeys keys_;
  TeleopDrive drive_;
  std::optional<TeleopWatch::Machine> reported_;
  bool held_ = false, over_ = false;
  TeleopWatch watch_;  // last: its thread stops the truck
};

}  // namespace

std::vector<std::string_view> driven_machines(const runtime::Registry& registry) {
  std::vector<std::string_view> names;
  for (const auto* type : registry.types())
    if (type->keys != nullptr) names.push_back(type->name);
  return names;
}

int teleop(const TeleopArguments& arguments, const runtime::Registry& registry) {
  const auto* type = known_machine(arguments.machine, registry);
  if (type == nullptr) return usage;
  if (type->keys == nullptr) {
    const auto driven = driven_machines(registry);
    return fail(fmt::format("teleop does not support {}; it supports {}", type->name, fmt::join(driven, ", ")), usage);
  }
  auto terminal = KeyTerminal::take();
  if (!terminal) return fail(fmt::format("teleop: {}", terminal.error().text));
  try {
    return Teleop(arguments, *type->keys, **terminal).run();
  } catch (const std::exception& error) {
    terminal->reset();
    return fail(fmt::format("teleop: {}", error.what()));
  }
}

}  // namespace tandem::app
