// SPDX-License-Identifier: Apache-2.0
// What saved programs and drivers call and what has no meaning for a virtual arm: arguments are checked, the first call
// of each is logged, and that is all.
#include <fmt/format.h>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {
namespace {

using urscript::Builtins;
using urscript::Call;
using urscript::None;
using urscript::Outcome;
using urscript::Parameter;
using urscript::Value;

const Value omitted = None{};

// What an argument must be.
struct Check {
  enum class Kind : std::uint8_t { any, truth, integer, number, text, list, joints, vector } kind = Kind::any;
  double least = -1e9, most = 1e9;
};
constexpr Check any{}, truth{Check::Kind::truth}, number{Check::Kind::number}, text{Check::Kind::text},
    list{Check::Kind::list}, joints{Check::Kind::joints}, vector{Check::Kind::vector};
constexpr Check integer(double least, double most) { return {Check::Kind::integer, least, most}; }

std::optional<Error> wrong(const Value& value, const Check& check) {
  if (value.is_none()) return std::nullopt;  // left out
  switch (check.kind) {
    case Check::Kind::any:
      return std::nullopt;
    case Check::Kind::truth:
      return first_error(urscript::truth_of(value));
    case Check::Kind::integer:
      return first_error(
          integer_in(value, static_cast<std::int32_t>(check.least), static_cast<std::int32_t>(check.most)));
    case Check::Kind::number:
      return first_error(number_in(value, check.least, check.most));
    case Check::Kind::text:
      return first_error(urscript::text_of(value));
    case Check::Kind::list:
      if (value.list() != nullptr) return std::nullopt;
      return Error{Fault::invalid, "expected a list, got " + urscript::to_text(value)};
    case Check::Kind::joints:
      return first_error(joints_of(value));
    case Check::Kind::vector:
      return first_error(vector_of(value));
  }
  return std::nullopt;
}

struct Argument {
  Parameter parameter;
  Check check;
};

void accept(Builtins& builtins, Controller& controller, const char* name, std::vector<Argument> arguments) {
  std::vector<Parameter> parameters;
  std::vector<Check> checks;
  for (Argument& argument : arguments) {
    parameters.push_back(std::move(argument.parameter));
    checks.push_back(argument.check);
  }
  builtins.add_limited(name, urscript::Effect::none, std::move(parameters),
                       [&controller, name, checks, said = false](Call& call) mutable -> Outcome {
                         for (std::size_t i = 0; i < checks.size(); ++i) {
                           if (auto error = wrong(call[i], checks[i])) return *std::move(error);
                         }
                         if (!said)
                           controller.say(ur::primary::Text{
                               fmt::format("{}: accepted, it has no effect on this virtual controller", name)});
                         said = true;
                         return Value(omitted);
                       });
}

void accept_sensor(Builtins& builtins, Controller& controller, const char* name) {
  accept(builtins, controller, name,
         {{"enable", truth},
          {{"sensor_mass", 0.0}, number},
          {{"sensor_measuring_offset", omitted}, vector},
          {{"sensor_cog", omitted}, vector}});
}

void accept_modbus(Builtins& builtins, Controller& controller) {
  accept(builtins, controller, "modbus_set_signal_update_frequency",
         {{"signal_name", text}, {"update_frequency", integer(-1, 500)}});
  accept(builtins, controller, "modbus_set_runstate_dependent_choice",
         {{"signal_name", text}, {"runstate_choice", integer(0, 5)}});
  accept(builtins, controller, "modbus_set_digital_input_action", {{"signal_name", text}, {"action", text}});
  accept(builtins, controller, "modbus_set_signal_watchdog",
         {{"signal_name", text}, {"new_timeout_in_sec", {Check::Kind::number, 0, 300}}});
  accept(builtins, controller, "modbus_request_update_signal_value", {{"signal_name", text}});
  accept(builtins, controller, "modbus_reset_connection", {{"connection_id", text}, {{"is_blocking", true}, truth}});
  accept(builtins, controller, "modbus_send_custom_command",
         {{"IP", text}, {"slave_number", integer(0, 255)}, {"function_code", integer(0, 255)}, {"data", any}});
}

void accept_conveyor(Builtins& builtins, Controller& controller) {
  accept(builtins, controller, "track_conveyor_linear",
         {{"direction", joints}, {"ticks_per_meter", number}, {{"encoder_index", 0}, integer(0, 1)}});
  accept(builtins, controller, "track_conveyor_circular",
         {{"center", joints},
          {"ticks_per_revolution", number},
          {{"rotate_tool", false}, any},
          {{"encoder_index", 0}, integer(0, 1)}});
  accept(builtins, controller, "stop_conveyor_tracking", {{{"a", 20.0}, number}});
}

}  // namespace

void add_accepted(Builtins& builtins, Controller& controller) {
  accept_sensor(builtins, controller, "enable_external_ft_sensor");
  accept_sensor(builtins, controller, "ft_rtde_input_enable");
  accept_modbus(builtins, controller);
  accept_conveyor(builtins, controller);
  accept(builtins, controller, "set_tool_communication",
         {{"enabled", truth},
          {{"baud_rate", 115200}, integer(9600, 5000000)},
          {{"parity", 0}, integer(0, 2)},
          {{"stop_bits", 1}, integer(1, 2)},
          {{"rx_idle_chars", 1.5}, {Check::Kind::number, 1, 40}},
          {{"tx_idle_chars", 3.5}, {Check::Kind::number, 0, 40}}});
  accept(builtins, controller, "set_safety_mode_transition_hardness", {{"type", integer(0, 1)}});
  accept(builtins, controller, "set_runstate_outputs", {{"outputs", list}});  // of the first controllers; python-urx
  accept(builtins, controller, "reset_revolution_counter", {{{"qNear", omitted}, joints}});
  // It would put the arm elsewhere at once. A controller does so in simulation only, and this one behaves as a real
  // robot does, with something around it that the arm would be put into.
  builtins.add_limited("set_pos", urscript::Effect::refused, {"q"}, [](Call& call) -> Outcome {
    const auto q = joints_of(call[0]);
    if (!q) return q.error();
    return Error{Fault::invalid, "expected a simulated robot, got a real one; use movej"};
  });
  accept(builtins, controller, "set_base_acceleration", {{"a", vector}});
  accept(builtins, controller, "high_holding_torque_disable", {});
  accept(builtins, controller, "high_holding_torque_enable", {});
  accept(builtins, controller, "set_baselight_off", {});
  accept(builtins, controller, "set_baselight_iec", {});
  accept(builtins, controller, "set_baselight_solid",
         {{"r", integer(0, 255)}, {"g", integer(0, 255)}, {"b", integer(0, 255)}});
  accept(builtins, controller, "tool_wrench_limit_set",
         {{"frame_offset", joints},
          {{"Fx", omitted}, number},
          {{"Fy", omitted}, number},
          {{"Fz", omitted}, number},
          {{"Mx", omitted}, number},
          {{"My", omitted}, number},
          {{"Mz", omitted}, number}});
  accept(builtins, controller, "tool_wrench_limit_disable", {});
  builtins.add("get_base_acceleration", {}, [](Call&) -> Outcome {
    return urscript::list_of_numbers({0.0, 0.0, 0.0});
  });
}

}  // namespace tandem::ur3e
