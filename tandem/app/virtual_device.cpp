// virtual: only the device, for any client.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tandem/app/commands.hpp"
#include "tandem/app/signals.hpp"
#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/sub_parm.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/runtime/config.hpp"

namespace tandem::app {

namespace {

// On ROS as the environment says; null where the device has no part there.
std::unique_ptr<ros2::Context> device_context(const machines::MachineType& type, const machines::Options& options) {
  if (type.virtual_on_ros == nullptr || !type.virtual_on_ros(options)) return nullptr;
  auto environment = ros2::context_options_from_environment();
  if (!environment) throw std::runtime_error(environment.error().text);
  for (const std::string& warning : environment->warnings) fmt::print(stderr, "tandem: {}\n", warning);
  return std::make_unique<ros2::Context>(environment->options);
}

std::vector<std::string> device_settings(const VirtualArguments& arguments) {
  std::vector<std::string> settings = arguments.settings;
  if (arguments.sitl) settings.emplace_back("sitl=true");
  return settings;
}

// A MAVLink vehicle calls others. With --sitl the autopilot is another program, and url() is where that one serves.
std::string where_it_listens(const VirtualArguments& arguments, const machines::VirtualDevice& device) {
  if (arguments.machine == "orca" && !arguments.sitl) {
    return fmt::format("orca sends to UDP {} and {} of 127.0.0.1 and serves TCP {}:{}; for a bridge: {}",
                       orca::ground_port, orca::bridge_port, arguments.listen,
                       arguments.port != 0 ? arguments.port : orca::tcp_port, device.url());
  }
  if (!arguments.sitl) return fmt::format("{} listens on {}", arguments.machine, device.url());
  const int port = arguments.port != 0 ? arguments.port : orca::json_port;
  return fmt::format("the body of {} listens on udp://{}:{}; ArduSub will serve on {}", arguments.machine,
                     arguments.listen, port, device.url());
}

}  // namespace

int virtual_device(const VirtualArguments& arguments, const runtime::Registry& registry) {
  const auto* type = known_machine(arguments.machine, registry);
  if (type == nullptr) return usage;
  if (type->make_virtual == nullptr)
    return fmt::print(stderr, "tandem: {} has no virtual device\n", type->name), failure;
  if (arguments.print_parameters && type->name == "orca") return fmt::print("{}", orca::sub_parameters()), success;
  Signals signals;
  std::unique_ptr<ros2::Context> ros;
  std::unique_ptr<machines::VirtualDevice> device;
  try {
    machines::VirtualSetup setup;
    setup.listen = arguments.listen;
    setup.port = arguments.port;
    setup.options = runtime::options_from_settings(type->options, device_settings(arguments));
    ros = device_context(*type, setup.options);
    setup.ros = ros.get();
    setup.clock = &system_clock();
    device = type->make_virtual(setup);
  } catch (const std::exception& error) {
    return fmt::print(stderr, "tandem: {}: {}\n", type->name, error.what()), failure;
  }
  fmt::print("{}\n", where_it_listens(arguments, *device));
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
  return fmt::print(stderr, "tandem: {}: {}\n", type->name, failed), failure;
}

}  // namespace tandem::app
