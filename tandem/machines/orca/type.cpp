// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "tandem/machines/orca/companion/path_recorder.hpp"
#include "tandem/machines/orca/companion/sight.hpp"
#include "tandem/machines/orca/companion/truth.hpp"
#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/options.hpp"
#include "tandem/machines/orca/ros/names.hpp"
#include "tandem/machines/orca/virtual/sub_parm.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/mavlink/codec/frame_rules.hpp"

namespace tandem::orca {
namespace {

// As the URL's link says who connects to whom; device/link.hpp has the same words.
std::vector<machines::Reach> ways_to(const net::Url& url) {
  using Kind = machines::Reach::Kind;
  const std::string_view link = url.value("link").value_or("udpin");
  if (link == "serial") return {{Kind::serial, std::string(url.value("device").value_or(""))}};
  if (link == "udpin") return {{Kind::awaits_udp, url.host, url.port.value_or(bridge_port)}};
  if (link == "tcpin") return {{Kind::awaits_tcp, url.host, url.port.value_or(tcp_port)}};
  if (link == "tcp")
    return {
        {Kind::connects, url.host, url.port.value_or(tcp_port), "does the autopilot provide MAVLink on this address?"}};
  return {{Kind::routed, url.host, url.port.value_or(bridge_port)}};
}

constexpr std::array device_flags{
    machines::DeviceFlag{"--sitl", "", "physics only, on UDP port 9002, for a real ArduSub (ardusub -M JSON)", "sitl"},
    machines::DeviceFlag{"--print-parameters", "", "with --sitl: print ArduSub's settings and exit", "", "--sitl",
                         sub_parameters}};

constexpr std::array option_notes{
    machines::OptionNote{"stream_hz", "The original requests nothing; mavproxy does"},
    machines::OptionNote{"set_origin", "Without an origin ArduSub never sends a position"},
    machines::OptionNote{"vision_message", "The original calls it use_vpe"},
    machines::OptionNote{"max_frame_gap", "The real time between two frames is sent; the original always sends 0.1 s"},
    machines::OptionNote{"sonar_min", "The original uses 1 m when the sonar reports 0"},
    machines::OptionNote{"sonar_position", "The original ignores position and tilt: 6 % of the scale at 20 degrees"},
    machines::OptionNote{"aiding_delay", "A real ArduSub took 33 s"}};

}  // namespace

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options =
      machines::joined({bridge_options(), virtual_options(), sight_options()});
  static const std::array ports{machines::FieldPort{"", bridge_port, &mavlink::frame_rules()}};
  static const machines::MachineType type{
      .name = "orca",
      .summary = "Orca submarine with ArduSub on MAVLink and a downward camera",
      .scheme = "mavlink",
      .options = options,
      .queries = {},
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Machine>(setup);
      },
      .make_virtual = make_device_with_truth,
      .make_twin = nullptr,
      .make_companion = make_companions,
      .virtual_on_ros = has_part_on_ros,
      .ros_names = ros_names,
      .demo = demo_settings(),
      .demo_beside_others = demo_beside_others(),
      .ports = ports,
      .reach = ways_to,
      .flags = device_flags,
      .notes = option_notes,
      .example_name = "sub",
      .example_device = "mavlink://127.0.0.1:14551?link=udpin",
      .demo_examples = "  tandem demo orca --set slam=features --set paths=paths.png\n",
      .virtual_examples =
          "  tandem virtual orca --set slam=camera\n"
          "With a real ArduSub, built for its own simulation, that controls the Orca's body:\n"
          "  tandem virtual orca --sitl --print-parameters > sub.parm\n"
          "  tandem virtual orca --sitl &\n"
          "  ardusub -S --wipe -M JSON:127.0.0.1 -I0 --home 47.6302,-122.3982391,-0.1,0 --defaults sub.parm\n"
          "It waits for a client on TCP 5760: a machine with device \"mavlink://127.0.0.1:5760?link=tcp\",\n"
          "or mavproxy.py --master tcp:127.0.0.1:5760 --out 127.0.0.1:14550 --out 127.0.0.1:14551\n",
  };
  return type;
}

}  // namespace tandem::orca
