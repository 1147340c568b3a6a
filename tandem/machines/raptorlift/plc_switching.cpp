// Coils and motors of the PLC: one request at a time, each looked at afterwards.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/raptorlift/plc_link.hpp"

namespace tandem::raptorlift {

Result<void> PlcLink::write_coil(std::size_t coil, bool value, Instant deadline) {
  auto written = client_->write_coil(registers_.coil_table().address(coil), value, deadline);
  if (written) return written;
  return within(fmt::format("{} to {}", registers_.coil_table().name(coil), value ? "on" : "off"),
                std::move(written).error());
}

Result<void> PlcLink::read_coils(Instant deadline) {
  auto read = client_->read_coils(registers_.coil_table().address(0), coils_, deadline);
  if (!read) return within("M0 to M4 (is coil_base right?)", std::move(read).error());
  coils_read_ = now();
  enabled_ = any_enabled();
  return {};
}

bool PlcLink::any_enabled() const {
  return std::ranges::find(coils_.begin() + coils::first_enable, coils_.end(), true) != coils_.end();
}

// Sockets and pulses are of real time, whatever clock the machine has.
Result<void> PlcLink::pulse_reset(Instant deadline) {
  pulsing_ = true;
  auto high = write_coil(coils::error_reset, true, deadline);
  if (high) system_clock().sleep_until(now() + duration_of(options_.times.reset_pulse));
  if (!open()) return lost();
  auto low = write_coil(coils::error_reset, false, std::max(deadline, answer_deadline()));
  pulsing_ = !low;
  return high ? std::move(low) : std::move(high);
}

// M0 held high would keep a PLC from tripping.
void PlcLink::end_pulse() {
  if (pulsing_) pulsing_ = !write_coil(coils::error_reset, false, answer_deadline());
}

Result<bool> PlcLink::reset_untripped() {
  if (!open()) return lost();
  const int input = options_.description.plc.trip_input;
  bool tripped = true;
  if (input < 0 ||
      !client_->read_discrete_inputs(static_cast<std::uint16_t>(input), {&tripped, 1}, answer_deadline()) || tripped)
    return false;
  if (auto pulsed = pulse_reset(answer_deadline()); !pulsed) return std::move(pulsed).error();
  return true;
}

Result<void> PlcLink::write_zeros() {
  const Words zeros{};
  auto written = client_->write_registers(registers::command_start, zeros, answer_deadline());
  if (written) written_ = zeros;
  return written;
}

Result<void> PlcLink::enable() {
  if (!open()) return lost();
  auto done = write_zeros();
  if (done) done = pulse_reset(answer_deadline());
  if (!done) return within("motors not enabled", std::move(done).error());
  enabled_ = true;
  for (std::size_t coil = coils::first_enable; coil < coils::count && done; ++coil)
    done = write_coil(coil, true, answer_deadline());
  if (done) done = read_coils(answer_deadline());
  for (std::size_t coil = coils::first_enable; coil < coils::count && done; ++coil) {
    if (!coils_[coil]) {
      done =
          Error{Fault::device, fmt::format("{}: expected on, the PLC has it off", registers_.coil_table().name(coil))};
    }
  }
  next_look_ = now() + duration_of(options_.times.readback);
  if (done) return {};
  if (open()) (void)disable();
  return within("motors not enabled", std::move(done).error());
}

Result<void> PlcLink::disable() {
  if (!open()) return lost();
  Result<void> first;
  const auto note = [&](Result<void> step) {
    if (first && !step) first = std::move(step);
    return open();
  };
  const bool zeroed = written_ && *written_ == Words{};  // once is enough: another write would feed the watchdog
  if (!zeroed && !note(write_zeros())) return lost();
  for (std::size_t coil = coils::first_enable; coil < coils::count; ++coil)
    if (!note(write_coil(coil, false, answer_deadline()))) return lost();
  auto read = read_coils(answer_deadline());
  if (!open()) return lost();
  if (read && !enabled_) return {};
  if (!first || !read) return first ? std::move(read) : std::move(first);
  const auto on = std::find(coils_.begin() + coils::first_enable, coils_.end(), true) - coils_.begin();
  return Error{Fault::device, fmt::format("{}: expected off, the PLC has it on",
                                          registers_.coil_table().name(static_cast<std::size_t>(on)))};
}

}  // namespace tandem::raptorlift
