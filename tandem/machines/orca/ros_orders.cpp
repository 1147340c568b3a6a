#include "tandem/machines/orca/ros_orders.hpp"

#include <fmt/format.h>

#include <utility>

#include "tandem/machines/orca/mode_names.hpp"

namespace tandem::orca {
namespace {

using ros2::geometry_msgs::PoseStamped;
using ros2::geometry_msgs::Twist;
using ros2::mavros_msgs::SetMode;
using ros2::mavros_msgs::WaypointClear;
using ros2::mavros_msgs::WaypointPull;
using ros2::mavros_msgs::WaypointPush;
using ros2::mavros_msgs::WaypointSetCurrent;

constexpr std::size_t most_waypoints = 1000;

}  // namespace

ros2::Qos stick_qos(Duration silence) {
  ros2::Qos qos = ros2::Qos::sensor_data();
  qos.ownership = ros2::Ownership::exclusive;
  qos.owner_silence = silence;
  return qos;
}

std::uint64_t Questions::ask(QuestionKind kind, Answered answered) {
  Waiting dropped;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = next_++;
    dropped = std::exchange(waiting_[static_cast<std::size_t>(kind)], {number, std::move(answered)});
  }
  if (dropped.answered) dropped.answered({dropped.number, false, "another one was asked for meanwhile"});
  return number;
}

void Questions::answer(const OrderAnswer& answer) {
  Waiting found;
  {
    const std::lock_guard lock(mutex_);
    for (Waiting& waiting : waiting_)
      if (answer.number != 0 && waiting.number == answer.number) found = std::exchange(waiting, {});
  }
  if (found.answered) found.answered(answer);
}

void Refusals::add(std::string_view topic, std::string_view why) {
  const std::lock_guard lock(mutex_);
  ++count_;
  last_ = fmt::format("{}: refused: {}", topic, why);
}

std::string Refusals::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

std::uint64_t Refusals::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

OrderNames own_order_names() {
  return {"cmd_vel",        "goal_pose",       "~/set_mode",           "~/mission/push",
          "~/mission/pull", "~/mission/clear", "~/mission/set_current"};
}

OrderNames mavros_order_names() {
  return {"/mavros/setpoint_velocity/cmd_vel_unstamped",
          "/mavros/setpoint_position/local",
          "/mavros/set_mode",
          "/mavros/mission/push",
          "/mavros/mission/pull",
          "/mavros/mission/clear",
          "/mavros/mission/set_current",
          true};
}

RosOrders::RosOrders(ros2::FullNode& node, const OrderNames& names, Duration twist_timeout, Orders& orders,
                     Questions& questions, Refusals& refusals, Pulled pulled)
    : orders_(orders), questions_(questions), refusals_(refusals), pulled_(std::move(pulled)) {
  hear_sticks(node, names, twist_timeout);
  mode_.emplace(node, names.mode, [this](const SetMode::Request& request, const ros2::Reply<SetMode>& reply) {
    const auto mode = mode_from(request.custom_mode);
    if (!mode) {
      refusals_.add("set_mode", fmt::format("custom_mode: expected one of {}, seen '{}'", all_mode_names(),
                                            request.custom_mode.substr(0, 40)));
      reply.send({});
      return;
    }
    orders_.mode.post({*mode, questions_.ask(QuestionKind::mode, [this, reply](const OrderAnswer& answer) {
                         if (!answer.good) refusals_.add("set_mode", answer.text);
                         SetMode::Response response;
                         response.mode_sent = answer.good;
                         reply.send(response);
                       })});
  });
  offer_missions(node, names);
}

void RosOrders::hear_sticks(ros2::FullNode& node, const OrderNames& names, Duration twist_timeout) {
  subscriptions_.push_back(node.subscribe<Twist>(
      names.twist, stick_qos(twist_timeout),
      [this, topic = names.twist, in_map = names.twist_in_map](const Twist& message, const ros2::MessageInfo& info) {
        auto order = twist_order_from(message, info.received);
        if (!order) return refusals_.add(topic, order.error().text);
        order->in_map = in_map;
        orders_.twist.post(*order);
      }));
  subscriptions_.push_back(node.subscribe<PoseStamped>(
      names.goal, ros2::Qos::standard(),
      [this, topic = names.goal](const PoseStamped& message, const ros2::MessageInfo& info) {
        const auto order = goal_order_from(message, info.received);
        if (!order) return refusals_.add(topic, order.error().text);
        orders_.goal.post(*order);
      }));
}

void RosOrders::order(MissionOrder order, Questions::Answered answered) {
  order.number =
      questions_.ask(QuestionKind::mission, [this, answered = std::move(answered)](const OrderAnswer& answer) {
        if (!answer.good) refusals_.add("mission", answer.text);
        answered(answer);
      });
  orders_.mission.post(std::make_unique<MissionOrder>(std::move(order)));
}

void RosOrders::offer_missions(ros2::FullNode& node, const OrderNames& names) {
  push_.emplace(node, names.push, [this](const WaypointPush::Request& request, const ros2::Reply<WaypointPush>& reply) {
    MissionOrder upload{.kind = MissionOrder::Kind::upload};
    std::string why = request.start_index != 0                    ? "start_index: expected 0"
                      : request.waypoints.size() > most_waypoints ? "waypoints: too many"
                                                                  : "";
    for (const auto& waypoint : request.waypoints) {
      if (!why.empty()) break;
      auto item = mission_item_from(waypoint);
      if (item)
        upload.items.push_back(*item);
      else
        why = item.error().text;
    }
    if (!why.empty()) {
      refusals_.add("mission/push", why);
      reply.send({});
      return;
    }
    order(std::move(upload), [reply, count = request.waypoints.size()](const OrderAnswer& answer) {
      WaypointPush::Response response;
      response.success = answer.good;
      response.wp_transfered = answer.good ? static_cast<std::uint32_t>(count) : 0;
      reply.send(response);
    });
  });
  pull_.emplace(node, names.pull, [this](const WaypointPull::Request&, const ros2::Reply<WaypointPull>& reply) {
    order({.kind = MissionOrder::Kind::download}, [this, reply](const OrderAnswer& answer) {
      if (answer.good && pulled_) pulled_(answer.items);
      WaypointPull::Response response;
      response.success = answer.good;
      response.wp_received = static_cast<std::uint32_t>(answer.items.size());
      reply.send(response);
    });
  });
  clear_.emplace(node, names.clear, [this](const WaypointClear::Request&, const ros2::Reply<WaypointClear>& reply) {
    order({.kind = MissionOrder::Kind::clear}, [reply](const OrderAnswer& answer) {
      WaypointClear::Response response;
      response.success = answer.good;
      reply.send(response);
    });
  });
  choose_.emplace(node, names.choose,
                  [this](const WaypointSetCurrent::Request& request, const ros2::Reply<WaypointSetCurrent>& reply) {
                    order({.kind = MissionOrder::Kind::choose, .item = request.wp_seq},
                          [reply](const OrderAnswer& answer) {
                            WaypointSetCurrent::Response response;
                            response.success = answer.good;
                            reply.send(response);
                          });
                  });
}

}  // namespace tandem::orca
