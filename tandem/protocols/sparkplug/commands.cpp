// SPDX-License-Identifier: Apache-2.0
// What a host may ask for: a rebirth, which moves nothing, and, where it is allowed, a stop. Nothing arms or resets.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/protocols/sparkplug/session.hpp"

namespace tandem::sparkplug {
namespace {

constexpr std::size_t most_refused = 8;  // in words; more are only counted

std::string name_of(const Metric& metric) {
  return metric.name.empty() ? fmt::format("alias {}", metric.alias.value_or(0))
                             : fmt::format("'{}'", printable(metric.name));
}

// A Boolean with a value; what else it is called is not believed.
std::optional<bool> flag(const Metric& metric) {
  const auto* value = std::get_if<bool>(&metric.value);
  if (value == nullptr || metric.foreign) return std::nullopt;
  if (metric.type != DataType::boolean && metric.type != DataType::unknown) return std::nullopt;
  return *value;
}

}  // namespace

void Session::refuse(Wanted& wanted, std::string why) {
  ++refused_;
  if (wanted.refused.size() < most_refused) wanted.refused.push_back(std::move(why));
}

Wanted Session::command(std::string_view topic, std::string_view bytes, bool retained) {
  Wanted wanted;
  const auto node = device_of(options_.name, "NCMD", topic);
  const auto device = device_of(options_.name, "DCMD", topic);
  const bool to_node = node && node->empty(), to_device = device && !device->empty();
  if (!to_node && !to_device) {
    refuse(wanted, fmt::format("topic {}: expected NCMD or DCMD of this node", printable(topic)));
    return wanted;
  }
  if (retained) {
    refuse(wanted, fmt::format("{}: retained, so it would act again with each connection", printable(topic)));
    return wanted;
  }
  const auto payload = decode(bytes);
  if (!payload) {
    refuse(wanted, fmt::format("{}: {}", printable(topic), payload.error().text));
    return wanted;
  }
  if (payload->metrics.empty()) refuse(wanted, fmt::format("{}: no metrics", printable(topic)));
  for (const Metric& metric : payload->metrics) {
    if (to_node) {
      node_command(metric, wanted);
    } else {
      device_command(*device, metric, wanted);
    }
  }
  return wanted;
}

void Session::node_command(const Metric& metric, Wanted& wanted) {
  if (metric.name != rebirth_metric)
    return refuse(wanted, fmt::format("NCMD {}: expected {}", name_of(metric), rebirth_metric));
  const auto value = flag(metric);
  if (!value) return refuse(wanted, fmt::format("NCMD {}: expected a Boolean, got another type", rebirth_metric));
  if (!*value || phase_ != Phase::born) return;
  wanted.rebirth = true;
  rebirth_wanted_ = true;
}

void Session::device_command(std::string_view name, const Metric& metric, Wanted& wanted) {
  if (!options_.stop_command)
    return refuse(wanted, fmt::format("DCMD {} of '{}': commands are off", name_of(metric), printable(name)));
  for (Device& each : devices_) {
    if (each.name() != name) continue;
    if (!each.is_stop(metric))
      return refuse(wanted, fmt::format("DCMD {} of '{}': expected {}", name_of(metric), printable(name), stop_metric));
    const auto value = flag(metric);
    if (!value) return refuse(wanted, fmt::format("DCMD {}: expected a Boolean, got another type", stop_metric));
    each.echo_stop();
    // One message may say it thousands of times.
    if (*value && std::ranges::find(wanted.stops, each.name()) == wanted.stops.end())
      wanted.stops.push_back(each.name());
    return;
  }
  refuse(wanted, fmt::format("DCMD for '{}': unknown device", printable(name)));
}

}  // namespace tandem::sparkplug
