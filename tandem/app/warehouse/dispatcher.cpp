// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/dispatcher.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tandem::warehouse {
namespace {

constexpr std::chrono::seconds keep_alive{15};
constexpr std::size_t most_heard = 10000;  // messages that wait; more are dropped
constexpr Duration turn = 50ms;
constexpr Duration between_actions = 3s;  // of one kind to one truck
constexpr double deviation = 0.2;         // m, of a node on the way
constexpr double start_deviation = 0.5;   // m, more than a truck is away from the first node of its order

vda5050::Parameter number(std::string key, double value) {
  vda5050::Value given;
  given.kind = vda5050::Value::Kind::number;
  given.number = value;
  return {std::move(key), std::move(given)};
}

vda5050::Parameter text(std::string key, std::string value) {
  vda5050::Value given;
  given.text = std::move(value);
  return {std::move(key), std::move(given)};
}

}  // namespace

Dispatcher::Dispatcher(const Map& map, DispatcherOptions options, PlaceOf place_of)
    : map_(map),
      options_(std::move(options)),
      place_of_(std::move(place_of)),
      master_(map, options_.serials.size(), options_.master),
      begun_(system_clock().now()) {
  for (const std::string& serial : options_.serials) {
    Truck truck;
    truck.identity = {vda5050::Version::v2_1, options_.interface, options_.manufacturer, serial};
    topics_[truck.identity.topic("state")] = {trucks_.size(), true};
    topics_[truck.identity.topic("connection")] = {trucks_.size(), false};
    trucks_.push_back(std::move(truck));
  }
  shown_.edges.resize(map.edges.size());
  shown_.problems.resize(trucks_.size());
  mqtt::Callbacks callbacks;
  callbacks.greet = [this] {
    mqtt::Greeting greeting;
    vda5050::Identity all{vda5050::Version::v2_1, options_.interface, options_.manufacturer, "+"};
    greeting.subscriptions = {{all.topic("state"), 0}, {all.topic("connection"), 1}};
    return greeting;
  };
  callbacks.connected = [this] {
    const std::lock_guard lock(mutex_);
    found_ = true;
    called_.notify_one();
  };
  callbacks.lost = [this](std::string_view) {
    const std::lock_guard lock(mutex_);
    heard_.clear();
    found_ = false;
    lost_ = true;
    called_.notify_one();
  };
  callbacks.received = [this](const mqtt::Message& message) {
    const std::lock_guard lock(mutex_);
    if (heard_.size() < most_heard) heard_.push_back(message);
    called_.notify_one();
  };
  client_ = std::make_unique<mqtt::Client>(loop_, options_.broker,
                                           fmt::format("tandem_master_{}_{}", options_.manufacturer, ::getpid()),
                                           keep_alive, std::move(callbacks));
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Dispatcher::~Dispatcher() { end(); }

void Dispatcher::end() {
  if (!thread_.joinable()) return;
  thread_ = {};
  client_->leave({}, system_clock().now() + 500ms);
}

void Dispatcher::run(const std::stop_token& stop) {
  Instant next{};
  while (!stop.stop_requested()) {
    std::deque<mqtt::Message> heard;
    bool lost = false, found = false;
    {
      std::unique_lock lock(mutex_);
      called_.wait_until(lock, stop, next, [this] { return !heard_.empty() || lost_ || found_; });
      heard.swap(heard_);
      lost = std::exchange(lost_, false);
      found = std::exchange(found_, false);
    }
    if (lost)
      for (Truck& truck : trucks_) {
        truck.online = false;
        truck.state.reset();
      }
    if (found)  // a truck that has nothing to say is silent for up to 30 s
      for (std::size_t i = 0; i < trucks_.size(); ++i) act(i, "stateRequest");
    for (const mqtt::Message& message : heard) take(message);
    const Instant now = system_clock().now();
    if (now < next && heard.empty()) continue;
    next = now + turn;
    for (std::size_t i = 0; i < trucks_.size(); ++i) look_after(i, now);
    for (const Order& order : master_.step(seconds(now - begun_))) give(order);
    show();
  }
}

void Dispatcher::take(const mqtt::Message& message) {
  const auto topic = topics_.find(message.topic);
  if (topic == topics_.end()) return;
  const auto [i, is_state] = topic->second;
  if (is_state) {
    if (auto state = read_state(message.payload)) trucks_[i].state = *std::move(state);
  } else {
    trucks_[i].online = says_online(message.payload);
    if (!trucks_[i].online) trucks_[i].state.reset();
  }
  report(i);
}

void Dispatcher::report(std::size_t i) {
  const Truck& truck = trucks_[i];
  if (!truck.state) return;
  const HeardState& state = *truck.state;
  Report report{truck.online && state.automatic && state.initialized && !state.stopped && !state.route_failed,
                state.order,
                state.update,
                state.last_sequence,
                state.idle,
                {}};
  if (state.position && state.initialized) report.position = Point{state.position->x, state.position->y};
  // An order that was dropped is judged by where the truck is once that is known again.
  if (!report.ready && state.idle) report.idle = false;
  master_.report(i, report);
}

// What a person beside the truck would do: say where it is, and clear an order that it cannot drive.
void Dispatcher::look_after(std::size_t i, Instant now) {
  Truck& truck = trucks_[i];
  if (!truck.online || !truck.state) {
    master_.report_away(i);  // until it is heard again
    return;
  }
  const HeardState& state = *truck.state;
  if (state.route_failed && !state.idle && now - truck.cancelled_at > between_actions) {
    truck.cancelled_at = now;
    act(i, "cancelOrder");
  }
  if (state.initialized || state.stale || state.driving || !state.idle || !state.position) return;
  if (truck.placed_at != Instant{} && now - truck.placed_at < between_actions) return;
  const auto place = place_of_(i);
  if (!place) return;
  truck.placed_at = now;
  ++placed_;
  act(i, "initPosition",
      {number("x", place->x), number("y", place->y), number("theta", place->yaw), text("mapId", options_.map_id),
       text("lastNodeId", map_.nodes[master_.view(i).at].id)});
}

void Dispatcher::act(std::size_t i, const std::string& type, std::vector<vda5050::Parameter> parameters) {
  Truck& truck = trucks_[i];
  vda5050::Action action;
  action.type = type;
  action.id = fmt::format("{}-{}", type, ++next_action_);
  action.parameters = std::move(parameters);
  publish(truck, "instantActions",
          vda5050::write_instant_actions(truck.identity, {truck.actions++, system_clock().utc()}, {action}));
}

void Dispatcher::give(const Order& order) {
  Truck& truck = trucks_[order.truck];
  ++orders_;
  publish(truck, "order", vda5050::write_order(truck.identity, {truck.orders++, system_clock().utc()}, written(order)));
}

void Dispatcher::publish(const Truck& truck, std::string_view topic, std::string payload) {
  (void)client_->publish({truck.identity.topic(topic), std::move(payload), 0, false});
}

vda5050::Order Dispatcher::written(const Order& order) const {
  vda5050::Order out;
  out.id = order.id;
  out.update = order.update;
  for (std::size_t k = 0; k < order.nodes.size(); ++k) out.nodes.push_back(node_of(order, k));
  for (const OrderEdge& edge : order.edges) out.edges.push_back(edge_of(edge));
  return out;
}

vda5050::Node Dispatcher::node_of(const Order& order, std::size_t index) const {
  const OrderNode& given = order.nodes[index];
  const MapNode& on_map = map_.nodes[given.node];
  vda5050::Node node;
  node.id = on_map.id;
  node.sequence = given.sequence;
  node.released = given.released;
  vda5050::NodePosition position;
  position.x = on_map.pose.x;
  position.y = on_map.pose.y;
  position.map_id = options_.map_id;
  position.deviation = deviation;
  // A truck that goes on with a new order may be anywhere on the first edge.
  const auto& state = trucks_[order.truck].state;
  if (index == 0 && given.sequence == 0 && state && state->position)
    position.deviation = start_deviation + std::hypot(state->position->x - position.x, state->position->y - position.y);
  node.position = position;
  return node;
}

vda5050::Edge Dispatcher::edge_of(const OrderEdge& given) const {
  const MapEdge& on_map = map_.edges[given.edge];
  vda5050::Edge edge;
  edge.id = on_map.id;
  edge.sequence = given.sequence;
  edge.released = given.released;
  edge.start_node = map_.nodes[on_map.from].id;
  edge.end_node = map_.nodes[on_map.to].id;
  edge.max_speed = on_map.most_speed;
  if (!on_map.trajectory) return edge;
  vda5050::Trajectory trajectory;
  trajectory.degree = static_cast<int>(on_map.trajectory->degree);
  trajectory.knots = on_map.trajectory->knots;
  for (const auto& point : on_map.trajectory->points) trajectory.points.push_back({point.x, point.y, point.weight});
  edge.trajectory = std::move(trajectory);
  return edge;
}

void Dispatcher::show() {
  Traffic now;
  now.connected = client_->counters().connected;
  now.orders = orders_;
  now.placed = placed_;
  now.edges.resize(map_.edges.size());
  for (std::size_t i = 0; i < trucks_.size(); ++i) {
    const TruckView view = master_.view(i);
    now.trips += view.trips;
    for (const std::size_t edge : view.horizon) now.edges[edge] = std::max(now.edges[edge], EdgeUse::horizon);
    for (const std::size_t edge : view.base) now.edges[edge] = EdgeUse::base;
    const auto& state = trucks_[i].state;
    now.ready += trucks_[i].online && state && state->automatic && state->initialized;
    now.problems.push_back(state ? state->problem : "");
  }
  const std::lock_guard lock(shown_mutex_);
  shown_ = std::move(now);
}

Traffic Dispatcher::traffic() const {
  const std::lock_guard lock(shown_mutex_);
  return shown_;
}

}  // namespace tandem::warehouse
