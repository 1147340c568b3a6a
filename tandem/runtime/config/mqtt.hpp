// SPDX-License-Identifier: Apache-2.0
// The `mqtt:` and `sparkplug:` sections of a configuration: which broker, and what a plant sees of the machines there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/options.hpp"
#include "tandem/protocols/mqtt/broker.hpp"

namespace tandem::runtime {

struct SparkplugConfig {
  bool enabled = false;  // the section is there
  std::string group = "tandem";
  std::string node;                   // empty: the name of this computer
  std::string primary_host;           // empty: none
  std::size_t store = 0;              // samples
  std::vector<std::string> commands;  // "stop", or none
};

std::span<const machines::Option> mqtt_options();
std::span<const machines::Option> sparkplug_options();

// Takes one value, already checked against its row; `path` is "mqtt.broker" or "sparkplug.group".
void apply_mqtt(mqtt::BrokerOptions& broker, const std::string& path, const machines::Options& options);
void apply_sparkplug(SparkplugConfig& config, const std::string& path, const machines::Options& options);

// What is wrong with both, each with what to do. Empty: nothing.
std::vector<std::string> mqtt_problems(const mqtt::BrokerOptions& broker, const SparkplugConfig& config);

// The node's name: of the configuration, or this computer's.
std::string sparkplug_node(const SparkplugConfig& config);

}  // namespace tandem::runtime
