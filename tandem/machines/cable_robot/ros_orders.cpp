#include "tandem/machines/cable_robot/ros_orders.hpp"

#include <fmt/format.h>

namespace tandem::cable_robot {
namespace {

using ros2::geometry_msgs::PoseStamped;
using ros2::geometry_msgs::Twist;
using ros2::sensor_msgs::JointState;
using PlainPose = ros2::geometry_msgs::Pose;

constexpr const char* desired_topic = "desired_pose";
constexpr const char* setpoint_topic = "pf_setpoint";
constexpr const char* command_topic = "cable_command";
constexpr int answered_depth = 100;  // a burst of desired poses

// Of several publishers one says where to go. A pose may be said once, so none must get lost.
ros2::Qos owned(Duration silence) {
  ros2::Qos qos = ros2::Qos::standard();
  qos.ownership = ros2::Ownership::exclusive;
  qos.owner_silence = silence;
  return qos;
}

// What comes again and again; best effort hears everybody, and the newest is all that counts.
ros2::Qos streamed(Duration silence) {
  ros2::Qos qos = owned(silence);
  qos.reliability = ros2::Reliability::best_effort;
  return qos;
}

}  // namespace

const char* pose_topic(Profile profile) { return profile == Profile::cdpr ? setpoint_topic : desired_topic; }

RosOrders::RosOrders(ros2::FullNode& node, const RosOrdersSetup& setup, const cables::Robot& robot, Orders& orders)
    : node_(node), setup_(setup), robot_(robot), orders_(orders) {
  if (setup_.profile == Profile::cdpr) {
    hear_cdpr();
    return;
  }
  lengths_publisher_.emplace(node_.advertise<ros2::std_msgs::Float64MultiArray>("cable_lengths"));
  if (setup_.stamped)
    hear_desired_pose<PoseStamped>();
  else
    hear_desired_pose<PlainPose>();
}

// Heard twice: everybody is answered, whoever else speaks and whatever the robot does; one of them is obeyed.
template <ros2::Message M>
void RosOrders::hear_desired_pose() {
  subscriptions_.push_back(node_.subscribe<M>(desired_topic, ros2::Qos::standard(answered_depth),
                                              [this](const M& message, const ros2::MessageInfo&) {
                                                const auto pose = checked(message);
                                                if (!pose) return refuse(desired_topic, pose.error().text);
                                                answer(*pose);
                                              }));
  subscriptions_.push_back(node_.subscribe<M>(
      desired_topic, owned(setup_.oldest_stamp), [this](const M& message, const ros2::MessageInfo& info) {
        const auto pose = checked(message);
        if (!pose) return;  // said above
        if constexpr (requires { message.header.stamp; })
          return take(desired_topic, *pose, &message.header.stamp, info.received);
        take(desired_topic, *pose, nullptr, info.received);
      }));
}

void RosOrders::hear_cdpr() {
  subscriptions_.push_back(node_.subscribe<PlainPose>(setpoint_topic, owned(setup_.oldest_stamp),
                                                      [this](const PlainPose& message, const ros2::MessageInfo& info) {
                                                        const auto pose = checked(message);
                                                        if (!pose) return refuse(setpoint_topic, pose.error().text);
                                                        take(setpoint_topic, *pose, nullptr, info.received);
                                                      }));
  subscriptions_.push_back(node_.subscribe<JointState>(
      command_topic, streamed(setup_.command_timeout),
      [this](const JointState& message, const ros2::MessageInfo& info) { take(message, info.received); }));
  subscriptions_.push_back(node_.subscribe<Twist>("desired_vel", streamed(setup_.command_timeout),
                                                  [this](const Twist& message, const ros2::MessageInfo& info) {
                                                    take("desired_vel", message, orders_.velocity, info.received);
                                                  }));
  subscriptions_.push_back(node_.subscribe<Twist>("desired_acc", streamed(setup_.command_timeout),
                                                  [this](const Twist& message, const ros2::MessageInfo& info) {
                                                    take("desired_acc", message, orders_.acceleration, info.received);
                                                  }));
}

template <ros2::Message M>
Result<PoseNumbers> RosOrders::checked(const M& message) const {
  if constexpr (requires { message.header.frame_id; }) {
    if (const std::string why = frame_trouble(message.header.frame_id, setup_.frame); !why.empty())
      return Error{Fault::invalid, why};
    return pose_from(message.pose);
  } else {
    return pose_from(message);
  }
}

void RosOrders::answer(const PoseNumbers& pose) {
  fill(lengths_, numbers_of(cables::lengths(robot_, pose_of(pose))), robot_.cables());
  lengths_publisher_->publish(lengths_);
}

void RosOrders::take(const std::string& topic, const PoseNumbers& pose, const Stamp* stamp, Instant received) {
  if (setup_.commander != Commander::pose)
    return refuse(topic, "control: tensions: only cable_command moves this robot");
  if (stamp != nullptr) {
    const std::string why = ros2::stamp_trouble(*stamp, node_.clock().utc(), {.oldest_stamp = setup_.oldest_stamp});
    if (!why.empty()) return refuse(topic, why);
  }
  orders_.pose.post({pose, received});
}

void RosOrders::take(const JointState& message, Instant received) {
  if (setup_.commander != Commander::tensions)
    return refuse(command_topic, "control: pose: our own controller moves this robot");
  const std::string why =
      ros2::stamp_trouble(message.header.stamp, node_.clock().utc(), {.oldest_stamp = setup_.command_timeout});
  if (!why.empty()) return refuse(command_topic, why);
  const auto tensions = tensions_from(message, robot_.cables());
  if (!tensions) return refuse(command_topic, tensions.error().text);
  orders_.tensions.post({*tensions, received});
}

void RosOrders::take(const std::string& topic, const Twist& message, Mailbox<MotionOrder>& into, Instant received) {
  const auto six = six_from(message);
  if (!six) return refuse(topic, six.error().text);
  into.post({*six, received});
}

void RosOrders::refuse(std::string_view topic, std::string_view why) {
  const Instant at = node_.clock().now();
  std::string text = fmt::format("{}: refused: {}", topic, why);
  bool say = false;
  {
    const std::lock_guard lock(mutex_);
    ++refused_;
    say = at >= next_log_;
    if (say) next_log_ = at + setup_.log_interval;
    refusal_ = text;
  }
  if (say) node_.log(ros2::LogLevel::warn, text);
}

std::string RosOrders::last_refusal() const {
  const std::lock_guard lock(mutex_);
  return refusal_;
}

std::uint64_t RosOrders::ignored() const {
  std::uint64_t count = 0;
  for (const ros2::Subscription& subscription : subscriptions_) count += subscription.refused();
  return count;
}

std::uint64_t RosOrders::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

}  // namespace tandem::cable_robot
