// SPDX-License-Identifier: Apache-2.0
// ur_dashboard_msgs: what may be asked of the dashboard server.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/messages/ur_dashboard_msgs.hpp"

namespace tandem::ros2::ur_dashboard_msgs {

struct AddToLog {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/AddToLog";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/AddToLog_Request";
    TANDEM_FIELDS(Request, message);
    std::string message;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/AddToLog_Response";
    TANDEM_FIELDS(Response, answer, success);
    std::string answer;
    bool success = false;
  };
};

struct DownloadProgram {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/DownloadProgram";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/DownloadProgram_Request";
    TANDEM_FIELDS(Request, program_name, target_path);
    std::string program_name;
    std::string target_path;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/DownloadProgram_Response";
    TANDEM_FIELDS(Response, answer, success);
    std::string answer;
    bool success = false;
  };
};

struct GenerateFlightReport {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GenerateFlightReport";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GenerateFlightReport_Request";
    TANDEM_FIELDS(Request, report_type);

    static constexpr std::string_view CONTROLLER = "controller";
    static constexpr std::string_view SOFTWARE = "software";
    static constexpr std::string_view SYSTEM = "system";

    std::string report_type;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GenerateFlightReport_Response";
    TANDEM_FIELDS(Response, success, answer, report_id);
    bool success = false;
    std::string answer;
    std::string report_id;
  };
};

struct GenerateSupportFile {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GenerateSupportFile";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GenerateSupportFile_Request";
    TANDEM_FIELDS(Request, dir_path);
    std::string dir_path;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GenerateSupportFile_Response";
    TANDEM_FIELDS(Response, success, answer, generated_file_name);
    bool success = false;
    std::string answer;
    std::string generated_file_name;
  };
};

struct GetLoadedProgram {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetLoadedProgram";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetLoadedProgram_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetLoadedProgram_Response";
    TANDEM_FIELDS(Response, answer, program_name, success);
    std::string answer;
    std::string program_name;
    bool success = false;
  };
};

struct GetOperationalMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetOperationalMode";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetOperationalMode_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetOperationalMode_Response";
    TANDEM_FIELDS(Response, success, answer, operational_mode);
    bool success = false;
    std::string answer;
    OperationalMode operational_mode;
  };
};

struct GetPolyScopeVersion {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetPolyScopeVersion";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetPolyScopeVersion_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetPolyScopeVersion_Response";
    TANDEM_FIELDS(Response, answer, success, version);
    std::string answer;
    bool success = false;
    VersionInformation version;
  };
};

struct GetProgramState {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetProgramState";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetProgramState_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetProgramState_Response";
    TANDEM_FIELDS(Response, state, program_name, answer, success);
    ProgramState state;
    std::string program_name;
    std::string answer;
    bool success = false;
  };
};

struct GetPrograms {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetPrograms";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetPrograms_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetPrograms_Response";
    TANDEM_FIELDS(Response, programs, answer, success);
    std::vector<ProgramInformation> programs;
    std::string answer;
    bool success = false;
  };
};

struct GetRobotMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetRobotMode";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetRobotMode_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetRobotMode_Response";
    TANDEM_FIELDS(Response, robot_mode, answer, success);
    RobotMode robot_mode;
    std::string answer;
    bool success = false;
  };
};

struct GetRobotModel {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetRobotModel";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetRobotModel_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetRobotModel_Response";
    TANDEM_FIELDS(Response, success, answer, robot_model);
    bool success = false;
    std::string answer;
    std::string robot_model;
  };
};

struct GetSafetyMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSafetyMode";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSafetyMode_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSafetyMode_Response";
    TANDEM_FIELDS(Response, safety_mode, answer, success);
    SafetyMode safety_mode;
    std::string answer;
    bool success = false;
  };
};

struct GetSafetyStatus {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSafetyStatus";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSafetyStatus_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSafetyStatus_Response";
    TANDEM_FIELDS(Response, answer, success, safety_status);
    std::string answer;
    bool success = false;
    SafetyStatus safety_status;
  };
};

struct GetSerialNumber {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSerialNumber";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSerialNumber_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetSerialNumber_Response";
    TANDEM_FIELDS(Response, serial_number, answer, success);
    std::uint64_t serial_number = 0;
    std::string answer;
    bool success = false;
  };
};

struct GetUserRole {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetUserRole";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetUserRole_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/GetUserRole_Response";
    TANDEM_FIELDS(Response, user_role, answer, success);
    UserRole user_role;
    std::string answer;
    bool success = false;
  };
};

struct IsInRemoteControl {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsInRemoteControl";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsInRemoteControl_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsInRemoteControl_Response";
    TANDEM_FIELDS(Response, answer, remote_control, success);
    std::string answer;
    bool remote_control = false;
    bool success = false;
  };
};

struct IsProgramRunning {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsProgramRunning";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsProgramRunning_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsProgramRunning_Response";
    TANDEM_FIELDS(Response, answer, program_running, success);
    std::string answer;
    bool program_running = false;
    bool success = false;
  };
};

struct IsProgramSaved {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsProgramSaved";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsProgramSaved_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/IsProgramSaved_Response";
    TANDEM_FIELDS(Response, answer, program_name, program_saved, success);
    std::string answer;
    std::string program_name;
    bool program_saved = false;
    bool success = false;
  };
};

struct Load {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/Load";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/Load_Request";
    TANDEM_FIELDS(Request, filename);
    std::string filename;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/Load_Response";
    TANDEM_FIELDS(Response, answer, success);
    std::string answer;
    bool success = false;
  };
};

struct Popup {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/Popup";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/Popup_Request";
    TANDEM_FIELDS(Request, message);
    std::string message;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/Popup_Response";
    TANDEM_FIELDS(Response, answer, success);
    std::string answer;
    bool success = false;
  };
};

struct RawRequest {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/RawRequest";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/RawRequest_Request";
    TANDEM_FIELDS(Request, query);
    std::string query;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/RawRequest_Response";
    TANDEM_FIELDS(Response, answer);
    std::string answer;
  };
};

struct SetOperationalMode {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/SetOperationalMode";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/SetOperationalMode_Request";
    TANDEM_FIELDS(Request, operational_mode);
    OperationalMode operational_mode;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/SetOperationalMode_Response";
    TANDEM_FIELDS(Response, answer, success);
    std::string answer;
    bool success = false;
  };
};

struct SetUserRole {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/SetUserRole";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/SetUserRole_Request";
    TANDEM_FIELDS(Request, user_role);
    UserRole user_role;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/SetUserRole_Response";
    TANDEM_FIELDS(Response, success, answer);
    bool success = false;
    std::string answer;
  };
};

struct UploadProgram {
  static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/UploadProgram";
  struct Request {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/UploadProgram_Request";
    TANDEM_FIELDS(Request, file_path);
    std::string file_path;
  };
  struct Response {
    static constexpr std::string_view type_name = "ur_dashboard_msgs/srv/UploadProgram_Response";
    TANDEM_FIELDS(Response, answer, program_name, success);
    std::string answer;
    std::string program_name;
    bool success = false;
  };
};

using Services =
    Types<AddToLog, DownloadProgram, GenerateFlightReport, GenerateSupportFile, GetLoadedProgram, GetOperationalMode,
          GetPolyScopeVersion, GetProgramState, GetPrograms, GetRobotMode, GetRobotModel, GetSafetyMode,
          GetSafetyStatus, GetSerialNumber, GetUserRole, IsInRemoteControl, IsProgramRunning, IsProgramSaved, Load,
          Popup, RawRequest, SetOperationalMode, SetUserRole, UploadProgram>;

}  // namespace tandem::ros2::ur_dashboard_msgs
