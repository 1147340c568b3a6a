// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/machines/ur3e/gripper_option.hpp"
#include "tandem/machines/ur3e/virtual/device.hpp"
#include "tandem/machines/ur3e/virtual/programs/files.hpp"

namespace tandem::ur3e {
namespace {

using machines::choice_key;
using machines::number_key;
using machines::numbers_key;
using machines::Option;
using machines::text_key;

constexpr std::array<std::string_view, 2> powers{"running", "off"};
constexpr std::array<std::string_view, 3> scenes{"empty", "table", "cubes"};
constexpr std::array<std::string_view, 2> controls{"remote", "local"};

constexpr std::array virtual_table{
    choice_key("power", "running", "virtual controller: initial power state: brakes released, or off", powers),
    numbers_key("start", "[1.5707963, -1.5707963, 1.5707963, -1.5707963, -1.5707963, 0]",
                "virtual controller: initial joint angles (rad)", -6.283185307179586, 6.283185307179586, 6),
    numbers_key("tcp", "[0, 0, 0, 0, 0, 0]",
                "virtual controller: tool centre point on the flange, x, y, z (m), rotation vector (rad)", -10, 10, 6),
    number_key("unlock_after", "5", "virtual controller: minimum duration of a protective stop (s)", 0, 60),
    choice_key("scene", "cubes", "virtual controller: scene around the arm; cubes are three on a table", scenes),
    choice_key("control", "remote",
               "virtual controller: remote or local control; local ignores scripts and refuses most dashboard commands",
               controls),
    text_key("programs", "",
             "virtual controller: folder of .script and .urp files for the dashboard's `load` and `play`"),
    text_key("script_sockets", "client",
             "virtual controller: addresses allowed in socket_open: client (the program's sender), any, or IPv4 "
             "addresses separated by commas"),
};

Joints six(const machines::Options& options, std::string_view name) {
  const auto& numbers = options.numbers(name);
  if (numbers.size() != 6) throw std::invalid_argument(fmt::format("{}: expected six numbers", name));
  return Eigen::Map<const Joints>(numbers.data());
}

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualDeviceSetup made;
  made.listen = setup.listen;
  made.clock = setup.clock;
  made.plug = setup.plug;
  made.controller.running = options.text("power") != "off";
  made.controller.start = six(options, "start");
  made.controller.X_flange_tcp = kinematics::ur::pose_from_vector(six(options, "tcp"));
  made.controller.times.unlock = options.number("unlock_after");
  const std::string& scene = options.text("scene");
  made.controller.model.surroundings = scene == "table" ? Surroundings::table : Surroundings::cubes;
  if (scene == "empty") made.controller.model.surroundings = Surroundings::empty;
  made.controller.model.gripper = has_gripper(options);
  made.controller.remote_control = options.text("control") != "local";
  made.controller.script_sockets = options.text("script_sockets");
  if (const std::string& folder = options.text("programs"); !folder.empty()) {
    auto files = programs_from(folder);
    if (!files) throw std::invalid_argument("programs: " + files.error().text);
    made.controller.files = std::move(files->scripts);
    made.controller.broken_files = std::move(files->broken);
  }
  if (setup.port != 0) {
    // Another main port; the others are reported in the URL.
    made.ports.rtde = static_cast<std::uint16_t>(setup.port);
  } else if (setup.standard_ports) {
    made.ports = PortNumbers{};
  }
  return make_virtual_device(made);
}

}  // namespace tandem::ur3e
