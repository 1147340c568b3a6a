// SPDX-License-Identifier: Apache-2.0
// The Foxglove WebSocket protocol, server side: channels, services, parameters, the graph, assets and playback, for
// all clients of a server. All of it on the server's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/web/hub/foxglove.hpp"
#include "tandem/web/server/server.hpp"

namespace tandem::web {

// What one client may hold at a time. Whatever is more, or makes no sense, is refused in words (status, level 2).
inline constexpr std::size_t most_subscriptions = 4096;
inline constexpr std::size_t most_client_channels = 256;
inline constexpr std::size_t most_client_channel_bytes = 1 << 20;  // of all their names and schemas
inline constexpr std::size_t most_followed_parameters = 1024;
inline constexpr std::size_t most_calls = 64;       // of services, not yet answered
inline constexpr std::size_t most_complaints = 60;  // told within this many ticks; the others are counted and told then
inline constexpr std::size_t complaint_ticks = 60;
// Bytes of the channels that a newcomer gets in one message; the others follow at the next ticks, while there is
// room.
inline constexpr std::size_t most_told_at_once = 512 << 10;

using ServiceAnswer = std::function<void(Result<std::vector<std::uint8_t>>)>;

// What the world behind the hub does. A function that is not there: the capability is not offered. Any of them may use
// the hub in turn.
struct World {
  std::string name = "tandem";
  std::map<std::string, std::string> metadata;
  // A client begins, or no one any more wants, a channel: what feeds it may start or end. Also when a wanted channel is
  // removed, and then it is gone already.
  std::function<void(ChannelId, bool wanted)> wanted;
  // Only clients that may control get as far as the next four.
  std::function<Result<void>(ClientId, const ClientChannel&)> advertise;  // an error is sent to the client as status
  std::function<void(ClientId, const ClientChannel&)> unadvertise;        // also when the client goes
  std::function<Result<void>(ClientId, const ClientChannel&, Bytes message)> publish;
  // Answers once, now or later, on the server's thread; too late is no mistake.
  std::function<void(ClientId, std::uint32_t service, std::string_view encoding, Bytes request, ServiceAnswer)> call;
  std::function<std::vector<Parameter>(const std::vector<std::string>& names)> parameters;  // none: all
  // Only for clients that may control. Subscribers of the parameter are informed by the hub.
  std::function<Result<void>(const Parameter&)> set_parameter;
  std::function<void(const PlaybackRequest&)> playback;              // only for clients that may control
  std::optional<std::pair<std::uint64_t, std::uint64_t>> data_time;  // ns, with playback
  std::function<Result<std::vector<std::uint8_t>>(std::string_view uri)> asset;
  std::function<Response(const Request&)> get;  // everything over HTTP
  std::function<void()> tick;
  bool time = false;  // the capability: stamps are of our own clock, told by Hub::tell_time
};

class Hub final : public Handler {
 public:
  explicit Hub(World world);
  ~Hub() override;

  void attach(Outlet& outlet);  // the server, before it runs

  // An id is never given to a second channel or service.
  ChannelId add_channel(Channel channel);
  void remove_channel(ChannelId id);
  bool wanted(ChannelId id) const;
  // `droppable`: newer ones make it worthless. Else a client that has no room for it gets it later, as long as the
  // channel keeps it. Copies the bytes once, for all clients.
  void publish(ChannelId id, std::uint64_t stamp_ns, Bytes message, bool droppable = true);
  // The last message of a channel that keeps some; null: there was none yet.
  std::shared_ptr<const std::vector<std::uint8_t>> newest(ChannelId id) const;
  void forget(ChannelId id);  // what the channel kept does not hold any more

  std::uint32_t add_service(ServiceInfo service);
  void remove_service(std::uint32_t id);
  void parameters_changed(const std::vector<Parameter>& changed);
  void set_graph(ConnectionGraph graph);  // reports the difference
  void tell_time(std::uint64_t stamp_ns);
  void tell_playback(const PlaybackState& state);
  // To all clients: level 0 info, 1 warning, 2 error. With an id it replaces the one sent before, and is sent to those
  // who come later, until it is removed.
  void tell_status(int level, std::string_view text, std::string_view id = {});
  void remove_status(std::string_view id);

  const Client* client(ClientId id) const;

  Response get(const Request& request) override;
  std::string choose(const std::vector<std::string>& offered) override;
  void opened(const Client& client) override;
  void text(ClientId client, std::string_view message) override;
  void binary(ClientId client, Bytes message) override;
  void closed(ClientId client) override;
  void tick() override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::web
