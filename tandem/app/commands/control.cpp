// SPDX-License-Identifier: Apache-2.0
// status, arm, stop, reset, snapshot: words to a running tandem.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "tandem/app/commands.hpp"
#include "tandem/app/terminal/console.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/runtime/control/client.hpp"

namespace tandem::app {

namespace {

int failed_with(const Error& error) { return fail(error.text, error.fault == Fault::not_found ? usage : failure); }

Result<runtime::SystemStatus> ask_for(const std::string& path, const std::string& machine) {
  auto status = runtime::ask_status(path);
  if (!status || machine.empty()) return status;
  std::vector<std::string> names;
  for (const auto& each : status->machines) names.push_back(each.name);
  std::erase_if(status->machines, [&](const auto& each) { return each.name != machine; });
  if (!status->machines.empty()) return status;
  const std::vector<std::string_view> known(names.begin(), names.end());
  return Error{Fault::not_found, fmt::format("unknown machine '{}'{}", printable(machine), suggestion(machine, known))};
}

int watch(const std::string& path, const std::string& machine) {
  Signals signals;
  Console console;
  do {
    const auto status = ask_for(path, machine);
    if (!status) {
      console.leave();
      return failed_with(status.error());
    }
    console.show(*status);
  } while (!signals.wait(500ms));
  return success;
}

}  // namespace

int status(const StatusArguments& arguments) {
  const std::string path = runtime::control_path(arguments.control);
  if (arguments.metrics) {
    const auto text = runtime::ask_text(path, "metrics", "");
    if (!text) return failed_with(text.error());
    fmt::print("{}", *text);
    return success;
  }
  if (arguments.watch && !arguments.json) return watch(path, arguments.machine);
  const auto status = ask_for(path, arguments.machine);
  if (!status) return failed_with(status.error());
  if (arguments.json)
    fmt::print("{}\n", runtime::json_from_status(*status));
  else
    fmt::print("{}", render(*status, {::isatty(STDOUT_FILENO) == 1, 0}));
  return success;
}

int snapshot(const std::string& machine, const std::string& text, const std::string& control) {
  const auto file = runtime::ask_snapshot(runtime::control_path(control), machine, text);
  if (!file) return failed_with(file.error());
  fmt::print("{}\n", *file);
  return success;
}

int command(const std::string& what, const std::string& machine, const std::string& control) {
  const auto done = runtime::ask_text(runtime::control_path(control), what, machine);
  if (!done) return failed_with(done.error());
  fmt::print("{}\n", *done);
  return success;
}

}  // namespace tandem::app
