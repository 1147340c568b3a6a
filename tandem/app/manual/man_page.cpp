// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tandem/app/manual/manual.hpp"

namespace tandem::app {
namespace {

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// Text in which groff reads no command.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '^':
        out += "\\(ha";
        break;
      default:
        out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string tagged(const std::string& tag, const std::string& text) { return fmt::format(".TP\n{}\n{}\n", tag, text); }

std::string tag_of(const Argument& argument) {
  if (argument.is_positional) return fmt::format("\\fI{}\\fR", escaped(argument.names.front()));
  std::string tag;
  for (const std::string& name : argument.names)
    tag += fmt::format("{}\\fB{}\\fR", tag.empty() ? "" : ", ", escaped(name));
  return argument.value.empty() ? tag : tag + fmt::format(" \\fI{}\\fR", escaped(argument.value));
}

std::string text_of(const Argument& argument) {
  std::string text = argument.help;
  if (!argument.limits.empty()) text += fmt::format(" ({})", argument.limits);
  if (argument.choices.size() > 1 && !argument.is_positional)
    text += fmt::format(" (one of {})", fmt::join(argument.choices, ", "));
  return escaped(text);
}

std::string arguments_section(const Command& command, bool positional) {
  std::string text;
  for (const Argument& each : command.arguments) {
    if (each.is_positional == positional) text += tagged(tag_of(each), text_of(each));
  }
  return text.empty() ? "" : fmt::format(".SH {}\n{}", positional ? "ARGUMENTS" : "OPTIONS", text);
}

std::string commands_section(const Command& command) {
  if (command.commands.empty()) return "";
  std::string text = ".SH COMMANDS\nEach has a page of its own.\n";
  for (const Command& each : command.commands) {
    std::string page = man_page_name(each);
    page.resize(page.rfind('.'));
    text += tagged(fmt::format("\\fB{}\\fR(1)", escaped(page)), escaped(each.help));
  }
  return text;
}

std::string note_section(const Note& note) {
  std::string text = fmt::format(".SH {}\n", upper(note.title));
  bool verbatim = false;
  for (const std::string& line : note.lines) {
    const bool indented = line.starts_with(' ');
    if (indented != verbatim) text += indented ? ".nf\n" : ".fi\n.PP\n";
    verbatim = indented;
    text += escaped(line) + "\n";
  }
  return text + (verbatim ? ".fi\n" : "");
}

std::string see_also(const Command& command) {
  const auto space = command.path.rfind(' ');
  if (space == std::string::npos) return "";
  std::string parent = command.path.substr(0, space);
  std::ranges::replace(parent, ' ', '-');
  return fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", escaped(parent));
}

}  // namespace

std::string man_page_name(const Command& command) {
  std::string name = command.path;
  std::ranges::replace(name, ' ', '-');
  return name + ".1";
}

std::string man_page(const Command& command, std::string_view version) {
  std::string name = man_page_name(command);
  name.resize(name.rfind('.'));
  std::string text = fmt::format(".TH {} 1 \"\" \"tandem {}\" \"User Commands\"\n", escaped(upper(name)), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(command.help));
  text += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR {}\n", escaped(command.path), escaped(synopsis(command)));
  text += arguments_section(command, true) + arguments_section(command, false) + commands_section(command);
  for (const Note& note : command.notes) text += note_section(note);
  text += ".SH EXIT STATUS\n0: done. 1: it did not work. 2: the command line is wrong.\n";
  return text + see_also(command);
}

}  // namespace tandem::app
