// SPDX-License-Identifier: Apache-2.0
// Which moment of a recording is to be explained.
#include <fmt/format.h>

#include <charconv>
#include <ctime>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/recordings/incident/history.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/runtime/page/incident_reports.hpp"

namespace tandem::app::incident {

namespace {

constexpr Time one_second = 1'000'000'000;
constexpr Time same_incident = 2 * one_second;  // what follows a stop or a loss this closely belongs to it

// The cause of an incident in one word; empty: the event is none.
std::string cause_of(const Event& event) {
  if (event.machine.empty()) return "";
  if (event.kind == "stopped") return "stopped";
  if (event.kind == "disarmed") return event.text.starts_with("no live sample") ? "lost" : "disarmed";
  const bool was_armed = event.text.find("; disarmed") != std::string::npos;
  return was_armed && (event.kind == "lost" || event.kind == "stale") ? "lost" : "";
}

std::optional<Time> whole_number(std::string_view text) {
  Time number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<Moment> moments_of(const std::vector<Event>& events) {
  std::vector<Moment> moments;
  std::map<std::string, Time> last;  // by machine
  for (const Event& event : events) {
    const std::string cause = cause_of(event);
    if (cause.empty()) continue;
    const auto known = last.find(event.machine);
    const bool follows = known != last.end() && event.time - known->second < same_incident;
    last[event.machine] = event.time;
    if (!follows) moments.push_back({event.time, event.machine, cause, event.text});
  }
  return moments;
}

std::optional<Moment> moment_of(const record::McapReader& reader) {
  const record::mcap::Map values = reader.metadata(runtime::incident_metadata);
  const auto value = [&](const char* key) {
    const auto found = values.find(key);
    return found == values.end() ? std::string() : found->second;
  };
  const auto at = whole_number(value("at"));
  if (!at || *at < 0) return std::nullopt;
  return Moment{*at, value("machine"), value("cause"), value("text")};
}

Result<Time> time_from(const std::string& text, Time start) {
  if (const auto number = number_from(text); number && *number >= 0 && *number < 1e9)
    return start + static_cast<Time>(*number * 1e9);
  std::tm parts{};
  for (const char* format : {"%Y-%m-%dT%H:%M:%S", "%Y%m%dT%H%M%S", "%Y-%m-%d %H:%M:%S"}) {
    const char* rest = ::strptime(text.c_str(), format, &parts);
    if (rest == nullptr) continue;
    std::string fraction(rest);
    if (fraction.ends_with('Z')) fraction.pop_back();
    const auto part = fraction.empty() ? std::optional(0.0) : number_from("0" + fraction);
    if (!part || (!fraction.empty() && fraction.front() != '.')) continue;
    return static_cast<Time>(::timegm(&parts)) * one_second + static_cast<Time>(*part * 1e9);
  }
  return Error{
      Fault::invalid,
      fmt::format("--at: expected seconds since the beginning of the recording or UTC as 2026-11-19T04:30:15Z, "
                  "got '{}'",
                  printable(text))};
}

}  // namespace tandem::app::incident
