// SPDX-License-Identifier: Apache-2.0
// Commands to the virtual autopilot, and what becomes of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "tandem/base/short_text.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"
#include "tandem/machines/orca/virtual/faults.hpp"
#include "tandem/protocols/mavlink/messages/control.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::orca {
namespace {

using mavlink::CommandRequest;
using mavlink::CommandResult;

// MAV_CMD numbers that the protocol's own list does not hold.
constexpr std::uint16_t do_loiter = 17, do_land = 21, do_yaw = 115, do_speed = 178, do_home = 179, do_relay = 181,
                        do_servo = 183, do_terminate = 185, do_reposition = 192, do_look_at = 195, do_look_ahead = 197,
                        do_look = 201, do_test = 209, do_choose = 224, do_calibrate = 241, do_store = 245,
                        do_reboot = 246, do_mission = 300, do_check = 401, ask_home = 410, ask_interval = 510,
                        ask_version = 520, do_banner = 42428, do_refill = 42651;
constexpr double force_word = 21196, old_force_word = 2989;

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

// Commands that only request a message; none for the others.
std::optional<CommandResult> Autopilot::show(const CommandRequest& request, std::size_t link, Instant now) {
  const auto& p = request.params;
  mavlink::Outlet& outlet = *links_[link].outlet;
  StreamSchedule& streams = links_[link].streams;
  switch (request.command) {
    case mavlink::command::message_interval: {
      const std::int64_t id = message_number(p[0]);
      const bool here = !(std::isfinite(p[2]) && p[2] != 0);  // and not at some other address
      return accepted_if(here && id >= 0 && streams.interval(static_cast<std::uint32_t>(id), p[1], now),
                         CommandResult::denied);
    }
    case ask_interval:
      return report_interval(p[0], link);
    case mavlink::command::request_message: {
      const std::int64_t id = message_number(p[0]);
      if (id == mavlink::MessageInterval::wire_id) return report_interval(p[1], link);
      if (id < 0 || !is_streamed(static_cast<std::uint32_t>(id))) return CommandResult::failed;
      send_message(static_cast<std::uint32_t>(id), outlet);
      return CommandResult::accepted;
    }
    case ask_version:
      if (p[0] != 1) return CommandResult::failed;
      send_version(outlet);
      return CommandResult::accepted;
    case ask_home:
      if (!send_home(outlet)) return CommandResult::failed;
      send_message(mavlink::GpsGlobalOrigin::wire_id, outlet);
      return CommandResult::accepted;
    case do_banner:
      send_banner(outlet);
      return CommandResult::accepted;
    default:
      return std::nullopt;
  }
}

// 0: no such message; -1: not sent.
CommandResult Autopilot::report_interval(double number, std::size_t link) {
  const std::int64_t id = message_number(number);
  if (id < 0 || id > 0xffff) return CommandResult::failed;
  const auto interval = links_[link].streams.interval(static_cast<std::uint32_t>(id));
  std::int32_t told = interval.value_or(0);
  if (interval && *interval == 0) told = -1;
  if (id == mavlink::Heartbeat::wire_id && told == -1) told = 1000000;
  links_[link].outlet->send(
      mavlink::MessageInterval{.message_id = static_cast<std::uint16_t>(id), .interval_us = told});
  return accepted_if(interval.has_value(), CommandResult::failed);
}

// Commands that are about the vehicle at rest; none for the others.
std::optional<CommandResult> Autopilot::prepare(const CommandRequest& request, std::size_t link) {
  const auto& p = request.params;
  switch (request.command) {
    case do_home:
      return place_home(request);
    case do_servo:
      return move_servo(request);
    case do_relay:
      return CommandResult::failed;  // it has none
    case do_test:
      return test_motor(request);
    case do_choose:
      return choose_item(request, *links_[link].outlet);
    case do_calibrate:
      return calibrate(request);
    case do_store:
      return forget_parameters(request);
    case do_reboot:
      return reboot(request);
    case do_check: {
      if (pilot_.armed()) return CommandResult::temporarily_rejected;
      if (const std::string_view reason = unready(); !reason.empty())
        say(mavlink::severity::critical, fmt::format("PreArm: {}", reason));
      return CommandResult::accepted;
    }
    case do_refill:
      if (!(p[1] >= 0 && p[1] <= 100)) return CommandResult::failed;
      consumed_ = value_of(parameters_, "BATT_CAPACITY") * 3.6 * (1 - p[1] / 100);
      return CommandResult::accepted;
    default:
      return std::nullopt;
  }
}

CommandResult Autopilot::obey(const CommandRequest& request, std::size_t link, Instant now) {
  if (const auto shown = show(request, link, now)) return *shown;
  if (const auto prepared = prepare(request, link)) return *prepared;
  const auto& p = request.params;
  switch (request.command) {
    case mavlink::command::arm:
      if (p[0] != 0 && p[0] != 1) return CommandResult::unsupported;
      return arm(p[0] == 1, p[1] == force_word || p[1] == old_force_word);
    case mavlink::command::do_mode:
      return change_mode(p[0], p[1]);
    case mavlink::command::ekf_source_set:
      return choose_sources(p[0]);
    case do_mission: {
      const auto given = [](double item) { return std::isfinite(item) && item != 0; };
      if (given(p[0]) || given(p[1])) return CommandResult::denied;  // from and to are not known here
      if (!pilot_.armed()) return CommandResult::failed;
      return change_mode(static_cast<double>(Mode::automatic));
    }
    case do_loiter:
      return change_mode(static_cast<double>(Mode::poshold));
    case do_land:
      return change_mode(static_cast<double>(Mode::surface));
    case do_terminate:
      if (!(p[0] > 0.5)) return CommandResult::failed;
      disarm();
      return CommandResult::accepted;
    case do_reposition:
      return reposition(request);
    case do_yaw:
      return turn_to(request);
    case do_speed:
      return change_speed(request);
    case do_look_at:
    case do_look_ahead:
    case do_look:
      return CommandResult::accepted;  // the camera is fixed
    default:
      return CommandResult::unsupported;
  }
}

CommandResult Autopilot::change_mode(double base_mode, double number) {
  const bool ours =
      base_mode >= 0 && base_mode < 256 && (static_cast<unsigned int>(base_mode) & mavlink::base_mode::custom) != 0;
  return ours ? change_mode(number) : CommandResult::denied;
}

CommandResult Autopilot::change_mode(double number) {
  const auto mode = mode_from(number);
  if (!mode) {
    say(mavlink::severity::warning, short_text<96>("No such mode {}", number));
    return CommandResult::failed;
  }
  const std::string_view refusal = pilot_.change(*mode, estimator_.estimate());
  if (refusal.empty()) return CommandResult::accepted;
  say(mavlink::severity::warning, short_text<96>("Mode change to {} failed: {}", mode_name(*mode), refusal));
  return CommandResult::failed;
}

std::string_view Autopilot::unready() const {
  if (failsafe_.battery_low()) return "Battery 1 low voltage failsafe";
  if (failsafe_.leaking()) return "Leak detected";
  return pilot_.unready(estimator_.estimate());
}

CommandResult Autopilot::arm(bool wanted, bool by_force) {
  if (!wanted) {
    disarm();
    return CommandResult::accepted;
  }
  if (pilot_.armed()) return CommandResult::accepted;
  if (const std::string_view refusal = unready(); !by_force && !refusal.empty()) {
    say(mavlink::severity::critical, short_text<96>("Arm: {}", refusal));
    return CommandResult::failed;
  }
  static_cast<void>(pilot_.arm(estimator_.estimate(), true));
  say(mavlink::severity::info, "Arming motors");
  return CommandResult::accepted;
}

CommandResult Autopilot::choose_sources(double number) {
  if (!(number >= 1 && number <= 3) || !estimator_.source_set(static_cast<int>(number))) return CommandResult::denied;
  say(mavlink::severity::notice, short_text<48>("Using EKF Source Set {}", static_cast<int>(number)));
  return CommandResult::accepted;
}

// p1 degrees, p4 = 1: from where it looks now, p3 = -1 to the left.
CommandResult Autopilot::turn_to(const CommandRequest& request) {
  const auto& p = request.params;
  const bool relative = p[3] == 1;
  if (!(p[0] >= 0 && p[0] <= 360) || (std::isfinite(p[3]) && p[3] != 0 && !relative)) return CommandResult::denied;
  const double asked = p[0] * std::numbers::pi / 180;
  const double turn = p[2] < 0 ? -asked : asked;
  pilot_.face(relative ? pilot_.heading() + turn : asked);
  return CommandResult::accepted;
}

// p1 = 0 or 1: level speed; p2 m/s.
CommandResult Autopilot::change_speed(const CommandRequest& request) {
  const auto& p = request.params;
  if (!(p[1] > 0 && p[1] <= 20) || !(p[0] >= 0 && p[0] < 2)) return CommandResult::denied;
  parameters_.assign("WPNAV_SPEED", p[1] * 100);
  refresh_settings();
  return CommandResult::accepted;
}

}  // namespace tandem::orca
