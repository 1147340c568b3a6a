// SPDX-License-Identifier: Apache-2.0
#include "tests/ros2/messages/constants.hpp"

#include <sstream>

#include "tandem/ros2/messages/action_msgs.hpp"
#include "tandem/ros2/messages/control_msgs.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/lifecycle_msgs.hpp"
#include "tandem/ros2/messages/mavros_msgs.hpp"
#include "tandem/ros2/messages/mavros_msgs_services.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/orb_slam3_msgs.hpp"
#include "tandem/ros2/messages/orca_msgs.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/service_msgs.hpp"
#include "tandem/ros2/messages/tandem_msgs.hpp"
#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/messages/ur_dashboard_msgs.hpp"
#include "tandem/ros2/messages/ur_dashboard_msgs_services.hpp"
#include "tandem/ros2/messages/ur_msgs.hpp"
#include "tandem/ros2/messages/visualization_msgs.hpp"

namespace tandem::ros2 {
namespace {

template <typename T>
std::string text_of(const T& value) {
  if constexpr (std::is_convertible_v<T, std::string_view>) {
    return std::string(value);
  } else {
    return std::to_string(static_cast<long>(value));
  }
}

template <typename... T>
std::vector<std::string> texts_of(const T&... values) {
  return {text_of(values)...};
}

// `names` is "A, B, C".
Constants constants_of(const std::string& names, const std::vector<std::string>& values) {
  Constants constants;
  std::istringstream stream(names);
  for (const std::string& value : values) {
    std::string name;
    std::getline(stream >> std::ws, name, ',');
    constants[name] = value;
  }
  return constants;
}

}  // namespace

// The names are seen from inside a class that inherits them, so that they are written once.
#define CONSTANTS(Type, ...)                                   \
  {                                                            \
    std::string(Type::type_name), [] {                         \
      struct Inside : Type {                                   \
        static auto values() { return texts_of(__VA_ARGS__); } \
      };                                                       \
      return constants_of(#__VA_ARGS__, Inside::values());     \
    }()                                                        \
  }

std::map<std::string, Constants> all_constants() {
  return {
      CONSTANTS(action_msgs::CancelGoal::Response, ERROR_NONE, ERROR_REJECTED, ERROR_UNKNOWN_GOAL_ID,
                ERROR_GOAL_TERMINATED),
      CONSTANTS(action_msgs::GoalStatus, STATUS_UNKNOWN, STATUS_ACCEPTED, STATUS_EXECUTING, STATUS_CANCELING,
                STATUS_SUCCEEDED, STATUS_CANCELED, STATUS_ABORTED),
      CONSTANTS(control_msgs::ExecuteMotionPrimitiveSequence::Result, SUCCESSFUL, INVALID_GOAL, OLD_HEADER_TIMESTAMP),
      CONSTANTS(control_msgs::FollowJointTrajectory::Result, SUCCESSFUL, INVALID_GOAL, INVALID_JOINTS,
                OLD_HEADER_TIMESTAMP, PATH_TOLERANCE_VIOLATED, GOAL_TOLERANCE_VIOLATED),
      CONSTANTS(control_msgs::MotionPrimitive, UNKNOWN, LINEAR_JOINT, LINEAR_CARTESIAN, CIRCULAR_CARTESIAN),
      CONSTANTS(diagnostic_msgs::DiagnosticStatus, OK, WARN, ERROR, STALE),
      CONSTANTS(lifecycle_msgs::State, PRIMARY_STATE_UNKNOWN, PRIMARY_STATE_UNCONFIGURED, PRIMARY_STATE_INACTIVE,
                PRIMARY_STATE_ACTIVE, PRIMARY_STATE_FINALIZED, TRANSITION_STATE_CONFIGURING,
                TRANSITION_STATE_CLEANINGUP, TRANSITION_STATE_SHUTTINGDOWN, TRANSITION_STATE_ACTIVATING,
                TRANSITION_STATE_DEACTIVATING, TRANSITION_STATE_ERRORPROCESSING),
      CONSTANTS(lifecycle_msgs::Transition, TRANSITION_CREATE, TRANSITION_CONFIGURE, TRANSITION_CLEANUP,
                TRANSITION_ACTIVATE, TRANSITION_DEACTIVATE, TRANSITION_UNCONFIGURED_SHUTDOWN,
                TRANSITION_INACTIVE_SHUTDOWN, TRANSITION_ACTIVE_SHUTDOWN, TRANSITION_DESTROY,
                TRANSITION_ON_CONFIGURE_SUCCESS, TRANSITION_ON_CONFIGURE_FAILURE, TRANSITION_ON_CONFIGURE_ERROR,
                TRANSITION_ON_CLEANUP_SUCCESS, TRANSITION_ON_CLEANUP_FAILURE, TRANSITION_ON_CLEANUP_ERROR,
                TRANSITION_ON_ACTIVATE_SUCCESS, TRANSITION_ON_ACTIVATE_FAILURE, TRANSITION_ON_ACTIVATE_ERROR,
                TRANSITION_ON_DEACTIVATE_SUCCESS, TRANSITION_ON_DEACTIVATE_FAILURE, TRANSITION_ON_DEACTIVATE_ERROR,
                TRANSITION_ON_SHUTDOWN_SUCCESS, TRANSITION_ON_SHUTDOWN_FAILURE, TRANSITION_ON_SHUTDOWN_ERROR,
                TRANSITION_ON_ERROR_SUCCESS, TRANSITION_ON_ERROR_FAILURE, TRANSITION_ON_ERROR_ERROR,
                TRANSITION_CALLBACK_SUCCESS, TRANSITION_CALLBACK_FAILURE, TRANSITION_CALLBACK_ERROR),
      CONSTANTS(mavros_msgs::AttitudeTarget, IGNORE_ROLL_RATE, IGNORE_PITCH_RATE, IGNORE_YAW_RATE, IGNORE_THRUST,
                IGNORE_ATTITUDE),
      CONSTANTS(mavros_msgs::ExtendedState, VTOL_STATE_UNDEFINED, VTOL_STATE_TRANSITION_TO_FW,
                VTOL_STATE_TRANSITION_TO_MC, VTOL_STATE_MC, VTOL_STATE_FW, LANDED_STATE_UNDEFINED,
                LANDED_STATE_ON_GROUND, LANDED_STATE_IN_AIR, LANDED_STATE_TAKEOFF, LANDED_STATE_LANDING),
      CONSTANTS(mavros_msgs::OverrideRCIn, CHAN_RELEASE, CHAN_NOCHANGE),
      CONSTANTS(mavros_msgs::PositionTarget, FRAME_LOCAL_NED, FRAME_LOCAL_OFFSET_NED, FRAME_BODY_NED,
                FRAME_BODY_OFFSET_NED, IGNORE_PX, IGNORE_PY, IGNORE_PZ, IGNORE_VX, IGNORE_VY, IGNORE_VZ, IGNORE_AFX,
                IGNORE_AFY, IGNORE_AFZ, FORCE, IGNORE_YAW, IGNORE_YAW_RATE),
      CONSTANTS(mavros_msgs::SetMode::Request, MAV_MODE_PREFLIGHT, MAV_MODE_STABILIZE_DISARMED,
                MAV_MODE_STABILIZE_ARMED, MAV_MODE_MANUAL_DISARMED, MAV_MODE_MANUAL_ARMED, MAV_MODE_GUIDED_DISARMED,
                MAV_MODE_GUIDED_ARMED, MAV_MODE_AUTO_DISARMED, MAV_MODE_AUTO_ARMED, MAV_MODE_TEST_DISARMED,
                MAV_MODE_TEST_ARMED),
      CONSTANTS(mavros_msgs::State, MODE_APM_PLANE_MANUAL, MODE_APM_PLANE_CIRCLE, MODE_APM_PLANE_STABILIZE,
                MODE_APM_PLANE_TRAINING, MODE_APM_PLANE_ACRO, MODE_APM_PLANE_FBWA, MODE_APM_PLANE_FBWB,
                MODE_APM_PLANE_CRUISE, MODE_APM_PLANE_AUTOTUNE, MODE_APM_PLANE_AUTO, MODE_APM_PLANE_RTL,
                MODE_APM_PLANE_LOITER, MODE_APM_PLANE_LAND, MODE_APM_PLANE_GUIDED, MODE_APM_PLANE_INITIALISING,
                MODE_APM_PLANE_QSTABILIZE, MODE_APM_PLANE_QHOVER, MODE_APM_PLANE_QLOITER, MODE_APM_PLANE_QLAND,
                MODE_APM_PLANE_QRTL, MODE_APM_COPTER_STABILIZE, MODE_APM_COPTER_ACRO, MODE_APM_COPTER_ALT_HOLD,
                MODE_APM_COPTER_AUTO),
      CONSTANTS(mavros_msgs::StatusText, EMERGENCY, ALERT, CRITICAL, ERROR, WARNING, NOTICE, INFO, DEBUG),
      CONSTANTS(mavros_msgs::StreamRate::Request, STREAM_ALL, STREAM_RAW_SENSORS, STREAM_EXTENDED_STATUS,
                STREAM_RC_CHANNELS, STREAM_RAW_CONTROLLER, STREAM_POSITION, STREAM_EXTRA1, STREAM_EXTRA2,
                STREAM_EXTRA3),
      CONSTANTS(mavros_msgs::VehicleInfo, HAVE_INFO_HEARTBEAT, HAVE_INFO_AUTOPILOT_VERSION),
      CONSTANTS(mavros_msgs::VehicleInfoGet::Request, GET_MY_SYSID, GET_MY_COMPID),
      CONSTANTS(mavros_msgs::Waypoint, FRAME_GLOBAL, FRAME_LOCAL_NED, FRAME_MISSION, FRAME_GLOBAL_REL_ALT,
                FRAME_LOCAL_ENU, FRAME_GLOBAL_INT, FRAME_GLOBAL_RELATIVE_ALT_INT, FRAME_LOCAL_OFFSET_NED,
                FRAME_BODY_NED, FRAME_BODY_OFFSET_NED, FRAME_GLOBAL_TERRAIN_ALT, FRAME_GLOBAL_TERRAIN_ALT_INT,
                FRAME_BODY_FRD, FRAME_RESERVED_13, FRAME_RESERVED_14, FRAME_RESERVED_15, FRAME_RESERVED_16,
                FRAME_RESERVED_17, FRAME_RESERVED_18, FRAME_RESERVED_19, FRAME_LOCAL_FRD, FRAME_LOCAL_FLU),
      CONSTANTS(nav_msgs::LoadMap::Response, RESULT_SUCCESS, RESULT_MAP_DOES_NOT_EXIST, RESULT_INVALID_MAP_DATA,
                RESULT_INVALID_MAP_METADATA, RESULT_UNDEFINED_FAILURE),
      CONSTANTS(orb_slam3_msgs::SlamStatus, TRACKING_SYSTEM_NOT_READY, TRACKING_NO_IMAGES_YET, TRACKING_NOT_INITIALIZED,
                TRACKING_OK, TRACKING_RECENTLY_LOST, TRACKING_LOST, TRACKING_OK_KLT),
      CONSTANTS(orca_msgs::BridgeStatus, WAIT_TRANSFORMS, WAIT_SONAR_RF, WAIT_EKF, WAIT_SLAM, OK_OUTLIER),
      CONSTANTS(orca_msgs::FilterStatus, EKF_ATTUDE, EKF_VELOCITY_HORIZ, EKF_VELOCITY_VERT, EKF_POS_HORIZ_REL,
                EKF_POS_HORIZ_ABS, EKF_POS_VERT_ABS, EKF_POS_VERT_AGL, EKF_CONST_POS_MODE, EKF_PRED_POS_HORIZ_REL,
                EKF_PRED_POS_HORIZ_ABS, EKF_UNINITIALIZED, EKF_GPS_GLITCHING),
      CONSTANTS(rcl_interfaces::ListParameters::Request, DEPTH_RECURSIVE),
      CONSTANTS(rcl_interfaces::Log, DEBUG, INFO, WARN, ERROR, FATAL),
      CONSTANTS(rcl_interfaces::LoggerLevel, LOG_LEVEL_UNKNOWN, LOG_LEVEL_DEBUG, LOG_LEVEL_INFO, LOG_LEVEL_WARN,
                LOG_LEVEL_ERROR, LOG_LEVEL_FATAL),
      CONSTANTS(rcl_interfaces::ParameterType, PARAMETER_NOT_SET, PARAMETER_BOOL, PARAMETER_INTEGER, PARAMETER_DOUBLE,
                PARAMETER_STRING, PARAMETER_BYTE_ARRAY, PARAMETER_BOOL_ARRAY, PARAMETER_INTEGER_ARRAY,
                PARAMETER_DOUBLE_ARRAY, PARAMETER_STRING_ARRAY),
      CONSTANTS(sensor_msgs::BatteryState, POWER_SUPPLY_STATUS_UNKNOWN, POWER_SUPPLY_STATUS_CHARGING,
                POWER_SUPPLY_STATUS_DISCHARGING, POWER_SUPPLY_STATUS_NOT_CHARGING, POWER_SUPPLY_STATUS_FULL,
                POWER_SUPPLY_HEALTH_UNKNOWN, POWER_SUPPLY_HEALTH_GOOD, POWER_SUPPLY_HEALTH_OVERHEAT,
                POWER_SUPPLY_HEALTH_DEAD, POWER_SUPPLY_HEALTH_OVERVOLTAGE, POWER_SUPPLY_HEALTH_UNSPEC_FAILURE,
                POWER_SUPPLY_HEALTH_COLD, POWER_SUPPLY_HEALTH_WATCHDOG_TIMER_EXPIRE,
                POWER_SUPPLY_HEALTH_SAFETY_TIMER_EXPIRE, POWER_SUPPLY_TECHNOLOGY_UNKNOWN, POWER_SUPPLY_TECHNOLOGY_NIMH,
                POWER_SUPPLY_TECHNOLOGY_LION, POWER_SUPPLY_TECHNOLOGY_LIPO, POWER_SUPPLY_TECHNOLOGY_LIFE,
                POWER_SUPPLY_TECHNOLOGY_NICD, POWER_SUPPLY_TECHNOLOGY_LIMN, POWER_SUPPLY_TECHNOLOGY_TERNARY,
                POWER_SUPPLY_TECHNOLOGY_VRLA),
      CONSTANTS(sensor_msgs::JoyFeedback, TYPE_LED, TYPE_RUMBLE, TYPE_BUZZER),
      CONSTANTS(sensor_msgs::NavSatFix, COVARIANCE_TYPE_UNKNOWN, COVARIANCE_TYPE_APPROXIMATED,
                COVARIANCE_TYPE_DIAGONAL_KNOWN, COVARIANCE_TYPE_KNOWN),
      CONSTANTS(sensor_msgs::NavSatStatus, STATUS_UNKNOWN, STATUS_NO_FIX, STATUS_FIX, STATUS_SBAS_FIX, STATUS_GBAS_FIX,
                SERVICE_UNKNOWN, SERVICE_GPS, SERVICE_GLONASS, SERVICE_COMPASS, SERVICE_GALILEO),
      CONSTANTS(sensor_msgs::PointField, INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64),
      CONSTANTS(sensor_msgs::Range, ULTRASOUND, INFRARED),
      CONSTANTS(service_msgs::ServiceEventInfo, REQUEST_SENT, REQUEST_RECEIVED, RESPONSE_SENT, RESPONSE_RECEIVED),
      CONSTANTS(tandem_msgs::FieldFrame, OPENED, IN, OUT, CLOSED, ENDED, BROKEN),
      CONSTANTS(tf2_msgs::TF2Error, NO_ERROR, LOOKUP_ERROR, CONNECTIVITY_ERROR, EXTRAPOLATION_ERROR,
                INVALID_ARGUMENT_ERROR, TIMEOUT_ERROR, TRANSFORM_ERROR),
      CONSTANTS(ur_dashboard_msgs::GenerateFlightReport::Request, CONTROLLER, SOFTWARE, SYSTEM),
      CONSTANTS(ur_dashboard_msgs::OperationalMode, MANUAL, AUTOMATIC),
      CONSTANTS(ur_dashboard_msgs::ProgramInformation, PROGRAM_STATE_DRAFT, PROGRAM_STATE_FINAL),
      CONSTANTS(ur_dashboard_msgs::ProgramState, STOPPED, PLAYING, PAUSED),
      CONSTANTS(ur_dashboard_msgs::RobotMode, NO_CONTROLLER, DISCONNECTED, CONFIRM_SAFETY, BOOTING, POWER_OFF, POWER_ON,
                IDLE, BACKDRIVE, RUNNING, UPDATING_FIRMWARE),
      CONSTANTS(ur_dashboard_msgs::SafetyMode, NORMAL, REDUCED, PROTECTIVE_STOP, RECOVERY, SAFEGUARD_STOP,
                SYSTEM_EMERGENCY_STOP, ROBOT_EMERGENCY_STOP, VIOLATION, FAULT, VALIDATE_JOINT_ID, UNDEFINED_SAFETY_MODE,
                AUTOMATIC_MODE_SAFEGUARD_STOP, SYSTEM_THREE_POSITION_ENABLING_STOP),
      CONSTANTS(ur_dashboard_msgs::SafetyStatus, NORMAL, REDUCED, PROTECTIVE_STOP, RECOVERY, SAFEGUARD_STOP,
                SYSTEM_EMERGENCY_STOP, ROBOT_EMERGENCY_STOP, VIOLATION, FAULT, VALIDATE_JOINT_ID, UNDEFINED_SAFETY_MODE,
                AUTOMATIC_MODE_SAFEGUARD_STOP, SYSTEM_THREE_POSITION_ENABLING_STOP, TP_THREE_POSITION_ENABLING_STOP,
                IMMI_EMERGENCY_STOP, IMMI_SAFEGUARD_STOP, PROFISAFE_WAITING_FOR_PARAMETERS,
                PROFISAFE_AUTOMATIC_MODE_SAFEGUARD_STOP, PROFISAFE_SAFEGUARD_STOP, PROFISAFE_EMERGENCY_STOP,
                SAFETY_API_SAFEGUARD_STOP, IO_PLANE_STOP),
      CONSTANTS(ur_dashboard_msgs::UserRole, PROGRAMMER, OPERATOR, NONE, LOCKED, RESTRICTED),
      CONSTANTS(ur_msgs::Analog, CURRENT, VOLTAGE),
      CONSTANTS(ur_msgs::SetIO::Request, PIN_AOUT0, PIN_AOUT1, PIN_DOUT0, PIN_DOUT1, PIN_DOUT2, PIN_DOUT3, PIN_DOUT4,
                PIN_DOUT5, PIN_DOUT6, PIN_DOUT7, PIN_CONF_OUT0, PIN_CONF_OUT1, PIN_CONF_OUT2, PIN_CONF_OUT3,
                PIN_CONF_OUT4, PIN_CONF_OUT5, PIN_CONF_OUT6, PIN_CONF_OUT7, PIN_TOOL_DOUT0, PIN_TOOL_DOUT1,
                FUN_SET_DIGITAL_OUT, FUN_SET_FLAG, FUN_SET_ANALOG_OUT, FUN_SET_TOOL_VOLTAGE),
      CONSTANTS(ur_msgs::ToolDataMsg, ANALOG_INPUT_RANGE_CURRENT, ANALOG_INPUT_RANGE_VOLTAGE, TOOL_BOOTLOADER_MODE,
                TOOL_RUNNING_MODE, TOOL_IDLE_MODE),
      CONSTANTS(visualization_msgs::ImageMarker, CIRCLE, LINE_STRIP, LINE_LIST, POLYGON, POINTS, ADD, REMOVE),
      CONSTANTS(visualization_msgs::InteractiveMarkerControl, INHERIT, FIXED, VIEW_FACING, NONE, MENU, BUTTON,
                MOVE_AXIS, MOVE_PLANE, ROTATE_AXIS, MOVE_ROTATE, MOVE_3D, ROTATE_3D, MOVE_ROTATE_3D),
      CONSTANTS(visualization_msgs::InteractiveMarkerFeedback, KEEP_ALIVE, POSE_UPDATE, MENU_SELECT, BUTTON_CLICK,
                MOUSE_DOWN, MOUSE_UP),
      CONSTANTS(visualization_msgs::InteractiveMarkerUpdate, KEEP_ALIVE, UPDATE),
      CONSTANTS(visualization_msgs::Marker, ARROW, CUBE, SPHERE, CYLINDER, LINE_STRIP, LINE_LIST, CUBE_LIST,
                SPHERE_LIST, POINTS, TEXT_VIEW_FACING, MESH_RESOURCE, TRIANGLE_LIST, ARROW_STRIP, ADD, MODIFY, DELETE,
                DELETEALL),
      CONSTANTS(visualization_msgs::MenuEntry, FEEDBACK, ROSRUN, ROSLAUNCH),
  };
}

}  // namespace tandem::ros2
