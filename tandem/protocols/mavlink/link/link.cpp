// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/link/link.hpp"

namespace tandem::mavlink {
namespace {

// A frame whose rest has not come after this long is given up, so that rubbish which looks like the beginning of a
// long frame does not hold back the short ones behind it.
constexpr Duration longest_pause_in_frame = 500ms;
// Pieces without any frame in them that one call looks at when it was asked not to wait.
constexpr int most_pieces = 64;

Result<std::unique_ptr<Transport>> open_transport(const LinkAddress& address, net::Tap* tap) {
  switch (address.kind) {
    case LinkKind::udp:
      return open_udp(address, tap);
    case LinkKind::tcp:
      return open_tcp(address, tap);
    case LinkKind::tcp_in:
      return open_tcp_in(address, tap);
    case LinkKind::serial:
      return open_serial(address, tap);
  }
  return Error{Fault::unsupported, "unknown kind of link"};
}

}  // namespace

Result<Link> Link::open(std::string_view address, const LinkOptions& options) {
  auto parsed = parse_link_address(address);
  if (!parsed) return std::move(parsed).error();
  return open(*parsed, options);
}

Result<Link> Link::open(const LinkAddress& address, const LinkOptions& options) {
  auto transport = open_transport(address, options.tap);
  if (!transport) return std::move(transport).error();
  return Link(address, options, std::move(*transport));
}

Link::Link(LinkAddress address, const LinkOptions& options, std::unique_ptr<Transport> transport)
    : address_(std::move(address)),
      pass_unknown_(options.parser.pass_unknown),
      parser_options_{.dialect = options.parser.dialect, .pass_unknown = true, .pass_unreadable = true},
      channel_(options.channel),
      transport_(std::move(transport)),
      peers_(Transport::most_peers),
      piece_(65536) {
  watches_.reserve(Transport::most_peers + 1);
  transport_->tend(now());
}

std::optional<Frame> Link::receive(Instant deadline) {
  int pieces = 0;
  while (true) {
    const Instant time = now();
    if (auto frame = take(time)) return frame;
    transport_->tend(time);
    if (read_piece(time)) {
      if (++pieces >= most_pieces && time >= deadline) return std::nullopt;
      continue;
    }
    if (time >= deadline) return std::nullopt;
    watches_.clear();
    const Instant wake = watch(watches_);
    if (auto waited = net::wait(watches_, std::min(deadline, wake)); !waited) return std::nullopt;
  }
}

std::optional<Frame> Link::take(Instant time) {
  while (auto frame = parsed())
    if (may_act_on(*frame)) return frame;
  while (auto frame = given_up(time))
    if (may_act_on(*frame)) return frame;
  return std::nullopt;
}

bool Link::may_act_on(const Frame& frame) {
  const bool unknown = frame.info == nullptr && (frame.incompatible & ~incompatible_signed) == 0;
  if (frame.verified || (unknown && pass_unknown_)) return channel_.admit(frame);
  channel_.overheard(frame);
  return false;
}

std::optional<Frame> Link::parsed() {
  if (!peers_[current_]) return std::nullopt;
  Parser& parser = peers_[current_]->parser;
  while (true) {
    if (auto frame = parser.next()) return frame;
    if (left_.empty()) break;
    left_ = left_.subspan(parser.feed(left_));
  }
  return datagram_ ? parser.next_of_last() : std::nullopt;
}

std::optional<Frame> Link::given_up(Instant time) {
  for (const auto& peer : peers_) {
    if (!peer || !peer->parser.partial() || time - peer->heard < longest_pause_in_frame) continue;
    if (auto frame = peer->parser.next_of_last()) return frame;
  }
  return std::nullopt;
}

bool Link::read_piece(Instant time) {
  const auto piece = transport_->read(piece_, time);
  if (!piece) return false;
  current_ = piece->peer;
  datagram_ = piece->datagram;
  left_ = {piece_.data(), piece->size};
  auto& peer = peers_[current_];
  if (!peer) peer = std::make_unique<Peer>(parser_options_);
  if (piece->fresh) {
    peer->parser.clear();
    if (address_.kind == LinkKind::tcp_in || address_.kind == LinkKind::udp) {
      channel_.joined();
    } else {
      channel_.restart();
    }
  }
  peer->heard = time;
  return true;
}

bool Link::send_payload(const MessageInfo& info, Bytes payload) { return write(channel_.make(out_, info, payload)); }

bool Link::send_payload_from(const Address& source, std::uint8_t& sequence, const MessageInfo& info, Bytes payload) {
  return write(channel_.make_from(source, sequence, out_, info, payload));
}

bool Link::forward(const Frame& frame) { return write(frame.bytes); }

bool Link::write(Bytes frame) {
  const bool sent = transport_->write(frame, now());
  if (!sent) ++unsent_;
  return sent;
}

Instant Link::watch(std::vector<net::Watch>& watches) const {
  Instant wake = transport_->watch(watches);
  for (const auto& peer : peers_)
    if (peer && peer->parser.partial()) wake = std::min(wake, peer->heard + longest_pause_in_frame);
  return wake;
}

Parser::Counters Link::parser_counters() const {
  Parser::Counters sum;
  for (const auto& peer : peers_) {
    if (!peer) continue;
    const Parser::Counters& one = peer->parser.counters();
    sum.frames += one.frames;
    sum.bytes += one.bytes;
    sum.skipped += one.skipped;
    sum.bad_checksum += one.bad_checksum;
    sum.other_definition += one.other_definition;
    sum.unknown_message += one.unknown_message;
    sum.unknown_flags += one.unknown_flags;
    sum.cut_short += one.cut_short;
    if (one.other_definition > 0) sum.last_other_definition = one.last_other_definition;
    if (one.unknown_message > 0) sum.last_unknown = one.last_unknown;
  }
  return sum;
}

}  // namespace tandem::mavlink
