// SPDX-License-Identifier: Apache-2.0
// geometry_msgs: points, poses, velocities, forces. SI units, REP 103 axes.
#pragma once

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::geometry_msgs {

struct Vector3 {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Vector3";
  TANDEM_FIELDS(Vector3, x, y, z);
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

struct Accel {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Accel";
  TANDEM_FIELDS(Accel, linear, angular);
  Vector3 linear;
  Vector3 angular;
};

struct AccelStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/AccelStamped";
  TANDEM_FIELDS(AccelStamped, header, accel);
  std_msgs::Header header;
  Accel accel;
};

struct AccelWithCovariance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/AccelWithCovariance";
  TANDEM_FIELDS(AccelWithCovariance, accel, covariance);
  Accel accel;
  std::array<double, 36> covariance{};
};

struct AccelWithCovarianceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/AccelWithCovarianceStamped";
  TANDEM_FIELDS(AccelWithCovarianceStamped, header, accel);
  std_msgs::Header header;
  AccelWithCovariance accel;
};

struct Inertia {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Inertia";
  TANDEM_FIELDS(Inertia, m, com, ixx, ixy, ixz, iyy, iyz, izz);
  double m = 0.0;
  Vector3 com;
  double ixx = 0.0;
  double ixy = 0.0;
  double ixz = 0.0;
  double iyy = 0.0;
  double iyz = 0.0;
  double izz = 0.0;
};

struct InertiaStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/InertiaStamped";
  TANDEM_FIELDS(InertiaStamped, header, inertia);
  std_msgs::Header header;
  Inertia inertia;
};

struct Point {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Point";
  TANDEM_FIELDS(Point, x, y, z);
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

struct Point32 {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Point32";
  TANDEM_FIELDS(Point32, x, y, z);
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
};

struct PointStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PointStamped";
  TANDEM_FIELDS(PointStamped, header, point);
  std_msgs::Header header;
  Point point;
};

struct Polygon {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Polygon";
  TANDEM_FIELDS(Polygon, points);
  std::vector<Point32> points;
};

struct PolygonInstance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PolygonInstance";
  TANDEM_FIELDS(PolygonInstance, polygon, id);
  Polygon polygon;
  std::int64_t id = 0;
};

struct PolygonInstanceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PolygonInstanceStamped";
  TANDEM_FIELDS(PolygonInstanceStamped, header, polygon);
  std_msgs::Header header;
  PolygonInstance polygon;
};

struct PolygonStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PolygonStamped";
  TANDEM_FIELDS(PolygonStamped, header, polygon);
  std_msgs::Header header;
  Polygon polygon;
};

struct Quaternion {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Quaternion";
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, Quaternion, x, y, z), field("w", &Quaternion::w, 1.0)};
  }
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double w = 1.0;
  bool operator==(const Quaternion&) const = default;
};

struct Pose {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Pose";
  TANDEM_FIELDS(Pose, position, orientation);
  Point position;
  Quaternion orientation;
};

struct Pose2D {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Pose2D";
  TANDEM_FIELDS(Pose2D, x, y, theta);
  double x = 0.0;
  double y = 0.0;
  double theta = 0.0;
};

struct PoseArray {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseArray";
  TANDEM_FIELDS(PoseArray, header, poses);
  std_msgs::Header header;
  std::vector<Pose> poses;
};

struct PoseStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseStamped";
  TANDEM_FIELDS(PoseStamped, header, pose);
  std_msgs::Header header;
  Pose pose;
};

struct PoseWithCovariance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseWithCovariance";
  TANDEM_FIELDS(PoseWithCovariance, pose, covariance);
  Pose pose;
  std::array<double, 36> covariance{};
};

struct PoseWithCovarianceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/PoseWithCovarianceStamped";
  TANDEM_FIELDS(PoseWithCovarianceStamped, header, pose);
  std_msgs::Header header;
  PoseWithCovariance pose;
};

struct QuaternionStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/QuaternionStamped";
  TANDEM_FIELDS(QuaternionStamped, header, quaternion);
  std_msgs::Header header;
  Quaternion quaternion;
};

struct Transform {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Transform";
  TANDEM_FIELDS(Transform, translation, rotation);
  Vector3 translation;
  Quaternion rotation;
};

struct TransformStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TransformStamped";
  TANDEM_FIELDS(TransformStamped, header, child_frame_id, transform);
  std_msgs::Header header;
  std::string child_frame_id;
  Transform transform;
};

struct Twist {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Twist";
  TANDEM_FIELDS(Twist, linear, angular);
  Vector3 linear;
  Vector3 angular;
};

struct TwistStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TwistStamped";
  TANDEM_FIELDS(TwistStamped, header, twist);
  std_msgs::Header header;
  Twist twist;
};

struct TwistWithCovariance {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TwistWithCovariance";
  TANDEM_FIELDS(TwistWithCovariance, twist, covariance);
  Twist twist;
  std::array<double, 36> covariance{};
};

struct TwistWithCovarianceStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/TwistWithCovarianceStamped";
  TANDEM_FIELDS(TwistWithCovarianceStamped, header, twist);
  std_msgs::Header header;
  TwistWithCovariance twist;
};

struct Vector3Stamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Vector3Stamped";
  TANDEM_FIELDS(Vector3Stamped, header, vector);
  std_msgs::Header header;
  Vector3 vector;
};

struct VelocityStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/VelocityStamped";
  TANDEM_FIELDS(VelocityStamped, header, body_frame_id, reference_frame_id, velocity);
  std_msgs::Header header;
  std::string body_frame_id;
  std::string reference_frame_id;
  Twist velocity;
};

struct Wrench {
  static constexpr std::string_view type_name = "geometry_msgs/msg/Wrench";
  TANDEM_FIELDS(Wrench, force, torque);
  Vector3 force;
  Vector3 torque;
};

struct WrenchStamped {
  static constexpr std::string_view type_name = "geometry_msgs/msg/WrenchStamped";
  TANDEM_FIELDS(WrenchStamped, header, wrench);
  std_msgs::Header header;
  Wrench wrench;
};

using Messages = Types<Accel, AccelStamped, AccelWithCovariance, AccelWithCovarianceStamped, Inertia, InertiaStamped,
                       Point, Point32, PointStamped, Polygon, PolygonInstance, PolygonInstanceStamped, PolygonStamped,
                       Pose, Pose2D, PoseArray, PoseStamped, PoseWithCovariance, PoseWithCovarianceStamped, Quaternion,
                       QuaternionStamped, Transform, TransformStamped, Twist, TwistStamped, TwistWithCovariance,
                       TwistWithCovarianceStamped, Vector3, Vector3Stamped, VelocityStamped, Wrench, WrenchStamped>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::geometry_msgs
