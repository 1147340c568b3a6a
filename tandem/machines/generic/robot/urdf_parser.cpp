// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/robot/urdf.hpp"
#include "tandem/machines/generic/text_file.hpp"
#include "tandem/xml/tree.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_links = 500;
constexpr std::size_t most_visuals = 100;  // of a link
constexpr double largest_number = 1e6;     // of any number: metres, radians, kilograms

using xml::Element;

// Reads one file; the first error ends it.
class UrdfReader {
 public:
  UrdfReader(const std::string& file) : file_(file) {}

  Result<Urdf> read(const Element& root, std::string_view text) {
    if (root.name != "robot") return wrong(root.line, fmt::format("expected <robot>, got <{}>", printable(root.name)));
    urdf_.text = text;
    if (const auto* called = root.attribute("name")) urdf_.name = called->value;
    for (const Element& child : root.children) {
      if (child.name.starts_with("xacro:"))
        return wrong(child.line, fmt::format("expected a URDF, got xacro (<{}>); run: xacro FILE.xacro > FILE.urdf",
                                             printable(child.name)));
      if (child.name == "material") read_material(child);
      if (child.name == "link") read_link(child);
      if (failed_) return *failed_;
    }
    for (const Element& child : root.children) {
      if (child.name == "joint") read_joint(child);
      if (failed_) return *failed_;
    }
    connect_mimics(root);
    if (!failed_) connect_tree(root);
    if (failed_) return *failed_;
    return std::move(urdf_);
  }

 private:
  Error wrong(int line, const std::string& text) const {
    return {Fault::invalid, fmt::format("{}:{}: {}", file_, line, text)};
  }
  void fail(const Element& at, const std::string& text) {
    if (!failed_) failed_ = wrong(at.line, text);
  }

  // Exactly `values.size()` numbers; absent: the values stay.
  void take_numbers(const Element& element, std::string_view key, std::span<double> values) {
    const xml::Attribute* attribute = element.attribute(key);
    if (attribute == nullptr) return;
    std::string_view rest = attribute->value;
    std::size_t count = 0;
    bool good = true;
    while (good) {
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
      if (rest.empty()) break;
      if (rest.front() == '+') rest.remove_prefix(1);
      double value = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
      const std::size_t used = static_cast<std::size_t>(end - rest.data());
      good = error == std::errc() && std::isfinite(value) && std::fabs(value) <= largest_number &&
             count < values.size() &&
             (used == rest.size() || std::string_view(" \t\r\n").find(rest[used]) != std::string_view::npos);
      if (good) values[count++] = value;
      rest.remove_prefix(used);
    }
    if (!good || count != values.size())
      fail(element, fmt::format("{} of <{}>: expected {} {}, got '{}'", key, element.name,
                                values.size() == 1 ? "a" : std::to_string(values.size()),
                                values.size() == 1 ? "number" : "numbers", printable(attribute->value)));
  }
  double number(const Element& element, std::string_view key, double otherwise) {
    double value = otherwise;
    take_numbers(element, key, {&value, 1});
    return value;
  }
  std::string text(const Element& element, std::string_view key) {
    const xml::Attribute* attribute = element.attribute(key);
    if (attribute != nullptr && !attribute->value.empty() && attribute->value.size() <= 200) return attribute->value;
    fail(element, fmt::format("expected {} of <{}> with 1 to 200 characters", key, printable(element.name)));
    return {};
  }

  Pose origin(const Element& parent) {
    const Element* element = parent.child("origin");
    if (element == nullptr) return Pose::Identity();
    std::array<double, 3> xyz{}, rpy{};
    take_numbers(*element, "xyz", xyz);
    take_numbers(*element, "rpy", rpy);
    return pose_from({xyz[0], xyz[1], xyz[2]}, rotation_from_rpy(rpy[0], rpy[1], rpy[2]));
  }

  struct Color {
    std::string text;
    double opacity = 1;
  };
  std::optional<Color> color(const Element& material) {
    const Element* element = material.child("color");
    if (element == nullptr) return std::nullopt;
    std::array<double, 4> rgba{0.5, 0.5, 0.5, 1};
    take_numbers(*element, "rgba", rgba);
    for (double& value : rgba) value = std::clamp(value, 0.0, 1.0);
    const auto byte = [](double value) { return static_cast<int>(std::lround(value * 255)); };
    return Color{fmt::format("#{:02x}{:02x}{:02x}", byte(rgba[0]), byte(rgba[1]), byte(rgba[2])), rgba[3]};
  }
  void read_material(const Element& material) {
    const auto* called = material.attribute("name");
    const auto own = color(material);
    if (called != nullptr && own) materials_[called->value] = *own;
  }

  void read_link(const Element& element) {
    UrdfLink link{text(element, "name"), element.line, {}, 0};
    if (failed_) return;
    if (urdf_.links.size() == most_links) return fail(element, fmt::format("expected at most {} links", most_links));
    if (!links_.emplace(link.name, urdf_.links.size()).second)
      return fail(element, fmt::format("link '{}' twice", printable(link.name)));
    for (const Element& child : element.children) {
      if (child.name == "visual") read_visual(child, link);
      if (failed_) return;
    }
    if (const Element* inertial = element.child("inertial")) {
      if (const Element* mass = inertial->child("mass")) link.mass = number(*mass, "value", 0);
      if (link.mass < 0) fail(*inertial, fmt::format("expected a mass from 0, got {} kg", link.mass));
    }
    urdf_.links.push_back(std::move(link));
  }

  void read_visual(const Element& element, UrdfLink& link) {
    if (link.visuals.size() == most_visuals)
      return fail(element, fmt::format("expected at most {} visuals of a link", most_visuals));
    UrdfVisual visual;
    visual.at = origin(element);
    if (const Element* material = element.child("material")) {
      std::optional<Color> own = color(*material);
      if (const auto* called = material->attribute("name"); called != nullptr && !own) {
        const auto known = materials_.find(called->value);
        if (known != materials_.end()) own = known->second;
      }
      if (own) visual.color = own->text, visual.opacity = own->opacity;
    }
    const Element* geometry = element.child("geometry");
    if (geometry == nullptr || geometry->children.size() != 1)
      return fail(element, "expected <geometry> with one shape in <visual>");
    read_shape(geometry->children.front(), visual);
    link.visuals.push_back(std::move(visual));
  }

  void read_shape(const Element& shape, UrdfVisual& visual) {
    if (shape.name == "box") {
      visual.shape = machines::Shape::box;
      take_numbers(shape, "size", visual.size);
      if (shape.attribute("size") == nullptr) fail(shape, "expected size of <box>");
    } else if (shape.name == "cylinder") {
      visual.shape = machines::Shape::cylinder;
      visual.size = {number(shape, "radius", -1), number(shape, "length", -1), 0};
    } else if (shape.name == "sphere") {
      visual.shape = machines::Shape::sphere;
      visual.size = {number(shape, "radius", -1), 0, 0};
    } else if (shape.name == "mesh") {
      visual.shape = machines::Shape::mesh;
      take_numbers(shape, "scale", visual.scale);
      visual.mesh = mesh_path(shape);
    } else {
      fail(shape, fmt::format("expected box, cylinder, sphere or mesh, got <{}>", printable(shape.name)));
    }
    if (std::any_of(visual.size.begin(), visual.size.end(), [](double value) { return value < 0; }))
      fail(shape, fmt::format("<{}>: expected sizes from 0", shape.name));
  }

  std::string mesh_path(const Element& mesh) {
    const std::string path = text(mesh, "filename");
    if (path.starts_with("package://")) {
      fail(mesh, fmt::format("mesh: expected a path relative to the URDF, got '{}'; copy the mesh beside the URDF",
                             printable(path)));
    } else if (path.find("://") != path.npos) {
      fail(mesh, fmt::format("mesh: expected a path relative to the URDF, got '{}'", printable(path)));
    } else if (std::filesystem::path(path).is_absolute()) {
      fail(mesh, fmt::format("mesh: expected a path relative to the URDF, got the absolute '{}'", printable(path)));
    }
    return beside(path, file_);
  }

  std::size_t link_of(const Element& joint, std::string_view key) {
    const Element* element = joint.child(key);
    if (element == nullptr) return fail(joint, fmt::format("expected <{}> in <joint>", key)), 0;
    const std::string called = text(*element, "link");
    const auto known = links_.find(called);
    if (known != links_.end()) return known->second;
    fail(*element, fmt::format("{}: no link '{}'", key, printable(called)));
    return 0;
  }

  void read_joint(const Element& element) {
    UrdfJoint joint;
    joint.name = text(element, "name");
    joint.line = element.line;
    const std::string type = text(element, "type");
    if (failed_) return;
    using Type = UrdfJoint::Type;
    if (!joints_.emplace(joint.name, urdf_.joints.size()).second)
      return fail(element, fmt::format("joint '{}' twice", printable(joint.name)));
    constexpr std::array<Type, 4> types = {Type::fixed, Type::prismatic, Type::revolute, Type::continuous};
    const auto* known =
        std::find_if(types.begin(), types.end(), [&](Type each) { return generic::name(each) == type; });
    if (known == types.end())
      return fail(element, fmt::format("joint '{}': expected fixed, prismatic, revolute or continuous, got '{}'",
                                       printable(joint.name), printable(type)));
    joint.type = *known;
    joint.parent = link_of(element, "parent");
    joint.child = link_of(element, "child");
    joint.at = origin(element);
    if (joint.moves()) read_motion(element, joint);
    if (!failed_) urdf_.joints.push_back(std::move(joint));
  }

  void read_motion(const Element& element, UrdfJoint& joint) {
    std::array<double, 3> axis{1, 0, 0};
    if (const Element* given = element.child("axis")) take_numbers(*given, "xyz", axis);
    joint.axis = {axis[0], axis[1], axis[2]};
    if (joint.axis.norm() < 1e-6)
      return fail(element, fmt::format("joint '{}': expected an axis that is not zero", printable(joint.name)));
    joint.axis.normalize();
    const Element* limit = element.child("limit");
    if (limit != nullptr) joint.velocity = number(*limit, "velocity", 0);
    if (joint.type == UrdfJoint::Type::continuous) return;
    if (limit == nullptr)
      return fail(element, fmt::format("joint '{}': expected <limit> with lower and upper, as it is {}",
                                       printable(joint.name), generic::name(joint.type)));
    joint.lower = number(*limit, "lower", 0);
    joint.upper = number(*limit, "upper", 0);
    if (*joint.lower > *joint.upper)
      fail(*limit, fmt::format("joint '{}': expected lower <= upper, got {} and {}", printable(joint.name),
                               *joint.lower, *joint.upper));
  }

  void connect_mimics(const Element& root) {
    for (const Element& element : root.children) {
      const Element* mimic = element.name == "joint" ? element.child("mimic") : nullptr;
      if (mimic == nullptr || failed_) continue;
      UrdfJoint& joint = urdf_.joints[joints_.at(element.attribute("name")->value)];
      const std::string followed = text(*mimic, "joint");
      const auto known = joints_.find(followed);
      if (!joint.moves() || known == joints_.end() || &urdf_.joints[known->second] == &joint ||
          !urdf_.joints[known->second].moves())
        return fail(*mimic, fmt::format("joint '{}': expected another movable joint to mimic, got '{}'",
                                        printable(joint.name), printable(followed)));
      joint.mimic = UrdfJoint::Mimic{known->second, number(*mimic, "multiplier", 1), number(*mimic, "offset", 0)};
    }
    for (const UrdfJoint& joint : urdf_.joints) {
      if (joint.mimic && urdf_.joints[joint.mimic->joint].mimic)
        return fail(root, fmt::format("joint '{}': expected to mimic a joint that mimics none", printable(joint.name)));
    }
  }

  void connect_tree(const Element& root) {
    if (urdf_.links.empty()) return fail(root, "expected links, got none");
    std::vector<int> parents(urdf_.links.size(), 0);
    std::vector<std::vector<std::size_t>> below(urdf_.links.size());
    for (std::size_t i = 0; i < urdf_.joints.size(); ++i) {
      const UrdfJoint& joint = urdf_.joints[i];
      below[joint.parent].push_back(i);
      if (++parents[joint.child] > 1)
        return fail(
            root, fmt::format("link '{}': expected one parent, got several", printable(urdf_.links[joint.child].name)));
    }
    const auto first = std::find(parents.begin(), parents.end(), 0);
    if (first == parents.end()) return fail(root, "expected a link without a parent, got a loop");
    urdf_.root = static_cast<std::size_t>(first - parents.begin());
    if (const auto second = std::find(first + 1, parents.end(), 0); second != parents.end())
      return fail(root, fmt::format("expected one link without a parent, got '{}' and '{}'",
                                    printable(urdf_.links[urdf_.root].name),
                                    printable(urdf_.links[static_cast<std::size_t>(second - parents.begin())].name)));
    std::vector<std::size_t> reached = {urdf_.root};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::size_t joint : below[reached[i]]) {
        urdf_.order.push_back(joint);
        reached.push_back(urdf_.joints[joint].child);
      }
    }
    if (reached.size() != urdf_.links.size()) fail(root, "expected a tree of links, got a loop");
  }

  const std::string& file_;
  Urdf urdf_;
  std::map<std::string, std::size_t> links_, joints_;
  std::map<std::string, Color> materials_;
  std::optional<Error> failed_;
};

}  // namespace

Result<Urdf> urdf_from_text(std::string_view text, const std::string& file) {
  auto root = xml::parse(text, file);
  if (!root) return std::move(root).error();
  return UrdfReader(file).read(*root, text);
}

}  // namespace tandem::generic
