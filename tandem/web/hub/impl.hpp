// SPDX-License-Identifier: Apache-2.0
// What the hub remembers, and what its parts do. For the sources of the hub only.
#pragma once

#include <deque>
#include <set>

#include "tandem/web/hub/hub.hpp"

namespace tandem::web {

using Body = std::shared_ptr<const std::vector<std::uint8_t>>;

struct Kept {
  std::uint64_t number = 0;  // counts the messages of its channel
  std::uint64_t stamp = 0;   // ns
  Body body;
};
struct Subscriber {
  ClientId client = 0;
  std::uint32_t subscription = 0;  // the client's own id
};
struct ChannelState {
  Channel channel;
  std::vector<Subscriber> subscribers;
  std::deque<Kept> kept;
  std::uint64_t next_number = 0;
};

struct ClientState {
  Client client;
  std::map<std::uint32_t, ChannelId> subscriptions;  // by the client's own ids
  std::set<std::uint32_t> ended;                     // subscriptions whose channel went away before the client knew
  std::map<std::uint32_t, ClientChannel> channels;   // by the client's own ids
  std::size_t channel_bytes = 0;
  bool follows_all_parameters = false;
  std::set<std::string> parameters;  // that it follows; or does not, when it follows all others
  bool follows_graph = false;
  std::set<std::pair<std::uint32_t, std::uint32_t>> calls;  // service and call, not yet answered
  std::size_t complaints = 0, untold = 0;                   // since the last round of ticks
  ChannelId sent_to = 0;                                    // knows the channels before this one
  std::set<ChannelId> too_big;                              // of which it does not get a message, and was informed so
  // Channels for whose messages there was no room: the number from which on it gets what is still kept of each, when
  // there is. So a newer one takes the place of what the channel keeps no longer.
  std::map<ChannelId, std::uint64_t> owed;
  ChannelId served = 0;  // the last of them that got one

  bool follows(const std::string& parameter) const { return follows_all_parameters != parameters.contains(parameter); }
};

// What was wrong with the items of one message: the first few in words, the others as a number.
class Complaints {
 public:
  void add(std::string text);
  bool empty() const { return count_ == 0; }
  std::string text(std::string_view operation) const;

 private:
  std::string reported_;
  std::size_t count_ = 0;
};

struct Hub::Impl {
  explicit Impl(World the_world);

  // hub.cpp
  ClientState* find(ClientId id);
  void send(ClientId client, bool as_text, Body body);
  void send_text(ClientId client, const std::string& text);
  void send_text_to_all(const std::string& text);
  void send_bytes(ClientId client, std::vector<std::uint8_t> bytes);
  void send_message(ChannelId channel, const Subscriber& to, const Kept& message, bool droppable);
  // Whether something large that must not be lost may be sent; half is left for what comes at once.
  bool has_room(ClientId client, std::size_t bytes) const;
  void complain(ClientState& client, int level, const std::string& text);
  void complain(ClientState& client, std::string_view operation, const Complaints& complaints);
  // Whether it may control; if not, the client gets an error.
  bool may_control(ClientState& client, std::string_view what);
  std::string server_info_for(const Client& client) const;
  void close(ClientState& gone);

  // hub_channels.cpp
  void handle(ClientState& client, const foxglove::Subscribe& message);
  void handle(ClientState& client, const foxglove::Unsubscribe& message);
  std::string subscribe(ClientState& client, const foxglove::Subscribe::Item& item);  // what is wrong with it
  void end_subscription(ClientId client, ChannelId channel);
  void tell_channels(ClientState& client);  // the next ones that it does not know yet, as many as make one message
  // Sent now, or owed; what can be lost instead may be.
  void offer(ChannelId id, const ChannelState& channel, const Subscriber& to, const Kept& message, bool droppable);
  void pay(ClientState& client);                                    // what it is owed, while there is room
  std::pair<Body, ChannelId> channels_from(ChannelId first) const;  // and where to go on
  void skip(ChannelId channel, ClientId client, std::size_t bytes);
  void end_skip(ChannelId channel, ClientId client);

  // hub_clients.cpp: what clients publish and call
  void handle(ClientState& client, const foxglove::Advertise& message);
  void handle(ClientState& client, const foxglove::Unadvertise& message);
  void handle(ClientState& client, const foxglove::ClientMessage& message);
  void handle(ClientState& client, const foxglove::ServiceCall& message);
  void handle(ClientState& client, const PlaybackRequest& message);
  void handle(ClientState& client, const foxglove::FetchAsset& message);
  std::string advertise(ClientState& client, std::uint32_t id, const ClientChannel& channel);  // what is wrong with it
  std::string refusal(const ClientState& client, const foxglove::ServiceCall& call) const;     // empty: none
  void answer(ClientId client, const std::pair<std::uint32_t, std::uint32_t>& call, const std::string& encoding,
              const Result<std::vector<std::uint8_t>>& answer);

  // hub_parameters.cpp
  void handle(ClientState& client, const foxglove::AskParameters& message);
  void handle(ClientState& client, const foxglove::ChangeParameters& message);
  void handle(ClientState& client, const foxglove::FollowParameters& message);
  void parameters_changed(const std::vector<Parameter>& changed);

  // hub_graph.cpp
  void handle(ClientState& client, const foxglove::FollowGraph& message);
  void change_graph(ConnectionGraph next);

  World world;
  Outlet* outlet = nullptr;
  std::string session;
  std::map<ClientId, ClientState> clients;
  std::map<ChannelId, ChannelState> channels;
  std::map<std::uint32_t, ServiceInfo> services;
  ChannelId next_channel = 1;
  std::uint32_t next_service = 1;
  std::pair<Body, ChannelId> advertised;  // for newcomers, once a client needed it; null after a change
  ConnectionGraph graph;
  std::map<std::string, std::string, std::less<>> statuses;  // text of the message by its id
  std::optional<PlaybackState> playback;
  std::size_t ticks = 0;
  std::shared_ptr<Impl*> self;  // what answers that come late look through
};

}  // namespace tandem::web
