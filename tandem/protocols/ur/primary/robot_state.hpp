// SPDX-License-Identifier: Apache-2.0
// The sub-packages of a robot-state packet, number by number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur::primary {

struct RobotModeData {          // 0
  std::uint64_t timestamp = 0;  // microseconds
  bool connected = false, enabled = false, power_on = false, emergency_stopped = false, protective_stopped = false,
       program_running = false, program_paused = false;
  std::uint8_t robot_mode = 0, control_mode = 0;
  double target_speed_fraction = 0, speed_scaling = 0, target_speed_fraction_limit = 1;
};
struct JointData {  // 1, six of them
  double actual_q = 0, target_q = 0, actual_qd = 0;
  float current = 0, voltage = 0, motor_temperature = 0, micro_temperature = 0;
  std::uint8_t mode = 0;
};
struct ToolData {  // 2
  std::array<std::uint8_t, 2> analog_input_range{};
  std::array<double, 2> analog_input{};
  float voltage = 0;
  std::uint8_t output_voltage = 0;
  float current = 0, temperature = 0;
  std::uint8_t mode = 0;
};
struct MasterboardData {  // 3
  std::uint32_t digital_inputs = 0, digital_outputs = 0;
  std::array<std::uint8_t, 2> analog_input_range{};
  std::array<double, 2> analog_input{};
  std::array<std::int8_t, 2> analog_output_domain{};
  std::array<double, 2> analog_output{};
  float temperature = 0, robot_voltage = 0, robot_current = 0, io_current = 0;
  std::uint8_t safety_mode = 0, reduced = 0;
  struct Euromap {
    std::uint32_t inputs = 0, outputs = 0;
    float voltage = 0, current = 0;
  };
  std::optional<Euromap> euromap;
  std::uint8_t operational_mode_selector = 0, three_position_enabling = 0;
};
struct CartesianInfo {  // 4
  Vector6 tcp_pose{}, tcp_offset{};
};
struct KinematicsInfo {  // 5, primary port only
  std::array<std::uint32_t, 6> checksum{};
  Vector6 theta{}, a{}, d{}, alpha{};  // Denavit-Hartenberg, calibrated
  std::uint32_t calibration_status = 0;
};
struct ConfigurationData {  // 6
  struct Range {
    double low = 0, high = 0;
  };
  struct Maximum {
    double speed = 0, acceleration = 0;
  };
  std::array<Range, 6> joint_range{};                                                               // rad
  std::array<Maximum, 6> joint_maximum{};                                                           // rad/s, rad/s^2
  double joint_speed = 1.05, joint_acceleration = 1.4, tool_speed = 0.25, tool_acceleration = 1.2;  // defaults
  double equivalent_radius = 0.5;
  Vector6 a{}, d{}, alpha{}, theta{};
  std::int32_t masterboard_version = 0, controller_box_type = 0;
  std::int32_t robot_type = 3;  // 1 UR5, 2 UR10, 3 UR3, 4 UR16, 7 UR20, 8 UR30
  std::int32_t robot_sub_type = 0;
};
struct ForceModeData {  // 7
  Vector6 wrench{};
  double dexterity = 0;
};
struct AdditionalInfo {  // 8
  bool freedrive_pressed = false, freedrive_enabled = false, io_freedrive_enabled = false;
};
struct CalibrationData {  // 9
  Vector6 wrench{};
};
struct SafetyData {  // 10, for UR's own use
  std::array<std::uint8_t, 38> body{};
};
struct ToolCommunication {  // 11
  bool enabled = false;
  std::int32_t baud_rate = 115200, parity = 0, stop_bits = 1;
  float rx_idle_characters = 1.5f, tx_idle_characters = 3.5f;
};
struct ToolModeInfo {  // 12
  std::uint8_t output_mode = 0;
  std::array<std::uint8_t, 2> digital_output_mode{};
};

// What one packet carries; any part may be missing.
struct RobotState {
  std::optional<RobotModeData> mode;
  std::optional<std::array<JointData, 6>> joints;
  std::optional<ToolData> tool;
  std::optional<MasterboardData> masterboard;
  std::optional<CartesianInfo> cartesian;
  std::optional<KinematicsInfo> kinematics;
  std::optional<ConfigurationData> configuration;
  std::optional<ForceModeData> force_mode;
  std::optional<AdditionalInfo> additional;
  std::optional<CalibrationData> calibration;
  std::optional<SafetyData> safety;
  std::optional<ToolCommunication> tool_communication;
  std::optional<ToolModeInfo> tool_mode;
};

// The sub-packages one after the other, without the packet's header. Unknown ones are passed over, longer ones are read
// as far as they are known, shorter ones are an error.
Result<RobotState> decode_sub_packages(Bytes body);
void encode_sub_packages(const RobotState& state, std::vector<std::uint8_t>& out);

// What never changes while a controller runs.
struct RobotDescription {
  KinematicsInfo kinematics;
  ConfigurationData configuration;
};

// The packet that the controller's state makes; `full` adds what only the primary port reports.
RobotState robot_state_from(const Variables& variables, const RobotDescription& description, bool full);

}  // namespace tandem::ur::primary
