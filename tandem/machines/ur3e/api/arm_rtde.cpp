// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/api/arm_rtde.hpp"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "tandem/machines/ur3e/device/gate.hpp"

namespace tandem::ur3e {
namespace {

constexpr Duration beat_every = 4ms;
constexpr Duration read_within = 20ms;
constexpr Duration look_for_outcome = 1ms;  // of those who wait for an outcome
constexpr Duration explain_within = 500ms;

}  // namespace

RtdeArm::RtdeArm(RtdeArmOptions options)
    : options_(std::move(options)),
      wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      program_(options_.watchdog, options_.start_within) {
  status_.why = "not connected yet";
  tell();
}

RtdeArm::~RtdeArm() {
  thread_.request_stop();
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto woken = ::write(wake_.get(), &one, sizeof one);
}

Result<std::unique_ptr<RtdeArm>> RtdeArm::open(RtdeArmOptions options, Instant deadline) {
  std::unique_ptr<RtdeArm> link(new RtdeArm(std::move(options)));
  link->thread_ = std::jthread([raw = link.get()](std::stop_token stop) { raw->run(stop); });
  while (!link->status().live) {
    if (now() >= deadline)
      return Error{Fault::timeout, fmt::format("{}: no sample from the controller: {}", link->options_.address.host,
                                               link->status().why.view())};
    system_clock().sleep_until(now() + look_for_outcome);
  }
  return link;
}

Result<Ticket> RtdeArm::post(std::variant<command::Any, Control> what, Instant deadline) {
  Request request{outcomes_.next(), now(), std::move(what)};
  const Ticket ticket = request.ticket;
  outcomes_.put(ticket, Outcome::waiting);
  while (!queue_.post(request)) {
    if (now() >= deadline) return Error{Fault::busy, "the command queue stayed full until the deadline"};
    system_clock().sleep_until(now() + look_for_outcome);
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto woken = ::write(wake_.get(), &one, sizeof one);
  return ticket;
}

Result<Ticket> RtdeArm::submit(command::Any command, Instant deadline) {
  if (auto meant = command::check(command); !meant) return std::move(meant).error();
  if (const ArmStatus seen = status(); !seen.armed)
    return Error{Fault::refused, fmt::format("{}: not armed: {}", command::name(command), seen.why.view())};
  return post(std::move(command), deadline);
}

Result<void> RtdeArm::request(Control control, Instant deadline) {
  auto ticket = post(control, deadline);
  if (!ticket) return std::move(ticket).error();
  while (true) {
    const Outcome seen = outcome(*ticket);
    if (seen == Outcome::done) return {};
    if (is_over(seen)) return Error{Fault::refused, std::string(status().why.view())};
    if (now() >= deadline)
      return Error{Fault::timeout, fmt::format("no answer from the link: {}", status().why.view())};
    system_clock().sleep_until(now() + look_for_outcome);
  }
}

void RtdeArm::tell() { status_cell_.put(status_); }

void RtdeArm::fail_everything() {
  if (work_) outcomes_.put(work_->ticket, Outcome::failed);
  if (motion_ && !is_over(outcomes_.of(motion_->ticket))) outcomes_.put(motion_->ticket, Outcome::failed);
  if (starting_) outcomes_.put(*starting_, Outcome::failed);
  for (const Request& request : pending_) outcomes_.put(request.ticket, Outcome::failed);
  work_.reset();
  motion_.reset();
  starting_.reset();
  pending_.clear();
}

void RtdeArm::latch(const std::string& why) {
  const bool was_armed = status_.armed || starting_;
  status_.armed = false;
  // The first cause stays until reset(): what follows from it explains less.
  if (was_armed || !status_.faulted) status_.why = why;
  if (was_armed) {
    status_.faulted = true;
    ++status_.faults;
    latched_at_ = now();
  }
  tell();
  fail_everything();
  if (link_ != nullptr) {
    program_.end(*link_);
  } else {
    program_.forget();
  }
}

void RtdeArm::run(std::stop_token stop) {
  Instant away_since = now();
  net::TcpSocket abandoned;  // of a link that was lost
  while (!stop.stop_requested()) {
    auto link = Link::connect(options_.address, options_.frequency, options_.tap, now() + options_.connect_within);
    Error lost;
    if (link) {
      abandoned.reset();
      link_ = &*link;
      lost = live(*link, stop);
      link_ = nullptr;
      if (!stop.stop_requested()) abandoned = link->abandon();
      if (status_.live) {
        away_since = now();
        backoff_.reset();
      }
    } else {
      lost = std::move(link).error();
    }
    status_.live = false;
    latch(lost.text);
    drain(false);
    if (!stop.stop_requested()) pause_before_next(stop, now() - away_since);
  }
}

void RtdeArm::pause_before_next(std::stop_token stop, Duration away) {
  const Instant until = now() + backoff_.next(away);
  while (!stop.stop_requested() && now() < until) {
    drain(false);
    system_clock().sleep_until(std::min(until, now() + 10ms));
  }
}

void RtdeArm::drain(bool connected) {
  while (auto request = queue_.take()) {
    if (connected) {
      pending_.push_back(std::move(*request));
    } else {
      outcomes_.put(request->ticket, Outcome::failed);
    }
  }
}

Error RtdeArm::live(Link& link, std::stop_token stop) {
  sampled_ = round_ = now();
  while (!stop.stop_requested()) {
    if (auto done = round(link); !done) return std::move(done).error();
    if (now() - sampled_ > options_.lost_after)
      return {Fault::timeout,
              fmt::format("no new sample from the controller for {} ms", milliseconds(now() - sampled_))};
  }
  program_.end(link);
  return {Fault::closed, "closed"};
}

Result<void> RtdeArm::round(Link& link) {
  std::array<net::Watch, 3> watches{net::Watch{.fd = link.rtde_fd()}, net::Watch{.fd = link.primary_fd()},
                                    net::Watch{.fd = wake_.get()}};
  if (auto ready = net::wait(watches, std::max(now(), beaten_ + beat_every)); !ready) return std::move(ready).error();
  check_pause(now());
  check_age(now());  // before a sample that ends the silence is taken
  if (watches[2].ready_read) {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto read = ::read(wake_.get(), &count, sizeof count);
  }
  if (watches[0].ready_read)
    if (auto taken = take_sample(link, now()); !taken) return taken;
  if (watches[1].ready_read) {
    if (auto heard = link.read_primary(now() + read_within); !heard) return heard;
    hear_complaints(link);
  }
  drain(true);
  if (auto handed = hand_over(link, now()); !handed) return handed;
  if (auto fed = watch_stream(link, now()); !fed) return fed;
  if (now() >= beaten_ + beat_every) {
    beaten_ = now();
    if (auto beaten = program_.beat(link); !beaten) return beaten;
  }
  return {};
}

// A process that was paused has missed what happened: the arm may be anywhere, and old commands are no longer meant.
void RtdeArm::check_pause(Instant at) {
  const Duration gap = at - std::exchange(round_, at);
  if (status_.armed && gap > options_.watchdog.other)
    latch(fmt::format("this process was paused for {} ms: the controller stops the arm by itself after {} ms",
                      milliseconds(gap), milliseconds(options_.watchdog.other)));
}

void RtdeArm::check_age(Instant at) {
  if (at - sampled_ <= options_.stale_after) return;
  if (!status_.live) return;
  status_.live = false;
  latch(fmt::format("no new sample from the controller for {} ms", milliseconds(at - sampled_)));
}

Result<void> RtdeArm::take_sample(Link& link, Instant at) {
  auto received = link.receive(at + read_within);
  if (!received) {
    if (received.error().fault == Fault::timeout) return {};
    return std::move(received).error();
  }
  if (received->restarted) return Error{Fault::closed, "the controller's time went back: it has been restarted"};
  const ur::ControllerState& state = link.variables().state;
  if (received->repeated || gate_.judge(state).quality != Quality::live) return {};
  // What waited on the way during a silence comes first when it ends; what follows is new.
  if (!status_.live && at - sampled_ > options_.stale_after) fresh_from_ = at + catch_up;
  sampled_ = at;
  if (at < fresh_from_) return {};
  state_.put(arm_state_from(state, link.has_tcp_offset(), at));
  const bool nominal = link.calibrated().value_or(false);
  if (!status_.live || status_.nominal != nominal) {
    status_.live = true;
    status_.nominal = nominal;
    if (!status_.faulted && !status_.armed) status_.why = "arm() has not been called";
    tell();
  }
  auto trouble = status_.armed ? hindrance(state) : std::nullopt;
  if (!trouble) trouble = program_.look(link, at);
  if (status_.armed && trouble) {
    latch(*trouble);
    unexplained_ = true;
    hear_complaints(link);
  }
  if (starting_)
    if (auto started = follow_start(link, trouble, at); !started) return started;
  return follow_reports(link, at);
}

// The controller reports what went wrong on another port, before or after it shows in the samples.
void RtdeArm::hear_complaints(Link& link) {
  if (!unexplained_) return;
  if (now() - latched_at_ > explain_within) {
    unexplained_ = false;
    return;
  }
  const std::string complaint = link.take_complaint();
  if (complaint.empty()) return;
  unexplained_ = false;
  status_.why = fmt::format("{}; message from the controller: {}", status_.why.view(), complaint);
  tell();
}

}  // namespace tandem::ur3e
