// SPDX-License-Identifier: Apache-2.0
// The fleet demonstration's master on MQTT: hears the trucks' states and gives the orders of Master to them, in VDA
// 5050 as any other master would. One thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "tandem/app/warehouse/heard.hpp"
#include "tandem/app/warehouse/master.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/protocols/mqtt/client.hpp"
#include "tandem/protocols/vda5050/write.hpp"

namespace tandem::warehouse {

struct DispatcherOptions {
  mqtt::BrokerOptions broker;
  std::string interface = "uagv", manufacturer = "Tandem", map_id = "hall";
  std::vector<std::string> serials;  // of the trucks, in the order of the map's first bays
  MasterOptions master;
};

// What an edge of the map is to the trucks.
enum class EdgeUse : std::uint8_t { none, horizon, base };

struct Traffic {
  bool connected = false;
  std::size_t ready = 0;                // trucks that take orders
  std::uint64_t trips = 0, orders = 0;  // ended; and messages, updates among them
  std::uint64_t placed = 0;             // positions given
  std::vector<EdgeUse> edges;           // of the map
  std::vector<std::string> problems;    // the last error of each truck; empty: none
};

class Dispatcher {
 public:
  // Where a truck really is: what a person or a localizer would say to one that has lost its position. None: not known.
  using PlaceOf = std::function<std::optional<PlanarPose>(std::size_t truck)>;

  Dispatcher(const Map& map, DispatcherOptions options, PlaceOf place_of);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  void end();  // gives no more orders, and leaves the broker

  Traffic traffic() const;  // any thread

 private:
  struct Truck {
    vda5050::Identity identity;
    std::uint32_t orders = 0, actions = 0;  // header ids
    bool online = false;
    std::optional<HeardState> state;  // since the broker was there
    Instant placed_at{}, cancelled_at{};
  };

  void run(const std::stop_token& stop);
  void take(const mqtt::Message& message);
  void look_after(std::size_t i, Instant now);
  void report(std::size_t i);
  void give(const Order& order);
  void act(std::size_t i, const std::string& type, std::vector<vda5050::Parameter> parameters = {});
  vda5050::Order written(const Order& order) const;
  vda5050::Node node_of(const Order& order, std::size_t index) const;
  vda5050::Edge edge_of(const OrderEdge& edge) const;
  void publish(const Truck& truck, std::string_view topic, std::string payload);
  void show();

  const Map& map_;
  const DispatcherOptions options_;
  const PlaceOf place_of_;
  Master master_;
  std::vector<Truck> trucks_;
  std::map<std::string, std::pair<std::size_t, bool>> topics_;  // of states (true) and connections
  std::uint64_t next_action_ = 0, orders_ = 0, placed_ = 0;
  const Instant begun_;

  std::mutex mutex_;
  std::condition_variable_any called_;
  std::deque<mqtt::Message> heard_;    // guarded
  bool lost_ = false, found_ = false;  // guarded: the broker, since the last turn
  mutable std::mutex shown_mutex_;
  Traffic shown_;  // guarded by it

  mqtt::Loop loop_;
  std::unique_ptr<mqtt::Client> client_;
  std::jthread thread_;
};

}  // namespace tandem::warehouse
