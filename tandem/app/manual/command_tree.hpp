// SPDX-License-Identifier: Apache-2.0
// The command line as plain data: one source of --help's tree for man pages, completions and the command reference.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace tandem::app {

// What may follow a command: a flag, an option with a value, or a positional.
struct Argument {
  std::vector<std::string> names;    // "-t", "--log"; of a positional its one name: "MACHINE"
  std::string value;                 // "LEVEL"; empty: a flag
  std::string limits;                // of the value, in CLI11's words: "INT in [0 - 232]"; often empty
  std::string help;                  // one line
  std::vector<std::string> choices;  // the values there are, where they are known
  bool is_file = false;              // the value is the name of a file
  bool is_positional = false, is_required = false, is_repeated = false;
};

// A block of the text below the options in --help: "Examples:", and what follows.
struct Note {
  std::string title;
  std::vector<std::string> lines;  // those that begin with a blank are shown as they are
};

struct Command {
  std::string path;  // "tandem ros topic echo"
  std::string help;  // one line
  std::vector<Argument> arguments;
  std::vector<Note> notes;
  std::vector<Command> commands;  // below it

  std::string_view name() const;
};

// The tree below a program or command. Commands of the group "" are hidden, as they are in --help.
Command command_tree(const CLI::App& app, std::span<const std::string_view> machines);

// "[OPTIONS] MACHINE [QUERY...]"
std::string synopsis(const Command& command);

// The command and all below it, each before those below it.
std::vector<const Command*> all_commands(const Command& command);

}  // namespace tandem::app
