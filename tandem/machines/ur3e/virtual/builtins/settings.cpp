// SPDX-License-Identifier: Apache-2.0
// Flags, Modbus ports, encoders, actions of inputs, outputs that follow the program, tool connector, and the time.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {
namespace {

using urscript::Builtins;
using urscript::Call;
using urscript::None;
using urscript::Outcome;
using urscript::Value;

constexpr std::int32_t most_code = 100'000;
constexpr std::size_t most_error_pauses = 100;

Outcome done(Result<void> result = {}) { return result ? Outcome(Value(None{})) : Outcome(result.error()); }

void add_flags_and_ports(Builtins& builtins, Controller& controller) {
  Settings& settings = controller.settings;
  builtins.add("get_flag", {"n"}, [&settings](Call& call) -> Outcome {
    const auto n = integer_in(call[0], 0, 31);
    if (!n) return n.error();
    return Value(settings.flags[static_cast<std::size_t>(*n)]);
  });
  builtins.add("set_flag", {"n", "b"}, [&settings](Call& call) -> Outcome {
    const auto n = integer_in(call[0], 0, 31);
    const auto on = urscript::truth_of(call[1]);
    if (const auto error = first_error(n, on)) return *error;
    settings.flags[static_cast<std::size_t>(*n)] = *on;
    return done();
  });
  builtins.add("read_port_bit", {"address"}, [&settings](Call& call) -> Outcome {
    const auto address = urscript::integer_of(call[0]);
    if (!address) return address.error();
    const auto bit = settings.port_bit(*address);
    return bit ? Outcome(Value(*bit)) : Outcome(bit.error());
  });
  builtins.add("read_port_register", {"address"}, [&settings](Call& call) -> Outcome {
    const auto address = urscript::integer_of(call[0]);
    if (!address) return address.error();
    const auto word = settings.port_register(*address);
    return word ? Outcome(Value(*word)) : Outcome(word.error());
  });
  builtins.add("write_port_bit", {"address", "value"}, [&settings](Call& call) -> Outcome {
    const auto address = urscript::integer_of(call[0]);
    const auto on = urscript::truth_of(call[1]);
    if (const auto error = first_error(address, on)) return *error;
    return done(settings.port_bit(*address, *on));
  });
  builtins.add("write_port_register", {"address", "value"}, [&settings](Call& call) -> Outcome {
    const auto address = urscript::integer_of(call[0]);
    const auto value = urscript::integer_of(call[1]);
    if (const auto error = first_error(address, value)) return *error;
    return done(settings.port_register(*address, *value));
  });
}

void add_runstate(Builtins& builtins, Controller& controller, const char* kind, Settings::Output output) {
  const std::int32_t last_state = output == Settings::Output::tool ? 5 : 7;
  builtins.add(fmt::format("set_runstate_{}_output_to_value", kind), {"outputId", "state"},
               [&controller, output, last_state](Call& call) -> Outcome {
                 const auto index = integer_in(call[0], 0, Settings::count(output) - 1);
                 const auto state = integer_in(call[1], 0, last_state);
                 if (const auto error = first_error(index, state)) return *error;
                 controller.settings.runstate(output, *index, static_cast<Runstate>(*state));
                 return done();
               });
}

Result<bool> is_freedrive(const Value& value) {
  const auto action = urscript::text_of(value);
  if (!action) return action.error();
  if (*action == "freedrive") return true;
  if (*action == "default") return false;
  return Error{Fault::invalid, fmt::format("expected \"default\" or \"freedrive\", got \"{}\"", action->substr(0, 64))};
}

void add_input_actions(Builtins& builtins, Controller& controller) {
  Settings& settings = controller.settings;
  const auto digital = [&](const char* name, DigitalGroup group) {
    builtins.add(name, {"port", "action"}, [&settings, group](Call& call) -> Outcome {
      const auto port = integer_in(call[0], 0, group.count - 1);
      const auto freedrive = is_freedrive(call[1]);
      if (const auto error = first_error(port, freedrive)) return *error;
      const std::uint64_t bit = std::uint64_t{1} << (group.first + static_cast<std::uint32_t>(*port));
      settings.freedrive_inputs = *freedrive ? settings.freedrive_inputs | bit : settings.freedrive_inputs & ~bit;
      return done();
    });
  };
  digital("set_standard_digital_input_action", standard_bits);
  digital("set_configurable_digital_input_action", configurable_bits);
  digital("set_tool_digital_input_action", tool_bits);
  builtins.add("set_gp_boolean_input_action", {"port", "action"}, [&settings](Call& call) -> Outcome {
    const auto port = integer_in(call[0], 0, 127);
    const auto freedrive = is_freedrive(call[1]);
    if (const auto error = first_error(port, freedrive)) return *error;
    settings.freedrive_registers[static_cast<std::size_t>(*port)] = *freedrive;
    return done();
  });
  builtins.add("set_input_actions_to_default", {}, [&settings](Call&) -> Outcome {
    settings.freedrive_inputs = 0;
    settings.freedrive_registers.reset();
    return done();
  });
}

struct Range {
  std::int64_t least, most;
};
constexpr std::array<Range, 5> encoder_ranges{
    {{INT32_MIN, INT32_MAX}, {0, 255}, {0, 65535}, {0, 16777215}, {0, 4294967295}}};

Outcome store_ticks(Controller& controller, std::size_t index, const Value& value) {
  const Encoder& encoder = controller.settings.encoder(index);
  if (!encoder.range)
    return Error{Fault::invalid, "expected an encoder that encoder_enable_set_tick_count has enabled"};
  const Range range = encoder_ranges[static_cast<std::size_t>(*encoder.range)];
  const auto ticks = number_in(value, static_cast<double>(range.least), static_cast<double>(range.most));
  if (!ticks) return ticks.error();
  controller.settings.encoder_ticks(index, std::llround(*ticks));
  return done();
}

Outcome unwound(const Encoder& encoder, double delta) {
  if (!encoder.range) return Value(None{});
  const Range range = encoder_ranges[static_cast<std::size_t>(*encoder.range)];
  const double whole = static_cast<double>(range.most - range.least) + 1;
  if (delta > whole / 2) return Value(delta - whole);
  if (delta < -whole / 2) return Value(delta + whole);
  return Value(delta);
}

void add_encoders(Builtins& builtins, Controller& controller) {
  Settings& settings = controller.settings;
  // No pulses come here: an encoder that decodes them stays where it is.
  const auto decode = [&settings](std::int32_t index, const Value& type, const Value& a, const Value& b,
                                  std::int32_t first_pin) -> Outcome {
    const auto decoder = integer_in(type, 0, 4);
    const auto pin_a = integer_in(a, first_pin, first_pin + 3);
    const auto pin_b = b.is_none() ? Result<std::int32_t>(first_pin) : integer_in(b, first_pin, first_pin + 3);
    if (const auto error = first_error(decoder, pin_a, pin_b)) return *error;
    settings.encoder(static_cast<std::size_t>(index)).range = *decoder == 0 ? std::nullopt : std::optional<int>(2);
    return done();
  };
  builtins.add("encoder_enable_pulse_decode", {"encoder_index", "decoder_type", "A", {"B", None{}}},
               [decode](Call& call) -> Outcome {
                 const auto index = integer_in(call[0], 0, 1);
                 return index ? decode(*index, call[1], call[2], call[3], 8) : Outcome(index.error());
               });
  builtins.add("conveyor_pulse_decode", {"type", "A", {"B", None{}}},
               [decode](Call& call) { return decode(0, call[0], call[1], call[2], 0); });
  builtins.add("encoder_enable_set_tick_count", {"encoder_index", "range_id"}, [&settings](Call& call) -> Outcome {
    const auto index = integer_in(call[0], 0, 1);
    const auto range = integer_in(call[1], 0, 4);
    if (const auto error = first_error(index, range)) return *error;
    settings.encoder(static_cast<std::size_t>(*index)).range = *range;
    return done();
  });
  builtins.add("encoder_set_tick_count", {"encoder_index", "count"}, [&controller](Call& call) -> Outcome {
    const auto index = integer_in(call[0], 0, 1);
    return index ? store_ticks(controller, static_cast<std::size_t>(*index), call[1]) : Outcome(index.error());
  });
  builtins.add("set_conveyor_tick_count", {"tick_count", {"absolute_encoder_resolution", 0}},
               [&controller](Call& call) -> Outcome {
                 const auto range = integer_in(call[1], 0, 4);
                 if (!range) return range.error();
                 controller.settings.encoder(0).range = *range;
                 return store_ticks(controller, 0, call[0]);
               });
  builtins.add("encoder_get_tick_count", {"encoder_index", {"opt", ""}}, [&settings](Call& call) -> Outcome {
    const auto index = integer_in(call[0], 0, 1);
    const auto option = urscript::text_of(call[1]);
    if (const auto error = first_error(index, option)) return *error;
    if (!option->empty() && *option != "raw") return Error{Fault::invalid, "opt: expected \"\" or \"raw\""};
    const std::int64_t ticks = settings.encoder(static_cast<std::size_t>(*index)).ticks;
    if (*option == "raw") return Value(static_cast<std::int32_t>(static_cast<std::uint32_t>(ticks & 0xffffffff)));
    return Value(static_cast<double>(ticks));
  });
  builtins.add("get_conveyor_tick_count", {},
               [&settings](Call&) -> Outcome { return Value(static_cast<double>(settings.encoder(0).ticks)); });
  builtins.add("encoder_unwind_delta_tick_count", {"encoder_index", "delta_tick_count"},
               [&settings](Call& call) -> Outcome {
                 const auto index = integer_in(call[0], 0, 1);
                 const auto delta = finite_of(call[1]);
                 if (const auto error = first_error(index, delta)) return *error;
                 return unwound(settings.encoder(static_cast<std::size_t>(*index)), *delta);
               });
}

void add_domains(Builtins& builtins, Controller& controller) {
  ur::ControllerState& state = controller.variables.state;
  const auto choose = [](std::uint32_t& types, std::int32_t port, bool voltage) {
    const std::uint32_t bit = std::uint32_t{1} << port;
    types = voltage ? types | bit : types & ~bit;
  };
  const auto domain = [&](const char* name, std::uint32_t& types) {
    builtins.add(name, {"port", "domain"}, [&types, choose](Call& call) -> Outcome {
      const auto port = integer_in(call[0], 0, 1);
      const auto voltage = integer_in(call[1], 0, 1);
      if (const auto error = first_error(port, voltage)) return *error;
      choose(types, *port, *voltage == 1);
      return done();
    });
  };
  domain("set_standard_analog_input_domain", state.analog_io_types);
  domain("set_tool_analog_input_domain", state.tool_analog_input_types);
  // Controller 0 and 1: 0 or 2 is a voltage; tool 2 and 3: 0 or 1 is a voltage, 2 a current.
  builtins.add("set_analog_inputrange", {"port", "range"}, [&state, choose](Call& call) -> Outcome {
    const auto port = integer_in(call[0], 0, 3);
    const auto range = integer_in(call[1], 0, 2);
    if (const auto error = first_error(port, range)) return *error;
    if (*port < 2 && *range == 1) return Error{Fault::invalid, "range: expected 0 or 2 for a controller input, got 1"};
    if (*port < 2) {
      choose(state.analog_io_types, *port, true);
    } else {
      choose(state.tool_analog_input_types, *port - 2, *range != 2);
    }
    return done();
  });
}

void add_tool(Builtins& builtins, Controller& controller) {
  ur::ControllerState& state = controller.variables.state;
  builtins.add("set_tool_output_mode", {"mode"}, [&state](Call& call) -> Outcome {
    const auto mode = integer_in(call[0], 0, 1);
    if (!mode) return mode.error();
    state.tool_output_mode = static_cast<std::uint8_t>(*mode);
    return done();
  });
  builtins.add("set_tool_digital_output_mode", {"n", "mode"}, [&state](Call& call) -> Outcome {
    const auto n = integer_in(call[0], 0, 1);
    const auto mode = integer_in(call[1], 1, 3);
    if (const auto error = first_error(n, mode)) return *error;
    (*n == 0 ? state.tool_digital_output0_mode : state.tool_digital_output1_mode) = static_cast<std::uint8_t>(*mode);
    return done();
  });
}

Outcome time(Call& call, const Controller& controller) {
  const auto mode = urscript::integer_of(call[0]);
  if (!mode) return mode.error();
  std::chrono::nanoseconds now{};
  if (*mode == 0) {
    now = std::chrono::nanoseconds(std::llround((controller.now() - first_timestamp) * 1e9));
  } else if (*mode == 2) {
    now = system_clock().utc().time_since_epoch();  // of this computer, whatever the device's clock: it is UTC
  } else {
    return Error{Fault::invalid, fmt::format("expected 0 (controller) or 2 (system), got {}", *mode)};
  }
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now);
  return Value::make_struct({{"sec", Value(static_cast<std::int32_t>(seconds.count()))},
                             {"nanosec", Value(static_cast<std::int32_t>((now - seconds).count()))}});
}

}  // namespace

void add_settings(Builtins& builtins, Controller& controller) {
  add_flags_and_ports(builtins, controller);
  add_runstate(builtins, controller, "standard_digital", Settings::Output::standard);
  add_runstate(builtins, controller, "configurable_digital", Settings::Output::configurable);
  add_runstate(builtins, controller, "tool_digital", Settings::Output::tool);
  add_runstate(builtins, controller, "gp_boolean", Settings::Output::boolean_register);
  add_runstate(builtins, controller, "standard_analog", Settings::Output::analog);
  add_input_actions(builtins, controller);
  add_encoders(builtins, controller);
  add_domains(builtins, controller);
  add_tool(builtins, controller);
  builtins.add("time", {{"mode", 0}}, [&controller](Call& call) { return time(call, controller); });
  builtins.add("position_deviation_warning", {"enabled", {"threshold", 0.8}}, [&controller](Call& call) -> Outcome {
    const auto enabled = urscript::truth_of(call[0]);
    const auto threshold = number_in(call[1], 0, 1);
    if (const auto error = first_error(enabled, threshold)) return *error;
    controller.settings.deviation_threshold = *enabled ? std::optional(*threshold) : std::nullopt;
    return done();
  });
  builtins.add("pause_on_error_code", {"code", {"argument", None{}}}, [&controller](Call& call) -> Outcome {
    const auto code = integer_in(call[0], 0, most_code);
    const auto argument = call[1].is_none() ? Result<std::int32_t>(0) : integer_in(call[1], 0, most_code);
    if (const auto error = first_error(code, argument)) return *error;
    if (controller.error_pauses.size() >= most_error_pauses)
      return Error{Fault::busy, fmt::format("expected at most {} error codes", most_error_pauses)};
    controller.error_pauses.push_back({*code, call[1].is_none() ? std::nullopt : std::optional(*argument)});
    return done();
  });
  builtins.add_waiting("pause", {}, [&controller](Call& call) -> Outcome {
    if (call.resumed()) return done();
    controller.programs.pause();
    call.state = true;
    return urscript::wait;
  });
}

}  // namespace tandem::ur3e
