// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/manual/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace tandem::app {
namespace {

constexpr std::array<std::string_view, 4> file_values = {"CONFIG", "FILE", "PATH", "CSV"};

// "LEVEL:{info,warn}", "INT:INT in [0 - 232]" or "ADDRESS:PORT", as CLI11 describes a value and its checks.
void read_type(const std::string& text, Argument& argument) {
  argument.value = text;
  const auto colon = text.find(':');
  if (colon == std::string::npos) return;
  const std::string rest = text.substr(colon + 1);
  if (rest.starts_with('{') && rest.ends_with('}')) {
    std::istringstream words(rest.substr(1, rest.size() - 2));
    for (std::string word; std::getline(words, word, ',');) argument.choices.push_back(word);
  } else if (rest.find(' ') != std::string::npos) {
    argument.limits = rest;
  } else {
    return;  // the value's own name
  }
  argument.value.resize(colon);
}

Argument argument_of(const CLI::Option& option, std::span<const std::string_view> machines) {
  Argument argument;
  argument.is_positional = option.get_positional();
  argument.is_required = option.get_required();
  argument.is_repeated = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  argument.help = option.get_description();
  if (option.get_items_expected_max() > 0) read_type(option.get_type_name(), argument);
  if (argument.is_positional) {
    argument.names = {option.get_name(true, false)};
    argument.value = argument.names.front();
  } else {
    for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  }
  argument.is_file = std::ranges::find(file_values, argument.value) != file_values.end();
  if (argument.value == "MACHINE") argument.choices.assign(machines.begin(), machines.end());
  return argument;
}

// "Examples:" alone begins a block.
bool is_title(const std::string& line) {
  return line.size() > 1 && line.back() == ':' && line.find(' ') == std::string::npos;
}

std::vector<Note> notes_of(const std::string& footer) {
  std::vector<Note> notes;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (is_title(line)) {
      notes.push_back({line.substr(0, line.size() - 1), {}});
    } else if (!line.empty()) {
      if (notes.empty()) notes.push_back({"Notes", {}});
      notes.back().lines.push_back(line);
    }
  }
  return notes;
}

Command tree_below(const CLI::App& app, const std::string& path, std::span<const std::string_view> machines) {
  Command command{path, app.get_description(), {}, notes_of(app.get_footer()), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) command.arguments.push_back(argument_of(*option, machines));
  }
  for (const CLI::App* each : app.get_subcommands([](const CLI::App* below) { return !below->get_group().empty(); }))
    command.commands.push_back(tree_below(*each, path + " " + each->get_name(), machines));
  return command;
}

}  // namespace

std::string_view Command::name() const { return std::string_view(path).substr(path.rfind(' ') + 1); }

Command command_tree(const CLI::App& app, std::span<const std::string_view> machines) {
  return tree_below(app, app.get_name(), machines);
}

std::string synopsis(const Command& command) {
  std::string text;
  if (std::ranges::any_of(command.arguments, [](const Argument& each) { return !each.is_positional; }))
    text = "[OPTIONS]";
  for (const Argument& each : command.arguments) {
    if (!each.is_positional) continue;
    const std::string name = each.names.front() + (each.is_repeated ? "..." : "");
    text += (text.empty() ? "" : " ") + (each.is_required ? name : "[" + name + "]");
  }
  if (!command.commands.empty()) text += " COMMAND";
  return text;
}

std::vector<const Command*> all_commands(const Command& command) {
  std::vector<const Command*> all = {&command};
  for (const Command& each : command.commands) {
    const auto below = all_commands(each);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

}  // namespace tandem::app
