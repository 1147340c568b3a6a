// SPDX-License-Identifier: Apache-2.0
// All machines of this process as one edge node of Sparkplug B: a device each. It looks at their status twice a second
// and never touches a cycle.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/protocols/mqtt/client.hpp"
#include "tandem/protocols/sparkplug/session.hpp"
#include "tandem/runtime/config/mqtt.hpp"
#include "tandem/runtime/control/protocol.hpp"
#include "tandem/runtime/sparkplug/readings.hpp"
#include "tandem/runtime/sparkplug/state_file.hpp"
#include "tandem/runtime/supervision/event.hpp"

namespace tandem::runtime {

// STATE of a host application: {"online": true, "timestamp": 1700000000000}; nothing for anything else.
struct HostState {
  bool online = false;
  std::uint64_t timestamp = 0;  // ms since 1970
};
std::optional<HostState> host_state_from(std::string_view json);

class EdgeNode {
 public:
  struct Options {
    SparkplugConfig config;
    mqtt::BrokerOptions broker;
    std::vector<std::string> machines;
    std::string version;
    std::string state_folder;  // empty: the number of the connection is not kept
    std::chrono::seconds keep_alive{15};
    Duration period = 500ms;
  };
  // `controlled`: whose status is published, and who is stopped. Outlives this.
  EdgeNode(Options options, mqtt::Loop& loop, Controlled& controlled, Clock& clock, OnEvent on_event);

  void run(const std::stop_token& stop);
  SparkplugStatus status() const;  // any thread

 private:
  void begin();
  void finish();
  void look();
  void greeted(mqtt::Greeting& greeting);
  void received(const mqtt::Message& message);
  void host_says(const mqtt::Message& message);
  void refused(const std::vector<std::string>& reasons);
  std::uint64_t utc_ms() const;
  void tell(std::string text, bool bad) const;

  const Options options_;
  mqtt::Loop& loop_;
  Controlled& controlled_;
  Clock& clock_;
  const OnEvent on_event_;
  const sparkplug::NodeName name_;
  const StateFile file_;
  Readings readings_;  // of the node's own thread

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any wake_;
  sparkplug::Session session_;
  std::vector<std::string> stops_;
  bool woken_ = false, finishing_ = false;
  bool file_told_ = false;
  std::optional<Instant> refused_told_;
  std::uint64_t refused_untold_ = 0;
  std::unique_ptr<mqtt::Client> client_;
};

}  // namespace tandem::runtime
