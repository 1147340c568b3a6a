// SPDX-License-Identifier: Apache-2.0
// sensor_msgs: what sensors and joints report.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::sensor_msgs {

struct BatteryState {
  static constexpr std::string_view type_name = "sensor_msgs/msg/BatteryState";
  TANDEM_FIELDS(BatteryState, header, voltage, temperature, current, charge, capacity, design_capacity, percentage,
                power_supply_status, power_supply_health, power_supply_technology, present, cell_voltage,
                cell_temperature, location, serial_number);

  static constexpr std::uint8_t POWER_SUPPLY_STATUS_UNKNOWN = 0;
  static constexpr std::uint8_t POWER_SUPPLY_STATUS_CHARGING = 1;
  static constexpr std::uint8_t POWER_SUPPLY_STATUS_DISCHARGING = 2;
  static constexpr std::uint8_t POWER_SUPPLY_STATUS_NOT_CHARGING = 3;
  static constexpr std::uint8_t POWER_SUPPLY_STATUS_FULL = 4;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_UNKNOWN = 0;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_GOOD = 1;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_OVERHEAT = 2;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_DEAD = 3;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_OVERVOLTAGE = 4;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_UNSPEC_FAILURE = 5;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_COLD = 6;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_WATCHDOG_TIMER_EXPIRE = 7;
  static constexpr std::uint8_t POWER_SUPPLY_HEALTH_SAFETY_TIMER_EXPIRE = 8;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_UNKNOWN = 0;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_NIMH = 1;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_LION = 2;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_LIPO = 3;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_LIFE = 4;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_NICD = 5;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_LIMN = 6;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_TERNARY = 7;
  static constexpr std::uint8_t POWER_SUPPLY_TECHNOLOGY_VRLA = 8;

  std_msgs::Header header;
  float voltage = 0.0F;
  float temperature = 0.0F;
  float current = 0.0F;
  float charge = 0.0F;
  float capacity = 0.0F;
  float design_capacity = 0.0F;
  float percentage = 0.0F;
  std::uint8_t power_supply_status = 0;
  std::uint8_t power_supply_health = 0;
  std::uint8_t power_supply_technology = 0;
  bool present = false;
  std::vector<float> cell_voltage;
  std::vector<float> cell_temperature;
  std::string location;
  std::string serial_number;
};

struct RegionOfInterest {
  static constexpr std::string_view type_name = "sensor_msgs/msg/RegionOfInterest";
  TANDEM_FIELDS(RegionOfInterest, x_offset, y_offset, height, width, do_rectify);
  std::uint32_t x_offset = 0;
  std::uint32_t y_offset = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  bool do_rectify = false;
};

struct CameraInfo {
  static constexpr std::string_view type_name = "sensor_msgs/msg/CameraInfo";
  TANDEM_FIELDS(CameraInfo, header, height, width, distortion_model, d, k, r, p, binning_x, binning_y, roi);
  std_msgs::Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string distortion_model;
  std::vector<double> d;
  std::array<double, 9> k{};
  std::array<double, 9> r{};
  std::array<double, 12> p{};
  std::uint32_t binning_x = 0;
  std::uint32_t binning_y = 0;
  RegionOfInterest roi;
};

struct ChannelFloat32 {
  static constexpr std::string_view type_name = "sensor_msgs/msg/ChannelFloat32";
  TANDEM_FIELDS(ChannelFloat32, name, values);
  std::string name;
  std::vector<float> values;
};

struct CompressedImage {
  static constexpr std::string_view type_name = "sensor_msgs/msg/CompressedImage";
  TANDEM_FIELDS(CompressedImage, header, format, data);
  std_msgs::Header header;
  std::string format;
  std::vector<std::uint8_t> data;
};

struct FluidPressure {
  static constexpr std::string_view type_name = "sensor_msgs/msg/FluidPressure";
  TANDEM_FIELDS(FluidPressure, header, fluid_pressure, variance);
  std_msgs::Header header;
  double fluid_pressure = 0.0;
  double variance = 0.0;
};

struct Illuminance {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Illuminance";
  TANDEM_FIELDS(Illuminance, header, illuminance, variance);
  std_msgs::Header header;
  double illuminance = 0.0;
  double variance = 0.0;
};

struct Image {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Image";
  TANDEM_FIELDS(Image, header, height, width, encoding, is_bigendian, step, data);
  std_msgs::Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string encoding;
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 0;
  std::vector<std::uint8_t> data;
};

struct Imu {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Imu";
  TANDEM_FIELDS(Imu, header, orientation, orientation_covariance, angular_velocity, angular_velocity_covariance,
                linear_acceleration, linear_acceleration_covariance);
  std_msgs::Header header;
  geometry_msgs::Quaternion orientation;
  std::array<double, 9> orientation_covariance{};
  geometry_msgs::Vector3 angular_velocity;
  std::array<double, 9> angular_velocity_covariance{};
  geometry_msgs::Vector3 linear_acceleration;
  std::array<double, 9> linear_acceleration_covariance{};
};

struct JointState {
  static constexpr std::string_view type_name = "sensor_msgs/msg/JointState";
  TANDEM_FIELDS(JointState, header, name, position, velocity, effort);
  std_msgs::Header header;
  std::vector<std::string> name;
  std::vector<double> position;
  std::vector<double> velocity;
  std::vector<double> effort;
};

struct Joy {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Joy";
  TANDEM_FIELDS(Joy, header, axes, buttons);
  std_msgs::Header header;
  std::vector<float> axes;
  std::vector<std::int32_t> buttons;
};

struct JoyFeedback {
  static constexpr std::string_view type_name = "sensor_msgs/msg/JoyFeedback";
  TANDEM_FIELDS(JoyFeedback, type, id, intensity);

  static constexpr std::uint8_t TYPE_LED = 0;
  static constexpr std::uint8_t TYPE_RUMBLE = 1;
  static constexpr std::uint8_t TYPE_BUZZER = 2;

  std::uint8_t type = 0;
  std::uint8_t id = 0;
  float intensity = 0.0F;
};

struct JoyFeedbackArray {
  static constexpr std::string_view type_name = "sensor_msgs/msg/JoyFeedbackArray";
  TANDEM_FIELDS(JoyFeedbackArray, array);
  std::vector<JoyFeedback> array;
};

struct LaserEcho {
  static constexpr std::string_view type_name = "sensor_msgs/msg/LaserEcho";
  TANDEM_FIELDS(LaserEcho, echoes);
  std::vector<float> echoes;
};

struct LaserScan {
  static constexpr std::string_view type_name = "sensor_msgs/msg/LaserScan";
  TANDEM_FIELDS(LaserScan, header, angle_min, angle_max, angle_increment, time_increment, scan_time, range_min,
                range_max, ranges, intensities);
  std_msgs::Header header;
  float angle_min = 0.0F;
  float angle_max = 0.0F;
  float angle_increment = 0.0F;
  float time_increment = 0.0F;
  float scan_time = 0.0F;
  float range_min = 0.0F;
  float range_max = 0.0F;
  std::vector<float> ranges;
  std::vector<float> intensities;
};

struct MagneticField {
  static constexpr std::string_view type_name = "sensor_msgs/msg/MagneticField";
  TANDEM_FIELDS(MagneticField, header, magnetic_field, magnetic_field_covariance);
  std_msgs::Header header;
  geometry_msgs::Vector3 magnetic_field;
  std::array<double, 9> magnetic_field_covariance{};
};

struct MultiDOFJointState {
  static constexpr std::string_view type_name = "sensor_msgs/msg/MultiDOFJointState";
  TANDEM_FIELDS(MultiDOFJointState, header, joint_names, transforms, twist, wrench);
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<geometry_msgs::Transform> transforms;
  std::vector<geometry_msgs::Twist> twist;
  std::vector<geometry_msgs::Wrench> wrench;
};

struct MultiEchoLaserScan {
  static constexpr std::string_view type_name = "sensor_msgs/msg/MultiEchoLaserScan";
  TANDEM_FIELDS(MultiEchoLaserScan, header, angle_min, angle_max, angle_increment, time_increment, scan_time, range_min,
                range_max, ranges, intensities);
  std_msgs::Header header;
  float angle_min = 0.0F;
  float angle_max = 0.0F;
  float angle_increment = 0.0F;
  float time_increment = 0.0F;
  float scan_time = 0.0F;
  float range_min = 0.0F;
  float range_max = 0.0F;
  std::vector<LaserEcho> ranges;
  std::vector<LaserEcho> intensities;
};

struct NavSatStatus {
  static constexpr std::string_view type_name = "sensor_msgs/msg/NavSatStatus";
  static constexpr auto fields() {
    return Fields{field("status", &NavSatStatus::status, -2.0), TANDEM_EACH(field, NavSatStatus, service)};
  }

  static constexpr std::int8_t STATUS_UNKNOWN = -2;
  static constexpr std::int8_t STATUS_NO_FIX = -1;
  static constexpr std::int8_t STATUS_FIX = 0;
  static constexpr std::int8_t STATUS_SBAS_FIX = 1;
  static constexpr std::int8_t STATUS_GBAS_FIX = 2;
  static constexpr std::uint16_t SERVICE_UNKNOWN = 0;
  static constexpr std::uint16_t SERVICE_GPS = 1;
  static constexpr std::uint16_t SERVICE_GLONASS = 2;
  static constexpr std::uint16_t SERVICE_COMPASS = 4;
  static constexpr std::uint16_t SERVICE_GALILEO = 8;

  std::int8_t status = -2;
  std::uint16_t service = 0;
  bool operator==(const NavSatStatus&) const = default;
};

struct NavSatFix {
  static constexpr std::string_view type_name = "sensor_msgs/msg/NavSatFix";
  TANDEM_FIELDS(NavSatFix, header, status, latitude, longitude, altitude, position_covariance,
                position_covariance_type);

  static constexpr std::uint8_t COVARIANCE_TYPE_UNKNOWN = 0;
  static constexpr std::uint8_t COVARIANCE_TYPE_APPROXIMATED = 1;
  static constexpr std::uint8_t COVARIANCE_TYPE_DIAGONAL_KNOWN = 2;
  static constexpr std::uint8_t COVARIANCE_TYPE_KNOWN = 3;

  std_msgs::Header header;
  NavSatStatus status;
  double latitude = 0.0;
  double longitude = 0.0;
  double altitude = 0.0;
  std::array<double, 9> position_covariance{};
  std::uint8_t position_covariance_type = 0;
};

struct PointCloud {
  static constexpr std::string_view type_name = "sensor_msgs/msg/PointCloud";
  TANDEM_FIELDS(PointCloud, header, points, channels);
  std_msgs::Header header;
  std::vector<geometry_msgs::Point32> points;
  std::vector<ChannelFloat32> channels;
};

struct PointField {
  static constexpr std::string_view type_name = "sensor_msgs/msg/PointField";
  TANDEM_FIELDS(PointField, name, offset, datatype, count);

  static constexpr std::uint8_t INT8 = 1;
  static constexpr std::uint8_t UINT8 = 2;
  static constexpr std::uint8_t INT16 = 3;
  static constexpr std::uint8_t UINT16 = 4;
  static constexpr std::uint8_t INT32 = 5;
  static constexpr std::uint8_t UINT32 = 6;
  static constexpr std::uint8_t FLOAT32 = 7;
  static constexpr std::uint8_t FLOAT64 = 8;

  std::string name;
  std::uint32_t offset = 0;
  std::uint8_t datatype = 0;
  std::uint32_t count = 0;
};

struct PointCloud2 {
  static constexpr std::string_view type_name = "sensor_msgs/msg/PointCloud2";
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, PointCloud2, header, height, width), field("fields", &PointCloud2::point_fields),
                  TANDEM_EACH(field, PointCloud2, is_bigendian, point_step, row_step, data, is_dense)};
  }
  std_msgs::Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<PointField> point_fields;  // fields
  bool is_bigendian = false;
  std::uint32_t point_step = 0;
  std::uint32_t row_step = 0;
  std::vector<std::uint8_t> data;
  bool is_dense = false;
  bool operator==(const PointCloud2&) const = default;
};

struct Range {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Range";
  TANDEM_FIELDS(Range, header, radiation_type, field_of_view, min_range, max_range, range, variance);

  static constexpr std::uint8_t ULTRASOUND = 0;
  static constexpr std::uint8_t INFRARED = 1;

  std_msgs::Header header;
  std::uint8_t radiation_type = 0;
  float field_of_view = 0.0F;
  float min_range = 0.0F;
  float max_range = 0.0F;
  float range = 0.0F;
  float variance = 0.0F;
};

struct RelativeHumidity {
  static constexpr std::string_view type_name = "sensor_msgs/msg/RelativeHumidity";
  TANDEM_FIELDS(RelativeHumidity, header, relative_humidity, variance);
  std_msgs::Header header;
  double relative_humidity = 0.0;
  double variance = 0.0;
};

struct Temperature {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Temperature";
  TANDEM_FIELDS(Temperature, header, temperature, variance);
  std_msgs::Header header;
  double temperature = 0.0;
  double variance = 0.0;
};

struct TimeReference {
  static constexpr std::string_view type_name = "sensor_msgs/msg/TimeReference";
  TANDEM_FIELDS(TimeReference, header, time_ref, source);
  std_msgs::Header header;
  builtin_interfaces::Time time_ref;
  std::string source;
};

struct SetCameraInfo {
  static constexpr std::string_view type_name = "sensor_msgs/srv/SetCameraInfo";
  struct Request {
    static constexpr std::string_view type_name = "sensor_msgs/srv/SetCameraInfo_Request";
    TANDEM_FIELDS(Request, camera_info);
    CameraInfo camera_info;
  };
  struct Response {
    static constexpr std::string_view type_name = "sensor_msgs/srv/SetCameraInfo_Response";
    TANDEM_FIELDS(Response, success, status_message);
    bool success = false;
    std::string status_message;
  };
};

using Messages = Types<BatteryState, CameraInfo, ChannelFloat32, CompressedImage, FluidPressure, Illuminance, Image,
                       Imu, JointState, Joy, JoyFeedback, JoyFeedbackArray, LaserEcho, LaserScan, MagneticField,
                       MultiDOFJointState, MultiEchoLaserScan, NavSatFix, NavSatStatus, PointCloud, PointCloud2,
                       PointField, Range, RegionOfInterest, RelativeHumidity, Temperature, TimeReference>;
using Services = Types<SetCameraInfo>;
using Actions = Types<>;

}  // namespace tandem::ros2::sensor_msgs
