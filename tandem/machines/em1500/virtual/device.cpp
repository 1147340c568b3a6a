// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/virtual/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tandem/base/latest.hpp"
#include "tandem/machines/em1500/virtual/platform.hpp"
#include "tandem/machines/em1500/virtual/symbols.hpp"
#include "tandem/protocols/ads/server/server.hpp"

namespace tandem::em1500 {
namespace {

constexpr Duration feed_timeout = 500ms;  // after which the program sets bTimout
constexpr int most_cycles_at_once = 10;   // made up for when the host held the thread up; more are lost
constexpr std::int32_t no_command = -1;

VirtualPlatform::Setup platform_setup(const VirtualDeviceSetup& setup) {
  VirtualPlatform::Setup platform;
  platform.map = setup.map;
  // The physics divides the cycle into whole steps of at most 2 ms.
  platform.model.timestep = seconds(setup.cycle) / std::ceil(seconds(setup.cycle) / 0.002 - 1e-9);
  platform.model.payload = setup.payload;
  if (setup.motion == "settled") platform.start = LabState::settled;
  if (setup.motion == "off") platform.start = LabState::off;
  return platform;
}

std::optional<LabMode> mode_of_motion(std::string_view motion) {
  if (motion == "sine") return LabMode::generator;
  if (motion == "ship") return LabMode::simulation;
  if (motion == "remote") return LabMode::remote;
  return std::nullopt;
}

std::optional<LabCommand> command_from(std::int32_t number) {
  for (const LabCommand command : {LabCommand::to_off, LabCommand::to_settled, LabCommand::to_neutral,
                                   LabCommand::to_engaged, LabCommand::ack_fault})
    if (static_cast<std::int32_t>(command) == number) return command;
  return std::nullopt;
}

PlcPose odd(PlcScript::OddPose kind, PlcPose pose) {
  switch (kind) {
    case PlcScript::OddPose::none:
      break;
    case PlcScript::OddPose::not_a_number:
      pose.pitch = std::numeric_limits<double>::quiet_NaN();
      break;
    case PlcScript::OddPose::infinite:
      pose.heave = std::numeric_limits<double>::infinity();
      break;
    case PlcScript::OddPose::far_away:
      pose.surge = 1e30;
      break;
    case PlcScript::OddPose::zeros:
      return {};
  }
  return pose;
}

// One thread: clients are served until the next cycle is due, then the program runs and the physics with it.
class VirtualDevice final : public machines::VirtualDevice {
 public:
  explicit VirtualDevice(const VirtualDeviceSetup& setup);

  std::string url() const override;
  void run(std::stop_token stop) override;
  std::optional<machines::TrueMotion> true_motion() const override;

 private:
  void listen();
  int due_cycles(Instant now);
  bool running() { return server_->device().plc_state() == ads::AdsState::run; }
  void change_online();
  void take_inputs();
  void step_physics(int cycles);
  void put_outputs(int cycles, bool fed);
  void put_feedback(const PlcPose& pose, double elapsed);

  VirtualDeviceSetup setup_;
  Clock& clock_;
  ads::SymbolTable table_;
  VirtualSymbols symbols_{table_};
  VirtualPlatform platform_;
  std::unique_ptr<ads::Server> server_;
  int steps_per_cycle_ = 1;
  Instant next_{};         // when the next cycle is due
  Duration unfed_{0};      // since nRxCounter last moved
  PlatformFeedback last_;  // reported last
  bool reported_ = false;
  struct Seen {
    std::array<double, 3> position{};  // of the top, base frame, m
    double speed = 0;                  // m/s, mean of the last cycles that were due together
  };
  Latest<Seen> seen_;
};

VirtualDevice::VirtualDevice(const VirtualDeviceSetup& setup)
    : setup_(setup),
      clock_(setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock())),
      platform_(platform_setup(setup)) {
  steps_per_cycle_ = static_cast<int>(std::lround(seconds(setup.cycle) / platform_.timestep()));
  platform_.generator(setup.generator);
  if (const auto mode = mode_of_motion(setup.motion)) platform_.mode(*mode);
  table_.write(symbols_.period, seconds(setup.cycle));
  table_.write(symbols_.enable, std::uint8_t{1});
  table_.write(symbols_.command, no_command);
  table_.write(symbols_.mode, static_cast<std::int32_t>(platform_.mode()));
  table_.write(symbols_.generator, setup.generator);
  put_outputs(0, true);
  listen();
}

void VirtualDevice::listen() {
  ads::ServerOptions options;
  options.host = setup_.listen;
  options.tcp_port = static_cast<std::uint16_t>(setup_.tcp_port);
  options.udp_port = static_cast<std::uint16_t>(setup_.udp_port);
  options.cycle = setup_.cycle;
  options.faults = setup_.faults;
  options.plug = setup_.plug;
  options.user = setup_.route_user;
  options.password = setup_.route_password;
  if (!setup_.net_id.empty()) {
    const auto net_id = ads::NetId::parse(setup_.net_id);
    if (!net_id)
      throw std::invalid_argument(
          fmt::format("net_id: expected six numbers like 169.254.119.135.1.1, got '{}'", setup_.net_id));
    options.net_id = *net_id;
  }
  auto server = ads::Server::listen(table_, options);
  if (!server) throw std::runtime_error(fmt::format("virtual PLC: {}", server.error().text));
  server_ = std::move(*server);
}

std::string VirtualDevice::url() const {
  const std::string host = setup_.listen == "0.0.0.0" ? "127.0.0.1" : setup_.listen;
  const std::string net_id = setup_.net_id.empty() ? "" : "?net_id=" + setup_.net_id;
  return fmt::format("ads://{}:{}{}", host, server_->tcp_port(), net_id);
}

void VirtualDevice::run(std::stop_token stop) {
  next_ = clock_.now() + setup_.cycle;
  while (!stop.stop_requested()) {
    server_->poll(next_);
    const int cycles = due_cycles(clock_.now());
    if (cycles == 0) continue;
    const PlcScript* script = setup_.script;
    if (script != nullptr && script->task_halted) continue;
    change_online();
    // A stopped PLC runs no program: nothing is taken, nothing is reported, and the platform comes to rest.
    if (!running()) {
      platform_.enable(false);
      step_physics(cycles);
      server_->task_cycle(clock_.utc(), cycles);
      continue;
    }
    take_inputs();
    step_physics(cycles);
    const bool enabled = table_.read(symbols_.enable) != 0;
    const bool dead = script != nullptr && script->feed_dead;
    put_outputs(cycles, enabled && !dead && platform_.status() != LabStatus::error);
    server_->task_cycle(clock_.utc(), cycles);
  }
}

// How many cycles have come due; the PLC's time goes with the clock even when the host was late.
int VirtualDevice::due_cycles(Instant now) {
  if (now < next_) return 0;
  const auto late = (now - next_) / setup_.cycle;
  next_ += (late + 1) * setup_.cycle;
  return static_cast<int>(std::min<decltype(late)>(late + 1, most_cycles_at_once));
}

void VirtualDevice::change_online() {
  if (setup_.script == nullptr || setup_.script->online_changes <= 0) return;
  --setup_.script->online_changes;
  table_.renew();
  symbols_.bind(table_);
}

void VirtualDevice::take_inputs() {
  platform_.enable(table_.read(symbols_.enable) != 0);
  platform_.generator(table_.read(symbols_.generator));
  const PlatformControl control = table_.read(symbols_.control);
  platform_.remote({control.position, control.velocity});
  const std::int32_t mode = table_.read(symbols_.mode);
  if (mode != static_cast<std::int32_t>(platform_.mode()) && mode >= 0 &&
      mode <= static_cast<std::int32_t>(LabMode::remote))
    platform_.mode(static_cast<LabMode>(mode));
  const std::int32_t number = table_.read(symbols_.command);
  if (number == no_command) return;
  if (const auto command = command_from(number)) platform_.command(*command);
  table_.write(symbols_.command, no_command);
}

void VirtualDevice::step_physics(int cycles) {
  const Eigen::Vector3d before = platform_.body().pose().translation();
  for (int i = 0; i < cycles * steps_per_cycle_; ++i) platform_.step();
  const Eigen::Vector3d after = platform_.body().pose().translation();
  seen_.put({{after.x(), after.y(), after.z()}, (after - before).norm() / (cycles * seconds(setup_.cycle))});
}

std::optional<machines::TrueMotion> VirtualDevice::true_motion() const {
  const auto seen = seen_.get();
  if (!seen) return std::nullopt;
  return machines::TrueMotion{{seen->position.begin(), seen->position.end()}, seen->speed};
}

// `fed`: the EtherCAT bridge delivers, so that what is reported is new.
void VirtualDevice::put_outputs(int cycles, bool fed) {
  const double elapsed = cycles * seconds(setup_.cycle);
  table_.write(symbols_.time, table_.read(symbols_.time) + elapsed);
  table_.write(symbols_.state, static_cast<std::int32_t>(platform_.state()));
  table_.write(symbols_.status, static_cast<std::int32_t>(platform_.status()));
  table_.write(symbols_.mode, static_cast<std::int32_t>(platform_.mode()));
  unfed_ = fed ? Duration{0} : unfed_ + cycles * setup_.cycle;
  table_.write(symbols_.timed_out, static_cast<std::uint8_t>(unfed_ >= feed_timeout));
  if (!fed) return;
  const auto more = static_cast<std::uint32_t>(cycles);  // the counters wrap around
  table_.write(symbols_.rx_counter,
               static_cast<std::int32_t>(static_cast<std::uint32_t>(table_.read(symbols_.rx_counter)) + more));
  table_.write(symbols_.tx_counter,
               static_cast<std::int32_t>(static_cast<std::uint32_t>(table_.read(symbols_.tx_counter)) + more));
  table_.write(symbols_.legs, platform_.body().displacements());
  const PlcPose pose = platform_.pose();
  put_feedback(pose, elapsed);
  table_.write(symbols_.pose, setup_.script == nullptr ? pose : odd(setup_.script->odd_pose, pose));
}

// Velocity and acceleration are differences between cycles, as a PLC that has only positions makes them.
void VirtualDevice::put_feedback(const PlcPose& pose, double elapsed) {
  PlatformFeedback feedback{.position = axes(pose)};
  if (reported_ && elapsed > 0)
    for (std::size_t i = 0; i < 6; ++i) {
      feedback.velocity[i] = (feedback.position[i] - last_.position[i]) / elapsed;
      feedback.acceleration[i] = (feedback.velocity[i] - last_.velocity[i]) / elapsed;
    }
  table_.write(symbols_.feedback, feedback);
  last_ = feedback;
  reported_ = true;
}

}  // namespace

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup) {
  if (setup.cycle < 1ms || setup.cycle > 100ms)
    throw std::invalid_argument(fmt::format("cycle_ms: expected 1 to 100, got {}", 1e3 * seconds(setup.cycle)));
  return std::make_unique<VirtualDevice>(setup);
}

}  // namespace tandem::em1500
