// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/manual/manual.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app {
namespace {

struct ManualArguments {
  std::string page = "tandem";  // "tandem-ros-topic"
  std::string out;              // folder for the pages of all commands
  bool markdown = false;
};

// Null after reporting on standard error what is unknown.
const Command* find_page(const Command& program, const std::string& name) {
  for (const Command* each : all_commands(program)) {
    if (man_page_name(*each) == name + ".1") return each;
  }
  return fmt::print(stderr, "tandem: manual: unknown page '{}'\n", printable(name)), nullptr;
}

int write_pages(const Command& program, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const Command* each : all_commands(program)) {
    const auto file = folder / man_page_name(*each);
    if (!(std::ofstream(file) << man_page(*each, TANDEM_VERSION)).flush())
      return fmt::print(stderr, "tandem: {}: cannot be written\n", file.string()), failure;
  }
  return success;
}

int manual(const Command& program, const ManualArguments& arguments) {
  if (!arguments.out.empty()) return write_pages(program, arguments.out);
  const Command* command = find_page(program, arguments.page);
  if (command == nullptr) return usage;
  return fmt::print("{}", arguments.markdown ? command_reference(*command) : man_page(*command, TANDEM_VERSION)),
         success;
}

}  // namespace

std::vector<std::pair<CLI::App*, std::function<int()>>> add_manual(CLI::App& program,
                                                                   const runtime::Registry& registry) {
  const auto tree = [&program, &registry] { return command_tree(program, registry.names()); };

  const auto arguments = std::make_shared<ManualArguments>();
  CLI::App* pages = program.add_subcommand("manual", "print the man page of a command, or the command reference");
  pages->group("");
  pages->footer(
      "Examples:\n  tandem manual tandem-demo | man -l -\n  tandem manual --markdown > commands.md\n"
      "  tandem manual --out /usr/local/share/man/man1\n");
  pages->add_option("PAGE", arguments->page, "such as tandem-ros-topic; none: tandem");
  pages->add_option("--out", arguments->out, "write the pages of all commands into this folder")->type_name("FOLDER");
  pages->add_flag("--markdown", arguments->markdown, "the command and all below it as one document");

  const auto shell = std::make_shared<std::string>();
  CLI::App* completion = program.add_subcommand("completion", "print the completion script of a shell");
  completion->group("");
  completion->footer(
      "Examples:\n  source <(tandem completion bash)\n  tandem completion zsh > ~/.zfunc/_tandem\n"
      "  tandem completion fish > ~/.config/fish/completions/tandem.fish\n");
  completion->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(choice_check({"bash", "zsh", "fish"}));
  const auto complete = [tree, shell] {
    const auto write = *shell == "bash" ? bash_completion : *shell == "zsh" ? zsh_completion : fish_completion;
    return fmt::print("{}", write(tree())), static_cast<int>(success);
  };
  return {{pages, [tree, arguments] { return manual(tree(), *arguments); }}, {completion, complete}};
}

}  // namespace tandem::app
