#include "tandem/protocols/ur/outbox.hpp"

#include <algorithm>

namespace tandem::ur {

void Outbox::push(Bytes packet) {
  // A client that reads slowly but never stops leaves something lying for ever: what it has taken makes room.
  if (sent_ > most_unsent_) {
    const std::size_t taken = sent_;
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken));
    ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(next_));
    std::ranges::for_each(ends_, [taken](std::size_t& end) { end -= taken; });
    next_ = sent_ = 0;
  }
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

Result<bool> Outbox::flush(net::TcpSocket& socket) {
  bool moved = false;
  while (next_ < ends_.size() || (!bytes_.empty() && promote())) {
    const auto count = socket.write_now(Bytes(bytes_).subspan(sent_, ends_[next_] - sent_));
    if (!count) return count.error();
    if (*count == 0) return moved;
    moved = true;
    sent_ += *count;
    if (sent_ == ends_[next_]) ++next_;
  }
  return moved;
}

std::vector<std::uint8_t> Outbox::take() {
  std::vector<std::uint8_t> all(bytes_.begin() + static_cast<std::ptrdiff_t>(sent_), bytes_.end());
  all.insert(all.end(), newest_.begin(), newest_.end());
  newest_.clear();
  promote();
  return all;
}

}  // namespace tandem::ur
