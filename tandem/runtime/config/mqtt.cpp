// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/mqtt.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "tandem/base/nearest.hpp"
#include "tandem/protocols/sparkplug/topics.hpp"

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<Option, 6> mqtt_table = {{
    {"broker", OptionKind::text, "", "URL of the MQTT broker: mqtt://HOST[:1883], or mqtts://HOST[:8883] with TLS"},
    {"user", OptionKind::text, "", "user name at the broker"},
    {"password_file", OptionKind::text, "", "file whose first line is the password; not readable by every user"},
    {"authority", OptionKind::text, "",
     "PEM file of the authority that signs the broker's certificate; default: those of the system"},
    {"certificate", OptionKind::text, "", "PEM file of this client's certificate, where the broker asks for one"},
    {"key", OptionKind::text, "", "PEM file of the certificate's key; not readable by every user"},
}};
constexpr std::array<Option, 5> sparkplug_table = {{
    {"group", OptionKind::text, "tandem", "group id: the site or line"},
    {"node", OptionKind::text, "", "edge node id, unique within the group; default: the name of this computer"},
    {"primary_host", OptionKind::text, "",
     "id of the host application that has to be online before machines are published; default: none"},
    {"store", OptionKind::number, "0",
     "maximum number of changes kept while the broker or the primary host is away, then sent as historical; 0 disables "
     "it",
     0, 1e6},
    {"commands", OptionKind::texts, "[]", "what a host may command beside a rebirth: [stop], or nothing"},
}};

}  // namespace

std::span<const Option> mqtt_options() { return mqtt_table; }
std::span<const Option> sparkplug_options() { return sparkplug_table; }

void apply_mqtt(mqtt::BrokerOptions& broker, const std::string& path, const machines::Options& options) {
  if (path == "mqtt.broker") broker.url = options.text("broker");
  if (path == "mqtt.user") broker.user = options.text("user");
  if (path == "mqtt.password_file") broker.password_file = options.text("password_file");
  if (path == "mqtt.authority") broker.authority = options.text("authority");
  if (path == "mqtt.certificate") broker.certificate = options.text("certificate");
  if (path == "mqtt.key") broker.key = options.text("key");
}

void apply_sparkplug(SparkplugConfig& config, const std::string& path, const machines::Options& options) {
  if (path == "sparkplug.group") config.group = options.text("group");
  if (path == "sparkplug.node") config.node = options.text("node");
  if (path == "sparkplug.primary_host") config.primary_host = options.text("primary_host");
  if (path == "sparkplug.store") config.store = static_cast<std::size_t>(options.number("store"));
  if (path == "sparkplug.commands") config.commands = options.texts("commands");
}

std::vector<std::string> mqtt_problems(const mqtt::BrokerOptions& broker, const SparkplugConfig& config) {
  std::vector<std::string> problems;
  const bool some = !broker.url.empty() || !broker.user.empty() || !broker.password_file.empty() ||
                    !broker.authority.empty() || !broker.certificate.empty() || !broker.key.empty();
  if (some) problems = mqtt::broker_problems(broker);
  if (!config.enabled) return problems;
  if (!some) problems.emplace_back("sparkplug: expected `broker` under `mqtt`, got none");
  const auto check = [&](std::string_view what, const std::string& id) {
    if (const auto good = sparkplug::check_id(what, id); !good) problems.push_back(good.error().text);
  };
  check("sparkplug.group", config.group);
  check("sparkplug.node", sparkplug_node(config));
  if (!config.primary_host.empty()) check("sparkplug.primary_host", config.primary_host);
  for (const std::string& command : config.commands) {
    if (command != "stop")
      problems.push_back(
          fmt::format("sparkplug.commands: expected stop, got '{}'; nothing else can be commanded over "
                      "MQTT, above all not arm and reset",
                      printable(command)));
  }
  return problems;
}

std::string sparkplug_node(const SparkplugConfig& config) {
  if (!config.node.empty()) return config.node;
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("tandem");
}

}  // namespace tandem::runtime
