// SPDX-License-Identifier: Apache-2.0
// The virtual UR controller without its sockets: body, power, motion, programs and I/O, one 2 ms cycle at a time.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tandem/machines/ur3e/virtual/hand.hpp"
#include "tandem/machines/ur3e/virtual/io.hpp"
#include "tandem/machines/ur3e/virtual/motion/force.hpp"
#include "tandem/machines/ur3e/virtual/motion/motion.hpp"
#include "tandem/machines/ur3e/virtual/motion/path_offset.hpp"
#include "tandem/machines/ur3e/virtual/ports/words.hpp"
#include "tandem/machines/ur3e/virtual/power.hpp"
#include "tandem/machines/ur3e/virtual/programs/programs.hpp"
#include "tandem/machines/ur3e/virtual/programs/sockets.hpp"
#include "tandem/machines/ur3e/virtual/settings.hpp"
#include "tandem/protocols/ur/primary/primary.hpp"
#include "tandem/urscript/run/interpreter_mode.hpp"

namespace tandem::ur3e {

inline constexpr double controller_step = 0.002;     // s
inline constexpr double first_timestamp = 100.0;     // s: clients take less for a controller that boots
inline constexpr std::size_t history_length = 1000;  // cycles of joint positions that are remembered

// Error codes of protective stops, as a controller shows them: "C157".
namespace stop_codes {
inline constexpr std::int32_t joint_limit = 150;       // a position close to joint limits
inline constexpr std::int32_t singularity = 154;       // the tool cannot follow its path any further
inline constexpr std::int32_t overload = 155;          // the arm cannot keep its position
inline constexpr std::int32_t joint_collision = 157;   // noticed by a joint
inline constexpr std::int32_t collision = 158;         // noticed elsewhere
inline constexpr std::int32_t asked_by_program = 209;  // protective_stop()
inline constexpr std::int32_t read_only_script = 210;  // no stop: script for a connection that only reads
}  // namespace stop_codes

// Above the cubes on the table, tool straight down.
Joints ready_position();

struct ControllerSetup {
  bool running = true;  // powered and brakes released from the start
  PowerTimes times;
  Joints start = ready_position();
  Pose X_flange_tcp = Pose::Identity();
  ModelOptions model;
  bool remote_control = true;                             // as a pendant in remote control; else in local control
  std::string script_sockets = "client";                  // where socket_open may go, as ScriptSockets
  std::map<std::string, std::string, std::less<>> files;  // "box.urp" and its program
  std::map<std::string, std::string, std::less<>> broken_files;  // "lid.urp" and why it cannot be loaded
};

class Controller {
 public:
  explicit Controller(const ControllerSetup& setup);
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // One cycle of everything; `variables` then hold the new state.
  void step();

  // A whole program, or a line with one of the controller's words, from one of the script ports and this client.
  void program(std::string_view text, std::uint32_t client = loopback);
  // Goes on with the program that is paused, or starts the file that is loaded; false: it cannot.
  bool play(std::uint32_t client = loopback);
  // A line from the port of the interpreter mode; taken in remote control, from the client of the main program.
  void statement(std::string_view line, const urscript::InterpreterMode::Answers& answers,
                 std::uint32_t client = loopback);
  // A client has written to `variables.inputs`.
  void inputs_written(const ur::Recipe& recipe) { io.written(recipe, now()); }

  // A stop with a reason: on ports 30001 and 30002 and in the safety mode. The program is paused; it goes on with
  // play or `resume program` once the stop is unlocked, never by itself.
  void protective_stop(std::int32_t code, const std::string& why);
  // Script that came on a connection which only reads; it is ignored.
  void ignore_script();
  // Everything as after switching the controller on; the scene stays.
  void reboot();
  void tcp(const Twist6& offset);  // x, y, z (m) and a rotation vector (rad), which clients read back as it is
  void payload(double mass, const Eigen::Vector3d& centre);
  void say(ur::primary::MessageBody message);

  double now() const { return first_timestamp + controller_step * static_cast<double>(cycle_); }
  std::uint64_t cycle() const { return cycle_; }
  bool has_gripper() const { return setup_.model.gripper; }
  const Pose& X_flange_tcp() const { return X_flange_tcp_; }
  const Twist6& tcp_offset() const { return tcp_offset_; }
  Pose tool(const Joints& q) const { return kinematics::ur::forward(arm_model, q) * X_flange_tcp_; }
  Wrench tcp_wrench() const;  // on the tool from outside, at the TCP, base axes
  const Joints& history(std::size_t steps) const;
  // The move that is under way is to end in this cycle.
  bool abort_asked() const { return abort_asked_; }
  // For how many cycles something has been touching the tool.
  std::uint64_t touched() const { return touched_; }
  // For how many cycles the arm has been standing with zero target velocity.
  std::uint64_t still() const { return still_; }

  ur::Variables variables;
  Body body;
  Power power;
  Motion motion;
  ForceMode force_mode;
  Io io{variables};
  Settings settings{variables, io};
  PathOffset path_offset;
  Hand hand;
  ScriptSockets sockets;
  bool remote_control = true;
  bool popup_open = false;
  bool timestamp_frozen = false;
  // Errors that pause the main program besides being reported, until it ends.
  struct ErrorPause {
    std::int32_t code = 0;
    std::optional<std::int32_t> argument;  // none: any
  };
  std::vector<ErrorPause> error_pauses;
  std::vector<ur::primary::MessageBody> messages;  // not yet sent

 private:
  void obey(const ControllerWord& word);
  void own_payload();
  void run_programs();
  void begin_program(std::uint64_t started_before);
  void end_program();
  void guide();
  void yield();
  void move();
  void watch_body();
  void watch_deviation();
  bool presses_on() const;
  bool held() const { return programs.paused() || !power.may_move(); }  // nothing moves
  bool pauses_on(const ur::primary::ErrorCode& error) const;
  void report();
  void report_modes();
  void report_safety();
  void report_tool(const Measured& measured);

  urscript::Builtins builtins_;

 public:
  Programs programs;
  urscript::InterpreterMode statements{builtins_};

 private:
  ControllerSetup setup_;
  Pose X_flange_tcp_;
  Twist6 tcp_offset_;  // the same, as it was set
  std::uint64_t cycle_ = 0;
  std::uint64_t touched_ = 0;
  std::uint64_t still_ = 0;
  int troubled_ = 0;  // cycles with a finding
  std::array<Joints, history_length> history_;
  bool abort_waits_ = false;     // for the next cycle of the main program
  bool abort_asked_ = false;     // in this cycle
  bool safety_stopped_ = false;  // the main program has not gone on since
  bool guided_ = false;          // by an input with the action "freedrive"
  bool input_released_ = false;  // such an input was low since the arm may move
  bool deviates_ = false;        // more than the program wants to be warned of
  bool program_failed_ = false;  // in this cycle
  bool stopped_ = false;         // power or safety had stopped everything in the last cycle
  bool was_running_ = false;     // a main program
  bool body_failed_ = false;
  ur::SafetyMode sent_safety_ = ur::SafetyMode::normal;  // the last that clients were sent
};

}  // namespace tandem::ur3e
