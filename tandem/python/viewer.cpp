// SPDX-License-Identifier: Apache-2.0
#include "tandem/python/viewer.hpp"

#include <fmt/format.h>

#include <array>
#include <random>

#include "tandem/machines/ur3e/control/machine.hpp"
#include "tandem/runtime/control/client.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::python {
namespace {

constexpr Duration leave_within = 1s;
constexpr Duration answers_within = 1s;

// Given to no one: a page that is opened may look, and the arm is the script's alone.
std::string random_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// Without a token that may be in it: who controls is not for standard error.
std::string to_look_at(const std::string& address) { return address.substr(0, address.find('?')); }

runtime::Config view_of(const std::string& controller, const std::string& listen) {
  const machines::MachineType& type = ur3e::machine_type();
  const std::array<std::string, 1> settings{"task=paused"};
  runtime::MachineConfig arm;
  arm.name = "arm";
  arm.type = &type;
  arm.device = controller;
  arm.options = runtime::options_from_settings(type.options, settings);
  runtime::Config config;
  config.machines.push_back(std::move(arm));
  config.ros.enabled = false;
  config.web.listen = listen;
  config.web.any_port = true;
  config.web.control_token = random_token();
  config.web.by_script = true;
  return config;
}

}  // namespace

Viewer::Viewer(const std::string& controller, const std::string& listen) {
  runtime::SystemOptions options;
  options.version = TANDEM_VERSION;
  system_ = std::make_unique<runtime::System>(view_of(controller, listen), options);
  address_ = to_look_at(system_->status().page);
  system_->start();
}

Viewer::~Viewer() { [[maybe_unused]] const auto hanging = system_->stop(leave_within); }

RunningArm find_running_arm() {
  RunningArm found;
  const auto status = runtime::ask_status(runtime::control_path(""), answers_within);
  if (!status) return found;
  for (const runtime::MachineStatus& machine : status->machines) {
    if (machine.type != ur3e::machine_type().name || !machine.is_virtual) continue;
    if (machine.state == "live" && machine.arm_by.empty()) return {machine.device, to_look_at(status->page), ""};
    found.why_not =
        machine.arm_by.empty()
            ? fmt::format("its {} is {}", machine.name, machine.state)
            : fmt::format("its {} was armed by {}; `tandem demo ur3e --set task=paused` leaves it to a script",
                          machine.name, machine.arm_by);
  }
  return found;
}

}  // namespace tandem::python
