// SPDX-License-Identifier: Apache-2.0
// What the signals of a virtual device do that have no `sim`.
#include <algorithm>
#include <cctype>

#include "tandem/machines/generic/virtual/behaviours.hpp"

namespace tandem::generic {
namespace {

// "fSpeed" of "belts[1].fSpeed".
std::string_view member_of(const Signal& signal) {
  const std::string_view name = signal.name;
  const auto dot = name.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  return last.substr(0, last.find('['));
}

const Sim* declared(const Description& description, const Signal& signal) {
  const Declaration& declaration = description.signals[signal.declaration];
  if (const auto found = declaration.members.find(std::string(member_of(signal)));
      found != declaration.members.end() && found->second.sim)
    return &*found->second.sim;
  return declaration.sim ? &*declaration.sim : nullptr;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Whether a signal's first element is at this place; upper and lower case are one to a PLC.
bool is_at(const Signal& signal, const Declaration& declaration, const At& place) {
  if (const auto* own = std::get_if<ModbusPlace>(&declaration.at)) {
    const auto* other = std::get_if<ModbusPlace>(&place);
    return other != nullptr && *own == *other;
  }
  const auto* wanted = std::get_if<AdsPlace>(&place);
  const std::string suffix = signal.name.substr(std::min(declaration.name.size(), signal.name.size()));
  return wanted != nullptr && same_letters(std::get<AdsPlace>(declaration.at).symbol + suffix, wanted->symbol);
}

Sim follows(const std::string& signal) {
  Sim sim;
  sim.kind = Sim::Kind::follow;
  sim.signal = signal;
  return sim;
}

Sim of_joint(const Joint& joint, Sim::JointValue value) {
  Sim sim;
  sim.kind = Sim::Kind::joint;
  sim.signal = joint.name;
  sim.joint = value;
  return sim;
}

}  // namespace

std::vector<Sim> behaviours_of(const Description& description, const std::vector<Signal>& signals) {
  std::vector<Sim> sims(signals.size());
  std::vector<bool> own(signals.size(), false);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const Sim* sim = declared(description, signals[i]);
    own[i] = sim != nullptr;
    if (own[i]) sims[i] = *sim;
  }
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const Declaration& output = description.signals[signals[i].declaration];
    // The front's own place of a read-back.
    if (signals[i].hidden && output.write && signals[i].name != output.name)
      sims[i] = follows(output.name), own[i] = true;
  }
  for (const Declaration& output : description.signals) {
    if (!output.write || !output.write->confirm) continue;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const Declaration& declaration = description.signals[signals[i].declaration];
      if (own[i] || &declaration == &output || signals[i].kind == Kind::text) continue;
      if (is_at(signals[i], declaration, *output.write->confirm)) sims[i] = follows(output.name);
    }
  }
  if (!description.robot) return sims;
  for (const Joint& joint : description.robot->joints) {
    for (std::size_t i = 0; i < signals.size(); ++i) {
      if (own[i]) continue;
      if (signals[i].name == joint.position) sims[i] = of_joint(joint, Sim::JointValue::position);
      if (signals[i].name == joint.velocity) sims[i] = of_joint(joint, Sim::JointValue::velocity);
    }
  }
  return sims;
}

}  // namespace tandem::generic
