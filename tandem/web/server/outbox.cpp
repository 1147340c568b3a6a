// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/server/outbox.hpp"

namespace tandem::web {

void Outbox::drop_oldest() {
  bytes_ -= data_.front().waiting.size();
  data_.pop_front();
  ++dropped_;
}

bool Outbox::put(Waiting waiting) {
  const std::size_t size = waiting.size();
  const bool droppable = waiting.frame.droppable;
  if (droppable && (most_messages_ == 0 || size > most_bytes_)) {
    ++dropped_;
    return true;
  }
  while (!data_.empty() && (bytes_ + size > most_bytes_ || (droppable && data_.size() >= most_messages_))) {
    drop_oldest();
  }
  if (bytes_ + size > most_bytes_) {
    if (droppable) ++dropped_;
    return droppable;
  }
  bytes_ += size;
  if (!droppable) kept_bytes_ += size;
  (droppable ? data_ : kept_).push_back({++last_, std::move(waiting)});
  return true;
}

void Outbox::clear() {
  dropped_ += data_.size();
  kept_.clear();
  data_.clear();
  bytes_ = kept_bytes_ = 0;
}

std::deque<Outbox::Entry>* Outbox::next() {
  if (kept_.empty()) return data_.empty() ? nullptr : &data_;
  return data_.empty() || kept_.front().number < data_.front().number ? &kept_ : &data_;
}

void Outbox::take(std::vector<Waiting>& into, std::size_t bytes, std::size_t frames) {
  std::size_t taken = 0;
  for (std::size_t count = 0; count == 0 || count < frames; ++count) {
    std::deque<Entry>* from = next();
    if (from == nullptr) return;
    const std::size_t size = from->front().waiting.size();
    if (count > 0 && taken + size > bytes) return;
    into.push_back(std::move(from->front().waiting));
    from->pop_front();
    bytes_ -= size;
    if (from == &kept_) kept_bytes_ -= size;
    taken += size;
  }
}

}  // namespace tandem::web
