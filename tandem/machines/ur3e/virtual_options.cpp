#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tandem/machines/ur3e/virtual_ur.hpp"

namespace tandem::ur3e {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<std::string_view, 2> powers{"running", "off"};

constexpr std::array virtual_table{
    Option{.name = "power",
           .kind = OptionKind::choice,
           .default_value = "running",
           .help = "virtual controller: brakes released from the start, or off as after switching it on",
           .choices = powers},
    Option{.name = "start",
           .kind = OptionKind::numbers,
           .default_value = "[1.5707963, -1.5707963, 1.5707963, -1.5707963, -1.5707963, 0]",
           .help = "virtual controller: joint angles at the start, rad",
           .minimum = -6.283185307179586,
           .maximum = 6.283185307179586,
           .count = 6},
    Option{.name = "tcp",
           .kind = OptionKind::numbers,
           .default_value = "[0, 0, 0, 0, 0, 0]",
           .help = "virtual controller: tool centre point on the flange, x, y, z (m), rotation vector (rad)",
           .minimum = -10,
           .maximum = 10,
           .count = 6},
    Option{.name = "unlock_after",
           .kind = OptionKind::number,
           .default_value = "5",
           .help = "virtual controller: how long a protective stop lasts at least, s",
           .minimum = 0,
           .maximum = 60},
};

Joints six(const machines::Options& options, std::string_view name) {
  const auto& numbers = options.numbers(name);
  if (numbers.size() != 6) throw std::invalid_argument(fmt::format("{}: expected six numbers", name));
  return Eigen::Map<const Joints>(numbers.data());
}

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

std::unique_ptr<machines::VirtualDevice> make_virtual_ur(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualUrSetup made;
  made.listen = setup.listen;
  made.clock = setup.clock;
  made.controller.running = options.text("power") != "off";
  made.controller.start = six(options, "start");
  made.controller.X_flange_tcp = kinematics::ur::pose_from_vector(six(options, "tcp"));
  made.controller.times.unlock = options.number("unlock_after");
  if (setup.port != 0) {
    // Another main port; the others are told in the URL.
    made.ports.rtde = static_cast<std::uint16_t>(setup.port);
  } else if (setup.standard_ports) {
    made.ports = PortNumbers{};
  }
  return make_virtual_ur(made);
}

}  // namespace tandem::ur3e
