// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/registers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::cable_robot {
namespace {

// The largest values that a winch of this kind accepts.
constexpr double most_length = 200;         // m
constexpr double most_speed = 100;          // m/s
constexpr double most_acceleration = 1000;  // m/s^2
constexpr double most_load = 1e6;           // N
constexpr double most_watchdog = 60;        // s

// What does not fit is the nearest that does; NaN does not occur, as the physics trips before.
void put_raw(std::span<std::uint16_t> words, std::size_t at, double value, double scale) {
  constexpr double lowest = std::numeric_limits<std::int32_t>::min(),
                   highest = std::numeric_limits<std::int32_t>::max();
  const double raw = std::isnan(value) ? 0 : std::clamp(std::round(value * scale), lowest, highest);
  const auto bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(raw));
  words[at] = static_cast<std::uint16_t>(bits >> 16);
  words[at + 1] = static_cast<std::uint16_t>(bits);
}

double raw_at(RegisterWords words, std::size_t place, double scale) {
  const std::uint32_t bits = (std::uint32_t{words[place]} << 16) | words[place + 1];
  return static_cast<std::int32_t>(bits) / scale;
}

// Within, but for what rounding to the register's unit takes.
bool within(double value, double lowest, double highest, double scale) {
  return value >= lowest - 0.5 / scale && value <= highest + 0.5 / scale;
}

bool allowed(const StationCommand& order, int i, const WinchLimits& limits) {
  const WinchCommand& winches = order.winches;
  if (winches.mode == WinchMode::hold || ((order.enable >> i) & 1) == 0) return true;
  if (!within(winches.speeds[i], -limits.speed, limits.speed, speed_scale)) return false;
  return winches.mode == WinchMode::length ? within(winches.lengths[i], limits.shortest, limits.longest, length_scale)
                                           : within(winches.tensions[i], 0, limits.most_tension, tension_scale);
}

}  // namespace

std::optional<StationCommand> order_from(RegisterWords words, int winches, const WinchLimits& limits) {
  StationCommand order;
  order.counter = words[command::counter];
  order.enable = words[command::enable];
  const std::uint16_t mode = words[command::mode];
  const bool sound = mode <= static_cast<std::uint16_t>(WinchMode::tension) && words[command::spare] == 0 &&
                     (std::uint32_t{order.enable} >> winches) == 0;
  if (!sound) return std::nullopt;
  order.winches.mode = static_cast<WinchMode>(mode);
  order.winches.lengths.resize(winches);
  order.winches.speeds.resize(winches);
  order.winches.tensions.resize(winches);
  for (int i = 0; i < winches; ++i) {
    const auto first = static_cast<std::size_t>(command::first + command::stride * i);
    order.winches.lengths[i] = raw_at(words, first + command::length, length_scale);
    order.winches.speeds[i] = raw_at(words, first + command::speed, speed_scale);
    order.winches.tensions[i] = raw_at(words, first + command::tension, tension_scale);
    if (!allowed(order, i, limits)) return std::nullopt;
  }
  return order;
}

void order_words(const StationCommand& order, std::span<std::uint16_t> words) {
  words[command::counter] = order.counter;
  words[command::mode] = static_cast<std::uint16_t>(order.winches.mode);
  words[command::enable] = order.enable;
  words[command::spare] = 0;
  for (int i = 0; i < order.winches.lengths.size(); ++i) {
    const auto first = static_cast<std::size_t>(command::first + command::stride * i);
    put_raw(words, first + command::length, order.winches.lengths[i], length_scale);
    put_raw(words, first + command::speed, order.winches.speeds[i], speed_scale);
    put_raw(words, first + command::tension, order.winches.tensions[i], tension_scale);
  }
}

void feedback_words(const VirtualStation& station, std::span<std::uint16_t> words) {
  const StationState& state = station.state();
  const WinchFeedback& winches = station.feedback();
  unsigned status = 0;
  if (winches.ready) status |= feedback::status_ready;
  if (winches.enabled) status |= feedback::status_enabled;
  if (state.faults != 0 || state.physics_tripped) status |= feedback::status_fault;
  if (winches.watchdog) status |= feedback::status_watchdog;
  words[feedback::counter] = state.counter;
  words[feedback::status] = static_cast<std::uint16_t>(status);
  words[feedback::enabled] = state.enabled;
  words[feedback::faults] = state.faults;
  words[feedback::mode] = static_cast<std::uint16_t>(state.mode);
  words[feedback::winches] = static_cast<std::uint16_t>(station.winches());
  words[feedback::beat] = winches.beat;
  words[feedback::version] = 1;
  for (int i = 0; i < station.winches(); ++i) {
    const auto first = static_cast<std::size_t>(feedback::first + feedback::stride * i);
    put_raw(words, first + feedback::length, winches.lengths[i], length_scale);
    put_raw(words, first + feedback::speed, winches.speeds[i], speed_scale);
    put_raw(words, first + feedback::tension, winches.tensions[i], tension_scale);
    words[first + feedback::flags] = winches.flags[static_cast<std::size_t>(i)];
  }
}

void truth_words(const PlatformState& state, int winches, std::span<std::uint16_t> words) {
  for (std::size_t i = 0; i < 3; ++i) put_raw(words, 2 * i, state.position[i], length_scale);
  for (std::size_t i = 0; i < 4; ++i) put_raw(words, 6 + 2 * i, state.rotation[i], truth::quaternion_scale);
  for (std::size_t i = 0; i < static_cast<std::size_t>(winches); ++i)
    put_raw(words, truth::first_tension + 2 * i, state.tensions[i], tension_scale);
}

std::optional<WinchLimits> limits_from(RegisterWords words) {
  const std::uint32_t watchdog = (std::uint32_t{words[limits::watchdog]} << 16) | words[limits::watchdog + 1];
  const WinchLimits read{.shortest = raw_at(words, limits::shortest, length_scale),
                         .longest = raw_at(words, limits::longest, length_scale),
                         .speed = raw_at(words, limits::speed, speed_scale),
                         .acceleration = raw_at(words, limits::acceleration, speed_scale),
                         .least_tension = raw_at(words, limits::least_tension, tension_scale),
                         .most_tension = raw_at(words, limits::most_tension, tension_scale),
                         .following = raw_at(words, limits::following, length_scale),
                         .watchdog = watchdog * 1e-3};
  const bool sound = read.shortest >= 0 && read.shortest < read.longest && read.longest <= most_length &&
                     read.speed > 0 && read.speed <= most_speed && read.acceleration > 0 &&
                     read.acceleration <= most_acceleration && read.least_tension >= 0 &&
                     read.least_tension < read.most_tension && read.most_tension <= most_load && read.following > 0 &&
                     read.following <= most_length && read.watchdog > 0 && read.watchdog <= most_watchdog;
  return sound ? std::optional(read) : std::nullopt;
}

void limits_words(const WinchLimits& values, std::span<std::uint16_t> words) {
  put_raw(words, limits::shortest, values.shortest, length_scale);
  put_raw(words, limits::longest, values.longest, length_scale);
  put_raw(words, limits::speed, values.speed, speed_scale);
  put_raw(words, limits::acceleration, values.acceleration, speed_scale);
  put_raw(words, limits::least_tension, values.least_tension, tension_scale);
  put_raw(words, limits::most_tension, values.most_tension, tension_scale);
  put_raw(words, limits::following, values.following, length_scale);
  put_raw(words, limits::watchdog, values.watchdog, 1e3);
}

}  // namespace tandem::cable_robot
