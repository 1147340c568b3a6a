// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/schema/robot_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/robot/urdf.hpp"
#include "tandem/machines/generic/schema/checks.hpp"
#include "tandem/machines/generic/text_file.hpp"
#include "tandem/machines/generic/units.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

Joint read_joint(const Node& name, const Node& node, const std::string& owner, Problems& problems) {
  Joint joint;
  joint.name = name.scalar;
  Keys keys(node, owner + "." + printable(name.scalar), problems);
  keys.take_text("position", joint.position);
  keys.take_text("velocity", joint.velocity);
  keys.take_text("effort", joint.effort);
  keys.take_text("command", joint.command);
  if (const Node* sim = keys.take("sim")) {
    Keys drive(*sim, keys.owner() + ".sim", problems);
    drive.take_number("kp", joint.kp, 0, 1e9);
    drive.take_number("damping", joint.damping, 0, 1e9);
    drive.finish();
  }
  keys.finish();
  if (joint.position.empty() && node.kind == Node::Kind::map)
    problems.add(name, fmt::format("{}: missing key 'position', the signal that measures it", keys.owner()));
  return joint;
}

// The nodes of one joint, for places.
struct JointNodes {
  const Node* name = nullptr;
  const Node* map = nullptr;
  const Node& of(std::string_view key) const {
    for (std::size_t i = 0; i < map->keys.size(); ++i) {
      if (map->keys[i].scalar == key) return map->items[i];
    }
    return *name;
  }
};

class JointChecker {
 public:
  JointChecker(Description& description, const Urdf& urdf, Problems& problems)
      : description_(description), urdf_(urdf), problems_(problems) {}

  void joint(const Joint& joint, const JointNodes& nodes) {
    const std::string owner = "robot.joints." + printable(joint.name);
    const UrdfJoint* of_urdf = movable(joint, nodes, owner);
    if (of_urdf == nullptr) return;
    const bool linear = of_urdf->type == UrdfJoint::Type::prismatic;
    const Dimension place = linear ? Dimension::length : Dimension::angle;
    const Dimension speed = linear ? Dimension::speed : Dimension::angular_speed;
    const auto& at = [&](const char* key) -> const Node& { return nodes.of(key); };
    bound(at("position"), owner + ".position", joint.position, *of_urdf, place, Sim::JointValue::position);
    bound(at("velocity"), owner + ".velocity", joint.velocity, *of_urdf, speed, Sim::JointValue::velocity);
    const Dimension effort = linear ? Dimension::force : Dimension::torque;
    bound(at("effort"), owner + ".effort", joint.effort, *of_urdf, effort, Sim::JointValue::effort);
    if (joint.command.empty()) return;
    const auto output = bound(at("command"), owner + ".command", joint.command, *of_urdf, place, std::nullopt);
    if (output.declaration != nullptr) command(at("command"), owner + ".command", output, *of_urdf);
  }

 private:
  const UrdfJoint* movable(const Joint& joint, const JointNodes& nodes, const std::string& owner) {
    const UrdfJoint* found = urdf_.find_joint(joint.name);
    const bool good = found != nullptr && found->moves() && !found->mimic;
    if (good) return found;
    std::vector<std::string_view> known;
    for (const UrdfJoint& each : urdf_.joints) {
      if (each.moves() && !each.mimic) known.push_back(each.name);
    }
    const std::string got = found == nullptr ? "unknown joint"
                            : found->mimic   ? "a joint that mimics another"
                                             : "a fixed joint";
    problems_.add(*nodes.name,
                  fmt::format("{}: expected a movable joint of {}, got {} '{}'{}", owner, description_.robot->urdf, got,
                              printable(joint.name), suggestion(joint.name, known)));
    return nullptr;
  }

  NamedValue bound(const Node& at, const std::string& what, const std::string& name, const UrdfJoint& joint,
                   Dimension wanted, std::optional<Sim::JointValue> sim) {
    if (name.empty()) return {};
    NamedValue value = named_value(description_, name);
    if (value.declaration == nullptr) {
      problems_.add(at, what + no_signal(description_, name));
      return value;
    }
    const auto unit = unit_named(value.unit);
    if (!unit || unit->dimension != wanted) {
      problems_.add(at, fmt::format("{}: expected {}, as {} is {}, got {} in {}", what, unit_words(wanted), joint.name,
                                    generic::name(joint.type), name, value.unit.empty() ? "no unit" : value.unit));
    }
    if (value.declaration->name != name) return value;
    Declaration& signal =
        description_.signals[static_cast<std::size_t>(value.declaration - description_.signals.data())];
    if (!signal.critical) signal.critical = true;
    if (sim && !signal.sim) {
      signal.sim.emplace();
      signal.sim->kind = Sim::Kind::joint;
      signal.sim->signal = joint.name;
      signal.sim->joint = *sim;
    }
    return value;
  }

  static std::string_view unit_words(Dimension dimension) {
    switch (dimension) {
      case Dimension::length:
        return "a length such as mm";
      case Dimension::angle:
        return "an angle such as deg";
      case Dimension::speed:
        return "a speed such as mm/s";
      case Dimension::force:
        return "a force such as N";
      case Dimension::torque:
        return "a torque such as N.m";
      default:
        return "an angular speed such as deg/s";
    }
  }

  void command(const Node& at, const std::string& what, const NamedValue& output, const UrdfJoint& joint) {
    const Declaration& declaration = *output.declaration;
    if (!declaration.write) {
      problems_.add(at, fmt::format("{}: expected an output, got {} without `write`", what, declaration.name));
      return;
    }
    const auto unit = unit_named(output.unit);
    if (!unit || !joint.lower || !joint.upper) return;
    const double low = *joint.lower / unit->scale, high = *joint.upper / unit->scale;
    const double slack = 1e-9 * std::max({1.0, std::fabs(low), std::fabs(high)});
    const Range& limits = declaration.write->limits;
    if (limits.lowest < low - slack || limits.highest > high + slack)
      problems_.add(declaration.place,
                    fmt::format("{}.write.limits: expected within {} to {} {}, the limits of {} in the URDF, got {} to "
                                "{}",
                                declaration.name, number_text(low), number_text(high), unit->text, joint.name,
                                number_text(limits.lowest), number_text(limits.highest)));
  }

  Description& description_;
  const Urdf& urdf_;
  Problems& problems_;
};

void check_sims(const Description& description, const Urdf& urdf, Problems& problems) {
  std::vector<std::string_view> known;
  for (const UrdfJoint& each : urdf.joints) {
    if (each.moves()) known.push_back(each.name);
  }
  for (const Declaration& each : description.signals) {
    if (!each.sim || each.sim->kind != Sim::Kind::joint) continue;
    if (std::find(known.begin(), known.end(), each.sim->signal) == known.end())
      problems.add(each.place, fmt::format("{}.sim.joint: expected a movable joint of {}, got '{}'{}", each.name,
                                           description.robot->urdf, printable(each.sim->signal),
                                           suggestion(each.sim->signal, known)));
  }
}

}  // namespace

Robot read_robot(const Node& node, const std::string& owner, Problems& problems) {
  Robot robot;
  Keys keys(node, owner, problems);
  if (!keys.take_text("urdf", robot.urdf) && node.kind == Node::Kind::map && item_of(node, "urdf") == nullptr)
    problems.add(node, fmt::format("{}: missing key 'urdf', the file", owner));
  if (!robot.urdf.empty()) robot.urdf = beside(robot.urdf, problems.file());
  if (const Node* joints = keys.take("joints")) {
    Keys names(*joints, owner + ".joints", problems);
    for (const Node& name : joints->keys) {
      const Node* joint = names.take(name.scalar);
      if (joint != nullptr) robot.joints.push_back(read_joint(name, *joint, owner + ".joints", problems));
    }
  }
  keys.take_flag("fixed", robot.fixed);
  keys.finish();
  return robot;
}

void check_robot(Description& description, const Node& node, Problems& problems) {
  if (!description.robot || description.robot->urdf.empty()) return;
  const Node* file = item_of(node, "urdf");
  const auto urdf = urdf_from_file(description.robot->urdf);
  if (!urdf) return problems.add(file == nullptr ? node : *file, "robot.urdf: " + urdf.error().text);
  check_sims(description, *urdf, problems);
  const Node* joints = item_of(node, "joints");
  if (joints == nullptr) return;
  JointChecker checker(description, *urdf, problems);
  for (const Joint& joint : description.robot->joints) {
    for (std::size_t i = 0; i < joints->keys.size(); ++i) {
      if (joints->keys[i].scalar != joint.name) continue;
      checker.joint(joint, {&joints->keys[i], &joints->items[i]});
      break;
    }
  }
}

}  // namespace tandem::generic
