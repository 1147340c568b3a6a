// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/geometry/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tandem/base/nearest.hpp"
#include "tandem/kinematics/cable/design.hpp"
#include "tandem/kinematics/cable/frame.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::cable_robot {
namespace {

using yaml::Node;

constexpr std::string_view model_keys[] = {"points",    "platform",      "joints",       "name", "home",
                                           "stiffness", "pulley_radius", "cable_weight", "drum"};
constexpr std::string_view platform_keys[] = {"mass", "inertia", "inertial", "position",
                                              "size", "lower",   "upper",    "centre"};
// What the package draws or simulates with and we do not: left out without a word.
constexpr std::string_view drawn_keys[] = {"type", "visual", "color"};
constexpr std::size_t most_problems = 20;

bool is_one_of(std::string_view key, std::span<const std::string_view> known) {
  return std::find(known.begin(), known.end(), key) != known.end();
}

}  // namespace

yaml::Place GeometryReader::cable_place(std::size_t index) const {
  if (points_ == nullptr || index >= points_->items.size()) return {file_, 0, 0};
  return {file_, points_->items[index].line, points_->items[index].column};
}

void GeometryReader::problem(const Node& node, std::string text) {
  for (const auto& known : problems_) {
    if (known.place.line == node.line && known.text == text) return;  // a key that is looked up once more
  }
  if (problems_.size() < most_problems) problems_.push_back({{file_, node.line, node.column}, std::move(text)});
}

void GeometryReader::expected(const Node& node, const std::string& name, const std::string& what) {
  problem(node, fmt::format("{}: expected {}, got {}", name, what, yaml::seen(node)));
}

void GeometryReader::note(const Node& node, const std::string& text) {
  if (notes_.size() < most_problems) notes_.push_back(yaml::Place{file_, node.line, 0}.text() + ": " + text);
}

const Node* GeometryReader::find(const Node& map, std::string_view key) {
  const Node* found = nullptr;
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (map.keys[i].scalar != key) continue;
    if (found != nullptr) problem(map.keys[i], fmt::format("'{}' twice", key));
    if (found == nullptr) found = &map.items[i];
  }
  return found;
}

const Node* GeometryReader::find_map(const Node& map, std::string_view key, const std::string& name) {
  const Node* found = find(map, key);
  if (found == nullptr || found->kind == Node::Kind::map) return found;
  expected(*found, name, "keys with values");
  return nullptr;
}

void GeometryReader::ignore_others(const Node& map, const std::string& name, std::span<const std::string_view> known) {
  for (const Node& key : map.keys) {
    if (is_one_of(key.scalar, known) || is_one_of(key.scalar, drawn_keys)) continue;
    const std::string_view close = nearest(key.scalar, known);
    note(key, fmt::format("{}{}{} is not used{}", name, name.empty() ? "" : ".", printable(key.scalar),
                          close.empty() ? "" : fmt::format("; did you mean '{}'?", close)));
  }
}

bool GeometryReader::numbers(const Node& node, const std::string& name, std::span<double> values) {
  const std::string what = fmt::format("a list of {} numbers", values.size());
  if (node.kind != Node::Kind::sequence) {
    expected(node, name, what);
    return false;
  }
  if (node.items.size() != values.size()) {
    problem(node, fmt::format("{}: expected {}, got {}", name, what, node.items.size()));
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = yaml::number_from(node.items[i]);
    if (!value) {
      expected(node.items[i], fmt::format("{}[{}]", name, i), "a number");
      return false;
    }
    values[i] = *value;
  }
  return true;
}

bool GeometryReader::vector(const Node& node, const std::string& name, Eigen::Vector3d& value) {
  return numbers(node, name, {value.data(), 3});
}

void GeometryReader::number(const Node& map, std::string_view key, const std::string& name, double& value) {
  const Node* node = find(map, key);
  if (node == nullptr) return;
  const auto found = yaml::number_from(*node);
  if (found) value = *found;
  if (!found) expected(*node, name, "a number");
}

void GeometryReader::read(const Node& root) {
  if (root.kind != Node::Kind::map) return expected(root, "file", "keys with values, among them points and platform");
  const Node* inner = find_map(root, "model", "model");
  const bool nested = inner != nullptr && find(root, "points") == nullptr;
  const Node& model = nested ? *inner : root;
  if (nested) {
    constexpr std::string_view only[] = {"model"};
    ignore_others(root, "", only);
  }
  ignore_others(model, nested ? "model" : "", model_keys);
  const Node* points = find(model, "points");
  if (points == nullptr) return problem(model, "points: expected a list of cables with frame and platform, got none");
  read_points(*points);
  if (const Node* name = find(model, "name"); name != nullptr) {
    if (name->kind == Node::Kind::scalar) design_.name = name->scalar.substr(0, 100);
    if (name->kind != Node::Kind::scalar) expected(*name, "name", "a word");
  }
  const Node* platform = find_map(model, "platform", "platform");
  if (platform != nullptr) read_platform(*platform);
  if (platform == nullptr && problems_.empty())
    problem(model, "platform: expected keys with values, mass among them, got none");
  read_tensions(find_map(model, "joints", "joints"), model);
  number(model, "stiffness", "stiffness", design_.stiffness);
  read_home(model);
  read_fittings(model);
}

void GeometryReader::read_points(const Node& points) {
  points_ = &points;
  if (points.kind != Node::Kind::sequence)
    return expected(points, "points", "a list of cables with frame and platform");
  constexpr std::string_view keys[] = {"frame", "platform"};
  for (std::size_t i = 0; i < points.items.size(); ++i) {
    const Node& item = points.items[i];
    const std::string name = fmt::format("points[{}]", i);
    if (item.kind != Node::Kind::map) {
      expected(item, name, "frame and platform");
      continue;
    }
    ignore_others(item, name, keys);
    cables::Cable cable;
    for (const auto& [key, point] : {std::pair("frame", &cable.frame), std::pair("platform", &cable.platform)}) {
      const Node* node = find(item, key);
      const std::string full = name + "." + key;
      if (node == nullptr) {
        problem(item, full + ": expected a list of 3 numbers, got none");
      } else {
        vector(*node, full, *point);
      }
    }
    design_.cables.push_back(cable);
  }
}

void GeometryReader::read_platform(const Node& platform) {
  ignore_others(platform, "platform", platform_keys);
  if (find(platform, "mass") == nullptr) problem(platform, "platform.mass: expected a number of kg, got none");
  number(platform, "mass", "platform.mass", design_.mass);
  read_size(platform);
  read_inertia(platform);
  if (const Node* centre = find(platform, "centre"); centre != nullptr)
    vector(*centre, "platform.centre", design_.centre);
  if (const Node* position = find(platform, "position"); position != nullptr) read_position(*position);
}

void GeometryReader::read_size(const Node& platform) {
  if (const Node* size = find(platform, "size"); size != nullptr) {
    vector(*size, "platform.size", design_.size);
    return;
  }
  const Node *lower = find(platform, "lower"), *upper = find(platform, "upper");
  if (lower != nullptr && upper != nullptr) {
    Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = low;
    if (vector(*lower, "platform.lower", low) && vector(*upper, "platform.upper", high)) design_.size = high - low;
    return;
  }
  if (design_.cables.empty()) return;
  Eigen::Vector3d half = Eigen::Vector3d::Zero();
  for (const cables::Cable& cable : design_.cables) half = half.cwiseMax(cable.platform.cwiseAbs());
  design_.size = (2 * half).cwiseMax(0.02 * half.maxCoeff());
  note(platform, fmt::format("platform.size: missing, taken from its points: [{:g}, {:g}, {:g}] m", design_.size.x(),
                             design_.size.y(), design_.size.z()));
}

void GeometryReader::read_inertia(const Node& platform) {
  const Node *list = find(platform, "inertia"), *named = find_map(platform, "inertial", "platform.inertial");
  std::array<double, 6> values{};  // xx, yy, zz, xy, xz, yz
  if (list != nullptr) {
    if (!numbers(*list, "platform.inertia", values)) return;
  } else if (named != nullptr) {
    constexpr const char* keys[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    for (std::size_t i = 0; i < 6; ++i) number(*named, keys[i], std::string("platform.inertial.") + keys[i], values[i]);
  }
  if (std::all_of(values.begin(), values.end(), [](double value) { return value == 0; })) {
    design_.inertia = cables::box_inertia(design_.mass, design_.size);
    note(platform, "platform.inertia: missing or zero, taken as that of a solid box of its size");
    return;
  }
  const auto& [xx, yy, zz, xy, xz, yz] = values;
  design_.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
}

void GeometryReader::read_position(const Node& position) {
  placed_ = true;
  if (position.kind == Node::Kind::sequence) {
    std::array<double, 6> values{};
    const std::size_t count = position.items.size() == 6 ? 6 : 3;
    if (!numbers(position, "platform.position", {values.data(), count})) return;
    design_.home = {values[0], values[1], values[2]};
    if (values[3] != 0 || values[4] != 0 || values[5] != 0)
      note(position, "platform.position: rotation ignored; home is level, only the position is used");
    return;
  }
  if (position.kind != Node::Kind::map)
    return expected(position, "platform.position", "xyz and rpy, or a list of 3 numbers");
  const Node *xyz = find(position, "xyz"), *rpy = find(position, "rpy");
  if (xyz == nullptr) return problem(position, "platform.position.xyz: expected a list of 3 numbers, got none");
  vector(*xyz, "platform.position.xyz", design_.home);
  Eigen::Vector3d angles = Eigen::Vector3d::Zero();
  if (rpy != nullptr && vector(*rpy, "platform.position.rpy", angles) && !angles.isZero(0))
    note(*rpy, "platform.position.rpy: ignored; home is level, only the position is used");
}

void GeometryReader::read_tensions(const Node* joints, const Node& model) {
  const Node* actuated = joints != nullptr ? find_map(*joints, "actuated", "joints.actuated") : nullptr;
  const Node& where = actuated != nullptr ? *actuated : model;
  if (actuated != nullptr) {
    number(*actuated, "min", "joints.actuated.min", design_.tension.least);
    number(*actuated, "effort", "joints.actuated.effort", design_.tension.most);
  }
  if (actuated == nullptr || find(*actuated, "min") == nullptr)
    note(where, fmt::format("joints.actuated.min: missing, minimum tension taken as {:g} N", design_.tension.least));
  if (actuated == nullptr || find(*actuated, "effort") == nullptr)
    note(where, fmt::format("joints.actuated.effort: missing, maximum tension taken as {:g} N", design_.tension.most));
}

void GeometryReader::read_home(const Node& model) {
  if (const Node* home = find(model, "home"); home != nullptr) {
    vector(*home, "home", design_.home);
    return;
  }
  if (placed_ || design_.cables.empty()) return;
  const auto [low, high] = cables::frame_box(design_);
  design_.home = (low + high) / 2;
  note(model, fmt::format("platform.position: missing, home taken as the middle of the frame: [{:g}, {:g}, {:g}] m",
                          design_.home.x(), design_.home.y(), design_.home.z()));
}

void GeometryReader::read_fittings(const Node& model) {
  const auto bounded = [&](std::string_view key, double most, const char* unit, double& value) {
    number(model, key, std::string(key), value);
    if (!(value >= 0 && value <= most))
      expected(*find(model, key), std::string(key), fmt::format("0 to {:g} {}", most, unit));
  };
  bounded("pulley_radius", 100, "m", fittings_.pulley_radius);
  bounded("cable_weight", 1e5, "N/m", fittings_.cable_weight);
  if (fittings_.pulley_radius > 0 && fittings_.cable_weight > 0)
    problem(*find(model, "cable_weight"),
            "cable_weight: expected no pulley_radius, got both; sag is solved for cables without pulleys only");
  const Node* node = find_map(model, "drum", "drum");
  if (node == nullptr) return;
  constexpr std::string_view keys[] = {"radius", "pitch"};
  ignore_others(*node, "drum", keys);
  if (find(*node, "radius") == nullptr) problem(*node, "drum.radius: expected a number of m, got none");
  cables::Drum drum;
  number(*node, "radius", "drum.radius", drum.radius);
  number(*node, "pitch", "drum.pitch", drum.pitch);
  if (const auto good = cables::check_drum(drum); !good) problem(*node, good.error().text);
  fittings_.drum = drum;
}

}  // namespace tandem::cable_robot
