// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>

#include "tandem/base/nearest.hpp"
#include "tandem/runtime/config/values.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;
using machines::Options;

constexpr std::array<std::string_view, 9> sections = {"machines", "ros",       "web",     "record", "black_box",
                                                      "mqtt",     "sparkplug", "control", "log"};
constexpr std::array<std::string_view, 6> log_levels = {"trace", "debug", "info", "warn", "error", "off"};

constexpr std::array<Option, 1> control_table = {{{"socket", OptionKind::text, "", "path of the control socket"}}};
constexpr std::array<Option, 1> log_table = {
    {{"level", OptionKind::choice, "info", "lowest level that is logged", -1e300, 1e300, 0, log_levels}}};
constexpr std::array<Option, 4> machine_table = {{
    {"type", OptionKind::text, "", "type of the machine; `tandem help demo` lists them"},
    {"device", OptionKind::text, "", "'virtual', or the URL of the real device"},
    {"twin", OptionKind::flag, "true", "run the twin"},
    {"chaos", OptionKind::flag, "false", "put fault proxies between the machine and its device, for `tandem chaos`"},
}};

// Reads one file after the other into one Config and collects what is wrong.
class Reader {
 public:
  explicit Reader(const Registry& registry) : registry_(registry) {}

  void file(const ConfigText& text) {
    file_ = text.file;
    yaml::Node root;
    try {
      root = yaml::parse(text.text, file_);
    } catch (const ConfigError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
      return;
    }
    if (root.kind == yaml::Node::Kind::nothing) return problem(root, "the file is empty");
    if (!is_map(root, "a configuration")) return;
    for (const auto& [key, value] : unique(root)) section(*key, *value);
  }

  Config finish() {
    const std::string& discovery = config_.ros.discovery;
    if (!config_.ros.servers.empty() && !discovery.empty() && discovery != "server") {
      problem(settings_.at("ros.servers"),
              fmt::format("ros.servers: expected with discovery: server, got discovery: {}", discovery));
    }
    if (config_.sparkplug.enabled && config_.mqtt.url.empty())
      problems_.push_back({sparkplug_place_,
                           "sparkplug: expected `broker` under `mqtt`, got none; add mqtt: { broker: "
                           "\"mqtt://HOST:1883\" }"});
    if (mqtt_place_ && config_.mqtt.url.empty()) problems_.push_back({*mqtt_place_, "mqtt: missing key 'broker'"});
    if (problems_.empty() && config_.machines.empty()) problems_.push_back({{file_, 0, 0}, "no machines"});
    if (!problems_.empty()) throw ConfigError(std::move(problems_));
    return std::move(config_);
  }
  void problem(yaml::Place place, std::string text) { problems_.push_back({std::move(place), std::move(text)}); }

 private:
  using Entries = std::vector<std::pair<const yaml::Node*, const yaml::Node*>>;

  yaml::Place place(const yaml::Node& node) const { return {file_, node.line, node.column}; }
  void problem(const yaml::Node& node, std::string text) { problems_.push_back({place(node), std::move(text)}); }

  bool is_map(const yaml::Node& node, std::string_view what) {
    if (node.kind == yaml::Node::Kind::map) return true;
    problem(node, fmt::format("{}: expected keys with values, got {}", what, seen(node)));
    return false;
  }

  // The entries of a map, without those whose key stood there before.
  Entries unique(const yaml::Node& map) {
    Entries entries;
    std::map<std::string_view, const yaml::Node*> known;
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const yaml::Node& key = map.keys[i];
      const auto [first, added] = known.emplace(key.scalar, &key);
      if (added) {
        entries.emplace_back(&key, &map.items[i]);
      } else {
        problem(key, fmt::format("'{}' twice; first at {}", printable(key.scalar), place(*first->second).text()));
      }
    }
    return entries;
  }

  void section(const yaml::Node& key, const yaml::Node& value) {
    const std::string& name = key.scalar;
    if (name == "machines") return machines(value);
    if (name == "web") open_page(config_.web);
    if (name == "mqtt") mqtt_place_ = place(key);
    if (name == "sparkplug") config_.sparkplug.enabled = true, sparkplug_place_ = place(key);
    if (std::find(sections.begin(), sections.end(), name) != sections.end()) return settings(name, value);
    problem(key, fmt::format("unknown section '{}'{}", printable(name), suggestion(name, sections)));
  }

  void settings(const std::string& name, const yaml::Node& map) {
    if (!is_map(map, name)) return;
    const std::span<const Option> table = section_options(name);
    Options options;
    for (const auto& [key, value] : unique(map)) {
      const std::string path = name + "." + key->scalar;
      const auto [first, added] = settings_.emplace(path, place(*key));
      if (!added) problem(*key, fmt::format("'{}' again; first at {}", printable(path), first->second.text()));
      if (path == "ros.security") {
        settings(path, *value);
        if (!config_.ros.security || config_.ros.security->keystore.empty()) {
          problem(*key, "ros.security: missing key 'keystore'");
        }
        continue;
      }
      if (path == "ros.servers") {
        const auto texts = server_texts(*value);
        if (!texts) {
          problem(*value, fmt::format("ros.servers: {}", texts.error().text));
        } else if (option(name, table, *key, *texts, options)) {
          apply(path, options);
        }
        continue;
      }
      if (!option(name, table, *key, *value, options)) continue;
      if (path == "ros.domain" && options.number("domain") != std::floor(options.number("domain"))) {
        problem(*value, fmt::format("ros.domain: expected a whole number, got {}", seen(*value)));
      }
      apply(path, options);
      if (path == "control.socket") config_.control_place = place(*value);
    }
  }

  void apply(const std::string& path, const Options& options) {
    if (path.starts_with("ros.")) apply_ros(config_.ros, path, options);
    if (path.starts_with("web.")) apply_web(config_.web, path, options);
    if (path.starts_with("web.") && path.ends_with("_token")) config_.web.token_files.push_back(file_);
    if (path.starts_with("mqtt.")) apply_mqtt(config_.mqtt, path, options);
    if (path.starts_with("sparkplug.")) apply_sparkplug(config_.sparkplug, path, options);
    if (path.starts_with("record.")) apply_record(config_.record, path, options);
    if (path.starts_with("black_box.")) apply_black_box(config_.black_box, path, options);
    if (path == "control.socket") config_.control_socket = options.text("socket");
    if (path == "log.level") config_.log_level = options.text("level");
  }

  bool option(std::string_view owner, std::span<const Option> table, const yaml::Node& key, const yaml::Node& value,
              Options& into) {
    for (const Option& row : table) {
      if (row.name != key.scalar) continue;
      auto checked = option_value(row, value);
      if (checked) {
        into.put(row.name, std::move(*checked));
      } else {
        problem(value, fmt::format("{}.{}: {}", owner, row.name, checked.error().text));
      }
      return checked.ok();
    }
    std::vector<std::string_view> known;
    for (const Option& row : table) known.push_back(row.name);
    problem(key, fmt::format("unknown key '{}' of {}{}", printable(key.scalar), owner, suggestion(key.scalar, known)));
    return false;
  }

  void machines(const yaml::Node& map) {
    if (!is_map(map, "machines")) return;
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const yaml::Node& key = map.keys[i];
      const auto [first, added] = names_.emplace(key.scalar, place(key));
      if (added) {
        machine(key, map.items[i]);
      } else {
        problem(key, fmt::format("machine '{}' twice; first at {}", printable(key.scalar), first->second.text()));
      }
    }
  }

  void machine(const yaml::Node& key, const yaml::Node& value) {
    const std::string& name = key.scalar;
    const bool word = !name.empty() && name.size() <= 63 && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                      std::all_of(name.begin(), name.end(),
                                  [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
    if (!word)
      return problem(key,
                     fmt::format("machine name '{}': expected letters, digits and _, a letter first", printable(name)));
    if (!is_map(value, name)) return;
    const Entries entries = unique(value);
    const MachineType* type = machine_type(key, entries);
    if (type == nullptr) return;
    fill(key, *type, entries);
  }

  using MachineType = machines::MachineType;

  const MachineType* machine_type(const yaml::Node& name, const Entries& entries) {
    for (const auto& [key, value] : entries) {
      if (key->scalar != "type") continue;
      const MachineType* type = value->kind == yaml::Node::Kind::scalar ? registry_.find(value->scalar) : nullptr;
      if (type == nullptr) {
        problem(*value, fmt::format("{}.type: unknown machine {}{}", name.scalar, seen(*value),
                                    suggestion(value->scalar, registry_.names())));
      }
      return type;
    }
    problem(name, fmt::format("{}: missing key 'type'", name.scalar));
    return nullptr;
  }

  void fill(const yaml::Node& name, const MachineType& type, const Entries& entries) {
    MachineConfig machine{name.scalar, &type, "", false, true, default_options(type.options), place(name)};
    const yaml::Node* device = nullptr;
    const Entries own = common_keys(machine, entries, device);
    if (type.read != nullptr) {
      read_own(machine, name, entries);
    } else {
      for (const auto& [key, value] : own) (void)option(name.scalar, table_of(type), *key, *value, machine.options);
    }
    // Of types with keys of their own the protocol is known only now.
    const std::string_view scheme = machine.type->scheme;
    if (device == nullptr) {
      problem(name, fmt::format("{}: missing key 'device': 'virtual' or '{}://HOST[:PORT]'", name.scalar, scheme));
    } else if (device->kind == yaml::Node::Kind::scalar && (type.read == nullptr || machine.own != nullptr)) {
      const auto good = check_device(machine.device, scheme);
      if (!good) problem(*device, fmt::format("{}: {}", name.scalar, good.error().text));
    }
    machine.is_virtual = machine.device == "virtual";
    if (machine.is_virtual) machine.device.clear();
    if (machine.is_virtual && type.make_virtual == nullptr)
      problem(name, fmt::format("{}: {} has no virtual device", name.scalar, type.name));
    config_.machines.push_back(std::move(machine));
  }

  static std::vector<Option> table_of(const MachineType& type) {
    std::vector<Option> table(machine_table.begin(), machine_table.end());
    table.insert(table.end(), type.options.begin(), type.options.end());
    return table;
  }

  // Takes those that every machine has; gives the others.
  Entries common_keys(MachineConfig& machine, const Entries& entries, const yaml::Node*& device) {
    Entries others;
    for (const auto& [key, value] : entries) {
      const bool common =
          std::ranges::any_of(machine_table, [&](const Option& row) { return row.name == key->scalar; });
      if (!common) {
        others.emplace_back(key, value);
        continue;
      }
      if (key->scalar == "device") device = value;
      if (!option(machine.name, machine_table, *key, *value, machine.options)) continue;
      if (key->scalar == "chaos") machine.chaos = machine.options.flag("chaos");
      if (key->scalar == "twin") machine.twin = machine.options.flag("twin");
      if (key->scalar == "device") machine.device = machine.options.text("device");
    }
    return others;
  }

  // With the device, whose URL says the protocol.
  void read_own(MachineConfig& machine, const yaml::Node& name, const Entries& entries) {
    yaml::Node keys;
    keys.kind = yaml::Node::Kind::map;
    keys.line = name.line;
    keys.column = name.column;
    for (const auto& [key, value] : entries) {
      keys.keys.push_back(*key);
      keys.items.push_back(*value);
    }
    machines::OwnRead read = machine.type->read(keys, file_, machine.name);
    problems_.insert(problems_.end(), read.problems.begin(), read.problems.end());
    if (read.type != nullptr) machine.type = read.type;
    machine.own = std::move(read.config);
  }

  const Registry& registry_;
  std::string file_;
  Config config_;
  std::vector<ConfigError::Problem> problems_;
  std::map<std::string, yaml::Place> names_, settings_;
  yaml::Place sparkplug_place_;
  std::optional<yaml::Place> mqtt_place_;
};

}  // namespace

std::span<const std::string_view> config_sections() {
  static constexpr std::array<std::string_view, 10> all = {"machines",  "ros",  "ros.security", "web",     "record",
                                                           "black_box", "mqtt", "sparkplug",    "control", "log"};
  return all;
}

std::span<const Option> section_options(std::string_view section) {
  if (section == "machines") return machine_table;
  if (section == "ros") return ros_options();
  if (section == "ros.security") return ros_security_options();
  if (section == "web") return web_options();
  if (section == "record") return record_options();
  if (section == "black_box") return black_box_options();
  if (section == "mqtt") return mqtt_options();
  if (section == "sparkplug") return sparkplug_options();
  return section == "control" ? std::span<const Option>(control_table) : std::span<const Option>(log_table);
}

Config parse_config(std::span<const ConfigText> texts, const Registry& registry) {
  Reader reader(registry);
  for (const ConfigText& text : texts) reader.file(text);
  return reader.finish();
}

Config load_config(std::span<const std::string> files, const Registry& registry) {
  std::vector<ConfigText> texts;
  std::vector<ConfigError::Problem> problems;
  for (const std::string& file : files) {
    errno = 0;
    std::ifstream stream(file, std::ios::binary);
    // One byte more than the reader takes is enough to be refused; a device file has no end.
    std::string text(256 * 1024 + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream.is_open() || stream.bad() || (stream.gcount() == 0 && !stream.eof())) {
      problems.push_back({{file, 0, 0}, fmt::format("cannot be read: {}", std::strerror(errno == 0 ? EIO : errno))});
      continue;
    }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    texts.push_back({file, std::move(text)});
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return parse_config(texts, registry);
}

Config demo_config(std::span<const machines::MachineType* const> types, std::span<const std::string> settings) {
  Config config;
  std::vector<std::vector<std::string>> own(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    own[i].assign(types[i]->demo.begin(), types[i]->demo.end());
    const auto& beside = types[i]->demo_beside_others;
    if (types.size() > 1) own[i].insert(own[i].end(), beside.begin(), beside.end());
  }
  for (const std::string& setting : settings) {
    const std::size_t dot = setting.substr(0, setting.find('=')).find('.');
    const std::string machine = dot == std::string::npos ? "" : setting.substr(0, dot);
    std::size_t index = 0;
    while (index < types.size() && types[index]->name != machine) ++index;
    if (machine.empty() && types.size() == 1) index = 0;
    if (index == types.size())
      throw std::invalid_argument(
          fmt::format("'{}': expected MACHINE.KEY=VALUE with the name of a running machine", printable(setting)));
    own[index].push_back(machine.empty() ? setting : setting.substr(dot + 1));
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto* type = types[i];
    config.machines.push_back(
        {std::string(type->name), type, "", true, true, options_from_settings(type->options, own[i]), {"demo", 0, 0}});
  }
  return config;
}

Config demo_config(Config config) {
  std::vector<ConfigError::Problem> problems;
  for (const MachineConfig& machine : config.machines) {
    if (machine.is_virtual) continue;
    problems.push_back({machine.place, fmt::format("{}: expected `device: virtual` for a demo, got {}; `tandem run` "
                                                   "runs real devices",
                                                   machine.name, printable(machine.device))});
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return config;
}

Options default_options(std::span<const Option> table) {
  Options options;
  for (const Option& row : table) {
    yaml::Node node;
    node.kind = yaml::Node::Kind::scalar;
    node.scalar = row.default_value;
    if (row.kind == OptionKind::numbers || row.kind == OptionKind::texts)
      node = yaml::parse(row.default_value, std::string(row.name));
    auto value = option_value(row, node);
    if (!value) throw std::logic_error(fmt::format("default of option '{}': {}", row.name, value.error().text));
    options.put(row.name, std::move(*value));
  }
  return options;
}

Options options_from_settings(std::span<const Option> table, std::span<const std::string> settings) {
  Options options = default_options(table);
  std::vector<std::string_view> known;
  for (const Option& row : table) known.push_back(row.name);
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument(fmt::format("'{}': expected KEY=VALUE", printable(setting)));
    const std::string key = setting.substr(0, equals);
    const auto row = std::find_if(table.begin(), table.end(), [&](const Option& each) { return each.name == key; });
    if (row == table.end())
      throw std::invalid_argument(fmt::format("unknown option '{}'{}", printable(key), suggestion(key, known)));
    auto value = option_value(*row, yaml::parse(setting.substr(equals + 1), key));
    if (!value) throw std::invalid_argument(fmt::format("{}: {}", key, value.error().text));
    options.put(key, std::move(*value));
  }
  return options;
}

}  // namespace tandem::runtime
