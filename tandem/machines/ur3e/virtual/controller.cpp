// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/controller.hpp"
#include "tandem/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"

namespace tandem::ur3e {
namespace {

constexpr std::size_t most_messages = 512;  // that wait to be sent
constexpr double stop_deceleration = 30;    // rad/s^2, of a protective stop
constexpr double end_deceleration = 8;      // rad/s^2, when a program ends
constexpr double still_speed = 1e-3;        // m/s
constexpr double touch_threshold = 3.0;     // N
constexpr int blow_cycles = 4;              // that a touch may be harder than allowed
constexpr int yielding_cycles = 50;         // the same, of an arm that brakes, is at rest or moves away
constexpr double far_too_much = 6;          // times what is allowed: the first blow at 100 mm/s is four times
constexpr std::int32_t warning_level = 2;   // of an error code

std::int32_t code_of(const Finding& finding) {
  if (finding.kind == Finding::Kind::overload) return stop_codes::overload;
  return finding.joint >= 0 ? stop_codes::joint_collision : stop_codes::collision;
}

// What a controller calls a change of the main program.
const char* title(Programs::Event event) {
  switch (event) {
    case Programs::Event::started:
      return "PROGRAM_XXX_STARTED";
    case Programs::Event::paused:
      return "PROGRAM_XXX_PAUSED";
    case Programs::Event::stopped:
      return "PROGRAM_XXX_STOPPED";
  }
  return "";
}

// Errors that a controller reports with fixed words stay as they are: clients compare them.
std::string named(const std::string& program, const std::string& error) {
  return error.starts_with("compile_error_") ? error : fmt::format("{}: {}", program, error);
}

std::string words(const Finding& finding) {
  if (finding.kind == Finding::Kind::overload)
    return fmt::format("joint {} is overloaded: {:.1f} N m of {:.1f}", finding.part, finding.value, finding.limit);
  if (finding.joint >= 0)
    return fmt::format("collision: external torque of {1:.1f} N m on joint {0} (limit {2:.1f})", finding.part,
                       finding.value, finding.limit);
  return fmt::format("collision: {} touches {} with {:.0f} N (limit {:.0f})", finding.part, finding.other,
                     finding.value, finding.limit);
}

}  // namespace

Joints ready_position() {
  Joints q;
  q << 1, -1, 1, -1, -1, 0;
  return q * (std::numbers::pi / 2);
}

Controller::Controller(const ControllerSetup& setup)
    : body(setup.model),
      power(setup.running, setup.times),
      motion(setup.start),
      programs(
          builtins_,
          [this](const std::string& name, const urscript::RuntimeError& error) {
            program_failed_ = true;
            say(ur::primary::RuntimeException{static_cast<std::int32_t>(error.line),
                                              static_cast<std::int32_t>(error.column), named(name, error.text)});
          },
          [this](Programs::Event event, const std::string& name) {
            say(ur::primary::KeyMessage{0, 0, title(event), name});
          }),
      setup_(setup),
      X_flange_tcp_(setup.X_flange_tcp),
      tcp_offset_(kinematics::ur::vector_from_pose(setup.X_flange_tcp)) {
  body.stand(setup.start);
  own_payload();
  history_.fill(setup.start);
  programs.warn = [this](const std::string& text) { say(ur::primary::Text{text}); };
  remote_control = setup.remote_control;
  programs.files = setup.files;
  programs.broken_files = setup.broken_files;
  sockets.allow(setup.script_sockets);
  sockets.client = [this] { return programs.client(); };
  sockets.refused = [this](const std::string& why) { say(ur::primary::Text{why}); };
  programs.files.try_emplace("empty.urp", "def empty():\nend\n");
  variables.state.target_gravity = {0, 0, gravity};
  variables.state.tool_output_voltage = 24;
  add_robot_library(builtins_, *this);
  statements.abort = [this] { abort_waits_ = true; };
  report();
}

void Controller::step() {
  ++cycle_;
  power.step(controller_step);
  run_programs();
  move();
  watch_body();
  report();
  report_safety();
  watch_deviation();
}

void Controller::run_programs() {
  const bool stopped = power.stopped();
  if (stopped && !stopped_) {
    programs.stop();
    force_mode.end();
    motion.stop(stop_deceleration);
    io.forget_watchdogs();
  }
  stopped_ = stopped;
  // A watchdog guards the main program; without one there is nothing to pause or to stop.
  switch (programs.running() ? io.overdue(now()) : Io::Action::ignore) {
    case Io::Action::stop:
      say(ur::primary::Text{"RTDE watchdog: the client no longer writes, program stopped"});
      programs.stop();
      break;
    case Io::Action::pause:
      programs.pause();
      break;
    case Io::Action::ignore:
      break;
  }
  if (power.safety_mode() == ur::SafetyMode::safeguard_stop) programs.pause();
  program_failed_ = false;
  const bool steps = programs.running() && !programs.paused() && power.may_move();
  if (steps) statements.step(*programs.main());
  abort_asked_ = steps && std::exchange(abort_waits_, false);
  if (steps) safety_stopped_ = false;
  if (programs.running() && !power.may_move()) safety_stopped_ = true;
  programs.step({cycle_, controller_step}, power.may_move());
  const bool ended = was_running_ && !programs.running();
  settings.step(programs.running(), program_failed_ || stopped || safety_stopped_, power.powered());
  if (ended) end_program();
  was_running_ = programs.running();
}

// A main program that was started since takes the place of the last one.
void Controller::begin_program(std::uint64_t started_before) {
  if (programs.started() == started_before) return;
  if (was_running_) settings.step(false, safety_stopped_, power.powered());
  // The new program starts with a quiet controller; what the old one moved is slowing down.
  end_program();
  was_running_ = true;
}

// What a program leaves behind.
void Controller::end_program() {
  io.forget_watchdogs();
  sockets.close_all();
  force_mode.end();
  path_offset.disable();
  statements.reset();
  abort_waits_ = abort_asked_ = safety_stopped_ = false;
  popup_open = false;
  error_pauses.clear();
  // Also at rest: a speed or a servo target that a pause or the slider holds would go on later.
  motion.absorb_added();
  motion.stop(power.may_move() ? end_deceleration : stop_deceleration);
}

// Inputs with the action "freedrive".
void Controller::guide() {
  // One that was high during a stop has to be released: nothing becomes slack by an unlock or a brake release.
  const bool asked = settings.freedrive_asked();
  input_released_ = !asked || (input_released_ && power.may_move());
  const bool guided = asked && input_released_ && !programs.running();
  if (guided && !guided_) motion.freedrive(true);
  // The start of a program has ended it already; what that program does is its own.
  if (!guided && guided_ && !programs.running()) motion.freedrive(false);
  guided_ = guided;
}

// What acts beside paths and speeds; it belongs to a main program, even when a secondary one has asked for it.
void Controller::yield() {
  if (!programs.running()) {
    force_mode.end();
    path_offset.disable();
  }
  // Where a hand or a torque has brought the arm, it stays.
  if (motion.drive() != Drive::servo) path_offset.clear();
  motion.keep_added(path_offset.enabled());
  if (force_mode.active()) {
    motion.yield(force_mode.step(controller_step, motion.position(), X_flange_tcp_, tcp_wrench(), held()));
  } else if (path_offset.enabled()) {
    motion.yield(held() ? path_offset.brake(controller_step)
                        : path_offset.step(controller_step, motion.planned(), motion.position(),
                                           motion.planned_velocity(), X_flange_tcp_));
  }
}

void Controller::move() {
  Command command;
  command.drive = power.drive();
  // Torque and freedrive have no rate that could hold them.
  if (held() && motion.drive() != Drive::servo) motion.stop(power.may_move() ? end_deceleration : stop_deceleration);
  guide();
  yield();
  if (command.drive == Drive::servo) {
    // A stop that is under way does not depend on the rate.
    motion.step(controller_step, held() ? 0 : variables.state.target_speed_fraction, body.measured().position);
    command.drive = motion.drive();
    command.position = motion.position();
    command.velocity = motion.velocity();
    command.torque = motion.torque();
  } else {
    motion.hold(body.measured().position);
  }
  hand.step(controller_step, body.measured().gripper, power.powered());
  command.gripper = hand.command();
  body.step(command);
  history_[cycle_ % history_length] = body.measured().position;
}

void Controller::watch_body() {
  const Measured& measured = body.measured();
  const bool moves = motion.velocity().cwiseAbs().maxCoeff() > 1e-6 || measured.velocity.cwiseAbs().maxCoeff() > 0.01;
  still_ = moves ? 0 : still_ + 1;
  touched_ = measured.tool_force.force.norm() > touch_threshold ? touched_ + 1 : 0;
  if (!body.cause().empty() && !body_failed_) {
    body_failed_ = true;
    say(ur::primary::ErrorCode{50, 0, 3, 0, 0, "physics error: " + body.cause()});
    power.fault();
  }
  // The first blow of a touch is over before anything could stop, and a program that has felt it needs time to brake
  // and to go back: only what lasts, or is far too much, is a collision.
  const Finding& finding = measured.finding;
  // An arm that is unlocked while it still touches has as much time to go away as one that brakes.
  troubled_ = finding.kind != Finding::Kind::none && power.may_move() ? troubled_ + 1 : 0;
  if (!power.may_move()) return;
  const int patience = presses_on() ? blow_cycles : yielding_cycles;
  if (troubled_ >= patience || (troubled_ > 0 && finding.value > far_too_much * finding.limit)) {
    protective_stop(code_of(finding), words(finding));
    motion.freeze_at(measured.position);
    force_mode.rest();
    path_offset.rest();
  } else if (motion.limit_hit()) {
    protective_stop(stop_codes::joint_limit, "a joint reached its limit");
  }
}

void Controller::watch_deviation() {
  if (!settings.deviation_threshold) return;
  const double ratio = variables.state.joint_position_deviation_ratio;
  const bool deviates = ratio > *settings.deviation_threshold;
  if (deviates && !deviates_)
    say(ur::primary::Text{fmt::format("position deviation: {:.0f} % of the limit", 100 * ratio)});
  deviates_ = deviates;
}

void Controller::statement(std::string_view line, const urscript::InterpreterMode::Answers& answers,
                           std::uint32_t client) {
  using urscript::InterpreterMode;
  if (!remote_control) return InterpreterMode::discard(answers, "the controller is in local control", trimmed(line));
  // A statement acts for the program's client, whose address its sockets may reach.
  if (programs.running() && client != programs.main_client())
    return InterpreterMode::discard(answers, "the program belongs to another client", trimmed(line));
  statements.receive(line, programs.main(), answers);
}

// Whether the arm goes on against what it touches; always, unless that is the tool.
bool Controller::presses_on() const {
  const Eigen::Vector3d force = body.measured().tool_force.force;
  if (force.norm() < touch_threshold) return true;
  if (motion.braking()) return false;
  const Twist6 twist =
      kinematics::ur::jacobian(arm_model, motion.position(), X_flange_tcp_.translation()) * motion.velocity();
  return twist.head<3>().dot(force) < -still_speed * force.norm();
}

void Controller::program(std::string_view text, std::uint32_t client) {
  if (!remote_control) return ignore_script();
  if (const auto word = controller_word(text)) return obey(*word);
  if (!power.may_move()) {
    const bool secondary = trimmed(text).starts_with("sec ");
    if (!secondary)
      return say(ur::primary::Text{fmt::format("program ignored: robot mode {}, safety mode {}",
                                               ur::name(power.robot_mode()), ur::name(power.safety_mode()))});
  }
  const std::uint64_t before = programs.started();
  programs.start(text, client);
  begin_program(before);
}

bool Controller::play(std::uint32_t client) {
  const std::uint64_t before = programs.started();
  if (!power.may_move() || !programs.play(client)) return false;
  begin_program(before);
  return true;
}

void Controller::obey(const ControllerWord& word) {
  const auto answer = [this](const Power::Refusal& refused) {
    if (refused) say(ur::primary::Text{*refused});
  };
  switch (word.word) {
    case Word::power_on:
      return answer(power.power_on());
    case Word::power_off:
      return power.power_off();
    case Word::run:
      motion.freedrive(false);
      return answer(power.brake_release());
    case Word::freedrive:
      if (!power.may_move() || programs.running())
        return say(ur::primary::Text{"freedrive refused: expected a robot that is running and no program"});
      return motion.freedrive(true);
    case Word::unlock:
      return power.unlock();
    case Word::stop:
      return programs.stop();
    case Word::pause:
      return programs.pause();
    case Word::resume:
      if (power.may_move()) programs.resume();
      return;
    case Word::speed:
      variables.state.target_speed_fraction = word.number;
      return;
    case Word::simulation:
    case Word::real:
      return say(ur::primary::Text{"this robot is always simulated"});
  }
}

void Controller::ignore_script() {
  say(ur::primary::ErrorCode{stop_codes::read_only_script, 0, warning_level, 0, 0,
                             "script ignored: the controller is in local control, or the port only reads"});
}

void Controller::protective_stop(std::int32_t code, const std::string& why) {
  if (!power.may_move()) return;
  power.protective_stop();
  programs.pause();
  motion.freeze(stop_deceleration);
  say(ur::primary::ErrorCode{code, 0, warning_level, 0, 0, "Protective stop: " + why});
}

void Controller::report_safety() {
  if (power.safety_mode() == sent_safety_) return;
  sent_safety_ = power.safety_mode();
  say(ur::primary::SafetyModeChange{0, 0, static_cast<std::uint8_t>(sent_safety_), 0, 0});
}

void Controller::reboot() {
  programs.stop();
  end_program();
  was_running_ = guided_ = input_released_ = deviates_ = false;
  motion.hold(body.measured().position);
  force_mode = ForceMode();
  path_offset = PathOffset();
  settings.reset();
  power = Power(false, setup_.times);
  hand = Hand();
  const ur::ControllerInputs inputs;
  variables.inputs = inputs;
  variables.state.output_bit_registers = {};
  variables.state.output_bit_register = {};
  variables.state.output_int_register = {};
  variables.state.output_double_register = {};
  variables.state.actual_digital_output_bits = 0;
  variables.state.target_speed_fraction = 1;
  tcp(kinematics::ur::vector_from_pose(setup_.X_flange_tcp));
  own_payload();
  messages.clear();
  cycle_ = 0;
  report();
}

// What really hangs on the flange at the start.
void Controller::own_payload() {
  if (has_gripper()) return payload(hand::mass(), hand::centre());
  payload(0, Eigen::Vector3d::Zero());
}

void Controller::tcp(const Twist6& offset) {
  tcp_offset_ = offset;
  X_flange_tcp_ = kinematics::ur::pose_from_vector(offset);
}

void Controller::payload(double mass, const Eigen::Vector3d& centre) {
  body.payload({mass, centre});
  variables.state.payload = mass;
  variables.state.payload_cog = {centre.x(), centre.y(), centre.z()};
}

void Controller::say(ur::primary::MessageBody message) {
  if (const auto* error = std::get_if<ur::primary::ErrorCode>(&message); error != nullptr && pauses_on(*error))
    programs.pause();
  if (messages.size() < most_messages) messages.push_back(std::move(message));
}

bool Controller::pauses_on(const ur::primary::ErrorCode& error) const {
  return std::ranges::any_of(error_pauses, [&](const ErrorPause& pause) {
    return pause.code == error.code && pause.argument.value_or(error.argument) == error.argument;
  });
}

const Joints& Controller::history(std::size_t steps) const {
  return history_[(cycle_ + history_length - std::min(steps, history_length - 1)) % history_length];
}

}  // namespace tandem::ur3e
