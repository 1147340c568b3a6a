// SPDX-License-Identifier: Apache-2.0
// What a client sends, up to its farewell; all in the loop's thread.
#include <algorithm>

#include "tandem/protocols/mqtt/impl.hpp"

namespace tandem::mqtt {
namespace {

constexpr std::size_t most_unacknowledged = 20;  // QoS 1 and 2; what libmosquitto sends at a time
constexpr int most_at_once = 256;                // messages of one client before others have their turn

}  // namespace

// Hands on what waits, as long as the library has nothing left to write: what waits there has no bound.
void Client::Impl::pump(Instant now) {
  for (int i = 0; i < most_at_once; ++i) {
    if (handle_->socket() < 0 || handle_->wants_write() || handle_->unacknowledged() >= most_unacknowledged) break;
    Message message;
    {
      const std::lock_guard lock(mutex);
      if (waiting.empty()) break;
      message = std::move(waiting.front());
      waiting.pop_front();
      waiting_bytes -= std::min(waiting_bytes, message.topic.size() + message.payload.size());
    }
    const auto sent = handle_->publish(message);
    {
      const std::lock_guard lock(mutex);
      ++(sent ? counters.sent : counters.dropped);
      if (!sent && sent.error().fault == Fault::invalid) counters.trouble = sent.error().text;
    }
    if (!sent && sent.error().fault != Fault::invalid) {
      if (stage_ == Stage::leaving) return finish_leaving(now);
      return fail(now, sent.error().text);
    }
  }
  if (stage_ == Stage::leaving) {
    bool empty = false;
    {
      const std::lock_guard lock(mutex);
      empty = waiting.empty();
    }
    const bool written = empty && !handle_->wants_write();
    if (written) handle_->disconnect();
    if (handle_->socket() < 0 || now >= deadline_ || (written && !handle_->wants_write())) return finish_leaving(now);
  } else {
    const std::lock_guard lock(mutex);
    if (!waiting.empty() && !handle_->wants_write() && handle_->unacknowledged() < most_unacknowledged &&
        !std::exchange(queued, true))
      loop.notice(*this);  // others have their turn first
  }
  watch();
}

void Client::Impl::leave_now(Instant now) {
  bool for_ever = false;
  {
    const std::lock_guard lock(mutex);
    for_ever = leave_wished;
    restart_wished = false;
    deadline_ = leave_until;
    if (stage_ == Stage::live) {
      for (Message& message : farewell) waiting.push_back(std::move(message));
    }
    farewell.clear();
  }
  comes_back_ = !for_ever;
  if (stage_ == Stage::live) {
    stage_ = Stage::leaving;
    next_misc_ = now;
    return;
  }
  if (for_ever) finish_leaving(now);  // a restart of what is only connecting changes nothing
}

void Client::Impl::finish_leaving(Instant now) {
  const bool was_live = stage_ == Stage::leaving;
  unwatch();
  handle_.reset();
  const std::size_t unsent = drop_waiting();
  {
    const std::lock_guard lock(mutex);
    counters.connected = false;
    counters.dropped += unsent;
    counters.trouble = comes_back_ ? "connecting again" : "";
  }
  if (was_live && callbacks.lost) callbacks.lost(comes_back_ ? "left, to connect again" : "left");
  if (comes_back_) return rest(now);
  stage_ = Stage::gone;
  const std::lock_guard lock(mutex);
  away = true;
  left.notify_all();
}

std::size_t Client::Impl::drop_waiting() {
  const std::lock_guard lock(mutex);
  const std::size_t count = waiting.size();
  waiting.clear();
  waiting_bytes = 0;
  online = false;
  return count;
}

}  // namespace tandem::mqtt
