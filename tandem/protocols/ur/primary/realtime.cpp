// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/realtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace tandem::ur {
namespace {

// By software: 3.0, 3.2, 3.5 and 5.0, 3.10 and 5.4, 3.14 and 5.9, 5.10.
constexpr std::array<std::size_t, 6> sizes{1044, 1060, 1108, 1116, 1140, 1220};

// Walks through the packet's fields in order. The same walk writes and reads, so the two cannot disagree.
template <typename State, typename Visit>
void walk(State& s, Visit&& visit) {
  visit(s.timestamp);
  for (auto* vector : {&s.target_q, &s.target_qd, &s.target_qdd, &s.target_current, &s.target_moment, &s.actual_q,
                       &s.actual_qd, &s.actual_current, &s.joint_control_output, &s.actual_tcp_pose,
                       &s.actual_tcp_speed, &s.actual_tcp_force, &s.target_tcp_pose, &s.target_tcp_speed})
    visit(*vector);
  visit.mask(s.actual_digital_input_bits);
  visit(s.joint_temperatures);
  visit(s.actual_execution_time);
  visit.reserved(1);  // test value
  visit.number(s.robot_mode);
  for (auto& mode : s.joint_mode) visit.number(mode);
  visit.number(s.safety_mode);
  visit.reserved(6);
  visit(s.actual_tool_accelerometer);
  visit.reserved(6);
  visit(s.speed_scaling);
  visit(s.actual_momentum);
  visit.reserved(2);
  visit(s.actual_main_voltage);
  visit(s.actual_robot_voltage);
  visit(s.actual_robot_current);
  visit(s.actual_joint_voltage);
  visit.number(s.actual_digital_output_bits);
  visit.number(s.runtime_state);
  visit(s.elbow_position);
  visit(s.elbow_velocity);
  visit.number(s.safety_status);
  visit.reserved(3);
  visit(s.payload);
  visit(s.payload_cog);
  visit(s.payload_inertia);
}

struct Write {
  ByteWriter& writer;
  void operator()(double value) { writer.big(value); }
  template <std::size_t count>
  void operator()(const std::array<double, count>& values) {
    for (const double value : values) writer.big(value);
  }
  void mask(std::uint64_t bits) { writer.big(bits); }
  template <typename T>
  void number(T value) {
    writer.big(static_cast<double>(value));
  }
  void reserved(std::size_t count) { writer.zeros(8 * count); }
};

// A number that does not fit its type becomes the nearest that does; no number becomes zero.
template <typename T>
T whole(double value) {
  if (std::isnan(value)) return T{};
  constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
  constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
  if (value <= low) return std::numeric_limits<T>::min();
  if (value >= high) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

struct Read {
  ByteReader& reader;
  void operator()(double& value) {
    if (reader.remaining() >= 8) value = reader.big<double>();
  }
  template <std::size_t count>
  void operator()(std::array<double, count>& values) {
    for (double& value : values) (*this)(value);
  }
  void mask(std::uint64_t& bits) {
    if (reader.remaining() >= 8) bits = reader.big<std::uint64_t>();
  }
  template <typename T>
  void number(T& value) {
    if (reader.remaining() < 8) return;
    if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(whole<std::underlying_type_t<T>>(reader.big<double>()));
    else
      value = whole<T>(reader.big<double>());
  }
  void reserved(std::size_t count) { reader.skip(std::min(8 * count, reader.remaining())); }
};

}  // namespace

void encode_realtime(const ControllerState& state, std::vector<std::uint8_t>& out) {
  ByteWriter writer(out);
  writer.big(static_cast<std::int32_t>(realtime_size));
  walk(state, Write{writer});
}

Result<void> decode_realtime(Bytes packet, ControllerState& into) {
  ByteReader reader(packet);
  const auto size = reader.big<std::uint32_t>();
  if (!reader.ok() || size != packet.size())
    return Error{Fault::invalid,
                 fmt::format("real-time packet: expected {} bytes by its length, got {}", size, packet.size())};
  // Newer software appends, and keeps what is there.
  if (size < realtime_size && std::ranges::find(sizes, size) == sizes.end())
    return Error{Fault::invalid, fmt::format("real-time packet: unknown layout of {} bytes", size)};
  walk(into, Read{reader});
  return {};
}

void RealtimeSession::cycle(net::Outbox& out) {
  packet_.clear();
  encode_realtime(state_, packet_);
  out.send_newest(packet_);
}

}  // namespace tandem::ur
