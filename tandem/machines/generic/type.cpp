// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/type.hpp"

#include <array>

#include "tandem/machines/generic/control/machine.hpp"
#include "tandem/machines/generic/schema/read.hpp"
#include "tandem/machines/generic/virtual/front.hpp"
#include "tandem/machines/own_config.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/ads/client/exchange.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"
#include "tandem/protocols/ads/codec/frame_rules.hpp"
#include "tandem/protocols/modbus/frame_rules.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::generic {
namespace {

constexpr std::string_view example =
    R"(# A press on Modbus TCP, as `tandem options generic --yaml` writes it; docs/generic.md has every key.
machines:
  press:
    type: generic
    # the real device, or: virtual
    device: "modbus://192.168.1.40?unit=1"
    cycle: 50 ms
    base: 40001
    signals:
      pressure: {at: 30001, type: uint16, scale: 0.1, unit: bar, sim: {first_order: valve, gain: 3, tau: 0.4 s}}
      state: {at: 40020, type: uint16, names: {0: idle, 1: pressing, 2: fault}}
      valve: {at: 40101, scale: 0.1, unit: "%", write: {limits: [-100, 100], rate: 200 /s, idle: zero, watchdog: 10 s}}
)";

const machines::MachineType& type_of(Protocol protocol);

machines::OwnRead own_read(std::shared_ptr<const Description> description,
                           std::vector<yaml::FileError::Problem> problems) {
  machines::OwnRead read;
  read.problems = std::move(problems);
  if (description == nullptr) return read;
  read.type = &type_of(description->protocol);
  auto own = std::make_shared<OwnDescription>();
  own->description = std::move(description);
  read.config = std::move(own);
  return read;
}

machines::OwnRead read_keys(const yaml::Node& keys, const std::string& file, const std::string& machine) {
  DescriptionRead read = read_description(keys, file, machine);
  return own_read(std::move(read.description), std::move(read.problems));
}

machines::OwnRead read_file(const std::string& file) { return own_read(load_description(file), {}); }

std::optional<machines::Advice> route_advice(const net::Url& url, std::string_view own_address) {
  if (own_address.starts_with("127.")) return std::nullopt;
  const std::string address(own_address);
  const std::string net_id = url.value("own") ? std::string(*url.value("own")) : address + ".1.1";
  return machines::Advice{"the PLC answers only hosts that have a route: AMS NetId " + net_id + " at " + address,
                          "if it does not answer: on the PLC, TwinCAT Router, Edit Routes, Add, with these two"};
}

machines::MachineType common() {
  return {.name = "generic",
          .summary = "any device on Modbus TCP or Beckhoff ADS, described by a file",
          .scheme = {},
          .options = {},
          .queries = {},
          .read = read_keys,
          .read_file = read_file,
          .keys_document = "docs/generic.md",
          .example_file = example,
          .make = make_machine,
          .make_virtual = make_virtual_device,
          .example_name = "press",
          .demo_examples = "  tandem demo --config examples/11_press/press.yaml\n",
          .virtual_examples = "  tandem virtual generic press.yaml --port 1502\n"};
}

const machines::MachineType& type_of(Protocol protocol) {
  static const std::array modbus_ports{machines::FieldPort{
      "", modbus::tcp_port, &modbus::frame_rules(), "is the device's Modbus TCP server enabled, and on this port?"}};
  static const std::array ads_ports{machines::FieldPort{"", ads::tcp_port, &ads::frame_rules(),
                                                        "is TwinCAT running, and does the firewall allow TCP 48898?"}};
  static const machines::MachineType over_modbus = [] {
    machines::MachineType type = common();
    type.scheme = "modbus";
    type.ports = modbus_ports;
    type.example_device = "modbus://192.168.1.40?unit=1";
    return type;
  }();
  static const machines::MachineType over_ads = [] {
    machines::MachineType type = common();
    type.scheme = "ads";
    type.ports = ads_ports;
    type.advice = route_advice;
    type.write_out = ads::write_out_net_ids;
    type.example_device = "ads://192.168.1.15?net_id=5.20.30.40.1.1";
    return type;
  }();
  return protocol == Protocol::ads ? over_ads : over_modbus;
}

}  // namespace

const machines::MachineType& machine_type() { return type_of(Protocol::modbus); }

}  // namespace tandem::generic
