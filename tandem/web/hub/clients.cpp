// SPDX-License-Identifier: Apache-2.0
// What clients publish, call, fetch and play.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/base/nearest.hpp"
#include "tandem/web/hub/impl.hpp"

namespace tandem::web {

namespace {

std::size_t bytes_of(const ClientChannel& channel) {
  return channel.topic.size() + channel.encoding.size() + channel.schema_name.size() + channel.schema.size() +
         channel.schema_encoding.size();
}

// What is asked for is given or refused at once.
std::string no_room(const Outlet* outlet, ClientId client, std::size_t bytes) {
  if (outlet == nullptr || bytes + 32 <= outlet->room(client)) return {};
  const std::string size = fmt::format("it has {:.1f} MB, ", static_cast<double>(bytes) / 1e6);
  if (bytes + 32 > outlet->largest()) return size + "which is more than a message may have";
  return size + "and too many messages wait to be read by this client; try again later";
}

}  // namespace

std::string Hub::Impl::advertise(ClientState& client, std::uint32_t id, const ClientChannel& channel) {
  if (client.channels.contains(id)) return fmt::format("id {} is already in use", id);
  if (channel.topic.empty()) return fmt::format("channel {} has no topic", id);
  if (channel.encoding != "cdr" && channel.encoding != "json")
    return fmt::format("{}: expected encoding cdr or json, got '{}'", printable(channel.topic),
                       printable(channel.encoding));
  if (client.channels.size() >= most_client_channels)
    return fmt::format("at most {} channels at a time", most_client_channels);
  if (client.channel_bytes + bytes_of(channel) > most_client_channel_bytes)
    return fmt::format("all channels have at most {} bytes of text", most_client_channel_bytes);
  if (world.advertise)
    if (const auto done = world.advertise(client.client.id, channel); !done) return done.error().text;
  client.channel_bytes += bytes_of(channel);
  client.channels.emplace(id, channel);
  return {};
}

void Hub::Impl::handle(ClientState& client, const foxglove::Advertise& message) {
  if (!world.publish) return complain(client, 2, "advertise: publishing is disabled");
  if (!may_control(client, "advertise")) return;
  Complaints complaints;
  for (const auto& [id, channel] : message.channels)
    if (std::string wrong = advertise(client, id, channel); !wrong.empty()) complaints.add(std::move(wrong));
  complain(client, "advertise", complaints);
}

void Hub::Impl::handle(ClientState& client, const foxglove::Unadvertise& message) {
  Complaints complaints;
  for (const std::uint32_t id : message.ids) {
    auto gone = client.channels.extract(id);
    if (gone.empty()) {
      complaints.add(fmt::format("no channel {}", id));
      continue;
    }
    client.channel_bytes -= bytes_of(gone.mapped());
    if (world.unadvertise) world.unadvertise(client.client.id, gone.mapped());
  }
  complain(client, "unadvertise", complaints);
}

void Hub::Impl::handle(ClientState& client, const foxglove::ClientMessage& message) {
  if (!world.publish) return complain(client, 2, "message: publishing is disabled");
  if (!may_control(client, "message")) return;
  const auto found = client.channels.find(message.channel);
  if (found == client.channels.end())
    return complain(client, 2, fmt::format("message: channel {} is not advertised", message.channel));
  if (const auto done = world.publish(client.client.id, found->second, message.payload); !done)
    complain(client, 2, done.error().text);
}

std::string Hub::Impl::refusal(const ClientState& client, const foxglove::ServiceCall& call) const {
  const auto found = services.find(call.service);
  if (!world.call) return "services are disabled";
  const bool for_viewers = found != services.end() && found->second.for_viewers;
  if (!client.client.may_control && !for_viewers) return client.client.only_looks;
  if (found == services.end()) return fmt::format("unknown service {}", call.service);
  // The one that is advertised, or JSON, which we say that we support; the world may still refuse it.
  if (call.encoding != found->second.request.encoding && call.encoding != "json")
    return fmt::format("{}: expected encoding '{}', got '{}'", found->second.name, found->second.request.encoding,
                       printable(call.encoding));
  if (client.calls.contains({call.service, call.call}))
    return fmt::format("call {} of {} is already pending", call.call, found->second.name);
  if (client.calls.size() >= most_calls) return fmt::format("at most {} calls at a time", most_calls);
  return {};
}

void Hub::Impl::handle(ClientState& client, const foxglove::ServiceCall& message) {
  const ClientId id = client.client.id;
  if (const std::string wrong = refusal(client, message); !wrong.empty())
    return send_text(id, foxglove::service_call_failure(message.service, message.call, wrong));
  const std::pair call{message.service, message.call};
  client.calls.insert(call);
  const ServiceInfo& service = services.at(message.service);
  const std::string encoding =
      message.encoding == service.request.encoding ? service.response.encoding : std::string(message.encoding);
  world.call(id, message.service, message.encoding, message.payload,
             [hub = std::weak_ptr<Impl*>(self), id, call, encoding](const Result<std::vector<std::uint8_t>>& result) {
               if (const auto there = hub.lock()) (*there)->answer(id, call, encoding, result);
             });
}

void Hub::Impl::answer(ClientId client, const std::pair<std::uint32_t, std::uint32_t>& call,
                       const std::string& encoding, const Result<std::vector<std::uint8_t>>& answer) {
  ClientState* state = find(client);
  if (state == nullptr || state->calls.erase(call) == 0) return;
  const std::string wrong = answer ? no_room(outlet, client, answer->size() + encoding.size()) : answer.error().text;
  if (!wrong.empty()) {
    send_text(client, foxglove::service_call_failure(call.first, call.second, wrong));
  } else {
    send_bytes(client, foxglove::service_response(call.first, call.second, encoding, *answer));
  }
}

void Hub::Impl::handle(ClientState& client, const PlaybackRequest& message) {
  if (!world.playback) return complain(client, 2, "playback: not a recording; this is live");
  if (may_control(client, "playback")) world.playback(message);
}

void Hub::Impl::handle(ClientState& client, const foxglove::FetchAsset& message) {
  const ClientId id = client.client.id;
  if (!world.asset) return send_bytes(id, foxglove::asset_failure(message.request, "assets are not supported"));
  const auto content = world.asset(message.uri);
  const std::string wrong = content ? no_room(outlet, id, content->size()) : content.error().text;
  send_bytes(
      id, wrong.empty() ? foxglove::asset(message.request, *content) : foxglove::asset_failure(message.request, wrong));
}

std::uint32_t Hub::add_service(ServiceInfo service) {
  Impl& impl = *impl_;
  if (service.response.encoding.empty()) service.response.encoding = service.request.encoding;
  const std::uint32_t id = impl.next_service++;
  const ServiceInfo& added = impl.services.emplace(id, std::move(service)).first->second;
  if (!impl.clients.empty()) impl.send_text_to_all(foxglove::advertise_services({{id, &added}}));
  return id;
}

void Hub::remove_service(std::uint32_t id) {
  if (impl_->services.erase(id) > 0) impl_->send_text_to_all(foxglove::unadvertise_services({id}));
}

}  // namespace tandem::web
