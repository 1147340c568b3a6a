// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of the virtual controller: digital, analogue, tool, registers, the speed slider and watchdogs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/protocols/ur/rtde/recipe.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur3e {

// Where each group of digital bits begins in the controller's masks, and how many there are.
struct DigitalGroup {
  std::uint32_t first;
  std::int32_t count;
  bool tool_follows = false;  // what comes after the standard ones
};
inline constexpr DigitalGroup standard_bits{0, 8}, configurable_bits{8, 8}, tool_bits{16, 2};
// Of the functions from before there were configurable ones: 0 to 7 standard, 8 and 9 of the tool.
inline constexpr DigitalGroup old_bits{0, 10, true};

class Io {
 public:
  explicit Io(ur::Variables& variables) : variables_(variables) {}

  // A client has written inputs over RTDE.
  void written(const ur::Recipe& recipe, double now);

  Result<bool> digital_input(DigitalGroup group, std::int32_t index) const;
  Result<bool> digital_output(DigitalGroup group, std::int32_t index) const;
  Result<void> digital_output(DigitalGroup group, std::int32_t index, bool on);
  // Standard analogue, in A or V.
  Result<double> analog_input(std::int32_t index) const;
  Result<double> analog_output_level(std::int32_t index) const;
  // As a part (0 to 1) of the range: 4 to 20 mA or 0 to 10 V.
  Result<double> analog_output(std::int32_t index) const;
  Result<void> analog_output(std::int32_t index, double part);
  Result<void> analog_output_domain(std::int32_t index, std::int32_t domain);  // 0 current, 1 voltage

  // Reports what a program wants to happen when a client no longer writes.
  enum class Action : std::uint8_t { ignore, pause, stop };
  Result<void> watch(std::string_view variable, double least_frequency, std::string_view action, double now);
  Action overdue(double now) const;
  void forget_watchdogs() { watchdogs_.clear(); }

 private:
  struct Watchdog {
    std::size_t field = 0;
    double period = 0;  // s
    Action action = Action::ignore;
    double fed = 0;  // s
  };

  double scaled(double part, std::uint32_t domain_bit) const;

  ur::Variables& variables_;
  std::vector<Watchdog> watchdogs_;
};

}  // namespace tandem::ur3e
