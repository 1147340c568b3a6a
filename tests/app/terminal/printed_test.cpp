// SPDX-License-Identifier: Apache-2.0
// What a running tandem prints into a pipe, in the words of the machines' original programs.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "tandem/app/terminal/pose_printer.hpp"
#include "tandem/machines/em1500/control/printed_pose.hpp"
#include "tests/app/process.hpp"

namespace tandem::app {
namespace {

std::string socket_of(const char* name) {
  return (std::filesystem::temp_directory_path() / fmt::format("tandem-{}-{}.sock", name, getpid())).string();
}

}  // namespace

TEST_CASE("the pose of the platform is printed as its original program prints it") {
  em1500::State state;
  CHECK(em1500::printed_pose(state).empty());
  state.samples = 1;
  state.raw.heave = -0.2;
  state.pose = {-0.1, -0.03, 1.005, -0.05, -0.04, 0.03};
  state.displacements = {-0.0135123456, 0.06576, -0.04416, 1e-7, 0, -0.01351};
  CHECK(em1500::printed_pose(state) ==
        "----- ROS2 ADS Bridge -----\n"
        "Surge:  -0.1\n"
        "Sway:   -0.03\n"
        "Heave:  1.005   (raw PLC: -0.2)\n"
        "Roll:   -0.05\n"
        "Pitch:  -0.04\n"
        "Yaw:    0.03\n"
        "Cylinder Stroke:\n"
        "  qi1 = -0.0135123\n"
        "  qi2 = 0.06576\n"
        "  qi3 = -0.04416\n"
        "  qi4 = 1e-07\n"
        "  qi5 = 0\n"
        "  qi6 = -0.01351\n"
        "Units:  m, rad\n");
}

TEST_CASE("only a live machine with a new sample prints its pose") {
  runtime::SystemStatus status;
  status.machines.resize(1);
  runtime::MachineStatus& cart = status.machines[0];
  cart.name = "cart";
  cart.values = {{"pose", "m, rad", {1.5, -2, 0.25}, ""}};
  std::string own;
  PrintedPoses poses([&](const std::string& machine) { return machine == "cart" ? own : "wrong"; });
  cart.state = "syncing";
  cart.samples = 1;
  CHECK(poses.next(status).empty());
  cart.state = "live";
  CHECK(poses.next(status) == "cart: pose 1.5 -2 0.25 (m, rad)\n");
  CHECK(poses.next(status).empty());
  cart.samples = 2;
  own = "----- of its own -----\n";
  CHECK(poses.next(status) == own);
  // An arm has the pose of its tool.
  own.clear();
  cart.samples = 3;
  cart.values = {{"joints", "rad", {1}, ""}, {"tool pose", "m, rad", {0.5, -0.25}, ""}};
  CHECK(poses.next(status) == "cart: tool pose 0.5 -0.25 (m, rad)\n");
}

TEST_CASE("--print pose prints a pose of every machine with its units") {
  const std::pair<const char*, const char*> machines[] = {
      {"em1500", "Surge:  \\S+\n(.*\n){12}Units:  m, rad\n"},
      {"raptorlift", "raptorlift: pose( \\S+){3} \\(m, rad\\)\n"},
      {"cable_robot", "cable_robot: pose( \\S+){7} \\(m, quaternion\\)\n"},
      {"orca", "orca: pose( \\S+){6} \\(m, rad\\)\n"},
      {"ur3e", "ur3e: tool pose( \\S+){6} \\(m, rad\\)\n"},
  };
  for (const auto& [machine, pose] : machines) {
    CAPTURE(machine);
    std::vector<std::string> arguments{"demo",  machine, "--print",   "pose",
                                       "--web", "off",   "--control", socket_of(machine)};
    if (std::string(machine) == "orca") arguments.insert(arguments.end(), {"--set", "slam=features"});
    Process demo(TANDEM_PROGRAM, arguments);
    CHECK_MESSAGE(demo.says(std::string(machine) == "em1500" ? "Units: " : fmt::format("\n{}: ", machine), 60s),
                  demo.output());
    demo.signal(SIGINT);
    CHECK_MESSAGE(demo.finish(30s) == 0, demo.output());
    CHECK_MESSAGE(std::regex_search(demo.output(), std::regex(pose)), demo.output());
  }
}

TEST_CASE("--print pose writes block after block into a pipe") {
  Process demo(TANDEM_PROGRAM, {"demo", "em1500", "--print", "pose", "--web", "off", "--control", socket_of("print")});
  for (int i = 0; i < 3; ++i) CHECK(demo.says("  qi6 = ", 60s));
  demo.signal(SIGINT);
  CHECK_MESSAGE(demo.finish(30s) == 0, demo.output());
  const std::regex block(
      "----- ROS2 ADS Bridge -----\nSurge:  \\S+\nSway:   \\S+\nHeave:  \\S+   \\(raw PLC: \\S+\\)\nRoll:   \\S+\n"
      "Pitch:  \\S+\nYaw:    \\S+\nCylinder Stroke:\n  qi1 = \\S+\n  qi2 = \\S+\n  qi3 = \\S+\n  qi4 = \\S+\n"
      "  qi5 = \\S+\n  qi6 = \\S+\nUnits:  m, rad\n");
  CHECK_MESSAGE(std::regex_search(demo.output(), block), demo.output());
  Process wrong(TANDEM_PROGRAM, {"demo", "em1500", "--print", "legs"});
  CHECK(wrong.finish(30s) == 2);
}

TEST_CASE("the lines that machines log are on the console as well, with ROS and without") {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tandem-log-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "lab.yaml").string();
  for (const char* const ros : {"true", "false"}) {
    CAPTURE(ros);
    std::ofstream(file) << "ros: { enabled: " << ros << " }\n"
                        << "machines:\n"
                           "  lift: { type: raptorlift, device: virtual, task: figure_eight, log_interval: 0.5 }\n"
                           "  cables: { type: cable_robot, device: virtual, task: path, log_interval: 0.5 }\n";
    const std::string control = socket_of("log");
    Process lab(TANDEM_PROGRAM, {"run", file, "--control", control});
    for (const char* const machine : {"lift", "cables"}) {
      CHECK_MESSAGE(lab.says(fmt::format("machine={} event=live", machine), 60s), lab.output());
      Process arm(TANDEM_PROGRAM, {"arm", machine, "--control", control});
      CHECK_MESSAGE(arm.finish(30s) == 0, arm.output());
    }
    CHECK_MESSAGE(lab.says("event=log text=\"driving (task): wheels ", 60s), lab.output());
    CHECK_MESSAGE(lab.says("mm from the set point", 60s), lab.output());
    lab.signal(SIGINT);
    CHECK_MESSAGE(lab.finish(30s) == 0, lab.output());
  }
  std::filesystem::remove_all(folder);
}

}  // namespace tandem::app
