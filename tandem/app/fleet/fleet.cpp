// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/fleet/fleet.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tandem/app/commands.hpp"
#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/runtime/fleet/page.hpp"

namespace tandem::app {

namespace {

using runtime::FleetHost;
using runtime::HostState;

bool all_reachable(const std::vector<HostState>& states) { return std::ranges::all_of(states, &HostState::reachable); }

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void show(const std::vector<HostState>& states, const FleetArguments& arguments) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  if (arguments.json) {
    fmt::print("{}\n", runtime::json_from_states(states));
  } else {
    const bool redraws = terminal && arguments.watch;
    fmt::print("{}{}", redraws ? "\x1b[H\x1b[J" : "", render_fleet(states, terminal, redraws ? terminal_columns() : 0));
  }
  std::fflush(stdout);
}

int watch_fleet(std::vector<FleetHost> hosts, const FleetArguments& arguments) {
  Signals signals;
  const runtime::FleetWatch watch(std::move(hosts));
  const bool redraws = ::isatty(STDOUT_FILENO) == 1 && !arguments.json;
  // The first look comes when the first answers are there.
  for (Duration wait = 1s; !signals.wait(wait); wait = redraws ? 500ms : 1s) show(watch.states(), arguments);
  return success;
}

int stop_fleet(const std::vector<FleetHost>& hosts, const FleetArguments& arguments) {
  const auto stops = runtime::stop_all(hosts, duration_of(arguments.within));
  if (arguments.json) {
    fmt::print("{}\n", runtime::json_from_stops(stops));
  } else {
    fmt::print("{}", render_stops(stops));
  }
  return std::ranges::all_of(stops, &runtime::HostStop::ok) ? success : failure;
}

int serve_fleet(std::vector<FleetHost> hosts, const FleetArguments& arguments) {
  Signals signals;
  runtime::FleetPageOptions options;
  if (!arguments.listen.empty()) {
    options.listen = arguments.listen;
    options.any_port = false;
  }
  options.version = TANDEM_VERSION;
  options.stop_within = duration_of(arguments.within);
  if (const char* const token = std::getenv("TANDEM_CONTROL_TOKEN")) options.control_token = token;
  runtime::FleetPage page(std::move(hosts), options);
  std::jthread server([&page](const std::stop_token& stop) { page.run(stop); });
  fmt::print("page {}\n", page.printed_address());
  std::fflush(stdout);
  while (!signals.wait(1s)) {
  }
  return success;
}

}  // namespace

int fleet(const FleetArguments& arguments) {
  try {
    auto hosts = runtime::load_hosts(arguments.file);
    if (arguments.action == "stop") return stop_fleet(hosts, arguments);
    if (arguments.action == "page") return serve_fleet(std::move(hosts), arguments);
    if (arguments.watch) return watch_fleet(std::move(hosts), arguments);
    const auto states = runtime::look_at_all(hosts, duration_of(arguments.within));
    show(states, arguments);
    return all_reachable(states) ? success : failure;
  } catch (const yaml::FileError& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const std::exception& error) {
    return fail(error.what());
  }
  return failure;
}

std::pair<CLI::App*, std::function<int()>> add_fleet(CLI::App& program) {
  const auto arguments = std::make_shared<FleetArguments>();
  CLI::App* command = program.add_subcommand("fleet", "status, page and stop of the tandems of many hosts");
  command->footer(
      "Examples:\n  tandem fleet hosts.yaml status\n  tandem fleet hosts.yaml status --json | jq .\n"
      "  tandem fleet hosts.yaml stop\n  tandem fleet hosts.yaml page\n"
      "hosts.yaml: hosts: { cell1: { page: \"http://127.0.0.1:8088\", token_file: cell1.token } }\n"
      "A token file contains the control token of that host, or what `tandem page` prints there (chmod 600).\n"
      "The exit status is 1 when a host is unreachable or did not confirm the stop. Nothing is armed or reset.\n");
  command->add_option("FILE", arguments->file, "hosts.yaml: the hosts")->required();
  command->add_option("ACTION", arguments->action, "show all machines, serve one page of them, or stop them all")
      ->check(choice_check({"status", "page", "stop"}))
      ->required();
  command->add_flag("--json", arguments->json, "print JSON: one object, with --watch one each second");
  command->add_flag("--watch", arguments->watch, "status: refresh until interrupted");
  command->add_option("--within", arguments->within, "timeout for each host (s)")
      ->type_name("SECONDS")
      ->check(number_check(0.1, 60.0))
      ->capture_default_str();
  command
      ->add_option(
          "--listen", arguments->listen,
          fmt::format("page: address on this computer; default: {}, or a free port", runtime::default_fleet_address))
      ->type_name("ADDRESS:PORT");
  return {command, [arguments] { return fleet(*arguments); }};
}

}  // namespace tandem::app
