// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/physics_model.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

#include "tandem/machines/generic/robot/urdf.hpp"
#include "tandem/xml/tree.hpp"

namespace tandem::generic {
namespace {

using xml::Element;

constexpr std::size_t most_bytes = 1 << 20;

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

// Joints that signals are bound to or take a value of.
std::set<std::string> joints_used(const Description& description) {
  std::set<std::string> used;
  for (const Joint& each : description.robot->joints) used.insert(each.name);
  const auto add = [&](const std::optional<Sim>& sim) {
    if (sim && sim->kind == Sim::Kind::joint) used.insert(sim->signal);
  };
  for (const Declaration& each : description.signals) {
    add(each.sim);
    for (const auto& [name, member] : each.members) add(member.sim);
  }
  return used;
}

// The tree and its joints are the reader's; masses, friction and forces are read here, where they count.
class Converter {
 public:
  Converter(const Description& description, const Urdf& urdf, const Element& root, double timestep)
      : robot_(*description.robot), urdf_(urdf), timestep_(timestep), used_(joints_used(description)) {
    for (const Element& each : root.children) {
      const auto* name = each.attribute("name");
      if (name == nullptr) continue;
      if (each.name == "link") link_elements_[name->value] = &each;
      if (each.name == "joint") joint_elements_[name->value] = &each;
    }
    children_.resize(urdf_.links.size());
    for (const UrdfJoint& each : urdf_.joints) children_[each.parent].push_back(&each);
  }

  PhysicsModel convert() {
    for (const std::string& name : used_) {
      const UrdfJoint* found = urdf_.find_joint(name);
      if (found == nullptr || !found->moves())
        fail(1, fmt::format("expected a movable joint '{}', got {}", name, found == nullptr ? "none" : "a fixed one"));
    }
    std::string text = fmt::format(R"(<mujoco model="robot">
  <compiler angle="radian" balanceinertia="true" fusestatic="true"/>
  <option timestep="{}" integrator="implicit"/>
  <size nstack="200000" njmax="500" nconmax="10"/>
  <worldbody>)",
                                   timestep_);
    text += body(urdf_.root, nullptr);
    text += "\n  </worldbody>\n  <actuator>" + drives_ + "\n  </actuator>\n  <equality>" + mimics_;
    return {text + "\n  </equality>\n</mujoco>\n", std::move(moving_)};
  }

 private:
  [[noreturn]] void fail(int line, const std::string& text) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", robot_.urdf, line, text));
  }

  std::vector<double> numbers(const Element& element, std::string_view name, std::vector<double> otherwise) const {
    const auto* found = element.attribute(name);
    if (found == nullptr) return otherwise;
    std::vector<double> values;
    const char* at = found->value.data();
    const char* const end = at + found->value.size();
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

  // Of <CHILD NAME="..."> in an element.
  double number(const Element* element, std::string_view child, std::string_view name, double otherwise = 0) const {
    const Element* found = element == nullptr ? nullptr : element->child(child);
    return found == nullptr ? otherwise : numbers(*found, name, {otherwise})[0];
  }

  const Element* inertial(std::size_t link) const {
    const auto found = link_elements_.find(urdf_.links[link].name);
    return found == link_elements_.end() ? nullptr : found->second->child("inertial");
  }

  const UrdfJoint* leader(const UrdfJoint& joint) const {
    return joint.mimic ? &urdf_.joints[joint.mimic->joint] : nullptr;
  }
  bool follows(const UrdfJoint& joint) const { return joint.mimic && used_.contains(leader(joint)->name); }
  // Others stay where they are at 0.
  bool moves(const UrdfJoint& joint) const { return joint.moves() && (used_.contains(joint.name) || follows(joint)); }

  // With all that does not move against it.
  double fused_mass(std::size_t link) const {
    double sum = number(inertial(link), "mass", "value");
    for (const UrdfJoint* each : children_[link]) {
      if (!moves(*each)) sum += fused_mass(each->child);
    }
    return sum;
  }

  std::string inertial_text(std::size_t link) const {
    const Element* element = inertial(link);
    const double mass = number(element, "mass", "value");
    if (mass <= 0) return {};
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
    if (const Element* origin = element->child("origin"); origin != nullptr) {
      const auto xyz = numbers(*origin, "xyz", {0, 0, 0}), rpy = numbers(*origin, "rpy", {0, 0, 0});
      position = {xyz[0], xyz[1], xyz[2]};
      turn = (Eigen::AngleAxisd(rpy[2], Eigen::Vector3d::UnitZ()) *
              Eigen::AngleAxisd(rpy[1], Eigen::Vector3d::UnitY()) * Eigen::AngleAxisd(rpy[0], Eigen::Vector3d::UnitX()))
                 .toRotationMatrix();
    }
    const auto given = [&](const char* name) { return number(element, "inertia", name); };
    Eigen::Matrix3d inertia;
    inertia << given("ixx"), given("ixy"), given("ixz"), given("ixy"), given("iyy"), given("iyz"), given("ixz"),
        given("iyz"), given("izz");
    inertia = (turn * inertia * turn.transpose()).eval();
    return fmt::format("\n<inertial pos=\"{} {} {}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>", position.x(),
                       position.y(), position.z(), mass, inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1),
                       inertia(0, 2), inertia(1, 2));
  }

  std::string body(std::size_t link, const UrdfJoint* by) {
    const Pose at = by != nullptr ? by->at : Pose::Identity();
    const Eigen::Quaterniond q(at.linear());
    std::string text =
        fmt::format("\n<body name=\"{}\" pos=\"{} {} {}\" quat=\"{} {} {} {}\">", escaped(urdf_.links[link].name),
                    at.translation().x(), at.translation().y(), at.translation().z(), q.w(), q.x(), q.y(), q.z());
    if (by != nullptr && moves(*by)) text += joint_text(*by);
    text += inertial_text(link);
    for (const UrdfJoint* each : children_[link]) text += body(each->child, each);
    return text + "</body>";
  }

  std::string joint_text(const UrdfJoint& joint) {
    const UrdfLink& link = urdf_.links[joint.child];
    if (fused_mass(joint.child) <= 0)
      fail(link.line,
           fmt::format("link {}: expected <inertial> with a mass above 0, since it moves, got none", link.name));
    const auto found = joint_elements_.find(joint.name);
    const Element* element = found == joint_elements_.end() ? nullptr : found->second;
    ModelJoint model{joint.name, joint.lower.value_or(0), joint.upper.value_or(0), joint.lower && joint.upper, {}};
    const std::string name = escaped(joint.name);
    std::string text =
        fmt::format("\n<joint name=\"{}\" type=\"{}\" axis=\"{} {} {}\" damping=\"{}\" frictionloss=\"{}\"", name,
                    joint.type == UrdfJoint::Type::prismatic ? "slide" : "hinge", joint.axis.x(), joint.axis.y(),
                    joint.axis.z(), number(element, "dynamics", "damping"), number(element, "dynamics", "friction"));
    if (model.limited) {
      if (!(model.high > model.low))
        fail(joint.line, fmt::format("joint {}: expected <limit> with lower below upper", joint.name));
      text += fmt::format(" limited=\"true\" range=\"{} {}\"", model.low, model.high);
    }
    if (follows(joint) && !used_.contains(joint.name)) {
      model.follows = leader(joint)->name;
      mimics_ += fmt::format(
          "\n<joint joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} 0 0 0\" solref=\"0.004 1\" "
          "solimp=\"0.99 0.999 0.001\"/>",
          name, escaped(*model.follows), joint.mimic->offset, joint.mimic->multiplier);
    } else {
      add_drive(joint, name, number(element, "limit", "effort"));
    }
    moving_.push_back(std::move(model));
    return text + "/>";
  }

  void add_drive(const UrdfJoint& joint, const std::string& name, double effort) {
    const auto bound = std::ranges::find(robot_.joints, joint.name, &Joint::name);
    const Joint drive = bound != robot_.joints.end() ? *bound : Joint{};
    drives_ += fmt::format(
        "\n<general name=\"{0}\" joint=\"{0}\" gainprm=\"{1}\" biastype=\"affine\" "
        "biasprm=\"0 {2} {3}\"",
        name, drive.kp, -drive.kp, -drive.damping);
    if (effort > 0) drives_ += fmt::format(" forcelimited=\"true\" forcerange=\"{} {}\"", -effort, effort);
    drives_ += fmt::format("/>\n<motor name=\"{0}_weight\" joint=\"{0}\"/>", name);
  }

  const Robot& robot_;
  const Urdf& urdf_;
  double timestep_;
  std::set<std::string> used_;
  std::map<std::string, const Element*> link_elements_, joint_elements_;
  std::vector<std::vector<const UrdfJoint*>> children_;  // of each link
  std::vector<ModelJoint> moving_;
  std::string drives_, mimics_;
};

}  // namespace

PhysicsModel physics_model(const Description& description, const std::string& text, double timestep) {
  const auto urdf = urdf_from_text(text, description.robot->urdf);
  if (!urdf) throw std::invalid_argument(urdf.error().text);
  const auto tree = xml::parse(text, description.robot->urdf, {.bytes = most_bytes});
  if (!tree) throw std::invalid_argument(tree.error().text);
  return Converter(description, *urdf, *tree, timestep).convert();
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
