// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/physics_model.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "tandem/xml/tree.hpp"

namespace tandem::generic {
namespace {

using xml::Element;

constexpr std::size_t most_bytes = 1 << 20;
constexpr int deepest = 200;  // links in a chain

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

struct UrdfJoint {
  std::string name, parent, child;
  const Element* element = nullptr;
  bool slides = false, fixed = false;
  ModelJoint model;
  double multiplier = 1, offset = 0;  // of a mimic
};

class Converter {
 public:
  Converter(const Description& description, const Element& robot, double timestep)
      : description_(description), robot_(robot), timestep_(timestep) {}

  PhysicsModel convert() {
    if (robot_.name != "robot") fail(robot_.line, fmt::format("expected <robot>, got <{}>", robot_.name));
    for (const Element& each : robot_.children) {
      if (each.name == "link") links_[attribute(each, "name")] = &each;
      if (each.name == "joint") joints_.push_back(joint(each));
    }
    for (const UrdfJoint& each : joints_) children_[each.parent].push_back(&each);
    check_bound();
    std::string text = fmt::format(R"(<mujoco model="robot">
  <compiler angle="radian" balanceinertia="true" fusestatic="true"/>
  <option timestep="{}" integrator="implicit"/>
  <size nstack="200000" njmax="500" nconmax="10"/>
  <worldbody>)",
                                   timestep_);
    text += body(root(), nullptr, 0);
    text += "\n  </worldbody>\n  <actuator>" + drives_ + "\n  </actuator>\n  <equality>" + mimics_;
    text += "\n  </equality>\n</mujoco>\n";
    return {std::move(text), std::move(moving_)};
  }

 private:
  [[noreturn]] void fail(int line, const std::string& text) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", description_.robot->urdf, line, text));
  }

  std::string attribute(const Element& element, std::string_view name) const {
    const auto* found = element.attribute(name);
    if (found == nullptr) fail(element.line, fmt::format("<{}>: expected {}=, got none", element.name, name));
    return found->value;
  }

  std::vector<double> numbers(const Element& element, std::string_view name, std::vector<double> otherwise) const {
    const auto* found = element.attribute(name);
    if (found == nullptr) return otherwise;
    std::vector<double> values;
    const char* at = found->value.data();
    const char* end = at + found->value.size();
    while (true) {
      while (at != end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '+')) ++at;
      if (at == end) break;
      double value = 0;
      const auto [next, error] = std::from_chars(at, end, value);
      if (error != std::errc() || !std::isfinite(value)) break;
      values.push_back(value);
      at = next;
    }
    if (at != end || values.size() != otherwise.size())
      fail(found->line, fmt::format("{}: expected {} numbers, got '{}'", name, otherwise.size(), found->value));
    return values;
  }
  double number(const Element& element, std::string_view name, double otherwise) const {
    return numbers(element, name, {otherwise})[0];
  }

  Eigen::Isometry3d origin(const Element& element) const {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    const Element* found = element.child("origin");
    if (found == nullptr) return X;
    const auto xyz = numbers(*found, "xyz", {0, 0, 0}), rpy = numbers(*found, "rpy", {0, 0, 0});
    X.translation() = Eigen::Vector3d(xyz[0], xyz[1], xyz[2]);
    X.linear() =
        (Eigen::AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
            .toRotationMatrix();
    return X;
  }

  const Element& needed(const Element& element, std::string_view name) const {
    const Element* found = element.child(name);
    if (found == nullptr) fail(element.line, fmt::format("<{}>: expected <{}>, got none", element.name, name));
    return *found;
  }

  UrdfJoint joint(const Element& element) const {
    UrdfJoint joint;
    joint.name = attribute(element, "name");
    joint.parent = attribute(needed(element, "parent"), "link");
    joint.child = attribute(needed(element, "child"), "link");
    joint.element = &element;
    const std::string type = attribute(element, "type");
    joint.fixed = type == "fixed";
    joint.slides = type == "prismatic";
    if (!joint.fixed && !joint.slides && type != "revolute" && type != "continuous")
      fail(element.line,
           fmt::format("joint {}: expected prismatic, revolute, continuous or fixed, got {}", joint.name, type));
    joint.model.name = joint.name;
    joint.model.limited = type != "continuous" && !joint.fixed;
    if (const Element* limit = element.child("limit"); limit != nullptr && joint.model.limited) {
      joint.model.low = number(*limit, "lower", 0);
      joint.model.high = number(*limit, "upper", 0);
    }
    if (const Element* mimic = element.child("mimic"); mimic != nullptr) {
      joint.model.follows = attribute(*mimic, "joint");
      joint.multiplier = number(*mimic, "multiplier", 1);
      joint.offset = number(*mimic, "offset", 0);
    }
    return joint;
  }

  const UrdfJoint* named(std::string_view name) const {
    const auto found = std::ranges::find(joints_, name, &UrdfJoint::name);
    return found == joints_.end() ? nullptr : &*found;
  }

  const Joint* bound(std::string_view name) const {
    const auto& all = description_.robot->joints;
    const auto found = std::ranges::find(all, name, &Joint::name);
    return found == all.end() ? nullptr : &*found;
  }

  void check_bound() {
    for (const Joint& each : description_.robot->joints) moves_.insert(each.name);
    for (const Declaration& each : description_.signals) {
      if (each.sim && each.sim->kind == Sim::Kind::joint) moves_.insert(each.sim->signal);
      for (const auto& [name, member] : each.members) {
        if (member.sim && member.sim->kind == Sim::Kind::joint) moves_.insert(member.sim->signal);
      }
    }
    for (const std::string& name : moves_) {
      const UrdfJoint* found = named(name);
      if (found == nullptr || found->fixed)
        fail(robot_.line, fmt::format("expected a movable joint '{}', got {}", name, found ? "a fixed one" : "none"));
      if (found->model.limited && !(found->model.high > found->model.low))
        fail(found->element->line, fmt::format("joint {}: expected <limit lower upper> with lower below upper", name));
    }
  }

  // Others stay where they are at 0.
  bool moves(const UrdfJoint& joint) const {
    if (joint.fixed) return false;
    return moves_.contains(joint.name) || (joint.model.follows && moves_.contains(*joint.model.follows));
  }

  std::string root() const {
    std::set<std::string> children;
    for (const UrdfJoint& each : joints_) children.insert(each.child);
    for (const auto& [name, link] : links_) {
      if (!children.contains(name)) return name;
    }
    fail(robot_.line, "expected one root link, got none");
  }

  double mass(const std::string& link) const {
    const auto found = links_.find(link);
    const Element* inertial = found == links_.end() ? nullptr : found->second->child("inertial");
    const Element* mass = inertial == nullptr ? nullptr : inertial->child("mass");
    return mass == nullptr ? 0 : number(*mass, "value", 0);
  }

  // With all that does not move against it.
  double fused_mass(const std::string& link, int depth) const {
    double sum = mass(link);
    if (depth > deepest) return sum;
    if (const auto found = children_.find(link); found != children_.end()) {
      for (const UrdfJoint* each : found->second) {
        if (!moves(*each)) sum += fused_mass(each->child, depth + 1);
      }
    }
    return sum;
  }

  std::string inertial(const Element& link) const {
    const Element* element = link.child("inertial");
    if (element == nullptr || mass(attribute(link, "name")) <= 0) return {};
    const Eigen::Isometry3d X = origin(*element);
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    if (const Element* given = element->child("inertia"); given != nullptr) {
      const double xy = number(*given, "ixy", 0), xz = number(*given, "ixz", 0), yz = number(*given, "iyz", 0);
      inertia << number(*given, "ixx", 0), xy, xz, xy, number(*given, "iyy", 0), yz, xz, yz, number(*given, "izz", 0);
    }
    inertia = (X.linear() * inertia * X.linear().transpose()).eval();
    const auto p = X.translation();
    return fmt::format("\n<inertial pos=\"{} {} {}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>", p.x(), p.y(),
                       p.z(), mass(attribute(link, "name")), inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1),
                       inertia(0, 2), inertia(1, 2));
  }

  std::string body(const std::string& link, const UrdfJoint* by, int depth) {
    const auto found = links_.find(link);
    if (found == links_.end()) fail(robot_.line, fmt::format("expected a link '{}', got none", link));
    if (depth > deepest) fail(found->second->line, fmt::format("expected at most {} links in a chain", deepest));
    const Eigen::Isometry3d X = by != nullptr ? origin(*by->element) : Eigen::Isometry3d::Identity();
    const Eigen::Quaterniond q(X.linear());
    std::string text =
        fmt::format("\n<body name=\"{}\" pos=\"{} {} {}\" quat=\"{} {} {} {}\">", escaped(link), X.translation().x(),
                    X.translation().y(), X.translation().z(), q.w(), q.x(), q.y(), q.z());
    if (by != nullptr && moves(*by)) text += joint_text(*by);
    text += inertial(*found->second);
    if (const auto children = children_.find(link); children != children_.end()) {
      for (const UrdfJoint* each : children->second) text += body(each->child, each, depth + 1);
    }
    return text + "</body>";
  }

  std::string joint_text(const UrdfJoint& joint) {
    if (fused_mass(joint.child, 0) <= 0)
      fail(links_.at(joint.child)->line,
           fmt::format("link {}: expected <inertial> with a mass above 0, since it moves, got none", joint.child));
    std::vector<double> axis{1, 0, 0};
    if (const Element* given = joint.element->child("axis"); given != nullptr) axis = numbers(*given, "xyz", axis);
    double damping = 0, friction = 0, effort = 0;
    if (const Element* given = joint.element->child("dynamics"); given != nullptr) {
      damping = number(*given, "damping", 0);
      friction = number(*given, "friction", 0);
    }
    if (const Element* given = joint.element->child("limit"); given != nullptr) effort = number(*given, "effort", 0);
    const std::string name = escaped(joint.name);
    std::string text =
        fmt::format("\n<joint name=\"{}\" type=\"{}\" axis=\"{} {} {}\" damping=\"{}\" frictionloss=\"{}\"", name,
                    joint.slides ? "slide" : "hinge", axis[0], axis[1], axis[2], damping, friction);
    if (joint.model.limited && joint.model.high > joint.model.low)
      text += fmt::format(" limited=\"true\" range=\"{} {}\"", joint.model.low, joint.model.high);
    moving_.push_back(joint.model);
    if (joint.model.follows && moves_.contains(*joint.model.follows) && bound(joint.name) == nullptr) {
      mimics_ += fmt::format(
          "\n<joint joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} 0 0 0\" solref=\"0.004 1\" solimp=\"0.99 0.999 "
          "0.001\"/>",
          name, escaped(*joint.model.follows), joint.offset, joint.multiplier);
      return text + "/>";
    }
    moving_.back().follows.reset();
    const Joint* drive = bound(joint.name);
    const Joint usual;
    const double kp = drive != nullptr ? drive->kp : usual.kp, kd = drive != nullptr ? drive->damping : usual.damping;
    drives_ += fmt::format(
        "\n<general name=\"{0}\" joint=\"{0}\" gainprm=\"{1}\" biastype=\"affine\" "
        "biasprm=\"0 {2} {3}\"",
        name, kp, -kp, -kd);
    if (effort > 0) drives_ += fmt::format(" forcelimited=\"true\" forcerange=\"{} {}\"", -effort, effort);
    drives_ += fmt::format("/>\n<motor name=\"{0}_weight\" joint=\"{0}\"/>", name);
    return text + "/>";
  }

  const Description& description_;
  const Element& robot_;
  double timestep_;
  std::map<std::string, const Element*> links_;
  std::vector<UrdfJoint> joints_;
  std::map<std::string, std::vector<const UrdfJoint*>> children_;  // of a link
  std::set<std::string> moves_;
  std::vector<ModelJoint> moving_;
  std::string drives_, mimics_;
};

}  // namespace

PhysicsModel physics_model(const Description& description, const std::string& urdf, double timestep) {
  const auto tree = xml::parse(urdf, description.robot->urdf, {.bytes = most_bytes});
  if (!tree) throw std::invalid_argument(tree.error().text);
  return Converter(description, *tree, timestep).convert();
}

PhysicsModel physics_model(const Description& description, double timestep) {
  std::ifstream stream(description.robot->urdf, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad())
    throw std::invalid_argument(fmt::format("{}: cannot be read", description.robot->urdf));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return physics_model(description, text, timestep);
}

}  // namespace tandem::generic
