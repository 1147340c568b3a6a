// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tandem::runtime {

namespace {

using nlohmann::json;

json json_from(const std::vector<machines::Value>& values) {
  json list = json::array();
  for (const auto& value : values) {
    json numbers = json::array();
    for (const double number : value.numbers) numbers.push_back(std::isfinite(number) ? json(number) : json(nullptr));
    list.push_back({{"name", value.name}, {"unit", value.unit}, {"numbers", numbers}, {"text", value.text}});
    if (!value.parts.empty()) list.back()["parts"] = value.parts;
  }
  return list;
}

// Checked, since nlohmann casts any number to the asked type, and 1e300 is no std::uint64_t.
std::uint64_t counter(const json& value) {
  if (!value.is_number_unsigned())
    throw std::invalid_argument(fmt::format("expected a count, got {}", value.dump().substr(0, 40)));
  return value.get<std::uint64_t>();
}

void read_value(const json& value, std::uint64_t& into) { into = counter(value); }
template <typename Value>
void read_value(const json& value, Value& into) {
  value.get_to(into);
}

json json_from(const HopStatus& hop) {
  return {{"name", hop.name}, {"count", hop.count}, {"sum", hop.sum},    {"p50", hop.p50},
          {"p99", hop.p99},   {"p999", hop.p999},   {"worst", hop.worst}};
}

json json_from(const MachineStatus& machine) {
  json hops = json::array();
  for (const HopStatus& hop : machine.hops) hops.push_back(json_from(hop));
  return {{"name", machine.name},
          {"type", machine.type},
          {"device", machine.device},
          {"node", machine.node},
          {"virtual", machine.is_virtual},
          {"unplugged", machine.unplugged},
          {"chaos", machine.chaos},
          {"chaos_result", machine.chaos_result},
          {"moves", machine.moves},
          {"state", machine.state},
          {"cause", machine.cause},
          {"warning", machine.warning},
          {"quality", machine.quality},
          {"arm", machine.arm},
          {"arm_cause", machine.arm_cause},
          {"arm_by", machine.arm_by},
          {"rate", machine.rate},
          {"age", machine.age},
          {"samples", machine.samples},
          {"invalid", machine.invalid},
          {"connects", machine.connects},
          {"attempts", machine.attempts},
          {"stale_episodes", machine.stale_episodes},
          {"skipped", machine.skipped},
          {"hops", hops},
          {"late", machine.late ? json_from(*machine.late) : json(nullptr)},
          {"values", json_from(machine.values)},
          {"twin_values", json_from(machine.twin_values)}};
}

json json_from(const SparkplugStatus& link) {
  return {{"broker", link.broker},     {"group", link.group},           {"node", link.node},
          {"state", link.state},       {"connected", link.connected},   {"devices", link.devices},
          {"sent", link.sent},         {"dropped", link.dropped},       {"received", link.received},
          {"connects", link.connects}, {"refused", link.refused},       {"rebirths", link.rebirths},
          {"stored", link.stored},     {"store_lost", link.store_lost}, {"trouble", link.trouble}};
}

SparkplugStatus sparkplug_from(const json& item) {
  SparkplugStatus link;
  const auto read = [&](const char* key, auto& into) { read_value(item.at(key), into); };
  read("broker", link.broker), read("group", link.group), read("node", link.node), read("state", link.state);
  read("connected", link.connected), read("devices", link.devices), read("sent", link.sent);
  read("dropped", link.dropped), read("received", link.received), read("connects", link.connects);
  read("refused", link.refused), read("rebirths", link.rebirths), read("stored", link.stored);
  read("store_lost", link.store_lost), read("trouble", link.trouble);
  return link;
}

json json_list(const std::vector<IncidentStatus>& incidents) {
  json list = json::array();
  for (const IncidentStatus& each : incidents) {
    list.push_back(
        {{"file", each.file}, {"machine", each.machine}, {"cause", each.cause}, {"text", each.text}, {"at", each.at}});
  }
  return list;
}

IncidentStatus incident_from(const json& item) {
  return {item.at("file"), item.at("machine"), item.at("cause"), item.at("text"), item.at("at")};
}

std::vector<machines::Value> values_from(const json& list) {
  std::vector<machines::Value> values;
  for (const json& item : list) {
    machines::Value value{item.at("name"), item.at("unit"), {}, item.at("text"), {}};
    if (const auto parts = item.find("parts"); parts != item.end()) parts->get_to(value.parts);
    for (const json& number : item.at("numbers"))
      value.numbers.push_back(number.is_number() ? number.get<double>() : std::nan(""));
    values.push_back(std::move(value));
  }
  return values;
}

HopStatus hop_from(const json& hop) {
  return {
      hop.at("name"),         counter(hop.at("count")), hop.at("sum"), hop.at("p50"), hop.at("p99"), hop.at("p999"), {},
      hop.value("worst", 0.0)};  // older programs do not say
}

MachineStatus machine_from(const json& item) {
  MachineStatus machine;
  machine.node = item.value("node", "");
  const auto read = [&](const char* key, auto& into) { read_value(item.at(key), into); };
  read("name", machine.name), read("type", machine.type), read("device", machine.device);
  read("virtual", machine.is_virtual), read("unplugged", machine.unplugged), read("moves", machine.moves),
      read("state", machine.state);
  machine.chaos = item.value("chaos", "");
  machine.chaos_result = item.value("chaos_result", "");
  machine.warning = item.value("warning", "");  // older programs do not say
  read("cause", machine.cause), read("quality", machine.quality), read("arm", machine.arm);
  read("arm_cause", machine.arm_cause), read("arm_by", machine.arm_by), read("rate", machine.rate);
  read("age", machine.age), read("samples", machine.samples), read("invalid", machine.invalid);
  read("connects", machine.connects), read("attempts", machine.attempts),
      read("stale_episodes", machine.stale_episodes);
  for (const json& hop : item.at("hops")) machine.hops.push_back(hop_from(hop));
  if (const auto late = item.find("late"); late != item.end() && !late->is_null()) machine.late = hop_from(*late);
  if (const auto skipped = item.find("skipped"); skipped != item.end()) machine.skipped = counter(*skipped);
  machine.values = values_from(item.at("values"));
  machine.twin_values = values_from(item.at("twin_values"));
  return machine;
}

json json_from(const BlackBoxStatus& box) {
  return {{"folder", box.folder},
          {"seconds", box.seconds},
          {"bytes", box.bytes},
          {"dropped", box.dropped},
          {"trouble", box.trouble}};
}

// Older programs have none.
void read_black_box(const json& whole, SystemStatus& status) {
  if (const auto box = whole.find("black_box"); box != whole.end() && !box->is_null()) {
    status.black_box = {box->at("folder"), box->at("seconds"), counter(box->at("bytes")), counter(box->at("dropped")),
                        box->at("trouble")};
  }
}

}  // namespace

std::string json_from_status(const SystemStatus& status) {
  json list = json::array();
  for (const MachineStatus& machine : status.machines) list.push_back(json_from(machine));
  json recording;
  if (status.recording) {
    recording = {{"file", status.recording->file},
                 {"messages", status.recording->messages},
                 {"bytes", status.recording->bytes},
                 {"dropped", status.recording->dropped},
                 {"trouble", status.recording->trouble}};
  }
  json servers = json::array();
  for (const DiscoveryServerStatus& each : status.discovery_servers) {
    servers.push_back({{"id", each.id}, {"address", each.address}, {"state", each.state}, {"since", each.since}});
  }
  const json whole = {{"version", status.version},
                      {"uptime", status.uptime},
                      {"ros", status.ros},
                      {"control", status.control},
                      {"machines", list},
                      {"page", status.page},
                      {"viewers", status.viewers},
                      {"recording", recording},
                      {"black_box", status.black_box ? json_from(*status.black_box) : json(nullptr)},
                      {"discovery_servers", servers},
                      {"sparkplug", status.sparkplug ? json_from(*status.sparkplug) : json(nullptr)},
                      {"incidents", json_list(status.incidents)}};
  return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<SystemStatus> status_from_json(std::string_view text) {
  try {
    const json whole = json::parse(text);
    SystemStatus status;
    whole.at("version").get_to(status.version), whole.at("uptime").get_to(status.uptime);
    whole.at("ros").get_to(status.ros), whole.at("control").get_to(status.control);
    whole.at("page").get_to(status.page), read_value(whole.at("viewers"), status.viewers);
    if (const json& file = whole.at("recording"); !file.is_null()) {
      status.recording = {file.at("file"), counter(file.at("messages")), counter(file.at("bytes")),
                          counter(file.at("dropped")), file.at("trouble")};
    }
    for (const json& item : whole.value("discovery_servers", json::array())) {
      const auto id = std::min<std::uint64_t>(counter(item.at("id")), std::numeric_limits<int>::max());
      status.discovery_servers.push_back(
          {static_cast<int>(id), item.at("address"), item.at("state"), item.at("since")});
    }
    if (const auto link = whole.find("sparkplug"); link != whole.end() && !link->is_null())
      status.sparkplug = sparkplug_from(*link);  // older programs do not say
    read_black_box(whole, status);
    for (const json& item : whole.value("incidents", json::array())) status.incidents.push_back(incident_from(item));
    for (const json& item : whole.at("machines")) status.machines.push_back(machine_from(item));
    return status;
  } catch (const json::exception& error) {
    return Error{Fault::invalid, fmt::format("status: {}", error.what())};
  } catch (const std::invalid_argument& error) {
    return Error{Fault::invalid, fmt::format("status: {}", error.what())};
  }
}

}  // namespace tandem::runtime
