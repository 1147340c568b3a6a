// SPDX-License-Identifier: Apache-2.0
#include "tests/urscript/fake_robot.hpp"

#include <algorithm>

namespace tandem::urscript {

FakeRobot::FakeRobot() {
  add_socket_library(builtins, sockets);
  sockets.open_at_once = true;
  const std::vector<Parameter> move = {"q", Parameter("a", 1.4), Parameter("v", 1.05), Parameter("t", 0),
                                       Parameter("r", 0)};
  for (const char* name : {"movej", "movel", "movep"}) add_move(name, move, -1);
  add_move("servoj",
           {"q", Parameter("a", 0), Parameter("v", 0), Parameter("t", 0.002), Parameter("lookahead_time", 0.1),
            Parameter("gain", 300)},
           1);
  add_move("speedj", {"qd", Parameter("a", 40.0), Parameter("t", 0)}, 1);
  add_move("speedl", {"xd", Parameter("a", 40.0), Parameter("t", 0)}, 1);
  add_move("force_mode", {"task_frame", "selection_vector", "wrench", "type", "limits"}, 0);
  for (const char* name : {"stopj", "stopl"}) add_move(name, {Parameter("a", 2.0)}, 2);
  builtins.add("get_joint_positions", {}, [](Call&) -> Outcome { return list_of_numbers({0, 0, 0, 0, 0, 0}); });
  builtins.add("get_target_joint_speeds", {}, [](Call&) -> Outcome { return list_of_numbers({0, 0, 0, 0, 0, 0}); });
  builtins.add("popup",
               {"s", Parameter("title", "Popup"), Parameter("warning", false), Parameter("error", false),
                Parameter("blocking", false)},
               [](Call&) -> Outcome { return Value(None{}); });
  add_registers();
}

void FakeRobot::add_move(const char* name, std::vector<Parameter> parameters, int cycles) {
  builtins.add_waiting(name, std::move(parameters), [this, name, cycles](Call& call) -> Outcome {
    if (!call.resumed()) {
      std::string entry = name;
      for (const Value& argument : call.arguments) entry += " " + to_text(argument);
      log.push_back(std::move(entry));
      call.state = call.cycle.number + static_cast<std::uint64_t>(cycles < 0 ? move_cycles : cycles);
    }
    if (call.cycle.number < std::any_cast<std::uint64_t>(call.state)) return wait;
    return Value(None{});
  });
}

void FakeRobot::add_registers() {
  const auto address = [](const Value& value) { return static_cast<std::size_t>(*integer_of(value)) % 48; };
  builtins.add("read_input_integer_register", {"address"},
               [=, this](Call& call) -> Outcome { return Value(in_int[address(call[0])]); });
  builtins.add("read_input_float_register", {"address"},
               [=, this](Call& call) -> Outcome { return Value(in_float[address(call[0])]); });
  builtins.add("write_output_integer_register", {"address", "value"}, [=, this](Call& call) -> Outcome {
    out_int[address(call[0])] = *integer_of(call[1]);
    return Value(None{});
  });
  builtins.add("write_output_float_register", {"address", "value"}, [=, this](Call& call) -> Outcome {
    out_float[address(call[0])] = *number_of(call[1]);
    return Value(None{});
  });
  builtins.add("write_output_boolean_register", {"address", "value"}, [=, this](Call& call) -> Outcome {
    out_bool[address(call[0])] = *truth_of(call[1]);
    return Value(None{});
  });
}

std::size_t FakeRobot::logged(std::string_view start) const {
  return static_cast<std::size_t>(
      std::count_if(log.begin(), log.end(), [&](const std::string& entry) { return entry.starts_with(start); }));
}

}  // namespace tandem::urscript
