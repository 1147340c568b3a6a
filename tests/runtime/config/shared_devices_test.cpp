// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/shared_devices.hpp"

#include <doctest/doctest.h>

#include "tandem/runtime/registry.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::runtime {
namespace {

std::vector<std::string> warnings_for(const std::string& first, const std::string& second) {
  const ConfigText text{"lab.yaml", "machines:\n  left: { type: raptorlift, device: " + first +
                                        " }\n  right: { type: raptorlift, device: " + second + " }\n"};
  return shared_device_warnings(parse_config({&text, 1}, all_machines()));
}

}  // namespace

TEST_CASE("the second of two machines on one device says which one has it too") {
  CHECK(warnings_for("\"modbus://192.168.2.1\"", "\"modbus://192.168.2.1?unit=1\"") ==
        std::vector<std::string>{"right: device modbus://192.168.2.1?unit=1: expected a device of its own, got that of "
                                 "left; each is armed and stopped alone"});
}

TEST_CASE("one device is the same however its address is written") {
  CHECK(warnings_for("\"modbus://10.0.0.1\"", "\"modbus://10.0.0.1:502\"").size() == 1);
  CHECK(warnings_for("\"modbus://localhost\"", "\"modbus://127.0.0.1\"").size() == 1);
  CHECK(warnings_for("\"modbus://PLC.lab\"", "\"modbus://plc.lab?unit=1\"").size() == 1);
  const ConfigText plcs{
      "lab.yaml",
      "machines:\n"
      "  left: { type: generic, device: \"ads://10.0.0.1\", signals: { x: { at: MAIN.x } } }\n"
      "  right: { type: generic, device: \"ads://10.0.0.1:48898?net_id=10.0.0.1.1.1&port=851\", "
      "signals: { x: { at: MAIN.x } } }\n"
      "  other: { type: generic, device: \"ads://10.0.0.1?port=852\", signals: { x: { at: MAIN.x } } }\n"};
  const auto warnings = shared_device_warnings(parse_config({&plcs, 1}, all_machines()));
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("right: ") == 0);
}

TEST_CASE("other ports and other units behind one gateway and virtual devices are devices of their own") {
  CHECK(warnings_for("\"modbus://192.168.2.1\"", "\"modbus://192.168.2.1?unit=2\"").empty());
  CHECK(warnings_for("\"modbus://192.168.2.1:502\"", "\"modbus://192.168.2.1:503\"").empty());
  CHECK(warnings_for("\"modbus://192.168.2.1\"", "\"modbus://192.168.2.2\"").empty());
  CHECK(warnings_for("virtual", "virtual").empty());
}

TEST_CASE("two machines that are one vehicle on the broker are refused with the place of the second") {
  const auto check = [](const std::string& second) {
    const ConfigText text{
        "lab.yaml",
        "mqtt: { broker: \"mqtt://127.0.0.1:1883\" }\nros: { enabled: false }\nmachines:\n"
        "  left: { type: raptorlift, device: virtual, vda5050: true, manufacturer: KIT, serial: \"1\" }\n"
        "  right: { type: raptorlift, device: virtual, " +
            second + " }\n"};
    try {
      (void)check_config(parse_config({&text, 1}, all_machines()));
      return std::string();
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
  };
  CHECK(check("vda5050: true, manufacturer: KIT, serial: \"2\"").empty());
  CHECK(check("vda5050: true, manufacturer: KIT, serial: \"1\", interface: other").empty());
  CHECK(check("vda5050: false, manufacturer: KIT, serial: \"1\"").empty());
  const std::string error = check("vda5050: true, manufacturer: KIT, serial: \"1\"");
  CHECK(error.find("lab.yaml:5") != std::string::npos);
  CHECK(error.find("right: uagv/v2/KIT/1: expected a vehicle of its own, got that of left") != std::string::npos);
}

}  // namespace tandem::runtime
