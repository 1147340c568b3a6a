// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/machine_node.hpp"

#include <fmt/format.h>

#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"

namespace tandem::runtime {
namespace {

using ros2::std_srvs::Trigger;

// What the configuration file says cannot change while the machine runs.
void declare_options(ros2::Parameters& parameters, const MachineConfig& config, const std::string& device) {
  const auto declare = [&](std::string_view name, ros2::ParameterValue value, std::string_view help) {
    ros2::ParameterOptions options;
    options.description = help;
    options.read_only = true;
    parameters.declare(std::string(name), std::move(value), std::move(options));
  };
  declare("machine", config.name, "name of the machine in the configuration");
  declare("device", device, "URL of its device");
  for (const machines::Option& option : config.type->options) {
    switch (option.kind) {
      case machines::OptionKind::number:
        declare(option.name, config.options.number(option.name), option.help);
        break;
      case machines::OptionKind::flag:
        declare(option.name, config.options.flag(option.name), option.help);
        break;
      case machines::OptionKind::numbers:
        declare(option.name, config.options.numbers(option.name), option.help);
        break;
      case machines::OptionKind::texts:
        declare(option.name, config.options.texts(option.name), option.help);
        break;
      case machines::OptionKind::text:
      case machines::OptionKind::choice:
        declare(option.name, config.options.text(option.name), option.help);
        break;
    }
  }
}

}  // namespace

struct MachineNode::Services {
  Services(ros2::FullNode& node, const Command& command)
      : arm(node, "~/arm", answering(command, "arm")),
        stop(node, "~/stop", answering(command, "stop")),
        reset(node, "~/reset", answering(command, "reset")) {}

  static std::function<Trigger::Response(const Trigger::Request&)> answering(const Command& command,
                                                                             std::string_view what) {
    return [command, what](const Trigger::Request&) {
      const Result<std::string> answer = command(what);
      Trigger::Response response;
      response.success = answer.ok();
      response.message = answer.ok() ? *answer : answer.error().text;
      return response;
    };
  }

  ros2::Service<Trigger> arm, stop, reset;
};

MachineNode::MachineNode(ros2::FullNode& node, const MachineConfig& config, const std::string& device, ArmLatch* latch,
                         Command command, OnEvent on_event)
    : node_(node) {
  declare_options(node.parameters(), config, device);
  if (latch == nullptr) return;
  services_ = std::make_unique<Services>(node, command);
  node.on_time_jump([latch, name = config.name, on_event = std::move(on_event)](Duration jump) {
    const std::string cause = fmt::format("ROS time jumped by {:.3f} s", seconds(jump));
    if (latch->disarm(cause, "/clock") && on_event) on_event({name, "disarmed", cause, true});
  });
}

MachineNode::~MachineNode() { node_.on_time_jump(nullptr); }

void MachineNode::tell(const Event& event) const {
  node_.log(event.bad ? ros2::LogLevel::warn : ros2::LogLevel::info, fmt::format("{}: {}", event.kind, event.text));
}

}  // namespace tandem::runtime
