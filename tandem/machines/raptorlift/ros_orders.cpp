#include "tandem/machines/raptorlift/ros_orders.hpp"

#include <fmt/format.h>

namespace tandem::raptorlift {
namespace {

using ros2::control_msgs::SetOdometry;
using ros2::geometry_msgs::Twist;
using ros2::geometry_msgs::TwistStamped;
using ros2::sensor_msgs::JointState;

constexpr const char* joint_topic = "raptorlift/joint_commands";

// Best effort hears everybody, and the newest is all that counts. Of several publishers one drives.
ros2::Qos command_qos(Duration silence) {
  ros2::Qos qos = ros2::Qos::sensor_data();
  qos.ownership = ros2::Ownership::exclusive;
  qos.owner_silence = silence;
  return qos;
}

}  // namespace

RosOrders::RosOrders(ros2::FullNode& node, const RosOrdersSetup& setup, Orders& orders)
    : node_(node), setup_(setup), orders_(orders) {
  subscriptions_.push_back(node.subscribe<JointState>(
      joint_topic, command_qos(setup.command_timeout),
      [this](const JointState& message, const ros2::MessageInfo& info) { take(message, info.received); }));
  for (const auto input : {VelocityInput::teleop, VelocityInput::key, VelocityInput::nav, VelocityInput::cmd_vel})
    hear(input);
  subscriptions_.push_back(node.subscribe<ros2::std_msgs::Int32>(
      "gear_state", ros2::Qos::standard(), [this](const ros2::std_msgs::Int32& message, const ros2::MessageInfo&) {
        if (message.data >= 1 && message.data <= most_gear) return orders_.gear.post(message.data);
        refuse("gear_state", fmt::format("expected 1 to {}, seen {}", most_gear, message.data));
      }));
  if (setup.commander != Commander::internal) return;  // then a controller outside has these
  hear(VelocityInput::reference);
  subscriptions_.push_back(node.subscribe<Twist>("~/reference_unstamped", command_qos(setup.reference_timeout),
                                                 [this](const Twist& message, const ros2::MessageInfo& info) {
                                                   take(VelocityInput::reference, "~/reference_unstamped", message,
                                                        nullptr, info.received);
                                                 }));
  set_odometry_.emplace(node, "~/set_odometry", [this](const SetOdometry::Request& request) {
    const auto pose = pose_from(request);
    SetOdometry::Response response;
    response.success = pose.ok();
    response.message = pose ? "odometry is set with the next sample" : pose.error().text;
    if (pose) orders_.place.post(*pose);
    return response;
  });
}

void RosOrders::hear(VelocityInput input) {
  const std::string topic(source(input).topic);
  const ros2::Qos qos = command_qos(setup_.reference_timeout);
  if (input == VelocityInput::cmd_vel && !setup_.cmd_vel_stamped) {
    subscriptions_.push_back(
        node_.subscribe<Twist>(topic, qos, [this, input, topic](const Twist& message, const ros2::MessageInfo& info) {
          take(input, topic, message, nullptr, info.received);
        }));
    return;
  }
  subscriptions_.push_back(node_.subscribe<TwistStamped>(
      topic, qos, [this, input, topic](const TwistStamped& message, const ros2::MessageInfo& info) {
        take(input, topic, message.twist, &message.header.stamp, info.received);
      }));
}

void RosOrders::take(VelocityInput input, const std::string& topic, const Twist& twist, const Stamp* stamp,
                     Instant received) {
  if (setup_.commander != Commander::internal)
    return refuse(topic, "control: joint_commands: only raptorlift/joint_commands drives this truck");
  if (stamp != nullptr) {
    const std::string why =
        ros2::stamp_trouble(*stamp, node_.clock().utc(), {.oldest_stamp = setup_.reference_timeout});
    if (!why.empty()) return refuse(topic, why);
  }
  const auto wanted = twist_from(twist);
  if (!wanted) return refuse(topic, wanted.error().text);
  orders_.post(input, {*wanted, received});
}

void RosOrders::take(const JointState& message, Instant received) {
  if (setup_.commander != Commander::joint_commands)
    return refuse(joint_topic, "control: internal: our own controller drives this truck");
  const std::string why =
      ros2::stamp_trouble(message.header.stamp, node_.clock().utc(), {.oldest_stamp = setup_.reference_timeout});
  if (!why.empty()) return refuse(joint_topic, why);
  const UtcTime stamp = ros2::utc_from(message.header.stamp);
  const auto wheels = wheels_from(message, setup_.description, setup_.units, setup_.prefix);
  if (!wheels) return refuse(joint_topic, wheels.error().text);
  if (stamp != UtcTime{}) {
    const std::lock_guard lock(mutex_);
    if (stamp < last_stamp_ && last_stamp_ - stamp < 10 * setup_.reference_timeout) {
      ++refused_;
      refusal_ = fmt::format("{}: its stamp went back by {:.3f} s", joint_topic, seconds(last_stamp_ - stamp));
      return;
    }
    last_stamp_ = stamp;
  }
  orders_.joints.post({*wheels, received});
}

void RosOrders::refuse(std::string_view topic, std::string_view why) {
  const std::lock_guard lock(mutex_);
  ++refused_;
  refusal_ = fmt::format("{}: refused: {}", topic, why);
}

std::string RosOrders::last_refusal() const {
  const std::lock_guard lock(mutex_);
  return refusal_;
}

std::uint64_t RosOrders::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace tandem::raptorlift
