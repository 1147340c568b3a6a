// sensor_msgs: what sensors and joints report.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::sensor_msgs {

struct BatteryState {
  static constexpr std::string_view type_name = "sensor_msgs/msg/BatteryState";
  static constexpr auto fields() {
    return Fields{field("header", &BatteryState::header),
                  field("voltage", &BatteryState::voltage),
                  field("temperature", &BatteryState::temperature),
                  field("current", &BatteryState::current),
                  field("charge", &BatteryState::charge),
                  field("capacity", &BatteryState::capacity),
                  field("design_capacity", &BatteryState::design_capacity),
                  field("percentage", &BatteryState::percentage),
                  field("power_supply_status", &BatteryState::power_supply_status),
                  field("power_supply_health", &BatteryState::power_supply_health),
                  field("power_supply_technology", &BatteryState::power_supply_technology),
                  field("present", &BatteryState::present),
                  field("cell_voltage", &BatteryState::cell_voltage),
                  field("cell_temperature", &BatteryState::cell_temperature),
                  field("location", &BatteryState::location),
                  field("serial_number", &BatteryState::serial_number)};
  }

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
  bool operator==(const BatteryState&) const = default;
};

struct RegionOfInterest {
  static constexpr std::string_view type_name = "sensor_msgs/msg/RegionOfInterest";
  static constexpr auto fields() {
    return Fields{field("x_offset", &RegionOfInterest::x_offset), field("y_offset", &RegionOfInterest::y_offset),
                  field("height", &RegionOfInterest::height), field("width", &RegionOfInterest::width),
                  field("do_rectify", &RegionOfInterest::do_rectify)};
  }
  std::uint32_t x_offset = 0;
  std::uint32_t y_offset = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  bool do_rectify = false;
  bool operator==(const RegionOfInterest&) const = default;
};

struct CameraInfo {
  static constexpr std::string_view type_name = "sensor_msgs/msg/CameraInfo";
  static constexpr auto fields() {
    return Fields{field("header", &CameraInfo::header),
                  field("height", &CameraInfo::height),
                  field("width", &CameraInfo::width),
                  field("distortion_model", &CameraInfo::distortion_model),
                  field("d", &CameraInfo::d),
                  field("k", &CameraInfo::k),
                  field("r", &CameraInfo::r),
                  field("p", &CameraInfo::p),
                  field("binning_x", &CameraInfo::binning_x),
                  field("binning_y", &CameraInfo::binning_y),
                  field("roi", &CameraInfo::roi)};
  }
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
  bool operator==(const CameraInfo&) const = default;
};

struct ChannelFloat32 {
  static constexpr std::string_view type_name = "sensor_msgs/msg/ChannelFloat32";
  static constexpr auto fields() {
    return Fields{field("name", &ChannelFloat32::name), field("values", &ChannelFloat32::values)};
  }
  std::string name;
  std::vector<float> values;
  bool operator==(const ChannelFloat32&) const = default;
};

struct CompressedImage {
  static constexpr std::string_view type_name = "sensor_msgs/msg/CompressedImage";
  static constexpr auto fields() {
    return Fields{field("header", &CompressedImage::header), field("format", &CompressedImage::format),
                  field("data", &CompressedImage::data)};
  }
  std_msgs::Header header;
  std::string format;
  std::vector<std::uint8_t> data;
  bool operator==(const CompressedImage&) const = default;
};

struct FluidPressure {
  static constexpr std::string_view type_name = "sensor_msgs/msg/FluidPressure";
  static constexpr auto fields() {
    return Fields{field("header", &FluidPressure::header), field("fluid_pressure", &FluidPressure::fluid_pressure),
                  field("variance", &FluidPressure::variance)};
  }
  std_msgs::Header header;
  double fluid_pressure = 0.0;
  double variance = 0.0;
  bool operator==(const FluidPressure&) const = default;
};

struct Illuminance {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Illuminance";
  static constexpr auto fields() {
    return Fields{field("header", &Illuminance::header), field("illuminance", &Illuminance::illuminance),
                  field("variance", &Illuminance::variance)};
  }
  std_msgs::Header header;
  double illuminance = 0.0;
  double variance = 0.0;
  bool operator==(const Illuminance&) const = default;
};

struct Image {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Image";
  static constexpr auto fields() {
    return Fields{field("header", &Image::header),
                  field("height", &Image::height),
                  field("width", &Image::width),
                  field("encoding", &Image::encoding),
                  field("is_bigendian", &Image::is_bigendian),
                  field("step", &Image::step),
                  field("data", &Image::data)};
  }
  std_msgs::Header header;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string encoding;
  std::uint8_t is_bigendian = 0;
  std::uint32_t step = 0;
  std::vector<std::uint8_t> data;
  bool operator==(const Image&) const = default;
};

struct Imu {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Imu";
  static constexpr auto fields() {
    return Fields{field("header", &Imu::header),
                  field("orientation", &Imu::orientation),
                  field("orientation_covariance", &Imu::orientation_covariance),
                  field("angular_velocity", &Imu::angular_velocity),
                  field("angular_velocity_covariance", &Imu::angular_velocity_covariance),
                  field("linear_acceleration", &Imu::linear_acceleration),
                  field("linear_acceleration_covariance", &Imu::linear_acceleration_covariance)};
  }
  std_msgs::Header header;
  geometry_msgs::Quaternion orientation;
  std::array<double, 9> orientation_covariance{};
  geometry_msgs::Vector3 angular_velocity;
  std::array<double, 9> angular_velocity_covariance{};
  geometry_msgs::Vector3 linear_acceleration;
  std::array<double, 9> linear_acceleration_covariance{};
  bool operator==(const Imu&) const = default;
};

struct JointState {
  static constexpr std::string_view type_name = "sensor_msgs/msg/JointState";
  static constexpr auto fields() {
    return Fields{field("header", &JointState::header), field("name", &JointState::name),
                  field("position", &JointState::position), field("velocity", &JointState::velocity),
                  field("effort", &JointState::effort)};
  }
  std_msgs::Header header;
  std::vector<std::string> name;
  std::vector<double> position;
  std::vector<double> velocity;
  std::vector<double> effort;
  bool operator==(const JointState&) const = default;
};

struct Joy {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Joy";
  static constexpr auto fields() {
    return Fields{field("header", &Joy::header), field("axes", &Joy::axes), field("buttons", &Joy::buttons)};
  }
  std_msgs::Header header;
  std::vector<float> axes;
  std::vector<std::int32_t> buttons;
  bool operator==(const Joy&) const = default;
};

struct JoyFeedback {
  static constexpr std::string_view type_name = "sensor_msgs/msg/JoyFeedback";
  static constexpr auto fields() {
    return Fields{field("type", &JoyFeedback::type), field("id", &JoyFeedback::id),
                  field("intensity", &JoyFeedback::intensity)};
  }

  static constexpr std::uint8_t TYPE_LED = 0;
  static constexpr std::uint8_t TYPE_RUMBLE = 1;
  static constexpr std::uint8_t TYPE_BUZZER = 2;

  std::uint8_t type = 0;
  std::uint8_t id = 0;
  float intensity = 0.0F;
  bool operator==(const JoyFeedback&) const = default;
};

struct JoyFeedbackArray {
  static constexpr std::string_view type_name = "sensor_msgs/msg/JoyFeedbackArray";
  static constexpr auto fields() { return Fields{field("array", &JoyFeedbackArray::array)}; }
  std::vector<JoyFeedback> array;
  bool operator==(const JoyFeedbackArray&) const = default;
};

struct LaserEcho {
  static constexpr std::string_view type_name = "sensor_msgs/msg/LaserEcho";
  static constexpr auto fields() { return Fields{field("echoes", &LaserEcho::echoes)}; }
  std::vector<float> echoes;
  bool operator==(const LaserEcho&) const = default;
};

struct LaserScan {
  static constexpr std::string_view type_name = "sensor_msgs/msg/LaserScan";
  static constexpr auto fields() {
    return Fields{field("header", &LaserScan::header),
                  field("angle_min", &LaserScan::angle_min),
                  field("angle_max", &LaserScan::angle_max),
                  field("angle_increment", &LaserScan::angle_increment),
                  field("time_increment", &LaserScan::time_increment),
                  field("scan_time", &LaserScan::scan_time),
                  field("range_min", &LaserScan::range_min),
                  field("range_max", &LaserScan::range_max),
                  field("ranges", &LaserScan::ranges),
                  field("intensities", &LaserScan::intensities)};
  }
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
  bool operator==(const LaserScan&) const = default;
};

struct MagneticField {
  static constexpr std::string_view type_name = "sensor_msgs/msg/MagneticField";
  static constexpr auto fields() {
    return Fields{field("header", &MagneticField::header), field("magnetic_field", &MagneticField::magnetic_field),
                  field("magnetic_field_covariance", &MagneticField::magnetic_field_covariance)};
  }
  std_msgs::Header header;
  geometry_msgs::Vector3 magnetic_field;
  std::array<double, 9> magnetic_field_covariance{};
  bool operator==(const MagneticField&) const = default;
};

struct MultiDOFJointState {
  static constexpr std::string_view type_name = "sensor_msgs/msg/MultiDOFJointState";
  static constexpr auto fields() {
    return Fields{field("header", &MultiDOFJointState::header), field("joint_names", &MultiDOFJointState::joint_names),
                  field("transforms", &MultiDOFJointState::transforms), field("twist", &MultiDOFJointState::twist),
                  field("wrench", &MultiDOFJointState::wrench)};
  }
  std_msgs::Header header;
  std::vector<std::string> joint_names;
  std::vector<geometry_msgs::Transform> transforms;
  std::vector<geometry_msgs::Twist> twist;
  std::vector<geometry_msgs::Wrench> wrench;
  bool operator==(const MultiDOFJointState&) const = default;
};

struct MultiEchoLaserScan {
  static constexpr std::string_view type_name = "sensor_msgs/msg/MultiEchoLaserScan";
  static constexpr auto fields() {
    return Fields{field("header", &MultiEchoLaserScan::header),
                  field("angle_min", &MultiEchoLaserScan::angle_min),
                  field("angle_max", &MultiEchoLaserScan::angle_max),
                  field("angle_increment", &MultiEchoLaserScan::angle_increment),
                  field("time_increment", &MultiEchoLaserScan::time_increment),
                  field("scan_time", &MultiEchoLaserScan::scan_time),
                  field("range_min", &MultiEchoLaserScan::range_min),
                  field("range_max", &MultiEchoLaserScan::range_max),
                  field("ranges", &MultiEchoLaserScan::ranges),
                  field("intensities", &MultiEchoLaserScan::intensities)};
  }
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
  bool operator==(const MultiEchoLaserScan&) const = default;
};

struct NavSatStatus {
  static constexpr std::string_view type_name = "sensor_msgs/msg/NavSatStatus";
  static constexpr auto fields() {
    return Fields{field("status", &NavSatStatus::status, -2.0), field("service", &NavSatStatus::service)};
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
  static constexpr auto fields() {
    return Fields{field("header", &NavSatFix::header),
                  field("status", &NavSatFix::status),
                  field("latitude", &NavSatFix::latitude),
                  field("longitude", &NavSatFix::longitude),
                  field("altitude", &NavSatFix::altitude),
                  field("position_covariance", &NavSatFix::position_covariance),
                  field("position_covariance_type", &NavSatFix::position_covariance_type)};
  }

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
  bool operator==(const NavSatFix&) const = default;
};

struct PointCloud {
  static constexpr std::string_view type_name = "sensor_msgs/msg/PointCloud";
  static constexpr auto fields() {
    return Fields{field("header", &PointCloud::header), field("points", &PointCloud::points),
                  field("channels", &PointCloud::channels)};
  }
  std_msgs::Header header;
  std::vector<geometry_msgs::Point32> points;
  std::vector<ChannelFloat32> channels;
  bool operator==(const PointCloud&) const = default;
};

struct PointField {
  static constexpr std::string_view type_name = "sensor_msgs/msg/PointField";
  static constexpr auto fields() {
    return Fields{field("name", &PointField::name), field("offset", &PointField::offset),
                  field("datatype", &PointField::datatype), field("count", &PointField::count)};
  }

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
  bool operator==(const PointField&) const = default;
};

struct PointCloud2 {
  static constexpr std::string_view type_name = "sensor_msgs/msg/PointCloud2";
  static constexpr auto fields() {
    return Fields{field("header", &PointCloud2::header),
                  field("height", &PointCloud2::height),
                  field("width", &PointCloud2::width),
                  field("fields", &PointCloud2::point_fields),
                  field("is_bigendian", &PointCloud2::is_bigendian),
                  field("point_step", &PointCloud2::point_step),
                  field("row_step", &PointCloud2::row_step),
                  field("data", &PointCloud2::data),
                  field("is_dense", &PointCloud2::is_dense)};
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
  static constexpr auto fields() {
    return Fields{field("header", &Range::header),
                  field("radiation_type", &Range::radiation_type),
                  field("field_of_view", &Range::field_of_view),
                  field("min_range", &Range::min_range),
                  field("max_range", &Range::max_range),
                  field("range", &Range::range),
                  field("variance", &Range::variance)};
  }

  static constexpr std::uint8_t ULTRASOUND = 0;
  static constexpr std::uint8_t INFRARED = 1;

  std_msgs::Header header;
  std::uint8_t radiation_type = 0;
  float field_of_view = 0.0F;
  float min_range = 0.0F;
  float max_range = 0.0F;
  float range = 0.0F;
  float variance = 0.0F;
  bool operator==(const Range&) const = default;
};

struct RelativeHumidity {
  static constexpr std::string_view type_name = "sensor_msgs/msg/RelativeHumidity";
  static constexpr auto fields() {
    return Fields{field("header", &RelativeHumidity::header),
                  field("relative_humidity", &RelativeHumidity::relative_humidity),
                  field("variance", &RelativeHumidity::variance)};
  }
  std_msgs::Header header;
  double relative_humidity = 0.0;
  double variance = 0.0;
  bool operator==(const RelativeHumidity&) const = default;
};

struct Temperature {
  static constexpr std::string_view type_name = "sensor_msgs/msg/Temperature";
  static constexpr auto fields() {
    return Fields{field("header", &Temperature::header), field("temperature", &Temperature::temperature),
                  field("variance", &Temperature::variance)};
  }
  std_msgs::Header header;
  double temperature = 0.0;
  double variance = 0.0;
  bool operator==(const Temperature&) const = default;
};

struct TimeReference {
  static constexpr std::string_view type_name = "sensor_msgs/msg/TimeReference";
  static constexpr auto fields() {
    return Fields{field("header", &TimeReference::header), field("time_ref", &TimeReference::time_ref),
                  field("source", &TimeReference::source)};
  }
  std_msgs::Header header;
  builtin_interfaces::Time time_ref;
  std::string source;
  bool operator==(const TimeReference&) const = default;
};

struct SetCameraInfo {
  static constexpr std::string_view type_name = "sensor_msgs/srv/SetCameraInfo";
  struct Request {
    static constexpr std::string_view type_name = "sensor_msgs/srv/SetCameraInfo_Request";
    static constexpr auto fields() { return Fields{field("camera_info", &Request::camera_info)}; }
    CameraInfo camera_info;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "sensor_msgs/srv/SetCameraInfo_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("status_message", &Response::status_message)};
    }
    bool success = false;
    std::string status_message;
    bool operator==(const Response&) const = default;
  };
};

using Messages = Types<BatteryState, CameraInfo, ChannelFloat32, CompressedImage, FluidPressure, Illuminance, Image,
                       Imu, JointState, Joy, JoyFeedback, JoyFeedbackArray, LaserEcho, LaserScan, MagneticField,
                       MultiDOFJointState, MultiEchoLaserScan, NavSatFix, NavSatStatus, PointCloud, PointCloud2,
                       PointField, Range, RegionOfInterest, RelativeHumidity, Temperature, TimeReference>;
using Services = Types<SetCameraInfo>;
using Actions = Types<>;

}  // namespace tandem::ros2::sensor_msgs
