// SPDX-License-Identifier: Apache-2.0
// A URDF: links, joints and how they look. Metres, radians, kilograms, as URDF has them.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::generic {

struct UrdfVisual {
  machines::Shape shape = machines::Shape::box;
  std::array<double, 3> size{};  // as machines::Part has it
  Pose at = Pose::Identity();    // in the link
  std::string color;             // "#8a94a6"; empty: none given
  double opacity = 1;
  std::string mesh;                      // path of the file; empty: no mesh
  std::array<double, 3> scale{1, 1, 1};  // of the mesh; applied to `points` already
  std::vector<std::array<float, 3>> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

struct UrdfLink {
  std::string name;
  int line = 0;
  std::vector<UrdfVisual> visuals;
  double mass = 0;  // kg; 0: without inertial
};

struct UrdfJoint {
  enum class Type : std::uint8_t { fixed, prismatic, revolute, continuous };
  struct Mimic {
    std::size_t joint = 0;
    double multiplier = 1, offset = 0;
  };
  std::string name;
  int line = 0;
  Type type = Type::fixed;
  std::size_t parent = 0, child = 0;                // links
  Pose at = Pose::Identity();                       // in the parent, at position 0
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  // unit length, in the joint's frame
  std::optional<double> lower, upper;               // m or rad; continuous joints have none
  double velocity = 0;                              // m/s or rad/s; 0: none given
  std::optional<Mimic> mimic;

  bool moves() const { return type != Type::fixed; }
};
const char* name(UrdfJoint::Type type);

struct Urdf {
  std::string name;
  std::string text;  // the file, for /robot_description
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::size_t root = 0;            // the link without a parent
  std::vector<std::size_t> order;  // joints, each behind the one that carries its parent

  const UrdfJoint* find_joint(std::string_view called) const;
};

// Total: any bytes in, a tree of links or an error "FILE:LINE: ..." out. Refused: DTDs, xacro, package://, absolute
// paths and "..", more than 500 links, kinds of joints that have more than one axis. `file` is for messages and the
// folder of its meshes, which are not read.
Result<Urdf> urdf_from_text(std::string_view text, const std::string& file);
// With its meshes: STL and OBJ, at most 200,000 triangles each.
Result<Urdf> urdf_from_file(const std::string& file);

// Positions of all joints, mimic ones computed; NaN counts as 0.
std::vector<double> complete_positions(const Urdf& urdf, std::span<const double> positions);
// Where each link is in the root link. `positions` are one for each joint, in their order; fixed and mimic ones are
// not looked at.
std::vector<Pose> link_poses(const Urdf& urdf, std::span<const double> positions);

}  // namespace tandem::generic
