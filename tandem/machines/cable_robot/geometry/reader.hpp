// SPDX-License-Identifier: Apache-2.0
// The sections of a geometry file, one after the other into a design. Only for geometry_file.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/kinematics/cable/robot.hpp"
#include "tandem/machines/cable_robot/geometry/fittings.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::cable_robot {

class GeometryReader {
 public:
  explicit GeometryReader(std::string file) : file_(std::move(file)) {}

  void read(const yaml::Node& root);
  const cables::Design& design() const { return design_; }
  const Fittings& fittings() const { return fittings_; }
  const std::vector<yaml::FileError::Problem>& problems() const { return problems_; }
  std::vector<std::string> take_notes() { return std::move(notes_); }
  const yaml::Node* points() const { return points_; }
  // Where the cable is in the file.
  yaml::Place cable_place(std::size_t index) const;

 private:
  void problem(const yaml::Node& node, std::string text);
  void expected(const yaml::Node& node, const std::string& name, const std::string& what);
  void note(const yaml::Node& node, const std::string& text);
  // The value of a key; null when it is absent. A key that is there twice is a problem.
  const yaml::Node* find(const yaml::Node& map, std::string_view key);
  const yaml::Node* find_map(const yaml::Node& map, std::string_view key, const std::string& name);
  void ignore_others(const yaml::Node& map, const std::string& name, std::span<const std::string_view> known);
  // False, and a problem, when there is something else than this many numbers.
  bool numbers(const yaml::Node& node, const std::string& name, std::span<double> values);
  bool vector(const yaml::Node& node, const std::string& name, Eigen::Vector3d& value);
  void number(const yaml::Node& map, std::string_view key, const std::string& name, double& value);

  void read_points(const yaml::Node& points);
  void read_platform(const yaml::Node& platform);
  void read_size(const yaml::Node& platform);
  void read_inertia(const yaml::Node& platform);
  void read_position(const yaml::Node& position);
  void read_tensions(const yaml::Node* joints, const yaml::Node& model);
  void read_home(const yaml::Node& model);
  void read_fittings(const yaml::Node& model);

  std::string file_;
  cables::Design design_;
  Fittings fittings_;
  std::vector<yaml::FileError::Problem> problems_;
  std::vector<std::string> notes_;
  const yaml::Node* points_ = nullptr;
  bool placed_ = false;  // home is known
};

}  // namespace tandem::cable_robot
