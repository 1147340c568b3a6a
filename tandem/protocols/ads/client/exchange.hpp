// SPDX-License-Identifier: Apache-2.0
// Requests and answers over one ADS connection: several may be on their way, notifications may come in between.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ads/client/subscriptions.hpp"
#include "tandem/protocols/ads/codec/codec.hpp"
#include "tandem/protocols/ads/codec/errors.hpp"
#include "tandem/protocols/ads/codec/framer.hpp"

namespace tandem::net {
struct Url;
}

namespace tandem::ads {

// Where the device is and who we are to it.
struct Peer {
  std::string host;
  std::uint16_t port = tcp_port;
  AmsAddress target;  // NetId and AMS port of the PLC
  AmsAddress own;     // no NetId: our IPv4 address and ".1.1"; port 0: 30000
};

// "ads://HOST[:TCP_PORT][?net_id=A.B.C.D.E.F&port=851&own=A.B.C.D.E.F]". Without net_id the target has none: it is the
// host's address and ".1.1", as TwinCAT's default is.
Result<Peer> peer_from_url(const std::string& device);
// Puts the NetIds that such a URL leaves out into it, as they follow from the two dotted addresses: then something else
// can stand between, under another address.
void write_out_net_ids(net::Url& url, std::string_view device_address, std::string_view own_address);

// What arrived and was of no use, since the connection was made.
struct Counters {
  std::uint64_t frames = 0;                   // all that arrived, useful or not
  std::uint64_t answers_ignored = 0;          // to no request that is waiting: late, duplicate, or not ours
  std::uint64_t notifications_malformed = 0;  // counts or sizes that lie; the whole packet is dropped
  std::uint64_t samples_ignored = 0;          // of no subscription of ours, or not of its length
  std::uint64_t samples_dropped = 0;          // pushed out of the full inbox by newer ones
};

// A request on its way.
struct RequestId {
  std::uint32_t invoke_id = 0;
};

// What a request is for, to report in errors.
struct Purpose {
  Command command{};
  std::uint32_t group = 0;
  std::uint32_t offset = 0;
  bool changes = false;  // something in the device, so that silence leaves the outcome unknown
};

// True when the request was sent and no answer came, so that no one knows whether the device did it.
bool outcome_unknown(const Error& error);

// Once the connection is lost or its bytes make no sense, every call gives that error.
class Exchange {
 public:
  static Result<Exchange> connect(const Peer& peer, Instant deadline, net::Tap* tap);
  // Over a connection that is there already.
  Exchange(net::TcpSocket connected, const Peer& peer);

  template <typename Request>
  Result<RequestId> begin(const Purpose& purpose, const Request& request, Instant deadline) {
    auto begun = prepare(purpose);
    if (!begun) return begun;
    append_frame(out_, header_of(purpose, *begun), request);
    return send(*begun, deadline);
  }
  // Of a request without payload.
  Result<RequestId> begin(const Purpose& purpose, Instant deadline);

  // The payload of the answer, valid until the next begin. After a time-out the request is forgotten, and its late
  // answer will be ignored.
  Result<Bytes> await(RequestId id, Instant deadline);

  // Waits for the answer without taking it: false when the deadline passes first, and the request stays on its way.
  Result<bool> answered(RequestId id, Instant deadline);
  // Gives the request up; a late answer will be ignored.
  void forget(RequestId id);

  // Reads what arrives until the deadline, once; false when nothing did. Also notices that the connection is gone.
  Result<bool> receive(Instant deadline);

  // Of a request that was begun, as long as its place has not been used again.
  Purpose purpose(RequestId id) const;
  std::string describe(RequestId id) const;
  // An answer that came and makes no sense.
  Error rejected(RequestId id, const std::string& why) const;

  Subscriptions& subscriptions() { return subscriptions_; }
  const AmsAddress& target() const { return target_; }
  const AmsAddress& own() const { return own_; }
  Counters counters() const;
  Duration round_trip() const { return round_trip_; }  // from request to answer, smoothed; 0 before the first answer
  const net::TcpSocket& socket() const { return socket_; }
  void close();

 private:
  struct Slot {
    Purpose purpose;
    std::uint32_t invoke_id = 0;
    bool waiting = false;
    bool answered = false;
    Instant sent;
    std::uint32_t ams_error = 0;
    Bytes payload;  // in the framer for as long as nothing more is read, then in `memory`
    std::vector<std::uint8_t> memory;
  };

  Result<RequestId> prepare(const Purpose& purpose);
  AmsHeader header_of(const Purpose& purpose, RequestId id) const;
  Result<RequestId> send(RequestId id, Instant deadline);
  Slot* find(RequestId id);

  Result<void> sort_packets(Instant received);
  void sort_answer(const Frame& frame, Instant received);
  static void keep(Slot& slot);

  Error lose(Error why);
  Error unanswered(const Slot& slot, const Error& why) const;
  std::string advice(Fault fault) const;

  net::TcpSocket socket_;
  std::string where_;
  AmsAddress target_;
  AmsAddress own_;
  Instant connected_at_;
  std::optional<Error> lost_;
  Framer framer_;
  std::optional<Instant> partial_since_;  // when the packet that is now arriving was first seen incomplete
  std::vector<std::uint8_t> out_;
  std::array<Slot, 32> slots_;
  std::optional<std::size_t> in_framer_;  // the slot whose payload is still there
  std::uint32_t last_invoke_id_ = 0;
  Subscriptions subscriptions_;
  std::uint64_t frames_ = 0;
  std::uint64_t answers_ignored_ = 0;
  Duration round_trip_{0};
};

}  // namespace tandem::ads
