// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/codec/signing.hpp"

#include <algorithm>
#include <cstring>

#include "tandem/base/sha256.hpp"

namespace tandem::mavlink {
namespace {

constexpr SigningTime last_signing_time = (SigningTime{1} << 48) - 1;
constexpr std::size_t signing_time_at = 1;  // in the 13 bytes
constexpr std::size_t signing_hash_at = 7;

SigningTime read_signing_time(Bytes signature) {
  SigningTime time = 0;
  for (std::size_t i = 0; i < 6; ++i) time |= SigningTime{signature[signing_time_at + i]} << (8 * i);
  return time;
}

}  // namespace

const char* name(SigningVerdict verdict) {
  switch (verdict) {
    case SigningVerdict::good:
      return "good";
    case SigningVerdict::unsigned_allowed:
      return "unsigned, allowed";
    case SigningVerdict::unsigned_refused:
      return "unsigned, refused";
    case SigningVerdict::wrong_signature:
      return "wrong signature";
    case SigningVerdict::old:
      return "old";
    case SigningVerdict::ahead:
      return "timestamp in the future";
    case SigningVerdict::crowded:
      return "too many signing streams";
  }
  return "unknown";
}

SigningTime signing_time_from_utc(UtcTime utc) {
  using namespace std::chrono;
  constexpr UtcTime epoch = sys_days{year{2015} / 1 / 1};
  if (utc <= epoch) return 0;
  return std::min(static_cast<SigningTime>(duration_cast<microseconds>(utc - epoch).count() / 10), last_signing_time);
}

Signing::Signing(SigningOptions options) : options_(std::move(options)) {
  time_ = options_.remembered;
  reserved_ = options_.remembered;
}

SigningVerdict Signing::check(const Frame& frame, UtcTime now) {
  const SigningVerdict verdict = judge(frame, now);
  ++counts_[static_cast<std::size_t>(verdict)];
  return verdict;
}

SigningVerdict Signing::judge(const Frame& frame, UtcTime now) {
  if (frame.signature.size() != signature_size) {
    const auto& ids = options_.unsigned_ids;
    const bool allowed = options_.allow_unsigned || std::find(ids.begin(), ids.end(), frame.id) != ids.end();
    return allowed ? SigningVerdict::unsigned_allowed : SigningVerdict::unsigned_refused;
  }
  const Hash expected = hash(frame.bytes.first(frame.bytes.size() - sizeof(Hash)));
  std::uint8_t different = 0;  // all bytes are looked at, so that time reports nothing
  for (std::size_t i = 0; i < expected.size(); ++i)
    different = static_cast<std::uint8_t>(different | (expected[i] ^ frame.signature[signing_hash_at + i]));
  if (different != 0) return SigningVerdict::wrong_signature;
  advance(signing_time_from_utc(now));
  return judge_time(frame.signature[0], frame.source, read_signing_time(frame.signature));
}

SigningVerdict Signing::judge_time(std::uint8_t link, Address source, SigningTime time) {
  if (options_.most_ahead != 0 && time > time_ + options_.most_ahead) return SigningVerdict::ahead;
  const auto end = streams_.begin() + static_cast<std::ptrdiff_t>(stream_count_);
  auto stream = std::find_if(streams_.begin(), end,
                             [&](const Stream& known) { return known.link == link && known.source == source; });
  if (stream == end) {
    if (time + 60 * signing_second < time_) return SigningVerdict::old;
    if (stream_count_ == streams_.size()) return SigningVerdict::crowded;
    *stream = {link, source, time};
    ++stream_count_;
  } else if (time <= stream->last) {
    return SigningVerdict::old;
  }
  stream->last = time;
  advance(time);
  return SigningVerdict::good;
}

Bytes Signing::sign(FrameBuffer& buffer, UtcTime now) {
  advance(std::max(signing_time_from_utc(now), std::min(time_ + 1, last_signing_time)));
  std::uint8_t* const at = buffer.data.data() + buffer.size;
  at[0] = options_.link;
  for (std::size_t i = 0; i < 6; ++i) at[signing_time_at + i] = static_cast<std::uint8_t>(time_ >> (8 * i));
  const Hash signature = hash({buffer.data.data(), buffer.size + signing_hash_at});
  std::memcpy(at + signing_hash_at, signature.data(), signature.size());
  buffer.size += signature_size;
  return buffer.bytes();
}

Signing::Hash Signing::hash(Bytes until_time) const {
  std::array<std::uint8_t, sizeof(SigningKey) + longest_frame> input{};
  std::memcpy(input.data(), options_.key.data(), options_.key.size());
  std::memcpy(input.data() + options_.key.size(), until_time.data(), until_time.size());
  const auto whole = sha256({input.data(), options_.key.size() + until_time.size()});
  Hash first{};
  std::copy_n(whole.begin(), first.size(), first.begin());
  return first;
}

void Signing::advance(SigningTime time) {
  time_ = std::max(time_, time);
  if (time_ <= reserved_) return;
  reserved_ = time_ + 10 * signing_second;
  if (options_.remember) options_.remember(reserved_);
}

}  // namespace tandem::mavlink
