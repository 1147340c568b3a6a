// SPDX-License-Identifier: Apache-2.0
// What is written to the outputs of a machine, and when: commands in, writes out, outcomes and readings back. Pure: the
// latch is asked by whoever carries a write out. Nothing that was not commanded since the last begin() is ever due.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/generic/control/read_back.hpp"
#include "tandem/machines/generic/control/set_point.hpp"
#include "tandem/machines/generic/device/link.hpp"

namespace tandem::generic {

class Writer {
 public:
  // Throws std::invalid_argument for values of on_stop that are outside their output's limits.
  Writer(const Description& description, const std::vector<OutputInfo>& outputs);

  // Where outputs are read and what they are on the device, whenever a link has found its signals.
  void bind(const std::vector<Signal>& signals);
  // At each arm and each disarm: everything from before is forgotten.
  void begin();

  Result<void> take(std::size_t output, const Command& command, Instant now, const Readings& readings);
  // What is to be written now, neighbours on the device beside each other.
  const std::vector<Write>& step(Instant now, const Readings& readings);
  // The first of them that may leave as one request, from `begin` on: outputs that lie side by side.
  std::span<const Write> group(std::size_t begin) const;
  // What became of writes that left at that time; why the machine is to be disarmed, if it is.
  std::optional<std::string> note(std::span<const Write> writes, std::span<const Written> outcomes, Instant at);
  // After each scan: why the machine is to be stopped, if it is.
  std::optional<std::string> read_back(Instant now, const Readings& readings);

  const std::vector<Write>& on_stop() const { return on_stop_; }
  std::size_t active() const;  // outputs that were commanded
  // What the device took of it last; nothing: nothing since begin().
  std::optional<double> written(std::size_t output) const { return outlets_[output].written; }

 private:
  struct Outlet {
    const OutputInfo* declared;
    std::unique_ptr<OutputInfo> info;  // as the device has it; `point` refers to it
    SetPoint point;
    ReadBack back;
    std::optional<SignalReference> present, confirm, followed;
    double every;                   // s, between two readings
    std::optional<double> written;  // what the device took last
    int unanswered = 0;             // writes in a row
  };
  void learn(Outlet& outlet, const std::vector<Signal>& signals) const;
  static double value(const std::optional<SignalReference>& reference, const Readings& readings);
  std::optional<std::string> failed(Outlet& outlet, double value, const Error& error);

  std::vector<Outlet> outlets_;       // as outputs
  std::vector<std::size_t> in_line_;  // outlets by their place on the device
  std::vector<std::size_t> of_declaration_;
  std::vector<bool> joins_;  // declaration: lies right behind the one before it in line
  std::vector<Write> due_, on_stop_;
  std::vector<Write> wanted_on_stop_;  // as the file says it
  double cycle_;                       // s
};

}  // namespace tandem::generic
