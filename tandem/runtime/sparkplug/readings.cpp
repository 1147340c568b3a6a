// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/sparkplug/readings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::runtime {

namespace {

using sparkplug::DataType;
using sparkplug::Reading;

class List {
 public:
  explicit List(std::vector<Reading>& into) : into_(into) {}

  void text(std::string name, const std::string& value, bool stale = false) {
    into_.push_back({std::move(name), DataType::string, "", value, stale, false});
  }
  void text_or_null(std::string name, const std::string& value) {
    into_.push_back({std::move(name), DataType::string, "",
                     value.empty() ? sparkplug::Value() : sparkplug::Value(value), false, false});
  }
  void flag(std::string name, bool value) {
    into_.push_back({std::move(name), DataType::boolean, "", value, false, false});
  }
  void count(std::string name, std::uint64_t value) {
    into_.push_back({std::move(name), DataType::int64, "", static_cast<std::int64_t>(value), false, true});
  }
  void number(std::string name, std::string unit, double value, bool stale, bool slow) {
    into_.push_back({std::move(name), DataType::float64, std::move(unit), value, stale, slow});
  }
  void values(std::string_view folder, const std::vector<machines::Value>& values, bool stale) {
    for (const machines::Value& value : values) {
      const std::string name = fmt::format("{}/{}", folder, value.name);
      if (value.numbers.empty()) {
        text(name, value.text, stale);
      } else if (value.numbers.size() == 1 && value.parts.empty()) {
        number(name, value.unit, value.numbers[0], stale, false);
      } else {
        for (std::size_t i = 0; i < value.numbers.size(); ++i) {
          // A part's name is one level of the name.
          std::string part = i < value.parts.size() ? value.parts[i] : std::to_string(i + 1);
          std::ranges::replace(part, '/', ' ');
          number(fmt::format("{}/{}", name, part), value.unit, value.numbers[i], stale, false);
        }
      }
    }
  }

 private:
  std::vector<Reading>& into_;
};

}  // namespace

sparkplug::Snapshot Readings::of(const MachineStatus& machine) {
  sparkplug::Snapshot snapshot{machine.name, machine.state == "live", {}};
  List list(snapshot.readings);
  const bool stale = machine.quality != "live";
  const bool stopped = machine.arm == "stopped";
  std::string& fault = faults_[machine.name];
  if (!machine.cause.empty() && machine.state != "starting") fault = machine.cause;
  if (stopped && !machine.arm_cause.empty()) fault = machine.arm_cause;

  list.text("State", machine.state);
  list.flag("Link live", snapshot.alive);
  if (machine.moves) {
    list.flag("Armed", machine.arm == "armed");
    list.flag("Stop latched", stopped);
  }
  list.text("Quality", machine.quality);
  list.text_or_null("Last fault", fault);
  list.text_or_null("Warning", machine.warning);
  list.text("Properties/Type", machine.type);
  list.flag("Properties/Virtual", machine.is_virtual);
  list.number("Link/Rate", "Hz", machine.rate, false, true);
  list.count("Link/Samples", machine.samples);
  list.count("Link/Invalid samples", machine.invalid);
  list.count("Link/Connections", machine.connects);
  list.count("Link/Stale episodes", machine.stale_episodes);
  list.count("Link/Cycles skipped", machine.skipped);
  for (const HopStatus& hop : machine.hops) {
    list.number(fmt::format("Latency/{} p50", hop.name), "s", hop.p50, false, true);
    list.number(fmt::format("Latency/{} p99", hop.name), "s", hop.p99, false, true);
  }
  if (machine.late) list.number("Latency/late p99", "s", machine.late->p99, false, true);
  list.values("Values", machine.values, stale);
  list.values("Twin", machine.twin_values, false);
  return snapshot;
}

}  // namespace tandem::runtime
