// SPDX-License-Identifier: Apache-2.0
// docs/generic.md against the reader: its examples are read, and it has every key, unit and function.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/units.hpp"
#include "tests/machines/generic/schema/reading.hpp"

using namespace tandem::generic;
using tandem::generic::testing::problems_of;

namespace {

std::string document() {
  std::ifstream file(std::string(TANDEM_SOURCES) + "/docs/generic.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Of a whole configuration in one of its blocks, the keys of the only machine.
std::shared_ptr<const Description> read_block(const std::string& text) {
  const auto root = tandem::yaml::parse(text, "generic.md");
  const auto& machine = root.items[0];
  const auto read = read_description(machine.items[0], std::string(TANDEM_SOURCES) + "/x.yaml", machine.keys[0].scalar);
  REQUIRE_MESSAGE(read.problems.empty(), (read.problems.empty() ? "" : read.problems[0].text));
  return read.description;
}

// What the reader knows where it gets `wrong: 1`, from its own message.
std::vector<std::string> known_keys(const std::string& text) {
  const std::string problems = problems_of(text);
  std::size_t at = problems.find("unknown key 'wrong'");
  REQUIRE_MESSAGE(at != std::string::npos, problems);
  at = problems.find("(known: ", at) + 8;
  std::stringstream list(problems.substr(at, problems.find(')', at) - at));
  std::vector<std::string> keys;
  for (std::string key; std::getline(list, key, ',');) keys.push_back(key.substr(key.front() == ' ' ? 1 : 0));
  return keys;
}

}  // namespace

TEST_CASE("the examples of the documentation are read") {
  const std::string text = document();
  std::vector<std::string> names;
  for (std::size_t at = text.find("```yaml\n"); at != std::string::npos; at = text.find("```yaml\n", at)) {
    at += 8;
    const auto description = read_block(text.substr(at, text.find("```", at) - at));
    names.push_back(description->name);
    CHECK_FALSE(writes_table(*description).empty());
  }
  CHECK(names == std::vector<std::string>{"press", "conveyor", "gantry"});
}

TEST_CASE("the documentation has every key, unit and function") {
  const std::string text = document();
  const std::string a = "signals:\n  a: {at: holding 1";
  std::vector<std::string> keys;
  for (const std::string& with :
       {a + "}\nwrong: 1\n", a + ", wrong: 1}\n", a + ", write: {limits: [0, 1], rate: none, wrong: 1}}\n",
        a + "}\narm: {wrong: 1}\n", a + "}\nlimits: {wrong: 1}\n", a + "}\nrobot: {urdf: x, wrong: 1}\n",
        a + ", fault: {drop: 1 s, wrong: 1}}\n"}) {
    for (std::string& key : known_keys(with)) keys.push_back(std::move(key));
  }
  for (const char* sim : {"ramp: 1", "sine: 1", "square: [0, 1]", "follow: a", "first_order: a", "second_order: a",
                          "integrate: a", "table: [[0, 1]]", "counter: 1", "joint: x"}) {
    for (std::string& key : known_keys(a + fmt::format(", sim: {{{}, wrong: 1}}}}\n", sim)))
      keys.push_back(std::move(key));
  }
  CHECK(keys.size() > 150);
  for (const std::string& key : keys) {
    if (key == "type" || key == "twin" || key == "chaos") continue;  // of every machine: docs/configuration.md
    const bool found = text.find('`' + key) != std::string::npos || text.find(key + ": ") != std::string::npos ||
                       text.find(key + '`') != std::string::npos;
    CHECK_MESSAGE(found, key);
  }
  const std::size_t units = text.find("## Units");
  for (const char* unit :
       {"m",    "mm",    "cm",   "um",    "km",    "in",   "rad",  "mrad",  "deg", "s",   "ms",  "min",
        "h",    "kg",    "g",    "t",     "N",     "kN",   "N.m",  "Pa",    "kPa", "MPa", "bar", "mbar",
        "psi",  "A",     "mA",   "V",     "mV",    "kV",   "W",    "kW",    "Hz",  "kHz", "rpm", "m/s",
        "mm/s", "m/min", "km/h", "rad/s", "deg/s", "m3/s", "m3/h", "L/min", "Cel", "K",   "%",   "1"}) {
    CHECK(unit_named(unit).has_value());
    CHECK_MESSAGE(text.find(fmt::format(" {}", unit), units) != std::string::npos, unit);
  }
  const std::string error = Expression::parse("x_(1)").error().text;
  std::stringstream list(error.substr(error.find("known: ") + 7));
  for (std::string name; std::getline(list, name, ',');) {
    const std::string plain = name.substr(name.find_first_not_of(' '), name.find(')') - name.find_first_not_of(' '));
    CHECK_MESSAGE(text.find(plain, text.find("| function |")) != std::string::npos, plain);
  }
}
