// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/fleet/vehicle.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "tandem/machines/raptorlift/fleet/factsheet.hpp"
#include "tandem/protocols/mqtt/broker.hpp"

namespace tandem::raptorlift::fleet {
namespace {

constexpr std::chrono::seconds keep_alive{15};
constexpr std::size_t most_events = 64;          // orders and instant actions that wait; more are dropped
constexpr std::size_t most_stops = 64;           // the same of instant actions that may stop the truck, beyond those
constexpr Duration farewell_time = 1s;           // to publish OFFLINE
constexpr Duration late_serving = 500ms;         // after this the route's commands have timed out
constexpr Duration late_shown = 5s;              // how long that is reported
constexpr Duration between_refusal_lines = 10s;  // of the same truck

vda5050::VehicleOptions vehicle_options(const FleetOptions& options, const Description& description, bool ros) {
  vda5050::VehicleOptions made;
  made.identity = options.identity;
  made.factsheet = factsheet_of(description, options, ros);
  made.state_interval = options.state_interval;
  made.visualization_interval = options.visualization_interval;
  return made;
}

mqtt::Message message_from(vda5050::Outgoing out) {
  return {std::move(out.topic), std::move(out.payload), out.qos, out.retain};
}

// Without reading it: it may be one that makes the truck stand. With escapes, any may.
bool may_stop(std::string_view payload) {
  return payload.find("startPause") != payload.npos || payload.find("cancelOrder") != payload.npos ||
         payload.find("\\u") != payload.npos;
}

}  // namespace

Vehicle::Vehicle(const machines::Setup& setup, const FleetOptions& options, const Description& description,
                 const Times& machine_times, Commands& commands, machines::Lines& lines, StateOf state)
    : options_(options),
      clock_(*setup.clock),
      commands_(commands),
      lines_(lines),
      state_of_(std::move(state)),
      truck_(description, duration_of(machine_times.feedback), options.map_id, vda5050::Tolerance{}, commands),
      core_(vehicle_options(options, description, setup.ros != nullptr), truck_),
      thread_(setup.mqtt_loop == nullptr ? nullptr : FleetThread::shared()) {
  if (setup.mqtt == nullptr || setup.mqtt->url.empty())
    throw std::invalid_argument("vda5050: expected a broker in the section mqtt, got none");
  if (setup.mqtt_loop == nullptr) return;
  const vda5050::Identity& who = options.identity;
  client_ = std::make_unique<mqtt::Client>(
      *setup.mqtt_loop, *setup.mqtt, fmt::format("tandem_{}_{}_{}", who.interface, who.manufacturer, who.serial_number),
      keep_alive, callbacks());
  thread_->add(*this);
}

Vehicle::~Vehicle() {
  if (!client_) return;
  thread_->remove(*this);
  std::vector<mqtt::Message> farewell;
  farewell.push_back(message_from(core_.offline(times())));
  client_->leave(std::move(farewell), now() + farewell_time);
}

vda5050::Times Vehicle::times() const { return {clock_.now(), clock_.utc()}; }

mqtt::Callbacks Vehicle::callbacks() {
  mqtt::Callbacks callbacks;
  callbacks.greet = [this] {
    mqtt::Greeting greeting;
    greeting.will = message_from(core_.will(times()));
    for (std::string& filter : core_.subscriptions()) greeting.subscriptions.push_back({std::move(filter), 0});
    greeting.subscriptions.push_back({core_.own_connection_topic(), 1, true});
    return greeting;
  };
  callbacks.connected = [this] { push({Event::Kind::connected, {}, 0}); };
  callbacks.lost = [this](std::string_view why) {
    lines_.say(true, fmt::format("fleet: MQTT broker: {}", why));
    push({Event::Kind::lost, {}, 0});
  };
  callbacks.received = [this](const mqtt::Message& message) { push({Event::Kind::message, message, 0}); };
  return callbacks;
}

void Vehicle::push(Event event) {
  event.enabled = state_of_().enabled;
  {
    const std::lock_guard lock(mutex_);
    if (event.kind != Event::Kind::message || makes_room(event.message)) events_.push_back(std::move(event));
  }
  thread_->call(*this);
}

// Counts what there is no room for. What may stop the truck has room of its own, and makes it stand beyond that.
bool Vehicle::makes_room(const mqtt::Message& message) {
  if (events_.size() < most_events) return true;
  if (message.topic == options_.identity.topic("order")) {
    ++lost_orders_;
    return false;
  }
  if (message.topic != options_.identity.topic("instantActions")) return false;
  const bool stops = may_stop(message.payload);
  if (stops && events_.size() < most_events + most_stops) return true;
  stop_lost_ = stop_lost_ || stops;
  ++lost_instants_;
  return false;
}

void Vehicle::note_lost() {
  std::uint64_t orders = 0, instants = 0;
  bool stop = false;
  {
    const std::lock_guard lock(mutex_);
    orders = lost_orders_ - std::exchange(orders_noted_, lost_orders_);
    instants = lost_instants_ - std::exchange(instants_noted_, lost_instants_);
    stop = std::exchange(stop_lost_, false);
  }
  core_.note_lost("order", orders);
  core_.note_lost("instantActions", instants);
  if (stop) core_.hold();
}

void Vehicle::serve() {
  const Instant now = clock_.now();
  if (served_at_ != Instant{} && now - served_at_ > late_serving && truck_.progress() != nullptr)
    late_until_ = now + late_shown;
  served_at_ = now;
  look();
  observe(now);
  publish();
  take_events();
  look();
  follow_route();
  observe(now);
  publish();
  drive(now);
  watch_broker(now);
  report_refusals();
  show();
}

// What the machine says now. An order of an earlier arm is over, even if the disarm between them was not seen.
void Vehicle::look() {
  const State state = state_of_();
  const bool armed_again = state.enabled != truck_.state().enabled;
  truck_.see(state, clock_.now());
  if (armed_again && !core_.idle()) lose_order();
}

// As a change to MANUAL and back.
void Vehicle::lose_order() {
  cleared_ = true;
  observe(clock_.now());
  publish();
  cleared_ = false;
}

void Vehicle::take_events() {
  std::deque<Event> events;
  {
    const std::lock_guard lock(mutex_);
    events.swap(events_);
  }
  for (const Event& event : events) {
    look();
    const Instant now = clock_.now();
    observe(now);
    publish();
    if (event.kind == Event::Kind::connected) {
      connected_ = connected_before_ = true;
      const mqtt::Counters counters = client_->counters();
      refused_ = counters.connected ? counters.trouble : "";
      if (!refused_.empty()) lines_.say(true, fmt::format("fleet: {}", refused_));
      lines_.say(false, "fleet: connected to the MQTT broker");
      send(core_.online(times()));
    } else if (event.kind == Event::Kind::lost) {
      refused_.clear();
      if (std::exchange(connected_, false)) {
        lost_at_ = now;
        if (options_.on_broker_loss == OnBrokerLoss::pause && !core_.idle()) core_.hold();
        disarmed_ = false;
      }
    } else {
      receive(event);
      observe(now);
    }
    publish();
  }
  note_lost();
}

void Vehicle::receive(const Event& event) {
  const mqtt::Message& message = event.message;
  if (message.topic == options_.identity.topic("order")) {
    core_.receive_order(message.payload, message.retain, times(), event.enabled != truck_.state().enabled);
    return;
  }
  if (message.topic == options_.identity.topic("instantActions"))
    core_.receive_instant_actions(message.payload, message.retain, times());
  if (message.topic == core_.own_connection_topic()) core_.receive_connection(message.payload, message.retain);
}

vda5050::Observation Vehicle::observation(Instant now) {
  const State& state = truck_.state();
  const std::string_view input = state.input.view();
  const bool ours = input.empty() || input == source(VelocityInput::fleet).name;
  vda5050::Observation seen;
  const bool automatic = truck_.fresh() && state.activity == Activity::driving && ours && !cleared_ &&
                         !state.stop_latched && refused_.empty() && !broken_;
  seen.mode = automatic ? vda5050::OperatingMode::automatic : vda5050::OperatingMode::manual;
  if (state.stop_latched) seen.safety.e_stop = vda5050::EStop::manual;
  seen.driving = truck_.driving();
  seen.base_ends_soon = truck_.base_ends_soon(core_.goal());
  if (state.samples > 0) {
    seen.position = truck_.position();
    seen.velocity = truck_.velocity();
  }
  seen.battery.charge = options_.battery;
  seen.errors = problems(now);
  return seen;
}

// Texts without numbers that change: each change is a message.
std::vector<vda5050::Problem> Vehicle::problems(Instant now) const {
  using vda5050::ErrorLevel;
  std::vector<vda5050::Problem> all;
  if (truck_.state().stop_latched)
    all.push_back({"stopLatched", ErrorLevel::fatal, "a stop is latched", "reset, then arm, at the truck", {}});
  if (!truck_.fresh())
    all.push_back({"feedbackStale", ErrorLevel::warning, "no valid feedback from the truck", "check its link", {}});
  if (!refused_.empty())
    all.push_back({"subscriptionRefused", ErrorLevel::warning, refused_, "check the broker's access rules", {}});
  if (broken_)
    all.push_back({"internalError", ErrorLevel::warning, "the fleet side of the truck failed", "restart Tandem", {}});
  if (!route_failure_.empty())
    all.push_back({"routeFailed", ErrorLevel::warning, route_failure_, "cancel the order", {}});
  if (now < late_until_)
    all.push_back({"commandTimeout", ErrorLevel::warning, "commands of the route were late", "check the load", {}});
  return all;
}

void Vehicle::observe(Instant now) { core_.observe(observation(now)); }

// Nodes that were passed, and a route that the machine has ended: such a route never drives again.
void Vehicle::follow_route() {
  if (core_.nodes().empty()) route_failure_.clear();
  while (truck_.has_passed_next(core_.goal())) {
    core_.pass_node();
    truck_.pass();
    core_.observe(observation(clock_.now()));
    publish();
  }
  const RouteProgress* const progress = truck_.progress();
  if (progress == nullptr || !progress->ended || progress->id == ended_route_) return;
  ended_route_ = progress->id;
  const bool failed = progress->failed;
  const std::string why(progress->why.view());
  truck_.drop_route();
  if (core_.idle()) return;
  if (failed) {
    route_failure_ = why.empty() ? "the route failed" : why;
    return;
  }
  lose_order();  // stopped, disarmed, or another input drove, if only for a moment
}

// Nothing of the fleet drives this truck any more.
void Vehicle::failed(std::string_view why) {
  commands_.route.post({});
  truck_.drop_route();
  if (!std::exchange(broken_, true)) lines_.say(true, fmt::format("fleet: internal error: {}; it drives nothing", why));
}

void Vehicle::drive(Instant now) {
  if (core_.nodes().empty()) {
    if (core_.withdrawn()) withdraw();
    return;
  }
  auto command = truck_.command(core_.goal(), now);
  if (!command) return;
  posted_ = true;
  commands_.route.post(*std::move(command));
}

// What was posted last would drive on until it times out.
void Vehicle::withdraw() {
  truck_.drop_route();
  if (std::exchange(posted_, false)) commands_.route.post({});
}

// A truck that its master cannot reach does not stay enabled for ever.
void Vehicle::watch_broker(Instant now) {
  if (connected_ || !connected_before_ || disarmed_ || options_.disarm_after <= Duration{0}) return;
  if (now - lost_at_ < options_.disarm_after || truck_.driving() || truck_.state().activity != Activity::driving)
    return;
  if (core_.state().mode != vda5050::OperatingMode::automatic) return;
  disarmed_ = true;
  commands_.disarm.post(short_text<120>("no MQTT broker for {:.0f} s", seconds(now - lost_at_)));
}

void Vehicle::publish() {
  if (!connected_) return;
  for (vda5050::Outgoing& message : core_.take(times())) send(std::move(message));
}

bool Vehicle::send(vda5050::Outgoing message) { return client_->publish(message_from(std::move(message))); }

void Vehicle::report_refusals() {
  const std::uint64_t refused = core_.refused();
  const Instant now = clock_.now();
  if (refused == refusals_reported_) return;
  if (refusal_reported_at_ != Instant{} && now - refusal_reported_at_ < between_refusal_lines) return;
  const auto& errors = core_.state().errors;
  lines_.say(true, fmt::format("fleet: {} refused, the last one: {}", refused - refusals_reported_,
                               errors.empty() ? "unknown" : errors.back().type + ": " + errors.back().description));
  refusals_reported_ = refused;
  refusal_reported_at_ = now;
}

void Vehicle::show() {
  const vda5050::State& state = core_.state();
  std::string text = fmt::format("{}, {}", vda5050::text_of(state.mode), connected_ ? "online" : "no broker");
  if (!state.order_id.empty())
    text += fmt::format("; order {}/{}, {} nodes left", state.order_id.substr(0, 40), state.order_update,
                        state.nodes.size());
  if (!state.last_node.empty()) text += fmt::format(", at {}", state.last_node.substr(0, 40));
  const std::lock_guard lock(mutex_);
  shown_ = std::move(text);
  shown_accepted_ = core_.orders_accepted();
  shown_refused_ = core_.orders_refused();
}

std::vector<machines::Metric> Vehicle::metrics() const {
  if (!client_) return {};
  const mqtt::Counters counters = client_->counters();
  constexpr std::string_view orders = "tandem_vda5050_orders_total", orders_help = "VDA 5050 orders and updates";
  const std::lock_guard lock(mutex_);
  return {
      {"tandem_vda5050_connected", "gauge", "1: the truck has its MQTT broker", {}, counters.connected ? 1.0 : 0.0},
      {orders, "counter", orders_help, {{"result", "accepted"}}, static_cast<double>(shown_accepted_)},
      {orders, "counter", orders_help, {{"result", "refused"}}, static_cast<double>(shown_refused_)},
      {"tandem_vda5050_dropped_total",
       "counter",
       "VDA 5050 messages that were lost for want of room",
       {},
       static_cast<double>(counters.dropped + lost_orders_ + lost_instants_)},
  };
}

std::vector<machines::Value> Vehicle::values() const {
  if (!client_) return {};
  const mqtt::Counters counters = client_->counters();
  const std::lock_guard lock(mutex_);
  std::vector<machines::Value> values{{"fleet", "", {}, shown_}};
  const auto dropped = static_cast<double>(counters.dropped + lost_orders_ + lost_instants_);
  if (dropped > 0) values.push_back({"fleet messages dropped", "", {dropped}, ""});
  return values;
}

}  // namespace tandem::raptorlift::fleet
