// SPDX-License-Identifier: Apache-2.0
// Cyclone DDS, another vendor's, as rmw_cyclonedds uses it: one participant with one node. GID_SIZE chooses the form
// of the graph message: 16 as in Jazzy, or 24 as in Humble.
#pragma once

#include <dds/dds.h>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "messages.h"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {

using CycloneGraph = rmw_dds_common_msg_dds__ParticipantEntitiesInfo_;

inline constexpr bool humble = GID_SIZE == 24;

struct CycloneQos {
  explicit CycloneQos(const Qos& ours, const std::string& user_data = "") : qos(dds_create_qos()) {
    dds_qset_reliability(
        qos, ours.reliability == Reliability::reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
        DDS_SECS(1));
    dds_qset_durability(
        qos, ours.durability == Durability::transient_local ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, ours.history == History::keep_all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST, ours.depth);
    dds_data_representation_id_t plain[] = {DDS_DATA_REPRESENTATION_XCDR1};
    dds_qset_data_representation(qos, 1, plain);
    if (!user_data.empty()) dds_qset_userdata(qos, user_data.data(), user_data.size());
  }
  ~CycloneQos() { dds_delete_qos(qos); }
  CycloneQos(const CycloneQos&) = delete;
  CycloneQos& operator=(const CycloneQos&) = delete;
  dds_qos_t* qos;
};

inline Gid guid_of(dds_entity_t entity) {
  dds_guid_t guid;
  REQUIRE(dds_get_guid(entity, &guid) == DDS_RETCODE_OK);
  Gid bytes;
  std::memcpy(bytes.data(), guid.v, bytes.size());
  return bytes;
}

// Takes one valid sample and looks at it; false when there is none.
template <typename T, typename Look>
bool take(dds_entity_t reader, Look look) {
  void* sample = nullptr;
  dds_sample_info_t info;
  if (dds_take(reader, &sample, &info, 1, 1) != 1) return false;
  const bool valid = info.valid_data;
  if (valid) look(*static_cast<const T*>(sample));
  dds_return_loan(reader, &sample, 1);
  return valid;
}

// A C sequence that lends the elements of a vector.
template <typename Sequence, typename T>
Sequence lent(std::vector<T>& elements) {
  Sequence sequence{};
  sequence._length = sequence._maximum = static_cast<std::uint32_t>(elements.size());
  sequence._buffer = elements.data();
  return sequence;
}

// On loopback, found by unicast, as rmw_cyclonedds is with ROS_LOCALHOST_ONLY=1. The node tells the graph of each
// endpoint that it makes or deletes.
class Cyclone {
 public:
  explicit Cyclone(int domain, std::string node_name = "storm") : name_(std::move(node_name)) {
    const std::string uri =
        "<General><Interfaces><NetworkInterface address='127.0.0.1' multicast='false'/></Interfaces>"
        "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
        "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address='127.0.0.1'/></Peers></Discovery>"
        // It would tell of every reply to a client of the other dialect.
        "<Tracing><Verbosity>severe</Verbosity><OutputFile>stderr</OutputFile></Tracing>";
    setenv("CYCLONEDDS_URI", uri.c_str(), 1);
    const std::string enclave = "enclave=/;";
    dds_qos_t* qos = dds_create_qos();
    dds_qset_userdata(qos, enclave.data(), enclave.size());
    participant_ = dds_create_participant(static_cast<dds_domainid_t>(domain), qos, nullptr);
    dds_delete_qos(qos);
    REQUIRE(participant_ > 0);
    const auto& type = rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc;
    // What Iron and later put beside each endpoint, and Humble does not.
    const std::string hash =
        humble ? "" : "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;";
    graph_reader_ = make<false>(type, "ros_discovery_info", Qos::discovery_reader(), hash);
    graph_writer_ = make<true>(type, "ros_discovery_info", Qos::discovery_writer(), hash);
    announce();
  }
  ~Cyclone() { dds_delete(participant_); }
  Cyclone(const Cyclone&) = delete;
  Cyclone& operator=(const Cyclone&) = delete;

  dds_entity_t reader(const dds_topic_descriptor_t& type, const std::string& topic, const Qos& qos,
                      const std::string& user_data = "") {
    readers_.push_back(make<false>(type, topic, qos, user_data));
    announce();
    return readers_.back();
  }
  dds_entity_t writer(const dds_topic_descriptor_t& type, const std::string& topic, const Qos& qos,
                      const std::string& user_data = "") {
    writers_.push_back(make<true>(type, topic, qos, user_data));
    announce();
    return writers_.back();
  }
  void remove(dds_entity_t endpoint) {
    if (std::erase(readers_, endpoint) + std::erase(writers_, endpoint) == 0) return;
    announce();
    dds_delete(endpoint);
  }
  // "clientid=1.10. ... ;", a new one each time.
  std::string mark(const char* key) {
    Gid id = guid_of(participant_);
    id[12] = id[13] = id[14] = 0;
    id[15] = ++last_mark_;
    std::string text = fmt::format("{}={:x}", key, id[0]);
    for (std::size_t i = 1; i < id.size(); ++i) text += fmt::format(".{:x}", id[i]);
    return text + ";";
  }
  dds_entity_t graph_reader() const { return graph_reader_; }

 private:
  using Gids = std::vector<rmw_dds_common_msg_dds__Gid_>;

  template <bool writes>
  dds_entity_t make(const dds_topic_descriptor_t& type, const std::string& name, const Qos& qos,
                    const std::string& user_data) const {
    const dds_entity_t topic = dds_create_topic(participant_, &type, name.c_str(), nullptr, nullptr);
    REQUIRE(topic > 0);
    const CycloneQos quality(qos, user_data);
    const dds_entity_t endpoint = writes ? dds_create_writer(participant_, topic, quality.qos, nullptr)
                                         : dds_create_reader(participant_, topic, quality.qos, nullptr);
    dds_delete(topic);  // the endpoint keeps it
    REQUIRE(endpoint > 0);
    return endpoint;
  }
  static Gids gids_of(const std::vector<dds_entity_t>& endpoints) {
    Gids gids(endpoints.size());
    for (std::size_t i = 0; i < gids.size(); ++i) std::ranges::copy(guid_of(endpoints[i]), gids[i].data);
    return gids;
  }
  void announce() const {
    Gids readers = gids_of(readers_), writers = gids_of(writers_);
    std::vector<rmw_dds_common_msg_dds__NodeEntitiesInfo_> nodes(1);
    std::ranges::copy(std::string_view("/sea"), nodes[0].node_namespace);
    std::ranges::copy(name_, nodes[0].node_name);
    nodes[0].reader_gid_seq = lent<decltype(nodes[0].reader_gid_seq)>(readers);
    nodes[0].writer_gid_seq = lent<decltype(nodes[0].writer_gid_seq)>(writers);
    CycloneGraph info{};
    std::ranges::copy(guid_of(participant_), info.gid.data);
    info.node_entities_info_seq = lent<decltype(info.node_entities_info_seq)>(nodes);
    REQUIRE(dds_write(graph_writer_, &info) == DDS_RETCODE_OK);
  }

  std::string name_;
  std::uint8_t last_mark_ = 0;
  dds_entity_t participant_ = 0, graph_reader_ = 0, graph_writer_ = 0;
  std::vector<dds_entity_t> readers_, writers_;
};

// USER_DATA of those that an endpoint has matched.
inline std::vector<std::string> matched_user_data(dds_entity_t endpoint, bool is_reader) {
  std::array<dds_instance_handle_t, 64> handles;
  const auto count = is_reader ? dds_get_matched_publications(endpoint, handles.data(), handles.size())
                               : dds_get_matched_subscriptions(endpoint, handles.data(), handles.size());
  std::vector<std::string> texts;
  for (int i = 0; i < std::min<int>(count, 64); ++i) {
    const dds_instance_handle_t handle = handles[static_cast<std::size_t>(i)];
    dds_builtintopic_endpoint_t* other = is_reader ? dds_get_matched_publication_data(endpoint, handle)
                                                   : dds_get_matched_subscription_data(endpoint, handle);
    if (other == nullptr) continue;
    void* data = nullptr;
    std::size_t size = 0;
    if (dds_qget_userdata(other->qos, &data, &size)) texts.emplace_back(static_cast<const char*>(data), size);
    dds_free(data);
    dds_builtintopic_free_endpoint(other);
  }
  return texts;
}

}  // namespace tandem::ros2
