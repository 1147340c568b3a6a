// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/device/setup_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tandem::orca {
namespace {

constexpr double external = 6;  // of EK3_SRC: external navigation, which is vision here
constexpr double compass = 1;   // of EK3_SRC..._YAW
constexpr int most_reads = 4;   // under way at once

enum class When : std::uint8_t { always, relative, absolute, switched, failsafe };
enum class Rule : std::uint8_t { is, is_not, is_even, is_set, at_least, at_most, above_zero_at_most };

struct SettingRow {
  std::string_view name;
  When when;
  Rule rule;
  double number;  // that it has to be, or must not be
  double advised;
};
// By what AP_NavEKF3 and AP_VisualOdom ask for before they use a delta (relative) or a pose (absolute).
constexpr std::array<SettingRow, 20> setting_rows{{
    {"VISO_TYPE", When::always, Rule::is, 1, 1},
    {"VISO_ORIENT", When::always, Rule::is, 0, 0},  // what we tell is of base_link, not of the camera
    {"VISO_POS_X", When::always, Rule::is, 0, 0},
    {"VISO_POS_Y", When::always, Rule::is, 0, 0},
    {"VISO_POS_Z", When::always, Rule::is, 0, 0},
    {"AHRS_EKF_TYPE", When::always, Rule::is, 3, 3},
    {"EK3_ENABLE", When::always, Rule::is, 1, 1},
    {"EK3_SRC1_VELXY", When::relative, Rule::is, external, external},
    {"EK3_SRC1_YAW", When::relative, Rule::is_not, external, compass},
    {"EK3_SRC1_POSXY", When::absolute, Rule::is, external, external},
    {"EK3_SRC2_VELXY", When::switched, Rule::is_not, external, 0},
    {"EK3_SRC2_POSXY", When::switched, Rule::is_not, external, 0},
    {"EK3_SRC_OPTIONS", When::switched, Rule::is_even, 0, 0},  // 1: velocities of all sets are used at once
    {"RNGFND1_TYPE", When::always, Rule::is_set, 0, 0},
    {"RNGFND1_ORIENT", When::always, Rule::is, 25, 25},  // down
    // What ends the thrust when nothing is received from us any more. Without FS_PILOT_INPUT the last sticks stay in
    // force.
    {"FS_PILOT_INPUT", When::failsafe, Rule::at_least, 1, 1},
    {"FS_PILOT_TIMEOUT", When::failsafe, Rule::at_most, 3, 3},
    {"FS_GCS_ENABLE", When::failsafe, Rule::at_least, 2, 2},  // 1 only says so
    {"FS_GCS_TIMEOUT", When::failsafe, Rule::at_most, 5, 5},
    {"RC_OVERRIDE_TIME", When::failsafe, Rule::above_zero_at_most, 3, 3},  // 0: no sticks, -1: the last indefinitely
}};
// The system that may steer; its name and the second, for a range, came with 4.7.
constexpr std::array<std::string_view, 3> pilot_rows{"SYSID_MYGCS", "MAV_GCS_SYSID", "MAV_GCS_SYSID_HI"};
static_assert(setting_rows.size() + pilot_rows.size() == SetupCheck::asked);

// As ArduPilot's documentation of its parameters has it; of serial ports all settings.
constexpr std::array<std::string_view, 11> reboot_names{
    "VISO_TYPE",    "EK3_ENABLE", "EK3_IMU_MASK",    "RNGFND1_TYPE", "GPS_TYPE",      "GPS1_TYPE",
    "FRAME_CONFIG", "SCR_ENABLE", "SCHED_LOOP_RATE", "BATT_MONITOR", "COMPASS_ENABLE"};

std::string_view asked_name(std::size_t index) {
  return index < pilot_rows.size() ? pilot_rows[index] : setting_rows[index - pilot_rows.size()].name;
}

bool concerns(When when, const SetupOptions& options) {
  switch (when) {
    case When::always:
      return true;
    case When::relative:
      return !options.absolute;
    case When::absolute:
      return options.absolute;
    case When::switched:
      return options.switched;
    case When::failsafe:
      return false;
  }
  return false;
}

bool fits(const SettingRow& row, double value) {
  switch (row.rule) {
    case Rule::is:
      return value == row.number;
    case Rule::is_not:
      return value != row.number;
    case Rule::is_even:
      return std::fmod(value, 2) == 0;
    case Rule::is_set:
      return value != 0;
    case Rule::at_least:
      return value >= row.number;
    case Rule::at_most:
      return value <= row.number;
    case Rule::above_zero_at_most:
      return value > 0 && value <= row.number;
  }
  return true;
}

std::optional<double> known_value(const mavlink::ParameterClient& client, std::string_view name) {
  const mavlink::Parameter* parameter = client.find(name);
  return parameter != nullptr ? std::optional(parameter->value) : std::nullopt;
}

std::string advice_for(const SettingRow& row, double value) {
  const char* const reboot = needs_reboot(row.name) ? ", needs a reboot" : "";
  if (row.rule == Rule::is_set) return fmt::format("{} (is {:g}: no sonar{})", row.name, value, reboot);
  return fmt::format("{}={:g} (is {:g}{})", row.name, row.advised, value, reboot);
}

}  // namespace

bool needs_reboot(std::string_view name) {
  return std::ranges::find(reboot_names, name) != reboot_names.end() || name.starts_with("SERIAL");
}

void SetupCheck::restart() {
  questions_ = {};
  finished_ = false;
}

void SetupCheck::poll(Instant now, mavlink::ParameterClient& client) {
  if (finished_) return;
  int under_way = 0;
  finished_ = true;
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    Question& question = questions_[i];
    if (question.done) continue;
    if (question.request != 0) {
      const auto status = client.status(question.request);
      question.done = status != mavlink::ParameterClient::Status::pending;
      if (status == mavlink::ParameterClient::Status::done) question.answer = known_value(client, asked_name(i));
      answered_ = answered_ || question.done;
    }
    if (question.request == 0 && under_way < most_reads) question.request = client.read(asked_name(i), now);
    if (question.request != 0 && !question.done) ++under_way;
    finished_ = finished_ && question.done;
  }
}

bool SetupCheck::changed(const mavlink::ParameterClient& client) {
  bool any = std::exchange(answered_, false);
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const auto value = known_value(client, asked_name(i));
    any = std::exchange(seen_[i], value) != value || any;
  }
  return any;
}

bool SetupCheck::asks_for(std::string_view name) {
  return std::ranges::find(setting_rows, name, &SettingRow::name) != setting_rows.end();
}

bool SetupCheck::settled(std::string_view name) const {
  for (std::size_t i = 0; i < questions_.size(); ++i)
    if (asked_name(i) == name) return questions_[i].done;
  return true;
}

std::string SetupCheck::advice(const mavlink::ParameterClient& client) const {
  std::string set, reboot;
  for (std::size_t i = 0; i < setting_rows.size(); ++i) {
    const SettingRow& row = setting_rows[i];
    const auto value = known_value(client, row.name);
    if (!value || !concerns(row.when, options_)) continue;
    const auto& begun_with = questions_[pilot_rows.size() + i].answer;
    if (!fits(row, *value))
      set += (set.empty() ? "set " : ", ") + advice_for(row, *value);
    else if (needs_reboot(row.name) && begun_with && !fits(row, *begun_with))
      reboot += fmt::format("{}{}={:g}", reboot.empty() ? "reboot the autopilot for " : ", ", row.name, *value);
  }
  return set.empty() || reboot.empty() ? set + reboot : set + "; " + reboot;
}

std::string SetupCheck::failsafe_advice(const mavlink::ParameterClient& client) const {
  std::string text;
  for (const SettingRow& row : setting_rows) {
    const auto value = known_value(client, row.name);
    if (row.when != When::failsafe || !value || fits(row, *value)) continue;
    text += (text.empty() ? "set " : ", ") + advice_for(row, *value);
  }
  return text;
}

std::uint8_t SetupCheck::pilot_system(const mavlink::ParameterClient& client) const {
  constexpr double ground_station = 255;
  const auto newer = known_value(client, pilot_rows[1]);
  const double first = newer ? *newer : known_value(client, pilot_rows[0]).value_or(ground_station);
  const double last = newer ? known_value(client, pilot_rows[2]).value_or(0) : 0;
  const double own = options_.own_system;
  if (own == first || (own >= first && own <= last)) return options_.own_system;
  return static_cast<std::uint8_t>(first >= 1 && first <= ground_station ? first : ground_station);
}

}  // namespace tandem::orca
