// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/shared_devices.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "tandem/net/url.hpp"

namespace tandem::runtime {
namespace {

// As every way to write it is.
struct Address {
  std::string scheme, host, net_id;
  int port = 0;
  std::string unit, ams_port;
  friend bool operator==(const Address&, const Address&) = default;
};

// Units behind one gateway and PLCs behind one address are devices of their own.
Address address_of(const net::Url& url, const MachineConfig& machine) {
  Address address;
  address.scheme = url.scheme;
  for (const char c : url.host) address.host += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (address.host == "localhost") address.host = "127.0.0.1";
  const auto& ports = machine.type->ports;
  address.port = url.port ? *url.port : ports.empty() ? 0 : ports.front().standard;
  address.unit = url.value("unit").value_or("1");
  address.ams_port = url.value("port").value_or("851");
  const auto net_id = url.value("net_id");
  address.net_id = net_id ? std::string(*net_id) : address.host + ".1.1";
  return address;
}

}  // namespace

std::vector<std::string> shared_device_warnings(const Config& config) {
  std::vector<std::string> warnings;
  std::vector<std::optional<Address>> addresses;
  for (const MachineConfig& machine : config.machines) {
    auto url = net::parse_url(machine.device);
    addresses.push_back(machine.is_virtual || !url ? std::nullopt : std::optional(address_of(*url, machine)));
  }
  for (std::size_t i = 1; i < addresses.size(); ++i) {
    for (std::size_t j = 0; addresses[i] && j < i; ++j) {
      if (addresses[j] != addresses[i]) continue;
      warnings.push_back(
          fmt::format("{}: device {}: expected a device of its own, got that of {}; each is armed and stopped alone",
                      config.machines[i].name, config.machines[i].device, config.machines[j].name));
      break;
    }
  }
  return warnings;
}

std::vector<ConfigError::Problem> shared_identity_problems(const Config& config) {
  std::vector<ConfigError::Problem> problems;
  std::map<std::string, std::string_view> known;  // machines by identity
  for (const MachineConfig& machine : config.machines) {
    if (machine.own || machine.type->broker_identity == nullptr) continue;
    try {
      const std::string identity = machine.type->broker_identity(machine.options);
      if (identity.empty()) continue;
      const auto [first, is_new] = known.emplace(identity, machine.name);
      if (is_new) continue;
      problems.push_back(
          {machine.place, fmt::format("{}: {}: expected a vehicle of its own, got that of {}; set another `serial`",
                                      machine.name, identity, first->second)});
    } catch (const std::invalid_argument&) {
      // Such a machine is refused by itself, with its own reason.
    }
  }
  return problems;
}

}  // namespace tandem::runtime
