// SPDX-License-Identifier: Apache-2.0
// UDP for Fast DDS without the messages that would harm it, and with those of Cyclone DDS as it understands them. Only
// sources of this folder include this header.
#pragma once

#include <fastdds/rtps/common/Locator.h>
#include <fastdds/rtps/transport/TransportDescriptorInterface.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "tandem/ros2/transport/acknowledgements.hpp"
#include "tandem/ros2/transport/addresses.hpp"
#include "tandem/ros2/transport/endpoint_counts.hpp"
#include "tandem/ros2/transport/relayed.hpp"
#include "tandem/ros2/transport/server_states.hpp"

namespace tandem::ros2 {

// Counts the messages that were refused. Any thread; outlives the transport or not.
class Refusals {
 public:
  void add(const std::string& address, std::uint32_t size, const char* fault);
  // A sentence when there are twice as many as it told last time.
  std::optional<std::string> news();

 private:
  std::mutex mutex_;
  std::uint64_t count_ = 0;
  std::uint64_t reported_ = 0;
  std::string address_;  // of the last
  std::uint32_t size_ = 0;
  const char* fault_ = "";
};

// What the transport reports of the messages that it passes on, and of those that it does not.
struct TransportNotes {
  std::shared_ptr<Refusals> refusals = std::make_shared<Refusals>();
  std::shared_ptr<Acknowledgements> acknowledgements = std::make_shared<Acknowledgements>();
  std::shared_ptr<EndpointCounts> endpoints = std::make_shared<EndpointCounts>();  // kept by who hears Fast DDS
  std::shared_ptr<Relayed> relayed = std::make_shared<Relayed>();
  std::shared_ptr<ServerStates> servers = std::make_shared<ServerStates>();  // kept by who hears Fast DDS
};

struct ScreenOptions {
  bool secured = false;    // by DDS Security
  std::set<Ipv4> peers{};  // addresses that any participant may announce as its own
  // Discovery servers, each with its addresses: if there are any, Fast DDS discovers others through them alone.
  std::map<ParticipantPrefix, std::set<Ipv4>> servers{};
  // Readers and writers that Fast DDS may keep of all participants of one address: 110 MB. Four times as many of all.
  std::size_t endpoints_of_one = 32768;
};

std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> screened_transport(
    std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> udp, TransportNotes notes,
    ScreenOptions options);

Ipv4 ipv4_of(const eprosima::fastrtps::rtps::Locator_t& locator);

}  // namespace tandem::ros2
