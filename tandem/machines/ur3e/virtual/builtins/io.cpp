// SPDX-License-Identifier: Apache-2.0
// Digital and analogue I/O, and the registers.
#include <fmt/format.h>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {
namespace {

using urscript::Builtins;
using urscript::Call;
using urscript::None;
using urscript::Outcome;
using urscript::Value;

constexpr std::int32_t bit_registers = 128, number_registers = 48;

template <typename T>
Outcome outcome(const std::string& name, Result<T> result) {
  if (!result) return within(name, std::move(result).error());
  return Value(*result);
}

Outcome outcome(const std::string& name, Result<void> result) {
  if (!result) return within(name, result.error());
  return Value(None{});
}

void add_digital(Builtins& builtins, Controller& controller, const std::string& kind, DigitalGroup group) {
  const std::string in = "get_" + kind + "digital_in", out = "get_" + kind + "digital_out";
  const std::string write = "set_" + kind + "digital_out";
  builtins.add(in, {"n"}, [&controller, in, group](Call& call) -> Outcome {
    const auto n = urscript::integer_of(call[0]);
    if (!n) return within(in, n.error());
    return outcome(in, controller.io.digital_input(group, *n));
  });
  builtins.add(out, {"n"}, [&controller, out, group](Call& call) -> Outcome {
    const auto n = urscript::integer_of(call[0]);
    if (!n) return within(out, n.error());
    return outcome(out, controller.io.digital_output(group, *n));
  });
  builtins.add(write, {"n", "b"}, [&controller, write, group](Call& call) -> Outcome {
    const auto n = urscript::integer_of(call[0]);
    const auto on = urscript::truth_of(call[1]);
    if (!n) return within(write, n.error());
    if (!on) return within(write, on.error());
    return outcome(write, controller.io.digital_output(group, *n, *on));
  });
}

void add_analog(Builtins& builtins, Controller& controller) {
  for (const std::string kind : {"standard_", ""}) {
    const std::string in = "get_" + kind + "analog_in", out = "get_" + kind + "analog_out";
    const std::string write = "set_" + kind + "analog_out";
    const bool tool_follows = kind.empty();
    builtins.add(in, {"n"}, [&controller, in, tool_follows](Call& call) -> Outcome {
      const auto n = urscript::integer_of(call[0]);
      if (!n) return within(in, n.error());
      if (tool_follows && (*n == 2 || *n == 3))  // as before there was get_tool_analog_in
        return Value(controller.variables.state.tool_analog_input[static_cast<std::size_t>(*n - 2)]);
      return outcome(in, controller.io.analog_input(*n));
    });
    builtins.add(out, {"n"}, [&controller, out](Call& call) -> Outcome {
      const auto n = urscript::integer_of(call[0]);
      if (!n) return within(out, n.error());
      return outcome(out, controller.io.analog_output_level(*n));
    });
    builtins.add(write, {"n", "f"}, [&controller, write](Call& call) -> Outcome {
      const auto n = urscript::integer_of(call[0]);
      const auto part = finite_of(call[1]);
      if (!n) return within(write, n.error());
      if (!part) return within(write, part.error());
      return outcome(write, controller.io.analog_output(*n, *part));
    });
  }
  builtins.add("set_analog_outputdomain", {"port", "domain"}, [&controller](Call& call) -> Outcome {
    const auto port = urscript::integer_of(call[0]);
    const auto domain = urscript::integer_of(call[1]);
    if (!port) return within("set_analog_outputdomain", port.error());
    if (!domain) return within("set_analog_outputdomain", domain.error());
    return outcome("set_analog_outputdomain", controller.io.analog_output_domain(*port, *domain));
  });
  builtins.add("get_tool_analog_in", {"n"}, [&controller](Call& call) -> Outcome {
    const auto n = urscript::integer_of(call[0]);
    if (!n || *n < 0 || *n > 1) return Error{Fault::invalid, "get_tool_analog_in: expected 0 or 1"};
    return Value(controller.variables.state.tool_analog_input[static_cast<std::size_t>(*n)]);
  });
}

// The place of a register, checked.
Result<std::size_t> place_of(const std::string& name, const Value& value, std::int32_t count) {
  const auto index = urscript::integer_of(value);
  if (!index) return within(name, index.error());
  if (*index < 0 || *index >= count)
    return Error{Fault::invalid, fmt::format("{}: expected a register of 0 to {}, got {}", name, count - 1, *index)};
  return static_cast<std::size_t>(*index);
}

template <typename Read>
void add_reader(Builtins& builtins, const std::string& name, std::int32_t count, Read read) {
  builtins.add(name, {"address"}, [name, count, read](Call& call) -> Outcome {
    const auto place = place_of(name, call[0], count);
    if (!place) return place.error();
    return Value(read(*place));
  });
}

void add_register_readers(Builtins& builtins, Controller& controller) {
  ur::Variables& v = controller.variables;
  add_reader(builtins, "read_input_boolean_register", bit_registers,
             [&v](std::size_t i) { return ur::input_bit(v.inputs, i); });
  add_reader(builtins, "read_output_boolean_register", bit_registers,
             [&v](std::size_t i) { return ur::output_bit(v.state, i); });
  add_reader(builtins, "read_input_integer_register", number_registers,
             [&v](std::size_t i) { return v.inputs.input_int_register[i]; });
  add_reader(builtins, "read_output_integer_register", number_registers,
             [&v](std::size_t i) { return v.state.output_int_register[i]; });
  add_reader(builtins, "read_input_float_register", number_registers,
             [&v](std::size_t i) { return v.inputs.input_double_register[i]; });
  add_reader(builtins, "read_output_float_register", number_registers,
             [&v](std::size_t i) { return v.state.output_double_register[i]; });
}

void add_register_writers(Builtins& builtins, Controller& controller) {
  ur::ControllerState& state = controller.variables.state;
  builtins.add("write_output_boolean_register", {"address", "value"}, [&state](Call& call) -> Outcome {
    const auto place = place_of("write_output_boolean_register", call[0], bit_registers);
    const auto value = urscript::truth_of(call[1]);
    if (!place) return place.error();
    if (!value) return within("write_output_boolean_register", value.error());
    ur::write_output_bit(state, *place, *value);
    return Value(None{});
  });
  builtins.add("write_output_integer_register", {"address", "value"}, [&state](Call& call) -> Outcome {
    const auto place = place_of("write_output_integer_register", call[0], number_registers);
    const auto value = urscript::integer_of(call[1]);
    if (!place) return place.error();
    if (!value) return within("write_output_integer_register", value.error());
    state.output_int_register[*place] = *value;
    return Value(None{});
  });
  builtins.add("write_output_float_register", {"address", "value"}, [&state](Call& call) -> Outcome {
    const auto place = place_of("write_output_float_register", call[0], number_registers);
    const auto value = urscript::number_of(call[1]);
    if (!place) return place.error();
    if (!value) return within("write_output_float_register", value.error());
    state.output_double_register[*place] = *value;
    return Value(None{});
  });
}

}  // namespace

void add_io(Builtins& builtins, Controller& controller) {
  add_digital(builtins, controller, "standard_", standard_bits);
  add_digital(builtins, controller, "configurable_", configurable_bits);
  add_digital(builtins, controller, "tool_", tool_bits);
  add_digital(builtins, controller, "", old_bits);
  builtins.add_written_array("digital_out", "set_digital_out");
  add_analog(builtins, controller);
  add_register_readers(builtins, controller);
  add_register_writers(builtins, controller);
}

}  // namespace tandem::ur3e
