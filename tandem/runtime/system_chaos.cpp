// SPDX-License-Identifier: Apache-2.0
// Faults on the links of a running tandem.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tandem/runtime/recording/recorder.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::runtime {

chaos::Sample System::look_at(const Supervisor& supervisor, const machines::VirtualDevice* device) {
  const LinkStatus link = supervisor.status();
  chaos::Sample sample;
  sample.at = tandem::now();
  sample.live = link.state == LinkState::live && link.quality == Quality::live;
  sample.state = name(link.state);
  sample.quality = name(link.quality);
  sample.rate = link.rate;
  sample.age = link.samples == 0 ? -1 : std::max(0.0, seconds(sample.at - link.last_live));
  sample.count = link.samples;
  sample.moves = supervisor.moves();
  if (sample.moves) sample.arm = supervisor.latch().status();
  if (device != nullptr) sample.truth = device->true_motion();
  return sample;
}

Result<std::string> System::inject(std::string_view terms, std::string_view machine, bool i_know, std::string_view by) {
  auto done = begin_or_clear(terms, machine, i_know, by);
  if (scribe_)
    scribe_->commanded(machine, fmt::format("chaos {}", terms), by, static_cast<bool>(done),
                       done ? *done : done.error().text);
  return done;
}

Result<std::string> System::begin_or_clear(std::string_view text, std::string_view machine, bool i_know,
                                           std::string_view by) {
  const bool clears = text == "clear";
  if (!clears && machine.empty()) return Error{Fault::invalid, "chaos: expected a machine, got none"};
  const auto terms = clears ? Result<chaos::Terms>(chaos::Terms{}) : chaos::parse_terms(text);
  if (!terms) return terms.error();
  bool known = false;
  std::vector<std::string> told;
  for (const Unit& unit : made()) {
    const std::string& name = unit.supervisor->name();
    if (!machine.empty() && name != machine) continue;
    known = true;
    if (!unit.injector) continue;
    if (!clears) return unit.injector->begin(*terms, i_know, by);
    told.push_back(unit.injector->clear(by));
  }
  if (!told.empty()) return fmt::format("{}", fmt::join(told, "\n"));
  if (machine.empty()) return std::string("no machine has fault proxies: nothing to clear");
  for (const MachineStatus& planned : planned_)
    if (!known && planned.name == machine)
      return Error{Fault::busy, fmt::format("{}: starting; try again once it is live", machine)};
  if (!known) return unknown(machine);
  return Error{Fault::unsupported,
               fmt::format("{0}: expected a fault proxy between it and its device, got none; write `chaos: true` under "
                           "machines.{0}, or start with --chaos",
                           machine)};
}

Result<std::vector<chaos::Report>> System::chaos_reports(std::string_view machine) const {
  std::vector<chaos::Report> reports;
  bool known = machine.empty();
  for (const MachineStatus& planned : planned_) known = known || planned.name == machine;
  if (!known) return unknown(machine);
  for (const Unit& unit : made())
    if (unit.injector && (machine.empty() || unit.supervisor->name() == machine))
      reports.push_back(unit.injector->report());
  return reports;
}

}  // namespace tandem::runtime
