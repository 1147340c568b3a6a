#include <array>

#include "tandem/machines/raptorlift/model.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/machines/raptorlift/virtual_lift.hpp"

namespace tandem::raptorlift {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array virtual_table{
    Option{.name = "physics",
           .kind = OptionKind::flag,
           .default_value = "true",
           .help = "virtual PLC: wheels on the ground; false: each axis alone, for many trucks"},
    Option{.name = "step_ms",
           .kind = OptionKind::number,
           .default_value = "2",
           .help = "virtual PLC: step of physics and program, ms; with physics at most 5",
           .minimum = 1,
           .maximum = 10},
    Option{.name = "load",
           .kind = OptionKind::number,
           .default_value = "0",
           .help = "virtual PLC: on the fork, kg",
           .minimum = 0,
           .maximum = most_load},
    Option{.name = "friction",
           .kind = OptionKind::number,
           .default_value = "1",
           .help = "virtual PLC: of rubber on the ground; 0.05 is ice",
           .minimum = 0.01,
           .maximum = 5},
    Option{.name = "plc_watchdog",
           .kind = OptionKind::number,
           .default_value = "0.5",
           .help = "virtual PLC: without commands for so long it brakes and disables, until M0 (s)",
           .minimum = 0.02,
           .maximum = 60},
    Option{.name = "heartbeat_required",
           .kind = OptionKind::flag,
           .default_value = "false",
           .help = "virtual PLC: D24 has to count, commands alone do not feed its watchdog"},
    Option{.name = "most_connections",
           .kind = OptionKind::number,
           .default_value = "8",
           .help = "virtual PLC: clients at a time; one more is closed at once",
           .minimum = 1,
           .maximum = 64},
    Option{.name = "idle_limit",
           .kind = OptionKind::number,
           .default_value = "0",
           .help = "virtual PLC: closes a client that asks nothing for so long; 0: never (s)",
           .minimum = 0,
           .maximum = 3600},
};

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

std::unique_ptr<machines::VirtualDevice> make_virtual_raptorlift(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualLiftSetup lift;
  lift.listen = setup.listen;
  lift.port = setup.port != 0 ? static_cast<std::uint16_t>(setup.port)
                              : (setup.standard_ports ? virtual_port : std::uint16_t{0});
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
  return make_virtual_lift(lift);
}

}  // namespace tandem::raptorlift
