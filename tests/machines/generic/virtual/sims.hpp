// SPDX-License-Identifier: Apache-2.0
// Descriptions made by hand for the tests of behaviours: one float64 signal for each name.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tandem/machines/generic/virtual/behaviours.hpp"

namespace tandem::generic::test {

inline Sim sim_of(Sim::Kind kind, const std::string& signal = {}) {
  Sim sim;
  sim.kind = kind;
  sim.signal = signal;
  return sim;
}

inline Sim constant(double value) {
  Sim sim;
  sim.value = value;
  return sim;
}

inline Sim expression(const std::string& text) {
  Sim sim = sim_of(Sim::Kind::expression);
  sim.text = text;
  return sim;
}

// Signals and their behaviours, stepped at 1 ms.
class Bench {
 public:
  Bench(std::initializer_list<std::pair<std::string, Sim>> sims, JointSource* joints = nullptr) {
    for (const auto& [name, sim] : sims) {
      Declaration declaration;
      declaration.name = name;
      declaration.at = ModbusPlace{ModbusTable::holding, static_cast<std::uint16_t>(4 * signals.size())};
      declaration.type = Type::float64;
      declaration.sim = sim;
      description.signals.push_back(declaration);
      Signal signal;
      signal.name = name;
      signal.declaration = signals.size();
      signal.type = Type::float64;
      signal.first = signals.size();
      signals.push_back(signal);
    }
    joints_ = joints;
  }

  void start() { behaviours = std::make_unique<Behaviours>(description, signals, joints_); }
  double at(double t, std::size_t signal = 0) {
    if (!behaviours) start();
    while (behaviours->time() + 1e-9 < t) behaviours->advance();
    return behaviours->value(signal, 0);
  }

  Description description;
  std::vector<Signal> signals;
  std::unique_ptr<Behaviours> behaviours;

 private:
  JointSource* joints_ = nullptr;
};

}  // namespace tandem::generic::test
