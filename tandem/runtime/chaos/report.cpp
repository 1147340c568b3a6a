// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tandem::runtime::chaos {
namespace {

using nlohmann::json;

json json_from(const PathReport& path) {
  return {{"chunks", path.chunks},         {"bytes", path.bytes},         {"dropped", path.dropped},
          {"duplicated", path.duplicated}, {"reordered", path.reordered}, {"corrupted", path.corrupted}};
}

json json_from(const Report& report) {
  json results = json::array();
  for (const RunResult& each : report.results) results.push_back({{"run", each.run}, {"text", each.text}});
  return {{"machine", report.machine},
          {"virtual", report.is_virtual},
          {"streams", report.streams},
          {"datagrams", report.datagrams},
          {"active", report.active},
          {"measuring", report.measuring},
          {"run", report.run},
          {"terms", report.terms},
          {"by", report.by},
          {"remaining", report.remaining},
          {"state", report.state},
          {"quality", report.quality},
          {"arm", report.arm},
          {"rate", report.rate},
          {"age", report.age},
          {"unit", report.unit},
          {"moved", report.moved},
          {"speed", report.speed},
          {"to_device", json_from(report.to_device)},
          {"to_client", json_from(report.to_client)},
          {"cuts", report.cuts},
          {"connections", report.connections},
          {"results", results}};
}

// Checked, since nlohmann casts any number to the asked type.
std::uint64_t count(const json& value) {
  if (!value.is_number_unsigned()) throw std::invalid_argument("expected a count");
  return value.get<std::uint64_t>();
}

PathReport path_from(const json& item) {
  return {count(item.at("chunks")),     count(item.at("bytes")),     count(item.at("dropped")),
          count(item.at("duplicated")), count(item.at("reordered")), count(item.at("corrupted"))};
}

Report report_from(const json& item) {
  Report report;
  const auto read = [&](const char* key, auto& into) { item.at(key).get_to(into); };
  read("machine", report.machine), read("virtual", report.is_virtual), read("streams", report.streams);
  read("datagrams", report.datagrams), read("active", report.active), read("measuring", report.measuring);
  read("terms", report.terms), read("by", report.by), read("remaining", report.remaining);
  read("state", report.state), read("quality", report.quality), read("arm", report.arm);
  read("rate", report.rate), read("age", report.age);
  read("unit", report.unit), read("moved", report.moved), read("speed", report.speed);
  report.run = count(item.at("run"));
  report.to_device = path_from(item.at("to_device"));
  report.to_client = path_from(item.at("to_client"));
  report.cuts = count(item.at("cuts"));
  report.connections = count(item.at("connections"));
  for (const json& each : item.at("results")) report.results.push_back({count(each.at("run")), each.at("text")});
  return report;
}

std::string path_text(std::string_view where, const PathReport& path) {
  std::string text = fmt::format("{}: {} chunks, {} bytes", where, path.chunks, path.bytes);
  const auto add = [&](std::uint64_t number, std::string_view what) {
    if (number > 0) text += fmt::format(", {} {}", number, what);
  };
  add(path.dropped, "dropped"), add(path.duplicated, "duplicated"), add(path.reordered, "reordered");
  add(path.corrupted, "bytes corrupted");
  return text;
}

}  // namespace

std::string json_from_reports(const std::vector<Report>& reports) {
  json list = json::array();
  for (const Report& report : reports) list.push_back(json_from(report));
  return list.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::vector<Report>> reports_from_json(std::string_view text) {
  try {
    std::vector<Report> reports;
    const json list = json::parse(text);
    if (!list.is_array()) return Error{Fault::invalid, "chaos: expected a list of reports"};
    for (const json& item : list) reports.push_back(report_from(item));
    return reports;
  } catch (const json::exception& error) {
    return Error{Fault::invalid, fmt::format("chaos: {}", error.what())};
  } catch (const std::invalid_argument& error) {
    return Error{Fault::invalid, fmt::format("chaos: {}", error.what())};
  }
}

std::string motion_text(const Report& report) {
  if (report.unit.empty()) return "";
  return fmt::format("moved {:.3f} {}, {:.2f} {}/s", report.moved, report.unit, report.speed, report.unit);
}

std::string counts_text(const Report& report) {
  return fmt::format("{}; {}; {} cuts, {} new connections", path_text("to the device", report.to_device),
                     path_text("to the client", report.to_client), report.cuts, report.connections);
}

}  // namespace tandem::runtime::chaos
