// SPDX-License-Identifier: Apache-2.0
// The dashboard: one line asks, one line answers. Commands as values and the answers that a controller gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ur/framer.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur::dashboard {

constexpr std::uint16_t tcp_port = 29999;
constexpr std::size_t longest_line = 4096;  // characters

enum class Verb : std::uint8_t {
  load,
  play,
  stop,
  pause,
  quit,
  shutdown,
  running,
  robot_mode,
  loaded_program,
  popup,
  close_popup,
  add_to_log,
  is_program_saved,
  program_state,
  polyscope_version,
  version,
  write_user_role,
  read_user_role,
  write_operational_mode,
  read_operational_mode,
  clear_operational_mode,
  power_on,
  power_off,
  brake_release,
  safety_mode,
  safety_status,
  unlock_protective_stop,
  close_safety_popup,
  load_installation,
  restart_safety,
  is_in_remote_control,
  serial_number,
  robot_model,
  save_log,
  flight_report,
  support_file,
  unknown,
};

struct Command {
  Verb verb = Verb::unknown;
  std::string argument;  // "box.urp"; of an unknown command, all of it
};

// Total: every line is a command, if only an unknown one. Letters may be large or small.
Command parse(std::string_view line);
// The words of a command as a client sends them: "brake release".
const char* words(Verb verb);

enum class ProgramState : std::uint8_t { stopped, playing, paused };
const char* name(ProgramState state);  // "STOPPED"

// What answers are made of.
struct View {
  RobotMode robot_mode = RobotMode::power_off;
  SafetyMode safety_mode = SafetyMode::normal;
  ProgramState program_state = ProgramState::stopped;
  std::string loaded_program;  // "/programs/box.urp"; empty: none
  bool program_saved = true;
  bool remote_control = true;
  std::string user_role = "PROGRAMMER";
  std::string operational_mode = "NONE";  // NONE, MANUAL, AUTOMATIC
  std::string polyscope_version = "URSoftware 5.11.1.108318 (May 25 2021)";
  std::string version = "5.11.1.108318";
  std::string serial_number = "20213501234";
  std::string robot_model = "UR3";
};

// The answer to a command that was done, or that only asks. Without the line end.
std::string answer(const Command& command, const View& view);

// Anyone who has the robot.
class Target {
 public:
  virtual ~Target() = default;
  // Does it, or says in the dashboard's words why not ("File not found: box.urp"). Not called for what only asks.
  virtual std::optional<std::string> perform(const Command& command) = 0;
  virtual View view() const = 0;
};

bool only_asks(Verb verb);

class DashboardSession final : public net::Session {
 public:
  explicit DashboardSession(Target& target) : target_(target), lines_(longest_line) {}

  void begin(net::Outbox& out) override;
  bool receive(Bytes bytes, net::Outbox& out) override;
  Progress progress() const override { return {completed_, lines_.partial()}; }

 private:
  Target& target_;
  LineFramer lines_;
  std::uint64_t completed_ = 0;
};

}  // namespace tandem::ur::dashboard
