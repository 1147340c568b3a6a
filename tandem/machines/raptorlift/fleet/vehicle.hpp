// SPDX-License-Identifier: Apache-2.0
// The truck as a vehicle of a fleet: its MQTT client, its VDA 5050 vehicle, and what passes between them and the
// machine's cycle. MQTT may drive, pause and cancel while the truck is armed; it never arms it and never resets a stop.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/machines/kit/lines.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/raptorlift/fleet/options.hpp"
#include "tandem/machines/raptorlift/fleet/thread.hpp"
#include "tandem/machines/raptorlift/fleet/truck.hpp"
#include "tandem/protocols/mqtt/client.hpp"
#include "tandem/protocols/vda5050/vehicle.hpp"

namespace tandem::raptorlift::fleet {

class Vehicle final : public Served {
 public:
  // Of the machine: its newest state, from any thread.
  using StateOf = std::function<State()>;

  // Throws std::invalid_argument if options or broker are invalid.
  Vehicle(const machines::Setup& setup, const FleetOptions& options, const Description& description,
          const Times& machine_times, Commands& commands, machines::Lines& lines, StateOf state);
  ~Vehicle() override;

  std::vector<machines::Value> values() const;    // any thread
  std::vector<machines::Metric> metrics() const;  // any thread

 private:
  // What the client's callbacks leave for the fleet's thread, in order.
  struct Event {
    enum class Kind : std::uint8_t { connected, lost, message } kind;
    mqtt::Message message;
    std::uint64_t enabled = 0;  // State::enabled when it came
  };

  void serve() override;
  void failed(std::string_view why) override;
  void push(Event event);
  void look();
  bool makes_room(const mqtt::Message& message);
  void take_events();
  void note_lost();
  void receive(const Event& event);
  void observe(Instant now);
  void lose_order();
  vda5050::Observation observation(Instant now);
  std::vector<vda5050::Problem> problems(Instant now) const;
  void follow_route();
  void drive(Instant now);
  void withdraw();
  void watch_broker(Instant now);
  void publish();
  bool send(vda5050::Outgoing message);
  void report_refusals();
  void show();
  vda5050::Times times() const;
  mqtt::Callbacks callbacks();

  const FleetOptions options_;
  Clock& clock_;
  Commands& commands_;
  machines::Lines& lines_;
  const StateOf state_of_;
  FleetTruck truck_;
  vda5050::Vehicle core_;

  mutable std::mutex mutex_;
  // Guarded:
  std::deque<Event> events_;
  std::uint64_t lost_orders_ = 0, lost_instants_ = 0;  // for want of room
  bool stop_lost_ = false;                             // a stop was among them, since the last look
  std::string shown_;
  std::uint64_t shown_accepted_ = 0, shown_refused_ = 0;  // orders

  bool connected_ = false, connected_before_ = false;
  Instant lost_at_{}, served_at_{}, late_until_{};
  bool disarmed_ = false;          // since the broker was lost
  std::uint64_t ended_route_ = 0;  // the route that has ended, and was accounted for
  std::string route_failure_;
  std::string refused_;   // what the broker refused of this connection: the truck could not be stopped over it
  bool broken_ = false;   // an exception came out of serve()
  bool posted_ = false;   // a route, and it was not withdrawn since
  bool cleared_ = false;  // the order ended with its route: MANUAL for one state
  std::uint64_t orders_noted_ = 0, instants_noted_ = 0;  // of those lost
  std::uint64_t refusals_reported_ = 0;
  Instant refusal_reported_at_{};

  const std::shared_ptr<FleetThread> thread_;
  std::unique_ptr<mqtt::Client> client_;  // null: the configuration is only checked
};

}  // namespace tandem::raptorlift::fleet
