// SPDX-License-Identifier: Apache-2.0
// What comes in the name of discovery servers. A server is one by its name and its address; it speaks of others, and
// what it says of them is what strangers told it: that is screened as if they had said it here, and bounded.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "tandem/ros2/rtps/screen.hpp"
#include "tandem/ros2/transport/endpoint_counts.hpp"
#include "tandem/ros2/transport/relayed.hpp"

namespace tandem::ros2 {

struct ServerGateOptions {
  std::map<ParticipantPrefix, std::set<Ipv4>> servers{};  // each with its addresses
  bool secured = false;
  std::size_t most_endpoints = 0;  // readers and writers that Fast DDS may keep
};

// Any thread.
class ServerGate {
 public:
  // Heartbeats that count backwards may overtake each other on the network, but not by this much.
  static constexpr Duration longest_detour = std::chrono::milliseconds(300);

  ServerGate(ServerGateOptions options, std::shared_ptr<Relayed> relayed,
             std::shared_ptr<const EndpointCounts> endpoints, OwnAddresses& own);

  bool has_servers() const { return !options_.servers.empty(); }
  // Every message that Fast DDS sends begins with its name; a server is not believed what it says of that.
  void note_own_name(Bytes sent);
  bool has_name_of_server(Bytes message) const;
  // By its name and by the address that it came from; 127.0.0.1 for all of this computer.
  bool is_from_server(Bytes message, const Ipv4& origin, Instant now) const;

  // Hands over what Fast DDS may see of a message that is a server's. What it must not see leaves a gap in the server's
  // stream, as Fast DDS would wait for it otherwise and read nothing behind. Reports why something was left out.
  void pass(Bytes message, const Ipv4& origin, bool is_of_discovery, Instant now,
            const std::function<void(Bytes)>& hand_over, const std::function<void(const char*)>& report);

 private:
  struct Arrival {
    ParticipantPrefix server{};
    Ipv4 origin{};
    bool is_of_discovery = false;
    Instant now{};
    const std::function<void(Bytes)>& hand_over;
    const std::function<void(const char*)>& report;
  };
  // A server that was restarted has the same name and counts from 1 again. Fast DDS does not notice before the lease is
  // over, which the new one renews, and takes what it says for old: so it is told that the old one has ended.
  void notice_restart(const Arrival& arrival, Bytes message);
  void pass_sample(const Arrival& arrival, Bytes message);
  void hand_on(const Arrival& arrival, Bytes message, const Screened& result, const std::vector<Ipv4>& addresses);
  const char* admission_fault(const Arrival& arrival, const Screened& result, const std::vector<Ipv4>& addresses);
  ScreenRules rules(const Arrival& arrival, std::vector<Ipv4>& addresses) const;
  bool is_own_name(const ParticipantPrefix& who) const;

  const ServerGateOptions options_;
  const std::shared_ptr<Relayed> relayed_;
  const std::shared_ptr<const EndpointCounts> endpoints_;
  OwnAddresses& own_;
  Reassembly reassembly_;
  // From the admission until Fast DDS has seen it: who leaves must not do so before coming. Taken by receive threads
  // alone, before any lock of Fast DDS.
  std::mutex in_order_;
  struct Stream {
    std::int64_t last = 0;    // number of its newest announcement
    std::uint32_t count = 0;  // of its heartbeats
    Instant seen{};
  };
  std::map<ParticipantPrefix, Stream> streams_;  // of servers
  enum class Naming { unknown, being_written, known };
  std::atomic<Naming> naming_ = Naming::unknown;
  ParticipantPrefix own_name_{};  // once it is known
};

}  // namespace tandem::ros2
