// SPDX-License-Identifier: Apache-2.0
// Channels: who listens to what, and what they get.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/web/hub/impl.hpp"

namespace tandem::web {

namespace {

std::size_t text_bytes(const Channel& channel) {
  return channel.topic.size() + channel.schema_name.size() + channel.schema.size() + 100;
}

std::string skip_id(ChannelId channel) { return fmt::format("too-big-{}", channel); }

}  // namespace

std::pair<Body, ChannelId> Hub::Impl::channels_from(ChannelId first) const {
  std::vector<std::pair<ChannelId, const Channel*>> list;
  std::size_t bytes = 0;
  auto next = channels.lower_bound(first);
  for (; next != channels.end() && (list.empty() || bytes + text_bytes(next->second.channel) <= most_told_at_once);
       ++next) {
    list.emplace_back(next->first, &next->second.channel);
    bytes += text_bytes(next->second.channel);
  }
  if (list.empty()) return {nullptr, next_channel};
  const std::string text = foxglove::advertise(list);
  return {std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end()),
          next == channels.end() ? next_channel : next->first};
}

void Hub::Impl::tell_channels(ClientState& client) {
  const bool newcomer = client.sent_to == 0;
  if (newcomer && !advertised.first) advertised = channels_from(0);
  const auto [text, next] = newcomer ? advertised : channels_from(client.sent_to);
  client.sent_to = next;
  if (text) send(client.client.id, true, text);
}

// Once for each channel, until a message of it fits again.
void Hub::Impl::skip(ChannelId channel, ClientId client, std::size_t bytes) {
  ClientState* state = find(client);
  const auto found = channels.find(channel);
  if (state == nullptr || found == channels.end() || !state->too_big.insert(channel).second) return;
  const std::string text =
      fmt::format("{}: a message of {:.1f} MB is not sent; the maximum is {:.1f} MB", found->second.channel.topic,
                  static_cast<double>(bytes) / 1e6, static_cast<double>(outlet->largest()) / 1e6);
  send_text(client, foxglove::status(1, text, skip_id(channel)));
}

void Hub::Impl::end_skip(ChannelId channel, ClientId client) {
  ClientState* state = find(client);
  if (state != nullptr && state->too_big.erase(channel) > 0)
    send_text(client, foxglove::remove_status({skip_id(channel)}));
}

void Hub::Impl::offer(ChannelId id, const ChannelState& channel, const Subscriber& to, const Kept& message,
                      bool droppable) {
  ClientState* client = find(to.client);
  if (client == nullptr || outlet == nullptr || client->owed.contains(id)) return;
  const bool fits = droppable || message.body->size() > outlet->largest() || has_room(to.client, message.body->size());
  if (fits || channel.channel.keep == 0) return send_message(id, to, message, droppable || !fits);
  client->owed.emplace(id, message.number);
}

// One message of each channel in turn.
void Hub::Impl::pay(ClientState& client) {
  while (!client.owed.empty()) {
    auto owed = client.owed.upper_bound(client.served);
    if (owed == client.owed.end()) owed = client.owed.begin();
    const ChannelState& channel = channels.at(owed->first);
    const auto next = std::lower_bound(channel.kept.begin(), channel.kept.end(), owed->second,
                                       [](const Kept& kept, std::uint64_t number) { return kept.number < number; });
    if (next == channel.kept.end()) {
      client.owed.erase(owed);
      continue;
    }
    const std::size_t bytes = next->body->size();
    if (bytes <= outlet->largest() && !has_room(client.client.id, bytes)) return;
    client.served = owed->first;
    owed->second = next->number + 1;
    const auto to = std::find_if(channel.subscribers.begin(), channel.subscribers.end(),
                                 [&](const Subscriber& one) { return one.client == client.client.id; });
    send_message(owed->first, *to, *next, false);
  }
}

std::string Hub::Impl::subscribe(ClientState& client, const foxglove::Subscribe::Item& item) {
  const auto found = channels.find(item.channel);
  if (found == channels.end()) {
    const bool was = item.channel > 0 && item.channel < next_channel;
    return fmt::format("channel {} is {}", item.channel, was ? "no longer available" : "unknown");
  }
  if (client.subscriptions.contains(item.id)) return fmt::format("id {} is already in use", item.id);
  auto& subscribers = found->second.subscribers;
  const bool again = std::any_of(subscribers.begin(), subscribers.end(),
                                 [&](const Subscriber& other) { return other.client == client.client.id; });
  if (again) return fmt::format("channel {} is already subscribed", item.channel);
  if (client.subscriptions.size() >= most_subscriptions)
    return fmt::format("at most {} channels at a time", most_subscriptions);

  const Subscriber subscriber{client.client.id, item.id};
  client.subscriptions.emplace(item.id, item.channel);
  client.ended.erase(item.id);
  subscribers.push_back(subscriber);
  const bool first = subscribers.size() == 1;
  for (const Kept& kept : found->second.kept) offer(item.channel, found->second, subscriber, kept, false);
  if (first && world.wanted) world.wanted(item.channel, true);
  return {};
}

void Hub::Impl::end_subscription(ClientId client, ChannelId channel) {
  const auto found = channels.find(channel);
  if (found == channels.end()) return;
  const bool there = std::erase_if(found->second.subscribers,
                                   [&](const Subscriber& subscriber) { return subscriber.client == client; }) > 0;
  if (there && found->second.subscribers.empty() && world.wanted) world.wanted(channel, false);
}

void Hub::Impl::handle(ClientState& client, const foxglove::Subscribe& message) {
  Complaints complaints;
  for (const auto& item : message.subscriptions)
    if (std::string wrong = subscribe(client, item); !wrong.empty()) complaints.add(std::move(wrong));
  complain(client, "subscribe", complaints);
}

void Hub::Impl::handle(ClientState& client, const foxglove::Unsubscribe& message) {
  Complaints complaints;
  for (const std::uint32_t id : message.ids) {
    const auto found = client.subscriptions.find(id);
    if (found != client.subscriptions.end()) {
      const ChannelId channel = found->second;
      client.subscriptions.erase(found);
      client.owed.erase(channel);
      end_skip(channel, client.client.id);
      end_subscription(client.client.id, channel);
    } else if (client.ended.erase(id) == 0) {
      complaints.add(fmt::format("no subscription {}", id));
    }
  }
  complain(client, "unsubscribe", complaints);
}

ChannelId Hub::add_channel(Channel channel) {
  Impl& impl = *impl_;
  const ChannelId id = impl.next_channel++;
  const Channel& added = impl.channels.emplace(id, ChannelState{std::move(channel), {}, {}, 0}).first->second.channel;
  impl.advertised = {};
  if (impl.clients.empty()) return id;
  const std::string text = foxglove::advertise({{id, &added}});
  const auto body = std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end());
  for (auto& [client, state] : impl.clients) {
    if (state.sent_to != id) continue;  // it is still being told of older ones, and then of this one
    state.sent_to = id + 1;
    impl.send(client, true, body);
  }
  return id;
}

void Hub::remove_channel(ChannelId id) {
  Impl& impl = *impl_;
  const auto found = impl.channels.find(id);
  if (found == impl.channels.end()) return;
  const std::vector<Subscriber> subscribers = std::move(found->second.subscribers);
  impl.channels.erase(found);
  impl.advertised = {};
  for (const Subscriber& subscriber : subscribers) {
    ClientState* client = impl.find(subscriber.client);
    if (client == nullptr) continue;  // it goes just now, and `wanted` of another channel led here
    client->subscriptions.erase(subscriber.subscription);
    client->owed.erase(id);
    impl.end_skip(id, subscriber.client);
    if (client->ended.size() >= most_subscriptions) client->ended.clear();
    client->ended.insert(subscriber.subscription);
  }
  const std::string text = foxglove::unadvertise({id});
  const auto body = std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end());
  for (const auto& [client, state] : impl.clients) {
    if (state.sent_to > id) impl.send(client, true, body);
  }
  if (!subscribers.empty() && impl.world.wanted) impl.world.wanted(id, false);
}

bool Hub::wanted(ChannelId id) const {
  const auto found = impl_->channels.find(id);
  return found != impl_->channels.end() && !found->second.subscribers.empty();
}

std::shared_ptr<const std::vector<std::uint8_t>> Hub::newest(ChannelId id) const {
  const auto found = impl_->channels.find(id);
  return found == impl_->channels.end() || found->second.kept.empty() ? nullptr : found->second.kept.back().body;
}

void Hub::forget(ChannelId id) {
  const auto found = impl_->channels.find(id);
  if (found != impl_->channels.end()) found->second.kept.clear();
}

void Hub::publish(ChannelId id, std::uint64_t stamp_ns, Bytes message, bool droppable) {
  const auto found = impl_->channels.find(id);
  if (found == impl_->channels.end()) return;
  ChannelState& state = found->second;
  if (state.subscribers.empty() && state.channel.keep == 0) return;
  Kept kept{state.next_number++, stamp_ns,
            std::make_shared<const std::vector<std::uint8_t>>(message.begin(), message.end())};
  for (const Subscriber& subscriber : state.subscribers) impl_->offer(id, state, subscriber, kept, droppable);
  if (state.channel.keep == 0) return;
  state.kept.push_back(std::move(kept));
  while (state.kept.size() > state.channel.keep) state.kept.pop_front();
}

}  // namespace tandem::web
