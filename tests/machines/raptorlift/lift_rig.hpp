// A virtual forklift on the plain plant, a fault proxy before it, and the bridge under its supervisor, with a recorder
// that sees every byte the bridge sends and every state it shares.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tandem/machines/raptorlift/machine.hpp"
#include "tandem/machines/raptorlift/virtual_faults.hpp"
#include "tandem/machines/raptorlift/virtual_lift.hpp"
#include "tandem/net/fault_proxy.hpp"
#include "tandem/protocols/modbus/codec.hpp"
#include "tandem/protocols/modbus/framer.hpp"
#include "tandem/runtime/supervisor.hpp"
#include "tests/machines/fault_kit.hpp"

namespace tandem::raptorlift::rig {

constexpr Duration patience = 15s;  // for what must happen; reached only when a test fails

template <typename Condition>
bool eventually(Condition condition, Duration limit = patience) {
  const Instant until = now() + limit;
  while (!condition()) {
    if (now() > until) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}
inline void pass(Duration time) { std::this_thread::sleep_for(time); }

// The bridge's settings in tests: host and sanitizer may be slow, so times are longer than the defaults.
machines::Options options(const std::vector<std::string>& settings = {});
machines::Setup setup_for(const std::string& device, const std::vector<std::string>& settings = {},
                          Clock& clock = system_clock());

// Reads along what the bridge sends, in the bridge's own thread.
class Recorder final : public net::Tap {
 public:
  void passed(net::Direction direction, Bytes bytes, Instant stamp) noexcept override;

  // Whether the bridge may drive now; told by whoever arms it.
  void watch(const runtime::ArmLatch& latch) { latch_ = &latch; }

  std::atomic<std::uint64_t> drives{0};      // commands with a speed, or an enable
  std::atomic<std::uint64_t> violations{0};  // of them: while nobody had armed, for longer than a stop may take
  std::atomic<std::uint64_t> pulses{0};      // of M0
  std::atomic<std::uint64_t> disables{0};    // coils M1 to M4 switched off
  std::atomic<std::uint64_t> zeros{0};       // D0 to D15 all zero
  std::atomic<std::uint64_t> writes{0};      // of D0 to D15
  std::vector<std::string> log() const;      // what was sent, in words; the last thousand without repetitions

 private:
  void note(const modbus::Request& request, Instant stamp);

  const runtime::ArmLatch* latch_ = nullptr;
  modbus::Framer framer_;
  Instant armed_at_{};
  mutable std::mutex mutex_;
  std::vector<std::string> log_;
};

// The machine's own thread around a supervisor, as the runtime has it.
class Link : public Told {  // by events and states
 public:
  Link(const std::string& device, const std::vector<std::string>& settings = {}, Clock& clock = system_clock());
  ~Link();

  void start() {
    thread_ = std::jthread([this](const std::stop_token& stop) { supervisor->run(stop); });
  }
  runtime::LinkStatus status() const { return supervisor->status(); }
  State state() const { return bridge->state(); }
  bool live() const { return status().state == runtime::LinkState::live && status().quality == Quality::live; }
  bool flows(std::uint64_t more = 10);
  bool armed() const { return supervisor->latch().status().state == runtime::ArmState::armed; }
  // Resets, arms, and waits until the motors are on.
  bool arm();
  // A reference every 20 ms until told otherwise.
  void want(double v, double w);
  void want_nothing() { wants_ = false; }

  Recorder recorder;
  Bridge* bridge = nullptr;  // owned by the supervisor
  std::unique_ptr<runtime::Supervisor> supervisor;

 private:
  std::atomic<bool> wants_{false};
  std::atomic<double> v_{0}, w_{0};
  std::jthread driver_, watcher_, thread_;
};

enum class Mode { idle, driving };

struct Rig {
  explicit Rig(Mode mode = Mode::idle, const std::vector<std::string>& settings = {}, Clock& clock = system_clock());

  // Another PLC in the place of the old one, as after a restart.
  void restart_plc();
  void kill_plc();
  double speed() const;  // rad/s, the faster of the two driven wheels
  bool rolls() {
    return eventually([this] { return speed() > 1; });
  }
  bool rests() {
    return eventually([this] { return speed() < 0.1; });
  }

  const Mode mode;
  PlcFaults faults;
  VirtualLiftSetup plc_setup;
  std::unique_ptr<VirtualLift> plc;

 private:
  std::jthread plc_thread_;

 public:
  net::FaultProxy proxy;
  Link link;
};

// One row of the fault table.
struct Row {
  std::function<void(Rig&)> before = {};  // with everything there but the bridge
  std::function<void(Rig&)> strike = {};
  enum class Effect {
    none,    // it goes on driving
    disarm,  // the truck is stopped; the connection may stay
    loss,    // the connection is given up, and the truck is stopped
    either
  } effect = Effect::loss;
  std::vector<std::string_view> shows = {};  // each must be part of a cause that is told
  std::function<void(Rig&)> lift = {};
  std::function<void(Rig&)> after = {};  // once it is live again
  bool idle = true;                      // whether it makes sense on a truck that stands
  std::vector<std::string> settings = {};
};

// Plays it on a truck that is only read and on one that drives, and checks what must always hold: no command leaves
// that nobody armed, the truck comes to rest and stays there until it is armed again, reading comes back by itself,
// descriptors and threads stay.
void play(const Row& row);

}  // namespace tandem::raptorlift::rig
