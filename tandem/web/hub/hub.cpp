// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/hub/hub.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tandem/web/hub/impl.hpp"

namespace tandem::web {

namespace {

constexpr std::size_t complaints_in_words = 3;

static_assert(Limits{}.messages_at_once > most_subscriptions,
              "clients that subscribe one by one would be disconnected");

// Clients of the older name end on a message that they do not know.
bool knows_playback(const Client& client) { return client.subprotocol == foxglove::subprotocols[0]; }

std::string random_session() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}", source(), source());
}

}  // namespace

void Complaints::add(std::string text) {
  if (count_++ < complaints_in_words) reported_ += (reported_.empty() ? "" : "; ") + std::move(text);
}

std::string Complaints::text(std::string_view operation) const {
  const std::size_t more = count_ - std::min(count_, complaints_in_words);
  return fmt::format("{}: {}{}", operation, reported_, more == 0 ? "" : fmt::format("; and {} more", more));
}

Hub::Impl::Impl(World the_world)
    : world(std::move(the_world)), session(random_session()), self(std::make_shared<Impl*>(this)) {}

ClientState* Hub::Impl::find(ClientId id) {
  const auto found = clients.find(id);
  return found == clients.end() ? nullptr : &found->second;
}

void Hub::Impl::send(ClientId client, bool as_text, Body body) {
  if (outlet == nullptr) return;
  Frame frame;
  frame.text = as_text;
  frame.body = std::move(body);
  outlet->send(client, std::move(frame));
}

void Hub::Impl::send_text(ClientId client, const std::string& text) {
  send(client, true, std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end()));
}

void Hub::Impl::send_text_to_all(const std::string& text) {
  if (clients.empty()) return;
  const auto body = std::make_shared<const std::vector<std::uint8_t>>(text.begin(), text.end());
  for (const auto& [id, state] : clients) send(id, true, body);
}

void Hub::Impl::send_bytes(ClientId client, std::vector<std::uint8_t> bytes) {
  send(client, false, std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes)));
}

void Hub::Impl::send_message(ChannelId channel, const Subscriber& to, const Kept& message, bool droppable) {
  if (outlet == nullptr) return;
  if (message.body->size() > outlet->largest()) return skip(channel, to.client, message.body->size());
  end_skip(channel, to.client);
  Frame frame;
  frame.droppable = droppable;
  const auto head = foxglove::message_head(to.subscription, message.stamp);
  std::copy(head.begin(), head.end(), frame.head.begin());
  frame.head_size = head.size();
  frame.body = message.body;
  outlet->send(to.client, std::move(frame));
}

bool Hub::Impl::has_room(ClientId client, std::size_t bytes) const {
  const std::size_t room = outlet->room(client);
  return room > outlet->largest() / 2 && bytes <= room;
}

void Hub::Impl::complain(ClientState& client, int level, const std::string& text) {
  if (client.complaints >= most_complaints) {
    ++client.untold;
    return;
  }
  ++client.complaints;
  send_text(client.client.id, foxglove::status(level, text));
}

void Hub::Impl::complain(ClientState& client, std::string_view operation, const Complaints& complaints) {
  if (!complaints.empty()) complain(client, 2, complaints.text(operation));
}

bool Hub::Impl::may_control(ClientState& client, std::string_view what) {
  if (client.client.may_control) return true;
  complain(client, 2, fmt::format("{}: {}", what, client.client.only_looks));
  return false;
}

std::string Hub::Impl::server_info_for(const Client& client) const {
  foxglove::ServerInfo info;
  info.name = world.name;
  const auto offer = [&](bool there, const char* capability) {
    if (there) info.capabilities.emplace_back(capability);
  };
  offer(world.publish != nullptr, "clientPublish");
  offer(world.parameters != nullptr, "parameters");
  offer(world.parameters != nullptr, "parametersSubscribe");
  offer(world.time, "time");
  offer(world.call != nullptr, "services");
  offer(true, "connectionGraph");
  offer(world.asset != nullptr, "assets");
  const bool plays = world.playback && knows_playback(client);
  offer(plays, "playbackControl");
  if (world.publish || world.call) info.encodings = {"cdr", "json"};
  info.metadata = world.metadata;
  info.metadata["control"] = client.may_control ? "yes" : "no";
  info.session = session;
  if (plays) info.data_time = world.data_time;
  return foxglove::server_info(info);
}

void Hub::Impl::close(ClientState& gone) {
  for (const auto& [subscription, channel] : gone.subscriptions) end_subscription(gone.client.id, channel);
  if (!world.unadvertise) return;
  for (const auto& [id, channel] : gone.channels) world.unadvertise(gone.client.id, channel);
}

Hub::Hub(World world) : impl_(std::make_unique<Impl>(std::move(world))) {}
Hub::~Hub() = default;

void Hub::attach(Outlet& outlet) { impl_->outlet = &outlet; }

void Hub::tell_time(std::uint64_t stamp_ns) {
  if (!impl_->world.time || impl_->outlet == nullptr) return;
  Frame frame;
  frame.droppable = true;
  const auto head = foxglove::time(stamp_ns);
  std::copy(head.begin(), head.end(), frame.head.begin());
  frame.head_size = head.size();
  for (const auto& [id, state] : impl_->clients) impl_->outlet->send(id, frame);
}

void Hub::tell_playback(const PlaybackState& state) {
  Impl& impl = *impl_;
  const bool news = !impl.playback || impl.playback->status != state.status || impl.playback->speed != state.speed;
  impl.playback = state;
  impl.playback->did_seek = false;
  impl.playback->request_id.clear();
  if (impl.outlet == nullptr) return;
  Frame frame;
  frame.droppable = !news && !state.did_seek && state.request_id.empty();
  frame.body = std::make_shared<const std::vector<std::uint8_t>>(foxglove::playback_state(state));
  for (const auto& [id, client] : impl.clients)
    if (knows_playback(client.client)) impl.outlet->send(id, frame);
}

void Hub::tell_status(int level, std::string_view text, std::string_view id) {
  const std::string message = foxglove::status(level, text, id);
  if (!id.empty()) impl_->statuses.insert_or_assign(std::string(id), message);
  impl_->send_text_to_all(message);
}

void Hub::remove_status(std::string_view id) {
  const auto found = impl_->statuses.find(id);
  if (found == impl_->statuses.end()) return;
  impl_->statuses.erase(found);
  impl_->send_text_to_all(foxglove::remove_status({std::string(id)}));
}

const Client* Hub::client(ClientId id) const {
  const ClientState* found = impl_->find(id);
  return found == nullptr ? nullptr : &found->client;
}

Response Hub::get(const Request& request) { return impl_->world.get ? impl_->world.get(request) : Response{}; }

// The newer name; but where it means messages that the older one does not know, the name that the client prefers.
std::string Hub::choose(const std::vector<std::string>& offered) {
  const auto& known = foxglove::subprotocols;
  if (impl_->world.playback) {
    const auto first = std::find_first_of(offered.begin(), offered.end(), known.begin(), known.end());
    return first == offered.end() ? std::string() : *first;
  }
  const auto newest = std::find_first_of(known.begin(), known.end(), offered.begin(), offered.end());
  return newest == known.end() ? std::string() : std::string(*newest);
}

void Hub::opened(const Client& client) {
  Impl& impl = *impl_;
  const auto [place, fresh] = impl.clients.try_emplace(client.id);
  if (!fresh) return;
  place->second.client = client;
  impl.send_text(client.id, impl.server_info_for(client));
  impl.tell_channels(place->second);
  if (!impl.services.empty()) {
    std::vector<std::pair<std::uint32_t, const ServiceInfo*>> services;
    services.reserve(impl.services.size());
    for (const auto& [id, service] : impl.services) services.emplace_back(id, &service);
    impl.send_text(client.id, foxglove::advertise_services(services));
  }
  for (const auto& [id, status] : impl.statuses) impl.send_text(client.id, status);
  if (impl.playback && knows_playback(client)) impl.send_bytes(client.id, foxglove::playback_state(*impl.playback));
}

void Hub::text(ClientId client, std::string_view message) {
  ClientState* state = impl_->find(client);
  if (state == nullptr) return;
  const auto read = foxglove::read_text(message);
  if (!read) return impl_->complain(*state, read.error().fault == Fault::unsupported ? 1 : 2, read.error().text);
  std::visit([&](const auto& said) { impl_->handle(*state, said); }, *read);
}

void Hub::binary(ClientId client, Bytes message) {
  ClientState* state = impl_->find(client);
  if (state == nullptr) return;
  const auto read = foxglove::read_binary(message);
  if (!read) return impl_->complain(*state, read.error().fault == Fault::unsupported ? 1 : 2, read.error().text);
  std::visit([&](const auto& said) { impl_->handle(*state, said); }, *read);
}

void Hub::closed(ClientId client) {
  const auto found = impl_->clients.find(client);
  if (found == impl_->clients.end()) return;
  ClientState gone = std::move(found->second);
  impl_->clients.erase(found);
  impl_->close(gone);
}

void Hub::tick() {
  Impl& impl = *impl_;
  if (++impl.ticks % complaint_ticks == 0) {
    for (auto& [id, state] : impl.clients) {
      if (state.untold > 0) impl.send_text(id, foxglove::status(2, fmt::format("{} more were refused", state.untold)));
      state.complaints = state.untold = 0;
    }
  }
  for (auto& [id, state] : impl.clients) {
    if (impl.outlet == nullptr) break;
    if (state.sent_to < impl.next_channel && impl.has_room(id, 0)) impl.tell_channels(state);
    impl.pay(state);
  }
  if (impl.world.tick) impl.world.tick();
}

}  // namespace tandem::web
