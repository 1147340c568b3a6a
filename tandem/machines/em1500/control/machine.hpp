// SPDX-License-Identifier: Apache-2.0
// The EM1500 bridge: reads the platform's pose from its PLC, solves the legs, publishes them.
#pragma once

#include <array>
#include <optional>

#include "tandem/base/latest.hpp"
#include "tandem/machines/em1500/control/reference.hpp"
#include "tandem/machines/em1500/device/gate.hpp"
#include "tandem/machines/em1500/device/link.hpp"
#include "tandem/machines/em1500/pose_map.hpp"
#include "tandem/machines/em1500/ros/topics.hpp"
#include "tandem/machines/em1500/state.hpp"
#include "tandem/machines/kit/lines.hpp"
#include "tandem/machines/kit/ros/refusals.hpp"
#include "tandem/machines/machine.hpp"

namespace tandem::em1500 {

// For the registry.
const machines::MachineType& machine_type();

class Machine final : public machines::Machine, public machines::Speaks, public machines::PrintsPose {
 public:
  explicit Machine(const machines::Setup& setup);

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  Duration period() const override { return period_; }
  std::vector<machines::Value> values() const override;
  machines::Scene scene() const override;
  machines::Picture picture() const override;
  machines::Lines& lines() override { return lines_; }
  std::string printed_pose() const override;
  ros2::FullNode* ros_node() override { return topics_ ? &topics_->node() : nullptr; }

 private:
  machines::Cycle handle(const PlcSample& sample);
  Result<machines::Cycle> silent();
  Result<machines::Cycle> silent_reads(double waited);
  machines::Cycle idle(ads::AdsState state);
  machines::Cycle stale(std::string why);
  Error lost(Error error);
  void reject(std::string_view why);
  void solve(const PlcSample& sample);
  void share(Quality quality, std::string_view why);

  Clock& clock_;
  Duration period_;
  Duration stale_after_;
  PoseMap map_;
  Reference reference_;
  Gate gate_;
  Link link_;
  State state_;  // of the machine's thread; others see shared_
  Pose X_base_top_ = Pose::Identity();
  Instant next_condition_{};
  std::array<Instant, 3> losses_{};  // last times the PLC closed a link that was live
  bool live_ = false;                // since the last connect
  bool silent_ = false;              // no sample came in the last cycle
  bool heard_ = false;               // a sample, also and since the PLC's program last changed
  std::uint64_t changes_ = 0;        // of that program
  std::uint64_t packets_ = 0;        // of the PLC, when no sample came last
  Latest<State> shared_;
  machines::Lines lines_;
  std::optional<Topics> topics_;                     // behind shared_: its diagnostics look at it
  std::optional<machines::SparseLog> rejected_log_;  // behind topics_, whose node it writes to
};

}  // namespace tandem::em1500
