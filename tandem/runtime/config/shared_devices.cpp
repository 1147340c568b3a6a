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

// Units behind one gateway and PLCs behind one address are devices of their own.
bool is_same_device(const net::Url& a, const net::Url& b) {
  const auto same = [&](std::string_view key, std::string_view standard) {
    return a.value(key).value_or(standard) == b.value(key).value_or(standard);
  };
  return a.scheme == b.scheme && a.host == b.host && a.port == b.port && same("unit", "1") && same("net_id", "") &&
         same("port", "851");
}

}  // namespace

std::vector<std::string> shared_device_warnings(const Config& config) {
  std::vector<std::string> warnings;
  std::vector<std::optional<net::Url>> urls;
  for (const MachineConfig& machine : config.machines) {
    auto url = net::parse_url(machine.device);
    urls.push_back(machine.is_virtual || !url ? std::nullopt : std::optional(*std::move(url)));
  }
  for (std::size_t i = 1; i < urls.size(); ++i) {
    for (std::size_t j = 0; urls[i] && j < i; ++j) {
      if (!urls[j] || !is_same_device(*urls[j], *urls[i])) continue;
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
