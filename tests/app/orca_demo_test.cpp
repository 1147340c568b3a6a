// SPDX-License-Identifier: Apache-2.0
// The Orca's demonstration as a person would start it.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "tests/app/process.hpp"

namespace tandem::app {

TEST_CASE("the demo of the Orca is armed once and dives and leaves a file of its paths") {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tandem-orca-{}", getpid());
  std::filesystem::create_directories(folder);
  const auto file = folder / "paths.csv";
  {
    // Without images: to draw one under a sanitizer beside other tests can take longer than the end may.
    Process demo(TANDEM_PROGRAM, {"demo", "orca", "--set", "paths=" + file.string(), "--set", "orca.task_side=1",
                                  "--set", "slam=features", "--control", (folder / "c.sock").string()});
    CHECK(demo.says("armed once", 60s));
    CHECK(demo.says("diving to 2.0 m above the sea floor", 60s));
    demo.signal(SIGINT);
    CHECK_MESSAGE(demo.finish(30s) == 0, demo.output());
    CHECK(demo.output().find("status orca live") != std::string::npos);
  }
  CHECK(std::filesystem::exists(file));
  std::filesystem::remove_all(folder);
}

TEST_CASE("beside other machines the Orca keeps to names of its own") {
  const auto socket = std::filesystem::temp_directory_path() / fmt::format("tandem-orca-{}.sock", getpid());
  Process demo(TANDEM_PROGRAM, {"demo", "orca", "em1500", "--set", "orca.slam=features", "--control", socket.string()});
  CHECK(demo.says("/orca/ekf_pose", 60s));
  CHECK(demo.output().find(" /ekf_pose") == std::string::npos);
  demo.signal(SIGINT);
  CHECK_MESSAGE(demo.finish(30s) == 0, demo.output());
}

TEST_CASE("settings of the demo that cannot be are named") {
  struct Row {
    std::vector<std::string> arguments;
    std::string says;
  };
  const std::vector<Row> rows = {
      {{"demo", "orca", "--set", "tusk=box"}, "unknown option 'tusk'; did you mean 'task'?"},
      {{"demo", "orca", "--set", "ur3e.task=none"}, "with the name of a running machine"},
      {{"demo", "orca", "em1500", "--set", "task=none"}, "expected MACHINE.KEY=VALUE"},
      {{"demo", "orca", "--set", "paths=a.jpg"}, "expected a name with .png, .svg or .csv"},
      {{"demo", "orca", "--set", "paths=/no/such/folder/a.png"}, "expected a file in an existing folder"},
  };
  for (const Row& row : rows) {
    Process demo(TANDEM_PROGRAM, row.arguments);
    CHECK(demo.finish(30s) != 0);
    CHECK_MESSAGE(demo.output().find(row.says) != std::string::npos, demo.output());
  }
}

}  // namespace tandem::app
