// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/device/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tandem/net/round_trips.hpp"

namespace tandem::raptorlift {
namespace {

std::size_t read_count(const Description& description) {
  return description.plc.heartbeat ? registers::plc_heartbeat + 1 - registers::feedback_start
                                   : std::size_t{registers::feedback_count};
}

const char* on_off(bool level) { return level ? "on" : "off"; }

}  // namespace

Link::Link(const LinkOptions& options)
    : ModbusLink(options.times.response, options.times.feedback), options_(options), registers_(options.description) {}

Result<void> Link::connect(Instant deadline) {
  close();
  coils_ = {};
  coils_read_ = {};
  written_.reset();
  pending_.reset();
  const net::RoundTrips trips(deadline);
  if (auto opened = open_client(options_.peer, trips.next(), options_.tap); !opened) return opened;
  if (auto low = write_coil(coil(coils::error_reset), false, trips.next()); !low) return low;
  return read_coils(trips.next());
}

// Zeros if a command does not fit its registers.
void Link::encode(const AxisCommands& commands, Words& words, Outcome& outcome) const {
  const auto encoded = registers_.encode(commands, words);
  outcome.saturated = encoded && *encoded;
  if (encoded) return;
  words = {};
  outcome.doubt(encoded.error().text);
}

Result<Link::Outcome> Link::exchange_singly(const AxisCommands* commands, std::optional<Duration> hold) {
  if (!open()) return lost();
  end_pulse();
  const Instant until = hold ? now() + *hold : Instant::max();
  const auto deadline = [&] { return std::min(answer_deadline(), until); };
  Outcome outcome;
  Words words{};
  if (commands != nullptr) {
    encode(*commands, words, outcome);
    const auto written = client().write_registers(registers::command_start, words, deadline());
    if (written) written_ = words;
    if (!written) write_failed(written.error(), outcome);
    if (!written && open() && now() >= until) {  // no time to read
      take(written.error(), outcome);
      return outcome;
    }
  }
  const auto count = static_cast<std::uint16_t>(read_count(options_.description));
  const auto read =
      client().begin(modbus::ReadRegisters{modbus::WordKind::holding, registers::feedback_start, count}, deadline());
  if (!read) return read.error();
  take(client().await(*read), outcome);
  if (outcome.received != Instant{} && now() >= next_look_) {
    next_look_ = now() + duration_of(options_.times.readback);
    (void)read_coils(deadline());
    if (options_.description.plc.heartbeat && (commands != nullptr || !enabled_))
      (void)client().write_register(registers::bridge_heartbeat, ++own_beat_, deadline());
  }
  if (!open()) return lost();
  return outcome;
}

Result<Link::Outcome> Link::exchange(const AxisCommands* commands) {
  if (auto begun = begin_exchange(commands); !begun) return std::move(begun).error();
  return finish_exchange();
}

Result<void> Link::begin_exchange(const AxisCommands* commands) {
  pending_.reset();
  if (!open()) return lost();
  end_pulse();
  if (!open()) return lost();
  Pending pending;
  if (commands != nullptr) encode(*commands, pending.words, pending.outcome);
  const Instant deadline = answer_deadline();
  auto look = begin_look(commands != nullptr, deadline);
  if (!look) return std::move(look).error();
  pending.look = *look;
  const auto count = static_cast<std::uint16_t>(read_count(options_.description));
  pending.both = commands != nullptr && options_.one_request;
  if (commands != nullptr && !pending.both) {
    const auto begun =
        client().begin(modbus::WriteRegisters{registers::command_start, modbus::Registers(pending.words)}, deadline,
                       modbus::Client::Send::with_next);
    if (!begun) return begun.error();
    pending.write = *begun;
  }
  const auto read =
      pending.both
          ? client().begin(modbus::ReadWriteRegisters{registers::feedback_start, count, registers::command_start,
                                                      modbus::Registers(pending.words)},
                           deadline)
          : client().begin(modbus::ReadRegisters{modbus::WordKind::holding, registers::feedback_start, count},
                           deadline);
  if (!read) return read.error();
  pending.read = *read;
  pending_ = pending;
  return {};
}

Result<Link::Outcome> Link::finish_exchange() {
  if (!pending_) return lost();
  const Pending pending = *std::exchange(pending_, std::nullopt);
  Outcome outcome = pending.outcome;
  finish_look(pending.look, outcome);
  if (pending.write) {
    const auto answer = client().await(*pending.write);
    if (!answer) write_failed(answer.error(), outcome);
    if (answer) written_ = pending.words;
  }
  const auto answer = client().await(pending.read);
  if (pending.both && !answer) write_failed(answer.error(), outcome);
  if (pending.both && answer) written_ = pending.words;
  take(answer, outcome);
  if (!open()) return lost();
  return outcome;
}

// What the PLC had before this exchange, so that whatever another client wrote since the last one is seen.
Result<Link::Look> Link::begin_look(bool writes, Instant deadline) {
  Look look;
  if (now() < next_look_) return look;
  next_look_ = now() + duration_of(options_.times.readback);
  const auto begin = [&](const modbus::Request& request, std::optional<modbus::RequestId>& id) -> Result<void> {
    const auto begun = client().begin(request, deadline, modbus::Client::Send::with_next);
    if (!begun) return begun.error();
    id = *begun;
    return {};
  };
  auto done =
      begin(modbus::ReadBits{modbus::BitKind::coil, registers_.coil_table().address(0), coils::count}, look.coils);
  if (done && writes && written_) {
    done = begin(modbus::ReadRegisters{modbus::WordKind::holding, registers::command_start, registers::command_count},
                 look.words);
  }
  if (done && options_.description.plc.heartbeat && (writes || !enabled_))
    done = begin(modbus::WriteRegister{registers::bridge_heartbeat, ++own_beat_}, look.beat);
  if (done && options_.truth)
    done = begin(modbus::ReadRegisters{modbus::WordKind::input, truth::start, truth::count}, look.truth);
  if (!done) return std::move(done).error();
  return look;
}

void Link::finish_look(const Look& look, Outcome& outcome) {
  const bool commanding = look.words.has_value();
  const auto distrust = [&](std::string_view cause) {
    if (commanding) outcome.doubt(cause);
  };
  if (look.coils) {
    const auto answer = client().await(*look.coils);
    const auto* read = answer ? std::get_if<modbus::BitsRead>(*answer) : nullptr;
    if (read != nullptr) coils_read_ = now();
    for (std::size_t coil = 0; read != nullptr && coil < coils::count; ++coil) {
      coils_[coil] = read->values[coil];
      const bool expected = coil >= coils::first_enable && enabled_;
      if (coil >= coils::first_enable && coils_[coil] != expected) {
        distrust(fmt::format("{}: expected {}, got {} from the PLC", registers_.coil_table().name(coil),
                             on_off(expected), on_off(coils_[coil])));
      }
    }
    if (!answer && !machines::is_silence(answer.error())) distrust(answer.error().text);
  }
  if (look.words) {
    const auto answer = client().await(*look.words);
    const auto* read = answer ? std::get_if<modbus::RegistersRead>(*answer) : nullptr;
    if (read != nullptr) compare_words(read->values.span(), outcome);
    if (!answer && !machines::is_silence(answer.error())) distrust(answer.error().text);
  }
  if (look.beat) (void)client().await(*look.beat);
  if (look.truth) {
    const auto answer = client().await(*look.truth);
    const auto* read = answer ? std::get_if<modbus::RegistersRead>(*answer) : nullptr;
    if (read != nullptr) outcome.truth = registers_.decode_truth(read->values.span());
  }
}

void Link::compare_words(std::span<const std::uint16_t> words, Outcome& outcome) const {
  if (!written_ || outcome.distrust) return;
  for (std::size_t i = 0; i < std::min(words.size(), written_->size()); ++i) {
    if (words[i] == (*written_)[i]) continue;
    return outcome.doubt(fmt::format("D{} ({}): expected {} as written, got {}; does another client write?", i,
                                     registers_.command_name(i), (*written_)[i], words[i]));
  }
}

void Link::write_failed(const Error& error, Outcome& outcome) {
  written_.reset();
  outcome.write_failed(error);
}

void Link::take(const Result<const modbus::Answer*>& answer, Outcome& outcome) {
  if (!answer) return outcome.read_failed(answer.error());
  outcome.received = now();
  std::span<const std::uint16_t> words;
  if (const auto* read = std::get_if<modbus::RegistersRead>(*answer)) words = read->values.span();
  if (const auto* both = std::get_if<modbus::RegistersExchanged>(*answer)) words = both->values.span();
  if (words.size() < read_count(options_.description))
    return outcome.judge(Quality::invalid, "D16 to D23: the answer is too short");
  const auto measured = registers_.decode(words.first<registers::feedback_count>());
  if (!measured) return outcome.judge(Quality::invalid, measured.error().text + "; is word_order right?");
  outcome.measured = *measured;
  if (options_.description.plc.heartbeat)
    watch_beat(words[registers::plc_heartbeat - registers::feedback_start], "D25 (the PLC's heartbeat)", outcome);
}

}  // namespace tandem::raptorlift
