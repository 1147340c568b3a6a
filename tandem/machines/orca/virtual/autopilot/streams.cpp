// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/autopilot/streams.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::orca {
namespace {

constexpr double fastest = 400;   // Hz, as often as the autopilot's loop runs
constexpr double slowest = 60e6;  // us between two

constexpr std::uint8_t raw_sensors = 1, extended_status = 2, rc_channels = 3, positions = 6, extra1 = 10, extra2 = 11,
                       extra3 = 12;

constexpr std::array stream_table{
    StreamRow{27, raw_sensors},       // RAW_IMU
    StreamRow{116, raw_sensors},      // SCALED_IMU2
    StreamRow{29, raw_sensors},       // SCALED_PRESSURE
    StreamRow{137, raw_sensors},      // SCALED_PRESSURE2
    StreamRow{1, extended_status},    // SYS_STATUS
    StreamRow{125, extended_status},  // POWER_STATUS
    StreamRow{152, extended_status},  // MEMINFO
    StreamRow{42, extended_status},   // MISSION_CURRENT
    StreamRow{24, extended_status},   // GPS_RAW_INT
    StreamRow{62, extended_status},   // NAV_CONTROLLER_OUTPUT
    StreamRow{251, extended_status},  // NAMED_VALUE_FLOAT, all of them
    StreamRow{36, rc_channels},       // SERVO_OUTPUT_RAW
    StreamRow{65, rc_channels},       // RC_CHANNELS
    StreamRow{33, positions},         // GLOBAL_POSITION_INT
    StreamRow{32, positions},         // LOCAL_POSITION_NED
    StreamRow{30, extra1},            // ATTITUDE
    StreamRow{164, extra1},           // SIMSTATE
    StreamRow{178, extra1},           // AHRS2
    StreamRow{74, extra2},            // VFR_HUD
    StreamRow{163, extra3},           // AHRS
    StreamRow{2, extra3},             // SYSTEM_TIME
    StreamRow{173, extra3},           // RANGEFINDER
    StreamRow{132, extra3},           // DISTANCE_SENSOR
    StreamRow{147, extra3},           // BATTERY_STATUS
    StreamRow{193, extra3},           // EKF_STATUS_REPORT
    StreamRow{241, extra3},           // VIBRATION
    StreamRow{0, 0},                  // HEARTBEAT, instead of the one of every second
    StreamRow{26, 0},                 // SCALED_IMU
    StreamRow{31, 0},                 // ATTITUDE_QUATERNION
    StreamRow{46, 0},                 // MISSION_ITEM_REACHED
    StreamRow{49, 0},                 // GPS_GLOBAL_ORIGIN
    StreamRow{83, 0},                 // ATTITUDE_TARGET
    StreamRow{85, 0},                 // POSITION_TARGET_LOCAL_NED
    StreamRow{87, 0},                 // POSITION_TARGET_GLOBAL_INT
    StreamRow{148, 0},                // AUTOPILOT_VERSION
    StreamRow{165, 0},                // HWSTATUS
    StreamRow{242, 0},                // HOME_POSITION
    StreamRow{245, 0},                // EXTENDED_SYS_STATE
};
static_assert(stream_table.size() <= StreamSchedule::most_rows);

}  // namespace

std::span<const StreamRow> stream_rows() { return stream_table; }

bool is_streamed(std::uint32_t id) {
  return std::any_of(stream_table.begin(), stream_table.end(), [&](const StreamRow& row) { return row.id == id; });
}

std::optional<std::size_t> StreamSchedule::find(std::uint32_t id) const {
  for (std::size_t i = 0; i < stream_table.size(); ++i)
    if (stream_table[i].id == id) return i;
  return std::nullopt;
}

void StreamSchedule::pace(std::size_t row, Duration interval, Instant now) {
  rows_[row] = {interval, now + interval, true};
}

void StreamSchedule::begin(double rate, Instant now) {
  if (begun_) return;
  begun_ = true;
  rate_ = rate;
  if (!(rate > 0)) return;
  const Duration interval = duration_of(1 / rate);
  for (std::size_t i = 0; i < stream_table.size(); ++i) {
    if (stream_table[i].group == 0 || rows_[i].told) continue;
    // Spread over the interval, so that they do not all come at once.
    rows_[i] = {interval, now + interval * static_cast<int>(i) / static_cast<int>(stream_table.size()), false};
  }
}

bool StreamSchedule::interval(std::uint32_t id, double microseconds, Instant now) {
  const auto row = find(id);
  if (!row || !std::isfinite(microseconds)) return false;
  microseconds = std::min(std::trunc(microseconds), slowest);
  if (microseconds < -1) return false;
  if (microseconds < 0) {
    pace(*row, Duration::zero(), now);
  } else if (microseconds == 0) {
    const bool usual = stream_table[*row].group != 0 && rate_ > 0;
    pace(*row, usual ? duration_of(1 / rate_) : Duration::zero(), now);
  } else {
    pace(*row, Duration(std::llround(std::max(microseconds * 1e3, 1e9 / fastest))), now);
  }
  return true;
}

std::optional<std::int32_t> StreamSchedule::interval(std::uint32_t id) const {
  const auto row = find(id);
  if (!row) return std::nullopt;
  return static_cast<std::int32_t>(std::chrono::duration_cast<std::chrono::microseconds>(rows_[*row].interval).count());
}

void StreamSchedule::group(std::uint8_t group, double rate, Instant now) {
  for (std::size_t i = 0; i < stream_table.size(); ++i) {
    if (stream_table[i].group == 0 || (group != 0 && stream_table[i].group != group)) continue;
    pace(i, rate > 0 ? duration_of(1 / std::min(rate, fastest)) : Duration::zero(), now);
  }
}

std::optional<std::uint32_t> StreamSchedule::due(Instant now) {
  for (std::size_t tried = 0; tried < stream_table.size(); ++tried) {
    const std::size_t i = turn_;
    turn_ = (turn_ + 1) % stream_table.size();
    Row& row = rows_[i];
    if (row.interval <= Duration::zero() || now < row.next) continue;
    row.next += row.interval;
    if (row.next < now) row.next = now + row.interval;
    return stream_table[i].id;
  }
  return std::nullopt;
}

}  // namespace tandem::orca
