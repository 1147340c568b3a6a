// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/device/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tandem::cable_robot {
namespace {

// Counters that the echo may be behind, when commands come faster than the winches' cycles.
constexpr std::uint16_t most_behind = 1000;
constexpr Duration longest_leave = 500ms;

// What the winches would refuse as a whole goes to the nearest that they take. NaN stays what it is.
WinchCommand within_limits(const WinchCommand& command, const WinchLimits& limits, bool& bounded) {
  WinchCommand possible = command;
  const auto bound = [&](double& value, double low, double high) {
    const double wanted = value;
    if (wanted < low) value = low;
    if (wanted > high) value = high;
    bounded = bounded || wanted < low || wanted > high;
  };
  for (double& speed : possible.speeds) bound(speed, -limits.speed, limits.speed);
  if (possible.mode == WinchMode::length)
    for (double& length : possible.lengths) bound(length, limits.shortest, limits.longest);
  if (possible.mode == WinchMode::tension)
    for (double& tension : possible.tensions) bound(tension, 0, limits.most_tension);
  return possible;
}

}  // namespace

Link::Link(const LinkOptions& options)
    : ModbusLink(options.times.response, options.times.feedback), options_(options), registers_(options.winches) {}

Result<void> Link::connect(Instant deadline) {
  close();
  written_.reset();
  enabled_ = false;
  const net::RoundTrips trips(deadline);
  if (auto opened = open_client(options_.peer, trips.next(), options_.tap); !opened) return opened;
  std::array<std::uint16_t, feedback::first> head{};
  if (auto read = client().read_registers(feedback::start, head, trips.next()); !read)
    return within("winch feedback", std::move(read).error());
  if (auto good = registers_.check_head(head); !good) return good;
  counter_ = head[feedback::counter];
  enabled_ = head[feedback::enabled] != 0;
  if (auto off = disable_found(trips); !off) return within("winches found enabled", std::move(off).error());
  if (auto low = write_coil(reset_coil_, false, trips.next()); !low) return low;  // a pulse may have been cut off
  return write_limits(trips);
}

// And looks whether they are off, again and again for the time of one round trip.
Result<void> Link::disable_found(const net::RoundTrips& trips) {
  const Instant until = trips.next();
  while (enabled_) {
    if (auto off = write_hold(0, trips.next()); !off) return off;
    if (auto report = read_report(trips.next()); !report) return std::move(report).error();
    if (!enabled_) break;
    if (now() >= until) return Error{Fault::timeout, "expected all disabled, got some that stay enabled"};
    system_clock().sleep_until(now() + 1ms);
  }
  return {};
}

void Link::leave() noexcept {
  const Instant until = now() + longest_leave;
  while (open() && enabled_ && now() < until) {
    (void)disable();
    if (open()) (void)read_report(answer_deadline());
  }
  close();
}

Result<void> Link::write_hold(std::uint16_t enable, Instant deadline) {
  const auto words = registers_.command_words(command_words_);
  registers_.encode_hold(++counter_, words);
  words[command::enable] = enable;
  written_.reset();
  return client().write_registers(command::start, words, deadline);
}

Result<void> Link::write_limits(const net::RoundTrips& trips) {
  std::array<std::uint16_t, limits::count> wanted{}, found{};
  WinchRegisters::encode_limits(options_.limits, wanted);
  if (auto written = client().write_registers(limits::start, wanted, trips.next()); !written)
    return within("winch limits", std::move(written).error());
  if (auto read = client().read_registers(limits::start, found, trips.next()); !read)
    return within("winch limits", std::move(read).error());
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(wanted, found).in1 - wanted.begin());
  if (at == wanted.size()) return {};
  return Error{Fault::device, fmt::format("winch limits: register {}: expected {} as written, got {}",
                                          limits::start + at, wanted[at], found[at])};
}

Result<WinchReport> Link::read_report(Instant deadline) {
  const auto words = registers_.feedback_words(feedback_words_);
  if (auto read = client().read_registers(feedback::start, words, deadline); !read) return std::move(read).error();
  auto report = registers_.decode(words);
  if (report && report->enabled == 0) enabled_ = false;
  return report;
}

Result<void> Link::enable() {
  if (!open()) return lost();
  auto done = write_hold(0, answer_deadline());
  if (done) done = pulse(reset_coil_, options_.reset_pulse, answer_deadline());
  if (!done) return within("winches not enabled", std::move(done).error());
  enabled_ = true;
  done = write_hold(registers_.all(), answer_deadline());
  if (done) done = await_enabled();
  enabled_ = true;
  obeyed_ = now();
  if (done) return {};
  if (open() && disable()) (void)read_report(answer_deadline());
  return within("winches not enabled", std::move(done).error());
}

// A winch takes a cycle of its own to let go of its brake.
Result<void> Link::await_enabled() {
  const Instant until = answer_deadline();
  while (true) {
    const auto report = read_report(std::max(until, answer_deadline()));
    if (!report) return report.error();
    if ((report->enabled & registers_.all()) == registers_.all()) return {};
    if (now() < until) {
      system_clock().sleep_until(now() + 1ms);
      continue;
    }
    for (int i = 0; i < registers_.winches(); ++i) {
      if (((report->enabled >> i) & 1) != 0) continue;
      const char* fault = fault_name(report->winches.flags[static_cast<std::size_t>(i)]);
      return Error{Fault::device,
                   fmt::format("winch {}: expected enabled, got disabled{}{}", i, *fault != '\0' ? ": " : "", fault)};
    }
  }
}

Result<void> Link::disable() {
  if (!open()) return lost();
  return write_hold(0, answer_deadline());
}

Result<Link::Outcome> Link::exchange(const WinchCommand* command) {
  if (!open()) return lost();
  end_pulse();
  if (!open()) return lost();
  Outcome outcome;
  const auto words = registers_.command_words(command_words_);
  if (command != nullptr) {
    bool bounded = false;
    const WinchCommand possible = within_limits(*command, options_.limits, bounded);
    const auto encoded = registers_.encode(possible, ++counter_, registers_.all(), words);
    if (!encoded) {
      registers_.encode_hold(counter_, words);
      outcome.doubt(encoded.error().text);
    }
    outcome.saturated = encoded && (*encoded || bounded);
  }
  const Instant deadline = answer_deadline();
  const std::array<std::uint16_t, 3> expected = written_.value_or(std::array<std::uint16_t, 3>{});
  const Look look = begin_look(command != nullptr, deadline);
  const auto into = registers_.feedback_words(feedback_words_);
  Result<void> read;
  if (command != nullptr) {
    auto both = client().write_and_read(command::start, words, feedback::start, into, deadline);
    if (!both.written) write_failed(both.written.error(), outcome);
    if (both.written) written_ = {words[command::counter], words[command::mode], words[command::enable]};
    read = std::move(both.read);
  } else {
    read = client().read_registers(feedback::start, into, deadline);
  }
  if (!open()) return lost();
  finish_look(look, expected, outcome);
  take(read, outcome.distrust ? nullptr : command, outcome);
  if (!open()) return lost();
  return outcome;
}

// What the winches had before this exchange, so that whatever another client wrote since the last one is seen.
Link::Look Link::begin_look(bool commanding, Instant deadline) {
  Look look;
  const auto begin = [&](modbus::WordKind kind, std::uint16_t address, std::uint16_t count) {
    const auto begun =
        client().begin(modbus::ReadRegisters{kind, address, count}, deadline, modbus::Client::Send::with_next);
    return begun ? std::optional(*begun) : std::nullopt;
  };
  const Instant at = now();
  if (commanding && written_ && at >= next_readback_) {
    next_readback_ = at + duration_of(options_.readback_interval);
    look.command = begin(modbus::WordKind::holding, command::start, 3);
  }
  if (options_.truth && at >= next_truth_) {
    next_truth_ = at + duration_of(options_.truth_interval);
    look.truth = begin(modbus::WordKind::input, truth::start, truth::count(registers_.winches()));
  }
  return look;
}

void Link::finish_look(const Look& look, const std::array<std::uint16_t, 3>& expected, Outcome& outcome) {
  if (look.command) {
    const auto answer = client().await(*look.command);
    const auto* read = answer ? std::get_if<modbus::RegistersRead>(*answer) : nullptr;
    for (std::size_t i = 0; read != nullptr && i < expected.size() && !outcome.distrust; ++i) {
      if (read->values[i] == expected[i]) continue;
      outcome.doubt(fmt::format("winch command register {}: expected {} as written, got {}; does another client write?",
                                i, expected[i], read->values[i]));
    }
  }
  if (look.truth) {
    const auto answer = client().await(*look.truth);
    const auto* read = answer ? std::get_if<modbus::RegistersRead>(*answer) : nullptr;
    if (read != nullptr) outcome.truth = registers_.decode_truth(read->values.span());
  }
}

void Link::write_failed(const Error& error, Outcome& outcome) {
  written_.reset();
  outcome.write_failed(error);
}

void Link::take(const Result<void>& read, const WinchCommand* command, Outcome& outcome) {
  if (!read) return outcome.read_failed(read.error());
  outcome.received = now();
  auto report = registers_.decode(registers_.feedback_words(feedback_words_));
  if (!report) return outcome.judge(Quality::invalid, report.error().text);
  outcome.report = std::move(*report);
  if (outcome.report->enabled == 0) enabled_ = false;
  watch_beat(outcome.report->winches.beat, "the winches' heartbeat", outcome);
  if (command != nullptr) watch_obedience(*outcome.report, *command, outcome);
}

// They have `times.feedback` to come to it; one that was enabled has none to be disabled in.
void Link::watch_obedience(const WinchReport& report, const WinchCommand& command, Outcome& outcome) {
  if (report.winches.watchdog) return outcome.doubt("the winches' watchdog has tripped: commands came too late");
  for (int i = 0; i < registers_.winches(); ++i) {
    if (((report.enabled >> i) & 1) != 0) continue;
    const char* fault = fault_name(report.winches.flags[static_cast<std::size_t>(i)]);
    return outcome.doubt(
        fmt::format("winch {}: expected enabled, got disabled{}{}", i, *fault != '\0' ? ": " : "", fault));
  }
  const auto behind = static_cast<std::uint16_t>(counter_ - report.counter);
  const bool echoed = behind <= most_behind;
  if (echoed && report.mode == command.mode) obeyed_ = outcome.received;
  if (outcome.received - obeyed_ <= duration_of(options_.times.feedback)) return;
  if (echoed)
    outcome.doubt(fmt::format("winches: expected mode {} as commanded, got {}", name(command.mode), name(report.mode)));
  else
    outcome.doubt(fmt::format("winches: expected counter {} as written, got {}; does another client write?", counter_,
                              report.counter));
}

}  // namespace tandem::cable_robot
