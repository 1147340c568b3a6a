// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>

#include "tandem/protocols/mqtt/impl.hpp"

namespace tandem::mqtt {
namespace {

BrokerUrl checked_url(const BrokerOptions& broker) {
  auto url = parse_broker(broker.url);
  if (!url) throw std::invalid_argument(fmt::format("MQTT broker: {}", url.error().text));
  return *std::move(url);
}

int checked_keep_alive(std::chrono::seconds keep_alive) {
  if (keep_alive < shortest_keep_alive || keep_alive.count() > 65535)
    throw std::invalid_argument(fmt::format("MQTT keep-alive: expected {} to 65535 s, got {} s",
                                            shortest_keep_alive.count(), keep_alive.count()));
  return static_cast<int>(keep_alive.count());
}

std::size_t size_of(const Message& message) { return message.topic.size() + message.payload.size(); }

}  // namespace

Client::Client(Loop& loop, const BrokerOptions& broker, std::string client_id, std::chrono::seconds keep_alive,
               Callbacks callbacks)
    : impl_(std::make_shared<Impl>(*loop.impl_, broker, std::move(client_id), keep_alive, std::move(callbacks))) {
  impl_->loop.add(impl_);
}

Client::~Client() { impl_->loop.remove(*impl_); }

bool Client::publish(Message message) { return impl_->publish(std::move(message)); }

void Client::leave(std::vector<Message> farewell, Instant deadline) {
  impl_->wish(false, std::move(farewell), deadline);
  std::unique_lock lock(impl_->mutex);
  // The loop ends it at the deadline; a moment more for that.
  impl_->left.wait_until(lock, deadline + 200ms, [&] { return impl_->away; });
}

void Client::restart(std::vector<Message> farewell) { impl_->wish(true, std::move(farewell), now() + 2s); }

std::size_t Client::waiting() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->waiting.size();
}

Counters Client::counters() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->counters;
}

Client::Impl::Impl(Loop::Impl& its_loop, const BrokerOptions& its_broker, std::string its_id,
                   std::chrono::seconds its_keep_alive, Callbacks its_callbacks)
    : loop(its_loop),
      broker(its_broker),
      url(checked_url(its_broker)),
      client_id(std::move(its_id)),
      keep_alive(checked_keep_alive(its_keep_alive)),
      callbacks(std::move(its_callbacks)),
      backoff_(std::hash<std::string>{}(client_id) ^ static_cast<std::uint64_t>(now().time_since_epoch().count())),
      away_since_(now()) {
  counters.trouble = "connecting";
}

bool Client::Impl::publish(Message message) {
  std::unique_lock lock(mutex);
  const std::size_t size = size_of(message);
  if (!online) return false;
  if (waiting.size() >= most_waiting || waiting_bytes + size > most_waiting_bytes) {
    ++counters.dropped;
    return false;
  }
  waiting_bytes += size;
  waiting.push_back(std::move(message));
  const bool first = !std::exchange(queued, true);
  lock.unlock();  // or the loop's thread would wake only to wait for it
  if (first) loop.notice(*this);
  return true;
}

void Client::Impl::wish(bool come_back, std::vector<Message> last, Instant deadline) {
  std::unique_lock lock(mutex);
  if (leave_wished) return;  // that is for ever
  (come_back ? restart_wished : leave_wished) = true;
  if (!come_back) restart_wished = false;
  online = false;
  farewell = std::move(last);
  leave_until = deadline;
  const bool first = !std::exchange(queued, true);
  lock.unlock();
  if (first) loop.notice(*this);
}

}  // namespace tandem::mqtt
