// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/topic_names.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tandem/machines/generic/outputs.hpp"
#include "tandem/machines/generic/posture.hpp"
#include "tandem/machines/generic/robot/urdf.hpp"
#include "tandem/machines/generic/text_file.hpp"

namespace tandem::generic {
namespace {

// Topics of the machine itself.
constexpr std::array<std::string_view, 2> own_topics = {"signals", "joint_states"};

// robot_description is beside the node, so the node has to move down.
constexpr std::string_view namespace_of_its_own = "namespace: /{}/robot";
constexpr std::size_t longest_urdf = 4U << 20U;  // bytes

// What cannot be read is reported when the machine is made.
void add_frames(machines::RosNameList& names, const Description& description) {
  const auto text = read_text(description.robot->urdf, longest_urdf);
  if (!text) return;
  const auto urdf = urdf_from_text(*text, description.robot->urdf);
  if (!urdf) return;
  const std::string& prefix = description.tf_prefix;
  const Posture posture(description, *urdf);
  for (std::size_t i = 0; i < urdf->joints.size(); ++i) {
    const UrdfJoint& joint = urdf->joints[i];
    if (joint.moves() && std::ranges::find(posture.published(), i) == posture.published().end()) continue;
    names.add_frame(prefix + urdf->links[joint.parent].name, prefix + urdf->links[joint.child].name);
  }
}

bool is_plain(const Declaration& signal) {
  return !signal.hidden && (signal.type != Type::unknown || signal.write.has_value());
}

}  // namespace

NodeName node_name(const Description& description) {
  std::string full = description.name_space.empty() ? "/" + description.name : description.name_space;
  while (full.size() > 1 && full.back() == '/') full.pop_back();
  if (full.front() != '/') full.insert(full.begin(), '/');
  const std::size_t slash = full.rfind('/');
  return {full.substr(slash + 1), slash == 0 ? "/" : full.substr(0, slash)};
}

// A part of a topic's name must not begin with a digit, and has no brackets.
std::string signal_topic(std::string_view signal) {
  std::string topic = "~/";
  for (const char c : signal) {
    if (c == ']') continue;
    if (c == '.') {
      topic += '/';
    } else {
      topic += c == '[' || c == ',' || c == '-' ? '_' : c;
    }
  }
  return topic;
}

machines::RosNames ros_names_of(const Description& description) {
  const NodeName name = node_name(description);
  machines::RosNameList names(name.node, name.name_space);
  for (const Declaration& signal : description.signals) {
    for (const std::string_view own : own_topics) {
      if (signal.name == own)
        throw std::invalid_argument(
            fmt::format("{}: expected another name, as ~/{} is the machine's own topic", own, own));
    }
    if (!is_plain(signal)) continue;
    const std::string topic = signal_topic(signal.name);
    if (signal.bits.empty()) names.publish(topic);
    for (const auto& [bit, text] : signal.bits) names.publish(topic + "/" + text);
    names.publish(topic + "/quality");
    if (!signal.names.empty()) names.publish(topic + "/text");
  }
  names.publish("~/signals");
  for (const OutputInfo& output : outputs_of(description)) names.hear("~/set/" + output.name);
  if (description.robot) {
    names.publish("~/joint_states");
    names.publish("robot_description", namespace_of_its_own);
    add_frames(names, description);
    if (description.writes()) names.hear("~/joint_commands");
  }
  return names.take();
}

}  // namespace tandem::generic
