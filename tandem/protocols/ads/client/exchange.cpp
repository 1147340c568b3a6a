// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/client/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tandem::ads {
namespace {

constexpr std::size_t longest_packet = 16 << 20;  // the symbols of a large project are some megabytes
constexpr std::size_t at_once = 16 << 10;         // bytes of room for a read
constexpr std::size_t worth_lending = 4 << 10;    // bytes of payload; fewer are copied, so that slots stay small
constexpr std::size_t inbox_places = 256;
constexpr Duration packet_limit = 2s;           // from its first byte to its last
constexpr Duration short_life = 2s;             // of a connection that another client may have taken over
constexpr unsigned unknown_mark = 0xE000'0001;  // no ADS code

// "read 0xF005:0x1002"
std::string action(const Purpose& purpose) {
  if (purpose.group == 0 && purpose.offset == 0) return name(purpose.command);
  return fmt::format("{} 0x{:X}:0x{:X}", name(purpose.command), purpose.group, purpose.offset);
}

}  // namespace

bool outcome_unknown(const Error& error) { return error.code == unknown_mark; }

Exchange::Exchange(net::TcpSocket connected, const Peer& peer)
    : socket_(std::move(connected)),
      where_(fmt::format("{} at {}:{}", peer.target.text(), peer.host, peer.port)),
      target_(peer.target),
      own_(peer.own),
      connected_at_(now()),
      framer_(longest_packet),
      subscriptions_(inbox_places) {
  if (own_.net_id.empty()) own_.net_id = NetId::from_ipv4(socket_.local().address);
  if (own_.port == 0) own_.port = port::first_client;
}

Result<Exchange> Exchange::connect(const Peer& peer, Instant deadline, net::Tap* tap) {
  auto socket = net::TcpSocket::connect(peer.host, peer.port, deadline);
  if (!socket) return within("ADS device " + peer.target.text(), std::move(socket).error());
  socket->tap(tap);
  return Exchange(std::move(*socket), peer);
}

Result<RequestId> Exchange::begin(const Purpose& purpose, Instant deadline) {
  auto begun = prepare(purpose);
  if (!begun) return begun;
  append_frame(out_, header_of(purpose, *begun));
  return send(*begun, deadline);
}

Result<RequestId> Exchange::prepare(const Purpose& purpose) {
  if (lost_) return *lost_;
  const auto free = std::ranges::find(slots_, false, &Slot::waiting);
  if (free == slots_.end())
    return Error{Fault::busy, fmt::format("{}: {} requests are already pending", where_, slots_.size())};
  if (in_framer_ && !slots_[*in_framer_].waiting) in_framer_.reset();
  if (++last_invoke_id_ == 0) ++last_invoke_id_;
  free->purpose = purpose;
  free->invoke_id = last_invoke_id_;
  free->waiting = true;
  free->answered = false;
  free->sent = now();
  free->ams_error = 0;
  out_.clear();
  return RequestId{last_invoke_id_};
}

AmsHeader Exchange::header_of(const Purpose& purpose, RequestId id) const {
  AmsHeader header;
  header.target = target_;
  header.source = own_;
  header.command = purpose.command;
  header.invoke_id = id.invoke_id;
  return header;
}

Result<RequestId> Exchange::send(RequestId id, Instant deadline) {
  auto sent = socket_.write_all(out_, deadline);
  if (sent) return id;
  // Perhaps half a packet is out, and nothing could follow it.
  find(id)->waiting = false;
  return lose(within(action(purpose(id)), std::move(sent).error()));
}

Exchange::Slot* Exchange::find(RequestId id) {
  const auto found = std::ranges::find(slots_, id.invoke_id, &Slot::invoke_id);
  return found == slots_.end() || id.invoke_id == 0 ? nullptr : &*found;
}

Result<Bytes> Exchange::await(RequestId id, Instant deadline) {
  Slot* const slot = find(id);
  if (slot == nullptr || !slot->waiting)
    return Error{Fault::not_found, fmt::format("{}: request {} is not pending", where_, id.invoke_id)};
  const auto there = answered(id, deadline);
  slot->waiting = false;
  if (!there) return unanswered(*slot, there.error());
  if (!*there) {
    return unanswered(
        *slot, {Fault::timeout, fmt::format("{}: no answer before the deadline{}", where_, advice(Fault::timeout))});
  }
  if (slot->ams_error == 0) return slot->payload;
  Error error = device_error(describe(id), slot->ams_error);
  if (slot->ams_error == code::no_such_machine) error.text += advice(Fault::unreachable);
  return error;
}

Result<bool> Exchange::answered(RequestId id, Instant deadline) {
  const Slot* const slot = find(id);
  if (slot == nullptr || !slot->waiting) return false;
  while (!slot->answered) {
    auto arrived = receive(deadline);
    if (slot->answered) break;
    if (!arrived || !*arrived || now() >= deadline) return arrived ? Result<bool>(false) : std::move(arrived);
  }
  return true;
}

void Exchange::forget(RequestId id) {
  if (Slot* const slot = find(id)) slot->waiting = false;
}

Result<bool> Exchange::receive(Instant deadline) {
  if (lost_) return *lost_;
  if (in_framer_) framer_.continue_in(slots_[*std::exchange(in_framer_, std::nullopt)].memory);
  auto count = socket_.read_until(framer_.room(at_once), deadline);
  if (!count) return lose(std::move(count).error());
  const Instant received = now();
  framer_.received(*count);
  if (auto sorted = sort_packets(received); !sorted) return lose(std::move(sorted).error());
  if (partial_since_ && received - *partial_since_ > packet_limit)
    return lose({Fault::timeout, fmt::format("a packet was not complete within {} s", seconds(packet_limit))});
  return *count > 0;
}

Result<void> Exchange::sort_packets(Instant received) {
  while (true) {
    auto frame = framer_.next();
    if (!frame) return std::move(frame).error();
    if (!*frame) break;
    partial_since_.reset();
    ++frames_;
    if ((*frame)->command == TcpCommand::ams && (*frame)->header.command == Command::notification)
      subscriptions_.arrived((*frame)->payload, received);
    else
      sort_answer(**frame, received);
  }
  if (!framer_.partial()) partial_since_.reset();
  if (framer_.partial() && !partial_since_) partial_since_ = received;
  return {};
}

void Exchange::sort_answer(const Frame& frame, Instant received) {
  const AmsHeader& header = frame.header;
  Slot* const slot = frame.command == TcpCommand::ams ? find({header.invoke_id}) : nullptr;
  const bool expected = slot != nullptr && slot->waiting && !slot->answered && header.response() &&
                        header.command == slot->purpose.command;
  if (!expected) {
    ++answers_ignored_;
    return;
  }
  slot->answered = true;
  const Duration trip = received - slot->sent;
  round_trip_ = round_trip_ == Duration{0} ? trip : round_trip_ + (trip - round_trip_) / 8;
  slot->ams_error = header.error;
  slot->payload = frame.payload;
  if (in_framer_ || frame.payload.size() < worth_lending) return keep(*slot);
  in_framer_ = static_cast<std::size_t>(slot - slots_.data());
}

void Exchange::keep(Slot& slot) {
  slot.memory.assign(slot.payload.begin(), slot.payload.end());
  slot.payload = slot.memory;
}

Purpose Exchange::purpose(RequestId id) const {
  const auto found = std::ranges::find(slots_, id.invoke_id, &Slot::invoke_id);
  return found == slots_.end() ? Purpose{} : found->purpose;
}

std::string Exchange::describe(RequestId id) const { return fmt::format("{} of {}", action(purpose(id)), where_); }

Error Exchange::rejected(RequestId id, const std::string& why) const {
  return {Fault::invalid, fmt::format("{}: answer rejected: {}", describe(id), why)};
}

Counters Exchange::counters() const {
  return {frames_, answers_ignored_, subscriptions_.malformed(), subscriptions_.ignored(), subscriptions_.dropped()};
}

void Exchange::close() {
  if (!lost_) lost_ = Error{Fault::closed, where_ + ": closed on this side"};
  socket_.close();
}

Error Exchange::lose(Error why) {
  lost_ = Error{why.fault, fmt::format("{}: {}{}", where_, why.text, advice(why.fault)), why.code};
  socket_.close();
  return *lost_;
}

Error Exchange::unanswered(const Slot& slot, const Error& why) const {
  const std::string what = action(slot.purpose);
  if (!slot.purpose.changes) return {why.fault, fmt::format("{}: {}", what, why.text), why.code};
  return {why.fault, fmt::format("{}: outcome UNKNOWN, the device may or may not have executed it: {}", what, why.text),
          unknown_mark};
}

std::string Exchange::advice(Fault fault) const {
  const std::string route =
      fmt::format("probably no route for NetId {} there; add one in TwinCAT (SYSTEM, Routes) or with ads::add_route",
                  own_.net_id.text());
  if (fault == Fault::unreachable) return "; " + route;
  if (fault == Fault::closed && frames_ == 0 && last_invoke_id_ > 0)
    return "; the PLC closed the connection at once: " + route;
  if (fault == Fault::timeout && frames_ == 0)
    return fmt::format("; it has not answered yet: {}, or {} is not its NetId", route, target_.net_id.text());
  if (fault == Fault::closed && frames_ > 0 && now() - connected_at_ < short_life)
    return fmt::format("; if this repeats, another client uses NetId {}: TwinCAT keeps one connection per NetId",
                       own_.net_id.text());
  return "";
}

}  // namespace tandem::ads
