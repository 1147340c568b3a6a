// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/virtual/plc.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::raptorlift {
namespace {

using modbus::ExceptionCode;
using modbus::Refusal;

constexpr Duration most_made_up = 100ms;
constexpr Duration beat_period = 10ms;
constexpr double moving_speed = 0.01;  // m/s or, at a driven wheel, rad/s
constexpr std::size_t condition_count = 8;
constexpr std::string_view server_text = "RaptorLift virtual PLC";

// Whether a stretch of registers has a part between these two, both included.
bool touches(std::size_t address, std::size_t count, std::size_t first, std::size_t last) {
  return address <= last && address + count > first;
}

}  // namespace

VirtualPlc::VirtualPlc(const Description& description, const VirtualProgram::Setup& program,
                       std::unique_ptr<VirtualTruck> truck, Clock& clock, PlcFaults* faults)
    : coil_base_(description.plc.coil_base),
      registers_(description),
      program_setup_(program),
      program_(program),
      truck_(std::move(truck)),
      clock_(clock),
      faults_(faults),
      step_(duration_of(truck_->timestep())),
      stepped_(clock.now()) {
  truth_.put(truck_->state());
}

void VirtualPlc::advance() {
  const Instant now = clock_.now();
  if (stepped_ + step_ > now) return;
  stepped_ = std::max(stepped_, now - most_made_up);
  for (; stepped_ + step_ <= now; stepped_ += step_) scan();
  truck_->look();
  truth_.put(truck_->state());
}

void VirtualPlc::scan() {
  const PlcTrip before = program_.tripped();
  const Axes torques = program_.scan(step_, truck_->state().speeds);
  if (!rest_.sleeps(torques, truck_->state(), step_)) {
    truck_->torques(torques);
    if (!truck_->step()) program_.trip(PlcTrip::physics);
  }
  if (program_.tripped() != before) clear_commands();
  running_ += step_;
  if (faults_ == nullptr || !faults_->heartbeat_frozen) beats_ = static_cast<std::uint16_t>(running_ / beat_period);
}

void VirtualPlc::restart() {
  rest_.wake();
  program_ = VirtualProgram(program_setup_);
  memory_ = {};
  running_ = Duration{0};
  beats_ = 0;
}

void VirtualPlc::clear_commands() { std::fill_n(memory_.begin(), registers::command_count, std::uint16_t{0}); }

// D16 to D23 and D25 as they are now.
void VirtualPlc::refresh() {
  memory_[registers::plc_heartbeat] = beats_;
  const std::span feedback = std::span(memory_).subspan<registers::feedback_start, registers::feedback_count>();
  if (faults_ != nullptr && faults_->feedback_frozen) return;
  registers_.feedback(truck_->state(), feedback);
  if (faults_ != nullptr && faults_->feedback_wild) std::ranges::fill(feedback, std::uint16_t{0x7fff});
}

// High words are those of the read before, as when a PLC copies while it is asked.
void VirtualPlc::tear(std::span<std::uint16_t, registers::feedback_count> words) {
  auto torn = reported_;
  std::ranges::copy(words, reported_.begin());
  for (std::size_t i = 1 - registers_.high_word(); i < torn.size(); i += 2) torn[i] = words[i];
  if (faults_ == nullptr || std::ranges::equal(torn, words) || !faults_->due(PlcFaults::torn_values)) return;
  std::ranges::copy(torn, words.begin());
}

std::bitset<8> VirtualPlc::conditions() const {
  const TruckState& state = truck_->state();
  std::bitset<8> bits;
  bits[0] = program_.tripped() != PlcTrip::none;
  for (std::size_t axis = 0; axis < axis_count; ++axis) bits[1 + axis] = program_.enabled(axis);
  bits[5] = program_.braking();
  bits[6] = std::abs(state.twist.vx) > moving_speed || std::abs(state.speeds[0]) > moving_speed ||
            std::abs(state.speeds[1]) > moving_speed;
  bits[7] = program_.tripped() == PlcTrip::physics;
  return bits;
}

std::optional<std::size_t> VirtualPlc::coil_at(std::uint16_t address, std::size_t count) const {
  for (const std::size_t first : {std::size_t{coil_base_}, std::size_t{0}})
    if (address >= first && address + count <= first + coils::count) return address - first;
  return std::nullopt;
}

Refusal VirtualPlc::read(modbus::BitKind kind, std::uint16_t address, modbus::Bits& into) {
  advance();
  if (kind == modbus::BitKind::discrete_input) {
    if (address + into.size() > condition_count) return ExceptionCode::illegal_address;
    const auto bits = conditions();
    for (std::size_t i = 0; i < into.size(); ++i) into.assign(i, bits[address + i]);
    return {};
  }
  const auto first = coil_at(address, into.size());
  if (!first) return ExceptionCode::illegal_address;
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::size_t coil = *first + i;
    into.assign(i, coil == coils::error_reset ? program_.reset_level() : program_.enabled(coil - coils::first_enable));
  }
  return {};
}

Refusal VirtualPlc::read(modbus::WordKind kind, std::uint16_t address, std::span<std::uint16_t> into) {
  advance();
  if (kind == modbus::WordKind::input && address >= truth::start) {
    if (address + into.size() > truth::start + truth::count) return ExceptionCode::illegal_address;
    std::array<std::uint16_t, truth::count> all{};
    registers_.truth(truck_->state(), all);
    std::copy_n(all.begin() + (address - truth::start), into.size(), into.begin());
    return {};
  }
  const std::size_t size = kind == modbus::WordKind::input ? registers::count : memory_size;
  if (address + into.size() > size) return ExceptionCode::illegal_address;
  if (touches(address, into.size(), registers::feedback_start, registers::plc_heartbeat)) refresh();
  std::copy_n(memory_.begin() + address, into.size(), into.begin());
  if (address <= registers::feedback_start &&
      address + into.size() >= registers::feedback_start + registers::feedback_count)
    tear(
        into.subspan(static_cast<std::size_t>(registers::feedback_start - address)).first<registers::feedback_count>());
  return {};
}

Refusal VirtualPlc::write(std::uint16_t address, const modbus::Bits& values) {
  advance();
  const auto first = coil_at(address, values.size());
  if (!first) return ExceptionCode::illegal_address;
  for (std::size_t i = 0; faults_ != nullptr && i < values.size(); ++i)
    if (faults_->refused_coil == static_cast<int>(*first + i)) return ExceptionCode::device_failure;
  rest_.wake();
  for (std::size_t i = 0; i < values.size(); ++i) write_coil(*first + i, values[i]);
  return {};
}

void VirtualPlc::write_coil(std::size_t coil, bool value) {
  if (coil == coils::error_reset) return program_.reset(value);
  if (value && !program_.any_enabled() && program_.stale()) clear_commands();
  program_.enable(coil - coils::first_enable, value);
}

Refusal VirtualPlc::write(std::uint16_t address, std::span<const std::uint16_t> values) {
  advance();
  const std::size_t count = values.size();
  constexpr std::size_t last_feedback = registers::feedback_start + registers::feedback_count - 1;
  if (address + count > memory_size || touches(address, count, registers::feedback_start, last_feedback) ||
      touches(address, count, registers::plc_heartbeat, registers::plc_heartbeat))
    return ExceptionCode::illegal_address;
  const std::uint16_t beat = memory_[registers::bridge_heartbeat];
  std::ranges::copy(values, memory_.begin() + address);
  if (memory_[registers::bridge_heartbeat] != beat) program_.beat();
  if (touches(address, count, registers::command_start, registers::command_count - 1)) {
    rest_.wake();
    program_.command(registers_.commands(std::span(std::as_const(memory_)).first<registers::command_count>()));
  }
  return {};
}

Refusal VirtualPlc::exception_status(std::uint8_t& into) {
  advance();
  into = static_cast<std::uint8_t>(conditions().to_ulong());
  return {};
}

Refusal VirtualPlc::server_id(modbus::Octets& into) {
  into.resize(0);
  into.push_back(1);
  into.push_back(0xff);  // it runs
  for (const char letter : server_text) into.push_back(static_cast<std::uint8_t>(letter));
  return {};
}

std::string_view VirtualPlc::identification(std::uint8_t object) const {
  switch (object) {
    case 0:
      return "Tandem";
    case 1:
      return "RaptorLift";
    case 2:
      return "1.0";
    case 4:
      return server_text;
    case 5:
      return "virtual";
    default:
      return {};
  }
}

}  // namespace tandem::raptorlift
