// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/device/registers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tandem::cable_robot {
namespace {

constexpr std::uint16_t map_version = 1;

void put_value(std::span<std::uint16_t> words, std::size_t at, std::int32_t value) {
  const auto bits = static_cast<std::uint32_t>(value);
  words[at] = static_cast<std::uint16_t>(bits >> 16);
  words[at + 1] = static_cast<std::uint16_t>(bits & 0xFFFFU);
}

std::int32_t value_at(std::span<const std::uint16_t> words, std::size_t at) {
  return static_cast<std::int32_t>((std::uint32_t{words[at]} << 16) | words[at + 1]);
}

// The nearest 32-bit number; `saturated` reports that it is not the value's own. Not for NaN.
std::int32_t nearest_raw(double value, double scale, bool& saturated) {
  constexpr double most = 2147483647.0;
  const double raw = std::round(value * scale);
  saturated = saturated || std::abs(raw) > most;
  return static_cast<std::int32_t>(std::fmin(std::fmax(raw, -most), most));
}

std::int32_t raw_of(double value, double scale) {
  bool saturated = false;
  return nearest_raw(value, scale, saturated);
}

Error wrong_block(std::string text) { return {Fault::invalid, std::move(text)}; }

}  // namespace

const char* name(WinchMode mode) {
  switch (mode) {
    case WinchMode::hold:
      return "hold";
    case WinchMode::length:
      return "length";
    case WinchMode::tension:
      return "tension";
  }
  return "?";
}

const char* fault_name(std::uint16_t flags) {
  if (has(flags, WinchFlag::sensor)) return "its encoder or load cell failed";
  if (has(flags, WinchFlag::overload)) return "overload";
  if (has(flags, WinchFlag::following)) return "stuck: the drum does not follow its command";
  return "";
}

Result<bool> WinchRegisters::encode(const WinchCommand& order, std::uint16_t counter, std::uint16_t enable,
                                    std::span<std::uint16_t> words) const {
  if (words.size() < command::count(winches_)) return wrong_block("winch command: its buffer is too short");
  struct Row {
    const char* quantity;
    const cables::PerCable& values;
    std::uint16_t offset;
    double scale;
  };
  const Row rows[] = {{"length", order.lengths, command::length, length_scale},
                      {"speed", order.speeds, command::speed, speed_scale},
                      {"tension", order.tensions, command::tension, tension_scale}};
  bool saturated = false;
  for (const Row& row : rows) {
    if (row.values.size() != winches_)
      return wrong_block(fmt::format("winch command: expected {} of {}, got {}", winches_, row.quantity,
                                     static_cast<long>(row.values.size())));
    for (int i = 0; i < winches_; ++i) {
      if (std::isnan(row.values[i]))
        return wrong_block(fmt::format("winch {}: commanded {} is NaN or infinity", i, row.quantity));
      put_value(words, static_cast<std::size_t>(command::first + command::stride * i + row.offset),
                nearest_raw(row.values[i], row.scale, saturated));
    }
  }
  words[command::counter] = counter;
  words[command::mode] = static_cast<std::uint16_t>(order.mode);
  words[command::enable] = enable;
  words[command::spare] = 0;
  return saturated;
}

void WinchRegisters::encode_hold(std::uint16_t counter, std::span<std::uint16_t> words) const {
  for (auto& word : words) word = 0;
  words[command::counter] = counter;
}

Result<void> WinchRegisters::check_head(std::span<const std::uint16_t> words) const {
  if (words.size() < feedback::first) return wrong_block("winch feedback: the answer is too short");
  if (words[feedback::version] != map_version)
    return wrong_block(
        fmt::format("winches: expected version {} of the register map, got {}", map_version, words[feedback::version]));
  if (words[feedback::winches] != winches_)
    return wrong_block(
        fmt::format("winches: expected {} as in the geometry, got {}", winches_, words[feedback::winches]));
  return {};
}

Result<WinchReport> WinchRegisters::decode(std::span<const std::uint16_t> words) const {
  if (auto head = check_head(words); !head) return std::move(head).error();
  if (words.size() < feedback::count(winches_)) return wrong_block("winch feedback: the answer is too short");
  if (words[feedback::mode] > static_cast<std::uint16_t>(WinchMode::tension))
    return wrong_block(fmt::format("winch feedback: expected mode 0, 1 or 2, got {}", words[feedback::mode]));
  WinchReport report;
  report.counter = words[feedback::counter];
  report.enabled = words[feedback::enabled];
  report.faults = words[feedback::faults];
  report.mode = static_cast<WinchMode>(words[feedback::mode]);
  const std::uint16_t status = words[feedback::status];
  WinchFeedback& winches = report.winches;
  winches.ready = (status & feedback::status_ready) != 0;
  winches.enabled = (report.enabled & all()) == all();
  winches.watchdog = (status & feedback::status_watchdog) != 0;
  winches.beat = words[feedback::beat];
  winches.lengths.resize(winches_);
  winches.speeds.resize(winches_);
  winches.tensions.resize(winches_);
  for (int i = 0; i < winches_; ++i) {
    const auto at = static_cast<std::size_t>(feedback::first + feedback::stride * i);
    winches.lengths[i] = value_at(words, at + feedback::length) / length_scale;
    winches.speeds[i] = value_at(words, at + feedback::speed) / speed_scale;
    winches.tensions[i] = value_at(words, at + feedback::tension) / tension_scale;
    winches.flags[static_cast<std::size_t>(i)] = words[at + feedback::flags];
  }
  return report;
}

void WinchRegisters::encode_limits(const WinchLimits& given, std::span<std::uint16_t, limits::count> words) {
  put_value(words, limits::shortest, raw_of(given.shortest, length_scale));
  put_value(words, limits::longest, raw_of(given.longest, length_scale));
  put_value(words, limits::speed, raw_of(given.speed, speed_scale));
  put_value(words, limits::acceleration, raw_of(given.acceleration, speed_scale));
  put_value(words, limits::least_tension, raw_of(given.least_tension, tension_scale));
  put_value(words, limits::most_tension, raw_of(given.most_tension, tension_scale));
  put_value(words, limits::following, raw_of(given.following, length_scale));
  put_value(words, limits::watchdog, raw_of(given.watchdog, 1e3));
}

std::optional<WinchTruth> WinchRegisters::decode_truth(std::span<const std::uint16_t> words) const {
  if (words.size() < truth::count(winches_)) return std::nullopt;
  WinchTruth found;
  double norm = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    found.pose[i] = value_at(words, 2 * i) / (i < 3 ? length_scale : truth::quaternion_scale);
    if (i >= 3) norm += found.pose[i] * found.pose[i];
  }
  if (std::abs(norm - 1) > 1e-3) return std::nullopt;
  for (int i = 0; i < winches_; ++i)
    found.tensions[static_cast<std::size_t>(i)] =
        value_at(words, static_cast<std::size_t>(truth::first_tension + 2 * i)) / tension_scale;
  return found;
}

}  // namespace tandem::cable_robot
