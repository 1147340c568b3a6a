// SPDX-License-Identifier: Apache-2.0
// A MAVLink link: frames in and messages out over UDP, TCP or a serial line, by one address. For one thread.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tandem/protocols/mavlink/link/channel.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/link/transport.hpp"

namespace tandem::mavlink {

struct LinkOptions {
  ChannelOptions channel{};
  Parser::Options parser{};
  net::Tap* tap = nullptr;
};

// Comes back by itself when the other end goes, and connections() then grows. Warm calls allocate nothing.
class Link final : public Outlet {
 public:
  // Bad addresses and taken ports are errors; a peer that is not there is not.
  static Result<Link> open(std::string_view address, const LinkOptions& options = {});
  static Result<Link> open(const LinkAddress& address, const LinkOptions& options = {});

  // The next frame that may be acted on, or nothing when none came before the deadline. It holds until the next call.
  // One in the past asks for what is there; so a caller with a budget counts frames.
  std::optional<Frame> receive(Instant deadline);

  bool send_payload(const MessageInfo& info, Bytes payload) override;
  // From another address that is ours as well; its user keeps its sequence.
  bool send_payload_from(const Address& source, std::uint8_t& sequence, const MessageInfo& info, Bytes payload);
  // another client's frame, as it is.
  bool forward(const Frame& frame);

  // For those who wait for several links: what to wait for, and until when at most.
  Instant watch(std::vector<net::Watch>& watches) const;

  LinkState state() const { return transport_->state(); }
  std::uint64_t connections() const { return transport_->connections(); }
  const std::string& trouble() const { return transport_->trouble(); }
  net::Endpoint local() const { return transport_->local(); }
  const LinkAddress& address() const { return address_; }
  const Channel& channel() const { return channel_; }
  Parser::Counters parser_counters() const;         // of all peers together
  std::uint64_t unsent() const { return unsent_; }  // frames that could not leave

 private:
  Link(LinkAddress address, const LinkOptions& options, std::unique_ptr<Transport> transport);
  std::optional<Frame> take(Instant now);
  std::optional<Frame> parsed();
  std::optional<Frame> given_up(Instant now);
  bool may_act_on(const Frame& frame);
  bool read_piece(Instant now);
  bool write(Bytes frame);

  struct Peer {
    explicit Peer(const Parser::Options& options) : parser(options) {}
    Parser parser;
    Instant heard{};
  };

  LinkAddress address_;
  bool pass_unknown_;
  Parser::Options parser_options_;
  Channel channel_;
  std::unique_ptr<Transport> transport_;
  std::vector<std::unique_ptr<Peer>> peers_;  // one for every place of the transport, made when first needed
  std::vector<std::uint8_t> piece_;           // as large as the largest datagram
  Bytes left_;                                // of it, not yet parsed
  std::size_t current_ = 0;                   // whose it is
  bool datagram_ = false;
  std::vector<net::Watch> watches_;
  FrameBuffer out_;
  std::uint64_t unsent_ = 0;
};

}  // namespace tandem::mavlink
