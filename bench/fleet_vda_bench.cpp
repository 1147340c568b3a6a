// SPDX-License-Identifier: Apache-2.0
// Forklifts under a fleet master, all in this process but the broker: how late cycles begin beside a bare
// clock_nanosleep loop that runs at the same time, what a thousand vehicles without machines cost, and how long an
// order takes to move a truck.
//   bench_fleet_vda [--seconds 45] [--trucks 100] [--vehicles 1000] [--orders 100]
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/app/warehouse/demo.hpp"
#include "tandem/app/warehouse/heard.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/protocols/mqtt/client.hpp"
#include "tandem/protocols/vda5050/vehicle.hpp"
#include "tandem/runtime/registry.hpp"
#include "tandem/runtime/system.hpp"

namespace bench {
namespace {

using namespace tandem;

constexpr Duration period = 10ms;
constexpr Duration too_late = 20ms;  // two periods

struct Settings {
  double seconds = 45;
  std::size_t trucks = 100, vehicles = 1000, orders = 100;
};

template <typename Condition>
bool within(Duration limit, Condition condition) {
  const Instant until = now() + limit;
  while (now() < until) {
    if (condition()) return true;
    system_clock().sleep_until(now() + 50ms);
  }
  return false;
}

// Threads that do nothing but sleep until their turns.
class BareLoops {
 public:
  explicit BareLoops(std::size_t count) : shares_(count) {
    for (auto& share : shares_)
      threads_.emplace_back([&share](const std::stop_token& stop) {
        timespec turn{};
        clock_gettime(CLOCK_MONOTONIC, &turn);
        while (!stop.stop_requested()) {
          turn.tv_nsec += std::chrono::nanoseconds(period).count();
          if (turn.tv_nsec >= 1'000'000'000) {
            turn.tv_nsec -= 1'000'000'000;
            ++turn.tv_sec;
          }
          clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &turn, nullptr);
          timespec woken{};
          clock_gettime(CLOCK_MONOTONIC, &woken);
          const Duration late =
              std::chrono::seconds(woken.tv_sec - turn.tv_sec) + std::chrono::nanoseconds(woken.tv_nsec - turn.tv_nsec);
          ++share.begun;
          share.late += late > too_late;
        }
      });
  }
  // Of all cycles; ends the loops.
  std::pair<double, double> end() {
    threads_.clear();
    double begun = 0, late = 0;
    for (const auto& share : shares_) {
      begun += static_cast<double>(share.begun);
      late += static_cast<double>(share.late);
    }
    return {late, begun};
  }

 private:
  struct Share {
    std::uint64_t begun = 0, late = 0;
  };
  std::vector<Share> shares_;
  std::vector<std::jthread> threads_;
};

struct Begun {
  double cycles = 0, late = 0;
};

Begun begun_in(const runtime::System& system) {
  Begun all;
  for (const auto& machine : system.latencies())
    for (const auto& hop : machine.hops) {
      if (hop.name != "late") continue;
      for (const auto& bucket : hop.buckets) {
        all.cycles += static_cast<double>(bucket.count);
        if (bucket.edge > too_late) all.late += static_cast<double>(bucket.count);
      }
    }
  return all;
}

double samples_in(const runtime::System& system) {
  double samples = 0;
  for (const auto& machine : system.status().machines) samples += static_cast<double>(machine.samples);
  return samples;
}

bool all_live(const runtime::System& system) {
  const auto status = system.status();
  return std::ranges::all_of(status.machines, [](const auto& machine) { return machine.state == "live"; });
}

bool all_armed(runtime::System& system) {
  (void)system.command("arm", "", "bench");
  const auto status = system.status();
  return std::ranges::all_of(status.machines, [](const auto& machine) { return machine.arm == "armed"; });
}

// The demonstration: trucks with physics, a broker, a master.
bool drive_fleet(const Settings& settings) {
  warehouse::FleetDemo fleet(settings.trucks, {}, runtime::all_machines());
  runtime::System system(fleet.config(), {});
  const Instant first = now();
  system.start();
  const bool live = within(60s, [&] { return all_live(system); });
  const bool armed = within(20s, [&] { return all_armed(system); });
  fleet.join(system);
  const double started = seconds(now() - first);
  system_clock().sleep_until(now() + 10s);  // orders are out and trucks drive
  BareLoops bare(8);
  const Begun before = begun_in(system);
  const double sampled = samples_in(system), cpu = process_time();
  const Instant begin = now();
  while (now() < begin + duration_of(settings.seconds)) {
    (void)fleet.look();
    system_clock().sleep_until(now() + 200ms);
  }
  const double lasted = seconds(now() - begin), spent = process_time() - cpu;
  const Begun after = begun_in(system);
  const double share_live = (samples_in(system) - sampled) / (static_cast<double>(settings.trucks) * lasted * 100);
  const auto [bare_late, bare_begun] = bare.end();
  fleet.leave();
  const std::string told = fleet.summary();
  (void)system.stop(10s);
  const double ours = 100 * (after.late - before.late) / std::max(1.0, after.cycles - before.cycles);
  const double theirs = 100 * bare_late / std::max(1.0, bare_begun);
  fmt::print("{} trucks with physics, started in {:.1f} s{}{}\n  {}\n", settings.trucks, started,
             live ? "" : ", NOT ALL LIVE", armed ? "" : ", NOT ALL ARMED", told);
  fmt::print("  live samples {:.2f} %, {:.2f} cores without the broker\n", 100 * share_live, spent / lasted);
  fmt::print("  begun more than two periods late: {:.4f} % of {:.0f} cycles; bare loop {:.4f} % of {:.0f}\n", ours,
             after.cycles - before.cycles, theirs, bare_begun);
  const std::string name = fmt::format("{} trucks with physics", settings.trucks);
  report({.name = name + ", cycles begun more than two periods late",
          .peer = "bare clock_nanosleep loops at the same time",
          .ours = ours,
          .theirs = theirs,
          .unit = "%",
          .wanted = "at most the peer's",
          .met = ours <= theirs});
  report_at_least(name + ", live samples", 100 * share_live, "%", 99);
  report_at_most(name + ", CPU without the broker", spent / lasted, "cores", 2);
  report_at_most(name + ", collisions", fleet.touched() ? 1 : 0, "");
  return live && armed && !fleet.touched();
}

// A vehicle that goes along its order at 1 m/s as if on rails.
class RailTruck final : public vda5050::Truck {
 public:
  std::optional<vda5050::Problem> check(const vda5050::Order&) override { return std::nullopt; }
  std::optional<vda5050::Problem> plan(const vda5050::Order&, bool) override { return std::nullopt; }
  void adopt() override {}
  std::optional<std::string> place(const vda5050::Position& position) override {
    at = position;
    at.initialized = true;
    return std::nullopt;
  }
  vda5050::ActionReport begin(const vda5050::Action&) override { return {vda5050::ActionStatus::finished, ""}; }
  vda5050::ActionReport poll(const vda5050::Action&) override { return {vda5050::ActionStatus::finished, ""}; }
  void interrupt(const vda5050::Action&) override {}

  vda5050::Position at{0, 0, 0, "hall", true};
};

class RailVehicle {
 public:
  RailVehicle(mqtt::Loop& loop, const mqtt::BrokerOptions& broker, std::size_t number)
      : identity_{vda5050::Version::v2_1, "uagv", "Bench", fmt::format("{:04}", number)},
        core_(options(identity_), truck_) {
    mqtt::Callbacks callbacks;
    callbacks.greet = [this] {
      mqtt::Greeting greeting;
      const auto will = core_.will({now(), system_clock().utc()});
      greeting.will = mqtt::Message{will.topic, will.payload, will.qos, will.retain};
      for (auto& filter : core_.subscriptions()) greeting.subscriptions.push_back({filter, 0});
      return greeting;
    };
    client_ = std::make_unique<mqtt::Client>(loop, broker, "bench_" + identity_.serial_number, 60s, callbacks);
  }
  bool connected() const { return client_->counters().connected; }
  std::uint64_t sent() const { return client_->counters().sent; }
  std::uint64_t dropped() const { return client_->counters().dropped; }

  void serve(Duration since) {
    if (core_.idle()) give_order();
    const auto goal = core_.goal();
    const bool drives = goal.nodes > 0 && !goal.hold;
    if (drives) {
      truck_.at.x += seconds(since);
      if (truck_.at.x >= core_.nodes()[0].position->x) core_.pass_node();
    }
    vda5050::Observation seen;
    seen.mode = vda5050::OperatingMode::automatic;
    seen.driving = drives;
    seen.position = truck_.at;
    seen.velocity = vda5050::Velocity{drives ? 1.0 : 0.0, 0, 0};
    core_.observe(seen);
    for (auto& message : core_.take({now(), system_clock().utc()}))
      (void)client_->publish({std::move(message.topic), std::move(message.payload), message.qos, message.retain});
  }

 private:
  static vda5050::VehicleOptions options(const vda5050::Identity& identity) {
    vda5050::VehicleOptions made;
    made.identity = identity;
    return made;
  }
  // Ten nodes, 3 m apart, as a master would send it.
  void give_order() {
    vda5050::Order order;
    order.id = fmt::format("order-{}", ++orders_);
    for (std::uint32_t i = 0; i < 10; ++i) {
      vda5050::Node node;
      node.id = fmt::format("n{}", i);
      node.sequence = 2 * i;
      node.released = true;
      node.position = vda5050::NodePosition{truck_.at.x + 3 * i, 0, {}, 0.5, 0, "hall"};
      order.nodes.push_back(node);
      if (i == 0) continue;
      vda5050::Edge edge;
      edge.id = fmt::format("e{}", i);
      edge.sequence = 2 * i - 1;
      edge.released = true;
      edge.start_node = order.nodes[i - 1].id;
      edge.end_node = node.id;
      order.edges.push_back(edge);
    }
    const vda5050::Times times{now(), system_clock().utc()};
    core_.receive_order(vda5050::write_order(identity_, {orders_, times.utc}, order), false, times);
  }

  vda5050::Identity identity_;
  RailTruck truck_;
  vda5050::Vehicle core_;
  std::uint32_t orders_ = 0;
  std::unique_ptr<mqtt::Client> client_;
};

// State, visualization and orders of vehicles that have no machine, each with a connection of its own.
bool serve_vehicles(const Settings& settings) {
  auto broker = warehouse::BrokerProcess::start();
  if (!broker) return fmt::print("{}\n", broker.error().text), false;
  mqtt::Loop loop;
  mqtt::BrokerOptions options;
  options.url = broker->url();
  std::vector<std::unique_ptr<RailVehicle>> vehicles;
  for (std::size_t i = 0; i < settings.vehicles; ++i) {
    vehicles.push_back(std::make_unique<RailVehicle>(loop, options, i));
  }
  const bool connected =
      within(30s, [&] { return std::ranges::all_of(vehicles, [](const auto& each) { return each->connected(); }); });
  const auto sent = [&] {
    double all = 0;
    for (const auto& vehicle : vehicles) all += static_cast<double>(vehicle->sent());
    return all;
  };
  constexpr Duration turn = 50ms;
  const double length = std::min(settings.seconds, 20.0);
  const double cpu = process_time(), before = sent();
  double late = 0, turns = 0;
  const Instant begin = now();
  for (Instant next = begin; now() < begin + duration_of(length);) {
    for (const auto& vehicle : vehicles) vehicle->serve(turn);
    next += turn;
    late += now() > next;
    ++turns;
    system_clock().sleep_until(next);
  }
  const double lasted = seconds(now() - begin), cores = (process_time() - cpu) / lasted;
  const double messages = (sent() - before) / lasted;
  double dropped = 0;
  for (const auto& vehicle : vehicles) dropped += static_cast<double>(vehicle->dropped());
  fmt::print(
      "{} vehicles without machines{}: {:.3f} cores, {:.0f} messages/s, {:.0f} dropped, {:.1f} % of turns late\n",
      settings.vehicles, connected ? "" : ", NOT ALL CONNECTED", cores, messages, dropped, 100 * late / turns);
  const std::string name = fmt::format("{} vehicles without machines", settings.vehicles);
  report_at_most(name + ", CPU of all but the broker", cores, "cores", 1);
  report_at_least(name + ", messages", messages, "1/s", 0);
  report_at_most(name + ", turns of 50 ms that took longer", 100 * late / turns, "%");
  return connected && dropped == 0;
}

// Trucks that get orders of 0.4 m ahead, one after the other; from publish() to the truth that moves.
class FirstMotion {
 public:
  explicit FirstMotion(const runtime::System& system, const warehouse::FleetDemo& fleet)
      : trucks_(fleet.config().machines.size()) {
    for (std::size_t i = 0; i < trucks_.size(); ++i) {
      trucks_[i].identity = {vda5050::Version::v2_1, "uagv", "Tandem", fmt::format("{:04}", i + 1)};
      trucks_[i].device =
          dynamic_cast<const raptorlift::VirtualDevice*>(system.virtual_device(fleet.config().machines[i].name));
      by_topic_[trucks_[i].identity.topic("state")] = i;
    }
    mqtt::Callbacks callbacks;
    callbacks.greet = [] { return mqtt::Greeting{{}, {{"uagv/v2/Tandem/+/state", 0}}}; };
    callbacks.received = [this](const mqtt::Message& message) {
      const auto found = by_topic_.find(message.topic);
      auto state = warehouse::read_state(message.payload);
      const std::lock_guard lock(mutex_);
      if (found != by_topic_.end() && state) trucks_[found->second].state = *std::move(state);
    };
    client_ = std::make_unique<mqtt::Client>(loop_, fleet.config().mqtt, "bench_master", 60s, callbacks);
  }

  bool place_all() {
    return within(20s, [&] { return client_->counters().connected; }) && within(20s, [&] {
             bool all = true;
             for (auto& truck : trucks_) {
               const bool placed = of(truck).initialized;
               if (!placed) place(truck);
               all = all && placed;
             }
             system_clock().sleep_until(now() + 200ms);
             return all;
           });
  }

  // Milliseconds, of so many orders.
  struct Took {
    std::vector<double> first;       // until the truck has moved by 0.1 mm: more than physics at rest ever does
    std::vector<double> millimetre;  // until it has moved by 1 mm
  };
  Took run(std::size_t orders, Duration limit) {
    Took took;
    const Instant until = now() + limit;
    while (took.millimetre.size() < orders && now() < until) {
      for (auto& truck : trucks_) step(truck, took);
      system_clock().sleep_until(now() + 500us);
    }
    return took;
  }

 private:
  struct Truck {
    vda5050::Identity identity;
    const raptorlift::VirtualDevice* device = nullptr;
    warehouse::HeardState state;  // guarded
    std::uint32_t headers = 0, orders = 0;
    std::optional<Instant> given;
    bool moves = false;  // since then
    Instant rests_until{};
    double from = 0;  // m
  };

  warehouse::HeardState of(const Truck& truck) {
    const std::lock_guard lock(mutex_);
    return truck.state;
  }

  void place(Truck& truck) {
    vda5050::Action action;
    action.type = "initPosition";
    action.id = fmt::format("init-{}", truck.headers);
    for (const char* key : {"x", "y", "theta"}) {
      vda5050::Value zero;
      zero.kind = vda5050::Value::Kind::number;
      action.parameters.push_back({key, zero});
    }
    vda5050::Value map;
    map.text = "hall";
    action.parameters.push_back({"mapId", map});
    (void)client_->publish(
        {truck.identity.topic("instantActions"),
         vda5050::write_instant_actions(truck.identity, {truck.headers++, system_clock().utc()}, {action}), 0, false});
  }

  void step(Truck& truck, Took& took) {
    const auto truth = truck.device->truth();
    if (truck.given) {
      const double moved = std::abs(truth.distance - truck.from), since = 1e3 * seconds(now() - *truck.given);
      if (moved < 1e-4) return;
      if (!std::exchange(truck.moves, true)) took.first.push_back(since);
      if (moved < 1e-3) return;
      took.millimetre.push_back(since);
      truck.moves = false;
      truck.given.reset();
      truck.rests_until = now() + 3s;
      return;
    }
    const auto state = of(truck);
    const bool ready = state.automatic && state.initialized && state.idle && !state.driving && state.position;
    if (!ready || now() < truck.rests_until || std::abs(truth.twist.vx) > 1e-3) return;
    truck.from = truth.distance;
    const std::string order = order_of(truck, *state.position);
    truck.given = now();
    (void)client_->publish({truck.identity.topic("order"), order, 0, false});
  }

  std::string order_of(Truck& truck, const kinematics::ackermann::PlanarPose& at) {
    vda5050::Order order;
    order.id = fmt::format("motion-{}", ++truck.orders);
    for (std::uint32_t i = 0; i < 2; ++i) {
      vda5050::Node node;
      node.id = fmt::format("{}-{}", order.id, i);
      node.sequence = 2 * i;
      node.released = true;
      const double ahead = 0.4 * i;
      node.position =
          vda5050::NodePosition{at.x + ahead * std::cos(at.yaw), at.y + ahead * std::sin(at.yaw), {}, 0.3, 0, "hall"};
      order.nodes.push_back(node);
    }
    vda5050::Edge edge;
    edge.id = "ahead";
    edge.sequence = 1;
    edge.released = true;
    edge.start_node = order.nodes[0].id;
    edge.end_node = order.nodes[1].id;
    order.edges.push_back(edge);
    return vda5050::write_order(truck.identity, {truck.headers++, system_clock().utc()}, order);
  }

  std::vector<Truck> trucks_;
  std::map<std::string, std::size_t> by_topic_;
  std::mutex mutex_;
  mqtt::Loop loop_;
  std::unique_ptr<mqtt::Client> client_;
};

bool time_orders(const Settings& settings) {
  warehouse::FleetDemo fleet(10, {}, runtime::all_machines());
  runtime::System system(fleet.config(), {});
  system.start();
  if (!within(60s, [&] { return all_live(system); })) return fmt::print("not all live\n"), false;
  FirstMotion motion(system, fleet);
  if (!motion.place_all() || !within(20s, [&] { return all_armed(system); }))
    return fmt::print("not all placed and armed\n"), false;
  const auto took = motion.run(settings.orders, 90s);
  (void)system.stop(10s);
  const double p50 = quantile(took.first, 0.5), p99 = quantile(took.first, 0.99);
  const double far = quantile(took.millimetre, 0.5);
  fmt::print("order to first motion (0.1 mm), {} orders: p50 {:.1f} ms, p99 {:.1f} ms; to 1 mm: p50 {:.1f} ms\n",
             took.first.size(), p50, p99, far);
  report_at_most("order to first motion (0.1 mm), p50", p50, "ms");
  report_at_most("order to first motion (0.1 mm), p99", p99, "ms", 100);
  report_at_most("order to 1 mm of motion, p50", far, "ms");
  return took.millimetre.size() >= settings.orders;
}

Settings settings_from(int argc, char** argv) {
  Settings settings;
  if (quick()) settings = {10, 20, 200, 30};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    const double value = std::atof(argv[i + 1]);
    if (key == "--seconds") settings.seconds = value;
    if (key == "--trucks") settings.trucks = static_cast<std::size_t>(value);
    if (key == "--vehicles") settings.vehicles = static_cast<std::size_t>(value);
    if (key == "--orders") settings.orders = static_cast<std::size_t>(value);
  }
  return settings;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;  // a connection for each vehicle, here and in the broker
  setrlimit(RLIMIT_NOFILE, &files);
  const Settings settings = settings_from(argc, argv);
  bool good = true;
  if (settings.orders > 0) good = time_orders(settings) && good;
  if (settings.vehicles > 0) good = serve_vehicles(settings) && good;
  if (settings.trucks > 0) good = drive_fleet(settings) && good;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
