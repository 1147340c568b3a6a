// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/cable_robot/cable_rig.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/machines/cable_robot/options.hpp"
#include "tandem/runtime/config/config.hpp"

namespace tandem::cable_robot::rig {

machines::Options options(const std::vector<std::string>& settings) {
  std::vector<std::string> all = {"cycle_hz=100", "feedback_timeout=0.6", "response_timeout=0.3", "watchdog=1"};
  all.insert(all.end(), settings.begin(), settings.end());
  return runtime::options_from_settings(bridge_options(), all);
}

machines::Setup setup_for(const std::string& device, const std::vector<std::string>& settings, Clock& clock) {
  return {.name = "cables", .device = device, .options = options(settings), .clock = &clock};
}

bool Recorder::note(const modbus::Request& request) {
  const auto* coil = std::get_if<modbus::WriteCoil>(&request);
  if (coil != nullptr && coil->address == coils::reset && coil->value) ++pulses;
  const auto* write = std::get_if<modbus::WriteRegisters>(&request);
  if (write != nullptr && write->address == cable_robot::limits::start) ++limits;
  return write != nullptr && write->address == command::start && note_command(write->values.span());
}

bool Recorder::note_command(std::span<const std::uint16_t> words) {
  const bool enable = words[command::enable] != 0;
  const bool move = enable && words[command::mode] != static_cast<std::uint16_t>(WinchMode::hold);
  ++(enable ? enables : disables);
  std::vector<double> lengths;
  for (std::size_t at = command::first; move && at + command::stride <= words.size(); at += command::stride) {
    const auto raw = static_cast<std::int32_t>((std::uint32_t{words[at]} << 16) | words[at + 1]);
    lengths.push_back(raw / length_scale);
  }
  for (std::size_t i = 0; i < lengths.size() && lengths_.size() == lengths.size(); ++i)
    widest_step = std::max(widest_step.load(), std::abs(lengths[i] - lengths_[i]));
  lengths_ = std::move(lengths);
  return move;
}

bool SupervisedMachine::arm() {
  return arm_until([&] {
    const Activity activity = state().activity;
    return activity == Activity::resting || activity == Activity::moving;
  });
}

void SupervisedMachine::want(double x, double y, double z) {
  bridge->commands().pose.post({{x, y, z, 0, 0, 0, 1}, now()});
}

VirtualDeviceSetup Cables::device_setup(WinchFaults& faults) {
  VirtualDeviceSetup setup;
  setup.station.limits = limits_for(setup.robot);
  setup.station.body.cycle = 0.004;
  setup.clock = &system_clock();
  setup.faults = &faults;
  return setup;
}

double Cables::speed(const VirtualDevice& winches) {
  const auto v = winches.truth().velocity;
  return Eigen::Vector3d(v[0], v[1], v[2]).norm();
}

std::vector<std::string> Cables::settings(Mode mode, std::vector<std::string> settings) {
  if (mode == Mode::moving) settings.insert(settings.begin(), {"task=path", "task_period=10"});
  return settings;
}

void Cables::check(const Recorder& recorder) {
  CHECK(recorder.widest_step < 0.02);  // m: what a cable goes in a cycle, and more; a jump is beyond
}

Eigen::Vector3d Rig::place() const {
  if (!device) return Eigen::Vector3d::Zero();
  const auto p = device->truth().position;
  return {p[0], p[1], p[2]};
}

void play(const Row& row) { kit::play_on(row); }

}  // namespace tandem::cable_robot::rig
