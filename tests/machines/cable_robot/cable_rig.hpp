// The virtual winches with their robot, a fault proxy before them, and the bridge under its supervisor, with a recorder
// that sees every byte the bridge sends and every state it shares.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tandem/machines/cable_robot/machine.hpp"
#include "tandem/machines/cable_robot/virtual_faults.hpp"
#include "tandem/machines/cable_robot/virtual_robot.hpp"
#include "tandem/net/fault_proxy.hpp"
#include "tandem/protocols/modbus/codec.hpp"
#include "tandem/protocols/modbus/framer.hpp"
#include "tandem/runtime/supervisor.hpp"
#include "tests/machines/fault_kit.hpp"

namespace tandem::cable_robot::rig {

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
std::uint16_t port_of(const std::string& url);

// Reads along what the bridge sends, in the bridge's own thread.
class Recorder final : public net::Tap {
 public:
  void passed(net::Direction direction, Bytes bytes, Instant stamp) noexcept override;

  // Whether the bridge may move now; told by whoever arms it.
  void watch(const runtime::ArmLatch& latch) { latch_ = &latch; }

  std::atomic<std::uint64_t> moves{0};       // commands that enable a winch in a mode that moves
  std::atomic<std::uint64_t> violations{0};  // of them: while nobody had armed, for longer than a stop may take
  std::atomic<std::uint64_t> enables{0};     // commands that enable a winch
  std::atomic<std::uint64_t> disables{0};    // commands that enable none
  std::atomic<std::uint64_t> pulses{0};      // of the reset coil
  std::atomic<std::uint64_t> limits{0};      // that were written
  std::atomic<double> widest_step{0};        // m, of a commanded length from one command to the next
  std::vector<std::string> log() const;      // what was sent, in words; the first hundred without repetitions

 private:
  void note(const modbus::Request& request, Instant stamp);
  void note_command(std::span<const std::uint16_t> words, Instant stamp);

  const runtime::ArmLatch* latch_ = nullptr;
  modbus::Framer framer_;
  Instant armed_at_{};
  std::vector<double> lengths_;  // of the last command that moves; empty after another one
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
  bool armed() const { return latch().status().state == runtime::ArmState::armed; }
  bool stopped() const { return latch().status().state == runtime::ArmState::stopped; }
  runtime::ArmLatch& latch() const { return supervisor->latch(); }
  // Resets, arms, and waits until the robot is under control.
  bool arm();
  // Where the platform shall be, level.
  void want(double x, double y, double z);

  Recorder recorder;
  Bridge* bridge = nullptr;  // owned by the supervisor
  std::unique_ptr<runtime::Supervisor> supervisor;

 private:
  std::jthread watcher_, thread_;
};

enum class Mode { idle, moving };

struct Rig {
  explicit Rig(Mode mode = Mode::idle, const std::vector<std::string>& settings = {}, Clock& clock = system_clock());

  // Other winches in the place of the old ones, as after a restart.
  void restart_winches();
  void kill_winches();
  Eigen::Vector3d place() const;  // m, where the platform really is
  double speed() const;           // m/s, how fast it really is
  bool moves();
  bool rests();

  const Mode mode;
  WinchFaults faults;
  VirtualRobotSetup winch_setup;
  std::unique_ptr<VirtualRobot> winches;

 private:
  std::jthread winch_thread_;

 public:
  net::FaultProxy proxy;
  Link link;
};

// One row of the fault table.
struct Row {
  std::function<void(Rig&)> before = {};  // with everything there but the bridge
  std::function<void(Rig&)> strike = {};
  enum class Effect {
    none,    // it goes on moving
    disarm,  // the platform is stopped; the connection may stay
    stop,    // the same, latched
    loss,    // the connection is given up, and the platform is stopped
    either
  } effect = Effect::loss;
  std::vector<std::string_view> shows = {};  // each must be part of a cause that is told
  std::function<void(Rig&)> lift = {};
  std::function<void(Rig&)> after = {};  // once it is live again
  bool idle = true;                      // whether it makes sense on a robot at rest
  bool again = true;                     // it can be armed again once the fault is lifted
  std::vector<std::string> settings = {};
};

// Plays it on a robot that is only read and on one that moves, and checks what must always hold: no command leaves that
// nobody armed, commanded lengths never jump, the platform comes to rest and stays there until it is armed again,
// reading comes back by itself, descriptors and threads stay.
void play(const Row& row);

}  // namespace tandem::cable_robot::rig
