// The link to a UR controller, real or virtual: one thread that reads samples, keeps the heartbeat and hands commands
// to the control program. It comes back by itself when the controller does; motion never does without reset() and
// arm().
#pragma once

#include <deque>
#include <memory>
#include <thread>

#include "tandem/base/latest.hpp"
#include "tandem/machines/ur3e/api/link_queue.hpp"
#include "tandem/machines/ur3e/arm.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"
#include "tandem/machines/ur3e/device/session.hpp"
#include "tandem/net/backoff.hpp"

namespace tandem::ur3e {

struct LinkOptions {
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
class Link final : public Arm {
 public:
  // Connects, and waits for the first sample.
  static Result<std::unique_ptr<Link>> open(LinkOptions options, Instant deadline);
  ~Link() override;

  Result<Ticket> submit(command::Any command, Instant deadline) override;
  Outcome outcome(Ticket ticket) const override { return outcomes_.of(ticket); }
  std::optional<ArmState> state() const override { return state_.get(); }
  ArmStatus status() const override { return status_cell_.get().value_or(ArmStatus{}); }
  Result<void> reset(Instant deadline) override { return request(Control::reset, deadline); }
  Result<void> arm(Instant deadline) override { return request(Control::arm, deadline); }
  Result<void> disarm(Instant deadline) override { return request(Control::disarm, deadline); }

  const LinkOptions& options() const { return options_; }

 private:
  // A command on its way into the registers.
  struct Work {
    Ticket ticket = 0;
    command::Any command;
    std::vector<script::Write> writes;
    std::size_t sent = 0;       // of them
    std::int32_t sequence = 0;  // of the last one sent
    Instant since{};            // that was sent
  };
  struct Motion {
    Ticket ticket = 0;
    std::int32_t sequence = 0;
    script::Code code = script::Code::none;
    Instant fed{};  // the last target of a stream
  };
  struct Start {
    Ticket ticket = 0;
    Instant since{};       // of the request, then of the upload
    Instant next_claim{};  // of the controller's inputs
    bool uploaded = false;
  };

  explicit Link(LinkOptions options);
  Result<Ticket> post(std::variant<command::Any, Control> what, Instant deadline);
  Result<void> request(Control control, Instant deadline);

  // All below belong to the link's thread.
  void run(std::stop_token stop);
  Error live(LinkSession& session, std::stop_token stop);
  Result<void> round(LinkSession& session);
  Result<void> take_sample(LinkSession& session, Instant now);
  void check_age(Instant now);
  void check_pause(Instant now);
  void hear_complaints(LinkSession& session);
  void drain(bool connected);
  void pause_before_next(std::stop_token stop, Duration away);

  Result<void> follow_reports(LinkSession& session, Instant now);
  Result<void> hand_over(LinkSession& session, Instant now);
  Result<void> begin(LinkSession& session, Request request, Instant now);
  Result<void> control(LinkSession& session, Ticket ticket, Control what, Instant now);
  Result<void> start_program(LinkSession& session, Instant now);
  Result<void> send_next(LinkSession& session, Instant now);
  void accepted(Instant now);
  bool replaces_stream(const Request& request) const;
  Result<void> watch_stream(LinkSession& session, Instant now);
  Result<void> watch_answers(Instant now);
  // Ours runs on the controller, or has been uploaded.
  bool has_program() const { return status_.armed || (starting_ && starting_->uploaded); }
  void end_program(LinkSession& session);

  void latch(const std::string& why);
  void tell_hindrance(const std::string& why);
  void fail_everything();
  void tell();

  LinkOptions options_;
  RequestQueue queue_;
  Outcomes outcomes_;
  Latest<ArmState> state_;
  Latest<ArmStatus> status_cell_;
  net::Descriptor wake_;

  ArmStatus status_;
  std::deque<Request> pending_;
  std::optional<Work> work_;
  std::optional<Motion> motion_;
  std::optional<Start> starting_;
  std::int32_t sequence_ = 0;
  std::int32_t identity_ = 0;
  bool unexplained_ = false;  // it has latched: a complaint of the controller may still say more
  Instant latched_at_{};
  std::optional<Believed> believed_;
  Instant sampled_{}, fresh_from_{}, beaten_{}, round_{};
  LinkSession* session_ = nullptr;  // while it is live
  net::Backoff backoff_;

  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace tandem::ur3e
