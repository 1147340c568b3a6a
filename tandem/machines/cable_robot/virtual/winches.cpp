// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/winches.hpp"

#include <algorithm>

#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/machines/cable_robot/virtual/registers.hpp"

namespace tandem::cable_robot {
namespace {

using modbus::ExceptionCode;
using modbus::Refusal;

constexpr Duration most_made_up = 50ms;  // less than a watchdog waits
constexpr std::size_t most_words = 128;  // of any block
constexpr std::string_view device_text = "Virtual cable robot winches";

// Whether a stretch of registers lies in a block.
bool inside(std::size_t address, std::size_t count, std::size_t start, std::size_t size) {
  return address >= start && address + count <= start + size;
}

}  // namespace

VirtualWinches::VirtualWinches(const cables::Robot& robot, const StationOptions& options, Clock& clock,
                               WinchFaults* faults, FaultScript script)
    : station_(robot, options, faults),
      clock_(clock),
      faults_(faults),
      script_(std::move(script)),
      cycle_(duration_of(options.body.cycle)),
      stepped_(clock.now()) {
  truth_.put(station_.body().state());
}

void VirtualWinches::advance() {
  const Instant now = clock_.now();
  if (stepped_ + cycle_ > now) return;
  stepped_ = std::max(stepped_, now - most_made_up);
  for (; stepped_ + cycle_ <= now; stepped_ += cycle_) {
    running_ += cycle_;
    if (faults_ != nullptr) script_.play(running_, *faults_);
    station_.cycle();
  }
  truth_.put(station_.body().state());
}

Refusal VirtualWinches::read(modbus::BitKind, std::uint16_t address, modbus::Bits& into) {
  advance();
  if (!inside(address, into.size(), 0, coils::count)) return ExceptionCode::illegal_address;
  for (std::size_t i = 0; i < into.size(); ++i)
    into.assign(i, address + i == coils::reset ? station_.state().reset : station_.state().stop);
  return {};
}

Refusal VirtualWinches::read(modbus::WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) {
  advance();
  const int n = station_.winches();
  const bool holding = kind == modbus::WordKind::holding;
  std::array<std::uint16_t, most_words> block{};
  std::size_t start = holding ? feedback::start : 0;
  if (inside(address, into.size(), start, feedback::count(n))) {
    feedback_words(station_, block);
  } else if (!holding && inside(address, into.size(), truth::start, truth::count(n))) {
    start = truth::start;
    truth_words(station_.body().state(), n, block);
  } else if (holding && inside(address, into.size(), command::start, command::count(n))) {
    start = command::start;
    order_words(station_.last_order(), block);
  } else if (holding && inside(address, into.size(), limits::start, limits::count)) {
    start = limits::start;
    limits_words(station_.limits(), block);
  } else if (holding && inside(address, into.size(), scratch::start, scratch::count)) {
    start = scratch::start;
    std::ranges::copy(scratch_, block.begin());
  } else {
    return ExceptionCode::illegal_address;
  }
  std::copy_n(block.begin() + static_cast<std::ptrdiff_t>(address - start), into.size(), into.begin());
  return {};
}

Refusal VirtualWinches::write(std::uint16_t address, const modbus::Bits& values) {
  advance();
  if (!inside(address, values.size(), 0, coils::count)) return ExceptionCode::illegal_address;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (address + i == coils::reset)
      station_.reset(values[i]);
    else
      station_.stop(values[i]);
  }
  return {};
}

Refusal VirtualWinches::write(std::uint16_t address, std::span<const std::uint16_t> values) {
  advance();
  if (address == command::start && values.size() == command::count(station_.winches())) {
    const auto order = order_from(values, station_.winches(), station_.limits());
    if (!order) return ExceptionCode::illegal_value;
    station_.order(*order);
    return {};
  }
  if (inside(address, values.size(), limits::start, limits::count))
    return write_limits(address - limits::start, values);
  if (!inside(address, values.size(), scratch::start, scratch::count)) return ExceptionCode::illegal_address;
  std::ranges::copy(values, scratch_.begin() + (address - scratch::start));
  return {};
}

Refusal VirtualWinches::write_limits(std::size_t first, std::span<const std::uint16_t> values) {
  if (first % 2 != 0 || values.size() % 2 != 0) return ExceptionCode::illegal_address;
  std::array<std::uint16_t, limits::count> words{};
  limits_words(station_.limits(), words);
  std::ranges::copy(values, words.begin() + static_cast<std::ptrdiff_t>(first));
  const auto changed = limits_from(words);
  if (!changed) return ExceptionCode::illegal_value;
  return station_.limits(*changed) ? Refusal{} : Refusal{ExceptionCode::busy};
}

Refusal VirtualWinches::exception_status(std::uint8_t& into) {
  advance();
  const StationState& state = station_.state();
  const WinchFeedback& winches = station_.feedback();
  const bool slack =
      std::ranges::any_of(winches.flags, [](std::uint16_t flags) { return has(flags, WinchFlag::slack); });
  const std::array bits{state.faults != 0,
                        winches.watchdog,
                        state.enabled != 0,
                        winches.enabled,
                        state.stop,
                        slack,
                        station_.body().state().on_floor,
                        state.physics_tripped};
  into = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) into = static_cast<std::uint8_t>(into | (unsigned{bits[i]} << i));
  return {};
}

Refusal VirtualWinches::server_id(modbus::Octets& into) {
  into.resize(0);
  into.push_back(1);
  into.push_back(0xff);  // it runs
  for (const char letter : device_text) into.push_back(static_cast<std::uint8_t>(letter));
  return {};
}

std::string_view VirtualWinches::identification(std::uint8_t object) const {
  switch (object) {
    case 0:
      return "Tandem";
    case 1:
      return "cable_robot";
    case 2:
      return "1.0";
    case 4:
      return device_text;
    case 5:
      return "virtual";
    default:
      return {};
  }
}

}  // namespace tandem::cable_robot
