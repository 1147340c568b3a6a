// SPDX-License-Identifier: Apache-2.0
// `tandem learn` from outside: what a newcomer does, and what is refused.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/app/process.hpp"

namespace tandem::app {

namespace {

struct Ran {
  int code = 0;
  std::string output;
};

Ran tandem_says(const std::vector<std::string>& arguments, Duration limit = 60s) {
  Process process(TANDEM_PROGRAM, arguments);
  const int code = process.finish(limit);
  return {code, process.output()};
}

struct Folder {
  std::filesystem::path path;
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / fmt::format("tandem-learn-{}-{}", name, getpid())) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
};

const std::string list = TANDEM_EXAMPLES "/14_register_list/pump_station.csv";

}  // namespace

TEST_CASE("from a register list to a machine that runs, is recorded, and is learned from its recording") {
  const Folder folder("list");
  const std::string yaml = folder.file("pump.yaml"), mcap = folder.file("run.mcap");
  const Ran learned = tandem_says({"learn", list, "--device", "virtual", "--machine", "pump", "--out", yaml});
  REQUIRE_MESSAGE(learned.code == 0, learned.output);
  CHECK(learned.output == fmt::format("{0}: 20 signals. Check it with: tandem check {0}\n", yaml));
  const Ran checked = tandem_says({"check", yaml});
  CHECK_MESSAGE(checked.code == 0, checked.output);
  const Ran again = tandem_says({"learn", list, "--out", yaml});
  CHECK(again.code == 1);
  CHECK(again.output ==
        fmt::format("tandem: learn: {}: expected a new file, got one that exists; choose another --out\n", yaml));
  // The page, ROS and the control socket stay out of it.
  std::ofstream(yaml, std::ios::app) << "ros: { enabled: false }\n";
  const Ran demo =
      tandem_says({"run", yaml, "--for", "3", "--web", "off", "--record", mcap, "--control", folder.file("c.sock")});
  REQUIRE_MESSAGE(demo.code == 0, demo.output);
  const Ran recorded = tandem_says({"learn", mcap});
  REQUIRE_MESSAGE(recorded.code == 0, recorded.output);
  CHECK(recorded.output.find("# Made by `tandem learn` from " + mcap) == 0);
  for (const char* place : {"at: input 0,", "at: input 9,", "at: holding 5,", "at: discrete 1}", "at: coil 0}"})
    CHECK_MESSAGE(recorded.output.find(place) != std::string::npos, recorded.output);
}

TEST_CASE("a scan wants --yes and says why, and refuses the device of a running machine") {
  const Folder folder("scan");
  const std::string control = folder.file("c.sock");
  const Ran asked = tandem_says({"learn", "modbus://127.0.0.1:1502", "--control", control});
  CHECK(asked.code == 2);
  CHECK(asked.output.find("Some devices have registers that clear or latch when they are read") != std::string::npos);
  CHECK(asked.output.find("repeat with --yes") != std::string::npos);
  std::ofstream(folder.file("lift.yaml")) << "ros: { enabled: false }\nmachines:\n"
                                             "  lift: { type: raptorlift, device: \"modbus://127.0.0.1:15999\" }\n";
  Process run(TANDEM_PROGRAM, {"run", folder.file("lift.yaml"), "--web", "off", "--control", control});
  Ran held;
  const Instant until = now() + 30s;
  // It listens on its control socket soon; until then the scan finds no device there.
  do {
    held = tandem_says({"learn", "modbus://localhost:15999", "--yes", "--control", control});
  } while (held.output.find("expected a device that no machine holds") == std::string::npos && now() < until);
  CHECK(held.code == 1);
  CHECK_MESSAGE(held.output ==
                    "tandem: learn: modbus://localhost:15999: expected a device that no machine holds, got "
                    "that of 'lift' in the running tandem; end it first, or learn from its recording: tandem "
                    "learn run.mcap\n",
                held.output);
  run.signal(SIGINT);
  CHECK(run.finish(20s) == 0);
}

TEST_CASE("wrong sources, options and names are refused with what to do") {
  const Folder folder("wrong");
  std::ofstream(folder.file("empty.csv")) << "";
  const std::vector<std::tuple<std::vector<std::string>, int, std::string>> rows = {
      {{"learn", "zebra"},
       1,
       "learn: expected ads://HOST, modbus://HOST, or a file .csv, .tmc, .tpy or .mcap, got 'zebra'"},
      {{"learn", folder.file("none.csv")}, 1, "none.csv"},
      {{"learn", folder.file("empty.csv")}, 1, "empty.csv: expected rows of a table, got an empty file"},
      {{"learn", list, "--base", "7"}, 2, "--base: expected one of 0, 1, 40001, got '7'"},
      {{"learn", list, "--machine", "My Pump"},
       2,
       "learn: --machine: expected up to 64 of a-z, 0-9 and _, a letter first, got 'My Pump'"},
      {{"learn", "modbus://h", "--tables", "holding,rain", "--yes", "--control", folder.file("c")},
       1,
       "--tables: expected holding, input, coil and discrete with commas between, got 'rain'"},
      {{"learn", "modbus://h", "--from", "9", "--to", "3", "--yes", "--control", folder.file("c")},
       1,
       "--from: expected at most --to, got 9 and 3"},
      {{"learn", "ads://127.0.0.1:1"}, 1, "learn: "},
      {{"learn", list, "--device", "ads://h"}, 1, "learn: --device: expected modbus://HOST or virtual, got 'ads://h'"},
      {{"learn"}, 2, "SOURCE"},
  };
  for (const auto& [arguments, code, says] : rows) {
    CAPTURE(says);
    const Ran ran = tandem_says(arguments);
    CHECK(ran.code == code);
    CHECK_MESSAGE(ran.output.find(says) != std::string::npos, ran.output);
  }
}

}  // namespace tandem::app
