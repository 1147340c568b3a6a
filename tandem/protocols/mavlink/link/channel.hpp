// SPDX-License-Identifier: Apache-2.0
// One end of a MAVLink conversation without its wire: who we are, which frames count, and how ours are made.
#pragma once

#include <optional>

#include "tandem/protocols/mavlink/codec/sequence.hpp"
#include "tandem/protocols/mavlink/codec/signing.hpp"

namespace tandem::mavlink {

enum class VersionPolicy : std::uint8_t {
  follow,  // what was last received, as autopilots do; version 2 until then
  v1,
  v2,
};

struct ChannelOptions {
  Address own{255, 190};  // a ground station; an onboard computer is {the vehicle's system, 191}
  VersionPolicy version = VersionPolicy::follow;
  bool drop_duplicates = true;
  std::optional<SigningOptions> signing{};  // then everything is signed, in version 2
  const Clock* clock = nullptr;             // null for the system's
};

class Channel {
 public:
  explicit Channel(ChannelOptions options);

  struct Counters {
    std::uint64_t received = 0;            // frames that may be acted on
    std::uint64_t sent = 0;                // frames made
    std::uint64_t duplicates = 0;          // dropped
    std::uint64_t unsigned_or_forged = 0;  // dropped; Signing tells them apart
    std::uint64_t with_our_address = 0;    // another client uses it, or our own frames come back; dropped
    std::uint64_t too_new_for_v1 = 0;      // sent in version 2 to a peer that speaks version 1
  };

  // Whether the frame may be acted on; if not, it has been counted and is to be forgotten.
  bool admit(const Frame& frame);
  // A whole frame that cannot be read, as of an unknown message: it is no loss, so its sequence number counts.
  void overheard(const Frame& frame);
  // How the last frame that admit() was asked about came.
  Arrival arrival() const { return arrival_; }

  // The next frame to send, in `buffer`.
  Bytes make(FrameBuffer& buffer, const MessageInfo& info, Bytes payload);
  // The same from another address that is ours as well; its user counts its frames.
  Bytes make_from(const Address& source, std::uint8_t& sequence, FrameBuffer& buffer, const MessageInfo& info,
                  Bytes payload);

  Version version() const { return version_; }
  const Address& own() const { return options_.own; }
  const Counters& counters() const { return counters_; }
  const SequenceWatch& senders() const { return senders_; }
  const Signing* signing() const { return signing_ ? &*signing_ : nullptr; }
  // The other end is a new one: its sequence numbers restart. What signing has seen is kept.
  void restart();
  // One more speaks on this link, maybe under an address that was received before. What was counted is kept.
  void joined() { senders_.begin_anew(); }

 private:
  ChannelOptions options_;
  const Clock* clock_;
  std::optional<Signing> signing_;
  SequenceWatch senders_;
  Arrival arrival_ = Arrival::first;
  Version version_ = Version::v2;
  std::uint8_t sequence_ = 0;
  Counters counters_;
};

}  // namespace tandem::mavlink
