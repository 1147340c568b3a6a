// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/device.hpp"

#include <algorithm>

namespace tandem::ur3e {
namespace {

constexpr Duration cycle_time = 2ms;
constexpr int most_cycles_at_once = 25;  // made up for when the host held the thread up; more are lost

bool taken(std::atomic<bool>& once) { return once.load(std::memory_order_relaxed) && once.exchange(false); }

}  // namespace

VirtualDevice::VirtualDevice(const VirtualDeviceSetup& setup)
    : setup_(setup),
      clock_(setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock())),
      controller_(setup.controller),
      ports_(controller_, setup.listen, setup.ports, setup.plug) {}

std::string VirtualDevice::url() const { return ports_.url(setup_.listen == "0.0.0.0" ? "127.0.0.1" : setup_.listen); }

void VirtualDevice::run(std::stop_token stop) {
  next_ = clock_.now() + cycle_time;
  while (!stop.stop_requested()) {
    ports_.serve(next_);
    const Instant due = next_;
    const int cycles = due_cycles(clock_.now());
    if (setup_.script != nullptr && setup_.script->halted) continue;
    for (int i = 0; i < cycles; ++i) {
      if (setup_.cycle_begins) setup_.cycle_begins(due + i * cycle_time, clock_.now());
      obey_script();
      controller_.step();
      ports_.cycle(clock_.now());
    }
    if (cycles > 0) show();
    counters_.cycles += static_cast<std::uint64_t>(cycles);
  }
}

void VirtualDevice::show() {
  const auto& measured = controller_.body.measured();
  Seen seen;
  for (std::size_t i = 0; i < seen.angles.size(); ++i) seen.angles[i] = measured.position[static_cast<Eigen::Index>(i)];
  seen.speed = measured.velocity.cwiseAbs().maxCoeff();
  seen_.put(seen);
}

std::optional<machines::TrueMotion> VirtualDevice::true_motion() const {
  const auto seen = seen_.get();
  if (!seen) return std::nullopt;
  return machines::TrueMotion{{seen->angles.begin(), seen->angles.end()}, seen->speed, "rad"};
}

// How many cycles have come due; the controller's time goes with the clock even when the host was late.
int VirtualDevice::due_cycles(Instant now) {
  if (now < next_) return 0;
  const auto late = (now - next_) / cycle_time;
  if (now - next_ > cycle_time / 2) ++counters_.late;
  next_ += (late + 1) * cycle_time;
  const auto due = std::min<decltype(late)>(late + 1, most_cycles_at_once);
  counters_.lost += static_cast<std::uint64_t>(late + 1 - due);
  return static_cast<int>(due);
}

void VirtualDevice::obey_script() {
  if (setup_.script == nullptr) return;
  PendantScript& script = *setup_.script;
  if (taken(script.power_cycle)) {
    ports_.close_connections();
    controller_.reboot();
  }
  if (taken(script.protective_stop)) controller_.protective_stop(stop_codes::collision, "the position is blocked");
  if (taken(script.violation)) controller_.power.violation();
  if (taken(script.program_stop)) controller_.programs.stop();
  if (taken(script.program_pause)) controller_.programs.pause();
  const bool pressed = script.emergency_stop;
  if (pressed != emergency_) controller_.power.emergency_stop(pressed);
  emergency_ = pressed;
  controller_.power.safeguard(script.safeguard);
  if (const bool local = script.local_control; local != local_) {
    controller_.remote_control = !local;
    local_ = local;
  }
  controller_.timestamp_frozen = script.timestamp_frozen;
  controller_.variables.state.actual_digital_input_bits = script.digital_inputs;
  controller_.variables.state.actual_configurable_digital_input_bits = script.digital_inputs >> 8 & 0xff;
  if (const double slider = script.slider.exchange(-1); slider >= 0)
    controller_.variables.state.target_speed_fraction = std::min(slider, 1.0);
  controller_.body.push({Eigen::Vector3d(script.push_x, script.push_y, script.push_z), Eigen::Vector3d::Zero()});
}

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup) {
  return std::make_unique<VirtualDevice>(setup);
}

}  // namespace tandem::ur3e
