// SPDX-License-Identifier: Apache-2.0
// All hosts of a fleet, each by a thread of its own, so that one that hangs disturbs no other.
#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tandem/runtime/fleet/host_link.hpp"

namespace tandem::runtime {

// Once, all at the same time; in the order of the file.
std::vector<HostState> look_at_all(const std::vector<FleetHost>& hosts, Duration within);

struct HostStop {
  std::string host;
  bool ok = false;
  std::string text;  // what the host answered, or why it did not
};
// A stop of every machine of all hosts, at the same time; what comes back is in the order of the file.
std::vector<HostStop> stop_all(const std::vector<FleetHost>& hosts, Duration within);

// Keeps a connection to every host, and begins again when it is lost.
class FleetWatch {
 public:
  explicit FleetWatch(std::vector<FleetHost> hosts);
  ~FleetWatch();

  std::vector<HostState> states() const;  // any thread
  const std::vector<FleetHost>& hosts() const { return hosts_; }

 private:
  void follow(std::size_t index, const std::stop_token& stop);
  // Until it is lost; why.
  Error follow_once(std::size_t index, const std::stop_token& stop);
  void put(std::size_t index, const std::function<void(HostState&)>& change);

  const std::vector<FleetHost> hosts_;
  mutable std::mutex mutex_;
  std::vector<HostState> states_;  // guarded
  std::vector<std::jthread> threads_;
};

// One JSON object: {"hosts": [...]}, a host with "name", "page", "reachable", "error", "control", "clock" and "status".
std::string json_from_states(const std::vector<HostState>& states);
std::string json_from_stops(const std::vector<HostStop>& stops);

}  // namespace tandem::runtime
