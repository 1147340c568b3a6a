// SPDX-License-Identifier: Apache-2.0
// What each subcommand does, with its arguments already taken apart. Each gives the exit code.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/app/app.hpp"

namespace tandem::ros2 {
class Context;
}

namespace tandem::app {

struct LiveArguments {
  std::string control;                // path; empty: the default
  std::optional<double> for_seconds;  // end by itself after this
  std::string log_level;              // empty: as configured
  std::vector<std::string> settings;  // of the demo: KEY=VALUE, or MACHINE.KEY=VALUE
  std::string web;                    // ADDRESS:PORT of the page, or "off"; empty: as configured
  std::optional<int> port;            // of the page, on loopback
  bool plain = false;                 // the page beyond loopback without TLS
  std::string record;                 // file; empty: as configured
  std::string black_box;              // folder, or "off"; empty: as configured
  std::string print;                  // "pose": blocks of text on standard output; empty: nothing
  std::vector<std::string> files;     // of the demo: configurations in the place of machine types
  bool chaos = false;                 // fault proxies for all machines
  std::optional<double> speed;        // simulated time at this many times real time; none: real time
};
int demo(const std::vector<std::string>& machines, const LiveArguments& arguments, const runtime::Registry& registry);
// Forklifts under a fleet master, with a broker of their own.
int demo_fleet(std::size_t trucks, const LiveArguments& arguments, const runtime::Registry& registry);
int run_files(const std::vector<std::string>& files, const LiveArguments& arguments, const runtime::Registry& registry);
int check_files(const std::vector<std::string>& files, const runtime::Registry& registry);

struct VirtualArguments {
  std::string machine;
  std::string file;  // of machines that a file describes
  std::string listen = "127.0.0.1";
  int port = 0;                       // 0: the standard one
  std::vector<std::string> settings;  // KEY=VALUE
  // The flags of machine types that were given, with their values.
  std::vector<std::pair<std::string, std::string>> flags;
};
int virtual_device(const VirtualArguments& arguments, const runtime::Registry& registry);

struct OptionsArguments {
  std::string machine;  // empty: all
  bool yaml = false, markdown = false;
};
// What may be configured.
int options(const OptionsArguments& arguments, const runtime::Registry& registry);

// A field of the question that is on the command line: "--out w.svg" or "--out=w.svg".
struct SolveFlag {
  std::string name, value;
  bool valued = true;  // false: nothing followed it
};
struct SolveArguments {
  std::string machine, query;
  std::vector<std::string> questions;  // none: from standard input
  std::vector<SolveFlag> flags;        // fields of every question
};
int solve(const SolveArguments& arguments, const runtime::Registry& registry);
// Takes every --name with its value out of the words after `tandem solve`; which of them there are is the query's
// matter. --help stays.
std::vector<SolveFlag> take_solve_flags(std::vector<std::string>& arguments);
// Lines of help that show how to ask.
std::string solve_example(std::string_view machine, const machines::Query& query);

struct StatusArguments {
  std::string control, machine;
  bool watch = false, json = false, metrics = false;
};
int status(const StatusArguments& arguments);
// arm, stop, reset, page.
int command(const std::string& what, const std::string& machine, const std::string& control);
// Writes the black box of a running tandem; `text` is why.
int snapshot(const std::string& machine, const std::string& text, const std::string& control);

struct TeleopArguments {
  std::string machine;     // type
  std::string name;        // in the configuration; empty: the only one of that type
  std::string name_space;  // of its node; empty: as the tandem on the control socket has it, else the root
  std::string control;
  std::optional<int> domain;  // none: as the environment says
};
// The types that keys drive.
std::vector<std::string_view> driven_machines(const runtime::Registry& registry);
// A truck driven by the keys of a terminal.
int teleop(const TeleopArguments& arguments, const runtime::Registry& registry);

struct SlamArguments {
  std::string image = "image_raw";   // topic
  std::string info = "camera_info";  // topic
  std::string name_space = "/";      // of its node
  std::optional<int> domain;         // none: as the environment says
  std::optional<double> for_seconds;
};
// A monocular SLAM stand-in on the images of any camera.
int slam(const SlamArguments& arguments);

// Prints the text on standard error; for `return fail(...)`.
int fail(std::string_view text, ExitCode code = failure);

// ROS 2 as the environment says; its warnings are printed. Throws std::runtime_error if it makes no sense.
std::unique_ptr<ros2::Context> context_from_environment();

// The type, or null after saying on standard error what there is.
const machines::MachineType* known_machine(const std::string& name, const runtime::Registry& registry);

}  // namespace tandem::app
