// SPDX-License-Identifier: Apache-2.0
// The UR3e as a machine of the runtime: reads the controller's state, publishes it, and moves the arm while armed.
#pragma once

#include <memory>
#include <optional>

#include "tandem/base/latest.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/ur3e/control/pilot.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"
#include "tandem/machines/ur3e/device/peripherals.hpp"
#include "tandem/machines/ur3e/goals.hpp"
#include "tandem/machines/ur3e/scene.hpp"
#include "tandem/machines/ur3e/state.hpp"

namespace tandem::ur3e {

class Topics;

// For the registry.
const machines::MachineType& machine_type();

class Machine final : public machines::Machine {
 public:
  explicit Machine(const machines::Setup& setup);
  ~Machine() override;

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  Duration period() const override { return period_; }
  bool moves() const override { return true; }
  std::vector<machines::Value> values() const override;
  machines::Scene scene() const override { return make_scene(scene_); }
  machines::Picture picture() const override;
  machines::Picture beside_picture() const override;
  ros2::FullNode* ros_node() override;

  // Called from any thread.
  State state() const { return shared_.get().value_or(State{}); }
  // Where goals are posted; ROS does, and so may others in this process.
  Commands& commands() { return commands_; }

 private:
  Result<machines::Cycle> handle(const ur::RtdeClient::Received& received, const machines::Permit& permit);
  machines::Cycle released(const machines::Cycle& cycle, const machines::Permit& permit);
  machines::Cycle passed_over(Quality quality, std::string_view why, Instant readable);
  machines::Cycle not_live(Quality quality, std::string_view why);
  Result<void> listen();
  void read_state();
  Error lost(Error error);
  void share(Quality quality, std::string_view why);

  Clock& clock_;
  const ControllerAddress address_;
  const double frequency_;  // Hz
  const Duration period_, stale_after_;
  const bool has_hand_;
  net::Tap* const tap_;
  State state_;  // of the machine's thread; others see shared_
  Latest<State> shared_;
  Commands commands_;
  Pilot pilot_;
  std::optional<Link> link_;
  net::TcpSocket abandoned_;  // of a link that was lost
  bool lost_ = false;
  std::optional<Peripherals> side_;  // from the first connect on
  bool silent_ = false;              // no sample came in the last cycle
  Instant cycled_{};                 // when the last cycle ended
  Instant fresh_from_{};             // samples before have waited on the way
  Gate gate_;
  SceneOptions scene_;
  std::unique_ptr<Topics> ros_;  // last: its callbacks use the above; null without ROS
};

}  // namespace tandem::ur3e
