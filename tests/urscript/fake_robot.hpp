// SPDX-License-Identifier: Apache-2.0
// Robot functions that only write down what they were asked; moves take a given number of cycles.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tandem/urscript/run/sockets.hpp"
#include "tests/urscript/script_rig.hpp"
#include "tests/urscript/string_sockets.hpp"

namespace tandem::urscript {

struct FakeRobot : ScriptRig {
  FakeRobot();

  int move_cycles = 10;
  std::vector<std::string> log;           // "movej [..] 1 1", "stopj 4" ...
  std::array<std::int32_t, 48> in_int{};  // registers
  std::array<double, 48> in_float{};
  std::array<std::int32_t, 48> out_int{};
  std::array<double, 48> out_float{};
  std::array<bool, 128> out_bool{};
  StringSockets sockets;

  std::size_t logged(std::string_view start) const;  // entries that begin so

 private:
  void add_move(const char* name, std::vector<Parameter> parameters, int cycles);
  void add_registers();
};

}  // namespace tandem::urscript
