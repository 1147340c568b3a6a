// SPDX-License-Identifier: Apache-2.0
// A device that a file describes as a machine of the runtime: reads its signals, publishes them, and writes its outputs
// while armed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tandem/machines/generic/control/guards.hpp"
#include "tandem/machines/generic/control/writer.hpp"
#include "tandem/machines/generic/device/link.hpp"
#include "tandem/machines/generic/robot/urdf.hpp"
#include "tandem/machines/generic/shared_readings.hpp"
#include "tandem/machines/generic/state.hpp"
#include "tandem/machines/kit/polled_machine.hpp"
#include "tandem/machines/kit/ros/refusals.hpp"

namespace tandem::generic {

class Topics;

// Of Setup::own, an OwnDescription. Throws std::invalid_argument if the device URL or the robot's file is invalid.
std::unique_ptr<machines::Machine> make_machine(const machines::Setup& setup);

// What one scan brought.
struct Sample {
  Instant received{};
  Quality quality = Quality::live;
  ShortText<160> why;
};

class Machine final : public machines::PolledMachine<State, Sample> {
 public:
  Machine(const machines::Setup& setup, std::shared_ptr<const Description> description, std::unique_ptr<Link> link);
  ~Machine() override;

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  bool moves() const override { return !commands_.outputs().empty(); }
  std::string delays() const override { return link_->delays(); }
  std::vector<machines::Value> values() const override;
  std::vector<machines::Metric> metrics() const override;
  machines::Scene scene() const override;
  machines::Picture picture() const override;
  ros2::FullNode* ros_node() override;

  // Where commands for outputs are posted; ROS does, and so may others in this process. From any thread.
  Commands& commands() { return commands_; }

 private:
  void learn_signals();
  Result<Sample> read();
  Result<void> write(const machines::Permit& permit);
  Result<void> write_on_stop(const machines::Permit& permit);
  Result<void> write_outputs(const machines::Permit& permit, Instant now);
  bool holds(const machines::Permit& permit) const;
  void see_latch(const machines::Permit& permit);
  void take_commands(Instant now);
  void refuse(std::string_view why);
  Result<void> send(const machines::Permit& permit, Instant now);
  Result<void> beat();
  void end(std::string why);
  Error lost(Error error);
  void age(Instant now);
  void say_notes();
  void share_readings(bool wait);
  machines::Verdict judge(const Sample& sample) override;
  void observe(const Sample& sample) override;
  void publish(Instant received) override;

  const std::shared_ptr<const Description> description_;
  const std::string name_;
  const std::optional<Urdf> urdf_;  // none: no robot
  Commands commands_;
  Writer writer_;
  Guards guards_;
  std::unique_ptr<Link> link_;
  SignalList signals_;  // null until a link has found them
  Readings readings_;
  SharedReadings shared_readings_;
  std::vector<Written> outcomes_;
  std::vector<std::optional<double>> written_;
  Instant last_judged_{};     // by the guards
  Instant answered_{};        // the newest answer of the device
  bool was_armed_ = false;    // the latch, in the cycle before
  std::uint64_t arms_ = 0;    // of the latch then
  bool armed_ = false;        // as far as outputs go: the link is live, and everything that has to hold does
  Instant armed_since_{};     // commands from before do not count
  bool stoppable_ = false;    // a stop now is one of outputs that were armed
  bool stopping_ = false;     // this machine has just asked for one
  std::uint32_t beat_ = 0;    // the heartbeat's count
  int beats_unanswered_ = 0;  // in a row
  std::optional<machines::SparseLog> refusals_log_;
  std::unique_ptr<Topics> ros_;  // last, as its callbacks use the above; null without ROS
};

}  // namespace tandem::generic
