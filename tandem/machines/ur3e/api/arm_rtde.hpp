// SPDX-License-Identifier: Apache-2.0
// The arm behind a UR controller, real or virtual: one thread that reads samples, keeps the heartbeat and hands
// commands to the control program. It comes back by itself when the controller does; motion never does without reset()
// and arm().
#pragma once

#include <deque>
#include <memory>
#include <thread>

#include "tandem/base/latest.hpp"
#include "tandem/machines/ur3e/api/arm_queue.hpp"
#include "tandem/machines/ur3e/arm.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"
#include "tandem/machines/ur3e/device/link.hpp"
#include "tandem/machines/ur3e/device/program.hpp"
#include "tandem/net/backoff.hpp"

namespace tandem::ur3e {

struct RtdeArmOptions {
  ControllerAddress address;
  double frequency = 500;        // samples, Hz
  script::Timing watchdog;       // the controller's patience with us; a pause of this process that long ends it too
  Duration stale_after = 100ms;  // without a new sample, while armed: a fault
  Duration lost_after = 500ms;   // and the link is set up again
  Duration connect_within = 2s;
  Duration start_within = 3s;  // from the upload of the control program to its first sign of life
  net::Tap* tap = nullptr;
};

// In real time, not by the machine's clock: its deadlines are those of sockets.
class RtdeArm final : public Arm {
 public:
  // Connects, and waits for the first sample.
  static Result<std::unique_ptr<RtdeArm>> open(RtdeArmOptions options, Instant deadline);
  ~RtdeArm() override;

  Result<Ticket> submit(command::Any command, Instant deadline) override;
  Outcome outcome(Ticket ticket) const override { return outcomes_.of(ticket); }
  std::optional<ArmState> state() const override { return state_.get(); }
  ArmStatus status() const override { return status_cell_.get().value_or(ArmStatus{}); }
  Result<void> reset(Instant deadline) override { return request(Control::reset, deadline); }
  Result<void> arm(Instant deadline) override { return request(Control::arm, deadline); }
  Result<void> disarm(Instant deadline) override { return request(Control::disarm, deadline); }

  const RtdeArmOptions& options() const { return options_; }

 private:
  // A command on its way into the registers.
  struct Work {
    Ticket ticket = 0;
    command::Any command;
    std::vector<script::Write> writes;
    std::size_t sent = 0;       // of them
    std::int32_t sequence = 0;  // of the last one sent
  };
  struct Motion {
    Ticket ticket = 0;
    std::int32_t sequence = 0;
    script::Code code = script::Code::none;
    Instant fed{};  // the last target of a stream
  };

  explicit RtdeArm(RtdeArmOptions options);
  Result<Ticket> post(std::variant<command::Any, Control> what, Instant deadline);
  Result<void> request(Control control, Instant deadline);

  // All below belong to the thread of the arm.
  void run(std::stop_token stop);
  Error live(Link& link, std::stop_token stop);
  Result<void> round(Link& link);
  Result<void> take_sample(Link& link, Instant now);
  void check_age(Instant now);
  void check_pause(Instant now);
  void hear_complaints(Link& link);
  void drain(bool connected);
  void pause_before_next(std::stop_token stop, Duration away);

  Result<void> follow_start(Link& link, const std::optional<std::string>& trouble, Instant now);
  Result<void> follow_reports(Link& link, Instant now);
  Result<void> hand_over(Link& link, Instant now);
  Result<void> begin(Link& link, Request request, Instant now);
  Result<void> control(Link& link, Ticket ticket, Control what, Instant now);
  Result<void> start_program(Link& link, Instant now);
  Result<void> send_next(Link& link);
  void accepted(Instant now);
  bool replaces_stream(const Request& request) const;
  Result<void> watch_stream(Link& link, Instant now);

  void latch(const std::string& why);
  void tell_hindrance(const std::string& why);
  void fail_everything();
  void tell();

  RtdeArmOptions options_;
  RequestQueue queue_;
  Outcomes outcomes_;
  Latest<ArmState> state_;
  Latest<ArmStatus> status_cell_;
  net::Descriptor wake_;

  ArmStatus status_;
  std::deque<Request> pending_;
  std::optional<Work> work_;
  std::optional<Motion> motion_;
  std::optional<Ticket> starting_;  // of the request to arm, until the control program runs
  ControlProgram program_;
  bool unexplained_ = false;  // it has latched: a complaint of the controller may still say more
  Instant latched_at_{};
  Gate gate_;
  Instant sampled_{}, fresh_from_{}, beaten_{}, round_{};
  Link* link_ = nullptr;  // while it is live
  net::Backoff backoff_;

  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace tandem::ur3e
