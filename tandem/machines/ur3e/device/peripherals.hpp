// SPDX-License-Identifier: Apache-2.0
// What is asked and answered beside the cycle: the gripper's socket, the dashboard and the speed slider. A thread of
// its own, because each of them may take its time and a cycle may not.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/base/thread.hpp"
#include "tandem/machines/ur3e/device/link.hpp"
#include "tandem/machines/ur3e/state.hpp"
#include "tandem/protocols/ur/dashboard/client.hpp"
#include "tandem/protocols/ur/gripper/client.hpp"

namespace tandem::ur3e {

// In real time, not by the machine's clock: its deadlines are those of sockets.
class Peripherals {
 public:
  using Answer = std::function<void(Result<std::string>)>;  // in the side's thread

  Peripherals(const ControllerAddress& address, bool has_hand, net::Tap* tap);
  ~Peripherals();

  // Any thread.
  HandState hand() const { return hand_.get().value_or(HandState{}); }
  // False: too much waits already, and there will be no answer.
  bool dashboard(ur::dashboard::Command command, Answer answer);
  bool speed_slider(double fraction, Answer answer);  // 0 to 1

  // The machine's thread, when armed; the newest counts. Activates the gripper first where that is needed.
  void move_hand(int position, int speed, int force);
  // At any time: the fingers stay where they are, and nothing waits to be done.
  void halt_hand();

 private:
  struct HandCommand {
    bool halt = true;
    int position = 0, speed = 255, force = 50;  // 0 to 255
  };
  using Job = std::function<void()>;

  void run(const std::stop_token& stop);
  bool post(Job job);
  void do_jobs(const std::stop_token& stop);
  void serve_hand(Instant now);
  Result<void> converse(Instant now);
  Result<std::string> ask_dashboard(const ur::dashboard::Command& command) const;
  Result<std::string> slide(double fraction) const;

  const ControllerAddress address_;
  const bool has_hand_;
  net::Tap* const tap_;
  Latest<HandState> hand_;
  Mailbox<HandCommand> hand_commands_;

  // Of the side's thread.
  std::optional<ur::gripper::Client> gripper_;
  std::optional<HandCommand> wanted_;  // not yet handed to the gripper
  bool activating_ = false;
  std::uint32_t moves_ = 0;
  Instant moved_at_{};
  Instant next_look_{}, next_attempt_{};

  std::mutex mutex_;
  std::condition_variable_any signal_;
  std::deque<Job> jobs_;  // guarded
  Thread thread_;         // last: it uses all of the above
};

}  // namespace tandem::ur3e
