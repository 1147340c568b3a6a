// geometry_msgs: points, poses, velocities, forces. SI units, REP 103 axes.
#pragma once

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::geometry_msgs {

struct Vector3 {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Vector3";
  static constexpr auto fields() {
    return Fields{field("x", &Vector3::x), field("y", &Vector3::y), field("z", &Vector3::z)};
  }
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  bool operator==(const Vector3&) const = default;
};

struct Accel {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Accel";
  static constexpr auto fields() { return Fields{field("linear", &Accel::linear), field("angular", &Accel::angular)}; }
  Vector3 linear;
  Vector3 angular;
  bool operator==(const Accel&) const = default;
};

struct AccelStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/AccelStamped";
  static constexpr auto fields() {
    return Fields{field("header", &AccelStamped::header), field("accel", &AccelStamped::accel)};
  }
  std_msgs::Header header;
  Accel accel;
  bool operator==(const AccelStamped&) const = default;
};

struct AccelWithCovariance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/AccelWithCovariance";
  static constexpr auto fields() {
    return Fields{field("accel", &AccelWithCovariance::accel), field("covariance", &AccelWithCovariance::covariance)};
  }
  Accel accel;
  std::array<double, 36> covariance{};
  bool operator==(const AccelWithCovariance&) const = default;
};

struct AccelWithCovarianceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/AccelWithCovarianceStamped";
  static constexpr auto fields() {
    return Fields{field("header", &AccelWithCovarianceStamped::header),
                  field("accel", &AccelWithCovarianceStamped::accel)};
  }
  std_msgs::Header header;
  AccelWithCovariance accel;
  bool operator==(const AccelWithCovarianceStamped&) const = default;
};

struct Inertia {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Inertia";
  static constexpr auto fields() {
    return Fields{field("m", &Inertia::m),     field("com", &Inertia::com), field("ixx", &Inertia::ixx),
                  field("ixy", &Inertia::ixy), field("ixz", &Inertia::ixz), field("iyy", &Inertia::iyy),
                  field("iyz", &Inertia::iyz), field("izz", &Inertia::izz)};
  }
  double m = 0.0;
  Vector3 com;
  double ixx = 0.0;
  double ixy = 0.0;
  double ixz = 0.0;
  double iyy = 0.0;
  double iyz = 0.0;
  double izz = 0.0;
  bool operator==(const Inertia&) const = default;
};

struct InertiaStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/InertiaStamped";
  static constexpr auto fields() {
    return Fields{field("header", &InertiaStamped::header), field("inertia", &InertiaStamped::inertia)};
  }
  std_msgs::Header header;
  Inertia inertia;
  bool operator==(const InertiaStamped&) const = default;
};

struct Point {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Point";
  static constexpr auto fields() { return Fields{field("x", &Point::x), field("y", &Point::y), field("z", &Point::z)}; }
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  bool operator==(const Point&) const = default;
};

struct Point32 {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Point32";
  static constexpr auto fields() {
    return Fields{field("x", &Point32::x), field("y", &Point32::y), field("z", &Point32::z)};
  }
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
  bool operator==(const Point32&) const = default;
};

struct PointStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PointStamped";
  static constexpr auto fields() {
    return Fields{field("header", &PointStamped::header), field("point", &PointStamped::point)};
  }
  std_msgs::Header header;
  Point point;
  bool operator==(const PointStamped&) const = default;
};

struct Polygon {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Polygon";
  static constexpr auto fields() { return Fields{field("points", &Polygon::points)}; }
  std::vector<Point32> points;
  bool operator==(const Polygon&) const = default;
};

struct PolygonInstance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PolygonInstance";
  static constexpr auto fields() {
    return Fields{field("polygon", &PolygonInstance::polygon), field("id", &PolygonInstance::id)};
  }
  Polygon polygon;
  std::int64_t id = 0;
  bool operator==(const PolygonInstance&) const = default;
};

struct PolygonInstanceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PolygonInstanceStamped";
  static constexpr auto fields() {
    return Fields{field("header", &PolygonInstanceStamped::header), field("polygon", &PolygonInstanceStamped::polygon)};
  }
  std_msgs::Header header;
  PolygonInstance polygon;
  bool operator==(const PolygonInstanceStamped&) const = default;
};

struct PolygonStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PolygonStamped";
  static constexpr auto fields() {
    return Fields{field("header", &PolygonStamped::header), field("polygon", &PolygonStamped::polygon)};
  }
  std_msgs::Header header;
  Polygon polygon;
  bool operator==(const PolygonStamped&) const = default;
};

struct Quaternion {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Quaternion";
  static constexpr auto fields() {
    return Fields{field("x", &Quaternion::x), field("y", &Quaternion::y), field("z", &Quaternion::z),
                  field("w", &Quaternion::w, 1.0)};
  }
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double w = 1.0;
  bool operator==(const Quaternion&) const = default;
};

struct Pose {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Pose";
  static constexpr auto fields() {
    return Fields{field("position", &Pose::position), field("orientation", &Pose::orientation)};
  }
  Point position;
  Quaternion orientation;
  bool operator==(const Pose&) const = default;
};

struct Pose2D {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Pose2D";
  static constexpr auto fields() {
    return Fields{field("x", &Pose2D::x), field("y", &Pose2D::y), field("theta", &Pose2D::theta)};
  }
  double x = 0.0;
  double y = 0.0;
  double theta = 0.0;
  bool operator==(const Pose2D&) const = default;
};

struct PoseArray {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseArray";
  static constexpr auto fields() {
    return Fields{field("header", &PoseArray::header), field("poses", &PoseArray::poses)};
  }
  std_msgs::Header header;
  std::vector<Pose> poses;
  bool operator==(const PoseArray&) const = default;
};

struct PoseStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseStamped";
  static constexpr auto fields() {
    return Fields{field("header", &PoseStamped::header), field("pose", &PoseStamped::pose)};
  }
  std_msgs::Header header;
  Pose pose;
  bool operator==(const PoseStamped&) const = default;
};

struct PoseWithCovariance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseWithCovariance";
  static constexpr auto fields() {
    return Fields{field("pose", &PoseWithCovariance::pose), field("covariance", &PoseWithCovariance::covariance)};
  }
  Pose pose;
  std::array<double, 36> covariance{};
  bool operator==(const PoseWithCovariance&) const = default;
};

struct PoseWithCovarianceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseWithCovarianceStamped";
  static constexpr auto fields() {
    return Fields{field("header", &PoseWithCovarianceStamped::header), field("pose", &PoseWithCovarianceStamped::pose)};
  }
  std_msgs::Header header;
  PoseWithCovariance pose;
  bool operator==(const PoseWithCovarianceStamped&) const = default;
};

struct QuaternionStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/QuaternionStamped";
  static constexpr auto fields() {
    return Fields{field("header", &QuaternionStamped::header), field("quaternion", &QuaternionStamped::quaternion)};
  }
  std_msgs::Header header;
  Quaternion quaternion;
  bool operator==(const QuaternionStamped&) const = default;
};

struct Transform {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Transform";
  static constexpr auto fields() {
    return Fields{field("translation", &Transform::translation), field("rotation", &Transform::rotation)};
  }
  Vector3 translation;
  Quaternion rotation;
  bool operator==(const Transform&) const = default;
};

struct TransformStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TransformStamped";
  static constexpr auto fields() {
    return Fields{field("header", &TransformStamped::header),
                  field("child_frame_id", &TransformStamped::child_frame_id),
                  field("transform", &TransformStamped::transform)};
  }
  std_msgs::Header header;
  std::string child_frame_id;
  Transform transform;
  bool operator==(const TransformStamped&) const = default;
};

struct Twist {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Twist";
  static constexpr auto fields() { return Fields{field("linear", &Twist::linear), field("angular", &Twist::angular)}; }
  Vector3 linear;
  Vector3 angular;
  bool operator==(const Twist&) const = default;
};

struct TwistStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TwistStamped";
  static constexpr auto fields() {
    return Fields{field("header", &TwistStamped::header), field("twist", &TwistStamped::twist)};
  }
  std_msgs::Header header;
  Twist twist;
  bool operator==(const TwistStamped&) const = default;
};

struct TwistWithCovariance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TwistWithCovariance";
  static constexpr auto fields() {
    return Fields{field("twist", &TwistWithCovariance::twist), field("covariance", &TwistWithCovariance::covariance)};
  }
  Twist twist;
  std::array<double, 36> covariance{};
  bool operator==(const TwistWithCovariance&) const = default;
};

struct TwistWithCovarianceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TwistWithCovarianceStamped";
  static constexpr auto fields() {
    return Fields{field("header", &TwistWithCovarianceStamped::header),
                  field("twist", &TwistWithCovarianceStamped::twist)};
  }
  std_msgs::Header header;
  TwistWithCovariance twist;
  bool operator==(const TwistWithCovarianceStamped&) const = default;
};

struct Vector3Stamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Vector3Stamped";
  static constexpr auto fields() {
    return Fields{field("header", &Vector3Stamped::header), field("vector", &Vector3Stamped::vector)};
  }
  std_msgs::Header header;
  Vector3 vector;
  bool operator==(const Vector3Stamped&) const = default;
};

struct VelocityStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/VelocityStamped";
  static constexpr auto fields() {
    return Fields{field("header", &VelocityStamped::header), field("body_frame_id", &VelocityStamped::body_frame_id),
                  field("reference_frame_id", &VelocityStamped::reference_frame_id),
                  field("velocity", &VelocityStamped::velocity)};
  }
  std_msgs::Header header;
  std::string body_frame_id;
  std::string reference_frame_id;
  Twist velocity;
  bool operator==(const VelocityStamped&) const = default;
};

struct Wrench {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Wrench";
  static constexpr auto fields() { return Fields{field("force", &Wrench::force), field("torque", &Wrench::torque)}; }
  Vector3 force;
  Vector3 torque;
  bool operator==(const Wrench&) const = default;
};

struct WrenchStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/WrenchStamped";
  static constexpr auto fields() {
    return Fields{field("header", &WrenchStamped::header), field("wrench", &WrenchStamped::wrench)};
  }
  std_msgs::Header header;
  Wrench wrench;
  bool operator==(const WrenchStamped&) const = default;
};

using Messages = Types<Accel, AccelStamped, AccelWithCovariance, AccelWithCovarianceStamped, Inertia, InertiaStamped,
                       Point, Point32, PointStamped, Polygon, PolygonInstance, PolygonInstanceStamped, PolygonStamped,
                       Pose, Pose2D, PoseArray, PoseStamped, PoseWithCovariance, PoseWithCovarianceStamped, Quaternion,
                       QuaternionStamped, Transform, TransformStamped, Twist, TwistStamped, TwistWithCovariance,
                       TwistWithCovarianceStamped, Vector3, Vector3Stamped, VelocityStamped, Wrench, WrenchStamped>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::geometry_msgs
