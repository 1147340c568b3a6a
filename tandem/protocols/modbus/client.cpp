// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/client.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/net/acknowledge.hpp"

namespace tandem::modbus {
namespace {

constexpr Duration answer_limit = 2s;  // from an answer's first byte to its last
constexpr int most_identifications = 256;

std::uint16_t count_of(std::size_t size) { return static_cast<std::uint16_t>(std::min<std::size_t>(size, 65535)); }

Result<void> few_enough(Function function, std::size_t count, std::size_t most) {
  if (count <= most) return {};
  return Error{Fault::invalid, fmt::format("{0}: expected 1 to {2} values, got {1}", name(function), count, most)};
}

Result<void> without_value(const Result<const Answer*>& answer) {
  if (!answer) return answer.error();
  return {};
}

Result<void> words_into(const Result<const Answer*>& answer, std::span<std::uint16_t> into) {
  if (!answer) return answer.error();
  std::span<const std::uint16_t> values;
  if (const auto* read = std::get_if<RegistersRead>(*answer)) values = read->values.span();
  if (const auto* exchanged = std::get_if<RegistersExchanged>(*answer)) values = exchanged->values.span();
  std::ranges::copy(values.first(std::min(values.size(), into.size())), into.begin());
  return {};
}

}  // namespace

Client::Client(net::TcpSocket connected, std::uint8_t unit, bool pipelining)
    : socket_(std::move(connected)), where_("Modbus device at " + socket_.peer().text()), session_(unit, pipelining) {}

Result<Client> Client::connect(const Peer& peer, Instant deadline, net::Tap* tap) {
  auto socket = net::TcpSocket::connect(peer.host, peer.port, deadline);
  if (!socket) return within("Modbus device", std::move(socket).error());
  socket->tap(tap);
  return Client(std::move(*socket), peer.unit, peer.pipelining);
}

Result<RequestId> Client::begin(const Request& request, Instant deadline, Send send) {
  return begin(request, deadline, send, tandem::now());
}

Result<RequestId> Client::begin(const Request& request, Instant deadline, Send send, Instant now) {
  if (lost_) return *lost_;
  auto begun = session_.begin(request, deadline, now);
  if (!begun || session_.output().empty() || (session_.pipelining() && send == Send::with_next)) return begun;
  if (auto flushed = flush(deadline, now); !flushed) return session_.give_up(*begun, flushed.error());
  return begun;
}

Result<const Answer*> Client::await(RequestId id) { return await(id, tandem::now()); }

Result<const Answer*> Client::await(RequestId id, Instant now) {
  for (bool first = true; !session_.finished(id, now); first = false) {
    session_.advance(now);
    if (!session_.output().empty()) {
      if (auto flushed = flush(session_.deadline(id), now); !flushed) return session_.give_up(id, flushed.error());
    } else if (!first) {
      net::acknowledge(socket_);  // half an answer, or another one: the device may wait for it before it goes on
    }
    const auto heard = receive(session_.patience(id));
    if (!heard) return session_.give_up(id, heard.error());
    now = *heard;
  }
  round_trips_.add(now - sent_);
  return session_.collect(id, now);
}

Result<const Answer*> Client::ask(const Request& request, Instant deadline) {
  const Instant now = tandem::now();
  const auto begun = begin(request, deadline, Send::now, now);
  if (!begun) return begun.error();
  return await(*begun, now);
}

Result<void> Client::flush(Instant deadline, Instant now) {
  if (lost_) return *lost_;
  sent_ = now;
  // Half a request may be out when this fails, and nothing could follow it.
  auto written = socket_.write_all(session_.output(), deadline);
  if (!written) return lose(std::move(written).error());
  session_.sent(session_.output().size());
  return {};
}

// Reads what arrives until the deadline, once, and reports the time then.
Result<Instant> Client::receive(Instant deadline) {
  if (lost_) return *lost_;
  auto count = socket_.read_until(session_.room(), deadline);
  if (!count) return lose(std::move(count).error());
  return take(*count);
}

Result<Instant> Client::take(std::size_t count) {
  const Instant now = tandem::now();
  if (auto sorted = session_.received(count, now); !sorted) return lose(std::move(sorted).error());
  if (!session_.partial()) {
    partial_since_.reset();
    return now;
  }
  if (!partial_since_ || count >= longest_frame) partial_since_ = now;
  if (now - *partial_since_ > answer_limit)
    return lose({Fault::timeout, fmt::format("an answer was not complete within {} s", seconds(answer_limit))});
  return now;
}

Result<void> Client::progress(Instant deadline) {
  if (lost_) return *lost_;
  const auto answers = session_.counters().answers;
  const auto heard = receive(Instant{});  // only what is there
  if (!heard) return heard.error();
  session_.advance(*heard);
  if (!session_.output().empty()) return flush(deadline, *heard);
  // Half an answer, another one, or one of several: the device may wait for it before it goes on.
  if (session_.counters().answers == answers || session_.pipelining()) net::acknowledge(socket_);
  return {};
}

Error Client::lose(Error why) {
  lost_ = Error{why.fault, fmt::format("{}: {}", where_, why.text), why.code};
  socket_.close();
  return *lost_;
}

void Client::close() {
  if (!lost_) lost_ = Error{Fault::closed, where_ + ": closed on this side"};
  socket_.close();
}

std::string Client::delays(std::uint64_t timeouts) const {
  const auto ms = [this](double q) { return 1e3 * seconds(round_trips_.quantile(q)); };
  return fmt::format("device round trip p50 {:.3g} ms, p99 {:.3g} ms, timeouts {}", ms(0.5), ms(0.99), timeouts);
}

Result<void> Client::read_bits(BitKind kind, std::uint16_t address, std::span<bool> into, Instant deadline) {
  const auto answer = ask(ReadBits{kind, address, count_of(into.size())}, deadline);
  if (!answer) return answer.error();
  const auto* read = std::get_if<BitsRead>(*answer);
  for (std::size_t i = 0; read != nullptr && i < into.size(); ++i) into[i] = read->values[i];
  return {};
}

Result<void> Client::read_words(WordKind kind, std::uint16_t address, std::span<std::uint16_t> into, Instant deadline) {
  return words_into(ask(ReadRegisters{kind, address, count_of(into.size())}, deadline), into);
}

Result<void> Client::read_coils(std::uint16_t address, std::span<bool> into, Instant deadline) {
  return read_bits(BitKind::coil, address, into, deadline);
}

Result<void> Client::read_discrete_inputs(std::uint16_t address, std::span<bool> into, Instant deadline) {
  return read_bits(BitKind::discrete_input, address, into, deadline);
}

Result<void> Client::read_registers(std::uint16_t address, std::span<std::uint16_t> into, Instant deadline) {
  return read_words(WordKind::holding, address, into, deadline);
}

Result<void> Client::read_input_registers(std::uint16_t address, std::span<std::uint16_t> into, Instant deadline) {
  return read_words(WordKind::input, address, into, deadline);
}

Result<void> Client::write_coil(std::uint16_t address, bool value, Instant deadline) {
  return without_value(ask(WriteCoil{address, value}, deadline));
}

Result<void> Client::write_coils(std::uint16_t address, std::span<const bool> values, Instant deadline) {
  auto few = few_enough(Function::write_coils, values.size(), most_coils_written);
  return few ? without_value(ask(WriteCoils{address, Bits(values)}, deadline)) : few;
}

Result<void> Client::write_register(std::uint16_t address, std::uint16_t value, Instant deadline) {
  return without_value(ask(WriteRegister{address, value}, deadline));
}

Result<void> Client::write_registers(std::uint16_t address, std::span<const std::uint16_t> values, Instant deadline) {
  auto few = few_enough(Function::write_registers, values.size(), most_registers_written);
  return few ? without_value(ask(WriteRegisters{address, Registers(values)}, deadline)) : few;
}

Result<void> Client::mask_write(std::uint16_t address, std::uint16_t and_mask, std::uint16_t or_mask,
                                Instant deadline) {
  return without_value(ask(MaskWriteRegister{address, and_mask, or_mask}, deadline));
}

Client::Pair Client::write_and_read(std::uint16_t write_address, std::span<const std::uint16_t> values,
                                    std::uint16_t read_address, std::span<std::uint16_t> into, Instant deadline) {
  // Nothing is sent when one of the two cannot be.
  const Request reading = ReadRegisters{WordKind::holding, read_address, count_of(into.size())};
  auto possible = few_enough(Function::write_registers, values.size(), most_registers_written);
  if (possible) possible = check(reading);
  if (!possible) return {possible, possible};
  const auto write = begin(WriteRegisters{write_address, Registers(values)}, deadline, Send::with_next);
  if (!write) return {write.error(), write.error()};
  const auto read = begin(reading, deadline);
  Pair pair{without_value(await(*write)), {}};
  pair.read = read ? words_into(await(*read), into) : Result<void>(read.error());
  return pair;
}

Result<void> Client::exchange(std::uint16_t write_address, std::span<const std::uint16_t> values,
                              std::uint16_t read_address, std::span<std::uint16_t> into, Instant deadline) {
  auto few = few_enough(Function::read_write_registers, values.size(), most_registers_exchanged);
  if (!few) return few;
  const ReadWriteRegisters request{read_address, count_of(into.size()), write_address, Registers(values)};
  return words_into(ask(request, deadline), into);
}

Result<std::uint8_t> Client::exception_status(Instant deadline) {
  const auto answer = ask(ReadExceptionStatus{}, deadline);
  if (!answer) return answer.error();
  return std::get<ExceptionStatus>(**answer).status;
}

Result<ServerId> Client::server_id(Instant deadline) {
  const auto answer = ask(ReportServerId{}, deadline);
  if (!answer) return answer.error();
  return std::get<ServerId>(**answer);
}

Result<std::vector<Identification::Object>> Client::identification(IdentificationCode level, Instant deadline) {
  std::vector<Identification::Object> all;
  std::uint8_t next = 0;
  for (int i = 0; i < most_identifications; ++i) {
    const auto answer = ask(ReadIdentification{level, next}, deadline);
    if (!answer) return answer.error();
    const auto& part = std::get<Identification>(**answer);
    for (auto& object : part.list()) all.push_back(std::move(object));
    if (!part.more_follows) return all;
    if (part.next_object <= next) break;
    next = part.next_object;
  }
  return Error{Fault::invalid, fmt::format("{}: read device identification: too many objects", where_)};
}

}  // namespace tandem::modbus
