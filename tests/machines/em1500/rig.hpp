// SPDX-License-Identifier: Apache-2.0
// The EM1500 bridge under its supervisor, a fault proxy, and a PLC whose every pose can be checked.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "tandem/net/faults/proxy.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tests/machines/em1500/virtual/bench_plc.hpp"
#include "tests/machines/rigs/fault_kit.hpp"

namespace tandem::em1500::faults {

constexpr Duration patience = 10s;  // for what must happen; reached only when a test fails

template <typename Condition>
bool eventually(Condition condition, Duration limit = patience) {
  const Instant until = system_clock().now() + limit;
  while (!condition()) {
    if (system_clock().now() > until) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}
inline void pass(Duration time) { std::this_thread::sleep_for(time); }

// Our own UTC, which may jump; the monotonic time does not.
class JumpyClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc() + Duration(ahead.load()); }
  void sleep_until(Instant instant) override { system_clock().sleep_until(instant); }
  std::atomic<Duration::rep> ahead{0};
};

// What the bridge did, seen from between it and its supervisor: every value it published is looked at.
struct Account : Told {
  std::atomic<std::uint64_t> live{0};  // samples published
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> connects{0};
  std::atomic<std::uint64_t> wrong{0};      // published values that are not what the PLC measured
  std::atomic<Duration::rep> oldest{0};     // age of a published value when its bytes were there
  std::atomic<Duration::rep> slowest{0};    // call of connect() or cycle()
  std::atomic<Duration::rep> pause_for{0};  // before the next cycle, once: as if the process were stopped
};

// How close a published pose must be to the PLC's.
struct Oracle {
  Instant epoch;
  bool exact = true;  // false where bits were flipped on the way: then only what the gate can promise
};

std::unique_ptr<machines::Machine> witness(std::unique_ptr<machines::Machine> bridge, const Oracle& oracle,
                                           Account& account);

enum class Mode { idle, streaming };
inline std::string name(Mode mode) { return mode == Mode::idle ? "idle" : "streaming"; }

// The machine's own thread around a supervisor, as the runtime has it.
class SupervisedMachine {
 public:
  SupervisedMachine(const std::string& device, const Oracle& oracle, std::span<const std::string> settings = {},
                    Clock& clock = system_clock());

  void start() {
    thread_ = std::jthread([this](std::stop_token stop) { supervisor.run(stop); });
  }
  bool flows(std::uint64_t more = 10) {
    const std::uint64_t before = account.live;
    return eventually([&] { return account.live >= before + more && status().state == runtime::LinkState::live; });
  }
  runtime::LinkStatus status() const { return supervisor.status(); }
  long events(std::string_view kind) const;
  long events() const;

  Account account;

 private:
  mutable std::mutex mutex_;
  std::vector<runtime::Event> events_;

 public:
  runtime::Supervisor supervisor;

 private:
  std::jthread thread_;
};

struct Rig {
  explicit Rig(Mode mode, bool exact = true, std::vector<std::string> settings = {}, Clock& clock = system_clock());

  // Another PLC in the place of the old one, as after a restart; its symbols as declared.
  void restart(const BenchPlc::Declare& declare = declare_usual);
  void kill_plc();
  bool connected() {
    return eventually([&] { return link.account.connects > 0; });
  }

  const Mode mode;
  const Instant epoch = system_clock().now();
  Wire wire;
  std::unique_ptr<BenchPlc> plc;
  net::FaultProxy proxy;
  SupervisedMachine link;
};

// For faults of samples: on an idle link they come with the first ones.
inline void let_flow(Rig& rig) {
  if (rig.mode == Mode::idle) rig.plc->idle(false);
}

// One row of the fault table.
struct Row {
  std::function<void(Rig&)> before = {};  // with everything there but the bridge
  std::function<void(Rig&)> strike = {};
  enum class Effect {
    none,   // the stream goes on over the same connection
    stale,  // the connection stays, its samples are not passed on
    loss,   // the connection is given up
  } effect = Effect::loss;
  std::vector<std::string_view> shows = {};  // each must be part of a cause that the bridge gives
  std::function<void(Rig&)> lift = {};
  std::function<void(Rig&)> after = {};  // once it is live again
  const char* not_idle = nullptr;        // why this makes no sense on an idle link
  bool exact = true;
  bool beside = false;      // with a healthy machine beside it, which must not notice
  Duration oldest = 250ms;  // of a published value: the stale limit, and what a busy host puts on top
  std::vector<std::string> settings = {};
};

// Plays it on an idle link and on one that streams, and checks what must always hold: no wrong or old value is
// published, nothing is written to the PLC, calls end, descriptors and threads stay, and the link comes back by itself.
void play(const Row& row);

}  // namespace tandem::em1500::faults
