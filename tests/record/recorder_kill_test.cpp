// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "tandem/record/repair.hpp"
#include "tests/deadline.hpp"
#include "tests/record/recording.hpp"

namespace tandem::record {
namespace {

std::size_t chunks_of(const std::string& path) {
  const auto reader = McapReader::open(path);
  return reader ? reader->contents().blocks.size() : 0;
}

struct Killed {
  double lost = 0;   // s between the last message that was kept and the end
  double pause = 0;  // s, the longest in which the machine had no time for the recorder
};

pid_t spawned(std::string program, std::string file) {
  std::array<char*, 3> arguments = {program.data(), file.data(), nullptr};
  pid_t child = 0;
  REQUIRE(::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) == 0);
  return child;
}

void kill(pid_t child) {
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
}

// Records for a while and is killed; what is left is in the file.
Killed record_and_kill(const std::string& path) {
  const pid_t child = spawned(RECORDING_PROGRAM, path);
  const Instant end = soon(50s);
  while (chunks_of(path) < 3 && now() < end) std::this_thread::sleep_for(20ms);
  // Right behind a chunk little is ever lost. One that is written too seldom shows itself later.
  std::this_thread::sleep_for(1600ms);
  const std::int64_t killed = system_clock().utc().time_since_epoch().count();
  kill(child);
  const auto reader = McapReader::open(path);
  REQUIRE(reader.ok());
  Killed seen;
  // Less than nothing where it still wrote between our look at the clock and its end.
  seen.lost = static_cast<double>(killed - static_cast<std::int64_t>(reader->contents().statistics.end)) * 1e-9;
  std::ifstream(path + ".pause") >> seen.pause;
  return seen;
}

TEST_CASE("a recorder that is killed has lost at most a second and its file is repaired") {
  const Folder folder;
  std::string path;
  Killed seen;
  for (int i = 0; i < 5; ++i) {
    path = folder / ("run" + std::to_string(i) + ".mcap");
    seen = record_and_kill(path);
    MESSAGE("lost ", seen.lost, " s, longest pause ", seen.pause, " s");
    // Again only where the machine had no time for the recorder: half a second is what a chunk may take.
    if (seen.lost < 1 || seen.pause < 0.25) break;
  }
  CHECK(seen.lost < 1);

  const auto reader = McapReader::open(path);
  REQUIRE(reader.ok());
  CHECK_FALSE(reader->contents().whole);
  const auto kept = read_all(*reader);
  REQUIRE_FALSE(kept.empty());
  for (std::size_t i = 0; i < kept.size(); ++i) REQUIRE(kept[i].data == std::to_string(i));

  const auto repaired = repair(path, folder / "whole.mcap");
  REQUIRE(repaired.ok());
  CHECK(repaired->messages == kept.size());
  const auto again = McapReader::open(folder / "whole.mcap");
  REQUIRE(again.ok());
  CHECK(again->contents().whole);
  CHECK(read_all(*again) == kept);
}

TEST_CASE("a black box that is killed while an event is not over leaves a file that is repaired") {
  const Folder folder;
  const std::string path = folder / "event.mcap";
  const pid_t child = spawned(BLACK_BOX_PROGRAM, path);
  const Instant end = soon(50s);
  while (chunks_of(path) < 4 && now() < end) std::this_thread::sleep_for(20ms);
  kill(child);
  const auto reader = McapReader::open(path);
  REQUIRE(reader.ok());
  CHECK_FALSE(reader->contents().whole);
  CHECK(reader->metadata("tandem_incident") == mcap::Map{{"cause", "snapshot"}});
  const auto kept = read_all(*reader);
  CHECK(kept.size() > 500);  // what was before the event, and some of what came after
  for (std::size_t i = 0; i < kept.size(); ++i) REQUIRE(kept[i].data == std::to_string(i));
  REQUIRE(repair(path, folder / "whole.mcap").ok());
  const auto again = McapReader::open(folder / "whole.mcap");
  REQUIRE(again.ok());
  CHECK(again->contents().whole);
  CHECK(read_all(*again) == kept);
}

}  // namespace
}  // namespace tandem::record
