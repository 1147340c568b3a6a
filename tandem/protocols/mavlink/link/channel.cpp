// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/link/channel.hpp"

#include <algorithm>
#include <cstring>

namespace tandem::mavlink {

Channel::Channel(ChannelOptions options)
    : options_(std::move(options)), clock_(options_.clock != nullptr ? options_.clock : &system_clock()) {
  if (options_.signing) signing_.emplace(*options_.signing);
  if (options_.version == VersionPolicy::v1 && !signing_) version_ = Version::v1;
}

bool Channel::admit(const Frame& frame) {
  if (signing_ && !may_act(signing_->check(frame, clock_->utc()))) {
    ++counters_.unsigned_or_forged;
    return false;
  }
  if (frame.source == options_.own) {
    ++counters_.with_our_address;
    return false;
  }
  arrival_ = senders_.arrived(frame, clock_->now());
  if (arrival_ == Arrival::duplicate && options_.drop_duplicates) {
    ++counters_.duplicates;
    return false;
  }
  if (options_.version == VersionPolicy::follow && frame.verified && !signing_) version_ = frame.version;
  ++counters_.received;
  return true;
}

// Nothing says for certain whose it is, so it makes no sender known.
void Channel::overheard(const Frame& frame) {
  if (signing_ && !frame.is_signed()) return;
  if (senders_.find(frame.source) != nullptr) static_cast<void>(senders_.arrived(frame, clock_->now()));
}

Bytes Channel::make(FrameBuffer& buffer, const MessageInfo& info, Bytes payload) {
  return make_from(options_.own, sequence_, buffer, info, payload);
}

Bytes Channel::make_from(const Address& source, std::uint8_t& sequence, FrameBuffer& buffer, const MessageInfo& info,
                         Bytes payload) {
  Header header{version_, sequence, source, signing_.has_value()};
  if (version_ == Version::v1 && info.id > 255) {
    header.version = Version::v2;
    ++counters_.too_new_for_v1;
  }
  std::uint8_t* const at = buffer.data.data() + (header.version == Version::v2 ? header_v2 : header_v1);
  const std::size_t given = std::min<std::size_t>(payload.size(), info.full_size);
  if (given > 0) std::memcpy(at, payload.data(), given);
  std::memset(at + given, 0, info.full_size - given);
  const Bytes finished = finish_frame(buffer, header, info);
  ++sequence;
  ++counters_.sent;
  return signing_ ? signing_->sign(buffer, clock_->utc()) : finished;
}

void Channel::restart() { senders_.clear(); }

}  // namespace tandem::mavlink
