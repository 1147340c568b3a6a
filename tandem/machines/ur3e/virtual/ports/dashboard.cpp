// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/ports/dashboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace tandem::ur3e {
namespace {

using ur::dashboard::Verb;

constexpr std::string_view programs_folder = "/programs/";
constexpr std::array<std::string_view, 5> user_roles{"PROGRAMMER", "OPERATOR", "NONE", "LOCKED", "RESTRICTED"};

constexpr const char* in_local_control =
    "Command is not allowed due to safety reasons, please switch robot to Remote Control mode and reconnect to port "
    "29999";

bool needs_remote_control(Verb verb) {
  switch (verb) {
    case Verb::load:
    case Verb::load_installation:
    case Verb::play:
    case Verb::stop:
    case Verb::pause:
    case Verb::shutdown:
    case Verb::power_on:
    case Verb::power_off:
    case Verb::brake_release:
    case Verb::unlock_protective_stop:
    case Verb::restart_safety:
      return true;
    default:
      return false;
  }
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::optional<std::string> Dashboard::perform(const ur::dashboard::Command& command, std::uint32_t client) {
  if (!controller_.remote_control && needs_remote_control(command.verb)) return in_local_control;
  Power& power = controller_.power;
  switch (command.verb) {
    case Verb::load:
      if (auto refused = controller_.programs.load(command.argument)) {
        const std::string_view path = command.argument;
        const auto why = controller_.programs.broken_files.find(path.substr(path.rfind('/') + 1));
        if (why != controller_.programs.broken_files.end())
          controller_.say(ur::primary::Text{fmt::format("{}: {}", why->first, why->second)});
        return refused;
      }
      return std::nullopt;
    case Verb::play:
      return play(client);
    case Verb::stop:
      controller_.programs.stop();
      return std::nullopt;
    case Verb::pause:
      if (!controller_.programs.running()) return "Failed to execute: pause";
      controller_.programs.pause();
      return std::nullopt;
    case Verb::shutdown:
    case Verb::power_off:
      power.power_off();
      return std::nullopt;
    case Verb::power_on:
      return power.power_on();
    case Verb::brake_release:
      return power.brake_release();
    case Verb::unlock_protective_stop:
      return power.unlock_protective_stop();
    case Verb::restart_safety:
      return power.restart_safety();
    case Verb::popup:
      controller_.popup_open = true;
      return std::nullopt;
    case Verb::close_popup:
      controller_.popup_open = false;
      return std::nullopt;
    case Verb::add_to_log:
      controller_.say(ur::primary::Text{command.argument});
      return std::nullopt;
    case Verb::write_user_role: {
      const std::string role = upper(command.argument);
      if (std::ranges::find(user_roles, role) == user_roles.end())
        return "Failed setting user role: " + command.argument;
      user_role_ = role;
      return std::nullopt;
    }
    case Verb::write_operational_mode: {
      const std::string mode = upper(command.argument);
      if (mode != "MANUAL" && mode != "AUTOMATIC") return "Failed setting operational mode: " + command.argument;
      operational_mode_ = mode;
      return std::nullopt;
    }
    case Verb::clear_operational_mode:
      operational_mode_ = "NONE";
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::string> Dashboard::play(std::uint32_t client) {
  if (!controller_.play(client)) return "Failed to execute: play";
  return std::nullopt;
}

std::optional<std::string> DashboardClient::Target::perform(const ur::dashboard::Command& command) {
  if (!remote_ && needs_remote_control(command.verb)) return in_local_control;
  return dashboard_.perform(command, client_);
}

ur::dashboard::View Dashboard::view() const {
  ur::dashboard::View view;
  view.robot_mode = controller_.power.robot_mode();
  view.safety_mode = controller_.power.safety_mode();
  using ur::dashboard::ProgramState;
  view.program_state = controller_.programs.paused() ? ProgramState::paused : ProgramState::playing;
  if (!controller_.programs.running()) view.program_state = ProgramState::stopped;
  if (const std::string& loaded = controller_.programs.loaded(); !loaded.empty())
    view.loaded_program = std::string(programs_folder) + loaded;
  view.remote_control = controller_.remote_control;
  view.user_role = user_role_;
  view.operational_mode = operational_mode_;
  const auto& v = software_version;
  view.version = fmt::format("{}.{}.{}.{}", v.major, v.minor, v.bugfix, v.build);
  view.polyscope_version = fmt::format("URSoftware {} ({})", view.version, software_date);
  view.serial_number = serial_number;
  return view;
}

}  // namespace tandem::ur3e
