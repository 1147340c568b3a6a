// SPDX-License-Identifier: Apache-2.0
// What the documentation and the examples say of a machine's keys, topics and frames, against what the machine has.
// TANDEM_WRITE_KEYS=1 writes the lists of keys into the pages instead of comparing them.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>

#include "tandem/machines/ros_names.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/registry.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::machines {
namespace {

const MachineType& type_of(std::string_view name) {
  const MachineType* type = runtime::all_machines().find(name);
  REQUIRE(type != nullptr);
  return *type;
}

std::string read(const std::string& path) {
  std::ifstream file(std::string(TANDEM_SOURCES) + "/" + path);
  REQUIRE_MESSAGE(file, "cannot read " << path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string range_text(const Option& option) {
  const bool number = option.kind == OptionKind::number || option.kind == OptionKind::numbers;
  if (option.kind == OptionKind::choice) return fmt::format("; one of {}", fmt::join(option.choices, ", "));
  if (!number || (option.minimum <= -1e300 && option.maximum >= 1e300)) return "";
  if (option.maximum >= 1e300) return fmt::format("; at least {:g}", option.minimum);
  if (option.minimum <= -1e300) return fmt::format("; at most {:g}", option.maximum);
  return fmt::format("; {:g} to {:g}", option.minimum, option.maximum);
}

std::string key_table(const MachineType& type) {
  std::string table = "| key | default | |\n|---|---|---|\n";
  for (const Option& option : type.options) {
    const std::string value = option.default_value.empty() ? "empty" : fmt::format("`{}`", option.default_value);
    table += fmt::format("| `{}` | {} | {}{} |\n", option.name, value, option.help, range_text(option));
  }
  return table;
}

constexpr std::string_view list_begin = "<!-- keys: begin -->\n", list_end = "<!-- keys: end -->";

const yaml::Node* child(const yaml::Node& node, std::string_view key) {
  for (std::size_t i = 0; i < node.keys.size(); ++i)
    if (node.keys[i].scalar == key) return &node.items[i];
  return nullptr;
}

// Every "Topic" or "Description Topic" below a node, and every frame.
void collect(const yaml::Node& node, std::set<std::string>& topics, std::set<std::string>& frames) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const yaml::Node& item = node.items[i];
    const std::string key = i < node.keys.size() ? node.keys[i].scalar : "";
    if (key == "Topic" || key == "Description Topic") {
      const yaml::Node* value = child(item, "Value");
      REQUIRE(value != nullptr);
      topics.insert(value->scalar);
    }
    if ((key == "Fixed Frame" || key == "Reference Frame") && item.kind == yaml::Node::Kind::scalar)
      frames.insert(item.scalar);
    collect(item, topics, frames);
  }
}

// Of `tandem demo MACHINE`, which runs alone.
RosNames names_of(const MachineType& type) {
  REQUIRE(static_cast<bool>(type.ros_names));
  return type.ros_names(runtime::options_from_settings(type.options, type.demo));
}

}  // namespace

TEST_CASE("the lists of keys in the documentation are those that the machines have") {
  for (const char* name : {"em1500", "ur3e"}) {
    CAPTURE(name);
    const std::string page = fmt::format("docs/{}.md", name), text = read(page);
    const std::size_t begin = text.find(list_begin), end = text.find(list_end);
    REQUIRE_MESSAGE((begin != std::string::npos && end != std::string::npos), "no list of keys in " << page);
    const std::size_t start = begin + list_begin.size();
    const std::string table = key_table(type_of(name));
    if (std::getenv("TANDEM_WRITE_KEYS") != nullptr) {
      std::ofstream(std::string(TANDEM_SOURCES) + "/" + page) << text.substr(0, start) << table << text.substr(end);
      continue;
    }
    CHECK_MESSAGE(text.substr(start, end - start) == table,
                  page << ": expected the keys of the machine; run this test with TANDEM_WRITE_KEYS=1 and commit");
  }
}

TEST_CASE("every machine has the profile original and one of an older name is refused with it") {
  for (const char* name : {"cable_robot", "em1500", "orca", "raptorlift", "ur3e"}) {
    CAPTURE(name);
    const std::span<const Option> table = type_of(name).options;
    CHECK(runtime::default_options(table).text("profile") == "original");
    const std::vector<std::string> older{"profile=seed"};
    CHECK_THROWS_WITH_AS((void)runtime::options_from_settings(table, older), doctest::Contains("one of original, "),
                         std::invalid_argument);
  }
}

TEST_CASE("every topic that the platform publishes is documented for users of Isaac Sim and others") {
  const std::string text = read("docs/em1500.md");
  for (const char* profile : {"profile=original", "profile=frd"}) {
    const std::vector<std::string> settings{profile};
    const auto names = type_of("em1500").ros_names(runtime::options_from_settings(type_of("em1500").options, settings));
    for (const auto& topic : names.published)
      CHECK_MESSAGE(text.find("`" + topic.name + "`") != std::string::npos, topic.name << " is not in docs/em1500.md");
  }
}

TEST_CASE("the views for RViz name topics and frames that the machines have") {
  for (const char* name : {"cable_robot", "em1500", "orca", "raptorlift", "ur3e"}) {
    CAPTURE(name);
    const std::string file = fmt::format("ros/tandem_bringup/rviz/{}.rviz", name);
    std::set<std::string> topics, frames, known_topics, known_frames;
    const yaml::Node root = yaml::parse(read(file), file);
    collect(root, topics, frames);
    const RosNames names = names_of(type_of(name));
    for (const auto& topic : names.published) known_topics.insert(topic.name);
    for (const auto& frame : names.frames) known_frames.insert({frame.parent, frame.child});
    CHECK(topics.size() >= 2);
    for (const std::string& topic : topics) CHECK_MESSAGE(known_topics.contains(topic), file << ": " << topic);
    CHECK(frames.size() == 1);
    for (const std::string& frame : frames) CHECK_MESSAGE(known_frames.contains(frame), file << ": " << frame);
    // As rviz2 expects it.
    const yaml::Node* manager = child(root, "Visualization Manager");
    REQUIRE(manager != nullptr);
    REQUIRE(child(*manager, "Displays") != nullptr);
    for (const yaml::Node& display : child(*manager, "Displays")->items)
      CHECK(child(display, "Class")->scalar.rfind("rviz_default_plugins/", 0) == 0);
  }
}

}  // namespace tandem::machines
