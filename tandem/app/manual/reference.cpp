// SPDX-License-Identifier: Apache-2.0
// The command reference of the documentation, in Markdown.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tandem/app/manual/manual.hpp"

namespace tandem::app {
namespace {

// Text in a table's cell.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_') out += '\\';
    out += c;
  }
  return out;
}

std::string row(const Argument& argument) {
  std::string name = fmt::format("{}", fmt::join(argument.names, ", "));
  if (!argument.is_positional && !argument.value.empty()) name += " " + argument.value;
  std::string help = cell(argument.help);
  if (!argument.limits.empty()) help += fmt::format(" ({})", cell(argument.limits));
  if (argument.choices.size() > 1 && !argument.is_positional)
    help += fmt::format(": `{}`", fmt::join(argument.choices, "`, `"));
  if (argument.is_required) help += "; required";
  return fmt::format("| `{}` | {} |\n", name, help);
}

std::string note_text(const Note& note) {
  std::string text = fmt::format("\n**{}**\n", note.title);
  bool verbatim = false;
  for (const std::string& line : note.lines) {
    const bool indented = line.starts_with(' ');
    if (indented != verbatim)
      text += verbatim ? "```\n" : "\n```sh not-run=\"as in --help\"\n";
    else if (!verbatim)
      text += text.ends_with("**\n") ? "\n" : "";
    verbatim = indented;
    text += (indented ? line.substr(std::min<std::size_t>(2, line.size())) : line) + "\n";
  }
  return text + (verbatim ? "```\n" : "");
}

std::string section(const Command& command) {
  std::string text = fmt::format("\n## {}\n{}{}\n\n```sh not-run=\"as in --help\"\n{} {}\n```\n", command.path,
                                 command.help, command.help.ends_with('.') ? "" : ".", command.path, synopsis(command));
  if (!command.arguments.empty()) text += "\n| argument | meaning |\n|---|---|\n";
  for (const Argument& each : command.arguments) text += row(each);
  if (!command.commands.empty()) text += "\n| command | meaning |\n|---|---|\n";
  for (const Command& each : command.commands) text += fmt::format("| `{}` | {} |\n", each.path, cell(each.help));
  for (const Note& note : command.notes) text += note_text(note);
  return text;
}

}  // namespace

std::string command_reference(const Command& command) {
  std::string text =
      "# Command reference\n\nEvery command with its arguments, as written by `tandem manual --markdown`; the same is "
      "in\n"
      "`tandem help COMMAND` and in the man pages.\n";
  for (const Command* each : all_commands(command)) text += section(*each);
  return text;
}

}  // namespace tandem::app
