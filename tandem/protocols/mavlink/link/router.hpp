// SPDX-License-Identifier: Apache-2.0
// Several links as one: every frame goes on to where it is meant to go, and to us. For one thread.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "tandem/protocols/mavlink/link/link.hpp"

namespace tandem::mavlink {

// Forwards as MAVLink routing says: what names no one goes to all other links; what names a system goes to the links
// where that system was received, and with a component to those where that one was. Never back to where it came from,
// and a frame that comes again by another way is dropped. Frames pass unchanged, sequence and signature included.
class Router final : public Outlet {
 public:
  static constexpr std::size_t most_links = 16;

  explicit Router(Address own = {255, 190}) : own_(own) {}

  // The link's number, or an error when there are too many. Its own address should be ours.
  Result<std::size_t> add(Link link);
  Link& link(std::size_t number) { return *links_[number]; }
  std::size_t size() const { return links_.size(); }

  struct Received {
    Frame frame;
    std::size_t link = 0;
  };
  // The next frame of any link, already passed on to the others; nothing when none came before the deadline. It is
  // given to all, whatever they name: Frame::meant_for decides.
  std::optional<Received> receive(Instant deadline);

  // From us, to where it is meant to go.
  bool send_payload(const MessageInfo& info, Bytes payload) override;

  struct Counters {
    std::uint64_t forwarded = 0;  // to one link each
    std::uint64_t repeated = 0;   // came again by another way; dropped
    std::uint64_t nowhere = 0;    // names a system that was never received
  };
  const Counters& counters() const { return counters_; }

 private:
  using LinkSet = std::uint32_t;  // bit i: link i
  struct Route {
    Address source;
    LinkSet links = 0;
    Instant heard{};
  };
  struct Seen {
    std::uint64_t print = 0;
    Instant at{};
  };
  bool pass_on(const Frame& frame, std::size_t from, Instant time);
  bool seen_before(const Frame& frame, Instant time);
  void learn(const Address& source, std::size_t from, Instant time);
  LinkSet links_to(const Address& target) const;

  Address own_;
  std::vector<std::unique_ptr<Link>> links_;
  std::array<Route, 256> routes_{};
  std::size_t route_count_ = 0;
  std::array<Seen, 256> seen_{};
  std::size_t next_seen_ = 0;
  std::size_t turn_ = 0;
  std::vector<net::Watch> watches_;
  Counters counters_;
};

}  // namespace tandem::mavlink
