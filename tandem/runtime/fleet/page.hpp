// SPDX-License-Identifier: Apache-2.0
// One page for all hosts of a fleet, on loopback: their machines, clocks and addresses, and one button that stops all.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tandem/runtime/fleet/watch.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::runtime {

inline constexpr std::string_view fleet_topic = "/tandem/fleet";            // json_from_states(), 4 Hz
inline constexpr std::string_view fleet_command = "/tandem/fleet/command";  // {"what": "stop"}
inline constexpr std::string_view default_fleet_address = "127.0.0.1:8090";

struct FleetPageOptions {
  std::string listen{default_fleet_address};  // on loopback only
  bool any_port = true;                       // where this one is taken
  std::string version;
  std::string control_token;  // empty: a new one of this run
  Duration stop_within = 2s;
};

class FleetPage {
 public:
  // Throws std::invalid_argument for an address beyond loopback, std::runtime_error for one that is taken.
  FleetPage(std::vector<FleetHost> hosts, FleetPageOptions options);
  ~FleetPage();

  std::string address() const { return server_->address(); }
  std::string printed_address() const { return server_->printed_address(); }
  const FleetWatch& watch() const { return watch_; }
  void run(const std::stop_token& stop);

 private:
  void tick();
  void call(std::string_view encoding, Bytes request, const web::ServiceAnswer& answer);

  const FleetPageOptions options_;
  FleetWatch watch_;
  std::unique_ptr<web::Hub> hub_;
  std::unique_ptr<web::Server> server_;
  web::ChannelId channel_ = 0;
  Instant next_{};
  // Stops that are on their way, and who waits for them.
  std::vector<std::pair<std::future<std::string>, web::ServiceAnswer>> stops_;
};

}  // namespace tandem::runtime
