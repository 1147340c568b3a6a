// SPDX-License-Identifier: Apache-2.0
// demo and run: a whole tandem in the foreground.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "tandem/app/commands.hpp"
#include "tandem/app/recordings/incident/incident.hpp"
#include "tandem/app/terminal/console.hpp"
#include "tandem/app/terminal/pose_printer.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/app/warehouse/demo.hpp"
#include "tandem/base/stepped_time.hpp"
#include "tandem/runtime/control/protocol.hpp"
#include "tandem/runtime/log.hpp"
#include "tandem/runtime/page/incident_reports.hpp"
#include "tandem/runtime/sparkplug/state_file.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::app {

namespace {

using runtime::Config;
using runtime::MachineStatus;
using runtime::System;
using runtime::SystemStatus;

constexpr Duration redraw_every = 200ms;
constexpr Duration tell_every = 20ms;
constexpr Duration leave_within = 1500ms;

bool is_paused(const MachineStatus& machine) {
  return std::ranges::any_of(machine.values, [](const machines::Value& value) {
    return value.name == "task" && value.text.starts_with("paused");
  });
}

// Arms each virtual machine that moves, once: the first time it is live, and never again; and not when a client has
// stopped or reset it before that.
class ArmOnce {
 public:
  void look(System& system, const SystemStatus& status, Console& console) {
    for (const MachineStatus& machine : status.machines) {
      if (!machine.moves || !machine.is_virtual || machine.state != "live" || !seen_.insert(machine.name).second)
        continue;
      if (!machine.arm_by.empty()) continue;
      if (is_paused(machine)) {
        console.event(
            {machine.name, "demo", "not armed: its task is paused, so that a script can use its virtual device"});
        continue;
      }
      if (const auto armed = system.command("arm", machine.name, "demo"); !armed)
        console.event({machine.name, "demo", fmt::format("{}; `tandem arm` lets it move", armed.error().text), true});
      else
        console.event({machine.name, "demo", "armed once at the start, as it is virtual; a stop stays latched"});
    }
  }

 private:
  std::set<std::string> seen_;
};

// Says once what others can subscribe to, as soon as every machine has had a sample.
class TellTopics {
 public:
  void look(const System& system, const SystemStatus& status, Console& console) {
    bool all = true;
    for (const MachineStatus& machine : status.machines) all = all && machine.samples > 0;
    if (reported_ || !all) return;
    reported_ = true;
    const auto topics = system.topics();
    if (!topics.empty()) console.event({"", "ros", fmt::format("{}: {}", status.ros, fmt::join(topics, " "))});
  }

 private:
  bool reported_ = false;
};

// Says what a machine that has a task is at (its value "stage"), whenever that changes.
class TellStages {
 public:
  void look(const SystemStatus& status, Console& console) {
    for (const MachineStatus& machine : status.machines) {
      for (const auto& value : machine.values) {
        if (value.name != "stage" || value.text == reported_[machine.name]) continue;
        reported_[machine.name] = value.text;
        console.event({machine.name, "stage", value.text});
      }
    }
  }

 private:
  std::map<std::string, std::string> reported_;
};

// The signals come in real time, whatever the clock.
bool wait_for(Signals& signals, Duration time) {
  if (!SteppedTime::active()) return signals.wait(time);
  system_clock().sleep_until(now() + time);
  return signals.wait(Duration{0});
}

// Waits for the time to redraw, telling what happens meanwhile. True when it is time to end.
bool until_redraw(Console& console, Signals& signals, Instant end) {
  const Instant redraw = system_clock().now() + redraw_every;
  while (true) {
    console.flush();
    const Instant now = system_clock().now();
    if (now >= end) return true;
    if (now >= redraw) return false;
    if (wait_for(signals, std::min({tell_every, redraw - now, end - now}))) return true;
  }
}

// Says when the recording has a problem, and when that is over.
class TellRecording {
 public:
  void look(const std::optional<runtime::RecordingStatus>& recording, Console& console) {
    if (!recording || recording->trouble == reported_) return;
    reported_ = recording->trouble;
    failed_ = failed_ || !reported_.empty();
    const std::string lost = fmt::format("{} messages lost", recording->dropped);
    console.event(
        {"", "recording", reported_.empty() ? "retrying; " + lost : reported_ + "; " + lost, !reported_.empty()});
  }
  bool failed() const { return failed_; }

 private:
  std::string reported_;
  bool failed_ = false;
};

// Machines first, so that they can take leave of their devices; then the recording, however long its disk takes.
int leave(System& system, TellRecording& tell_recording, Console& console) {
  const auto hanging = system.stop(leave_within);
  tell_recording.look(system.finish_recording(), console);
  console.flush();
  console.leave();
  if (hanging.empty()) return tell_recording.failed() ? failure : success;
  fmt::print(stderr, "tandem: did not exit in time: {}\n", fmt::join(hanging, ", "));
  std::fflush(nullptr);
  std::_Exit(failure);
}

// What the command line and the environment say over the configuration.
Config with_arguments(Config config, const LiveArguments& arguments, bool is_demo) {
  if (is_demo && config.web.listen.empty()) {
    open_page(config.web);
    config.web.any_port = true;
  }
  if (!arguments.web.empty()) {
    config.web.listen = arguments.web == "off" ? "" : arguments.web;
    config.web.any_port = false;
  }
  if (arguments.port) {
    config.web.listen = fmt::format("127.0.0.1:{}", *arguments.port);
    config.web.chosen_with = "--port N";
    config.web.any_port = false;
  }
  config.web.plain = config.web.plain || arguments.plain;
  runtime::tokens_from(config.web, [](const char* name) { return std::getenv(name); });
  if (!arguments.record.empty()) config.record.file = arguments.record;
  if (!arguments.black_box.empty()) runtime::choose_black_box(config.black_box, arguments.black_box);
  if (arguments.chaos)
    for (runtime::MachineConfig& machine : config.machines) machine.chaos = true;
  if (arguments.speed) config.ros.enabled = false;
  return config;
}

// Simulated time is for what this process computes itself.
void check_stepped(const Config& config, bool is_fleet) {
  const auto refuse = [](const std::string& got) {
    throw std::runtime_error("--speed: expected machines on virtual devices, without MQTT and --chaos, got " + got);
  };
  if (is_fleet) refuse("--fleet");
  if (!config.mqtt.url.empty()) refuse("the section mqtt");
  for (const runtime::MachineConfig& machine : config.machines) {
    if (machine.chaos) refuse("faults on the link of " + machine.name);
    if (!machine.is_virtual) refuse(fmt::format("{} on {}", machine.name, machine.device));
  }
}

// `fleet`: a demonstration of many trucks; null: none.
int live(const Config& told, const LiveArguments& arguments, bool is_demo, warehouse::FleetDemo* fleet = nullptr) {
  const Config config = with_arguments(told, arguments, is_demo);
  if (!arguments.print.empty() && ::isatty(STDOUT_FILENO) == 1) {
    fmt::print(stderr,
               "tandem: --print {0}: expected standard output to be a pipe or a file, got a terminal, which shows the "
               "live view; try `... --print {0} | cat`\n",
               arguments.print);
    return usage;
  }
  if (arguments.speed) check_stepped(config, fleet != nullptr);
  Signals signals;
  std::optional<SteppedTime> stepped;
  if (arguments.speed) stepped.emplace(SteppedTime::Options{.speed = *arguments.speed});
  runtime::start_log(arguments.log_level.empty() ? config.log_level : arguments.log_level);
  Console console;
  runtime::SystemOptions options;
  options.version = TANDEM_VERSION;
  const auto place = runtime::control_place(arguments.control.empty() ? config.control_socket : arguments.control);
  options.control = place.path;
  options.state_folder = runtime::state_folder([](const char* name) { return std::getenv(name); });
  options.on_event = [&console](const runtime::Event& event) { console.event(event); };
  options.ground = fleet;
  runtime::IncidentReports reports(runtime::incident_folder(config.black_box, options.state_folder), incident_page);
  options.incident_reports = &reports;
  System system(config, options);
  console.say(fmt::format("tandem {}: {} machine{}, ROS 2 {}, control {}", TANDEM_VERSION, config.machines.size(),
                          config.machines.size() == 1 ? "" : "s", system.status().ros, options.control));
  if (stepped)
    console.say(
        fmt::format("simulated time, at most {:g} times as fast as real time; ROS 2 and twins are off, as DDS "
                    "cannot be sped up",
                    *arguments.speed));
  if (!place.passed_over.empty())
    console.event({"", "control", fmt::format("{}; the control socket is {}", place.passed_over, place.path), true});
  const SystemStatus first = system.status();
  if (!first.page.empty()) {
    const std::string page = fmt::format("page {}", system.printed_page());
    console.say(page);
    console.keep(page);
  }
  if (first.recording) console.say(fmt::format("recording into {}", first.recording->file));
  system.start();
  if (fleet != nullptr) {
    fleet->join(system);
    console.say(fmt::format("broker mosquitto, process {}, on {}", fleet->broker().process(), fleet->broker().url()));
  }
  std::jthread printer = arguments.print.empty() ? std::jthread() : print_poses(system);
  const Instant start = system_clock().now();
  ArmOnce arm_once;
  TellTopics tell_topics;
  TellStages tell_stages;
  TellRecording tell_recording;
  while (true) {
    const SystemStatus status = system.status();
    if (is_demo) arm_once.look(system, status, console);
    if (fleet != nullptr)
      for (const runtime::Event& event : fleet->look()) console.event(event);
    tell_topics.look(system, status, console);
    tell_stages.look(status, console);
    tell_recording.look(status.recording, console);
    console.show(status);
    if (until_redraw(console, signals,
                     arguments.for_seconds ? start + duration_of(*arguments.for_seconds) : Instant::max()))
      break;
  }
  const FinishFirst finish_first;  // machines take leave of their devices, whatever else is pressed
  printer = std::jthread();        // nothing after the last line
  const SystemStatus last = system.status();
  console.say(render_line(last));
  if (fleet != nullptr) {
    fleet->leave();
    console.say("fleet: " + fleet->summary());
  }
  int code = leave(system, tell_recording, console);
  for (const MachineStatus& machine : last.machines) {
    if (is_demo && machine.samples == 0) code = failure;
  }
  if (fleet != nullptr && fleet->touched()) code = failure;
  return code;
}

int guarded(const std::function<int()>& body) {
  try {
    return body();
  } catch (const runtime::ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "tandem: {}\n", error.what());
  }
  return failure;
}

}  // namespace

int demo(const std::vector<std::string>& machines, const LiveArguments& arguments, const runtime::Registry& registry) {
  if (!arguments.files.empty()) {
    if (!machines.empty() || !arguments.settings.empty())
      return fail("demo: expected machine types with --set, or --config FILE, got both", usage);
    return guarded(
        [&] { return live(runtime::demo_config(runtime::load_config(arguments.files, registry)), arguments, true); });
  }
  std::vector<const machines::MachineType*> types;
  for (const std::string& name : machines) {
    const auto* type = known_machine(name, registry);
    if (type == nullptr) return usage;
    if (type->read != nullptr)
      return fail(fmt::format("{0}: expected a file that describes the machine: tandem demo --config FILE", name),
                  usage);
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  if (types.empty()) {  // those that need no file
    std::ranges::copy_if(registry.types(), std::back_inserter(types),
                         [](const auto* type) { return type->read == nullptr; });
  }
  return guarded([&] { return live(runtime::demo_config(types, arguments.settings), arguments, true); });
}

int demo_fleet(std::size_t trucks, const LiveArguments& arguments, const runtime::Registry& registry) {
  return guarded([&] {
    warehouse::FleetDemo fleet(trucks, arguments.settings, registry);
    return live(fleet.config(), arguments, true, &fleet);
  });
}

int run_files(const std::vector<std::string>& files, const LiveArguments& arguments,
              const runtime::Registry& registry) {
  return guarded([&] { return live(runtime::load_config(files, registry), arguments, false); });
}

int check_files(const std::vector<std::string>& files, const runtime::Registry& registry) {
  return guarded([&] {
    const Config config = with_arguments(runtime::load_config(files, registry), {}, false);
    for (const std::string& warning : runtime::check_config(config)) fmt::print("warning: {}\n", warning);
    for (const auto& machine : config.machines) {
      fmt::print("{}: {}, {}{}{}\n", machine.name, machine.type->name, machine.is_virtual ? "virtual" : machine.device,
                 machine.twin && machine.type->make_twin != nullptr ? ", with twin" : "",
                 machine.chaos ? ", through fault proxies" : "");
      if (machine.own) fmt::print("{}", machine.own->report());
    }
    fmt::print("{}: fine\n", fmt::join(files, ", "));
    return static_cast<int>(success);
  });
}

}  // namespace tandem::app
