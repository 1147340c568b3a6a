// SPDX-License-Identifier: Apache-2.0
// A vehicle with no physics in a thread of its own, a fault proxy before it, and the bridge under its supervisor, in
// real time; with a recorder that reads along what the bridge sends.
#pragma once

#include <functional>
#include <mutex>

#include "tandem/net/faults/proxy.hpp"
#include "tests/machines/orca/fake_vehicle.hpp"
#include "tests/machines/rigs/supervised_link.hpp"

namespace tandem::orca::rig {

using kit::eventually;
using kit::pass;

// In the bridge's own thread.
class MotionRecorder final : public net::Tap {
 public:
  void passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept override;
  void watch(const runtime::ArmLatch& latch) { latch_ = &latch; }

  std::atomic<std::uint64_t> motions{0};     // sticks that are not neutral, set points, requests to arm
  std::atomic<std::uint64_t> violations{0};  // of them: while nobody had armed, for longer than a stop may take

 private:
  const runtime::ArmLatch* latch_ = nullptr;
  mavlink::Parser parser_;
  Instant armed_at_{};
};

enum class Line { udp, tcp };

// The vehicle and the way to it.
struct SubLine {
  explicit SubLine(Line line_);

  const Line line;
  std::mutex mutex;
  FakeVehicle vehicle;  // guarded
  net::FaultProxy proxy;
  std::atomic<bool> vehicle_runs{true};

 private:
  std::jthread vehicle_thread_;
};

class SubRig : public SubLine, public kit::SupervisedLink<Machine, MotionRecorder> {
 public:
  explicit SubRig(Line line, const std::vector<std::string>& settings = {});

  // Resets, arms, and waits until the vehicle is steered ahead.
  bool arm();
  bool steered(Duration limit = kit::patience);
  bool rests();
  double value(std::string_view name) const;  // of those that the machine shows; NaN when it does not

 private:
  std::jthread pilot_thread_;
};

struct LineRow {
  std::function<void(SubRig&)> strike;
  enum class Effect { none, disarm } effect = Effect::disarm;
  std::vector<std::string_view> shows = {};  // each must be part of a cause that is told
  std::function<void(SubRig&)> lift = {};
  std::vector<Line> lines = {Line::udp, Line::tcp};
};

// Plays it on a vehicle that is steered, and checks what must always hold: nothing that moves leaves while nobody has
// armed, the vehicle is disarmed and stays so until it is armed again, reading comes back by itself, descriptors and
// threads stay.
void play(const LineRow& row);

}  // namespace tandem::orca::rig
