// SPDX-License-Identifier: Apache-2.0
// MAVLink 2 signing: frames carry a keyed hash and a time that only ever grows, so no other client can make or repeat
// one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"

namespace tandem::mavlink {

using SigningKey = std::array<std::uint8_t, 32>;

// Tens of microseconds since 2015-01-01 00:00 UTC, 48 bits of them.
using SigningTime = std::uint64_t;
SigningTime signing_time_from_utc(UtcTime utc);

inline constexpr SigningTime signing_second = 100'000;

// What became of a received frame. Only the first two may be acted on.
enum class SigningVerdict : std::uint8_t {
  good,
  unsigned_allowed,  // by policy
  unsigned_refused,
  wrong_signature,  // another key, or changed on the way
  old,              // not newer than the last of its stream, or a new stream more than a minute behind us
  ahead,            // more than a minute ahead of us
  crowded,          // more streams than are kept apart
};
const char* name(SigningVerdict verdict);
constexpr bool may_act(SigningVerdict verdict) { return verdict <= SigningVerdict::unsigned_allowed; }

struct SigningOptions {
  SigningKey key{};
  std::uint8_t link = 0;                                // tells the links of one sender apart
  bool allow_unsigned = false;                          // take all unsigned frames
  std::vector<std::uint32_t> unsigned_ids = {109};      // or these; a radio cannot sign its RADIO_STATUS
  SigningTime most_ahead = 60 * signing_second;         // of our time; 0 for no limit
  SigningTime remembered = 0;                           // what `remember` was last given, in an earlier life
  std::function<void(SigningTime)> remember = nullptr;  // keeps it on disk; called about every ten seconds
};

class Signing {
 public:
  explicit Signing(SigningOptions options);

  // Judges a frame whose checksum holds.
  SigningVerdict check(const Frame& frame, UtcTime now);

  // Appends the signature to a version 2 frame that was finished with will_be_signed.
  Bytes sign(FrameBuffer& buffer, UtcTime now);

  // The newest time sent or received.
  SigningTime time() const { return time_; }
  std::uint64_t count(SigningVerdict verdict) const { return counts_[static_cast<std::size_t>(verdict)]; }

 private:
  struct Stream {
    std::uint8_t link = 0;
    Address source;
    SigningTime last = 0;
  };
  using Hash = std::array<std::uint8_t, 6>;
  SigningVerdict judge(const Frame& frame, UtcTime now);
  SigningVerdict judge_time(std::uint8_t link, Address source, SigningTime time);
  Hash hash(Bytes until_time) const;
  void advance(SigningTime time);

  SigningOptions options_;
  SigningTime time_ = 0;
  SigningTime reserved_ = 0;  // given to `remember`; nothing later than this is ever sent
  std::array<Stream, 64> streams_{};
  std::size_t stream_count_ = 0;
  std::array<std::uint64_t, 7> counts_{};
};

}  // namespace tandem::mavlink
