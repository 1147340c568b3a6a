// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/dds/participant.hpp"

#include <fmt/format.h>

#include <fastrtps/attributes/LibrarySettingsAttributes.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>
#include <algorithm>
#include <fastdds/dds/log/Log.hpp>
#include <set>
#include <stdexcept>

#include "tandem/base/sha256.hpp"
#include "tandem/ros2/calls/service_wire.hpp"
#include "tandem/ros2/graph/names.hpp"
#include "tandem/ros2/messages/rmw_dds_common.hpp"
#include "tandem/ros2/transport/addresses.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t most_events = 256;
// In the USER_DATA of a graph writer that follows its peers' distribution; others ignore the key.
constexpr const char* follows_mark = "tandem=auto;";

// Once per process. Within one process, too, samples go through the socket: a callback never runs in the thread
// of a publisher, and a slow one never holds it up. Fast DDS' own log would go to standard output.
void prepare_library() {
  static const bool done = [] {
    eprosima::fastrtps::LibrarySettingsAttributes settings;
    settings.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
    eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(settings);
    dds::Log::ClearConsumers();
    return true;
  }();
  static_cast<void>(done);
}

template <typename Proxy>
GraphEndpoint endpoint_of(const Proxy& proxy, bool writes, const std::string& user_data) {
  GraphEndpoint endpoint;
  endpoint.gid = gid_from(proxy.guid());
  endpoint.writes = writes;
  endpoint.dds_topic = proxy.topicName().to_string();
  endpoint.dds_type = proxy.typeName().to_string();
  endpoint.topic = ros_topic_name(endpoint.dds_topic);
  endpoint.type = ros_type_name(endpoint.dds_type);
  endpoint.type_hash = user_data_value(user_data, "typehash");
  endpoint.client_id = user_data_value(user_data, "clientid");
  endpoint.qos = qos_from(proxy.m_qos.m_reliability, proxy.m_qos.m_durability, proxy.m_qos.m_deadline,
                          proxy.m_qos.m_liveliness, proxy.m_qos.m_lifespan);
  return endpoint;
}

template <typename Proxy>
std::string user_data_of(const Proxy& proxy) {
  const auto& bytes = proxy.m_qos.m_userData.data_vec();
  return {bytes.begin(), bytes.end()};
}

// Where the participant is: its first address that is not loopback, or that.
std::string address_of(const rtps::ParticipantProxyData& participant) {
  std::string address;
  for (const rtps::Locator_t& locator : participant.metatraffic_locators.unicast) {
    if (locator.kind != LOCATOR_KIND_UDPv4) continue;
    if (address.empty() || address.starts_with("127.")) address = rtps::IPLocator::toIPv4string(locator);
  }
  return address;
}

// By its ports, as RTPS computes them from it; -1 where they are others.
int domain_of(const rtps::ParticipantProxyData& participant) {
  constexpr std::uint32_t base = 7400, of_domain = 250, lowest = 10;
  for (const rtps::Locator_t& locator : participant.metatraffic_locators.unicast) {
    const std::uint32_t port = rtps::IPLocator::getPhysicalPort(locator);
    if (locator.kind != LOCATOR_KIND_UDPv4 || port < base + lowest) continue;
    if ((port - base) % of_domain >= lowest) return static_cast<int>((port - base) / of_domain);
  }
  return -1;
}

// Work that is done when it is pending, at once if it was seldom of late.
struct Paced {
  Duration longest;  // that it may have to wait
  bool pending = false;
  Instant next{};

  template <typename Work>
  void run(Work work) {
    const Instant begun = now();
    if (!pending || begun < next) return;
    pending = false;
    work();
    next = now() + std::min<Duration>(19 * (now() - begun), longest);
  }
};

// Reads other participants' graph messages.
struct GraphIncoming final : Incoming {
  explicit GraphIncoming(Participant& process) : participant(process) {}
  const char* decode(Bytes bytes) override {
    Result<DiscoveryInfo> decoded = decode_discovery_info(bytes);
    if (!decoded) return "not a graph message";
    info = std::move(*decoded);
    return nullptr;
  }
  // Each participant speaks for itself alone: the first twelve bytes are the participant's.
  void deliver(const MessageInfo& from) override {
    const bool own_words = std::equal(from.publisher.begin(), from.publisher.begin() + 12, info.participant.begin());
    if (!own_words || participant.is_own(info.participant)) return;
    participant.graph().take_info(std::move(info));
    participant.graph_seen();
  }
  Participant& participant;
  DiscoveryInfo info;
};

}  // namespace

Participant::Participant(ContextOptions options) : options_(std::move(options)) {
  if (options_.domain < 0 || options_.domain > 232) {
    throw std::invalid_argument(fmt::format("ROS domain: expected 0 to 232, got {}", options_.domain));
  }
  prepare_library();
  std::vector<Event> warnings;
  std::vector<std::string> ignored;
  settle_servers(options_, ignored);
  for (std::string& text : ignored) warnings.push_back({Event::Kind::configuration, "", std::move(text)});
  addresses_ = own_addresses();
  notes_.servers->begin(options_.servers, now());
  auto presence = std::make_shared<Presence>(options_, this, notes_, warnings);
  {
    const std::lock_guard lock(presence_mutex_);  // callbacks come already
    presence_ = std::move(presence);
  }
  for (Event& warning : warnings) report(std::move(warning));
  start_graph();
  executor_ = Executor::start();  // last: nothing may throw once it runs
}

Participant::~Participant() {
  graph_thread_.request_stop();
  if (graph_thread_.joinable()) graph_thread_.join();
  executor_->stop();
  presence_->turn_deaf();
  graph_reader_.reset();
  graph_writer_.reset();
}

bool Participant::is_own(const Gid& gid) const {
  const std::lock_guard lock(presence_mutex_);
  return (presence_ != nullptr && same_participant(gid, presence_->gid())) || same_participant(gid, former_);
}

std::shared_ptr<Presence> Participant::presence() const {
  const std::lock_guard lock(presence_mutex_);
  return presence_;
}

void Participant::start_graph() {
  const TypeSupport& type = type_support<rmw_dds_common::ParticipantEntitiesInfo>();
  const EndpointNames names{discovery_topic, discovery_topic, type.name, type.hash};
  std::string data = user_data(type.hash);
  if (options_.distro == Distro::automatic) data += follows_mark;
  graph_reader_ = std::make_unique<Reader>(*this, nullptr, names, Qos::discovery_reader(), data,
                                           std::make_unique<GraphIncoming>(*this));
  graph_writer_ = std::make_unique<Writer>(*this, nullptr, names, Qos::discovery_writer(), data);
  graph_thread_ = std::jthread([this](const std::stop_token& stop) { serve_graph(stop); });
}

// A thread of its own, because changes are noticed inside callbacks of Fast DDS, where writing may lock up. What it
// does takes as long as the graph is large, and hundreds of nodes that come up change it all the time: many changes are
// taken together, so that it is busy for a twentieth of the time and no more.
void Participant::serve_graph(const std::stop_token& stop) {
  Paced write{500ms}, look{2s};
  bool changed = false;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(changed_mutex_);
      const bool idle = !changed && !look.pending;
      changed_signal_.wait_for(lock, stop, idle ? 1s : 10ms, [&] { return idle && (changed_ || seen_); });
      changed = std::exchange(changed_, false) || changed;
      look.pending = std::exchange(seen_, false) || changed || idle || look.pending;
    }
    if (stop.stop_requested()) break;
    // The two forms of the message share a type name, and a peer that reads the wrong one keeps nodes that are none:
    // so nothing is said before a client is there to show which form is wanted.
    write.pending = changed && peers_known_;
    write.run([this] { write_graph(graph_.own_info(gid())); });
    changed = write.pending;
    look.run([this] {
      for (Event& event : warnings_.look(graph_.snapshot(), now())) report(std::move(event));
    });
    if (const auto news = notes_.refusals->news()) report({Event::Kind::malformed_sample, "", *news});
    follow_addresses();
    follow_servers();
  }
  if (peers_known_) write_graph({gid(), {}});
  graph_writer_->wait_for_acknowledgements(100ms);
}

Distro Participant::distro() const {
  if (options_.distro != Distro::automatic) return options_.distro;
  return graph_.peers_speak_humble() ? Distro::humble : Distro::jazzy;
}

void Participant::write_graph(const DiscoveryInfo& info) {
  const std::vector<std::uint8_t> bytes = encode_discovery_info(info, distro() == Distro::humble);
  graph_writer_->write(outgoing_bytes(Bytes(bytes)));
}

std::string Participant::user_data(std::string_view type_hash) const {
  if (options_.distro == Distro::humble || type_hash.empty()) return "";
  return fmt::format("typehash={};", type_hash);
}

void Participant::graph_changed() {
  {
    const std::lock_guard lock(changed_mutex_);
    changed_ = true;
  }
  changed_signal_.notify_one();
}

void Participant::graph_seen() {
  {
    const std::lock_guard lock(changed_mutex_);
    seen_ = true;
  }
  changed_signal_.notify_one();
}

void Participant::report(Event event) {
  if (options_.on_event) options_.on_event(event);
  const std::lock_guard lock(events_mutex_);
  if (events_.size() == most_events) events_.pop_front();
  events_.push_back(std::move(event));
}

std::vector<Event> Participant::take_events() {
  const std::lock_guard lock(events_mutex_);
  std::vector<Event> taken(std::make_move_iterator(events_.begin()), std::make_move_iterator(events_.end()));
  events_.clear();
  return taken;
}

void Participant::on_participant_discovery(dds::DomainParticipant*, rtps::ParticipantDiscoveryInfo&& info) {
  using Info = rtps::ParticipantDiscoveryInfo;
  const Gid gid = gid_from(info.info.m_guid);
  if (is_own(gid)) return;
  const bool is_there = info.status != Info::REMOVED_PARTICIPANT && info.status != Info::DROPPED_PARTICIPANT;
  if (notes_.servers->note(gid, is_there, now())) return;  // no peer
  if (is_there) {
    return graph_.add_participant(gid, address_of(info.info), domain_of(info.info),
                                  dialect_of_vendor(info.info.m_VendorId[0], info.info.m_VendorId[1]));
  }
  notes_.endpoints->forget(gid);
  notes_.relayed->forget(participant_prefix(gid));
  graph_.remove_participant(gid);
  graph_changed();
}

void Participant::onParticipantAuthentication(dds::DomainParticipant*, rtps::ParticipantAuthenticationInfo&& info) {
  if (info.status != rtps::ParticipantAuthenticationInfo::UNAUTHORIZED_PARTICIPANT) return;
  {
    // It tries again and again; once is enough.
    const std::lock_guard lock(events_mutex_);
    if (refused_.size() == most_events) refused_.clear();
    if (!refused_.insert(gid_from(info.guid)).second) return;
  }
  report({Event::Kind::security, "",
          fmt::format("refused participant {}: its certificate or permissions are not valid here",
                      hex(Bytes(info.guid.guidPrefix.value)))});
}

void Participant::on_publisher_discovery(dds::DomainParticipant*, rtps::WriterDiscoveryInfo&& info) {
  if (info.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER) return take_gone(gid_from(info.info.guid()));
  const std::string user_data = user_data_of(info.info);
  take_discovered(endpoint_of(info.info, true, user_data), user_data);
}

void Participant::on_subscriber_discovery(dds::DomainParticipant*, rtps::ReaderDiscoveryInfo&& info) {
  if (info.status == rtps::ReaderDiscoveryInfo::REMOVED_READER) return take_gone(gid_from(info.info.guid()));
  const std::string user_data = user_data_of(info.info);
  take_discovered(endpoint_of(info.info, false, user_data), user_data);
}

void Participant::take_discovered(GraphEndpoint endpoint, const std::string& user_data) {
  if (is_own(endpoint.gid)) return;  // Fast DDS reports our own as well
  notes_.endpoints->add(endpoint.gid);
  auto speaks = GraphState::Speaks::neither;
  const bool of_graph = endpoint.dds_topic == discovery_topic;
  if (of_graph && user_data.find(follows_mark) == std::string::npos) {
    speaks = endpoint.type_hash.empty() ? GraphState::Speaks::humble : GraphState::Speaks::jazzy;
  }
  graph_.add_remote(std::move(endpoint), speaks);
  if (!of_graph) return graph_seen();
  peers_known_ = true;
  graph_changed();
}

void Participant::take_gone(const Gid& gid) {
  if (is_own(gid)) return;
  notes_.endpoints->remove(gid);
  graph_.remove_remote(gid);
  graph_seen();
}

}  // namespace tandem::ros2
