// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/mavros_commands.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/protocols/mavlink/codec/constants.hpp"

namespace tandem::orca {
namespace {

using ros2::geometry_msgs::TwistStamped;
using ros2::mavros_msgs::CommandBool;
using ros2::mavros_msgs::CommandLong;
using ros2::mavros_msgs::ManualControl;
using ros2::mavros_msgs::OverrideRCIn;
using ros2::mavros_msgs::ParamGet;
using ros2::mavros_msgs::ParamSetV2;
using ros2::mavros_msgs::PositionTarget;
using ros2::std_srvs::Trigger;

constexpr std::uint8_t mavros_denied = 2;
constexpr std::uint8_t type_integer = 2, type_double = 3;  // of rcl_interfaces/ParameterType

std::optional<double> number_in(const ros2::rcl_interfaces::ParameterValue& value) {
  if (value.type == type_integer) return static_cast<double>(value.integer_value);
  if (value.type == type_double && std::isfinite(value.double_value)) return value.double_value;
  return std::nullopt;
}

// What an autopilot reports may be any number, or none: 0 where no integer is like it.
std::int64_t integer_from(double value) {
  constexpr double past_all = 9223372036854775808.0;
  return value >= -past_all && value < past_all ? static_cast<std::int64_t>(value) : 0;
}

bool finite_command(const CommandLong::Request& request) {
  // Not a number is a number to MAVLink: "as it is". Infinity is none.
  for (const float p :
       {request.param1, request.param2, request.param3, request.param4, request.param5, request.param6, request.param7})
    if (std::isinf(p)) return false;
  return true;
}

mavlink::CommandLong command_from(const CommandLong::Request& request) {
  mavlink::CommandLong command;
  command.command = request.command;
  command.param1 = request.param1;
  command.param2 = request.param2;
  command.param3 = request.param3;
  command.param4 = request.param4;
  command.param5 = request.param5;
  command.param6 = request.param6;
  command.param7 = request.param7;
  return command;
}

template <typename Service>
void reply_with(const ros2::Reply<Service>& reply, bool good, std::uint8_t result) {
  typename Service::Response response;
  response.success = good;
  response.result = result;
  reply.send(response);
}

}  // namespace

MavrosCommands::MavrosCommands(ros2::FullNode& node, const StickScale& scale, Duration twist_timeout,
                               Commands& commands, Questions& questions, Refusals& refusals)
    : node_(node),
      scale_(scale),
      commands_(commands),
      questions_(questions),
      refusals_(refusals),
      latch_(node, "~/arm"),
      inbox_(node, refusals) {
  hear_inputs(twist_timeout);
  offer_commands();
  offer_parameters();
}

// mavros' answers have no room for words, so they go to /rosout and /diagnostics.
void MavrosCommands::refuse(std::string_view what, const std::string& why) { refusals_.add(what, why); }

void MavrosCommands::hear_inputs(Duration twist_timeout) {
  const ros2::CommandRules rules = stick_rules(twist_timeout);
  const auto post = [this](const Result<TwistCommand>& order) -> Result<void> {
    if (!order) return order.error();
    commands_.twist.post(*order);
    return {};
  };
  inbox_.hear<TwistStamped>("/mavros/setpoint_velocity/cmd_vel", rules,
                            [post](const TwistStamped& message, Instant received) {
                              auto order = twist_order_from(message.twist, received);
                              if (order) order->in_map = true;
                              return post(order);
                            });
  inbox_.hear<ManualControl>("/mavros/manual_control/send", rules,
                             [this, post](const ManualControl& message, Instant received) {
                               return post(twist_from_sticks(message, scale_, received));
                             });
  inbox_.hear<OverrideRCIn>("/mavros/rc/override", rules, [this, post](const OverrideRCIn& message, Instant received) {
    return post(twist_from_channels(message, scale_, received));
  });
  inbox_.hear<PositionTarget>("/mavros/setpoint_raw/local", rules,
                              [this, post](const PositionTarget& message, Instant received) -> Result<void> {
                                const auto target = target_from_raw(message, received);
                                if (!target) return target.error();
                                if (const auto* twist = std::get_if<TwistCommand>(&*target)) return post(*twist);
                                if (const auto* goal = std::get_if<GoalCommand>(&*target)) commands_.goal.post(*goal);
                                return {};
                              });
}

void MavrosCommands::arm(Questions::Answered answered) {
  if (!latch_.ready()) return answered({.text = "the arm latch is not ready", .items = {}, .result = mavros_denied});
  latch_.call({}, {.timeout = 5s}, [this, answered = std::move(answered)](const Result<Trigger::Response>& latch) {
    if (!latch) return answered({.text = latch.error().text, .items = {}, .result = mavros_denied});
    if (!latch->success) return answered({.text = latch->message, .items = {}, .result = mavros_denied});
    commands_.arming.post({questions_.ask(QuestionKind::arming, answered)});
  });
}

void MavrosCommands::offer_commands() {
  arming_.emplace(node_, "/mavros/cmd/arming",
                  [this](const CommandBool::Request& request, const ros2::Reply<CommandBool>& reply) {
                    const auto answered = [this, reply](const CommandAnswer& answer) {
                      if (!answer.good) refuse("cmd/arming", answer.text);
                      reply_with<CommandBool>(reply, answer.good, answer.result);
                    };
                    if (request.value) return arm(answered);
                    commands_.disarming.post({questions_.ask(QuestionKind::arming, answered)});
                  });
  command_.emplace(
      node_, "/mavros/cmd/command", [this](const CommandLong::Request& request, const ros2::Reply<CommandLong>& reply) {
        const auto answered = [this, reply](const CommandAnswer& answer) {
          if (!answer.good) refuse("cmd/command", answer.text);
          reply_with<CommandLong>(reply, answer.good, answer.result);
        };
        if (request.broadcast || !finite_command(request)) {
          return answered({.text = "expected finite numbers for one vehicle", .items = {}, .result = mavros_denied});
        }
        if (request.command == mavlink::command::arm) {
          if (request.param1 > 0.5F) return arm(answered);
          return commands_.disarming.post({questions_.ask(QuestionKind::arming, answered)});
        }
        commands_.command.post({command_from(request), questions_.ask(QuestionKind::command, answered)});
      });
}

void MavrosCommands::ask_parameter(ParameterCommand order, Questions::Answered answered) {
  order.number =
      questions_.ask(QuestionKind::parameter, [this, answered = std::move(answered)](const CommandAnswer& answer) {
        if (!answer.good) refuse("param", answer.text);
        answered(answer);
      });
  commands_.parameter.post(std::make_unique<ParameterCommand>(std::move(order)));
}

void MavrosCommands::offer_parameters() {
  parameter_get_.emplace(node_, "/mavros/param/get",
                         [this](const ParamGet::Request& request, const ros2::Reply<ParamGet>& reply) {
                           ask_parameter({.name = request.param_id}, [reply](const CommandAnswer& answer) {
                             ParamGet::Response response;
                             response.success = answer.good;
                             response.value.real = answer.value;
                             response.value.integer = integer_from(answer.value);
                             reply.send(response);
                           });
                         });
  parameter_put_.emplace(
      node_, "/mavros/param/set", [this](const ParamSetV2::Request& request, const ros2::Reply<ParamSetV2>& reply) {
        const auto value = number_in(request.value);
        if (!value) {
          refuse("param/set", fmt::format("value: expected an integer or a double, got type {}", request.value.type));
          reply.send({});
          return;
        }
        ask_parameter({.name = request.param_id, .value = value},
                      [reply, type = request.value.type](const CommandAnswer& answer) {
                        ParamSetV2::Response response;
                        response.success = answer.good;
                        response.value.type = type;
                        response.value.double_value = type == type_double ? answer.value : 0;
                        response.value.integer_value = type == type_integer ? integer_from(answer.value) : 0;
                        reply.send(response);
                      });
      });
}

}  // namespace tandem::orca
