// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/ros_collisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "tandem/machines/ros_names.hpp"

namespace tandem::runtime {
namespace {

using machines::RosNames;

struct Named {
  const MachineConfig* machine;
  RosNames names;
};

// One name that two machines have, with the settings that would give the second one another.
struct Shared {
  std::string name;
  std::string first, second;  // the machines; of frames: with the parents
  std::string_view fix;
};

std::string setting(std::string_view fix, const std::string& machine) {
  std::string text(fix);
  if (const auto at = text.find("{}"); at != std::string::npos) text.replace(at, 2, machine);
  return text;
}

std::vector<Shared> shared_names(const Named& a, const Named& b, std::vector<RosNames::Name> RosNames::*kind) {
  std::set<std::string_view> known;
  for (const auto& name : a.names.*kind) known.insert(name.name);
  std::vector<Shared> shared;
  for (const auto& name : b.names.*kind)
    if (known.erase(name.name) > 0) shared.push_back({name.name, a.machine->name, b.machine->name, name.fix});
  return shared;
}

std::vector<Shared> shared_frames(const Named& a, const Named& b) {
  std::map<std::string_view, std::string_view> parents;  // by child
  for (const auto& frame : a.names.frames) parents.emplace(frame.child, frame.parent);
  std::vector<Shared> shared;
  for (const auto& frame : b.names.frames) {
    const auto known = parents.find(frame.child);
    if (known == parents.end()) continue;
    shared.push_back({frame.child, fmt::format("{} ({})", known->second, a.machine->name),
                      fmt::format("{} ({})", frame.parent, b.machine->name), frame.fix});
  }
  return shared;
}

// The names with one remedy, as one line: "topic /cmd_vel (and 5 more): expected one machine that obeys it, ...".
std::vector<std::string> lines(const std::vector<Shared>& shared, std::string_view what, std::string_view expected,
                               const std::string& machine) {
  std::vector<std::string> texts;
  std::set<std::string_view> told;
  for (const Shared& one : shared) {
    if (!told.insert(one.fix).second) continue;
    const auto alike = std::ranges::count_if(shared, [&](const Shared& other) { return other.fix == one.fix; });
    texts.push_back(fmt::format("{} {}{}: expected {}, got {} and {}; set `{}`", what, one.name,
                                alike > 1 ? fmt::format(" (and {} more)", alike - 1) : "", expected, one.first,
                                one.second, setting(one.fix, machine)));
  }
  return texts;
}

// Frames of one machine that are the root of another one's tree.
std::vector<std::string> hanging(const Named& a, const Named& b) {
  std::set<std::string_view> children;
  for (const auto& frame : a.names.frames) children.insert(frame.child);
  std::set<std::string_view> own, told;
  for (const auto& frame : b.names.frames) own.insert(frame.child);
  std::vector<std::string> texts;
  for (const auto& frame : b.names.frames) {
    if (own.contains(frame.parent) || !children.contains(frame.parent) || !told.insert(frame.parent).second) continue;
    texts.push_back(fmt::format("frame {}: {} uses the same frame as {}; unless it is mounted there, set `{}`",
                                frame.parent, b.machine->name, a.machine->name, setting(frame.fix, b.machine->name)));
  }
  return texts;
}

class Comparison {
 public:
  explicit Comparison(const std::vector<Named>& all) {
    for (const Named& one : all)
      for (const auto& topic : one.names.heard) commands_.insert(topic.name);
  }

  void compare(const Named& a, const Named& b) {
    const std::string& name = b.machine->name;
    add(b, lines(shared_names(a, b, &RosNames::nodes), "node", "one machine with it", name));
    add(b, lines(shared_names(a, b, &RosNames::heard), "command topic", "one machine that obeys it", name));
    std::vector<Shared> published = shared_names(a, b, &RosNames::published);
    const auto states = std::stable_partition(published.begin(), published.end(),
                                              [&](const Shared& one) { return commands_.contains(one.name); });
    const std::vector<Shared> commands(published.begin(), states), rest(states, published.end());
    add(b, lines(commands, "command topic", "one machine that publishes it", name));
    add(b, lines(shared_frames(a, b), "frame", "one parent", name));
    warn(lines(rest, "topic", "one machine that publishes it", name));
    warn(hanging(a, b));
    warn(hanging(b, a));
  }

  void add(const Named& machine, const std::vector<std::string>& texts) {
    for (const auto& text : texts)
      found.problems.push_back({machine.machine->place, fmt::format("{}: {}", machine.machine->name, text)});
  }

  RosCollisions found;

 private:
  void warn(const std::vector<std::string>& texts) {
    found.warnings.insert(found.warnings.end(), texts.begin(), texts.end());
  }

  std::set<std::string_view> commands_;  // all topics that any machine obeys
};

}  // namespace

RosCollisions ros_collisions(const Config& config) {
  RosCollisions found;
  if (!config.ros.enabled) return found;
  std::vector<Named> all;
  for (const MachineConfig& machine : config.machines) {
    if (machine.own) all.push_back({&machine, machine.own->ros_names()});
    if (machine.type->ros_names == nullptr) continue;
    try {
      all.push_back({&machine, machine.type->ros_names(machine.options)});
    } catch (const std::invalid_argument&) {
      // Such a machine is refused by itself, with its own reason.
    }
  }
  Comparison comparison(all);
  for (std::size_t second = 1; second < all.size(); ++second)
    for (std::size_t first = 0; first < second; ++first) comparison.compare(all[first], all[second]);
  return std::move(comparison.found);
}

}  // namespace tandem::runtime
