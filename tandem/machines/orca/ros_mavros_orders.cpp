#include "tandem/machines/orca/ros_mavros_orders.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/protocols/mavlink/constants.hpp"

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

// What an autopilot tells may be any number, or none: 0 where no integer is like it.
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

MavrosOrders::MavrosOrders(ros2::FullNode& node, const StickScale& scale, Duration twist_timeout, Orders& orders,
                           Questions& questions, Refusals& refusals)
    : node_(node), scale_(scale), orders_(orders), questions_(questions), refusals_(refusals), latch_(node, "~/arm") {
  hear_inputs(twist_timeout);
  offer_commands();
  offer_parameters();
}

// mavros' answers have no room for words, so they go to /rosout and /diagnostics.
void MavrosOrders::refuse(std::string_view what, const std::string& why) {
  refusals_.add(what, why);
  node_.log(ros2::LogLevel::warn, fmt::format("{}: refused: {}", what, why));
}

void MavrosOrders::hear_inputs(Duration twist_timeout) {
  const auto post = [this](std::string_view topic, const Result<TwistOrder>& order) {
    if (!order) return refusals_.add(topic, order.error().text);
    orders_.twist.post(*order);
  };
  subscriptions_.push_back(
      node_.subscribe<TwistStamped>("/mavros/setpoint_velocity/cmd_vel", stick_qos(twist_timeout),
                                    [post](const TwistStamped& message, const ros2::MessageInfo& info) {
                                      auto order = twist_order_from(message.twist, info.received);
                                      if (order) order->in_map = true;
                                      post("setpoint_velocity/cmd_vel", order);
                                    }));
  subscriptions_.push_back(
      node_.subscribe<ManualControl>("/mavros/manual_control/send", stick_qos(twist_timeout),
                                     [this, post](const ManualControl& message, const ros2::MessageInfo& info) {
                                       post("manual_control/send", twist_from_sticks(message, scale_, info.received));
                                     }));
  subscriptions_.push_back(
      node_.subscribe<OverrideRCIn>("/mavros/rc/override", stick_qos(twist_timeout),
                                    [this, post](const OverrideRCIn& message, const ros2::MessageInfo& info) {
                                      post("rc/override", twist_from_channels(message, scale_, info.received));
                                    }));
  subscriptions_.push_back(
      node_.subscribe<PositionTarget>("/mavros/setpoint_raw/local", stick_qos(twist_timeout),
                                      [this](const PositionTarget& message, const ros2::MessageInfo& info) {
                                        const auto target = target_from_raw(message, info.received);
                                        if (!target) return refusals_.add("setpoint_raw/local", target.error().text);
                                        if (const auto* twist = std::get_if<TwistOrder>(&*target))
                                          orders_.twist.post(*twist);
                                        if (const auto* goal = std::get_if<GoalOrder>(&*target))
                                          orders_.goal.post(*goal);
                                      }));
}

void MavrosOrders::arm(Questions::Answered answered) {
  if (!latch_.ready())
    return answered({.text = "the arm latch is not there (yet)", .items = {}, .result = mavros_denied});
  latch_.call({}, {.timeout = 5s}, [this, answered = std::move(answered)](const Result<Trigger::Response>& latch) {
    if (!latch) return answered({.text = latch.error().text, .items = {}, .result = mavros_denied});
    if (!latch->success) return answered({.text = latch->message, .items = {}, .result = mavros_denied});
    orders_.arming.post({questions_.ask(QuestionKind::arming, answered)});
  });
}

void MavrosOrders::offer_commands() {
  arming_.emplace(node_, "/mavros/cmd/arming",
                  [this](const CommandBool::Request& request, const ros2::Reply<CommandBool>& reply) {
                    const auto answered = [this, reply](const OrderAnswer& answer) {
                      if (!answer.good) refuse("cmd/arming", answer.text);
                      reply_with<CommandBool>(reply, answer.good, answer.result);
                    };
                    if (request.value) return arm(answered);
                    orders_.disarming.post({questions_.ask(QuestionKind::arming, answered)});
                  });
  command_.emplace(
      node_, "/mavros/cmd/command", [this](const CommandLong::Request& request, const ros2::Reply<CommandLong>& reply) {
        const auto answered = [this, reply](const OrderAnswer& answer) {
          if (!answer.good) refuse("cmd/command", answer.text);
          reply_with<CommandLong>(reply, answer.good, answer.result);
        };
        if (request.broadcast || !finite_command(request)) {
          return answered({.text = "expected finite numbers for one vehicle", .items = {}, .result = mavros_denied});
        }
        if (request.command == mavlink::command::arm) {
          if (request.param1 > 0.5F) return arm(answered);
          return orders_.disarming.post({questions_.ask(QuestionKind::arming, answered)});
        }
        orders_.command.post({command_from(request), questions_.ask(QuestionKind::command, answered)});
      });
}

void MavrosOrders::ask_parameter(ParameterOrder order, Questions::Answered answered) {
  order.number =
      questions_.ask(QuestionKind::parameter, [this, answered = std::move(answered)](const OrderAnswer& answer) {
        if (!answer.good) refuse("param", answer.text);
        answered(answer);
      });
  orders_.parameter.post(std::make_unique<ParameterOrder>(std::move(order)));
}

void MavrosOrders::offer_parameters() {
  parameter_get_.emplace(node_, "/mavros/param/get",
                         [this](const ParamGet::Request& request, const ros2::Reply<ParamGet>& reply) {
                           ask_parameter({.name = request.param_id}, [reply](const OrderAnswer& answer) {
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
          refuse("param/set", fmt::format("value: expected an integer or a double, seen type {}", request.value.type));
          reply.send({});
          return;
        }
        ask_parameter({.name = request.param_id, .value = value},
                      [reply, type = request.value.type](const OrderAnswer& answer) {
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
