// SPDX-License-Identifier: Apache-2.0
// How `tandem ros` is put together: groups of commands, each with its options and its body.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tandem/app/ros/session.hpp"

namespace tandem::app::ros {

class Commands {
 public:
  using Body = std::function<int(Session&)>;

  explicit Commands(CLI::App& ros) : ros_(ros) {}

  CLI::App* group(const std::string& name, const std::string& help);
  // `tandem ros GROUP NAME`, with the options that all have.
  CLI::App* add(CLI::App* group, const std::string& name, const std::string& help, const std::string& examples,
                Body body);
  // The chosen one.
  int run();

 private:
  CLI::App& ros_;
  SessionOptions session_;
  std::vector<std::pair<CLI::App*, Body>> bodies_;
};

// -r, -d and their like, in the words of ros2.
struct QosOptions {
  std::string reliability, durability;
  int depth = 0;

  void add_to(CLI::App* command);
  // What was given, over these.
  ros2::Qos over(ros2::Qos qos) const;
};

void add_topic_commands(Commands& commands);
void add_topic_list(Commands& commands, CLI::App* topic);
void add_topic_echo(Commands& commands, CLI::App* topic);
void add_topic_rates(Commands& commands, CLI::App* topic);
void add_topic_pub(Commands& commands, CLI::App* topic);
void add_node_commands(Commands& commands);
void add_service_commands(Commands& commands);
void add_action_commands(Commands& commands);
void add_param_commands(Commands& commands);
void add_tf_commands(Commands& commands);

}  // namespace tandem::app::ros
