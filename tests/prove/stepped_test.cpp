// SPDX-License-Identifier: Apache-2.0
// Runs in simulated time: what two of them with one seed have in common is everything.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include "tandem/base/stepped_time.hpp"
#include "tandem/prove/checker/check.hpp"
#include "tandem/prove/stage/stage.hpp"

using namespace tandem;

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tandem-stepped-{}", ::getpid());
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

prove::checker::History lived(const std::vector<std::string>& machines, std::uint64_t seed, double length = 8) {
  const Folder folder;
  prove::StageOptions options;
  options.machines = machines;
  options.seed = seed;
  options.length = length;
  options.file = (folder.path / "run.mcap").string();
  options.folder = folder.path.string();
  options.stepped = true;
  const prove::Played played = prove::play(options, runtime::all_machines());
  REQUIRE_MESSAGE(played.error.empty(), played.error);
  CHECK_FALSE(SteppedTime::active());
  MESSAGE(fmt::format("{}: {:.1f} times real time", fmt::join(machines, ", "), length / played.took));
  auto history = prove::checker::read_history(played.file);
  REQUIRE_MESSAGE(history.ok(), (history.ok() ? "" : history.error().text));
  return *std::move(history);
}

// The kernel chooses the ports of outgoing connections and of virtual devices, and the numbers of processes.
std::string without_numbers(const std::string& text) {
  static const std::regex port(R"(127\.0\.0\.1:\d+)"), process(R"(process \d+)");
  return std::regex_replace(std::regex_replace(text, port, "127.0.0.1:PORT"), process, "process N");
}

// Everything that a history holds, one line for each message; numbers to the last bit.
std::vector<std::string> lines_of(const prove::checker::History& history) {
  std::vector<std::string> lines;
  std::map<std::uint32_t, std::size_t> connections;  // numbered through a process; here as they come
  const auto number = [&](std::uint32_t id) { return connections.try_emplace(id, connections.size()).first->second; };
  for (const auto& machine : history.machines) {
    const auto add = [&](double t, const std::string& text) {
      lines.push_back(fmt::format("{} {:.9f} {}", machine.name, t, text));
    };
    for (const auto& one : machine.truth)
      add(one.t, fmt::format("truth {} {}", fmt::join(one.position, " "), one.speed));
    for (const auto& one : machine.frames)
      add(one.t, fmt::format("frame {} {} {:02x}", number(one.connection), int{one.kind}, fmt::join(one.bytes, "")));
    for (const auto& one : machine.device_frames)
      add(one.t, fmt::format("device {} {} {:02x}", number(one.connection), int{one.kind}, fmt::join(one.bytes, "")));
    for (const auto& one : machine.commands)
      add(one.t, fmt::format("command {} {} {}", one.what, without_numbers(one.by), one.ok));
    for (const auto& one : machine.events) add(one.t, fmt::format("event {} {}", one.kind, without_numbers(one.text)));
    for (const auto& one : machine.statuses)
      add(one.t, fmt::format("status {} {} {}", one.state, one.quality, one.arm));
    for (const auto& one : machine.deeds)
      add(one.t, fmt::format("deed {} {} {} {:.9f} {} {}", one.verb, one.by, one.ok, one.end, one.a, one.b));
    for (const auto& one : machine.goals) add(one.t, fmt::format("goal {} {}", one.goal, one.state));
  }
  return lines;
}

void check_repeated(const std::vector<std::string>& machines, std::uint64_t seed) {
  const auto first = lived(machines, seed), second = lived(machines, seed);
  for (const auto& machine : first.machines) {
    CAPTURE(machine.name);
    CHECK(machine.truth.size() > 500);
    CHECK(machine.frames.size() > 200);
    CHECK(machine.device_frames.size() > 200);
    CHECK_FALSE(machine.events.empty());
  }
  const auto a = lines_of(first), b = lines_of(second);
  const auto differ = std::ranges::mismatch(a, b);
  if (differ.in1 != a.end() && differ.in2 != b.end()) MESSAGE(*differ.in1 << "\n" << *differ.in2);
  CHECK(differ.in1 == a.end());
  CHECK(differ.in2 == b.end());
  for (const auto& violation : prove::checker::check(first).violations) FAIL_CHECK(text_of(violation));
}

}  // namespace

TEST_CASE("a truck in stepped time lives the same again") { check_repeated({"raptorlift"}, 45); }

TEST_CASE("a truck, a cable robot and a platform in stepped time live the same again") {
  check_repeated({"raptorlift", "cable_robot", "em1500"}, 49);
}

TEST_CASE("an arm and a submarine in stepped time live the same again") { check_repeated({"ur3e", "orca"}, 7); }

TEST_CASE("another seed is another history") {
  CHECK(lines_of(lived({"raptorlift"}, 1, 6)) != lines_of(lived({"raptorlift"}, 2, 6)));
}

TEST_CASE("machines in stepped time are armed and moved") {
  const auto history = lived({"raptorlift", "cable_robot"}, 3);
  for (const auto& machine : history.machines) {
    CAPTURE(machine.name);
    CHECK(std::ranges::any_of(machine.deeds, [](const auto& deed) { return deed.verb == "arm" && deed.ok; }));
    CHECK(std::ranges::any_of(machine.truth, [](const auto& truth) { return truth.speed > 0.05; }));
  }
}
