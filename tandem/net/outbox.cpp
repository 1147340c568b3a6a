// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/outbox.hpp"

#include <algorithm>

namespace tandem::net {

void Outbox::push(Bytes packet) {
  bytes_.insert(bytes_.end(), packet.begin(), packet.end());
  ends_.push_back(bytes_.size());
}

void Outbox::send(Bytes packet) {
  if (packet.empty()) return;
  if (unsent() + packet.size() > most_unsent_) {
    if (lossy_) ++dropped_;
    overflowed_ = !lossy_;
    return;
  }
  push(packet);
}

void Outbox::send_newest(Bytes packet) {
  if (packet.empty()) return;
  if (bytes_.empty()) return push(packet);
  if (!newest_.empty()) ++dropped_;
  newest_.assign(packet.begin(), packet.end());
}

// Once everything has left, the newest sample is next. True when there is one.
bool Outbox::promote() {
  bytes_.clear();
  ends_.clear();
  next_ = sent_ = 0;
  if (newest_.empty()) return false;
  push(newest_);
  newest_.clear();
  return true;
}

// A client that reads slowly but never stops always leaves something: what it has taken makes room.
void Outbox::forget_sent() {
  if (sent_ <= bytes_.size() / 2) return;
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(sent_));
  ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(next_));
  for (std::size_t& end : ends_) end -= sent_;
  next_ = sent_ = 0;
}

Result<bool> Outbox::flush(TcpSocket& socket) {
  bool moved = false;
  while (sent_ < bytes_.size() || promote()) {
    const std::size_t end = next_ < ends_.size() ? ends_[next_] : bytes_.size();
    const auto count = socket.write_now(Bytes(bytes_).subspan(sent_, end - sent_));
    if (!count) return count.error();
    if (*count == 0) break;
    moved = true;
    sent_ += *count;
    if (sent_ == end && next_ < ends_.size()) ++next_;
  }
  forget_sent();
  return moved;
}

std::vector<std::uint8_t> Outbox::take() {
  std::vector<std::uint8_t> all(bytes_.begin() + static_cast<std::ptrdiff_t>(sent_), bytes_.end());
  all.insert(all.end(), newest_.begin(), newest_.end());
  newest_.clear();
  promote();
  return all;
}

}  // namespace tandem::net
