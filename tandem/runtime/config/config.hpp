// SPDX-License-Identifier: Apache-2.0
// What a configuration file says, checked: machines, ros, web, record, black_box, mqtt, sparkplug, control, log.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/own_config.hpp"
#include "tandem/runtime/config/black_box.hpp"
#include "tandem/runtime/config/mqtt.hpp"
#include "tandem/runtime/config/ros.hpp"
#include "tandem/runtime/config/web.hpp"
#include "tandem/runtime/registry.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::runtime {

using ConfigError = yaml::FileError;

struct MachineConfig {
  std::string name;  // as the file calls it: "platform"
  const machines::MachineType* type = nullptr;
  std::string device;  // URL; empty for a virtual one, which is started beside the machine
  bool is_virtual = false;
  bool twin = true;                                  // run the simulated twin where the type has one
  machines::Options options;                         // complete: every key of the type's table
  yaml::Place place;                                 // where its name stands
  std::shared_ptr<const machines::OwnConfig> own{};  // of types with keys of their own
  bool chaos = false;                                // fault proxies between the machine and its device
};

struct Config {
  std::vector<MachineConfig> machines;  // in the order of the files
  RosConfig ros;
  WebConfig web;
  RecordConfig record;
  BlackBoxConfig black_box;
  mqtt::BrokerOptions mqtt;  // without a URL: none
  SparkplugConfig sparkplug;
  std::string control_socket;  // empty: the default path
  yaml::Place control_place;   // of control_socket in its file
  std::string log_level = "info";
};

struct ConfigText {
  std::string file;  // its name, for messages
  std::string text;
};

// The sections that a file may have: "machines", "ros", "ros.security", ...
std::span<const std::string_view> config_sections();
// The options of a section; of "machines" those that every machine has beside its type's.
std::span<const machines::Option> section_options(std::string_view section);

// All files as one configuration. Throws ConfigError that lists every problem found, each with its place.
Config load_config(std::span<const std::string> files, const Registry& registry);
Config parse_config(std::span<const ConfigText> texts, const Registry& registry);

// These types on virtual devices with default options and their settings for it, each named as its type; what `tandem
// demo` runs. `settings` go over them: "key=value" where there is one type, "machine.key=value" for one of several.
// Throws std::invalid_argument naming what is wrong.
Config demo_config(std::span<const machines::MachineType* const> types, std::span<const std::string> settings = {});

// What `tandem demo --config` runs. Throws ConfigError for machines with a real device, naming each.
Config demo_config(Config config);

// The defaults of a table with "key=value" settings over them. Throws std::invalid_argument naming what is wrong.
machines::Options options_from_settings(std::span<const machines::Option> table, std::span<const std::string> settings);

// The defaults of a table. Throws std::logic_error when the table itself is wrong.
machines::Options default_options(std::span<const machines::Option> table);

}  // namespace tandem::runtime
