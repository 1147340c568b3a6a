// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/machines/raptorlift/virtual/model.hpp"

namespace tandem::raptorlift {
namespace {

using machines::flag_key;
using machines::number_key;
using machines::Option;

constexpr std::array virtual_table{
    flag_key("physics", "true",
             "virtual PLC: simulate wheel-ground contact; false: each axis on its own, for many trucks"),
    number_key("step_ms", "5", "virtual PLC: time step of physics and program (ms); with physics at most 5", 1, 10),
    number_key("load", "0", "virtual PLC: load on the fork (kg)", 0, most_load),
    number_key("friction", "1", "virtual PLC: tyre friction coefficient (0.05 = ice)", 0.01, 5),
    number_key("plc_watchdog", "0.5", "virtual PLC: command timeout, after which it brakes and disables until M0 (s)",
               0.02, 60),
    flag_key("heartbeat_required", "false",
             "virtual PLC: its watchdog requires the heartbeat in D24; commands alone are not enough"),
    number_key("most_connections", "8", "virtual PLC: maximum number of clients; further ones are disconnected", 1, 64),
    number_key("idle_limit", "0", "virtual PLC: idle timeout before a client is disconnected (s); 0 disables it", 0,
               3600),
};

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualDeviceSetup lift;
  lift.listen = setup.listen;
  if (setup.standard_ports) lift.port = virtual_port;
  if (setup.port != 0) lift.port = static_cast<std::uint16_t>(setup.port);
  lift.description = description_from(options);
  lift.physics = options.flag("physics");
  lift.step = duration_of(options.number("step_ms") * 1e-3);
  lift.load = options.number("load");
  lift.friction = options.number("friction");
  lift.watchdog = duration_of(options.number("plc_watchdog"));
  lift.heartbeat_required = options.flag("heartbeat_required");
  lift.most_connections = static_cast<std::size_t>(options.number("most_connections"));
  lift.idle_limit = duration_of(options.number("idle_limit"));
  lift.clock = setup.clock;
  lift.plug = setup.plug;
  return make_virtual_device(lift);
}

}  // namespace tandem::raptorlift
