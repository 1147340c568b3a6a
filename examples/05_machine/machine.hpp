// SPDX-License-Identifier: Apache-2.0
// The gantry as a machine of Tandem: reads it, publishes it, and moves it while it is armed.
#pragma once

#include "gate.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/machines/kit/modbus_link.hpp"
#include "tandem/ros2/full_node.hpp"

namespace gantry {

using namespace tandem;

struct Command {
  Axes velocity{};  // m/s
  Instant at{};     // when it was received
};

class Topics;  // its node on ROS

class Gantry final : public machines::Machine {
 public:
  explicit Gantry(const machines::Setup& setup);
  ~Gantry() override;

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  Duration period() const override { return period_; }
  bool moves() const override { return true; }
  std::vector<machines::Value> values() const override;
  machines::Scene scene() const override;
  machines::Picture picture() const override;
  ros2::FullNode* ros_node() override;

  void post(const Command& command) { commands_.post(command); }  // any thread; finite

 private:
  Axes wanted(Instant now) const;
  Result<void> write(bool enabled, const Axes& velocity);

  Clock& clock_;
  net::Tap* tap_;
  modbus::Peer peer_;
  Duration period_, command_timeout_;
  bool circles_;  // the task of the demo
  std::optional<modbus::Client> client_;
  Gate gate_;
  Feedback feedback_;
  Mailbox<Command> commands_;
  std::optional<Command> command_;
  std::optional<Instant> driving_;  // since when we have enabled the drives
  double turn_ = 0;                 // of our commands
  Instant next_{};
  Latest<Feedback> shown_;
  std::unique_ptr<Topics> topics_;
};

const machines::MachineType& machine_type();
std::unique_ptr<machines::VirtualDevice> make_virtual(const machines::VirtualSetup& setup);

}  // namespace gantry
