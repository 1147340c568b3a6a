// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ros/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::generic {
namespace {

namespace msgs = ros2::std_msgs;
using ros2::sensor_msgs::JointState;
using ros2::std_srvs::SetBool;

std::string limits_text(const OutputInfo& output) {
  if (output.bit) return output.rules.level == Output::Level::pulse ? "true begins a pulse" : "true or false";
  const double a = output.to_si(output.rules.limits.lowest), b = output.to_si(output.rules.limits.highest);
  return fmt::format("{:.6g} to {:.6g}{}{}", std::min(a, b), std::max(a, b), output.si_unit.empty() ? "" : " ",
                     output.si_unit);
}

}  // namespace

RosCommands::RosCommands(ros2::FullNode& node, const Description& description, Commands& commands,
                         const machines::Lines& lines)
    : node_(node), commands_(commands), refusals_(node, lines), inbox_(node, refusals_) {
  for (const OutputInfo& output : commands_.outputs()) {
    hear(output);
    declare(output);
    if (output.bit) offer_service(output);
  }
  if (!description.robot) return;
  for (const Joint& joint : description.robot->joints) {
    const OutputInfo* const output = commands_.find(joint.command);
    if (joint.command.empty() || output == nullptr) continue;
    joints_.push_back({joint.name, output});
  }
  if (joints_.empty()) return;
  inbox_.hear<JointState>("~/joint_commands", {},
                          [this](const JointState& message, Instant received) { return take(message, received); });
}

void RosCommands::hear(const OutputInfo& output) {
  const std::string topic = "~/set/" + output.name;
  const ros2::CommandRules rules{.every = true};
  if (output.bit) {
    inbox_.hear<msgs::Bool>(topic, rules, [this, &output](const msgs::Bool& message, Instant received) {
      return commands_.post(output, message.data ? 1 : 0, received);
    });
  } else if (output.integer) {
    inbox_.hear<msgs::Int64>(topic, rules, [this, &output](const msgs::Int64& message, Instant received) {
      return commands_.post(output, static_cast<double>(message.data), received);
    });
  } else {
    inbox_.hear<msgs::Float64>(topic, rules, [this, &output](const msgs::Float64& message, Instant received) {
      return commands_.post(output, output.from_si(message.data), received);
    });
  }
}

// A parameter is a command when it is set; what it holds before is no command, and of numbers NaN, which is refused.
void RosCommands::declare(const OutputInfo& output) {
  ros2::ParameterOptions options;
  options.description = fmt::format("sets {} while armed", output.name);
  options.constraints = limits_text(output);
  const auto value_of = [&output](const ros2::ParameterValue& value) {
    if (const auto* bit = std::get_if<bool>(&value)) return *bit ? 1.0 : 0.0;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    return output.from_si(std::get<double>(value));
  };
  options.check = [this, &output, value_of](const ros2::ParameterValue& value) -> Result<void> {
    return commands_.allows(output, value_of(value));
  };
  options.changed = [this, &output, value_of](const ros2::ParameterValue& value) {
    const auto posted = commands_.post(output, value_of(value), node_.clock().now());
    if (!posted) refusals_.add("set." + output.name, posted.error().text);
  };
  ros2::ParameterValue unset = std::numeric_limits<double>::quiet_NaN();
  if (output.bit) unset = false;
  if (output.integer) unset = std::int64_t{0};
  node_.parameters().declare("set." + output.name, std::move(unset), std::move(options));
}

void RosCommands::offer_service(const OutputInfo& output) {
  services_.emplace_back(node_, "~/write/" + output.name, [this, &output](const SetBool::Request& request) {
    const auto posted = commands_.post(output, request.data ? 1 : 0, node_.clock().now());
    SetBool::Response response;
    response.success = posted.ok();
    response.message = posted ? output.name + " is written with the next cycle" : posted.error().text;
    if (!posted) refusals_.add("~/write/" + output.name, posted.error().text);
    return response;
  });
}

// All of its joints or none.
Result<void> RosCommands::take(const JointState& message, Instant received) {
  std::vector<std::pair<const OutputInfo*, double>> wanted;
  for (std::size_t i = 0; i < message.name.size(); ++i) {
    const auto known = std::ranges::find(joints_, message.name[i], &JointOutput::joint);
    if (known == joints_.end())
      return Error{Fault::invalid, fmt::format("expected joints that have a command, got '{}'", message.name[i])};
    if (message.position.size() != message.name.size())
      return Error{Fault::invalid,
                   fmt::format("position: expected {} numbers, got {}", message.name.size(), message.position.size())};
    const double value = known->output->from_si(message.position[i]);
    if (auto allowed = commands_.allows(*known->output, value); !allowed) return allowed;
    wanted.emplace_back(known->output, value);
  }
  for (const auto& [output, value] : wanted) {
    if (auto posted = commands_.post(*output, value, received); !posted) return posted;
  }
  return {};
}

}  // namespace tandem::generic
