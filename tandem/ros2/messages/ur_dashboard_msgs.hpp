// SPDX-License-Identifier: Apache-2.0
// ur_dashboard_msgs: the dashboard server of a Universal Robots arm.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::ur_dashboard_msgs {

struct OperationalMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/OperationalMode";
  TANDEM_FIELDS(OperationalMode, mode);

  static constexpr std::string_view MANUAL = "MANUAL";
  static constexpr std::string_view AUTOMATIC = "AUTOMATIC";

  std::string mode;
};

struct ProgramInformation {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/ProgramInformation";
  TANDEM_FIELDS(ProgramInformation, name, description, created_date, last_saved_date, last_modified_date,
                program_state);

  static constexpr std::string_view PROGRAM_STATE_DRAFT = "DRAFT";
  static constexpr std::string_view PROGRAM_STATE_FINAL = "FINAL";

  std::string name;
  std::string description;
  std::uint64_t created_date = 0;
  std::uint64_t last_saved_date = 0;
  std::uint64_t last_modified_date = 0;
  std::string program_state;
};

struct ProgramState {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/ProgramState";
  TANDEM_FIELDS(ProgramState, state);

  static constexpr std::string_view STOPPED = "STOPPED";
  static constexpr std::string_view PLAYING = "PLAYING";
  static constexpr std::string_view PAUSED = "PAUSED";

  std::string state;
};

struct RobotMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/RobotMode";
  TANDEM_FIELDS(RobotMode, mode);

  static constexpr std::int8_t NO_CONTROLLER = -1;
  static constexpr std::int8_t DISCONNECTED = 0;
  static constexpr std::int8_t CONFIRM_SAFETY = 1;
  static constexpr std::int8_t BOOTING = 2;
  static constexpr std::int8_t POWER_OFF = 3;
  static constexpr std::int8_t POWER_ON = 4;
  static constexpr std::int8_t IDLE = 5;
  static constexpr std::int8_t BACKDRIVE = 6;
  static constexpr std::int8_t RUNNING = 7;
  static constexpr std::int8_t UPDATING_FIRMWARE = 8;

  std::int8_t mode = 0;
};

struct SafetyMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/SafetyMode";
  TANDEM_FIELDS(SafetyMode, mode);

  static constexpr std::uint8_t NORMAL = 1;
  static constexpr std::uint8_t REDUCED = 2;
  static constexpr std::uint8_t PROTECTIVE_STOP = 3;
  static constexpr std::uint8_t RECOVERY = 4;
  static constexpr std::uint8_t SAFEGUARD_STOP = 5;
  static constexpr std::uint8_t SYSTEM_EMERGENCY_STOP = 6;
  static constexpr std::uint8_t ROBOT_EMERGENCY_STOP = 7;
  static constexpr std::uint8_t VIOLATION = 8;
  static constexpr std::uint8_t FAULT = 9;
  static constexpr std::uint8_t VALIDATE_JOINT_ID = 10;
  static constexpr std::uint8_t UNDEFINED_SAFETY_MODE = 11;
  static constexpr std::uint8_t AUTOMATIC_MODE_SAFEGUARD_STOP = 12;
  static constexpr std::uint8_t SYSTEM_THREE_POSITION_ENABLING_STOP = 13;

  std::uint8_t mode = 0;
};

struct SafetyStatus {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/SafetyStatus";
  TANDEM_FIELDS(SafetyStatus, status);

  static constexpr std::int8_t NORMAL = 1;
  static constexpr std::int8_t REDUCED = 2;
  static constexpr std::int8_t PROTECTIVE_STOP = 3;
  static constexpr std::int8_t RECOVERY = 4;
  static constexpr std::int8_t SAFEGUARD_STOP = 5;
  static constexpr std::int8_t SYSTEM_EMERGENCY_STOP = 6;
  static constexpr std::int8_t ROBOT_EMERGENCY_STOP = 7;
  static constexpr std::int8_t VIOLATION = 8;
  static constexpr std::int8_t FAULT = 9;
  static constexpr std::int8_t VALIDATE_JOINT_ID = 10;
  static constexpr std::int8_t UNDEFINED_SAFETY_MODE = 11;
  static constexpr std::int8_t AUTOMATIC_MODE_SAFEGUARD_STOP = 12;
  static constexpr std::int8_t SYSTEM_THREE_POSITION_ENABLING_STOP = 13;
  static constexpr std::int8_t TP_THREE_POSITION_ENABLING_STOP = 14;
  static constexpr std::int8_t IMMI_EMERGENCY_STOP = 15;
  static constexpr std::int8_t IMMI_SAFEGUARD_STOP = 16;
  static constexpr std::int8_t PROFISAFE_WAITING_FOR_PARAMETERS = 17;
  static constexpr std::int8_t PROFISAFE_AUTOMATIC_MODE_SAFEGUARD_STOP = 18;
  static constexpr std::int8_t PROFISAFE_SAFEGUARD_STOP = 19;
  static constexpr std::int8_t PROFISAFE_EMERGENCY_STOP = 20;
  static constexpr std::int8_t SAFETY_API_SAFEGUARD_STOP = 22;
  static constexpr std::int8_t IO_PLANE_STOP = 23;

  std::int8_t status = 0;
};

struct UserRole {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/UserRole";
  TANDEM_FIELDS(UserRole, role);

  static constexpr std::string_view PROGRAMMER = "PROGRAMMER";
  static constexpr std::string_view OPERATOR = "OPERATOR";
  static constexpr std::string_view NONE = "NONE";
  static constexpr std::string_view LOCKED = "LOCKED";
  static constexpr std::string_view RESTRICTED = "RESTRICTED";

  std::string role;
};

struct VersionInformation {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/msg/VersionInformation";
  TANDEM_FIELDS(VersionInformation, major, minor, bugfix, build);
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t bugfix = 0;
  std::uint32_t build = 0;
};

struct SetMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/action/SetMode";
  struct Goal {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/action/SetMode_Goal";
    TANDEM_FIELDS(Goal, target_robot_mode, stop_program, play_program);
    std::int8_t target_robot_mode = 0;
    bool stop_program = false;
    bool play_program = false;
  };
  struct Result {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/action/SetMode_Result";
    TANDEM_FIELDS(Result, success, message);
    bool success = false;
    std::string message;
  };
  struct Feedback {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/action/SetMode_Feedback";
    TANDEM_FIELDS(Feedback, current_robot_mode, current_safety_mode);
    std::int8_t current_robot_mode = 0;
    std::int8_t current_safety_mode = 0;
  };
};

using Messages = Types<OperationalMode, ProgramInformation, ProgramState, RobotMode, SafetyMode, SafetyStatus, UserRole,
                       VersionInformation>;
using Actions = Types<SetMode>;

}  // namespace tandem::ros2::ur_dashboard_msgs
