// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "tandem/yaml/tree.hpp"

namespace tandem::runtime::chaos {
namespace {

std::string wrong_schedule(std::string_view text, std::string_view only = {}) {
  try {
    (void)parse_schedule(text, "run.yaml", only);
  } catch (const yaml::FileError& error) {
    return error.what();
  }
  return "fine";
}

const std::array<Target, 2> two_targets{{{"lift", true, false}, {"sub", false, true}}};

}  // namespace

TEST_CASE("a schedule is read in the order of its beginnings, with seeds of its own") {
  const Schedule schedule = parse_schedule(
      "seed: 7\nfaults:\n"
      "  - { at: 5s, for: 2s, machine: lift, faults: delay=50ms loss=1% }\n"
      "  - at: 0.5s\n    machine: sub\n    faults: \"reset to=client seed=99\"\n",
      "run.yaml");
  REQUIRE(schedule.entries.size() == 2);
  CHECK(schedule.seed == 7);
  CHECK(schedule.entries[0].machine == "sub");
  CHECK(schedule.entries[0].at == 500ms);
  CHECK(schedule.entries[0].terms.seed == 99u);
  CHECK_FALSE(schedule.entries[0].terms.length);
  CHECK(schedule.entries[1].terms.delay == 50ms);
  CHECK(schedule.entries[1].terms.length == Duration(2s));
  CHECK(schedule.entries[1].terms.seed == 8u);
  CHECK(length_of(schedule) == 7s);
  CHECK(parse_schedule("faults: [{ at: 0s, faults: blackhole }]", "a", "lift").entries[0].machine == "lift");
}

TEST_CASE("mistakes in a schedule are told with their lines") {
  struct Row {
    std::string_view text, says;
  };
  const std::array rows = {
      Row{"[]", "run.yaml:1:1: a schedule: expected the keys seed and faults"},
      Row{"seed: x\nfaults: [{ at: 0s, machine: a, faults: hold }]", "run.yaml:1:7: seed: expected a whole number"},
      Row{"seed: 1", "run.yaml:1:1: faults: expected a list with at least one entry"},
      Row{"faults: []", "faults: expected a list with at least one entry"},
      Row{"sed: 1\nfaults: [{ at: 0s, machine: a, faults: hold }]",
          "run.yaml:1:1: unknown key 'sed'; did you mean 'seed'?"},
      Row{"faults:\n  - 3\n", "run.yaml:2:5: an entry: expected the keys"},
      Row{"faults:\n  - { at: 0s, machine: a, fault: hold }\n",
          "run.yaml:2:27: unknown key 'fault'; did you mean 'faults'?"},
      Row{"faults:\n  - { machine: a, faults: hold }\n", "run.yaml:2:5: at: expected a text, got nothing"},
      Row{"faults:\n  - { at: 0s, faults: hold }\n", "run.yaml:2:5: machine: expected a name, got nothing"},
      Row{"faults:\n  - { at: 0s, machine: \"a: b\", faults: hold }\n",
          "run.yaml:2:24: machine: expected letters, digits and _, a letter first, got 'a: b' in quotes"},
      Row{"faults:\n  - { at: 5, machine: a, faults: hold }\n", "run.yaml:2:11: at: expected 0s to"},
      Row{"faults:\n\n  - { at: 0s, machine: a, faults: dealy=5ms }\n", "run.yaml:3:35: unknown term 'dealy'"},
      Row{"faults:\n  - { at: 0s, machine: a, faults: hold for=3s }\n", "faults: expected `for` as a key of the entry"},
      Row{"faults:\n  - { at: 0s, for: 3s, machine: a, faults: hold }\n  - { at: 2s, machine: a, faults: hold }\n",
          "run.yaml:3:5: a: expected to begin after the entry of line 2, got an overlap"},
  };
  for (const auto& [text, says] : rows) {
    CAPTURE(text);
    const std::string told = wrong_schedule(text);
    CHECK_MESSAGE(told.find(says) != std::string::npos, told);
  }
  CHECK(wrong_schedule("faults: [{ at: 0s, machine: b, faults: hold }]", "a").find("machine: expected a,") !=
        std::string::npos);
}

TEST_CASE("a random schedule is the same for the same seed and can be written and read") {
  const Schedule one = random_schedule(7, 60s, two_targets);
  const Schedule again = random_schedule(7, 60s, two_targets);
  CHECK(text_of(one) == text_of(again));
  CHECK(text_of(one) != text_of(random_schedule(8, 60s, two_targets)));
  REQUIRE(one.entries.size() > 10);
  const std::string text = text_of(one);
  CHECK(text_of(parse_schedule(text, "run.yaml")) == text);
}

TEST_CASE("random faults suit the links, do not overlap, and end in time") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Schedule schedule = random_schedule(seed, 30s, two_targets);
    std::map<std::string, Duration> busy_until;
    for (const Entry& entry : schedule.entries) {
      const bool udp = entry.machine == "sub";
      CHECK((entry.terms.reorder == 0 || udp));
      CHECK(((entry.terms.slice == 0 && !entry.terms.reset && !entry.terms.half_open) || !udp));
      CHECK(entry.at >= busy_until[entry.machine]);
      busy_until[entry.machine] = entry.at + length_of(entry.terms);
      CHECK(busy_until[entry.machine] <= 30s);
    }
  }
}

}  // namespace tandem::runtime::chaos
