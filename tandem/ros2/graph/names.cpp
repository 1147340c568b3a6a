// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/graph/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tandem::ros2 {
namespace {

constexpr std::size_t longest_name = 247;  // of DDS's 255, less the longest prefix and suffix that ROS adds

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

Error bad(std::string_view what, std::string_view name, std::string_view why) {
  return {Fault::invalid, fmt::format("{} \"{}\": {}", what, name, why)};
}

// One part of a name, between slashes.
Result<void> check_part(std::string_view what, std::string_view name, std::string_view part) {
  if (part.empty()) return bad(what, name, "a part between two slashes is empty");
  if (is_digit(part.front())) return bad(what, name, fmt::format("\"{}\" must not start with a digit", part));
  const auto wrong = std::ranges::find_if(part, [](char c) { return !is_letter(c) && !is_digit(c); });
  if (wrong == part.end()) return {};
  return bad(what, name,
             fmt::format("expected letters, digits, underscores and slashes, got {}",
                         std::isprint(static_cast<unsigned char>(*wrong)) ? fmt::format("'{}'", *wrong)
                                                                          : "an unprintable character"));
}

// A full name: a slash before every part, none at the end.
Result<void> check_full(std::string_view what, std::string_view name, std::string_view full) {
  if (full.size() > longest_name) {
    return bad(what, name, fmt::format("expected at most {1} characters in full, got {0}", full.size(), longest_name));
  }
  for (std::size_t start = 1; start <= full.size();) {
    const std::size_t end = std::min(full.find('/', start), full.size());
    if (end == start && end == full.size()) return bad(what, name, "must not end with a slash");
    if (auto part = check_part(what, name, full.substr(start, end - start)); !part) return part;
    start = end + 1;
    if (end + 1 == full.size()) return bad(what, name, "must not end with a slash");
  }
  return {};
}

std::string join(std::string_view node_namespace, std::string_view name) {
  return fmt::format("{}/{}", node_namespace == "/" ? "" : node_namespace, name);
}

}  // namespace

Result<void> check_node_name(std::string_view name) {
  if (name.empty()) return bad("node name", name, "must not be empty");
  if (name.size() > 255) return bad("node name", name, "is longer than 255 characters");
  if (name.find('/') != std::string_view::npos) {
    return bad("node name", name, "must not have a slash; a namespace is given apart");
  }
  return check_part("node name", name, name);
}

Result<std::string> full_namespace(std::string_view name) {
  if (name.empty() || name == "/") return std::string("/");
  std::string full = (name.front() == '/' ? "" : "/") + std::string(name);
  if (auto checked = check_full("namespace", name, full); !checked) return checked.error();
  return full;
}

Result<std::string> full_topic_name(std::string_view topic, std::string_view node_namespace,
                                    std::string_view node_name) {
  if (topic.empty()) return bad("topic name", topic, "must not be empty");
  std::string full;
  if (topic.front() == '/') {
    full = topic;
  } else if (topic == "~") {
    full = join(node_namespace, node_name);
  } else if (topic.front() == '~') {
    if (topic[1] != '/') return bad("topic name", topic, "'~' must be followed by a slash");
    full = join(node_namespace, node_name) + std::string(topic.substr(1));
  } else {
    full = join(node_namespace, topic);
  }
  if (auto checked = check_full("topic name", topic, full); !checked) return checked.error();
  return full;
}

bool is_hidden(std::string_view name) { return name.starts_with('_') || name.find("/_") != std::string_view::npos; }

std::string dds_topic_name(std::string_view full_name) { return "rt" + std::string(full_name); }

std::string ros_topic_name(std::string_view dds_name) {
  return dds_name.starts_with("rt/") ? std::string(dds_name.substr(2)) : "";
}

std::string service_request_topic(std::string_view full_name) { return fmt::format("rq{}Request", full_name); }
std::string service_reply_topic(std::string_view full_name) { return fmt::format("rr{}Reply", full_name); }

std::string ros_service_name(std::string_view dds_name) {
  for (const auto& [prefix, suffix] : {std::pair{"rq/", "Request"}, std::pair{"rr/", "Reply"}}) {
    const std::size_t end = std::string_view(suffix).size();
    if (!dds_name.starts_with(prefix) || !dds_name.ends_with(suffix) || dds_name.size() <= 3 + end) continue;
    return std::string(dds_name.substr(2, dds_name.size() - 2 - end));
  }
  return "";
}

}  // namespace tandem::ros2
