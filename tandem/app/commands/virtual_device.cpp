// SPDX-License-Identifier: Apache-2.0
// virtual: only the device, for any client.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tandem/app/commands.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/machines/own_config.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/runtime/config/config.hpp"

namespace tandem::app {

namespace {

// On ROS as the environment says; null where the device has no part there.
std::unique_ptr<ros2::Context> device_context(const machines::MachineType& type, const machines::Options& options) {
  if (type.virtual_on_ros == nullptr || !type.virtual_on_ros(options)) return nullptr;
  return context_from_environment();
}

// A path as one value of a setting, whatever characters it has.
std::string quoted(const std::string& path) {
  std::string out = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

const machines::DeviceFlag* find_flag(const machines::MachineType& type, std::string_view name) {
  const auto found = std::ranges::find(type.flags, name, &machines::DeviceFlag::name);
  return found == type.flags.end() ? nullptr : &*found;
}

// The settings of --set, and those that the flags stand for. Throws when a flag is not one of this machine.
std::vector<std::string> device_settings(const VirtualArguments& arguments, const machines::MachineType& type) {
  std::vector<std::string> settings = arguments.settings;
  for (const auto& [name, value] : arguments.flags) {
    const machines::DeviceFlag* flag = find_flag(type, name);
    if (flag == nullptr) throw std::invalid_argument(fmt::format("{}: not supported by this machine", name));
    if (flag->option.empty()) continue;
    settings.push_back(fmt::format("{}={}", flag->option, flag->value.empty() ? "true" : quoted(value)));
  }
  return settings;
}

}  // namespace

int virtual_device(const VirtualArguments& arguments, const runtime::Registry& registry) {
  const auto* type = known_machine(arguments.machine, registry);
  if (type == nullptr) return usage;
  if (type->make_virtual == nullptr) return fail(fmt::format("{} has no virtual device", type->name));
  for (const auto& given : arguments.flags) {
    const machines::DeviceFlag* flag = find_flag(*type, given.first);
    if (flag == nullptr || flag->print == nullptr) continue;
    fmt::print("{}", flag->print());
    return success;
  }
  if (type->read_file == nullptr && !arguments.file.empty())
    return fail(fmt::format("virtual {}: expected no file, got {}", type->name, arguments.file), usage);
  if (type->read_file != nullptr && arguments.file.empty())
    return fail(fmt::format("virtual {0}: expected a file: tandem virtual {0} FILE", type->name), usage);
  Signals signals;
  std::unique_ptr<ros2::Context> ros;
  std::unique_ptr<machines::VirtualDevice> device;
  try {
    machines::VirtualSetup setup;
    if (type->read_file != nullptr) {
      const machines::OwnRead read = type->read_file(arguments.file);
      setup.own = read.config;
      if (read.type != nullptr) type = read.type;
    }
    setup.listen = arguments.listen;
    setup.port = arguments.port;
    setup.options = runtime::options_from_settings(type->options, device_settings(arguments, *type));
    ros = device_context(*type, setup.options);
    setup.ros = ros.get();
    setup.clock = &system_clock();
    device = type->make_virtual(setup);
  } catch (const runtime::ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return failure;
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    const bool taken = text.find("is in use by another program") != std::string_view::npos;
    return fail(fmt::format("{}: {}{}", type->name, text, taken ? "; choose another with --port" : ""));
  }
  fmt::print("{} {}\n", type->name, device->listening());
  std::fflush(stdout);
  std::atomic<bool> done{false};
  std::string failed;
  std::jthread thread([&](const std::stop_token& stop) {
    try {
      device->run(stop);
    } catch (const std::exception& error) {
      failed = error.what();
    }
    done = true;
  });
  while (!done && !signals.wait(200ms)) {
  }
  thread.request_stop();
  const Instant until = system_clock().now() + 1500ms;
  while (!done && system_clock().now() < until) system_clock().sleep_until(system_clock().now() + 5ms);
  if (!done) std::_Exit(failure);
  thread.join();
  if (failed.empty()) return success;
  return fail(fmt::format("{}: {}", type->name, failed));
}

}  // namespace tandem::app
