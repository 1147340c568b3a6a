// SPDX-License-Identifier: Apache-2.0
// Man pages, completions and the command reference hold what --help prints, which is the oracle here.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "tandem/runtime/registry.hpp"
#include "tests/app/process.hpp"

namespace tandem::app {
namespace {

using Words = std::vector<std::string>;

std::string printed(const Words& arguments) {
  Process process(TANDEM_PROGRAM, arguments);
  CAPTURE(fmt::format("{}", fmt::join(arguments, " ")));
  REQUIRE(process.finish(60s) == 0);
  return process.output();
}

// The names below "Subcommands:" in a help text.
Words subcommands(const std::string& help) {
  Words names;
  std::istringstream lines(help.substr(std::min(help.size(), help.find("\nSubcommands:\n"))));
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  ")) {
    if (line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

std::set<std::string> options(const std::string& help) {
  std::set<std::string> names;
  const std::regex option(R"(\n  (?:-\w,)?(--[a-z][a-z-]*))");
  for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) names.insert((*at)[1]);
  return names;
}

// Every command, by its words, with its help text.
void collect(const Words& words, std::vector<std::pair<Words, std::string>>& all) {
  Words asked = words;
  asked.push_back("--help");
  const std::string help = printed(asked);
  all.emplace_back(words, help);
  for (const std::string& name : subcommands(help)) {
    Words below = words;
    below.push_back(name);
    collect(below, all);
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// What bash offers after these words; the last one is being written.
Words completed(const Words& words) {
  Words quoted;
  for (const std::string& word : words) quoted.push_back("'" + word + "'");
  const std::string script = fmt::format(
      "source <({} completion bash)\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_tandem\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
      TANDEM_PROGRAM, fmt::join(quoted, " "), words.size() - 1);
  Process bash("/bin/bash", {"-c", script});
  REQUIRE(bash.finish(60s) == 0);
  Words offered;
  std::istringstream lines(bash.output());
  for (std::string line; std::getline(lines, line);) offered.push_back(line);
  std::ranges::sort(offered);
  return offered;
}

}  // namespace

TEST_CASE("man pages and command reference have every command and option of --help") {
  std::vector<std::pair<Words, std::string>> all;
  collect({}, all);
  REQUIRE(all.size() > 40);  // the program, its commands, and those of `tandem ros`
  const std::string reference = printed({"manual", "--markdown"});
  for (const auto& [words, help] : all) {
    const std::string path = fmt::format("tandem{}{}", words.empty() ? "" : " ", fmt::join(words, " "));
    const std::string page = replaced(printed({"manual", replaced(path, " ", "-")}), "\\-", "-");
    CAPTURE(path);
    const std::string first = help.substr(0, help.find('\n'));
    CHECK(replaced(replaced(page, "\\(ga", "`"), "\\(aq", "'").find(" - " + first + "\n") != std::string::npos);
    const auto begin = reference.find("\n## " + path + "\n");
    REQUIRE(begin != std::string::npos);
    const std::string section = reference.substr(begin, reference.find("\n## ", begin + 4) - begin);
    CHECK(!options(help).empty());
    for (const std::string& option : options(help)) {
      CHECK_MESSAGE(page.find("\\fB" + option + "\\fR") != std::string::npos, option);
      CHECK_MESSAGE(section.find(option) != std::string::npos, option);
    }
    CHECK(page.find("tandem-manual") == std::string::npos);  // hidden, as in --help
  }
}

TEST_CASE("the command reference of the site is what tandem manual writes: tools/write_configuration") {
  std::ifstream file(TANDEM_SOURCE "/docs/commands.md");
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == printed({"manual", "--markdown"}));
}

TEST_CASE("bash completes commands, machines and the values of options") {
  CHECK(completed({"tandem", "re"}) == Words{"record", "repair", "replay", "reset"});
  CHECK(completed({"tandem", "ros", "topic", "ec"}) == Words{"echo"});
  CHECK(completed({"tandem", "demo", "em"}) == Words{"em1500"});
  CHECK(completed({"tandem", "demo", "--log", "w"}) == Words{"warn"});
  CHECK(completed({"tandem", "demo", "--log", "warn", "--rec"}) == Words{"--record"});
  CHECK(completed({"tandem", "demo", "--for", ""}) == Words{""});  // any number
  CHECK(completed({"tandem", "run", "/etc/host"}).front().starts_with("/etc/host"));
  Words machines;
  for (const std::string_view name : runtime::all_machines().names()) machines.emplace_back(name);
  Words offered = completed({"tandem", "solve", ""});
  std::erase_if(offered, [](const std::string& word) { return word.starts_with('-'); });
  std::ranges::sort(machines);
  CHECK(offered == machines);
}

TEST_CASE("a manual of an unknown command and a completion for an unknown shell are refused") {
  Process manual(TANDEM_PROGRAM, {"manual", "tandem-nothing"});
  CHECK(manual.finish(60s) == 2);
  CHECK(manual.output().find("unknown page 'tandem-nothing'") != std::string::npos);
  Process shell(TANDEM_PROGRAM, {"completion", "cmd"});
  CHECK(shell.finish(60s) == 2);
}

}  // namespace tandem::app
