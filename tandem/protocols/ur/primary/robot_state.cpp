// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/robot_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <type_traits>

namespace tandem::ur::primary {
namespace {

constexpr std::size_t sub_header = 5;  // i32 length of the whole sub-package, u8 type

class Reads {
 public:
  explicit Reads(Bytes bytes) : reader_(bytes) {}
  template <typename... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  void reserved(std::size_t count) { reader_.skip(count); }
  // Bytes at the end that some software does not send.
  void trailing(std::size_t count) { reader_.skip(std::min(count, reader_.remaining())); }
  // As many bytes as there are.
  void opaque(std::span<std::uint8_t> bytes) {
    for (std::uint8_t& byte : bytes)
      if (reader_.remaining() > 0) byte = reader_.byte();
  }
  bool presence(bool) { return reader_.byte() != 0; }
  bool ok() const { return reader_.ok(); }

 private:
  void one(bool& value) { value = reader_.byte() != 0; }
  template <Wire T>
  void one(T& value) {
    value = reader_.big<T>();
  }
  template <typename T, std::size_t count>
  void one(std::array<T, count>& values) {
    for (T& value : values) one(value);
  }

  ByteReader reader_;
};

class Writes {
 public:
  explicit Writes(std::vector<std::uint8_t>& out) : writer_(out) {}
  template <typename... T>
  void operator()(const T&... values) {
    (one(values), ...);
  }
  void reserved(std::size_t count) { writer_.zeros(count); }
  void trailing(std::size_t count) { writer_.zeros(count); }
  void opaque(Bytes bytes) { writer_.bytes(bytes); }
  bool presence(bool present) {
    writer_.byte(present ? 1 : 0);
    return present;
  }

 private:
  void one(bool value) { writer_.byte(value ? 1 : 0); }
  template <Wire T>
  void one(T value) {
    writer_.big(value);
  }
  template <typename T, std::size_t count>
  void one(const std::array<T, count>& values) {
    for (const T& value : values) one(value);
  }

  ByteWriter writer_;
};

template <typename T, typename As>
concept Is = std::is_same_v<std::remove_const_t<T>, As>;

// One description per sub-package, for both directions.
void fields_of(auto& walk, Is<RobotModeData> auto& d) {
  walk(d.timestamp, d.connected, d.enabled, d.power_on, d.emergency_stopped, d.protective_stopped, d.program_running,
       d.program_paused, d.robot_mode, d.control_mode, d.target_speed_fraction, d.speed_scaling,
       d.target_speed_fraction_limit);
  walk.trailing(1);
}
void fields_of(auto& walk, Is<std::array<JointData, 6>> auto& joints) {
  for (auto& d : joints)
    walk(d.actual_q, d.target_q, d.actual_qd, d.current, d.voltage, d.motor_temperature, d.micro_temperature, d.mode);
}
void fields_of(auto& walk, Is<ToolData> auto& d) {
  walk(d.analog_input_range, d.analog_input, d.voltage, d.output_voltage, d.current, d.temperature, d.mode);
}
void fields_of(auto& walk, Is<MasterboardData> auto& d) {
  walk(d.digital_inputs, d.digital_outputs, d.analog_input_range, d.analog_input, d.analog_output_domain,
       d.analog_output, d.temperature, d.robot_voltage, d.robot_current, d.io_current, d.safety_mode, d.reduced);
  if (walk.presence(d.euromap.has_value())) {
    MasterboardData::Euromap euromap = d.euromap.value_or(MasterboardData::Euromap{});
    walk(euromap.inputs, euromap.outputs, euromap.voltage, euromap.current);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(d)>>) d.euromap = euromap;
  }
  walk.reserved(4);
  walk(d.operational_mode_selector, d.three_position_enabling);
  walk.trailing(1);
}
void fields_of(auto& walk, Is<CartesianInfo> auto& d) { walk(d.tcp_pose, d.tcp_offset); }
void fields_of(auto& walk, Is<KinematicsInfo> auto& d) {
  walk(d.checksum, d.theta, d.a, d.d, d.alpha, d.calibration_status);
}
void fields_of(auto& walk, Is<ConfigurationData> auto& d) {
  for (auto& range : d.joint_range) walk(range.low, range.high);
  for (auto& maximum : d.joint_maximum) walk(maximum.speed, maximum.acceleration);
  walk(d.joint_speed, d.joint_acceleration, d.tool_speed, d.tool_acceleration, d.equivalent_radius, d.a, d.d, d.alpha,
       d.theta, d.masterboard_version, d.controller_box_type, d.robot_type, d.robot_sub_type);
}
void fields_of(auto& walk, Is<ForceModeData> auto& d) { walk(d.wrench, d.dexterity); }
void fields_of(auto& walk, Is<AdditionalInfo> auto& d) {
  walk(d.freedrive_pressed, d.freedrive_enabled, d.io_freedrive_enabled);
  walk.trailing(1);
}
void fields_of(auto& walk, Is<CalibrationData> auto& d) { walk(d.wrench); }
void fields_of(auto& walk, Is<SafetyData> auto& d) { walk.opaque(d.body); }
void fields_of(auto& walk, Is<ToolCommunication> auto& d) {
  walk(d.enabled, d.baud_rate, d.parity, d.stop_bits, d.rx_idle_characters, d.tx_idle_characters);
}
void fields_of(auto& walk, Is<ToolModeInfo> auto& d) { walk(d.output_mode, d.digital_output_mode); }

// Every part of a state in the order of its number.
template <typename State, typename Visit>
void each_part(State& s, Visit&& visit) {
  visit(0, s.mode);
  visit(1, s.joints);
  visit(2, s.tool);
  visit(3, s.masterboard);
  visit(4, s.cartesian);
  visit(5, s.kinematics);
  visit(6, s.configuration);
  visit(7, s.force_mode);
  visit(8, s.additional);
  visit(9, s.calibration);
  visit(10, s.safety);
  visit(11, s.tool_communication);
  visit(12, s.tool_mode);
}

}  // namespace

Result<RobotState> decode_sub_packages(Bytes body) {
  RobotState state;
  ByteReader reader(body);
  while (reader.remaining() > 0) {
    const auto size = reader.big<std::uint32_t>();
    const std::uint8_t type = reader.byte();
    if (!reader.ok() || size < sub_header || size - sub_header > reader.remaining())
      return Error{Fault::invalid, fmt::format("robot state: sub-package {} of {} bytes does not fit", type, size)};
    const Bytes content = reader.bytes(size - sub_header);
    bool ok = true;
    each_part(state, [&](int number, auto& part) {
      if (number != type) return;
      Reads walk(content);
      fields_of(walk, part.emplace());
      ok = walk.ok();
    });
    if (!ok)
      return Error{Fault::invalid, fmt::format("robot state: sub-package {} is too short with {} bytes", type, size)};
  }
  return state;
}

void encode_sub_packages(const RobotState& state, std::vector<std::uint8_t>& out) {
  each_part(state, [&out](int number, const auto& part) {
    if (!part) return;
    ByteWriter writer(out);
    const std::size_t begin = out.size();
    writer.zeros(4);
    writer.byte(static_cast<std::uint8_t>(number));
    Writes walk(out);
    fields_of(walk, *part);
    writer.big_at(begin, static_cast<std::uint32_t>(out.size() - begin));
  });
}

}  // namespace tandem::ur::primary
