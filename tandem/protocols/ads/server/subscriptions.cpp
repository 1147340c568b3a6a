// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/subscriptions.hpp"

#include <algorithm>

namespace tandem::ads {
namespace {

bool on_change(TransMode mode) {
  return mode == TransMode::server_on_change || mode == TransMode::server_on_change_2 ||
         mode == TransMode::client_on_change;
}

bool is_variable(const Source& source) {
  return source.kind == Source::Kind::bytes || source.kind == Source::Kind::bits;
}

}  // namespace

void ServerSubscriptions::add(std::uint32_t handle, const AmsAddress& client, const AmsAddress& server,
                              const Source& source, const Schedule& schedule) {
  Subscriber& subscriber = subscribers_[{client, server}];
  subscriber.header = {.target = client, .source = server, .command = Command::notification};
  Subscription made;
  made.handle = handle;
  made.source = source;
  made.schedule = schedule;
  made.due = never;  // until its first sample
  subscriber.list.push_back(std::move(made));
  where_[handle] = {&subscriber, subscriber.list.size() - 1};
  fresh_.push_back(handle);
  watched_ += source.length;
}

bool ServerSubscriptions::remove(std::uint32_t handle) {
  const auto found = where_.find(handle);
  if (found == where_.end()) return false;
  const auto [subscriber, index] = found->second;
  where_.erase(found);
  watched_ -= subscriber->list[index].source.length;
  if (index + 1 != subscriber->list.size()) {
    subscriber->list[index] = std::move(subscriber->list.back());
    where_[subscriber->list[index].handle].index = index;
  }
  subscriber->list.pop_back();
  if (subscriber->list.empty()) subscribers_.erase({subscriber->header.target, subscriber->header.source});
  return true;
}

void ServerSubscriptions::remove_all_on(std::uint16_t ams_port) {
  for (auto at = subscribers_.begin(); at != subscribers_.end();) {
    if (at->first.second.port != ams_port) {
      ++at;
      continue;
    }
    for (const Subscription& subscription : at->second.list) {
      where_.erase(subscription.handle);
      watched_ -= subscription.source.length;
    }
    at = subscribers_.erase(at);
  }
}

void ServerSubscriptions::first_samples(const Device& device, const Moment& moment, const Send& send) {
  for (const std::uint32_t handle : fresh_) {
    const auto found = where_.find(handle);
    if (found == where_.end()) continue;
    const auto [subscriber, index] = found->second;
    Subscription& subscription = subscriber->list[index];
    look(device, *subscriber, subscription, moment, send);
    subscriber->due = std::min(subscriber->due, subscription.due);
    subscriber->flush = std::min(subscriber->flush, moment.cycle);
  }
  for (const std::uint32_t handle : fresh_)
    if (const auto found = where_.find(handle); found != where_.end()) flush(*found->second.subscriber, send);
  fresh_.clear();
}

void ServerSubscriptions::cycle(const Device& device, const Moment& moment, const Send& send) {
  const bool runs = device.plc_state() == AdsState::run;
  for (auto& [key, subscriber] : subscribers_) {
    if (subscriber.due <= moment.cycle) {
      std::uint64_t next = never;
      for (Subscription& subscription : subscriber.list) {
        // A stopped PLC has no cycles in which variables are looked at; its state and version are reported all the
        // same.
        const bool asleep = !runs && is_variable(subscription.source);
        if (subscription.due <= moment.cycle && !asleep) look(device, subscriber, subscription, moment, send);
        next = std::min(next, subscription.due);
      }
      subscriber.due = next;
    }
    if (subscriber.flush <= moment.cycle) flush(subscriber, send);
  }
}

void ServerSubscriptions::look(const Device& device, Subscriber& subscriber, Subscription& subscription,
                               const Moment& moment, const Send& send) {
  const bool once = subscription.schedule.mode == TransMode::client_one_request;
  subscription.due = once ? never : moment.cycle + subscription.schedule.period;
  const Bytes seen = device.look(subscription.source, scratch_);
  if (seen.size() != subscription.source.length) return;  // the symbol has gone
  if (on_change(subscription.schedule.mode)) {
    if (subscription.sent && std::ranges::equal(seen, subscription.last)) return;
    subscription.last.assign(seen.begin(), seen.end());
  }
  subscription.sent = true;

  if (subscriber.open && subscriber.open->size() + seen.size() > longest_frame) flush(subscriber, send);
  if (!subscriber.open) {
    subscriber.pending.clear();
    begin_frame(subscriber.pending, subscriber.header);
    subscriber.open.emplace(subscriber.pending);
    subscriber.stamped = never;
  }
  if (subscriber.stamped != moment.cycle) subscriber.open->stamp(moment.stamp);
  subscriber.stamped = moment.cycle;
  subscriber.open->sample(subscription.handle, seen);
  subscriber.flush = std::min(subscriber.flush, moment.cycle + subscription.schedule.max_delay);
}

void ServerSubscriptions::flush(Subscriber& subscriber, const Send& send) {
  subscriber.flush = never;
  if (!subscriber.open) return;
  subscriber.open->finish();
  subscriber.open.reset();
  finish_frame(subscriber.pending, 0);
  send(subscriber.pending);
}

}  // namespace tandem::ads
