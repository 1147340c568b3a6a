// SPDX-License-Identifier: Apache-2.0
// A few short seeds, lived and judged as `tandem prove` does; its long runs are elsewhere.
#include "tandem/prove/stage/stage.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "tandem/prove/checker/check.hpp"

using namespace tandem;

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tandem-stage-{}", ::getpid());
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

prove::checker::History lived(const Folder& folder, std::vector<std::string> machines, std::uint64_t seed) {
  prove::StageOptions options;
  options.machines = std::move(machines);
  options.seed = seed;
  options.length = 7;
  options.file = (folder.path / fmt::format("seed_{}.mcap", seed)).string();
  options.folder = folder.path.string();
  const prove::Played played = prove::play(options, runtime::all_machines());
  REQUIRE_MESSAGE(played.error.empty(), played.error);
  auto history = prove::checker::read_history(played.file);
  REQUIRE_MESSAGE(history.ok(), (history.ok() ? "" : history.error().text));
  CHECK(history->seed == seed);
  return *std::move(history);
}

prove::checker::Report judged(const prove::checker::History& history) {
  auto report = prove::checker::check(history);
  for (const auto& violation : report.violations) MESSAGE(text_of(violation));
  CHECK(report.violations.empty());
  return report;
}

bool broken(const prove::checker::History& history, const std::string& machine, prove::checker::Invariant invariant) {
  for (const auto& violation : prove::checker::check(history).violations)
    if (violation.machine == machine && violation.invariant == invariant) return true;
  return false;
}

// The history is one in which each machine was armed and moved: without these deeds it is full of violations.
void check_that_it_matters(const prove::checker::History& lived) {
  for (std::size_t i = 0; i < lived.machines.size(); ++i) {
    const std::string& name = lived.machines[i].name;
    CAPTURE(name);
    prove::checker::History other = lived;
    auto& machine = other.machines[i];
    machine.published[machine.published.size() / 2].values[0] += 0.01;
    CHECK(broken(other, name, prove::checker::published_wire));
    if (name == "em1500") continue;
    std::erase_if(machine.deeds, [](const auto& deed) { return deed.verb == "arm"; });
    CHECK(broken(other, name, prove::checker::armed_motion));
    std::erase_if(machine.deeds, [](const auto& deed) { return deed.verb == "move" || deed.verb == "goal"; });
    CHECK(broken(other, name, prove::checker::command_age));
  }
}

}  // namespace

TEST_CASE("a truck and an arm live through faults and commands without a violation") {
  const Folder folder;
#ifdef TANDEM_WITH_ARM
  const auto history = lived(folder, {"raptorlift", "ur3e"}, 4);
#else
  const auto history = lived(folder, {"raptorlift"}, 4);
#endif
  const auto report = judged(history);
  CHECK(report.counts.commands > 5);
  CHECK(report.counts.faults > 0);
  CHECK(report.judged[prove::checker::published_wire] > 50);
  check_that_it_matters(history);
  // What was recorded behind the proxies is there as well.
  for (const auto& machine : history.machines) {
    CHECK(machine.device_frames.size() > 50);
    CHECK(machine.truth.size() > 50);
  }
}

TEST_CASE("a submarine, a cable robot and a platform live through faults and commands without a violation") {
  const Folder folder;
  const auto history = lived(folder, {"orca", "cable_robot", "em1500"}, 5);
  const auto report = judged(history);
  CHECK(report.counts.faults > 0);
  CHECK(report.judged[prove::checker::published_wire] > 50);
  check_that_it_matters(history);
}
