// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "tandem/machines/em1500/control/machine.hpp"
#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/ros/names.hpp"
#include "tandem/machines/em1500/solve.hpp"
#include "tandem/machines/em1500/twin/twin.hpp"
#include "tandem/machines/em1500/virtual/device.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/ads/client/exchange.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"
#include "tandem/protocols/ads/codec/frame_rules.hpp"

namespace tandem::em1500 {
namespace {

std::optional<machines::Advice> route_advice(const net::Url& url, std::string_view own_address) {
  if (own_address.starts_with("127.")) return std::nullopt;
  const std::string address(own_address);
  const std::string net_id = url.value("own") ? std::string(*url.value("own")) : address + ".1.1";
  return machines::Advice{"the PLC answers only hosts that have a route: AMS NetId " + net_id + " at " + address,
                          "if it does not answer: on the PLC, TwinCAT Router, Edit Routes, Add, with these two"};
}

}  // namespace

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options =
      machines::joined({bridge_options(), virtual_options(), twin_options()});
  static const std::array ports{machines::FieldPort{"", ads::tcp_port, &ads::frame_rules(),
                                                    "is TwinCAT running, and does the firewall allow TCP 48898?"}};
  static const machines::MachineType type{
      .name = "em1500",
      .summary = "EM1500 Stewart platform with a Beckhoff TwinCAT PLC",
      .scheme = "ads",
      .options = options,
      .queries = queries(),
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Machine>(setup);
      },
      .make_virtual = make_virtual_device,
      .make_twin = make_twin,
      .ros_names = ros_names,
      .ports = ports,
      .advice = route_advice,
      .write_out = ads::write_out_net_ids,
      .example_name = "platform",
      .example_device = "ads://192.168.1.15?net_id=169.254.119.135.1.1",
      .demo_examples = "  tandem demo em1500 --for 20\n",
      .virtual_examples = "  tandem virtual em1500 --port 48899 --listen 0.0.0.0\n",
  };
  return type;
}

}  // namespace tandem::em1500
