// Every message that we know, for tools and tests that go through all of them.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/rmw_dds_common.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/messages/visualization_msgs.hpp"

namespace tandem::ros2 {

using AllMessages = std::tuple<
    builtin_interfaces::Time, builtin_interfaces::Duration, diagnostic_msgs::KeyValue,
    diagnostic_msgs::DiagnosticStatus, diagnostic_msgs::DiagnosticArray, geometry_msgs::Vector3, geometry_msgs::Accel,
    geometry_msgs::AccelStamped, geometry_msgs::AccelWithCovariance, geometry_msgs::AccelWithCovarianceStamped,
    geometry_msgs::Inertia, geometry_msgs::InertiaStamped, geometry_msgs::Point, geometry_msgs::Point32,
    geometry_msgs::PointStamped, geometry_msgs::Polygon, geometry_msgs::PolygonStamped, geometry_msgs::Quaternion,
    geometry_msgs::Pose, geometry_msgs::Pose2D, geometry_msgs::PoseArray, geometry_msgs::PoseStamped,
    geometry_msgs::PoseWithCovariance, geometry_msgs::PoseWithCovarianceStamped, geometry_msgs::QuaternionStamped,
    geometry_msgs::Transform, geometry_msgs::TransformStamped, geometry_msgs::Twist, geometry_msgs::TwistStamped,
    geometry_msgs::TwistWithCovariance, geometry_msgs::TwistWithCovarianceStamped, geometry_msgs::Vector3Stamped,
    geometry_msgs::Wrench, geometry_msgs::WrenchStamped, rmw_dds_common::Gid, rmw_dds_common::NodeEntitiesInfo,
    rmw_dds_common::ParticipantEntitiesInfo, sensor_msgs::JointState, sensor_msgs::CompressedImage, std_msgs::Bool,
    std_msgs::Byte, std_msgs::MultiArrayDimension, std_msgs::MultiArrayLayout, std_msgs::ByteMultiArray, std_msgs::Char,
    std_msgs::ColorRGBA, std_msgs::Empty, std_msgs::Float32, std_msgs::Float32MultiArray, std_msgs::Float64,
    std_msgs::Float64MultiArray, std_msgs::Header, std_msgs::Int16, std_msgs::Int16MultiArray, std_msgs::Int32,
    std_msgs::Int32MultiArray, std_msgs::Int64, std_msgs::Int64MultiArray, std_msgs::Int8, std_msgs::Int8MultiArray,
    std_msgs::String, std_msgs::UInt16, std_msgs::UInt16MultiArray, std_msgs::UInt32, std_msgs::UInt32MultiArray,
    std_msgs::UInt64, std_msgs::UInt64MultiArray, std_msgs::UInt8, std_msgs::UInt8MultiArray, tf2_msgs::TFMessage,
    visualization_msgs::UVCoordinate, visualization_msgs::MeshFile, visualization_msgs::Marker,
    visualization_msgs::MarkerArray>;

}  // namespace tandem::ros2
