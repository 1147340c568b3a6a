// SPDX-License-Identifier: Apache-2.0
// What `tandem check` prints of a description: notes, and everything that can ever be written.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tandem/machines/generic/schema/checks.hpp"
#include "tandem/machines/generic/schema/keys.hpp"
#include "tandem/machines/generic/schema/read.hpp"
#include "tandem/machines/generic/topic_names.hpp"

namespace tandem::generic {
namespace {

std::string age_text(const Output& output) {
  return output.watchdog ? fmt::format("after {} ms {}", number_text(*output.watchdog * 1000), idle_text(output))
                         : "never idle";
}

std::string limits_text(const Declaration& declaration) {
  const Output& output = *declaration.write;
  if (output.level != Output::Level::number) return "0 or 1";
  return fmt::format("{} to {}{}{}", number_text(output.limits.lowest), number_text(output.limits.highest),
                     declaration.unit.empty() ? "" : " ", declaration.unit);
}

std::string rate_text(const Output& output) {
  if (output.level == Output::Level::pulse) return fmt::format("pulse of {} s", number_text(output.pulse));
  if (output.level == Output::Level::level) return "level";
  return output.rate ? fmt::format("{} /s", number_text(*output.rate)) : "no rate limit";
}

using ReportRow = std::array<std::string, 6>;

std::string report_table(const std::vector<ReportRow>& rows) {
  std::array<std::size_t, 6> widths{};
  for (const ReportRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const ReportRow& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}}", row[i], widths[i] + 1);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string idle_text(const Output& output) {
  switch (output.idle) {
    case Output::Idle::hold:
      return "hold";
    case Output::Idle::zero:
      return "zero";
    case Output::Idle::follow:
      return "follow " + output.follow;
    case Output::Idle::leave:
      return "leave";
  }
  return "?";
}

std::string writes_table(const Description& description) {
  std::vector<ReportRow> rows;
  for (const Declaration& each : description.signals) {
    if (!each.write) continue;
    const Output& output = *each.write;
    rows.push_back({each.name, place_text(each.at, modbus_places(each), description.base), limits_text(each),
                    rate_text(output), age_text(output),
                    output.confirm
                        ? "confirmed by " + place_text(*output.confirm, modbus_places(each), description.base)
                        : "confirmed by itself"});
  }
  if (rows.empty()) return fmt::format("{}: nothing is ever written\n", description.name);
  if (description.heartbeat)
    rows.push_back(
        {"heartbeat", place_text(*description.heartbeat, 1, description.base), "counts while armed", "", "", ""});
  std::string text = fmt::format("{}: can be written while armed:\n{}", description.name, report_table(rows));
  if (!description.enable.empty()) text += fmt::format("  only while: {}\n", description.enable);
  for (const auto& [name, value] : description.on_stop)
    text += fmt::format("  at a stop once: {} = {}\n", name, number_text(value));
  return text;
}

std::string OwnDescription::report() const {
  if (!description) return {};
  std::string text = writes_table(*description);
  for (const std::string& note : description->notes) text += note + "\n";
  return text;
}

machines::RosNames OwnDescription::ros_names() const {
  return description ? ros_names_of(*description) : machines::RosNames();
}

}  // namespace tandem::generic
