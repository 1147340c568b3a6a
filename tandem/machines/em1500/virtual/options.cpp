// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>
#include <stdexcept>

#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/virtual/device.hpp"
#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::em1500 {
namespace {

using machines::choice_key;
using machines::number_key;
using machines::numbers_key;
using machines::Option;
using machines::text_key;

constexpr std::array<std::string_view, 6> motions{"sine", "ship", "remote", "neutral", "settled", "off"};

constexpr std::array virtual_table{
    choice_key("motion", "sine", "virtual PLC: motion of the platform", motions),
    numbers_key("amplitude", "[0, 0, 0.2, 0.034906585, 0.034906585, 0]",
                "virtual PLC: amplitude of the sine motion; surge, sway, heave (m), roll, pitch, yaw (rad)", -1, 1, 6),
    number_key("frequency", "0.1", "virtual PLC: frequency of the sine motion (Hz)", 0, 5),
    number_key("cycle_ms", "10", "virtual PLC: period of its task (ms)", 1, 100),
    number_key("payload", "900", "virtual PLC and twin: payload on the platform (kg)", 0, 1500),
    text_key("net_id", "", "virtual PLC: its AMS NetId; empty: any"),
    text_key("route_user", "", "virtual PLC: user name required to add a route; empty: any"),
    text_key("route_password", "",
             "virtual PLC: password required to add a route (not secret); user and password both empty: not checked"),
};

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualDeviceSetup plc;
  plc.listen = setup.listen;
  plc.net_id = options.text("net_id");
  plc.route_user = options.text("route_user");
  plc.route_password = options.text("route_password");
  plc.cycle = duration_of(options.number("cycle_ms") * 1e-3);
  plc.map = pose_map_from(options);
  plc.motion = options.text("motion");
  const auto& amplitude = options.numbers("amplitude");
  if (amplitude.size() != 6) throw std::invalid_argument("amplitude: expected six numbers");
  std::copy(amplitude.begin(), amplitude.end(), plc.generator.amplitude.begin());
  plc.generator.omega.fill(2 * std::numbers::pi * options.number("frequency"));
  plc.payload = options.number("payload");
  plc.clock = setup.clock;
  plc.plug = setup.plug;
  if (setup.port == 0) {
    plc.tcp_port = setup.standard_ports ? ads::tcp_port : 0;
    plc.udp_port = setup.standard_ports ? ads::udp_port : 0;
    return make_virtual_device(plc);
  }
  // Another main port: discovery beside it, as the standard ports lie, or wherever there is room.
  plc.tcp_port = setup.port;
  plc.udp_port = setup.port < std::numeric_limits<std::uint16_t>::max() ? setup.port + 1 : 0;
  try {
    return make_virtual_device(plc);
  } catch (const std::runtime_error&) {
    plc.udp_port = 0;
    return make_virtual_device(plc);
  }
}

}  // namespace tandem::em1500
