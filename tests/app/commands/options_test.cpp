// SPDX-License-Identifier: Apache-2.0
// Option tables as files: what is in the tree is what the program writes, and it is read back as the defaults.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "tandem/app/commands/option_text.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tests/app/process.hpp"

namespace tandem::app {
namespace {

std::string contents(const std::string& file) {
  std::ifstream stream(file);
  REQUIRE_MESSAGE(stream, file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string source(const std::string& path) { return std::string(TANDEM_SOURCE) + "/" + path; }

bool same_value(const machines::Option& option, const machines::Options& a, const machines::Options& b) {
  switch (option.kind) {
    case machines::OptionKind::number:
      return a.number(option.name) == b.number(option.name);
    case machines::OptionKind::flag:
      return a.flag(option.name) == b.flag(option.name);
    case machines::OptionKind::text:
    case machines::OptionKind::choice:
      return a.text(option.name) == b.text(option.name);
    case machines::OptionKind::numbers:
      return a.numbers(option.name) == b.numbers(option.name);
    case machines::OptionKind::texts:
      return a.texts(option.name) == b.texts(option.name);
  }
  return false;
}

}  // namespace

TEST_CASE("the configuration file of every machine is what tandem options writes: tools/write_configuration") {
  for (const machines::MachineType* type : runtime::all_machines().types()) {
    const std::string name(type->name);
    CAPTURE(name);
    CHECK(contents(source("tandem/machines/" + name + "/" + name + ".yaml")) == option_yaml(*type));
  }
}

TEST_CASE("the configuration reference is what tandem options writes: tools/write_configuration") {
  CHECK(contents(source("docs/configuration.md")) == option_document(runtime::all_machines()));
}

TEST_CASE("a written configuration file is read back as every option's default") {
  for (const machines::MachineType* type : runtime::all_machines().types()) {
    CAPTURE(type->name);
    const runtime::ConfigText file{"all.yaml", option_yaml(*type)};
    const runtime::Config config = runtime::parse_config({&file, 1}, runtime::all_machines());
    REQUIRE(config.machines.size() == 1);
    CHECK(config.machines.front().device == type->example_device);
    const machines::Options defaults = runtime::default_options(type->options);
    for (const machines::Option& option : type->options) {
      CHECK_MESSAGE(same_value(option, config.machines.front().options, defaults), option.name);
      CHECK_MESSAGE(file.text.find("\n    " + std::string(option.name) + ": ") != std::string::npos, option.name);
    }
  }
}

TEST_CASE("lines of written files are at most 120 characters, and notes name options that are there") {
  std::string all = option_document(runtime::all_machines());
  for (const machines::MachineType* type : runtime::all_machines().types()) {
    all += option_yaml(*type);
    for (const machines::OptionNote& note : type->notes) {
      const bool known = std::ranges::any_of(type->options, [&](const auto& row) { return row.name == note.option; });
      CHECK_MESSAGE(known, type->name, ".", note.option);
    }
  }
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 120, line);
}

TEST_CASE("the options of a machine are printed with type, range, default and meaning") {
  Process options(TANDEM_PROGRAM, {"options", "raptorlift"});
  REQUIRE(options.finish(60s) == 0);
  CHECK(options.output().find("wheelbase=1.0  (number, ") != std::string::npos);
  Process unknown(TANDEM_PROGRAM, {"options", "raptorlit"});
  CHECK(unknown.finish(60s) == 2);
  CHECK(unknown.output().find("did you mean 'raptorlift'?") != std::string::npos);
  Process nameless(TANDEM_PROGRAM, {"options", "--yaml"});
  CHECK(nameless.finish(60s) == 2);
}

TEST_CASE("a machine from outside is found beside our own, and a name that is taken is refused") {
  machines::MachineType mine{.name = "mine", .summary = "", .scheme = "modbus", .options = {}, .queries = {}};
  const machines::MachineType* const more[] = {&mine};
  CHECK(runtime::all_machines_and(more).find("mine") == &mine);
  CHECK(runtime::all_machines_and(more).names().back() == "mine");
  mine.name = runtime::all_machines().names().front();
  CHECK_THROWS_AS(runtime::all_machines_and(more), std::invalid_argument);
  mine.name = "";
  CHECK_THROWS_AS(runtime::all_machines_and(more), std::invalid_argument);
}

}  // namespace tandem::app
