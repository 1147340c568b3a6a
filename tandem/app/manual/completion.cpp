// SPDX-License-Identifier: Apache-2.0
// Completion for three shells. Each script walks the words to the command they name, and then offers what may follow:
// the values of the option before the cursor, else commands, options and positionals.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "tandem/app/manual/manual.hpp"

namespace tandem::app {
namespace {

// "path --option" of each option with a value, by what completes it.
struct Values {
  std::vector<std::pair<std::string, std::string>> known;  // and the words there are
  std::vector<std::string> files, free;                    // names of files; anything
};

Values option_values(const Command& program) {
  Values values;
  for (const Command* command : all_commands(program)) {
    for (const Argument& each : command->arguments) {
      if (each.is_positional || each.value.empty()) continue;
      for (const std::string& name : each.names) {
        const std::string place = fmt::format("\"{} {}\"", command->path, name);
        if (!each.choices.empty())
          values.known.emplace_back(place, fmt::format("{}", fmt::join(each.choices, " ")));
        else
          (each.is_file ? values.files : values.free).push_back(place);
      }
    }
  }
  return values;
}

// The paths of all commands below the program, as patterns of a shell's case.
std::string paths(const Command& program, std::string_view between) {
  std::vector<std::string> all;
  for (const Command* command : all_commands(program)) {
    if (command != &program) all.push_back(fmt::format("\"{}\"", command->path));
  }
  return fmt::format("{}", fmt::join(all, between));
}

bool takes_files(const Command& command) {
  for (const Argument& each : command.arguments) {
    if (each.is_positional && each.is_file) return true;
  }
  return false;
}

// Words that may follow a command, apart from files: commands, values of positionals, options.
std::vector<std::string> words_after(const Command& command) {
  std::vector<std::string> words;
  for (const Command& each : command.commands) words.emplace_back(each.name());
  for (const Argument& each : command.arguments) {
    const auto& more = each.is_positional ? each.choices : each.names;
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

// Inside single quotes of a shell.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// A word and its meaning for zsh's _describe, where a colon divides them.
std::string described(const std::string& word, const std::string& help) {
  return shell_quoted(help.empty() ? word : word + ":" + help);
}

}  // namespace

std::string bash_completion(const Command& program) {
  const Values values = option_values(program);
  std::string text = fmt::format(
      "# bash completion, written by `{0} completion bash`\n"
      "_{0}() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} at={0} words= files= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$at ${{COMP_WORDS[i]}}\" in\n"
      "      {1}) at+=\" ${{COMP_WORDS[i]}}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at ${{COMP_WORDS[COMP_CWORD - 1]}}\" in\n",
      program.path, paths(program, "|"));
  for (const auto& [place, words] : values.known) text += fmt::format("    {}) words=\"{}\" ;;\n", place, words);
  if (!values.files.empty()) text += fmt::format("    {}) files=1 ;;\n", fmt::join(values.files, "|"));
  if (!values.free.empty()) text += fmt::format("    {}) return ;;\n", fmt::join(values.free, "|"));
  text += "    *)\n      case \"$at\" in\n";
  for (const Command* command : all_commands(program)) {
    text += fmt::format("        \"{}\") words=\"{}\"{} ;;\n", command->path, fmt::join(words_after(*command), " "),
                        takes_files(*command) ? " files=1" : "");
  }
  return text + fmt::format(
                    "      esac ;;\n"
                    "  esac\n"
                    "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                    "  if [[ -n $files ]]; then\n"
                    "    compopt -o filenames 2>/dev/null\n"
                    "    mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- \"$word\")\n"
                    "  fi\n"
                    "}}\n"
                    "complete -F _{0} {0}\n",
                    program.path);
}

std::string zsh_completion(const Command& program) {
  const Values values = option_values(program);
  std::string text = fmt::format(
      "#compdef {0}\n"
      "# zsh completion, written by `{0} completion zsh`\n"
      "_{0}() {{\n"
      "  local at={0} i\n"
      "  local -a commands options\n"
      "  for ((i = 2; i < CURRENT; ++i)); do\n"
      "    case \"$at $words[i]\" in\n"
      "      ({1}) at+=\" $words[i]\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at $words[CURRENT-1]\" in\n",
      program.path, paths(program, "|"));
  for (const auto& [place, words] : values.known)
    text += fmt::format("    ({}) compadd -- {}; return ;;\n", place, words);
  if (!values.files.empty()) text += fmt::format("    ({}) _files; return ;;\n", fmt::join(values.files, "|"));
  if (!values.free.empty()) text += fmt::format("    ({}) _message value; return ;;\n", fmt::join(values.free, "|"));
  text += "  esac\n  case \"$at\" in\n";
  for (const Command* command : all_commands(program)) {
    text += fmt::format("    (\"{}\")\n", command->path);
    std::string commands, options;
    for (const Command& each : command->commands) commands += " " + described(std::string(each.name()), each.help);
    for (const Argument& each : command->arguments) {
      for (const std::string& word : each.is_positional ? each.choices : each.names)
        (each.is_positional ? commands : options) += " " + described(word, each.is_positional ? "" : each.help);
    }
    text += fmt::format("      commands=({})\n      options=({})\n", commands, options);
    text += takes_files(*command) ? "      _files ;;\n" : "      ;;\n";
  }
  return text + fmt::format(
                    "  esac\n"
                    "  _describe command commands\n"
                    "  _describe -o option options\n"
                    "}}\n"
                    "if [[ $funcstack[1] == _{0} ]]; then _{0} \"$@\"; else compdef _{0} {0}; fi\n",
                    program.path);
}

std::string fish_completion(const Command& program) {
  std::string text = fmt::format(
      "# fish completion, written by `{0} completion fish`\n"
      "set -g __{0}_commands {1}\n"
      "function __{0}_at\n"
      "    set -l at {0}\n"
      "    for word in (commandline -opc)[2..-1]\n"
      "        if contains -- \"$at $word\" $__{0}_commands\n"
      "            set at \"$at $word\"\n"
      "        end\n"
      "    end\n"
      "    test \"$at\" = \"$argv[1]\"\n"
      "end\n"
      "complete -c {0} -f\n",
      program.path, paths(program, " "));
  for (const Command* command : all_commands(program)) {
    const std::string here = fmt::format("complete -c {0} -n \"__{0}_at '{1}'\"", program.path, command->path);
    for (const Command& each : command->commands)
      text += fmt::format("{} -a {} -d {}\n", here, each.name(), shell_quoted(each.help));
    if (takes_files(*command)) text += here + " -F\n";
    for (const Argument& each : command->arguments) {
      const std::string choices = fmt::format("{}", fmt::join(each.choices, " "));
      if (each.is_positional) {
        if (!choices.empty()) text += fmt::format("{} -a {}\n", here, shell_quoted(choices));
        continue;
      }
      std::string line = here;
      for (const std::string& name : each.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!each.value.empty()) line += each.is_file ? " -r -F" : " -x";
      if (!choices.empty()) line += " -a " + shell_quoted(choices);
      text += fmt::format("{} -d {}\n", line, shell_quoted(each.help));
    }
  }
  return text;
}

}  // namespace tandem::app
