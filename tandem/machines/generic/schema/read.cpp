// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/schema/read.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <tuple>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/schema/keys.hpp"
#include "tandem/machines/generic/schema/machine_reader.hpp"
#include "tandem/machines/generic/text_file.hpp"

namespace tandem::generic {
namespace {

using yaml::Node;

constexpr std::size_t most_description_bytes = 256 * 1024 + 1;  // one more than the YAML parser takes: it refuses it

[[noreturn]] void refuse_file(const std::string& file, std::string text) {
  throw yaml::FileError({{{file, 0, 0}, std::move(text)}});
}

// "press line.yaml" -> "press_line"
std::string machine_from(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!good) c = '_';
  }
  return name.empty() || (name.front() >= '0' && name.front() <= '9') || name.front() == '_' ? "machine" : name;
}

// The keys and the name of the one machine of type generic in a whole configuration.
std::pair<const Node*, std::string> only_machine(const Node& root, const std::string& file) {
  const Node* machines = item_of(root, "machines");
  const Node* found = nullptr;
  std::string name;
  for (std::size_t i = 0; i < machines->keys.size(); ++i) {
    const Node* type = item_of(machines->items[i], "type");
    if (type == nullptr || type->scalar != "generic") continue;
    if (found != nullptr)
      refuse_file(file, fmt::format("expected one machine of type generic, got {} and {}", printable(name),
                                    printable(machines->keys[i].scalar)));
    found = &machines->items[i];
    name = machines->keys[i].scalar;
  }
  if (found == nullptr) refuse_file(file, "expected one machine of type generic under `machines`, got none");
  return {found, name};
}

// `file: press.yaml` in the place of all other keys.
DescriptionRead read_other_file(const Node& map, const Node& name, const std::string& file,
                                const std::string& machine) {
  Problems problems(file);
  Keys keys(map, machine, problems);
  std::string name_space, tf_prefix;
  for (const char* key : {"type", "device", "twin", "chaos", "file"}) keys.take(key);
  keys.take_text("namespace", name_space);
  keys.take_text("tf_prefix", tf_prefix);
  keys.finish();
  DescriptionRead read;
  if (name.kind != Node::Kind::scalar || name.scalar.empty()) {
    keys.expected(name, "file", "the name of a file");
  } else if (problems.count() == 0) {
    try {
      auto loaded = std::make_shared<Description>(*load_description(beside(name.scalar, file)));
      loaded->name = machine;
      if (!name_space.empty()) loaded->name_space = name_space;
      if (!tf_prefix.empty()) loaded->tf_prefix = tf_prefix;
      read.description = std::move(loaded);
      return read;
    } catch (const yaml::FileError& error) {
      read.problems = error.problems();
      return read;
    }
  }
  read.problems = problems.take();
  return read;
}

}  // namespace

DescriptionRead read_description(const Node& map, const std::string& file, const std::string& machine) {
  const Node* name = map.kind == Node::Kind::map ? item_of(map, "file") : nullptr;
  return name == nullptr ? read_keys(map, file, machine) : read_other_file(map, *name, file, machine);
}

std::shared_ptr<const Description> load_description(const std::string& file) {
  auto text = read_text(file, most_description_bytes);
  if (!text) refuse_file(file, "cannot be read");
  const Node root = yaml::parse(*text, file);
  if (root.kind == Node::Kind::nothing) refuse_file(file, "the file is empty");
  const Node* keys = &root;
  std::string machine = machine_from(file);
  if (const Node* machines = root.kind == Node::Kind::map ? item_of(root, "machines") : nullptr;
      machines != nullptr && machines->kind == Node::Kind::map)
    std::tie(keys, machine) = only_machine(root, file);
  DescriptionRead read = read_keys(*keys, file, machine);
  if (!read.problems.empty()) throw yaml::FileError(std::move(read.problems));
  return read.description;
}

}  // namespace tandem::generic
