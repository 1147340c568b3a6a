// SPDX-License-Identifier: Apache-2.0
// The UR3e machine under its supervisor, two fault proxies between it and a virtual controller, and an eye on the
// controller itself that sees what the arm really does.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tandem/machines/ur3e/control/machine.hpp"
#include "tandem/machines/ur3e/virtual/device.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tests/deadline.hpp"
#include "tests/machines/rigs/fault_kit.hpp"
#include "tests/machines/ur3e/device/rtde_capture.hpp"

namespace tandem::ur3e::faults {

template <typename Condition>
bool eventually(Condition condition, Duration limit = 20s) {
  for (const Instant end = soon(limit); now() < end; std::this_thread::sleep_for(3ms))
    if (condition()) return true;
  return condition();
}
inline void pass(Duration time) { std::this_thread::sleep_for(time); }

inline net::Endpoint loopback_port(std::uint16_t port) { return {0x7f000001, port}; }

constexpr double no_motion = 2e-3;  // rad: noise

// What the controller shows to somebody on a sound line.
struct Seen {
  double stamp = 0;  // the controller's time, s
  Six q{}, qd{};
  std::int32_t sequence = 0;  // of the last command in its registers
  double fastest() const;     // rad/s, of all joints
};

// A client of the controller beside the machine.
class Eye {
 public:
  explicit Eye(std::uint16_t port) : port_(port) {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  void look_at(std::uint16_t port) { port_ = port; }
  Seen seen() const { return seen_.get().value_or(Seen{}); }

 private:
  void run(const std::stop_token& stop);
  void watch(std::uint16_t port, const std::stop_token& stop);

  std::atomic<std::uint16_t> port_;
  Latest<Seen> seen_;
  std::jthread thread_;
};

// How long this host holds a thread up that has nothing to do with the machine: it sleeps for a millisecond at a time
// and keeps by how much the longest sleep was too long.
class HoldUp {
 public:
  HoldUp() : thread_([this](const std::stop_token& stop) { run(stop); }) {}
  Duration longest() const { return Duration(longest_.load()); }
  void forget() { longest_ = 0; }

 private:
  void run(const std::stop_token& stop);

  std::atomic<Duration::rep> longest_{0};
  std::jthread thread_;
};

// What the machine said and showed, looked at between it and its supervisor.
struct Account : Told {
  std::atomic<std::uint64_t> live{0};       // samples shown
  std::atomic<std::uint64_t> wrong{0};      // of them far from what the eye sees, or older than the one before
  std::atomic<double> oldest{0};            // s, of a sample when it was shown, by the controller's time
  std::atomic<Duration::rep> slowest{0};    // call of connect() or cycle()
  std::atomic<Duration::rep> pause_for{0};  // before the next cycle, once: as if the process were stopped
};

enum class Mode { idle, moving };

struct Rig {
  // The machine's device is the controller behind the proxies, unless another is named.
  explicit Rig(Mode mode, double cycle_hz = 12.5, Clock& clock = system_clock(), const std::string& device = "");
  ~Rig();

  void start();
  // Another controller in the place of the old one, as after it lost its power.
  void kill_controller();
  void restart_controller();

  runtime::LinkStatus status() const { return supervisor->status(); }
  bool live() const { return status().state == runtime::LinkState::live; }
  bool armed() const { return supervisor->latch().status().state == runtime::ArmState::armed; }
  std::string cause() const { return std::string(supervisor->latch().status().cause.view()); }
  bool flows(std::uint64_t more = 5);
  // Resets, arms, sees that nothing of the past is done again, swings the base and waits until the arm moves; tries
  // again when the host was slow.
  bool swing();
  bool moves();
  bool stands();
  long events(std::string_view kind) const;
  long events() const;

  void both(const std::function<void(net::FaultProxy&)>& what) { what(rtde), what(primary); }

  const Mode mode;
  PendantScript pendant;
  std::unique_ptr<VirtualDevice> controller;
  std::jthread controller_thread;
  net::FaultProxy rtde, primary;
  Eye eye;
  Capture capture;
  Account account;
  Machine* bridge = nullptr;
  std::unique_ptr<runtime::Supervisor> supervisor;
  std::atomic<int> given_up{0};  // swings that ended before their time

 private:
  void post_swing();

  mutable std::mutex mutex_;
  std::vector<runtime::Event> events_;
  std::jthread machine_thread_;
};

inline net::Faults to_client(const net::PathFaults& faults) { return {{}, faults}; }
inline net::Faults to_device(const net::PathFaults& faults) { return {faults, {}}; }
inline void clear(Rig& rig) {
  rig.both([](net::FaultProxy& proxy) { proxy.clear(); });
}

struct Row {
  std::function<void(Rig&)> before = {};  // with everything there but the machine
  std::function<void(Rig&)> strike = {};
  enum class Effect {
    none,   // samples go on over the same connection, and so does the motion
    stale,  // the connection stays, its samples are not passed on, the arm is disarmed
    loss,   // the connection is given up, the arm is disarmed
    stop,   // the link stays live, the arm is disarmed
    chance  // none or loss, as `instead` explains: armed only on the connection on which it was armed
  } effect = Effect::loss;
  std::vector<std::string_view> shows = {};  // each must be part of a cause that is told, in both modes
  std::string_view disarms = {};             // part of the cause of the disarming
  std::function<void(Rig&)> lift = {};
  const char* only_moving = nullptr;  // why this makes sense only on an arm that moves
  const char* instead = nullptr;      // of a row by chance: why, and what is checked instead of one outcome
  double cycle_hz = 12.5;
  double oldest = 0.35;  // s, of a sample that is shown: the stale limit of 0.24, and what a busy host puts on top
};

// Plays it on an arm that is only read and on one that moves. Always holds: no wrong or old sample is shown, calls end,
// descriptors and threads stay, the link comes back by itself; motion does not: the arm stands, and no command reaches
// the controller until reset and arm.
void play(const Row& row);

}  // namespace tandem::ur3e::faults
