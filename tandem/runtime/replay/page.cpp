// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <nlohmann/json.hpp>

#include "tandem/runtime/page/live_channels.hpp"
#include "tandem/runtime/page/page.hpp"
#include "tandem/runtime/recording/recorded_qos.hpp"
#include "tandem/runtime/replay/show.hpp"

namespace tandem::runtime {
namespace {

constexpr Duration state_period = 200ms;  // of telling where it is

// How many of the newest of a latched topic hold. Each publisher of /tf_static has transforms of its own, and they
// are in one channel.
std::size_t latched_of(const record::mcap::Channel& channel) {
  if (recorded_qos(channel).durability != ros2::Durability::transient_local) return 0;
  return channel.topic == "/tf_static" ? 64 : 1;
}

// What the page shows to later viewers is kept as the live page keeps it.
std::size_t kept_of(const record::mcap::Channel& channel) {
  for (const LiveChannel& live : live_channels())
    if (live.topic == channel.topic) return live.keep;
  return latched_of(channel);
}

web::Channel replayed_channel(const record::McapReader& reader, const record::mcap::Channel& channel) {
  web::Channel shown{channel.topic, channel.encoding, {}, {}, {}, kept_of(channel)};
  if (const auto* schema = reader.schema(channel)) {
    shown.schema_name = schema->name;
    shown.schema = schema->data;
    shown.schema_encoding = schema->encoding;
  }
  return shown;
}

// The incident that the black box wrote the file for, as the page reads it; empty: an ordinary recording.
std::string incident_json(const record::McapReader& reader, const std::string& file) {
  const record::mcap::Map values = reader.metadata(incident_metadata);
  const auto value = [&](const char* key) {
    const auto found = values.find(key);
    return found == values.end() ? std::string() : found->second;
  };
  const std::string at = value("at");
  std::uint64_t nanoseconds = 0;
  if (std::from_chars(at.data(), at.data() + at.size(), nanoseconds).ec != std::errc()) return "";
  nlohmann::json incidents = nlohmann::json::array();
  incidents.push_back({{"file", file},
                       {"machine", value("machine")},
                       {"cause", value("cause")},
                       {"text", value("text")},
                       {"at", static_cast<double>(nanoseconds) * 1e-9}});
  return incidents.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

web::PlaybackState::Status status_of(const PlaybackClock::Stand& stand) {
  if (stand.ended) return web::PlaybackState::Status::ended;
  return stand.playing ? web::PlaybackState::Status::playing : web::PlaybackState::Status::paused;
}

}  // namespace

ReplayPage::ReplayPage(const record::McapReader& reader, PlaybackClock& clock, const WebConfig& config,
                       const std::string& version, const std::string& file, IncidentReports* reports)
    : clock_(clock) {
  web::World world;
  world.name = "tandem replay";
  world.metadata = {{"tandem", version}, {"mode", "replay"}};
  if (const std::string incident = incident_json(reader, file); !incident.empty())
    world.metadata.emplace("incidents", incident);
  if (reports != nullptr)
    world.get = [reports](const web::Request& request) {
      return reports->answer(request.path).value_or(web::Response{});
    };
  world.playback = [this](const web::PlaybackRequest& request) { control(request); };
  world.data_time = {clock.range().start, clock.range().end};
  world.tick = [this] { tick(); };
  world.time = true;
  hub_ = std::make_unique<web::Hub>(std::move(world));
  std::set<std::uint16_t> all, needed;
  PlaybackFeed::Lasting lasting;
  for (const auto& [id, channel] : reader.contents().channels) {
    if (!has_messages(reader, id)) continue;
    channels_[id] = hub_->add_channel(replayed_channel(reader, channel));
    all.insert(id);
    const std::size_t latched = latched_of(channel);
    if (latched > 0 || channel.topic == "/tandem/scene") needed.insert(id);
    // Where it stands after a jump is seen at once, also when it is paused.
    if (channel.topic == "/tandem/scene" || channel.topic == "/tandem/picture" || channel.topic == "/tandem/status") {
      lasting[id] = 1;
    } else if (latched > 0) {
      lasting[id] = latched;
    }
  }
  const auto sink = [this, needed](const record::mcap::Message& message) {
    const auto known = channels_.find(message.channel);
    if (known == channels_.end()) return;
    hub_->publish(known->second, message.log_time, message.data, !needed.contains(message.channel));
  };
  feed_ = std::make_unique<PlaybackFeed>(reader, std::move(all), lasting, sink);
  server_ = open_server(config, *hub_);
}

void ReplayPage::tick() {
  const Instant now = tandem::now();
  const PlaybackClock::Stand stand = clock_.stand(now);
  if (std::exchange(jumps_, stand.jumps) != stand.jumps) {
    for (const auto& [id, channel] : channels_) hub_->forget(channel);  // it is of another time
  }
  feed_->poll(stand);
  tell_unreadable();
  hub_->tell_time(stand.time);
  if (reported_ == status_of(stand) && now - reported_at_ < state_period) return;
  tell(false, "");
}

void ReplayPage::tell_unreadable() {
  if (feed_->unreadable() == reported_unreadable_) return;
  reported_unreadable_ = feed_->unreadable();
  hub_->tell_status(1, unreadable_text(reported_unreadable_), "unreadable");
}

void ReplayPage::tell(bool did_seek, const std::string& request) {
  const Instant now = tandem::now();
  const PlaybackClock::Stand stand = clock_.stand(now);
  reported_ = status_of(stand);
  reported_at_ = now;
  hub_->tell_playback({*reported_, stand.time, static_cast<float>(stand.speed), did_seek, request});
}

void ReplayPage::control(const web::PlaybackRequest& request) {
  const Instant now = tandem::now();
  if (request.seek) clock_.seek(*request.seek, now);
  clock_.run_at(static_cast<double>(request.speed), now);
  clock_.play(request.play, now);
  tell(request.seek.has_value(), request.id);
}

}  // namespace tandem::runtime
