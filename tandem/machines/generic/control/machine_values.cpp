// SPDX-License-Identifier: Apache-2.0
// What a described machine shows: values, metrics, the picture.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "tandem/machines/generic/control/machine.hpp"
#include "tandem/machines/generic/ros/topics.hpp"
#include "tandem/machines/generic/scene.hpp"
#include "tandem/machines/generic/signal_text.hpp"

namespace tandem::generic {
namespace {

machines::Value value_of_signal(const Signal& signal, std::size_t index, const Readings& readings) {
  machines::Value value{signal.name, signal.unit, {}, {}};
  const Reading& reading = readings.of[index];
  const bool usable = reading.quality == SignalQuality::good || reading.quality == SignalQuality::uncertain;
  if (!usable || signal.kind == Kind::text || signal.kind == Kind::enumeration)
    value.text = signal_text(signal, index, readings);
  if (signal.kind == Kind::text) return value;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (signal.kind == Kind::bit_field && signal.count == 1) {
    const auto raw = static_cast<std::uint64_t>(readings.integers[signal.first]);
    for (const auto& [bit, name] : signal.bits) {
      value.numbers.push_back(usable ? static_cast<double>((raw >> bit) & 1) : unknown);
      value.parts.push_back(name);
    }
    return value;
  }
  for (std::size_t i = signal.first; i < signal.first + signal.count; ++i)
    value.numbers.push_back(usable ? readings.numbers[i] : unknown);
  if (signal.count > 1) value.parts = element_names(signal);
  return value;
}

void count_requests(const LinkCounters& link, Protocol protocol, std::vector<machines::Metric>& metrics) {
  const auto count = [&](const char* table, const char* result, std::uint64_t number) {
    metrics.push_back({"tandem_requests_total",
                       "counter",
                       "requests for signals, by what came of them",
                       {{"table", table}, {"result", result}},
                       static_cast<double>(number)});
  };
  const auto count_all = [&](const char* table, const LinkCounters::Reads& reads) {
    count(table, "done", reads.done);
    count(table, "timeout", reads.timeouts);
    count(table, "refused", reads.refused);
  };
  if (protocol == Protocol::ads) {
    const std::uint64_t failed = link.timeouts + link.exceptions[0];
    return count_all("ads", {link.requests > failed ? link.requests - failed : 0, link.timeouts, link.exceptions[0]});
  }
  constexpr std::array names = {"coil", "discrete", "holding", "input"};  // in the order of ModbusTable
  for (std::size_t i = 0; i < names.size(); ++i) {
    const LinkCounters::Reads& reads = link.tables[i];
    if (reads.done + reads.timeouts + reads.refused > 0) count_all(names[i], reads);
  }
}

std::string state_text(const State& state) {
  if (state.armed && state.commanded == 0) return "armed, waiting for a command";
  if (state.armed) return fmt::format("armed, {} commanded", state.commanded);
  return state.ended.empty() ? "disarmed" : fmt::format("disarmed: {}", state.ended.view());
}

}  // namespace

// Signals in the order of the file, then what was written and what went wrong.
std::vector<machines::Value> Machine::values() const {
  std::vector<machines::Value> values;
  shared_readings_.look([&](const SharedReadings::Copy& copy) {
    if (!copy.signals) return;
    for (std::size_t i = 0; i < copy.signals->size(); ++i) {
      if (!(*copy.signals)[i].hidden) values.push_back(value_of_signal((*copy.signals)[i], i, copy.readings));
    }
    for (std::size_t i = 0; i < copy.written.size(); ++i) {
      if (!copy.written[i]) continue;
      const OutputInfo& output = commands_.outputs()[i];
      values.push_back({"set " + output.name, output.unit, {*copy.written[i]}, {}});
    }
  });
  const auto state = shared_.get();
  if (!state) return values;
  const auto count = [&](const char* name, std::uint64_t number) {
    if (number > 0) values.push_back({name, {}, {static_cast<double>(number)}, {}});
  };
  if (moves()) values.push_back({"outputs", {}, {}, state_text(*state)});
  count("timeouts", state->link.timeouts);
  count("commands refused", state->refused + (ros_ ? ros_->refused() : 0));
  const std::string last =
      state->last_refusal.empty() && ros_ ? ros_->last_refusal() : std::string(state->last_refusal);
  if (!last.empty()) values.push_back({"last refusal", {}, {}, last});
  return values;
}

std::vector<machines::Metric> Machine::metrics() const {
  std::vector<machines::Metric> metrics;
  shared_readings_.look([&](const SharedReadings::Copy& copy) {
    if (!copy.signals) return;
    for (std::size_t i = 0; i < copy.signals->size(); ++i) {
      if ((*copy.signals)[i].hidden) continue;
      metrics.push_back({"tandem_signal_quality",
                         "gauge",
                         "quality: 0 good, 1 uncertain, 2 bad, 3 stale",
                         {{"name", (*copy.signals)[i].name}},
                         static_cast<double>(copy.readings.of[i].quality)});
    }
  });
  const State state = shared_.get().value_or(State{});
  const auto count = [&](std::string_view name, std::string_view help,
                         std::vector<std::pair<std::string_view, std::string>> labels, std::uint64_t number) {
    metrics.push_back({name, "counter", help, std::move(labels), static_cast<double>(number)});
  };
  constexpr std::string_view writes = "tandem_writes_total", writes_help = "writes of outputs, by what came of them";
  if (moves()) {
    count(writes, writes_help, {{"result", "done"}}, state.link.writes_done);
    count(writes, writes_help, {{"result", "refused"}}, state.link.writes_refused);
    count(writes, writes_help, {{"result", "unknown"}}, state.link.writes_unknown);
  }
  constexpr std::string_view exceptions = "tandem_exceptions_total";
  for (std::size_t code = 0; code < std::size(state.link.exceptions); ++code) {
    if (state.link.exceptions[code] == 0) continue;
    count(exceptions, "errors that the device answered, by code; 0: of ADS", {{"code", std::to_string(code)}},
          state.link.exceptions[code]);
  }
  count_requests(state.link, description_->protocol, metrics);
  return metrics;
}

machines::Scene Machine::scene() const {
  return make_scene(*description_, urdf_ ? &*urdf_ : nullptr, shared_readings_.signals(), commands_.outputs(),
                    ros_ ? ros_->full_name() : std::string());
}

machines::Picture Machine::picture() const {
  std::optional<Posture> posture;
  if (urdf_) posture.emplace(*description_, *urdf_);
  return shared_readings_.look(
      [&](const SharedReadings::Copy& copy) { return picture_of(*description_, posture ? &*posture : nullptr, copy); });
}

}  // namespace tandem::generic
