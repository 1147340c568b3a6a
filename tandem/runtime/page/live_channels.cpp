// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/live_channels.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tandem::runtime {

namespace {

// As Foxglove's viewers read JSON Schema: every object with its properties, every property with one type. What is
// written otherwise is not shown at all; fields that are not named here are.
constexpr std::string_view machines_schema =
    R"({"type":"object","properties":{"machines":{"type":"array","items":{"type":"object",)"
    R"("properties":{"name":{"type":"string"}}}}}})";
constexpr std::string_view picture_schema =
    R"({"type":"object","properties":{"t":{"type":"number"},"machines":{"type":"array","items":{"type":"object",)"
    R"("properties":{"name":{"type":"string"},"seen":{"type":"boolean"},"frames":{"type":"array","items":{"type":"number"}},)"
    R"("scalars":{"type":"array","items":{"type":"number"}},"twin":{"type":"array","items":{"type":"number"}}}}}}})";
constexpr std::string_view status_schema =
    R"({"type":"object","properties":{"version":{"type":"string"},"uptime":{"type":"number"},)"
    R"("machines":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},)"
    R"("state":{"type":"string"},"cause":{"type":"string"},"arm":{"type":"string"},"rate":{"type":"number"}}}}}})";
constexpr std::string_view log_schema =
    R"({"type":"object","properties":{"t":{"type":"number"},"machine":{"type":"string"},"kind":{"type":"string"},)"
    R"("text":{"type":"string"},"bad":{"type":"boolean"}}})";

constexpr std::array<LiveChannel, 5> channels = {{
    {Live::scene, "/tandem/scene", 0, 1, machines_schema},
    {Live::picture, "/tandem/picture", 60, 1, picture_schema},
    {Live::status, "/tandem/status", 10, 1, status_schema},
    {Live::latency, "/tandem/latency", 1, 1, machines_schema},
    {Live::log, "/tandem/log", 0, 200, log_schema},
}};

std::string latency_json(const std::vector<MachineLatency>& latencies) {
  std::string text = R"({"machines":[)";
  const auto list = [&](std::string_view name, const auto& buckets, const auto& number) {
    text += fmt::format(R"("{}":[)", name);
    for (std::size_t i = 0; i < buckets.size(); ++i) text += (i == 0 ? "" : ",") + number(buckets[i]);
    text += ']';
  };
  for (std::size_t m = 0; m < latencies.size(); ++m) {
    text += fmt::format(R"({}{{"name":"{}","hops":[)", m == 0 ? "" : ",", latencies[m].machine);
    for (std::size_t h = 0; h < latencies[m].hops.size(); ++h) {
      const HopBuckets& hop = latencies[m].hops[h];
      text += fmt::format(R"({}{{"name":"{}",)", h == 0 ? "" : ",", hop.name);
      list("edges", hop.buckets, [](const auto& bucket) { return fmt::format("{:.4g}", seconds(bucket.edge)); });
      text += ',';
      list("counts", hop.buckets, [](const auto& bucket) { return fmt::format("{}", bucket.count); });
      text += '}';
    }
    text += "]}";
  }
  return text + "]}";
}

}  // namespace

const std::array<LiveChannel, 5>& live_channels() { return channels; }

void compose(std::string& into, Live what, const Watched& watched, double time) {
  switch (what) {
    case Live::scene:
      into = scene_json(watched.scenes());
      return;
    case Live::picture:
      return picture_json(into, time, watched.pictures());
    case Live::status:
      into = json_from_status(watched.status());
      return;
    case Live::latency:
      into = latency_json(watched.latencies());
      return;
    case Live::log:
      into.clear();
      return;
  }
}

std::string log_json(const Event& event, double time) {
  const nlohmann::json line = {
      {"t", time}, {"machine", event.machine}, {"kind", event.kind}, {"text", event.text}, {"bad", event.bad}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tandem::runtime
