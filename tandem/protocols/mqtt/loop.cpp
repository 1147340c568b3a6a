// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <signal.h>

#include <algorithm>

#include "tandem/protocols/mqtt/impl.hpp"

namespace tandem::mqtt {
namespace {

constexpr Duration longest_sleep = 500ms;

}  // namespace

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

Loop::Impl::Impl() {
  if (bell_.fd() < 0 || !poller.add(bell_.fd(), nullptr))
    throw std::system_error(EMFILE, std::generic_category(), "MQTT: no descriptor left");
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Loop::Impl::~Impl() {
  thread_.request_stop();
  bell_.ring();
  thread_.join();
  Handle::wait_for_openers(now() + 1s);
}

void Loop::Impl::add(std::shared_ptr<Client::Impl> client) {
  const std::lock_guard lock(mutex_);
  added_.push_back(std::move(client));
  bell_.ring();
}

void Loop::Impl::remove(const Client::Impl& client) {
  std::unique_lock lock(mutex_);
  removed_.push_back(&client);
  bell_.ring();
  ended_.wait(lock, [&] { return std::ranges::find(removed_, &client) == removed_.end(); });
}

void Loop::Impl::notice(Client::Impl& client) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    noticed_.push_back(&client);
    first = noticed_.size() == 1;
  }
  if (first && !in_loop()) bell_.ring();
}

void Loop::Impl::take_changes() {
  std::vector<const Client::Impl*> leaving;
  {
    const std::lock_guard lock(mutex_);
    if (!added_.empty()) next_care_ = {};
    std::move(added_.begin(), added_.end(), std::back_inserter(clients_));
    added_.clear();
    leaving = removed_;
    for (const Client::Impl* gone : leaving) std::erase(noticed_, gone);
    working_.swap(noticed_);
  }
  if (leaving.empty()) return;
  // Without the lock: a client's own lock comes first everywhere.
  for (const Client::Impl* gone : leaving) {
    const auto client = std::ranges::find(clients_, gone, [](const auto& each) { return each.get(); });
    if (client == clients_.end()) continue;
    (*client)->end();
    clients_.erase(client);
  }
  const std::lock_guard lock(mutex_);
  for (const Client::Impl* gone : leaving) std::erase(removed_, gone);
  ended_.notify_all();
}

void Loop::Impl::serve(Instant now) {
  for (Client::Impl* client : working_) next_care_ = std::min(next_care_, client->noticed(now));
  working_.clear();
  if (now < next_care_) return;
  next_care_ = now + longest_sleep;
  for (const auto& client : clients_) next_care_ = std::min(next_care_, client->advance(now));
}

void Loop::Impl::run(const std::stop_token& stop) {
  ::pthread_setname_np(::pthread_self(), "mqtt");
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (!stop.stop_requested()) {
    take_changes();
    serve(now());
    bool more = false;
    {
      const std::lock_guard lock(mutex_);
      more = !noticed_.empty();  // by callbacks, which do not ring
    }
    const Instant until = more ? now() : std::min(next_care_, now() + longest_sleep);
    for (void* key : poller.wait(until)) {
      if (key == nullptr) {
        bell_.silence();
        continue;
      }
      next_care_ = std::min(next_care_, static_cast<Client::Impl*>(key)->ready(now()));
    }
  }
  for (const auto& client : clients_) client->end();
}

}  // namespace tandem::mqtt
