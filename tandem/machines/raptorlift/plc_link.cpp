#include "tandem/machines/raptorlift/plc_link.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/net/round_trips.hpp"

namespace tandem::raptorlift {
namespace {

using modbus::ExceptionCode;

bool is_busy(const Error& error) {
  return error.fault == Fault::device && error.code == static_cast<unsigned>(ExceptionCode::busy);
}

std::size_t read_count(const Description& description) {
  return description.plc.heartbeat ? registers::plc_heartbeat + 1 - registers::feedback_start
                                   : std::size_t{registers::feedback_count};
}

const char* on_off(bool level) { return level ? "on" : "off"; }

}  // namespace

// One answer that does not come may not make the feedback too old: there must be time for another one.
PlcLink::PlcLink(const PlcLinkOptions& options)
    : options_(options),
      registers_(options.description),
      answer_time_(duration_of(std::min(options.times.response, options.times.feedback / 2))) {}

Result<void> PlcLink::connect(Instant deadline) {
  close();
  coils_ = {};
  coils_read_ = {};
  written_.reset();
  plc_beat_.reset();
  const net::RoundTrips trips(deadline);
  auto client = modbus::Client::connect(options_.peer, trips.next(), options_.tap);
  if (!client) return std::move(client).error();
  client_.emplace(std::move(*client));
  if (auto low = write_coil(coils::error_reset, false, trips.next()); !low) return low;
  pulsing_ = false;
  return read_coils(trips.next());
}

void PlcLink::close() {
  if (open()) end_pulse();
  if (client_) past_ = counters();
  client_.reset();
}

// Zeros if a command does not fit its registers.
void PlcLink::encode(const AxisCommands& commands, Words& words, Outcome& outcome) const {
  const auto encoded = registers_.encode(commands, words);
  outcome.saturated = encoded && *encoded;
  if (encoded) return;
  words = {};
  outcome.distrust = true;
  outcome.cause = encoded.error().text;
}

Result<PlcLink::Outcome> PlcLink::exchange_singly(const AxisCommands* commands) {
  if (!open()) return lost();
  end_pulse();
  Outcome outcome;
  Words words{};
  if (commands != nullptr) {
    encode(*commands, words, outcome);
    const auto written = client_->write_registers(registers::command_start, words, answer_deadline());
    if (written) written_ = words;
    if (!written) write_failed(written.error(), outcome);
  }
  const auto count = static_cast<std::uint16_t>(read_count(options_.description));
  const auto read = client_->begin(modbus::ReadRegisters{modbus::WordKind::holding, registers::feedback_start, count},
                                   answer_deadline());
  if (!read) return read.error();
  take(client_->await(*read), outcome);
  if (outcome.received != Instant{} && now() >= next_look_) {
    next_look_ = now() + duration_of(options_.times.readback);
    (void)read_coils(answer_deadline());
    if (options_.description.plc.heartbeat && (commands != nullptr || !enabled_))
      (void)client_->write_register(registers::bridge_heartbeat, ++own_beat_, answer_deadline());
  }
  if (!open()) return lost();
  return outcome;
}

Result<PlcLink::Outcome> PlcLink::exchange(const AxisCommands* commands) {
  if (!open()) return lost();
  end_pulse();
  if (!open()) return lost();
  Outcome outcome;
  Words words{};
  if (commands != nullptr) encode(*commands, words, outcome);
  const Instant deadline = answer_deadline();
  auto look = begin_look(commands != nullptr, deadline);
  if (!look) return std::move(look).error();
  const auto count = static_cast<std::uint16_t>(read_count(options_.description));
  const bool both = commands != nullptr && options_.one_request;
  std::optional<modbus::RequestId> write;
  if (commands != nullptr && !both) {
    const auto begun = client_->begin(modbus::WriteRegisters{registers::command_start, modbus::Registers(words)},
                                      deadline, modbus::Client::Send::with_next);
    if (!begun) return begun.error();
    write = *begun;
  }
  const auto read =
      both ? client_->begin(modbus::ReadWriteRegisters{registers::feedback_start, count, registers::command_start,
                                                       modbus::Registers(words)},
                            deadline)
           : client_->begin(modbus::ReadRegisters{modbus::WordKind::holding, registers::feedback_start, count},
                            deadline);
  if (!read) return read.error();
  finish_look(*look, outcome);
  if (write) {
    const auto answer = client_->await(*write);
    if (!answer) write_failed(answer.error(), outcome);
    if (answer) written_ = words;
  }
  const auto answer = client_->await(*read);
  if (both && !answer) write_failed(answer.error(), outcome);
  if (both && answer) written_ = words;
  take(answer, outcome);
  if (!open()) return lost();
  return outcome;
}

// What the PLC had before this exchange, so that whatever somebody else wrote since the last one is seen.
Result<PlcLink::Look> PlcLink::begin_look(bool writes, Instant deadline) {
  Look look;
  if (now() < next_look_) return look;
  next_look_ = now() + duration_of(options_.times.readback);
  const auto begin = [&](const modbus::Request& request, std::optional<modbus::RequestId>& id) -> Result<void> {
    const auto begun = client_->begin(request, deadline, modbus::Client::Send::with_next);
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

void PlcLink::finish_look(const Look& look, Outcome& outcome) {
  const bool commanding = look.words.has_value();
  const auto distrust = [&](std::string_view cause) {
    if (!commanding || outcome.distrust) return;
    outcome.distrust = true;
    outcome.cause = cause;
  };
  if (look.coils) {
    const auto answer = client_->await(*look.coils);
    const auto* read = answer ? std::get_if<modbus::BitsRead>(*answer) : nullptr;
    if (read != nullptr) coils_read_ = now();
    for (std::size_t coil = 0; read != nullptr && coil < coils::count; ++coil) {
      coils_[coil] = read->values[coil];
      const bool expected = coil >= coils::first_enable && enabled_;
      if (coil >= coils::first_enable && coils_[coil] != expected) {
        distrust(fmt::format("{}: expected {}, the PLC has it {}", registers_.coil_table().name(coil), on_off(expected),
                             on_off(coils_[coil])));
      }
    }
    if (!answer && answer.error().fault != Fault::timeout && !is_busy(answer.error())) distrust(answer.error().text);
  }
  if (look.words) {
    const auto answer = client_->await(*look.words);
    const auto* read = answer ? std::get_if<modbus::RegistersRead>(*answer) : nullptr;
    if (read != nullptr) compare_words(read->values.span(), outcome);
    if (!answer && answer.error().fault != Fault::timeout && !is_busy(answer.error())) distrust(answer.error().text);
  }
  if (look.beat) (void)client_->await(*look.beat);
  if (look.truth) {
    const auto answer = client_->await(*look.truth);
    const auto* read = answer ? std::get_if<modbus::RegistersRead>(*answer) : nullptr;
    if (read != nullptr) outcome.truth = registers_.decode_truth(read->values.span());
  }
}

void PlcLink::compare_words(std::span<const std::uint16_t> words, Outcome& outcome) const {
  if (!written_ || outcome.distrust) return;
  for (std::size_t i = 0; i < std::min(words.size(), written_->size()); ++i) {
    if (words[i] == (*written_)[i]) continue;
    outcome.distrust = true;
    outcome.cause = fmt::format("D{} ({}): written {}, the PLC has {}; does another client write?", i,
                                registers_.command_name(i), (*written_)[i], words[i]);
    return;
  }
}

// A write that is late or comes at a busy moment is made up for by the next one. Any other failure leaves nobody
// knowing what the PLC does.
void PlcLink::write_failed(const Error& error, Outcome& outcome) {
  written_.reset();
  if (error.fault == Fault::timeout || is_busy(error) || outcome.distrust) return;
  outcome.distrust = true;
  outcome.cause =
      modbus::outcome_unknown(error) ? fmt::format("outcome of a write unknown: {}", error.text) : error.text;
}

void PlcLink::take(const Result<const modbus::Answer*>& answer, Outcome& outcome) {
  const auto judged = [&](Quality quality, std::string_view why) {
    outcome.quality = quality;
    outcome.why = why;
  };
  if (!answer) {
    const Error& error = answer.error();
    const bool silent = error.fault == Fault::timeout || is_busy(error);
    return judged(silent ? Quality::stale : Quality::invalid, error.text);
  }
  outcome.received = now();
  std::span<const std::uint16_t> words;
  if (const auto* read = std::get_if<modbus::RegistersRead>(*answer)) words = read->values.span();
  if (const auto* both = std::get_if<modbus::RegistersExchanged>(*answer)) words = both->values.span();
  if (words.size() < read_count(options_.description))
    return judged(Quality::invalid, "D16 to D23: the answer is short");
  const auto measured = registers_.decode(words.first<registers::feedback_count>());
  if (!measured) return judged(Quality::invalid, measured.error().text + "; is word_order right?");
  outcome.measured = *measured;
  if (options_.description.plc.heartbeat)
    watch_heartbeat(words[registers::plc_heartbeat - registers::feedback_start], outcome);
}

void PlcLink::watch_heartbeat(std::uint16_t beat, Outcome& outcome) {
  if (!plc_beat_ || *plc_beat_ != beat) beat_changed_ = outcome.received;
  plc_beat_ = beat;
  const Duration still = outcome.received - beat_changed_;
  if (still <= duration_of(options_.times.feedback)) return;
  outcome.quality = Quality::stale;
  outcome.why = fmt::format("D25 (the PLC's heartbeat) has stood still for {:.0f} ms", 1e3 * seconds(still));
}

Error PlcLink::lost() const {
  if (!client_) return {Fault::closed, "not connected"};
  return client_->lost().value_or(Error{Fault::closed, "closed"});
}

modbus::ClientSession::Counters PlcLink::counters() const { return client_ ? past_ + client_->counters() : past_; }

}  // namespace tandem::raptorlift
