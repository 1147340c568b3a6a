#include "tandem/ros2/context_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace tandem::ros2 {
namespace {

constexpr int highest_domain = 232;  // beyond it, the ports of RTPS do not fit in 16 bits
constexpr int safe_domain = 101;     // beyond it, they fall among Linux' ephemeral ports

Result<int> domain_from(std::string_view text) {
  int domain = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), domain);
  if (error != std::errc{} || end != text.data() + text.size() || domain < 0 || domain > highest_domain) {
    return Error{Fault::invalid,
                 fmt::format("ROS_DOMAIN_ID: expected a number from 0 to {}, found \"{}\"", highest_domain, text)};
  }
  return domain;
}

std::optional<DiscoveryRange> range_from(std::string_view text) {
  if (text == "OFF") return DiscoveryRange::off;
  if (text == "LOCALHOST") return DiscoveryRange::localhost;
  if (text == "SUBNET") return DiscoveryRange::subnet;
  if (text == "SYSTEM_DEFAULT") return DiscoveryRange::system_default;
  return std::nullopt;
}

std::vector<std::string> peers_from(std::string_view text) {
  std::vector<std::string> peers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    if (end > 0) peers.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return peers;
}

}  // namespace

Result<EnvironmentOptions> context_options_from(const std::function<const char*(const char*)>& variable,
                                                ContextOptions defaults) {
  EnvironmentOptions found{std::move(defaults), {}};
  ContextOptions& options = found.options;
  const auto text_of = [&](const char* name) {
    const char* text = variable(name);
    return std::string_view(text == nullptr ? "" : text);  // rcl takes an empty variable as not set
  };

  if (const std::string_view text = text_of("ROS_DOMAIN_ID"); !text.empty()) {
    const Result<int> domain = domain_from(text);
    if (!domain) return domain.error();
    options.domain = *domain;
    if (*domain > safe_domain) {
      found.warnings.push_back(fmt::format(
          "ROS_DOMAIN_ID={}: above {} the ports of DDS fall among Linux' ephemeral ports", *domain, safe_domain));
    }
  }
  if (text_of("ROS_LOCALHOST_ONLY") == "1") {
    options.range = DiscoveryRange::localhost;
    options.static_peers.clear();
    if (!text_of("ROS_AUTOMATIC_DISCOVERY_RANGE").empty() || !text_of("ROS_STATIC_PEERS").empty()) {
      found.warnings.emplace_back(
          "ROS_LOCALHOST_ONLY=1: ROS_AUTOMATIC_DISCOVERY_RANGE and ROS_STATIC_PEERS are ignored");
    }
    return found;
  }
  if (const std::string_view text = text_of("ROS_AUTOMATIC_DISCOVERY_RANGE"); !text.empty()) {
    const std::optional<DiscoveryRange> range = range_from(text);
    options.range = range.value_or(DiscoveryRange::localhost);
    if (!range) {
      found.warnings.push_back(fmt::format(
          "ROS_AUTOMATIC_DISCOVERY_RANGE: expected OFF, LOCALHOST, SUBNET or SYSTEM_DEFAULT, found \"{}\"; taken as "
          "LOCALHOST",
          text));
    }
  }
  if (const std::string_view text = text_of("ROS_STATIC_PEERS"); !text.empty()) options.static_peers = peers_from(text);
  const bool peers_count = options.range == DiscoveryRange::localhost || options.range == DiscoveryRange::subnet;
  if (!peers_count && !options.static_peers.empty()) {
    options.static_peers.clear();
    found.warnings.emplace_back("ROS_STATIC_PEERS: ignored, as the discovery range is OFF or SYSTEM_DEFAULT");
  }
  return found;
}

Result<EnvironmentOptions> context_options_from_environment(ContextOptions defaults) {
  return context_options_from([](const char* name) { return std::getenv(name); }, std::move(defaults));
}

}  // namespace tandem::ros2
