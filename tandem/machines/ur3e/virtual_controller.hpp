// The virtual UR controller without its sockets: body, power, motion, programs and I/O, one 2 ms cycle at a time.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/ur3e/virtual_body.hpp"
#include "tandem/machines/ur3e/virtual_force.hpp"
#include "tandem/machines/ur3e/virtual_hand.hpp"
#include "tandem/machines/ur3e/virtual_io.hpp"
#include "tandem/machines/ur3e/virtual_motion.hpp"
#include "tandem/machines/ur3e/virtual_power.hpp"
#include "tandem/machines/ur3e/virtual_programs.hpp"
#include "tandem/machines/ur3e/virtual_sockets.hpp"
#include "tandem/protocols/ur/primary.hpp"

namespace tandem::ur3e {

inline constexpr double controller_step = 0.002;     // s
inline constexpr double first_timestamp = 100.0;     // s: clients take less for a controller that boots
inline constexpr std::size_t history_length = 1000;  // cycles of joint positions that are remembered

// Above the cubes on the table, tool straight down.
Joints ready_position();

struct ControllerSetup {
  bool running = true;  // powered and brakes released from the start
  PowerTimes times;
  Joints start = ready_position();
  Pose X_flange_tcp = Pose::Identity();
  std::map<std::string, std::string, std::less<>> files;  // "box.urp" and its program
};

class Controller {
 public:
  explicit Controller(const ControllerSetup& setup);
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // One cycle of everything; `variables` then hold the new state.
  void step();

  // A whole program from one of the script ports.
  void program(std::string_view text);
  // A client has written to `variables.inputs`.
  void inputs_written(const ur::Recipe& recipe) { io.written(recipe, now()); }

  // A stop with a reason: on ports 30001 and 30002 and in the safety mode.
  void protective_stop(const std::string& why);
  // Everything as after switching the controller on; the scene stays.
  void reboot();
  void tcp(const Pose& X_flange_tcp);
  void payload(double mass, const Eigen::Vector3d& centre);
  void say(ur::primary::MessageBody message);

  double now() const { return first_timestamp + controller_step * static_cast<double>(cycle_); }
  std::uint64_t cycle() const { return cycle_; }
  const Pose& X_flange_tcp() const { return X_flange_tcp_; }
  Pose tool(const Joints& q) const { return kinematics::ur::forward(arm_model, q) * X_flange_tcp_; }
  Wrench tcp_wrench() const;  // on the tool from outside, at the TCP, base axes
  const Joints& history(std::size_t steps) const;
  // For how many cycles something has been touching the tool.
  std::uint64_t touched() const { return touched_; }

  ur::Variables variables;
  Body body;
  Power power;
  Motion motion;
  ForceMode force_mode;
  Io io{variables};
  Hand hand;
  ScriptSockets sockets;
  bool remote_control = true;
  bool popup_open = false;
  bool timestamp_frozen = false;
  std::vector<ur::primary::MessageBody> messages;  // not yet sent

 private:
  void run_programs();
  void end_program();
  void move();
  void watch_body();
  void report();
  void report_modes();
  void report_tool(const Measured& measured);

  urscript::Builtins builtins_;

 public:
  Programs programs;

 private:
  ControllerSetup setup_;
  Pose X_flange_tcp_;
  std::uint64_t cycle_ = 0;
  std::uint64_t touched_ = 0;
  int troubled_ = 0;  // cycles with a finding
  std::array<Joints, history_length> history_;
  bool stopped_ = false;      // power or safety had stopped everything in the last cycle
  bool was_running_ = false;  // a main program
  bool body_failed_ = false;
};

}  // namespace tandem::ur3e
