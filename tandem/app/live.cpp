// demo and run: a whole tandem in the foreground.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "tandem/app/commands.hpp"
#include "tandem/app/console.hpp"
#include "tandem/app/signals.hpp"
#include "tandem/runtime/control_protocol.hpp"
#include "tandem/runtime/log.hpp"
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

// Arms each virtual machine that moves, once: the first time it is live, and never again; and not when somebody has
// stopped or reset it before that.
class ArmOnce {
 public:
  void look(System& system, const SystemStatus& status, Console& console) {
    for (const MachineStatus& machine : status.machines) {
      if (!machine.moves || !machine.is_virtual || machine.state != "live" || !seen_.insert(machine.name).second)
        continue;
      if (!machine.arm_by.empty()) continue;
      if (const auto armed = system.command("arm", machine.name, "demo"); !armed)
        console.event({machine.name, "demo", fmt::format("{}; `tandem arm` lets it move", armed.error().text), true});
      else
        console.event({machine.name, "demo", "armed once, as it is virtual; after a stop it stays stopped"});
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
    if (told_ || !all) return;
    told_ = true;
    const auto topics = system.topics();
    if (!topics.empty()) console.event({"", "ros", fmt::format("{}: {}", status.ros, fmt::join(topics, " "))});
  }

 private:
  bool told_ = false;
};

// Says what a machine that has a task is at (its value "stage"), whenever that changes.
class TellStages {
 public:
  void look(const SystemStatus& status, Console& console) {
    for (const MachineStatus& machine : status.machines) {
      for (const auto& value : machine.values) {
        if (value.name != "stage" || value.text == told_[machine.name]) continue;
        told_[machine.name] = value.text;
        console.event({machine.name, "stage", value.text});
      }
    }
  }

 private:
  std::map<std::string, std::string> told_;
};

// Waits for the time to redraw, telling what happens meanwhile. True when it is time to end.
bool until_redraw(Console& console, Signals& signals, Instant end) {
  const Instant redraw = system_clock().now() + redraw_every;
  while (true) {
    console.flush();
    const Instant now = system_clock().now();
    if (now >= end) return true;
    if (now >= redraw) return false;
    if (signals.wait(std::min({tell_every, redraw - now, end - now}))) return true;
  }
}

int leave(System& system) {
  const auto hanging = system.stop(leave_within);
  if (hanging.empty()) return success;
  fmt::print(stderr, "tandem: did not end in time: {}\n", fmt::join(hanging, ", "));
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
  runtime::tokens_from(config.web, [](const char* name) { return std::getenv(name); });
  if (!arguments.record.empty()) config.record.file = arguments.record;
  return config;
}

// The address with what a browser needs to come in, where the tokens are the user's own secret to keep.
std::string page_line(const Config& config, const std::string& address) {
  if (config.web.view_token.empty()) return fmt::format("page {}", address);
  return fmt::format("page {}?token=... (your view or control token)", address);
}

int live(const Config& told, const LiveArguments& arguments, bool is_demo) {
  const Config config = with_arguments(told, arguments, is_demo);
  Signals signals;
  runtime::start_log(arguments.log_level.empty() ? config.log_level : arguments.log_level);
  Console console;
  runtime::SystemOptions options;
  options.version = TANDEM_VERSION;
  options.control = runtime::control_path(arguments.control.empty() ? config.control_socket : arguments.control);
  options.on_event = [&console](const runtime::Event& event) { console.event(event); };
  System system(config, options);
  console.say(fmt::format("tandem {}: {} machine{}, ROS 2 {}, control {}", TANDEM_VERSION, config.machines.size(),
                          config.machines.size() == 1 ? "" : "s", system.status().ros, options.control));
  const SystemStatus first = system.status();
  if (!first.page.empty()) console.say(page_line(config, first.page));
  if (first.recording) console.say(fmt::format("recording into {}", first.recording->file));
  system.start();
  const Instant start = system_clock().now();
  ArmOnce arm_once;
  TellTopics tell_topics;
  TellStages tell_stages;
  while (true) {
    const SystemStatus status = system.status();
    if (is_demo) arm_once.look(system, status, console);
    tell_topics.look(system, status, console);
    tell_stages.look(status, console);
    console.show(status);
    if (until_redraw(console, signals,
                     arguments.for_seconds ? start + duration_of(*arguments.for_seconds) : Instant::max()))
      break;
  }
  const SystemStatus last = system.status();
  console.say(render_line(last));
  int code = leave(system);
  for (const MachineStatus& machine : last.machines) {
    if (is_demo && machine.samples == 0) code = failure;
  }
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
  std::vector<const machines::MachineType*> types;
  for (const std::string& name : machines) {
    const auto* type = known_machine(name, registry);
    if (type == nullptr) return usage;
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  if (types.empty()) types.assign(registry.types().begin(), registry.types().end());
  return guarded([&] { return live(runtime::demo_config(types, arguments.settings), arguments, true); });
}

int run_files(const std::vector<std::string>& files, const LiveArguments& arguments,
              const runtime::Registry& registry) {
  return guarded([&] { return live(runtime::load_config(files, registry), arguments, false); });
}

int check_files(const std::vector<std::string>& files, const runtime::Registry& registry) {
  return guarded([&] {
    const Config config = runtime::load_config(files, registry);
    for (const std::string& warning : runtime::check_machines(config)) fmt::print("warning: {}\n", warning);
    for (const auto& machine : config.machines) {
      fmt::print("{}: {}, {}{}\n", machine.name, machine.type->name, machine.is_virtual ? "virtual" : machine.device,
                 machine.twin && machine.type->make_twin != nullptr ? ", with twin" : "");
    }
    fmt::print("{}: fine\n", fmt::join(files, ", "));
    return static_cast<int>(success);
  });
}

}  // namespace tandem::app
