// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/commands.hpp"
#include "tandem/app/commands/option_checks.hpp"

#include <fmt/format.h>

#include "tandem/app/ros/ros.hpp"

namespace tandem::app::ros {

CLI::App* Commands::group(const std::string& name, const std::string& help) {
  CLI::App* group = ros_.add_subcommand(name, help);
  group->require_subcommand(1);
  return group;
}

CLI::App* Commands::add(CLI::App* group, const std::string& name, const std::string& help, const std::string& examples,
                        Body body) {
  CLI::App* command = group->add_subcommand(name, help);
  command->footer("Examples:\n" + examples);
  command->add_option("--domain", session_.domain, "ROS domain ID, instead of ROS_DOMAIN_ID")
      ->type_name("N")
      ->check(domain_check());
  command->add_option("--spin-time", session_.spin_time, "discovery time (s); default: until nothing new appears")
      ->type_name("SECONDS")
      ->check(number_check(0, 1e8));
  bodies_.emplace_back(command, std::move(body));
  return command;
}

int Commands::run() {
  for (const auto& [command, body] : bodies_) {
    if (!command->parsed()) continue;
    try {
      Session session(session_);
      return body(session);
    } catch (const std::invalid_argument& error) {
      return fail(error.what(), usage);
    } catch (const std::runtime_error& error) {
      return fail(error.what());
    }
  }
  return usage;
}

void QosOptions::add_to(CLI::App* command) {
  command->add_option("--qos-reliability", reliability, "reliable or best_effort")
      ->check(choice_check({"reliable", "best_effort"}));
  command->add_option("--qos-durability", durability, "volatile or transient_local")
      ->check(choice_check({"volatile", "transient_local"}));
  command->add_option("--qos-depth", depth, "history depth")->type_name("N")->check(whole_number_check(1, 1'000'000));
}

ros2::Qos QosOptions::over(ros2::Qos qos) const {
  if (!reliability.empty()) {
    qos.reliability = reliability == "reliable" ? ros2::Reliability::reliable : ros2::Reliability::best_effort;
  }
  if (!durability.empty()) {
    qos.durability = durability == "volatile" ? ros2::Durability::is_volatile : ros2::Durability::transient_local;
  }
  if (depth > 0) qos.depth = depth;
  return qos;
}

std::pair<CLI::App*, std::function<int()>> add_ros(CLI::App& program) {
  CLI::App* ros = program.add_subcommand("ros", "inspect, call and debug ROS 2, without a ROS installation");
  ros->require_subcommand(1);
  ros->footer(
      "Follows ROS_DOMAIN_ID, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS and ROS_LOCALHOST_ONLY; default: domain "
      "0,\non this computer only (range LOCALHOST).\nExamples:\n  tandem ros topic list -t\n  tandem ros topic echo "
      "/joint_states --once\n  ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET tandem ros node list\n");
  const auto commands = std::make_shared<Commands>(*ros);
  add_topic_commands(*commands);
  add_node_commands(*commands);
  add_service_commands(*commands);
  add_action_commands(*commands);
  add_param_commands(*commands);
  add_tf_commands(*commands);
  return {ros, [commands] { return commands->run(); }};
}

}  // namespace tandem::app::ros
