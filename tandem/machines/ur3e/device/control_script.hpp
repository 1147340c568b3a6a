// SPDX-License-Identifier: Apache-2.0
// The one program that the controller runs for us: it takes commands from RTDE input registers, reports through output
// registers, and stops the arm by itself when our heartbeat falls silent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/machines/ur3e/arm_commands.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur3e::script {

// Registers 24 to 47 are those of RTDE clients; the lower ones are left to field buses.
namespace inputs {
constexpr std::size_t heartbeat = 24;  // int: must change
constexpr std::size_t sequence = 25;   // int: a new number is a new command
constexpr std::size_t code = 26;       // int: Code
constexpr std::size_t one = 27;        // int: arguments
constexpr std::size_t two = 28;
constexpr std::size_t first = 24;  // doubles, six each
constexpr std::size_t second = 30;
constexpr std::size_t third = 36;
}  // namespace inputs
namespace outputs {
constexpr std::size_t taken = 24;     // int: sequence of the last command that was begun
constexpr std::size_t finished = 25;  // int: sequence of the last motion that came to its end
constexpr std::size_t motion = 26;    // int: Code of the motion that runs, 0 for none
constexpr std::size_t ending = 27;    // int: Ending, why the program ended
constexpr std::size_t identity = 28;  // int: the number that this upload was given
}  // namespace outputs

enum class Code : std::int32_t {
  none = 0,
  movej = 1,
  movel = 2,
  movep = 3,
  movec = 4,
  path = 5,
  servoj = 7,
  speedj = 8,
  speedl = 9,
  stopj = 10,
  stopl = 11,
  tcp = 20,
  payload = 21,
  freedrive = 22,
  force_mode = 23,
  end_force_mode = 24,
  standard_out = 25,
  configurable_out = 26,
  tool_out = 27,
  analog_out = 28,
  zero_force = 29,
  path_point = 30,
  nothing = 31,
  end = 40,
};

enum class Ending : std::int32_t { none = 0, asked = 1, watchdog = 2 };

struct Timing {
  Duration streamed = 20ms;  // silence that stops servoj, speedj and speedl
  Duration other = 200ms;    // and everything else
};

// The program; `identity` tells this upload from every other.
std::string text(std::int32_t identity, const Timing& timing = {});

// What must be written for a command, besides its sequence: one write, or one per way-point and one to start.
struct Write {
  Code code = Code::nothing;
  std::int32_t one = 0, two = 0;
  Six first{}, second{}, third{};
};
std::vector<Write> writes_for(const command::Any& command);

// Places the write in the input registers.
void place(const Write& write, std::int32_t sequence, ur::ControllerInputs& into);

// A motion of the same kind that runs takes new targets as they come.
constexpr bool is_streamed(Code code) { return code == Code::servoj || code == Code::speedj || code == Code::speedl; }

// Names of the RTDE variables that belong to us.
std::vector<std::string> command_variables();
std::vector<std::string> report_variables();

}  // namespace tandem::ur3e::script
