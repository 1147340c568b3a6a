// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/fleet/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include "tandem/machines/kit/option_keys.hpp"

namespace tandem::raptorlift::fleet {
namespace {

constexpr std::array<std::string_view, 2> versions{"2.1.0", "2.0.0"};
constexpr std::array<std::string_view, 2> losses{"finish_base", "pause"};

constexpr std::array fleet_table{
    machines::flag_key("vda5050", "false", "VDA 5050: take orders of a fleet master; requires the section mqtt"),
    machines::text_key("manufacturer", "", "manufacturer in VDA 5050 topics; required with vda5050"),
    machines::text_key("serial", "", "serial number in VDA 5050 topics; required with vda5050, unique"),
    machines::text_key("interface", "uagv", "first level of VDA 5050 topics"),
    machines::choice_key("vda5050_version", "2.1.0", "version in VDA 5050 messages; some masters accept only one",
                         versions),
    machines::choice_key("on_broker_loss", "finish_base",
                         "without a broker, drive to the last released node, or stop at once", losses),
    machines::number_key("disarm_after", "60",
                         "time without a broker after which a truck at rest disarms (s); 0: never", 0, 86400),
    machines::number_key("battery", "80", "battery charge that is reported, as the PLC has none (%)", 0, 100),
    machines::text_key("map_id", "", "map of VDA 5050 positions; empty: the one that initPosition names"),
    machines::number_key("state_interval", "30", "maximum time between two VDA 5050 states (s)", 0.1, 30),
    machines::number_key("visualization_interval", "1", "time between VDA 5050 visualizations (s); 0: none", 0, 60),
};

void check_level(std::string_view key, const std::string& value, std::string_view more) {
  const auto fits = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || more.find(c) != more.npos;
  };
  if (!value.empty() && value.size() <= 100 && std::ranges::all_of(value, fits)) return;
  throw std::invalid_argument(
      fmt::format("{}: expected 1 to 100 letters, digits and '{}', got '{}'", key, more, value.substr(0, 100)));
}

}  // namespace

std::span<const machines::Option> fleet_keys() { return fleet_table; }

std::optional<FleetOptions> fleet_options_from(const machines::Options& options) {
  if (!options.flag("vda5050")) return std::nullopt;
  FleetOptions fleet;
  fleet.identity.version = options.text("vda5050_version") == "2.0.0" ? vda5050::Version::v2_0 : vda5050::Version::v2_1;
  fleet.identity.interface = options.text("interface");
  fleet.identity.manufacturer = options.text("manufacturer");
  fleet.identity.serial_number = options.text("serial");
  check_level("manufacturer", fleet.identity.manufacturer, "_.:-");
  check_level("serial", fleet.identity.serial_number, "_.:-");
  check_level("interface", fleet.identity.interface, "_.:-/");
  if (options.text("control") != "internal")
    throw std::invalid_argument(
        fmt::format("control: expected internal with vda5050, got {}", options.text("control")));
  if (options.text("task") != "none")
    throw std::invalid_argument(fmt::format("task: expected none with vda5050, got {}", options.text("task")));
  if (options.text("on_broker_loss") == "pause") fleet.on_broker_loss = OnBrokerLoss::pause;
  fleet.disarm_after = duration_of(options.number("disarm_after"));
  fleet.battery = options.number("battery");
  fleet.map_id = options.text("map_id");
  fleet.state_interval = duration_of(options.number("state_interval"));
  fleet.visualization_interval = duration_of(options.number("visualization_interval"));
  return fleet;
}

}  // namespace tandem::raptorlift::fleet
