#include "tandem/machines/ur3e/virtual_controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "tandem/machines/ur3e/virtual_builtins.hpp"

namespace tandem::ur3e {
namespace {

constexpr std::size_t most_messages = 512;              // that wait to be sent
constexpr double stop_deceleration = 30;                // rad/s^2, of a protective stop
constexpr double end_deceleration = 8;                  // rad/s^2, when a program ends
constexpr double touch_threshold = 3.0;                 // N
constexpr int blow_cycles = 4;                          // that a touch may be harder than allowed
constexpr double far_too_much = 3;                      // times what is allowed
constexpr std::int32_t collision_code = 153;            // C153 and C157: the arm was stopped by an outside force
constexpr std::string_view stop_line = "stop program";  // some clients begin an upload with it

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string words(const Finding& finding) {
  if (finding.kind == Finding::Kind::overload)
    return fmt::format("joint {} is overloaded: {:.1f} N m of {:.1f}", finding.part, finding.value, finding.limit);
  if (finding.joint >= 0)
    return fmt::format("collision: joint {} feels {:.1f} N m from outside, {:.1f} allowed", finding.part, finding.value,
                       finding.limit);
  return fmt::format("collision: {} touches {} with {:.0f} N, {:.0f} allowed", finding.part, finding.other,
                     finding.value, finding.limit);
}

}  // namespace

Joints ready_position() {
  Joints q;
  q << 1, -1, 1, -1, -1, 0;
  return q * (std::numbers::pi / 2);
}

Controller::Controller(const ControllerSetup& setup)
    : power(setup.running, setup.times),
      motion(setup.start),
      programs(builtins_,
               [this](const std::string& name, const urscript::RuntimeError& error) {
                 say(ur::primary::RuntimeException{static_cast<std::int32_t>(error.line),
                                                   static_cast<std::int32_t>(error.column),
                                                   fmt::format("{}: {}", name, error.text)});
               }),
      setup_(setup),
      X_flange_tcp_(setup.X_flange_tcp) {
  body.stand(setup.start);
  payload(hand::mass(), hand::centre());
  history_.fill(setup.start);
  programs.files = setup.files;
  programs.files.try_emplace("empty.urp", "def empty():\nend\n");
  variables.state.target_gravity = {0, 0, gravity};
  variables.state.tool_output_voltage = 24;
  add_robot_library(builtins_, *this);
  report();
}

void Controller::step() {
  ++cycle_;
  power.step(controller_step);
  run_programs();
  move();
  watch_body();
  report();
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
  switch (io.overdue(now())) {
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
  programs.step({cycle_, controller_step}, power.may_move());
  if (was_running_ && !programs.running()) end_program();
  was_running_ = programs.running();
}

// What a program leaves behind.
void Controller::end_program() {
  io.forget_watchdogs();
  sockets.close_all();
  force_mode.end();
  popup_open = false;
  if (!motion.at_rest()) motion.stop(end_deceleration);
}

void Controller::move() {
  Command command;
  command.drive = power.drive();
  if (command.drive == Drive::servo) {
    const bool held = programs.paused() || !power.may_move();
    if (force_mode.active() && !held)
      motion.yield(force_mode.step(controller_step, motion.position(), X_flange_tcp_, tcp_wrench()));
    const bool frozen = held && programs.running();
    motion.step(controller_step, frozen ? 0 : variables.state.target_speed_fraction, body.measured().position);
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
  touched_ = measured.tool_force.force.norm() > touch_threshold ? touched_ + 1 : 0;
  if (!body.cause().empty() && !body_failed_) {
    body_failed_ = true;
    say(ur::primary::ErrorCode{50, 0, 3, 0, 0, "the physics has failed: " + body.cause()});
    power.fault();
  }
  // The first blow of a touch is over before anything could stop: only what lasts, or is far too much, is a collision.
  const Finding& finding = measured.finding;
  troubled_ = finding.kind != Finding::Kind::none ? troubled_ + 1 : 0;
  if (!power.may_move()) return;
  if (troubled_ >= blow_cycles || (troubled_ > 0 && finding.value > far_too_much * finding.limit)) {
    protective_stop(words(measured.finding));
    motion.hold(measured.position);
  } else if (motion.limit_hit()) {
    protective_stop("a joint has come to its limit");
  }
}

void Controller::program(std::string_view text) {
  if (!remote_control) return say(ur::primary::Text{"program ignored: the controller is not in remote control"});
  if (trimmed(text) == stop_line) return programs.stop();
  if (!power.may_move()) {
    const bool secondary = trimmed(text).starts_with("sec ");
    if (!secondary)
      return say(ur::primary::Text{fmt::format("program ignored: robot mode {}, safety mode {}",
                                               ur::name(power.robot_mode()), ur::name(power.safety_mode()))});
  }
  const std::uint64_t before = programs.started();
  programs.start(text);
  if (programs.started() == before) return;
  // The new program starts with a quiet controller; what the old one moved is slowing down.
  end_program();
  was_running_ = true;
}

void Controller::protective_stop(const std::string& why) {
  if (!power.may_move()) return;
  power.protective_stop();
  say(ur::primary::ErrorCode{collision_code, 0, 2, 0, 0, "Protective stop: " + why});
}

void Controller::reboot() {
  programs.stop();
  motion.hold(body.measured().position);
  force_mode.end();
  sockets.close_all();
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
  X_flange_tcp_ = setup_.X_flange_tcp;
  payload(hand::mass(), hand::centre());
  messages.clear();
  cycle_ = 0;
  report();
}

void Controller::tcp(const Pose& X_flange_tcp) { X_flange_tcp_ = X_flange_tcp; }

void Controller::payload(double mass, const Eigen::Vector3d& centre) {
  body.payload({mass, centre});
  variables.state.payload = mass;
  variables.state.payload_cog = {centre.x(), centre.y(), centre.z()};
}

void Controller::say(ur::primary::MessageBody message) {
  if (messages.size() < most_messages) messages.push_back(std::move(message));
}

const Joints& Controller::history(std::size_t steps) const {
  return history_[(cycle_ + history_length - std::min(steps, history_length - 1)) % history_length];
}

}  // namespace tandem::ur3e
