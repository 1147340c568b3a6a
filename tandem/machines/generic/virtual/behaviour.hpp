// SPDX-License-Identifier: Apache-2.0
// What a signal of the virtual device does over time: the kinds of `sim`. Pure: time and inputs in, a value out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/generic/signal.hpp"
#include "tandem/machines/generic/virtual/joint_source.hpp"

namespace tandem::generic {

// The end of one time step.
struct Moment {
  double t = 0, dt = 0;                         // s
  std::span<const double> inputs{}, earlier{};  // of Behaviour::names(), now and one step ago
};

class Behaviour {
 public:
  virtual ~Behaviour() = default;
  // The signals that it reads.
  virtual std::vector<std::string> names() const { return {}; }
  // Whether an input counts in the step itself, not only what it was one step ago.
  virtual bool reads_now(std::size_t /*input*/) const { return true; }
  // Its value does not follow its inputs within the step, so that it may be part of a loop. Such an input may be one
  // step old.
  virtual bool breaks_loops() const { return false; }
  // At rest with these inputs, at t = 0.
  virtual double start(const Moment& moment) { return next(moment); }
  virtual double next(const Moment& moment) = 0;
  // A client has written the signal; only constants keep it.
  virtual void write(double /*value*/) {}
};

// The signal's own type and unit, where a behaviour depends on them.
struct BehaviourSetup {
  double dt = 0.001;                    // s, of every step
  bool input_late = false;              // its input is that of the step before
  Type type = Type::float64;            // counters begin again where it ends
  double scale = 1;                     // of its raw value
  double si_scale = 1, si_offset = 0;   // joints are in SI, signals in the unit of the file
  std::string name{};                   // of the signal, for recordings and errors
  std::string node{};                   // of the machine on ROS, for recordings
  std::string folder{};                 // relative paths count from here
  const JointSource* joints = nullptr;  // null: the file has no robot
};

// Throws std::invalid_argument for what cannot be: an invalid expression, a joint without a robot, a bad recording.
std::unique_ptr<Behaviour> make_behaviour(const Sim& sim, const BehaviourSetup& setup);

// One step of y'' + 2 zeta w y' + w^2 y = 0 from (y, v), exact for any zeta from 0 on.
struct Oscillation {
  double y = 0, v = 0;
};
Oscillation oscillated(const Oscillation& from, double w, double zeta, double dt);

}  // namespace tandem::generic
