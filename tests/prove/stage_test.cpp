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

}  // namespace

TEST_CASE("a truck and an arm live through faults and commands without a violation") {
  const Folder folder;
  const auto history = lived(folder, {"raptorlift", "ur3e"}, 4);
  const auto report = judged(history);
  CHECK(report.counts.commands > 5);
  CHECK(report.counts.faults > 0);
  CHECK(report.judged[prove::checker::published_wire] > 50);
  // What was recorded behind the proxies is there as well.
  for (const auto& machine : history.machines) {
    CHECK(machine.device_frames.size() > 50);
    CHECK(machine.truth.size() > 50);
  }
}

TEST_CASE("a submarine, a cable robot and a platform live through faults and commands without a violation") {
  const Folder folder;
  const auto report = judged(lived(folder, {"orca", "cable_robot", "em1500"}, 5));
  CHECK(report.counts.faults > 0);
  CHECK(report.judged[prove::checker::published_wire] > 50);
}
