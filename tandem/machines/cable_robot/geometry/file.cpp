// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/geometry/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tandem/base/nearest.hpp"
#include "tandem/kinematics/cable/design.hpp"
#include "tandem/machines/cable_robot/geometry/reader.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::cable_robot {
namespace {

// More than the YAML parser takes, so that it refuses what is longer.
constexpr std::size_t most_read = 257 * 1024;

Error file_problem(const yaml::Place& place, const std::string& text) {
  return {Fault::invalid, place.text() + ": " + text};
}

// What the numbers say together, reported where they are.
Result<cables::Robot> robot_of_reader(const GeometryReader& reader) {
  const cables::Design& design = reader.design();
  const yaml::Place at_points{reader.cable_place(0).file, reader.points()->line, 0};
  if (design.cables.size() >= cables::fewest_cables && design.cables.size() <= cables::most_cables) {
    for (std::size_t i = 0; i < design.cables.size(); ++i) {
      if (auto good = cables::check_cable(design, static_cast<int>(i)); !good)
        return file_problem(reader.cable_place(i), good.error().text);
    }
  }
  auto robot = cables::Robot::from(design);
  if (!robot) return file_problem(at_points, robot.error().text);
  return robot;
}

}  // namespace

Result<GeometryFile> geometry_from_text(std::string_view text, const std::string& file) {
  try {
    GeometryReader reader(file);
    const yaml::Node root = yaml::parse(text, file);
    reader.read(root);
    if (!reader.problems().empty()) throw yaml::FileError(reader.problems());
    auto robot = robot_of_reader(reader);
    if (!robot) return std::move(robot).error();
    return GeometryFile{std::move(*robot), reader.take_notes(), reader.fittings()};
  } catch (const yaml::FileError& error) {
    return Error{Fault::invalid, error.what()};
  }
}

Result<GeometryFile> geometry_from_file(const std::string& file) {
  const std::string shown = printable(file, 200);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (!opened)
    return Error{Fault::not_found, fmt::format("{}: expected a geometry file, got: {}", shown, std::strerror(errno))};
  std::string text(most_read, '\0');
  errno = 0;
  text.resize(std::fread(text.data(), 1, text.size(), opened.get()));
  if (std::ferror(opened.get()) != 0)
    return Error{Fault::invalid, fmt::format("{}: expected a geometry file, got: {}", shown, std::strerror(errno))};
  return geometry_from_text(text, shown);
}

Result<cables::Robot> robot_from_file(const std::string& file) {
  auto geometry = geometry_from_file(file);
  if (!geometry) return std::move(geometry).error();
  return std::move(geometry->robot);
}

}  // namespace tandem::cable_robot
