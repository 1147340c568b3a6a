// Commands to the virtual autopilot, and what becomes of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "tandem/machines/orca/virtual_autopilot.hpp"
#include "tandem/machines/orca/virtual_faults.hpp"
#include "tandem/machines/orca/virtual_parameters.hpp"
#include "tandem/protocols/mavlink/messages/control.hpp"

namespace tandem::orca {
namespace {

using mavlink::CommandRequest;
using mavlink::CommandResult;

// MAV_CMD numbers that the protocol's own list does not hold.
constexpr std::uint16_t do_loiter = 17, do_land = 21, do_yaw = 115, do_speed = 178, do_home = 179, do_calibrate = 241,
                        do_reboot = 246, do_mission = 300, ask_home = 410, ask_interval = 510, ask_version = 520;
constexpr double force_word = 21196;

// Whole numbers of a message id; -1 for what is none.
std::int64_t message_number(double parameter) {
  if (!(parameter >= 0 && parameter < 16777216) || parameter != std::floor(parameter)) return -1;
  return static_cast<std::int64_t>(parameter);
}

CommandResult accepted_if(bool good, CommandResult otherwise) { return good ? CommandResult::accepted : otherwise; }

}  // namespace

void Autopilot::act(const CommandRequest& request, std::size_t link, Instant now) {
  mavlink::Outlet& outlet = *links_[link].outlet;
  VehicleFaults* const faults = options_.faults;
  if (faults != nullptr && faults->progress_for_ever != 0)
    return commands_.acknowledge(request, CommandResult::in_progress, outlet, 10);
  const CommandResult result = obey(request, link, now);
  if (faults != nullptr && faults->due(VehicleFaults::no_acknowledgement)) return;
  commands_.acknowledge(request, result, outlet);
}

// Commands that only want to be told something; none for the others.
std::optional<CommandResult> Autopilot::show(const CommandRequest& request, std::size_t link, Instant now) {
  const auto& p = request.params;
  mavlink::Outlet& outlet = *links_[link].outlet;
  StreamSchedule& streams = links_[link].streams;
  switch (request.command) {
    case mavlink::command::message_interval: {
      const std::int64_t id = message_number(p[0]);
      return accepted_if(id >= 0 && streams.interval(static_cast<std::uint32_t>(id), p[1], now), CommandResult::denied);
    }
    case ask_interval: {
      const std::int64_t id = message_number(p[0]);
      if (id < 0 || id > 0xffff) return CommandResult::denied;
      const auto interval = streams.interval(static_cast<std::uint32_t>(id));
      const std::int32_t told = !interval ? 0 : *interval == 0 ? -1 : *interval;  // 0: no such message; -1: not sent
      outlet.send(mavlink::MessageInterval{.message_id = static_cast<std::uint16_t>(id), .interval_us = told});
      return CommandResult::accepted;
    }
    case mavlink::command::request_message: {
      const std::int64_t id = message_number(p[0]);
      return accepted_if(id >= 0 && send_message(static_cast<std::uint32_t>(id), outlet), CommandResult::failed);
    }
    case ask_version:
      send_version(outlet);
      return CommandResult::accepted;
    case ask_home:
      return accepted_if(send_home(outlet), CommandResult::failed);
    default:
      return std::nullopt;
  }
}

CommandResult Autopilot::obey(const CommandRequest& request, std::size_t link, Instant now) {
  if (const auto shown = show(request, link, now)) return *shown;
  const auto& p = request.params;
  switch (request.command) {
    case mavlink::command::arm:
      if (p[0] != 0 && p[0] != 1) return CommandResult::unsupported;
      return arm(p[0] == 1, p[1] == force_word);
    case mavlink::command::do_mode:
      if ((static_cast<int>(p[0]) & mavlink::base_mode::custom) == 0) return CommandResult::denied;
      return change_mode(p[1]);
    case mavlink::command::ekf_source_set:
      return choose_sources(p[0]);
    case do_home:
      return place_home(request);
    case do_mission:
      return change_mode(static_cast<double>(Mode::automatic));
    case do_loiter:
      return change_mode(static_cast<double>(Mode::poshold));
    case do_land:
      return change_mode(static_cast<double>(Mode::surface));
    case do_yaw:
      return turn_to(request);
    case do_speed:
      if (!(p[1] > 0 && p[1] <= 20)) return CommandResult::denied;
      parameters_.assign("WPNAV_SPEED", p[1] * 100);
      refresh_settings();
      return CommandResult::accepted;
    case do_calibrate:
      return accepted_if(!pilot_.armed(), CommandResult::failed);
    case do_reboot:
      if (p[0] != 1 || pilot_.armed()) return CommandResult::denied;
      restart_wanted_ = true;
      return CommandResult::accepted;
    default:
      return CommandResult::unsupported;
  }
}

CommandResult Autopilot::change_mode(double number) {
  const auto mode = mode_from(number);
  if (!mode) return CommandResult::failed;
  const std::string_view refusal = pilot_.change(*mode, estimator_.estimate());
  if (refusal.empty()) return CommandResult::accepted;
  char text[96];
  const auto end = fmt::format_to_n(text, std::size(text), "Mode change to {} failed: {}", mode_name(*mode), refusal);
  say(mavlink::severity::warning, {text, std::min(end.size, std::size(text))});
  return CommandResult::failed;
}

CommandResult Autopilot::arm(bool wanted, bool by_force) {
  if (!wanted) {
    disarm();
    return CommandResult::accepted;
  }
  std::string_view refusal;
  if (!by_force) {
    if (failsafe_.leaking()) refusal = "Leak detected";
    if (failsafe_.battery_low()) refusal = "Battery 1 low voltage failsafe";
  }
  if (refusal.empty()) {
    const bool was_armed = pilot_.armed();
    refusal = pilot_.arm(estimator_.estimate(), by_force);
    if (refusal.empty() && !was_armed) say(mavlink::severity::info, "Arming motors");
  }
  if (refusal.empty()) return CommandResult::accepted;
  char text[96];
  const auto end = fmt::format_to_n(text, std::size(text), "Arm: {}", refusal);
  say(mavlink::severity::critical, {text, std::min(end.size, std::size(text))});
  return CommandResult::failed;
}

CommandResult Autopilot::choose_sources(double number) {
  if (!(number >= 1 && number <= 3) || !estimator_.source_set(static_cast<int>(number))) return CommandResult::denied;
  char text[48];
  const auto end = fmt::format_to_n(text, std::size(text), "Using EKF Source Set {}", static_cast<int>(number));
  say(mavlink::severity::notice, {text, end.size});
  return CommandResult::accepted;
}

// Here (p1 = 1) or at latitude, longitude and altitude.
CommandResult Autopilot::place_home(const CommandRequest& request) {
  if (!origin_) return CommandResult::failed;
  const auto& p = request.params;
  if (p[0] == 1) {
    if (!estimator_.estimate().position_good) return CommandResult::failed;
    home_ = global_from_ned(*origin_, estimator_.estimate().position);
  } else {
    const double scale = request.frame ? 1 : 1e7;  // COMMAND_INT has whole numbers
    const double latitude = p[4] * scale, longitude = p[5] * scale;
    if (!(std::abs(latitude) <= 90e7 && std::abs(longitude) <= 180e7) || !std::isfinite(p[6]))
      return CommandResult::denied;
    home_ = GlobalPlace{static_cast<std::int32_t>(latitude), static_cast<std::int32_t>(longitude), p[6]};
  }
  load_mission();
  for (std::size_t i = 0; i < link_count_; ++i) send_home(*links_[i].outlet);
  return CommandResult::accepted;
}

// p1 degrees, p4 = 1: from where it looks now, p3 = -1 to the left. Only in GUIDED.
CommandResult Autopilot::turn_to(const CommandRequest& request) {
  const auto& p = request.params;
  if (pilot_.mode() != Mode::guided || !std::isfinite(p[0]) || std::abs(p[0]) > 360) return CommandResult::failed;
  const double asked = p[0] * std::numbers::pi / 180;
  GuidedTarget target;
  target.position = pilot_.destination().value_or(estimator_.estimate().position);
  target.yaw = p[3] == 1 ? pilot_.heading() + (p[2] < 0 ? -asked : asked) : asked;
  return accepted_if(pilot_.guide(target, estimator_.estimate()), CommandResult::failed);
}

}  // namespace tandem::orca
