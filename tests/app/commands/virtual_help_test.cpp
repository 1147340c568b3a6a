// SPDX-License-Identifier: Apache-2.0
// What `tandem virtual MACHINE --help` says of each machine.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tandem/runtime/registry.hpp"
#include "tests/app/process.hpp"

namespace tandem::app {

TEST_CASE("help of a virtual device lists every option of its machine with default and meaning") {
  for (const machines::MachineType* type : runtime::all_machines().types()) {
    CAPTURE(type->name);
    Process help(TANDEM_PROGRAM, {"virtual", std::string(type->name), "--help"});
    REQUIRE(help.finish(60s) == 0);
    const auto says = [&](const std::string& text) { return help.output().find(text) != std::string::npos; };
    CHECK(says("--listen"));
    for (const machines::Option& option : type->options) {
      CHECK_MESSAGE(says(fmt::format("\n  {}={}", option.name, option.default_value)), option.name);
      CHECK_MESSAGE(says(std::string(option.help)), option.name);
      for (const std::string_view choice : option.choices) CHECK_MESSAGE(says(std::string(choice)), choice);
    }
  }
}

}  // namespace tandem::app
