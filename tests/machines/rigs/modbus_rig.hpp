// SPDX-License-Identifier: Apache-2.0
// A virtual device on Modbus, a fault proxy before it, and its bridge under a supervisor, with a recorder that sees
// every byte the bridge sends; and how a row of a fault table is played on them.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/net/faults/proxy.hpp"
#include "tandem/protocols/modbus/codec.hpp"
#include "tandem/protocols/modbus/framer.hpp"
#include "tests/machines/rigs/supervised_link.hpp"

namespace tandem::kit {

std::uint16_t port_of(const std::string& url);
net::Endpoint endpoint_of(const std::string& url);  // on this host
net::FaultProxy proxy_to(const std::string& url);

// Reads along what the bridge sends, in the bridge's own thread.
class ModbusRecorder : public net::Tap {
 public:
  // How long from the end of a permit to the last command, on a busy host.
  explicit ModbusRecorder(Duration stop_grace) : stop_grace_(stop_grace) {}

  void passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept final;
  // Whether the bridge may move now; told by whoever arms it.
  void watch(const runtime::ArmLatch& latch) { latch_ = &latch; }

  std::atomic<std::uint64_t> motions{0};     // requests that move the machine
  std::atomic<std::uint64_t> violations{0};  // of them: while nobody had armed, for longer than a stop may take
  std::vector<std::string> log() const;      // what was sent, in words; the first thousand without repetitions

 private:
  // Counts what there is to count, and tells whether it moves the machine.
  virtual bool note(const modbus::Request& request) = 0;
  void take(const modbus::Request& request, Instant stamp);

  const Duration stop_grace_;
  const runtime::ArmLatch* latch_ = nullptr;
  modbus::Framer framer_;
  Instant armed_at_{};
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
};

enum class Mode { idle, moving };

// What a machine adds: its Device with DeviceSetup and Faults, its SupervisedMachine, and
//   rest_speed, moving_speed                  below the one it is at rest, above the other it moves
//   feedback_bytes                            of an answer with all feedback
//   device_setup(faults), make(device_setup)
//   speed(device)                             how fast it really is
//   settings(mode, settings)                  of the bridge
//   urge(link)                                wants it to move
//   check(recorder), silent(recorder)         what must hold after every row; nothing was commanded
template <typename Machine>
struct ModbusRig {
  explicit ModbusRig(Mode mode_ = Mode::idle, const std::vector<std::string>& settings = {},
                     Clock& clock = system_clock())
      : mode(mode_),
        device_setup(Machine::device_setup(faults)),
        device(Machine::make(device_setup)),
        device_thread_(running()),
        proxy(proxy_to(device->url())),
        link(fmt::format("modbus://{}", proxy.endpoint().text()), Machine::settings(mode_, settings), clock) {}

  void kill_device() {
    device_thread_.request_stop();
    device_thread_.join();
    device.reset();
  }
  // Another device in the place of the old one, as after a restart.
  void restart_device() {
    if (device) kill_device();
    device = Machine::make(device_setup);
    device_thread_ = running();
    proxy.redirect(endpoint_of(device->url()));
  }
  double speed() const { return device ? Machine::speed(*device) : 0; }
  bool moves() {
    return eventually([this] { return speed() > Machine::moving_speed; });
  }
  // For a while, as a path stands still for a moment where it turns.
  bool rests() {
    return eventually([this] {
      for (int i = 0; i < 20; ++i) {
        if (speed() > Machine::rest_speed) return false;
        pass(5ms);
      }
      return true;
    });
  }

  using Traits = Machine;
  const Mode mode;
  typename Machine::Faults faults;
  typename Machine::DeviceSetup device_setup;
  std::unique_ptr<typename Machine::Device> device;

 private:
  std::jthread running() {
    return std::jthread([this](const std::stop_token& stop) { device->run(stop); });
  }
  std::jthread device_thread_;

 public:
  net::FaultProxy proxy;
  typename Machine::SupervisedMachine link;
};

// One row of the fault table.
template <typename Rig>
struct ModbusRow {
  std::function<void(Rig&)> before = {};  // with everything there but the bridge
  std::function<void(Rig&)> strike = {};
  enum class Effect {
    none,    // it goes on moving
    disarm,  // the machine is stopped; the connection may stay
    stop,    // the same, latched
    loss     // the connection is given up, and the machine is stopped
  } effect = Effect::loss;
  std::vector<std::string_view> shows = {};  // each must be part of a cause that is told
  std::function<void(Rig&)> lift = {};
  std::function<void(Rig&)> after = {};  // once it is live again
  bool idle = true;                      // whether it makes sense on a machine at rest
  std::vector<std::string> settings = {};
};

template <typename Rig>
void expect_effect(const ModbusRow<Rig>& row, Rig& rig) {
  using Effect = typename ModbusRow<Rig>::Effect;
  for (const std::string_view part : row.shows) {
    const bool said = eventually([&] { return rig.link.said(part); });
    CHECK_MESSAGE(said, "expected a cause with '" << part << "', got:" << rig.link.all());
  }
  if (rig.mode == Mode::idle) return;
  if (row.effect == Effect::none) {
    CHECK_MESSAGE(rig.link.flows(20), rig.link.all());
    CHECK_MESSAGE(rig.link.armed(), rig.link.all());
    CHECK_MESSAGE(rig.moves(), rig.link.all());
    return;
  }
  CHECK_MESSAGE(eventually([&] { return !rig.link.armed(); }), rig.link.all());
  if (row.effect == Effect::stop) CHECK_MESSAGE(rig.link.stopped(), rig.link.all());
  CHECK_MESSAGE(rig.rests(), rig.link.all());
}

// Once more live: nothing moves by itself, and everything does when told.
template <typename Rig>
void expect_return(const ModbusRow<Rig>& row, Rig& rig, std::uint64_t connects) {
  using Effect = typename ModbusRow<Rig>::Effect;
  CHECK_MESSAGE(rig.link.flows(), "not live again: " << rig.link.status().cause.view() << rig.link.all());
  if (row.effect == Effect::loss && !row.before) CHECK(rig.link.status().connects > connects);
  if (row.after) row.after(rig);
  if (rig.mode == Mode::idle || row.effect == Effect::none) return;
  CHECK_MESSAGE(rig.rests(), rig.link.all());
  pass(200ms);
  CHECK_MESSAGE(rig.speed() < Rig::Traits::rest_speed, rig.link.all());
  CHECK_FALSE(rig.link.armed());
  CHECK_MESSAGE(rig.link.arm(), rig.link.all());
  CHECK_MESSAGE(rig.moves(), rig.link.all());
}

template <typename Rig>
void play_in(const ModbusRow<Rig>& row, Mode mode) {
  const std::string mode_name = mode == Mode::idle ? "idle" : "moving";
  CAPTURE(mode_name);
  Rig rig(mode, row.settings);
  if (row.before) row.before(rig);
  rig.link.start();
  if (!row.before) REQUIRE_MESSAGE(rig.link.flows(), rig.link.all());
  if (mode == Mode::moving) Rig::Traits::urge(rig.link);
  if (mode == Mode::moving && !row.before) {
    REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
    REQUIRE_MESSAGE(rig.moves(), rig.link.all());
  }
  const std::size_t descriptors = open_descriptors(), before_threads = running_threads();
  const std::uint64_t connects = rig.link.status().connects;
  rig.link.forget();
  if (row.strike) row.strike(rig);
  expect_effect(row, rig);
  if (row.lift) row.lift(rig);
  expect_return(row, rig, connects);
  const auto& recorder = rig.link.recorder;
  CHECK_MESSAGE(recorder.violations == 0, fmt::format("{}", fmt::join(recorder.log(), "; ")));
  Rig::Traits::check(recorder);
  CHECK(rig.link.status().state != runtime::LinkState::faulted);
  if (mode == Mode::idle)
    CHECK_MESSAGE(Rig::Traits::silent(recorder), fmt::format("{}", fmt::join(recorder.log(), "; ")));
  CHECK(open_descriptors() <= descriptors + 8);
  CHECK(running_threads() <= before_threads);
}

// Plays it on a machine that is only read and on one that moves, and checks what must always hold: no command leaves
// that nobody armed, the machine comes to rest and stays there until it is armed again, reading comes back by itself,
// descriptors and threads stay.
template <typename Rig>
void play_on(const ModbusRow<Rig>& row) {
  if (row.idle) play_in(row, Mode::idle);
  play_in(row, Mode::moving);
}

}  // namespace tandem::kit
