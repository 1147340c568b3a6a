// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/dashboard/dashboard.hpp"
#include "tandem/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace tandem::ur::dashboard {
namespace {

struct Row {
  Verb verb;
  const char* words;
  bool argument;  // something follows
};

// Longer words are before shorter ones that they begin with.
constexpr std::array<Row, 36> rows{{{Verb::load_installation, "load installation", true},
                                    {Verb::load, "load", true},
                                    {Verb::play, "play", false},
                                    {Verb::stop, "stop", false},
                                    {Verb::pause, "pause", false},
                                    {Verb::quit, "quit", false},
                                    {Verb::shutdown, "shutdown", false},
                                    {Verb::running, "running", false},
                                    {Verb::robot_mode, "robotmode", false},
                                    {Verb::loaded_program, "get loaded program", false},
                                    {Verb::popup, "popup", true},
                                    {Verb::close_popup, "close popup", false},
                                    {Verb::add_to_log, "addToLog", true},
                                    {Verb::is_program_saved, "isProgramSaved", false},
                                    {Verb::program_state, "programState", false},
                                    {Verb::polyscope_version, "PolyscopeVersion", false},
                                    {Verb::version, "version", false},
                                    {Verb::write_user_role, "setUserRole", true},
                                    {Verb::read_user_role, "getUserRole", false},
                                    {Verb::write_operational_mode, "set operational mode", true},
                                    {Verb::read_operational_mode, "get operational mode", false},
                                    {Verb::clear_operational_mode, "clear operational mode", false},
                                    {Verb::power_on, "power on", false},
                                    {Verb::power_off, "power off", false},
                                    {Verb::brake_release, "brake release", false},
                                    {Verb::safety_mode, "safetymode", false},
                                    {Verb::safety_status, "safetystatus", false},
                                    {Verb::unlock_protective_stop, "unlock protective stop", false},
                                    {Verb::close_safety_popup, "close safety popup", false},
                                    {Verb::restart_safety, "restart safety", false},
                                    {Verb::is_in_remote_control, "is in remote control", false},
                                    {Verb::serial_number, "get serial number", false},
                                    {Verb::robot_model, "get robot model", false},
                                    {Verb::save_log, "saveLog", false},
                                    {Verb::flight_report, "generate flight report", true},
                                    {Verb::support_file, "generate support file", true}}};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool begins_with(std::string_view line, std::string_view words) {
  return line.size() >= words.size() &&
         std::equal(words.begin(), words.end(), line.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

// Of a path, what is behind the last slash.
std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const char* truth(bool value) { return value ? "true" : "false"; }

}  // namespace

Command parse(std::string_view line) {
  line = trimmed(line);
  for (const Row& row : rows) {
    if (!begins_with(line, row.words)) continue;
    const std::string_view behind = line.substr(std::string_view(row.words).size());
    if (behind.empty()) return {row.verb, {}};
    if (row.argument && (behind.front() == ' ' || behind.front() == '\t'))
      return {row.verb, std::string(trimmed(behind))};
  }
  return {Verb::unknown, std::string(line)};
}

const char* words(Verb verb) {
  const auto found = std::ranges::find(rows, verb, &Row::verb);
  return found != rows.end() ? found->words : "";
}

const char* name(ProgramState state) {
  switch (state) {
    case ProgramState::stopped:
      return "STOPPED";
    case ProgramState::playing:
      return "PLAYING";
    case ProgramState::paused:
      return "PAUSED";
  }
  return "STOPPED";
}

bool only_asks(Verb verb) {
  switch (verb) {
    case Verb::quit:
    case Verb::running:
    case Verb::robot_mode:
    case Verb::loaded_program:
    case Verb::is_program_saved:
    case Verb::program_state:
    case Verb::polyscope_version:
    case Verb::version:
    case Verb::read_user_role:
    case Verb::read_operational_mode:
    case Verb::safety_mode:
    case Verb::safety_status:
    case Verb::is_in_remote_control:
    case Verb::serial_number:
    case Verb::robot_model:
    case Verb::unknown:
      return true;
    default:
      return false;
  }
}

namespace {

std::string told(Verb verb, const View& view) {
  const std::string_view program = file_name(view.loaded_program);
  switch (verb) {
    case Verb::running:
      return fmt::format("Program running: {}", truth(view.program_state == ProgramState::playing));
    case Verb::robot_mode:
      return fmt::format("Robotmode: {}", ur::name(view.robot_mode));
    case Verb::loaded_program:
      return view.loaded_program.empty() ? "No program loaded" : "Loaded program: " + view.loaded_program;
    case Verb::is_program_saved:
      return fmt::format("{} {}", truth(view.program_saved), program.empty() ? "<unnamed>" : program);
    case Verb::program_state:
      return fmt::format("{} {}", name(view.program_state), program.empty() ? "<unnamed>" : program);
    case Verb::polyscope_version:
      return view.polyscope_version;
    case Verb::version:
      return view.version;
    case Verb::read_user_role:
      return view.user_role;
    case Verb::read_operational_mode:
      return view.operational_mode;
    case Verb::safety_mode:
      return fmt::format("Safetymode: {}", ur::name(view.safety_mode));
    case Verb::safety_status:
      return fmt::format("Safetystatus: {}", ur::name(view.safety_mode));
    case Verb::is_in_remote_control:
      return truth(view.remote_control);
    case Verb::serial_number:
      return view.serial_number;
    case Verb::robot_model:
      return view.robot_model;
    default:
      return {};
  }
}

std::string done(const Command& command) {
  switch (command.verb) {
    case Verb::load:
      return "Loading program: " + command.argument;
    case Verb::play:
      return "Starting program";
    case Verb::stop:
      return "Stopped";
    case Verb::pause:
      return "Pausing program";
    case Verb::quit:
      return "Disconnected";
    case Verb::shutdown:
      return "Shutting down";
    case Verb::popup:
      return "showing popup";
    case Verb::close_popup:
      return "closing popup";
    case Verb::add_to_log:
      return "Added log message";
    case Verb::write_user_role:
      return "Setting user role: " + command.argument;
    case Verb::write_operational_mode:
      return fmt::format("Operational mode {} is set", upper(command.argument));
    case Verb::clear_operational_mode:
      return "No longer controlling the operational mode. Current operational mode: NONE";
    case Verb::power_on:
      return "Powering on";
    case Verb::power_off:
      return "Powering off";
    case Verb::brake_release:
      return "Brake releasing";
    case Verb::unlock_protective_stop:
      return "Protective stop releasing";
    case Verb::close_safety_popup:
      return "closing safety popup";
    case Verb::load_installation:
      return "Loading installation: " + command.argument;
    case Verb::restart_safety:
      return "Restarting safety";
    case Verb::save_log:
      return "Log saved to disk";
    case Verb::flight_report:
      return "Flight Report generated with id: " + command.argument;
    case Verb::support_file:
      return "Completed successfully: " + command.argument;
    default:
      return fmt::format("could not understand: '{}'", command.argument);
  }
}

}  // namespace

std::string answer(const Command& command, const View& view) {
  std::string text = told(command.verb, view);
  return text.empty() ? done(command) : text;
}

void DashboardSession::begin(net::Outbox& out) { out.send(as_bytes("Connected: Universal Robots Dashboard Server\n")); }

bool DashboardSession::receive(Bytes bytes, net::Outbox& out) {
  lines_.feed(bytes);
  while (true) {
    const auto line = lines_.next();
    if (!line) return false;
    if (!*line) return true;
    ++completed_;
    const Command command = parse(**line);
    std::optional<std::string> refused;
    if (!only_asks(command.verb)) refused = target_.perform(command);
    out.send(as_bytes((refused ? *refused : answer(command, target_.view())) + '\n'));
    if (command.verb == Verb::quit) return false;
  }
}

}  // namespace tandem::ur::dashboard
