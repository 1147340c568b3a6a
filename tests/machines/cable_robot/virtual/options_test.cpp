// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tandem/machines/cable_robot/virtual/device.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

machines::VirtualSetup default_setup() {
  machines::VirtualSetup setup;
  setup.standard_ports = false;
  for (const machines::Option& option : virtual_options()) {
    const std::string value(option.default_value);
    if (option.kind == machines::OptionKind::number)
      setup.options.put(option.name, std::stod(value));
    else if (option.kind == machines::OptionKind::texts)
      setup.options.put(option.name, std::vector<std::string>{});
    else
      setup.options.put(option.name, value);
  }
  return setup;
}

std::string refusal(const machines::VirtualSetup& setup) {
  try {
    static_cast<void>(make_virtual_device(setup));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("Every key of the virtual robot has a default that its table allows") {
  for (const auto& option : virtual_options()) {
    CAPTURE(option.name);
    CHECK_FALSE(option.help.empty());
    if (option.name != "geometry") CHECK(option.help.starts_with("virtual robot: "));
    if (option.kind != machines::OptionKind::number) continue;
    const double value = std::stod(std::string(option.default_value));
    CHECK(value >= option.minimum);
    CHECK(value <= option.maximum);
  }
}

TEST_CASE("The virtual robot is made from its keys") {
  machines::VirtualSetup setup = default_setup();
  const auto device = make_virtual_device(setup);
  CHECK(device->url().starts_with("modbus://127.0.0.1:"));
  setup.options.put("stiffness", 2e4);
  setup.options.put("faults", std::vector<std::string>{"5 cut 3"});
  CHECK(make_virtual_device(setup) != nullptr);
}

TEST_CASE("Keys of the virtual robot that cannot be are refused by name") {
  machines::VirtualSetup setup = default_setup();
  setup.options.put("stiffness", 1e9);
  CHECK(refusal(setup).starts_with("stiffness: "));
  setup = default_setup();
  setup.options.put("faults", std::vector<std::string>{"5 cut 9"});
  CHECK(refusal(setup).starts_with("faults: \"5 cut 9\""));
  setup = default_setup();
  setup.options.put("geometry", std::string("/nowhere/robot.yaml"));
  CHECK(refusal(setup).find("/nowhere/robot.yaml") != std::string::npos);
}
