// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/commands/option_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "tandem/runtime/config/config.hpp"

namespace tandem::app {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::size_t line_width = 118;  // characters

std::string type_text(const Option& option) {
  switch (option.kind) {
    case OptionKind::number:
      return "number";
    case OptionKind::flag:
      return "true or false";
    case OptionKind::text:
      return "text";
    case OptionKind::choice:
      return fmt::format("one of {}", fmt::join(option.choices, ", "));
    case OptionKind::numbers:
      return option.count > 0 ? fmt::format("{} numbers", option.count) : "numbers";
    case OptionKind::texts:
      return "texts";
  }
  return "";
}

// "number, 0 to 10"
std::string kind_text(const Option& option) {
  const bool low = option.minimum > -1e300, high = option.maximum < 1e300;
  std::string text = type_text(option);
  if (low && high) return text + fmt::format(", {:g} to {:g}", option.minimum, option.maximum);
  if (low) return text + fmt::format(", at least {:g}", option.minimum);
  if (high) return text + fmt::format(", at most {:g}", option.maximum);
  return text;
}

// As it is written in a file.
std::string value_text(const Option& option) {
  const bool is_text = option.kind == OptionKind::text || option.default_value.empty();
  return is_text ? fmt::format("\"{}\"", option.default_value) : std::string(option.default_value);
}

std::string_view note_on(const machines::MachineType& type, std::string_view option) {
  const auto found = std::ranges::find(type.notes, option, &machines::OptionNote::option);
  return found == type.notes.end() ? std::string_view() : found->text;
}

// Help and note as sentences behind each other.
std::string help_text(const Option& option, std::string_view note) {
  std::string text(option.help);
  if (!note.empty()) text += fmt::format(". {}", note);
  return text;
}

// Lines that begin so and end before the margin.
std::string wrapped(const std::string& text, const std::string& begin, const std::string& next) {
  std::string all, line = begin;
  std::istringstream words(text);
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && line.size() + 1 + word.size() > line_width) {
      all += line + "\n";
      line = next;
      first = true;
    }
    line += (first ? "" : " ") + word;
  }
  return all + line + "\n";
}

std::string table_markdown(std::span<const Option> table, const machines::MachineType* type) {
  std::string text;
  for (const Option& option : table) {
    const std::string help = help_text(option, type != nullptr ? note_on(*type, option.name) : std::string_view());
    text +=
        wrapped(fmt::format("`{}`: {}, default `{}`.", option.name, kind_text(option), value_text(option)), "- ", "  ");
    text += wrapped(help, "  ", "  ");
  }
  return text;
}

// Of a type with keys of its own.
std::string file_text(const machines::MachineType& type) {
  return fmt::format("A machine of type {} is described by its keys; {} is the reference. An example:", type.name,
                     type.keys_document);
}

}  // namespace

std::string option_list(const machines::MachineType& type) {
  if (type.read != nullptr) return fmt::format("{}\n{}", file_text(type), type.example_file);
  std::string text = fmt::format("Options of {}, each as --set KEY=VALUE or as a key in a configuration:\n", type.name);
  for (const Option& option : type.options) {
    text += fmt::format("  {}={}  ({})\n      {}\n", option.name,
                        option.default_value.empty() ? std::string_view("\"\"") : option.default_value,
                        kind_text(option), help_text(option, note_on(type, option.name)));
  }
  return text;
}

std::string option_yaml(const machines::MachineType& type) {
  if (type.read != nullptr) return std::string(type.example_file);
  const std::string_view name = type.example_name.empty() ? type.name : type.example_name;
  std::string text =
      wrapped(fmt::format("{0} with every option at its default, as written by `tandem options {0} --yaml`. "
                          "Leave out what you do not change.",
                          type.name),
              "# ", "# ");
  text += fmt::format("machines:\n  {}:\n    type: {}\n", name, type.name);
  const std::string device = type.example_device.empty() ? "virtual" : std::string(type.example_device);
  text += fmt::format("    # the real device, or: virtual\n    device: \"{}\"\n", device);
  for (const Option& option : type.options) {
    text += "\n" + wrapped(fmt::format("{} ({})", help_text(option, note_on(type, option.name)), kind_text(option)),
                           "    # ", "    # ");
    text += fmt::format("    {}: {}\n", option.name, value_text(option));
  }
  return text;
}

std::string option_document(const runtime::Registry& registry) {
  std::string text =
      "# Configuration reference\n\n"
      "Every key of a configuration file with its type, range and default, as written by `tandem options --markdown`.\n"
      "`tandem check FILE` reports unknown keys and invalid values with file and line. `tandem options MACHINE` "
      "prints\n"
      "the options of one machine, `tandem options MACHINE --yaml` a complete file; those of Tandem's own machines "
      "are\n"
      "in `tandem/machines/MACHINE/MACHINE.yaml`. `tandem demo` and `tandem virtual` take `--set KEY=VALUE`.\n\n";
  const machines::MachineType& first = *registry.types().front();
  text += fmt::format("```yaml\nmachines:\n  {}: {{ type: {}, device: virtual }}\nros: {{ domain: 0 }}\n```\n",
                      first.example_name.empty() ? first.name : first.example_name, first.name);
  for (const std::string_view section : runtime::config_sections()) {
    if (section == "machines") {
      text +=
          "\n## machines\nA name of your choice for each machine, and below it these keys and those of its type.\n\n";
    } else {
      text += fmt::format("\n## {}\n", section);
    }
    text += table_markdown(runtime::section_options(section), nullptr);
  }
  for (const auto* type : registry.types()) {
    text += fmt::format("\n## {}\n", type->name);
    text += wrapped(fmt::format("{}. Device: `{}`.", type->summary, type->example_device), "", "") + "\n";
    if (type->read != nullptr) text += fmt::format("{}\n```yaml\n{}```\n", file_text(*type), type->example_file);
    text += table_markdown(type->options, type);
  }
  return text;
}

}  // namespace tandem::app
