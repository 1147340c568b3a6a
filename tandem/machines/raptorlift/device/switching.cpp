// SPDX-License-Identifier: Apache-2.0
// Coils and motors of the PLC: one request at a time, each looked at afterwards.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/raptorlift/device/link.hpp"

namespace tandem::raptorlift {

Link::Coil Link::coil(std::size_t index) const {
  return {registers_.coil_table().address(index), registers_.coil_table().name(index)};
}

Result<void> Link::read_coils(Instant deadline) {
  auto read = client().read_coils(registers_.coil_table().address(0), coils_, deadline);
  if (!read) return within("M0 to M4 (is coil_base right?)", std::move(read).error());
  coils_read_ = now();
  enabled_ = any_enabled();
  return {};
}

bool Link::any_enabled() const {
  return std::ranges::find(coils_.begin() + coils::first_enable, coils_.end(), true) != coils_.end();
}

Result<bool> Link::reset_untripped() {
  if (!open()) return lost();
  const int input = options_.description.plc.trip_input;
  bool tripped = true;
  if (input < 0 ||
      !client().read_discrete_inputs(static_cast<std::uint16_t>(input), {&tripped, 1}, answer_deadline()) || tripped)
    return false;
  if (auto pulsed = pulse_reset(); !pulsed) return std::move(pulsed).error();
  return true;
}

Result<void> Link::write_zeros() {
  const Words zeros{};
  auto written = client().write_registers(registers::command_start, zeros, answer_deadline());
  if (written) written_ = zeros;
  return written;
}

Result<void> Link::enable() {
  if (!open()) return lost();
  auto done = write_zeros();
  if (done) done = pulse_reset();
  if (!done) return within("motors not enabled", std::move(done).error());
  enabled_ = true;
  for (std::size_t i = coils::first_enable; i < coils::count && done; ++i)
    done = write_coil(coil(i), true, answer_deadline());
  if (done) done = read_coils(answer_deadline());
  for (std::size_t i = coils::first_enable; i < coils::count && done; ++i) {
    if (!coils_[i])
      done = Error{Fault::device, fmt::format("{}: expected on, got off", registers_.coil_table().name(i))};
  }
  next_look_ = now() + duration_of(options_.times.readback);
  if (done) return {};
  if (open()) (void)disable();
  return within("motors not enabled", std::move(done).error());
}

Result<void> Link::disable() {
  if (!open()) return lost();
  Result<void> first;
  const auto note = [&](Result<void> step) {
    if (first && !step) first = std::move(step);
    return open();
  };
  const bool zeroed = written_ && *written_ == Words{};  // once is enough: another write would feed the watchdog
  if (!zeroed && !note(write_zeros())) return lost();
  for (std::size_t i = coils::first_enable; i < coils::count; ++i)
    if (!note(write_coil(coil(i), false, answer_deadline()))) return lost();
  auto read = read_coils(answer_deadline());
  if (!open()) return lost();
  if (read && !enabled_) return {};
  if (!first || !read) return first ? std::move(read) : std::move(first);
  const auto on = std::find(coils_.begin() + coils::first_enable, coils_.end(), true) - coils_.begin();
  return Error{Fault::device,
               fmt::format("{}: expected off, got on", registers_.coil_table().name(static_cast<std::size_t>(on)))};
}

}  // namespace tandem::raptorlift
