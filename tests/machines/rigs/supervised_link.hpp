// SPDX-License-Identifier: Apache-2.0
// A bridge under its supervisor in a thread of its own, as the runtime has it, with a recorder that reads along. With
// TANDEM_TEST_WORKER=1 in the environment a worker runs its cycles wherever it can.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

#include "tandem/machines/machine.hpp"
#include "tandem/runtime/supervision/worker.hpp"
#include "tests/machines/rigs/fault_kit.hpp"

namespace tandem::kit {

constexpr Duration patience = 20s;  // for what must happen; reached only when a test fails

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

template <typename Bridge, typename Recorder>
class SupervisedLink : public Told {  // by events and states
 public:
  explicit SupervisedLink(machines::Setup setup) {
    setup.tap = &recorder;
    auto owned = std::make_unique<Bridge>(setup);
    bridge = owned.get();
    supervisor = std::make_unique<runtime::Supervisor>(
        setup.name, std::move(owned), *setup.clock,
        [this](const runtime::Event& event) { say(fmt::format("{}: {}", event.kind, event.text)); },
        runtime::SupervisorOptions{.calm_cycles = 3});
    if (std::getenv("TANDEM_TEST_WORKER") != nullptr && supervisor->can_share())
      worker_ = std::make_unique<runtime::Worker>(*setup.clock);
    recorder.watch(latch());
    watcher_ = std::jthread([this](const std::stop_token& stop) {
      for (; !stop.stop_requested(); pass(3ms)) say_causes();
    });
  }

  void start() {
    runtime::Supervisor::Share share;
    if (worker_) {
      worker_thread_ = std::jthread([this](const std::stop_token& stop) { worker_->run(stop); });
      share = [this](const std::stop_token& stop) { worker_->host(*supervisor, stop); };
    }
    thread_ = std::jthread([this, share](const std::stop_token& stop) { supervisor->run(stop, share); });
  }
  // As the program does: waits until the machine has disconnected.
  void end() { thread_ = std::jthread(); }
  runtime::LinkStatus status() const { return supervisor->status(); }
  auto state() const { return bridge->state(); }
  bool live() const { return status().state == runtime::LinkState::live && status().quality == Quality::live; }
  bool flows(std::uint64_t more = 10) {
    const std::uint64_t before = status().samples;
    return eventually([&] { return status().samples >= before + more && live(); });
  }
  runtime::ArmLatch& latch() const { return supervisor->latch(); }
  bool armed() const { return latch().status().state == runtime::ArmState::armed; }
  bool stopped() const { return latch().status().state == runtime::ArmState::stopped; }

  Recorder recorder;
  Bridge* bridge = nullptr;  // owned by the supervisor
  std::unique_ptr<runtime::Supervisor> supervisor;

 protected:
  // Resets, and arms until it has the effect.
  template <typename Effective>
  bool arm_until(Effective effective) {
    latch().reset("test");
    return eventually([&] {
      (void)latch().arm("test");
      return effective();
    });
  }

 private:
  void say_causes() {
    const auto shared = state();
    say(shared.why);
    if constexpr (requires { shared.stopped; }) say(shared.stopped);
    if constexpr (requires { shared.refusal; }) say(shared.refusal);
    say(status().cause);
    say(latch().status().cause);
  }

  std::unique_ptr<runtime::Worker> worker_;  // null: the machine's own thread does all of it
  std::jthread worker_thread_, thread_, watcher_;
};

}  // namespace tandem::kit
