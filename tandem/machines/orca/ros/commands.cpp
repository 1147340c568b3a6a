// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/commands.hpp"

#include <fmt/format.h>

#include <utility>

#include "tandem/machines/orca/device/mode_names.hpp"

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

std::uint64_t Questions::ask(QuestionKind kind, Answered answered) {
  Waiting dropped;
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = next_++;
    dropped = std::exchange(waiting_[static_cast<std::size_t>(kind)], {number, std::move(answered)});
  }
  if (dropped.answered) dropped.answered({dropped.number, false, "superseded by a newer request"});
  return number;
}

void Questions::answer(const CommandAnswer& answer) {
  Waiting found;
  {
    const std::lock_guard lock(mutex_);
    for (Waiting& waiting : waiting_)
      if (answer.number != 0 && waiting.number == answer.number) found = std::exchange(waiting, {});
  }
  if (found.answered) found.answered(answer);
}

CommandNames own_order_names() {
  return {"cmd_vel",        "goal_pose",       "~/set_mode",           "~/mission/push",
          "~/mission/pull", "~/mission/clear", "~/mission/set_current"};
}

CommandNames mavros_order_names() {
  return {"/mavros/setpoint_velocity/cmd_vel_unstamped",
          "/mavros/setpoint_position/local",
          "/mavros/set_mode",
          "/mavros/mission/push",
          "/mavros/mission/pull",
          "/mavros/mission/clear",
          "/mavros/mission/set_current",
          true};
}

RosCommands::RosCommands(ros2::FullNode& node, const CommandNames& names, Duration twist_timeout, Commands& commands,
                         Questions& questions, Refusals& refusals, Pulled pulled)
    : commands_(commands),
      questions_(questions),
      refusals_(refusals),
      pulled_(std::move(pulled)),
      inbox_(node, refusals) {
  hear_sticks(names, twist_timeout);
  mode_.emplace(node, names.mode, [this](const SetMode::Request& request, const ros2::Reply<SetMode>& reply) {
    const auto mode = mode_from(request.custom_mode);
    if (!mode) {
      refusals_.add("set_mode", fmt::format("custom_mode: expected one of {}, got '{}'", all_mode_names(),
                                            request.custom_mode.substr(0, 40)));
      reply.send({});
      return;
    }
    commands_.mode.post({*mode, questions_.ask(QuestionKind::mode, [this, reply](const CommandAnswer& answer) {
                           if (!answer.good) refusals_.add("set_mode", answer.text);
                           SetMode::Response response;
                           response.mode_sent = answer.good;
                           reply.send(response);
                         })});
  });
  offer_missions(node, names);
}

void RosCommands::hear_sticks(const CommandNames& names, Duration twist_timeout) {
  inbox_.hear<Twist>(names.twist, stick_rules(twist_timeout),
                     [this, in_map = names.twist_in_map](const Twist& message, Instant received) -> Result<void> {
                       auto order = twist_order_from(message, received);
                       if (!order) return order.error();
                       order->in_map = in_map;
                       commands_.twist.post(*order);
                       return {};
                     });
  inbox_.hear<PoseStamped>(names.goal, {.judges_stamp = false, .exclusive = false, .every = true},
                           [this](const PoseStamped& message, Instant received) -> Result<void> {
                             const auto order = goal_order_from(message, received);
                             if (!order) return order.error();
                             commands_.goal.post(*order);
                             return {};
                           });
}

void RosCommands::order(MissionCommand order, Questions::Answered answered) {
  order.number =
      questions_.ask(QuestionKind::mission, [this, answered = std::move(answered)](const CommandAnswer& answer) {
        if (!answer.good) refusals_.add("mission", answer.text);
        answered(answer);
      });
  commands_.mission.post(std::make_unique<MissionCommand>(std::move(order)));
}

void RosCommands::offer_missions(ros2::FullNode& node, const CommandNames& names) {
  push_.emplace(node, names.push, [this](const WaypointPush::Request& request, const ros2::Reply<WaypointPush>& reply) {
    MissionCommand upload{.kind = MissionCommand::Kind::upload};
    std::string why = request.waypoints.size() > most_waypoints ? "waypoints: too many" : "";
    if (request.start_index != 0) why = "start_index: expected 0";
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
    order(std::move(upload), [reply, count = request.waypoints.size()](const CommandAnswer& answer) {
      WaypointPush::Response response;
      response.success = answer.good;
      response.wp_transfered = answer.good ? static_cast<std::uint32_t>(count) : 0;
      reply.send(response);
    });
  });
  pull_.emplace(node, names.pull, [this](const WaypointPull::Request&, const ros2::Reply<WaypointPull>& reply) {
    order({.kind = MissionCommand::Kind::download}, [this, reply](const CommandAnswer& answer) {
      if (answer.good && pulled_) pulled_(answer.items);
      WaypointPull::Response response;
      response.success = answer.good;
      response.wp_received = static_cast<std::uint32_t>(answer.items.size());
      reply.send(response);
    });
  });
  clear_.emplace(node, names.clear, [this](const WaypointClear::Request&, const ros2::Reply<WaypointClear>& reply) {
    order({.kind = MissionCommand::Kind::clear}, [reply](const CommandAnswer& answer) {
      WaypointClear::Response response;
      response.success = answer.good;
      reply.send(response);
    });
  });
  choose_.emplace(node, names.choose,
                  [this](const WaypointSetCurrent::Request& request, const ros2::Reply<WaypointSetCurrent>& reply) {
                    order({.kind = MissionCommand::Kind::choose, .item = request.wp_seq},
                          [reply](const CommandAnswer& answer) {
                            WaypointSetCurrent::Response response;
                            response.success = answer.good;
                            reply.send(response);
                          });
                  });
}

}  // namespace tandem::orca
