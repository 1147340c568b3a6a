// SPDX-License-Identifier: Apache-2.0
// What a machine will be called on ROS, known from its options before anything starts. `tandem check` and `tandem run`
// compare the names of all machines of a configuration.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/options.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::machines {

struct RosNames {
  // `fix` is the setting that gives another name, with {} for the name of the machine: "namespace: /{}".
  struct Name {
    std::string name;  // in full: "/lab/cmd_vel"
    std::string_view fix;
  };
  struct Frame {
    std::string parent, child;
    std::string_view fix;
  };
  static constexpr std::string_view own_namespace = "namespace: /{}", own_prefix = "tf_prefix: {}_";

  std::vector<Name> nodes;
  std::vector<Name> heard;      // topics it subscribes to, save those of ROS itself
  std::vector<Name> published;  // topics it publishes, also full names
  std::vector<Frame> frames;    // on /tf and /tf_static
};

// Collects the names of one machine. Each throws std::invalid_argument for names that ROS does not allow.
class RosNameList {
 public:
  RosNameList(std::string node, const std::string& name_space) : node_(std::move(node)) {
    auto full = ros2::full_namespace(name_space);
    if (!full) throw std::invalid_argument(full.error().text);
    name_space_ = std::move(*full);
    add_node(node_);
  }

  // Another node beside the machine's own.
  void add_node(std::string_view node) {
    if (auto good = ros2::check_node_name(node); !good) throw std::invalid_argument(good.error().text);
    names_.nodes.push_back({full_name("~", node), RosNames::own_namespace});
  }
  void hear(std::string_view topic, std::string_view fix = RosNames::own_namespace) {
    names_.heard.push_back({full_name(topic, node_), fix});
  }
  void publish(std::string_view topic, std::string_view fix = RosNames::own_namespace) {
    names_.published.push_back({full_name(topic, node_), fix});
  }
  void add_frame(std::string parent, std::string child, std::string_view fix = RosNames::own_prefix) {
    names_.frames.push_back({std::move(parent), std::move(child), fix});
  }
  RosNames take() { return std::move(names_); }

 private:
  std::string full_name(std::string_view topic, std::string_view node) const {
    auto full = ros2::full_topic_name(topic, name_space_, node);
    if (!full) throw std::invalid_argument(full.error().text);
    return std::move(*full);
  }

  std::string node_, name_space_;
  RosNames names_;
};

// The option tf_prefix. Throws std::invalid_argument for what may not be in the name of a joint or frame.
inline std::string tf_prefix_from(const Options& options) {
  constexpr std::size_t longest = 64;
  const std::string& prefix = options.text("tf_prefix");
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (!std::ranges::all_of(prefix, good) || prefix.size() > longest)
    throw std::invalid_argument(fmt::format("tf_prefix: expected up to {} letters, digits and underscores, got '{}'",
                                            longest, prefix.substr(0, longest)));
  return prefix;
}

}  // namespace tandem::machines
