// SPDX-License-Identifier: Apache-2.0
// All behaviours of a virtual device, stepped together. Pure: no sockets, no clock; the same calls give the same
// values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/generic/virtual/behaviour.hpp"
#include "tandem/machines/generic/virtual/noise.hpp"

namespace tandem::generic {

class Behaviours {
 public:
  // `signals` are those of the front; `joints` may be null and is not owned. Throws std::invalid_argument for unknown
  // signals, loops without memory, and whatever else a file cannot mean; all errors in one text.
  Behaviours(const Description& description, const std::vector<Signal>& signals, JointSource* joints);

  double dt() const { return dt_; }                                  // s, of a step: 1 ms, or a shorter cycle
  double time() const { return static_cast<double>(steps_) * dt_; }  // s
  // In the unit of the file.
  double value(std::size_t signal, std::size_t element) const { return values_[(*signals_)[signal].first + element]; }
  // A client wrote it: it stays, unless the signal has a behaviour of its own.
  void write(std::size_t signal, std::size_t element, double value);
  void advance();  // one step

 private:
  struct Input {
    std::size_t slot = 0;
    int bit = -1;
    bool late = false;
  };
  struct Node {
    std::size_t slot = 0;
    std::unique_ptr<Behaviour> behaviour;
    std::vector<Input> inputs;
    std::vector<double> now, earlier;  // of the inputs
    Noise noise{0, 0, ""};
  };
  // A joint's drive and the signal that it is commanded by.
  struct Drive {
    std::string joint;
    std::size_t slot = 0;
    double si_scale = 1, si_offset = 0;
    double sent = 0;
  };
  class Builder;

  double gather(const Input& input, const std::vector<double>& from) const;
  void evaluate(Node& node, bool first);
  void command_joints();

  const std::vector<Signal>* signals_;
  JointSource* joints_;
  double dt_;
  std::uint64_t steps_ = 0;
  std::vector<double> values_, before_;  // of all elements, by Signal::first
  std::vector<Node> nodes_;              // in the order of evaluation
  std::vector<std::size_t> node_of_;     // slot -> node
  std::vector<Drive> drives_;
};

// What a signal does: its own `sim`, else the joint that it is bound to, the output that it reads back, or 0.
// By signal; arrays have the same for all elements. Without those of texts.
std::vector<Sim> behaviours_of(const Description& description, const std::vector<Signal>& signals);

}  // namespace tandem::generic
