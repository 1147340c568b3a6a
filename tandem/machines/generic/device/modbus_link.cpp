// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/modbus_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/generic/device/judge.hpp"
#include "tandem/machines/kit/modbus_link.hpp"

namespace tandem::generic {
namespace {

using modbus::ExceptionCode;

constexpr Duration answer_time = 500ms;     // of one request
constexpr Duration silence_limit = 2s;      // a device that has answered nothing for this long is gone
constexpr int least_silences = 3;           // in a row, before that counts
constexpr int most_silences_in_scan = 2;    // others have to be asked as well
constexpr int patient_silences = 3;         // then a request that is never answered is asked less often
constexpr Duration rare = 1s, rarest = 5s;  // what is asked again although it fails each time

bool is_code(unsigned code, ExceptionCode other) { return code == static_cast<unsigned>(other); }

}  // namespace

std::unique_ptr<Link> make_modbus_link(const LinkSetup& setup) { return std::make_unique<ModbusLink>(setup); }

ModbusLink::ModbusLink(const LinkSetup& setup)
    : description_(setup.description),
      peer_(machines::modbus_peer_from(setup.device, modbus::tcp_port)),
      tap_(setup.tap),
      layout_(modbus_layout(*description_)),
      plan_(*description_, layout_),
      hints_(*description_, layout_),
      outputs_(*description_, layout_),
      most_in_flight_(static_cast<std::size_t>(
          std::clamp<int>(description_->limits.requests, 1, modbus::ClientSession::most_requests))),
      pause_(duration_of(description_->limits.pause)),
      tolerance_(duration_of(description_->cycle / 2)),
      bit_words_(modbus::most_bits_read) {
  peer_.pipelining = most_in_flight_ > 1;
  in_flight_.reserve(most_in_flight_);
  for (const ReadPiece& piece : plan_.pieces()) decoders_.push_back(decoder_of(piece));
}

Result<void> ModbusLink::connect(Instant deadline) {
  disconnect();
  auto client = modbus::Client::connect(peer_, deadline, tap_);
  if (!client) return std::move(client).error();
  client_.emplace(std::move(*client));
  plan_.begin_connection();
  answered_ = now();
  last_end_ = Instant{};
  silences_ = 0;
  return {};
}

void ModbusLink::disconnect() noexcept { client_.reset(); }

bool ModbusLink::is_due(const ModbusPlan::Request& request, Instant now) const {
  return request.due <= now + tolerance_;
}

Result<Scan> ModbusLink::scan(Instant at, Readings& readings, Instant deadline) {
  if (!open()) return Error{Fault::closed, "not connected"};
  Round round{at, now(), deadline, &readings, {}, 0};
  plan_.revisit(at);
  plan_.settle(at);
  do {
    if (auto read = read_due(round); !read) return std::move(read).error();
  } while (plan_.settle(round.now) && now() < deadline);
  if (silences_ >= least_silences && now() - answered_ > silence_limit)
    return lost(round, {Fault::timeout,
                        fmt::format("no answer to {} requests for {:.1f} s", silences_, seconds(now() - answered_))});
  return round.scan;
}

// Keeps as many requests on their way as the device is known to take; each answer is decoded before the next request.
Result<void> ModbusLink::read_due(Round& round) {
  std::size_t tried = 0;
  in_flight_.clear();
  while (true) {
    while (in_flight_.size() < most_in_flight_) {
      const auto sent = send_next(round, tried);
      if (!sent) return sent.error();
      if (!*sent) break;
    }
    if (in_flight_.empty()) return {};
    const Sent oldest = in_flight_.front();
    in_flight_.erase(in_flight_.begin());
    if (auto taken = take_answer(oldest, round); !taken) return taken;
  }
}

Result<bool> ModbusLink::send_next(Round& round, std::size_t& tried) {
  auto& requests = plan_.requests();
  for (; tried < requests.size(); ++tried) {
    if (cursor_ >= requests.size()) cursor_ = 0;
    const std::size_t index = cursor_;
    ModbusPlan::Request& request = requests[index];
    if (!is_due(request, round.now)) {
      ++cursor_;
      continue;
    }
    if (round.silences >= most_silences_in_scan) return false;
    const Instant deadline = wait_turn(round.deadline);
    if (deadline <= now()) return false;
    ++cursor_;
    ++tried;
    // In step with its period, unless more than one was missed.
    const Duration period = duration_of(request.block.period);
    request.due += period;
    if (request.due <= round.now) request.due = round.now + period;
    const ReadBlock& block = request.block;
    const bool bits = has_bits(block.table);
    const modbus::Request asked =
        bits ? modbus::Request(modbus::ReadBits{
                   block.table == ModbusTable::coil ? modbus::BitKind::coil : modbus::BitKind::discrete_input,
                   block.address, block.words})
             : modbus::Request(modbus::ReadRegisters{
                   block.table == ModbusTable::holding ? modbus::WordKind::holding : modbus::WordKind::input,
                   block.address, block.words});
    ++counters_.requests;
    ++round.scan.requests;
    const auto begun = client_->begin(asked, deadline);
    if (!begun) return lost(round, begun.error());
    in_flight_.push_back({*begun, index});
    return true;
  }
  return false;
}

Result<void> ModbusLink::take_answer(const Sent& sent, Round& round) {
  const auto answer = client_->await(sent.id);
  if (pause_ > Duration{0}) last_end_ = now();
  if (!answer && !open()) return lost(round, answer.error());
  if (!answer) {
    failed(sent, answer.error(), round);
    return {};
  }
  silences_ = 0;
  ++reads_of(sent.request).done;
  decode(plan_.requests()[sent.request].block, **answer, round);
  plan_.answered(sent.request);
  return {};
}

void ModbusLink::failed(const Sent& sent, const Error& error, Round& round) {
  ModbusPlan::Request& request = plan_.requests()[sent.request];
  if (error.fault == Fault::device) {
    ++reads_of(sent.request).refused;
    ++counters_.exceptions[std::min<std::size_t>(error.code, std::size(counters_.exceptions) - 1)];
    silences_ = 0;
    answered_ = now();
    return refused(sent.request, error.code, round);
  }
  if (error.fault == Fault::timeout) {
    ++counters_.timeouts;
    ++reads_of(sent.request).timeouts;
    ++silences_;
    ++round.silences;
    if (++request.silences > patient_silences) postpone(request, round.now, rare);
  } else {
    answered_ = now();  // something answered, though not what was asked
    silences_ = 0;
  }
  age_block(request.block, error.text, round);
}

void ModbusLink::refused(std::size_t index, unsigned code, Round& round) {
  ModbusPlan::Request& request = plan_.requests()[index];
  const ReadBlock block = request.block;
  const char* const words = modbus::name(static_cast<ExceptionCode>(code));
  if (is_code(code, ExceptionCode::busy) || is_code(code, ExceptionCode::acknowledge))
    return age_block(block, fmt::format("exception {}, {}", code, words), round);
  if (is_code(code, ExceptionCode::illegal_function)) {
    const std::string why = fmt::format("device cannot read {} (exception 1, illegal function)", name(block.table));
    note_once(why);
    postpone(request, round.now, rarest);
    return fail_block(block, why, round);
  }
  if (is_code(code, ExceptionCode::gateway_path) || is_code(code, ExceptionCode::gateway_target)) {
    const std::string why = fmt::format("unit {}: exception {}, {}", peer_.unit, code, words);
    note_once(why);
    postpone(request, round.now, rare);
    return fail_block(block, why, round);
  }
  switch (plan_.refused(index, code)) {
    case ModbusPlan::Verdict::failed:
      return fail_block(block,
                        fmt::format("{}: exception {}, {}",
                                    places_text(block.table, block.address, block.words, layout_.base), code, words),
                        round);
    case ModbusPlan::Verdict::absent:
      return mark_absent(block, round);
    case ModbusPlan::Verdict::searching:
      return age_block(block, fmt::format("exception {}, {}: searching for its cause", code, words), round);
  }
}

void ModbusLink::fail_block(const ReadBlock& block, std::string_view why, Round& round) {
  for (const ReadPiece& piece : plan_.pieces_of(block)) {
    judge_failed(layout_.signals[piece.signal], piece.element, 1, why, *round.readings, piece.signal);
    ++round.scan.answered;
  }
}

void ModbusLink::age_block(const ReadBlock& block, std::string_view why, Round& round) {
  for (const ReadPiece& piece : plan_.pieces_of(block))
    judge_age(layout_.signals[piece.signal], round.at(now()), why, *round.readings, piece.signal);
}

void ModbusLink::mark_absent(const ReadBlock& block, Round& round) {
  const std::string why =
      fmt::format("device has no {}", places_text(block.table, block.address, block.words, layout_.base));
  fail_block(block, why, round);
  for (const ReadPiece& piece : plan_.pieces_of(block)) {
    if (layout_.signals[piece.signal].optional)
      set_quality(round.readings->of[piece.signal], SignalQuality::stale, "optional: " + why);
  }
}

void ModbusLink::postpone(ModbusPlan::Request& request, Instant at, Duration least) const {
  request.due = at + std::max(least, duration_of(request.block.period));
}

// Everything is stale at once: what was read last belongs to a connection that is gone.
Error ModbusLink::lost(Round& round, Error why) {
  for (Reading& reading : round.readings->of) set_quality(reading, SignalQuality::stale, why.text);
  if (client_) client_->close();
  return why;
}

// The deadline of one request, once the pause since the one before it is over.
Instant ModbusLink::wait_turn(Instant deadline) {
  const Instant begin = last_end_ + pause_;
  if (pause_ > Duration{0} && begin > now()) {
    if (begin >= deadline) return Instant{};
    system_clock().sleep_until(begin);
  }
  return std::min(deadline, now() + answer_time);
}

Result<void> ModbusLink::write(std::span<const Write> writes, std::vector<Written>& outcomes, Instant deadline) {
  outcomes.clear();
  if (!open()) return Error{Fault::closed, "not connected"};
  outputs_.write(*client_, writes, turn_until(deadline), outcomes);
  if (pause_ > Duration{0}) last_end_ = now();
  for (const Written& each : outcomes) {
    if (each.outcome) {
      ++counters_.writes_done;
    } else if (modbus::outcome_unknown(each.outcome.error())) {
      ++counters_.writes_unknown;
    } else {
      ++counters_.writes_refused;
    }
  }
  if (!open()) return client_->lost().value_or(Error{Fault::closed, "closed"});
  return {};
}

Result<void> ModbusLink::beat(std::uint32_t count, Instant deadline) {
  if (!open()) return Error{Fault::closed, "not connected"};
  auto done = outputs_.beat(*client_, count, turn_until(deadline));
  if (pause_ > Duration{0}) last_end_ = now();
  return done ? std::move(done) : Result<void>(within("heartbeat", std::move(done).error()));
}

std::vector<Note> ModbusLink::take_notes() {
  std::vector<Note> all = std::exchange(notes_, {});
  for (auto& more : {plan_.take_notes(), hints_.take_notes(), outputs_.take_notes()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

void ModbusLink::note_once(const std::string& text) {
  if (std::ranges::find(noted_, text) != noted_.end()) return;
  noted_.push_back(text);
  notes_.push_back({text, true});
}

LinkCounters ModbusLink::counters() const { return counters_; }

std::string ModbusLink::delays() const { return client_ ? client_->delays(counters_.timeouts) : std::string(); }

}  // namespace tandem::generic
