// SPDX-License-Identifier: Apache-2.0
// A small host application that believes nothing: it checks what an edge node publishes against the assertions of the
// specification (sparkplug 3.0), and names those that are broken by their tck-id.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/protocols/sparkplug/payload.hpp"

namespace tandem::sparkplug {

class Host {
 public:
  Host(std::string group, std::string node) : prefix_("spBv1.0/" + group + "/"), node_(std::move(node)) {}

  struct Device {
    bool alive = false;
    std::map<std::uint64_t, std::string> names;  // by alias
    std::map<std::string, Value> values;
    std::map<std::string, std::int64_t> qualities;
    std::map<std::string, DataType> types;
    std::uint64_t historical = 0;  // samples
    int births = 0;
  };

  // A CONNECT with this will, as the host would only see it when it is published; for the check of bdSeq.
  void connects(const std::string& will_topic, const std::string& will, int qos, bool retain) {
    const auto payload = decode(will);
    expect(payload.ok(), "payloads-ndeath-payload");
    if (!payload) return;
    expect(will_topic == topic("NDEATH"), "topics-ndeath-topic");
    expect(qos == 1, "payloads-ndeath-will-message-qos");
    expect(!retain, "payloads-ndeath-will-message-retain");
    const auto number = death_number(*payload);
    if (will_number_) expect(number == (*will_number_ + 1) % 256, "topics-nbirth-bdseq-increment");
    will_number_ = number;
    node_alive_ = rebirth_asked_ = false;
    unborn_.clear();
    for (auto& [name, device] : devices) device.alive = false;
  }

  // What else the node can know: whether its primary host is online (it has none until this is called), a rebirth that
  // it was asked for, and that it has sent DISCONNECT.
  void primary(bool online) { primary_online_ = online; }
  void asks_rebirth() { rebirth_asked_ = node_alive_; }
  void disconnects() {
    expect(!node_alive_, "operational-behavior-edge-node-intentional-disconnect-ndeath");
    rebirth_asked_ = false;
    unborn_.clear();
  }

  void hears(const std::string& from, const std::string& bytes, int qos, bool retain) {
    ++messages;
    const auto payload = decode(bytes);
    expect(payload.ok(), "payloads-protobuf");
    if (!payload) return;
    expect(!retain, "topics-retain-false");
    if (from == topic("NDEATH")) return death(*payload);
    expect(qos == 0, "topics-qos-0");
    expect(payload->timestamp.has_value(), "payloads-timestamp-in-UTC");
    for (const Metric& metric : payload->metrics) {
      expect(metric.timestamp.has_value(), "payloads-metric-timestamp");
      expect(metric.type != DataType::unknown && !metric.foreign, "payloads-metric-datatype");
    }
    if (from == topic("NBIRTH")) return node_birth(*payload);
    expect(node_alive_, "payloads-dbirth-order");  // births first
    sequence(*payload);
    for (const char* kind : {"DBIRTH", "DDATA", "DDEATH"}) {
      const std::string head = topic(kind) + "/";
      if (!from.starts_with(head)) continue;
      const std::string name = from.substr(head.size());
      if (std::string_view(kind) != "DDATA") unborn_.erase(name);
      if (std::string_view(kind) == "DBIRTH") return device_birth(devices[name], *payload);
      if (std::string_view(kind) == "DDATA") {
        expect(!rebirth_asked_, "operational-behavior-data-commands-rebirth-action-1");
        expect(!unborn_.contains(name), "operational-behavior-data-commands-rebirth-action-3");
      }
      expect(devices[name].alive || unborn_.contains(name), "payloads-ddata-order");
      if (std::string_view(kind) == "DDATA") return data(devices[name], *payload);
      devices[name].alive = false;
      return;
    }
    broken.insert("topics-unknown: " + from);
  }

  bool node_alive() const { return node_alive_; }
  std::int64_t birth_number() const { return birth_number_; }

  std::map<std::string, Device> devices;
  std::map<std::string, Value> node_values;
  std::set<std::string> broken;  // tck-ids
  std::uint64_t messages = 0;
  int node_births = 0, node_deaths = 0;

 private:
  std::string topic(std::string_view kind) const { return prefix_ + std::string(kind) + "/" + node_; }
  void expect(bool good, const char* id) {
    if (!good) broken.insert(id);
  }

  std::int64_t death_number(const Payload& payload) {
    expect(!payload.seq, "payloads-ndeath-seq");
    expect(payload.metrics.size() == 1 && payload.metrics[0].name == "bdSeq", "payloads-ndeath-bdseq");
    if (payload.metrics.empty()) return -1;
    expect(payload.metrics[0].type == DataType::int64, "payloads-ndeath-bdseq-int64");
    const auto* number = std::get_if<std::int64_t>(&payload.metrics[0].value);
    expect(number != nullptr && *number >= 0 && *number <= 255, "payloads-ndeath-bdseq");
    return number != nullptr ? *number : -1;
  }

  void death(const Payload& payload) {
    const std::int64_t number = death_number(payload);
    if (number != birth_number_) return;  // of an older session
    ++node_deaths;
    node_alive_ = false;
    for (auto& [name, device] : devices) device.alive = false;
  }

  void node_birth(const Payload& payload) {
    expect(payload.seq == 0, "topics-nbirth-seq-num");
    expect(primary_online_.value_or(true), "message-flow-edge-node-birth-publish-phid-wait");
    // After a rebirth every device that was alive is born again before its data, unless it has died meanwhile.
    unborn_.clear();
    if (rebirth_asked_)
      for (const auto& [name, device] : devices)
        if (device.alive) unborn_.insert(name);
    rebirth_asked_ = false;
    last_seq_ = 0;
    node_alive_ = true;
    ++node_births;
    aliases_.clear();
    node_values.clear();
    for (auto& [name, device] : devices) device.alive = false;
    bool rebirth = false, numbered = false;
    for (const Metric& metric : payload.metrics) {
      expect(!metric.name.empty(), "payloads-name-birth-data-requirement");
      node_values[metric.name] = metric.value;
      if (metric.name == "bdSeq") {
        numbered = true;
        const auto* number = std::get_if<std::int64_t>(&metric.value);
        birth_number_ = number != nullptr ? *number : -1;
        expect(metric.type == DataType::int64, "payloads-nbirth-bdseq-int64");
        if (will_number_) expect(birth_number_ == *will_number_, "topics-nbirth-bdseq-matching");
      }
      if (metric.name == "Node Control/Rebirth") {
        rebirth = true;
        expect(metric.type == DataType::boolean && metric.value == Value(false), "topics-nbirth-rebirth-metric");
        expect(!metric.alias, "operational-behavior-data-commands-rebirth-name-aliases");
      }
    }
    expect(rebirth, "topics-nbirth-rebirth-metric");
    expect(numbered, "payloads-nbirth-bdseq");
  }

  void device_birth(Device& device, const Payload& payload) {
    device.alive = true;
    ++device.births;
    for (const auto& [number, name] : device.names) aliases_.erase(number);
    device.names.clear();
    device.values.clear();
    device.qualities.clear();
    std::set<std::string> names;
    for (const Metric& metric : payload.metrics) {
      expect(!metric.name.empty(), "payloads-name-birth-data-requirement");
      expect(names.insert(metric.name).second, "payloads-name-unique");
      if (metric.alias) {
        expect(!metric.name.empty(), "payloads-alias-birth-requirement");
        expect(aliases_.insert(*metric.alias).second, "payloads-alias-uniqueness");
        device.names[*metric.alias] = metric.name;
      }
      device.types[metric.name] = metric.type;
      take(device, metric.name, metric);
    }
  }

  void data(Device& device, const Payload& payload) {
    std::uint64_t last = 0;
    expect(!payload.metrics.empty(), "payloads-ddata-empty");
    for (const Metric& metric : payload.metrics) {
      if (!metric.historical) {
        expect(metric.timestamp.value_or(0) >= last, "operational-behavior-data-publish-nbirth-order");
        last = metric.timestamp.value_or(0);
      }
      expect(metric.alias && metric.name.empty(), "payloads-alias-data-cmd-requirement");
      const auto name = device.names.find(metric.alias.value_or(0));
      expect(name != device.names.end(), "operational-behavior-data-publish-dbirth-values");
      if (name == device.names.end()) continue;
      expect(device.types[name->second] == metric.type, "payloads-metric-datatype-same");
      if (metric.historical) {
        ++device.historical;
      } else {
        take(device, name->second, metric);
      }
    }
  }

  void take(Device& device, const std::string& name, const Metric& metric) {
    device.values[name] = metric.value;
    for (const Property& property : metric.properties) {
      if (property.key != "Quality") continue;
      const auto* number = std::get_if<std::int64_t>(&property.value);
      expect(property.type == DataType::int32 && number != nullptr, "payloads-propertyset-quality-value-type");
      if (number == nullptr) continue;
      expect(*number == 0 || *number == 192 || *number == 500, "payloads-propertyset-quality-value-value");
      device.qualities[name] = *number;
    }
  }

  void sequence(const Payload& payload) {
    expect(payload.seq.has_value(), "payloads-sequence-num-always-included");
    expect(payload.seq == (last_seq_ + 1) % 256, "payloads-sequence-num-incrementing");
    last_seq_ = payload.seq.value_or(0);
  }

  std::string prefix_, node_;
  bool node_alive_ = false;
  std::optional<std::int64_t> will_number_;
  std::int64_t birth_number_ = -1;
  std::uint64_t last_seq_ = 0;
  std::set<std::uint64_t> aliases_;
  std::optional<bool> primary_online_;
  bool rebirth_asked_ = false;
  std::set<std::string> unborn_;  // devices that a rebirth owes
};

}  // namespace tandem::sparkplug
