// SPDX-License-Identifier: Apache-2.0
// The process on Fast DDS. Only sources of this folder include this header: it is the one that sees Fast DDS.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>

#include "tandem/ros2/calls/executor.hpp"
#include "tandem/ros2/dds/matches.hpp"
#include "tandem/ros2/dds/presence.hpp"
#include "tandem/ros2/graph/graph_state.hpp"
#include "tandem/ros2/graph/graph_warnings.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/ros2/owner_gate.hpp"
#include "tandem/ros2/parameters/local_parameters.hpp"

namespace tandem::ros2 {

struct Endpoint;

class Participant final : public dds::DomainParticipantListener, public std::enable_shared_from_this<Participant> {
 public:
  explicit Participant(ContextOptions options);
  ~Participant() override;

  std::shared_ptr<Presence> presence() const;
  GraphState& graph() { return graph_; }
  const std::shared_ptr<Executor>& executor() const { return executor_; }
  Gid gid() const { return presence()->gid(); }
  const std::shared_ptr<LocalParameters>& local_parameters() const { return local_parameters_; }
  bool is_own(const Gid& gid) const;  // of this process, now or before it got another address
  Dialect dialect_of(const Gid& endpoint) const {
    return graph_.dialect_of(endpoint).value_or(guess_dialect(endpoint));
  }
  const ContextOptions& options() const { return options_; }
  Distro distro() const;
  Acknowledgements& acknowledgements() const { return *notes_.acknowledgements; }
  std::vector<ServerState> discovery_servers() const { return notes_.servers->all(); }
  // USER_DATA of an endpoint.
  std::string user_data(std::string_view type_hash) const;

  // Every endpoint, as long as it is there.
  void enroll(Endpoint& endpoint);
  void dismiss(Endpoint& endpoint);

  void graph_changed();  // ours
  void graph_seen();     // that of others
  void report(Event event);
  std::vector<Event> take_events();

  void on_participant_discovery(dds::DomainParticipant*, rtps::ParticipantDiscoveryInfo&& info) override;
  void onParticipantAuthentication(dds::DomainParticipant*, rtps::ParticipantAuthenticationInfo&& info) override;
  void on_publisher_discovery(dds::DomainParticipant*, rtps::WriterDiscoveryInfo&& info) override;
  void on_subscriber_discovery(dds::DomainParticipant*, rtps::ReaderDiscoveryInfo&& info) override;

 private:
  void start_graph();
  void serve_graph(const std::stop_token& stop);
  void write_graph(const DiscoveryInfo& info);
  void take_discovered(GraphEndpoint endpoint, const std::string& user_data);
  void take_gone(const Gid& gid);
  void follow_addresses();
  void follow_servers();
  void tell_of_server(const ServerState& state);
  void take_new_presence();
  void reopen_endpoints();

  ContextOptions options_;
  std::shared_ptr<LocalParameters> local_parameters_ = std::make_shared<LocalParameters>();
  TransportNotes notes_;
  GraphState graph_;
  mutable std::mutex presence_mutex_;
  std::shared_ptr<Presence> presence_;
  Gid former_{};  // of the presence before this one

  std::mutex events_mutex_;
  std::deque<Event> events_;
  std::set<Gid> refused_;  // participants that have been reported

  std::shared_ptr<Executor> executor_;
  std::unique_ptr<Writer> graph_writer_;
  std::unique_ptr<Reader> graph_reader_;
  std::mutex changed_mutex_;
  std::condition_variable_any changed_signal_;
  std::atomic<bool> peers_known_{false};  // another client's graph endpoint has been seen
  bool changed_ = true;
  bool seen_ = false;
  GraphWarnings warnings_;                            // of the graph thread
  std::set<std::string> addresses_;                   // that peers have been told, of the graph thread
  std::map<int, ServerState::Kind> told_of_servers_;  // by id, of the graph thread
  Instant next_lookup_{};                             // of servers whose names had no address
  std::mutex endpoints_mutex_;
  std::set<Endpoint*> endpoints_;
  std::jthread graph_thread_;
};

// A node's place in the graph; ends with the node's last handle.
struct NodeEntry {
  NodeEntry(std::shared_ptr<Participant> owner, std::string node_name, std::string node_namespace);
  ~NodeEntry();
  NodeEntry(const NodeEntry&) = delete;
  NodeEntry& operator=(const NodeEntry&) = delete;

  std::shared_ptr<Participant> participant;
  std::string name;
  std::string name_space;
  int id = 0;
  const Clock* clock = &system_clock();  // of stamps; lives as long as the node
};

// Which request a sample of a service belongs to.
struct Related {
  Gid guid{};
  std::int64_t sequence = 0;
};

struct EndpointNames {
  std::string topic;  // as people read it
  std::string dds_topic;
  std::string type;
  std::string type_hash;
  bool tapped = true;  // by the context's tap, if it is a topic of ROS
};

// What peers send to; recreated when this computer gets another address.
struct Endpoint {
  virtual void reopen() = 0;
  std::mutex reopening;

 protected:
  ~Endpoint() = default;
};

class Writer final : public dds::DataWriterListener, public Endpoint {
 public:
  // `node` is null for the endpoints of the graph itself.
  // `on_match` runs also when a reader acknowledges for the first time.
  Writer(Participant& participant, std::shared_ptr<NodeEntry> node, EndpointNames names, const Qos& qos,
         const std::string& user_data, std::function<void()> on_match = nullptr);
  ~Writer() override;

  // A volatile sample that no reader is there for goes to the tap alone, if there is one.
  bool write(const Outgoing& outgoing);
  // Bytes that are CDR already, with what they belong to beside them. The sample's own number, or -1.
  std::int64_t write(Bytes cdr, const Related& related);
  const std::string& topic() const { return names_.topic; }
  const Matches& matches() const { return matches_; }
  // Whether what is sent now reaches a reader that has matched: it has acknowledged a heartbeat, or matched
  // long enough ago that one must have come. Where `settling` is zero, matching is enough.
  bool reaches(const Gid& reader, Duration settling) const;
  bool is_acknowledged_by(const Gid& reader) const;
  // How many of those that have matched, with the settling time of their vendor.
  std::size_t reached() const;
  Gid gid() const;
  bool wait_for_acknowledgements(Duration timeout) const;
  void reopen() override;

  void on_publication_matched(dds::DataWriter*, const dds::PublicationMatchedStatus& status) override;
  void on_offered_incompatible_qos(dds::DataWriter*, const dds::OfferedIncompatibleQosStatus&) override;

 private:
  dds::DataWriter* open(Presence& presence);
  void close(Presence& presence, dds::DataWriter* writer);
  void keep(const Outgoing& outgoing, std::size_t size);
  bool may_be_heard() const;
  bool pass_to_tap(const Outgoing& outgoing, std::size_t size) const;

  Participant& participant_;
  std::shared_ptr<NodeEntry> node_;
  EndpointNames names_;
  TopicTap tap_;
  Qos qos_;
  std::function<void()> on_match_;
  std::string user_data_;
  Matches matches_;
  std::atomic<bool> miscounted_ = false;  // a reader may be missing in matches_
  mutable std::shared_mutex swap_;        // of writer_
  std::shared_ptr<Presence> presence_;
  dds::DataWriter* writer_ = nullptr;
  std::mutex kept_mutex_;
  std::deque<std::vector<std::uint8_t>> kept_;  // what a latched topic holds
  std::uint64_t kept_count_ = 0;                // how many there have been
};

class Reader final : public dds::DataReaderListener, public Endpoint {
 public:
  Reader(Participant& participant, std::shared_ptr<NodeEntry> node, EndpointNames names, const Qos& qos,
         const std::string& user_data, std::unique_ptr<Incoming> incoming, std::function<void()> on_match = nullptr);
  ~Reader() override;

  const std::string& topic() const { return names_.topic; }
  const Matches& matches() const { return matches_; }
  Gid gid() const;
  void reopen() override;
  std::uint64_t malformed() const { return malformed_; }
  std::uint64_t refused() const { return refused_; }
  // Counts a sample that could not be read, and reports of it. Any thread.
  void drop(const char* failure, const Gid& from);

  void on_data_available(dds::DataReader* reader) override;
  void on_subscription_matched(dds::DataReader*, const dds::SubscriptionMatchedStatus& status) override;
  void on_requested_incompatible_qos(dds::DataReader*, const dds::RequestedIncompatibleQosStatus&) override;

 private:
  dds::DataReader* open(Presence& presence);
  void close(Presence& presence, dds::DataReader* reader);
  void take_all(dds::DataReader& reader);
  bool admit(const MessageInfo& info);

  Participant& participant_;
  std::shared_ptr<NodeEntry> node_;
  EndpointNames names_;
  TopicTap tap_;
  std::vector<std::uint8_t> tapped_;  // of the thread that takes: the current sample
  Qos qos_;
  std::string user_data_;
  std::unique_ptr<Incoming> incoming_;
  std::atomic<std::uint32_t> knocks_ = 0;
  std::atomic<bool> closed_ = false;
  std::function<void()> on_match_;
  Matches matches_;
  std::atomic<std::uint64_t> malformed_ = 0;
  OwnerGate gate_;  // of the thread that takes
  std::atomic<std::uint64_t> refused_ = 0;
  mutable std::shared_mutex swap_;  // of reader_
  std::shared_ptr<Presence> presence_;
  dds::DataReader* reader_ = nullptr;
};

}  // namespace tandem::ros2
