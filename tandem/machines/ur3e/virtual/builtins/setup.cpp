// SPDX-License-Identifier: Apache-2.0
// What a program sets: tool, payload, gravity, force mode, freedrive; and pop-ups, watchdogs and the like.
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

constexpr double most_inertia = 133.0;  // kg m^2, of a payload
constexpr double contact_force = 5.0;   // N against the direction: the tool is in contact

const Value nothing = None{};

Outcome load(Call& call, Controller& controller, const std::string& name, bool has_mass, bool has_centre) {
  double mass = controller.variables.state.payload;
  const auto& cog = controller.variables.state.payload_cog;
  Eigen::Vector3d centre(cog[0], cog[1], cog[2]);
  if (has_mass) {
    const auto given = finite_of(call[0]);
    if (!given) return within(name, given.error());
    if (*given < 0 || *given > 2 * payload_limit)
      return Error{Fault::invalid,
                   fmt::format("{}: expected a mass of 0 to {} kg, got {}", name, 2 * payload_limit, *given)};
    mass = *given;
  }
  const std::size_t place = has_mass ? 1 : 0;
  if (has_centre && !call[place].is_none()) {
    const auto given = vector_of(call[place]);
    if (!given) return within(name, given.error());
    centre = *given;
  }
  controller.payload(mass, centre);
  return Value(nothing);
}

void add_load(Builtins& builtins, Controller& controller) {
  builtins.add("set_payload", {"m", {"cog", nothing}},
               [&controller](Call& call) { return load(call, controller, "set_payload", true, true); });
  builtins.add("set_target_payload", {"m", {"cog", nothing}, {"inertia", nothing}, {"transition_time", 0.0}},
               [&controller](Call& call) -> Outcome {
                 const auto inertia = call[2].is_none() ? Result<Joints>(Joints::Zero()) : joints_of(call[2]);
                 const auto time = number_in(call[3], 0, 60);
                 if (const auto error = first_error(inertia, time)) return *error;
                 if (inertia->cwiseAbs().maxCoeff() > most_inertia || inertia->head<3>().minCoeff() < 0)
                   return Error{Fault::invalid, "inertia: expected at most 133 kg m^2, not negative on the diagonal"};
                 auto loaded = load(call, controller, "set_target_payload", true, true);
                 if (loaded.error() == nullptr) {
                   for (std::size_t i = 0; i < 6; ++i)
                     controller.variables.state.payload_inertia[i] = (*inertia)[static_cast<Eigen::Index>(i)];
                 }
                 return loaded;
               });
  builtins.add("set_payload_mass", {"m"},
               [&controller](Call& call) { return load(call, controller, "set_payload_mass", true, false); });
  builtins.add("set_payload_cog", {"cog"},
               [&controller](Call& call) { return load(call, controller, "set_payload_cog", false, true); });
  builtins.add("set_tcp", {"pose", {"tcp_name", ""}}, [&controller](Call& call) -> Outcome {
    const auto offset = joints_of(call[0]);
    if (!offset) return within("set_tcp", offset.error());
    controller.tcp(*offset);
    return Value(nothing);
  });
  // The arm hangs where it hangs, whatever a program says.
  builtins.add_limited("set_gravity", urscript::Effect::stored, {"d"}, [&controller](Call& call) -> Outcome {
    const auto down = vector_of(call[0]);
    if (!down) return within("set_gravity", down.error());
    controller.variables.state.target_gravity = {down->x(), down->y(), down->z()};
    return Value(nothing);
  });
}

Outcome start_force(Call& call, Controller& controller) {
  const auto frame = transform_of(call[0]);
  const auto selection = joints_of(call[1]);
  const auto wrench = joints_of(call[2]);
  const auto type = urscript::integer_of(call[3]);
  const auto limits = joints_of(call[4]);
  if (!frame) return within("force_mode", frame.error());
  if (!selection) return within("force_mode", selection.error());
  if (!wrench) return within("force_mode", wrench.error());
  if (!type || *type < 1 || *type > 3)
    return Error{Fault::invalid, "force_mode: expected type 1, 2 or 3, got " + urscript::to_text(call[3])};
  if (!limits) return within("force_mode", limits.error());
  ForceTask task;
  task.X_base_task = *frame;
  for (int i = 0; i < 6; ++i) task.compliant[static_cast<std::size_t>(i)] = (*selection)[i] != 0;
  task.wrench = *wrench;
  task.limits = *limits;
  controller.force_mode.start(task);
  return Value(nothing);
}

void add_force(Builtins& builtins, Controller& controller) {
  builtins.add("force_mode", {"task_frame", "selection_vector", "wrench", "type", "limits"},
               [&controller](Call& call) { return start_force(call, controller); });
  const auto end = [&controller](Call&) -> Outcome {
    controller.force_mode.end();
    return Value(nothing);
  };
  builtins.add("end_force_mode", {}, end);
  builtins.add("end_screw_driving", {}, end);
  // A force along the tool's z axis, at limited speed.
  builtins.add("screw_driving", {"f", "v_limit"}, [&controller](Call& call) -> Outcome {
    const auto force = finite_of(call[0]);
    const auto speed = number_in(call[1], 0, 1);
    if (const auto error = first_error(force, speed)) return *error;
    ForceTask task;
    task.X_base_task = controller.tool(controller.motion.position());
    task.compliant[2] = true;
    task.wrench[2] = *force;
    task.limits[2] = *speed;
    controller.force_mode.start(task);
    return Value(nothing);
  });
  const auto number = [&builtins](const char* name, const char* parameter, double most, double& into) {
    builtins.add(name, {parameter}, [name, most, &into](Call& call) -> Outcome {
      const auto value = finite_of(call[0]);
      if (!value) return within(name, value.error());
      if (*value < 0 || *value > most)
        return Error{Fault::invalid, fmt::format("{}: expected 0 to {}, got {}", name, most, *value)};
      into = *value;
      return Value(nothing);
    });
  };
  number("force_mode_set_damping", "damping", 1, controller.force_mode.damping);
  number("force_mode_set_gain_scaling", "scaling", 2, controller.force_mode.gain_scaling);
  builtins.add("zero_ftsensor", {}, [&controller](Call&) -> Outcome {
    controller.body.zero_force();
    return Value(nothing);
  });
  builtins.add("tool_contact", {{"direction", nothing}}, [&controller](Call& call) -> Outcome {
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
    if (!call[0].is_none()) {
      const auto given = joints_of(call[0]);
      if (!given) return within("tool_contact", given.error());
      direction = given->head<3>();
    }
    const Eigen::Vector3d force = controller.body.measured().tool_force.force;
    const double against = direction.norm() > 1e-9 ? -force.dot(direction.normalized()) : force.norm();
    const auto cycles = std::clamp<std::uint64_t>(controller.touched(), 1, history_length - 1);
    return Value(against > contact_force ? static_cast<std::int32_t>(cycles) : 0);
  });
}

void add_guiding(Builtins& builtins, Controller& controller) {
  const auto begin = [&controller](Call&) -> Outcome {
    controller.motion.freedrive(true);
    return Value(nothing);
  };
  const auto end = [&controller](Call&) -> Outcome {
    controller.motion.freedrive(false);
    return Value(nothing);
  };
  builtins.add("freedrive_mode", {{"freeAxes", nothing}, {"feature", nothing}}, begin);
  builtins.add("freedrive_mode_no_incorrect_payload_check", {}, begin);
  builtins.add("teach_mode", {}, begin);
  builtins.add("end_freedrive_mode", {}, end);
  builtins.add("end_teach_mode", {}, end);
}

Outcome show_popup(Call& call, Controller& controller) {
  if (call.resumed()) return controller.popup_open ? Outcome(urscript::wait) : Outcome(Value(nothing));
  const auto blocking = urscript::truth_of(call[4]);
  const auto warning = urscript::truth_of(call[2]);
  const auto error = urscript::truth_of(call[3]);
  if (!blocking) return within("popup", blocking.error());
  if (*blocking && call.secondary)
    return Error{Fault::invalid, "one that blocks takes time, which a secondary program has not"};
  ur::primary::Popup popup;
  popup.text = urscript::to_text(call[0]);
  popup.title = urscript::to_text(call[1]);
  popup.warning = warning && *warning;
  popup.error = error && *error;
  popup.blocking = *blocking;
  controller.say(std::move(popup));
  controller.popup_open = *blocking;
  if (!*blocking) return Value(nothing);
  call.state = true;
  return urscript::wait;
}

}  // namespace

void add_setup(Builtins& builtins, Controller& controller) {
  add_load(builtins, controller);
  add_force(builtins, controller);
  add_guiding(builtins, controller);
  // A secondary program may call both: a pop-up that blocks is its error, and a stop does not hold it up.
  builtins.add("popup", {"s", {"title", "Popup"}, {"warning", false}, {"error", false}, {"blocking", false}},
               [&controller](Call& call) { return show_popup(call, controller); });
  builtins.add("protective_stop", {}, [&controller](Call& call) -> Outcome {
    if (call.resumed()) return Value(nothing);
    controller.protective_stop(stop_codes::asked_by_program, "requested by the program");
    if (call.secondary) return Value(nothing);
    call.state = true;
    return urscript::wait;
  });
  builtins.add("powerdown", {}, [&controller](Call&) -> Outcome {
    controller.power.power_off();
    return Value(nothing);
  });
  builtins.add("rtde_set_watchdog", {"variable_name", "min_frequency", {"action", "pause"}},
               [&controller](Call& call) -> Outcome {
                 const auto variable = urscript::text_of(call[0]);
                 const auto frequency = finite_of(call[1]);
                 const auto action = urscript::text_of(call[2]);
                 if (!variable) return within("rtde_set_watchdog", variable.error());
                 if (!frequency) return within("rtde_set_watchdog", frequency.error());
                 if (!action) return within("rtde_set_watchdog", action.error());
                 auto set = controller.io.watch(*variable, *frequency, *action, controller.now());
                 if (!set) return within("rtde_set_watchdog", set.error());
                 return Value(true);
               });
  builtins.add("set_tool_voltage", {"voltage"}, [&controller](Call& call) -> Outcome {
    const auto voltage = finite_of(call[0]);
    if (!voltage || (*voltage != 0 && *voltage != 12 && *voltage != 24))
      return Error{Fault::invalid, "set_tool_voltage: expected 0, 12 or 24, got " + urscript::to_text(call[0])};
    controller.variables.state.tool_output_voltage = static_cast<std::int32_t>(*voltage);
    return Value(nothing);
  });
}

}  // namespace tandem::ur3e
