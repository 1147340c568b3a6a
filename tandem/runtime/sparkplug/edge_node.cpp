// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/sparkplug/edge_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace tandem::runtime {

namespace {

constexpr Duration told_period = 10s;  // refused commands, in the log
constexpr Duration farewell_limit = 1s;
constexpr Duration soonest = 50ms;  // from one look to the next

sparkplug::Metric property(std::string name, std::string value) {
  sparkplug::Metric metric;
  metric.name = std::move(name);
  metric.type = sparkplug::DataType::string;
  metric.value = std::move(value);
  return metric;
}

sparkplug::NodeOptions node_options(const EdgeNode::Options& options, const sparkplug::NodeName& name) {
  sparkplug::NodeOptions node;
  node.name = name;
  node.primary_host = options.config.primary_host;
  node.store = options.config.store;
  node.stop_command = !options.config.commands.empty();
  node.devices = options.machines;
  node.properties = {property("Properties/Software", "Tandem"), property("Properties/Version", options.version)};
  return node;
}

const char* phase_text(sparkplug::Session::Phase phase, bool waits_for_host) {
  switch (phase) {
    case sparkplug::Session::Phase::offline:
      return "offline";
    case sparkplug::Session::Phase::waiting:
      return waits_for_host ? "waiting for the primary host" : "connected";
    case sparkplug::Session::Phase::born:
      return "born";
  }
  return "";
}

}  // namespace

std::optional<HostState> host_state_from(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto online = json.find("online"), timestamp = json.find("timestamp");
  if (online == json.end() || !online->is_boolean()) return std::nullopt;
  if (timestamp == json.end() || !timestamp->is_number_unsigned()) return std::nullopt;
  return HostState{online->get<bool>(), timestamp->get<std::uint64_t>()};
}

EdgeNode::EdgeNode(Options options, mqtt::Loop& loop, Controlled& controlled, Clock& clock, OnEvent on_event)
    : options_(std::move(options)),
      loop_(loop),
      controlled_(controlled),
      clock_(clock),
      on_event_(std::move(on_event)),
      name_{options_.config.group, sparkplug_node(options_.config)},
      file_(options_.state_folder, name_),
      session_(node_options(options_, name_), file_.read()) {}

std::uint64_t EdgeNode::utc_ms() const {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.utc().time_since_epoch()).count());
}

void EdgeNode::tell(std::string text, bool bad) const {
  if (on_event_) on_event_({"", "sparkplug", std::move(text), bad});
}

void EdgeNode::begin() {
  mqtt::Callbacks callbacks;
  callbacks.greet = [this] {
    mqtt::Greeting greeting;
    greeted(greeting);
    return greeting;
  };
  callbacks.connected = [this] {
    {
      const std::lock_guard lock(mutex_);
      session_.connected();
      woken_ = true;
    }
    wake_.notify_all();
    tell(fmt::format("connected to {} as {}/{}", mqtt::broker_text(options_.broker), name_.group, name_.node), false);
  };
  callbacks.lost = [this](std::string_view why) {
    {
      const std::lock_guard lock(mutex_);
      session_.lost();
      if (finishing_) return;
    }
    tell(fmt::format("not connected: {}", why), true);
  };
  callbacks.received = [this](const mqtt::Message& message) { received(message); };
  // The lock: callbacks wait for it until the client is there.
  const std::lock_guard lock(mutex_);
  client_ = std::make_unique<mqtt::Client>(loop_, options_.broker, fmt::format("tandem-{}-{}", name_.group, name_.node),
                                           options_.keep_alive, std::move(callbacks));
}

void EdgeNode::greeted(mqtt::Greeting& greeting) {
  bool unkept = false;
  {
    const std::lock_guard lock(mutex_);
    auto will = session_.greet(utc_ms());
    greeting.will = mqtt::Message{std::move(will.topic), std::move(will.payload), will.qos, false};
    for (const auto& filter : session_.subscriptions()) greeting.subscriptions.push_back({filter.topic, filter.qos});
    unkept = !file_.write(session_.next_bd_seq()) && !std::exchange(file_told_, true);
  }
  if (unkept)
    tell(fmt::format("bdSeq is not kept over restarts: {} is not writable; set XDG_STATE_HOME",
                     file_.path().empty() ? "the state folder" : file_.path()),
         true);
}

void EdgeNode::received(const mqtt::Message& message) {
  if (!options_.config.primary_host.empty() && message.topic == sparkplug::host_topic(options_.config.primary_host))
    return host_says(message);
  sparkplug::Wanted wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted = session_.command(message.topic, message.payload, message.retain);
    // Once for each machine, however fast they come: what is not carried out yet covers the next one too.
    for (const std::string& machine : wanted.stops)
      if (std::ranges::find(stops_, machine) == stops_.end()) stops_.push_back(machine);
    woken_ = woken_ || wanted.rebirth || !wanted.stops.empty();
  }
  wake_.notify_all();
  if (wanted.rebirth) tell("rebirth requested by a host", false);
  if (!wanted.refused.empty()) refused(wanted.refused);
}

void EdgeNode::host_says(const mqtt::Message& message) {
  const auto state = host_state_from(message.payload);
  if (!state) return refused({fmt::format("STATE of {}: expected online and timestamp", options_.config.primary_host)});
  const std::lock_guard lock(mutex_);
  if (session_.host(state->online, state->timestamp)) {
    std::vector<mqtt::Message> farewell;
    if (auto death = session_.farewell(utc_ms()))
      farewell.push_back({std::move(death->topic), std::move(death->payload), death->qos, false});
    client_->restart(std::move(farewell));
  }
  woken_ = true;
  wake_.notify_all();
}

// MQTT does not say who sent it. At most one line in 10 s.
void EdgeNode::refused(const std::vector<std::string>& reasons) {
  std::uint64_t more = 0;
  {
    const std::lock_guard lock(mutex_);
    refused_untold_ += reasons.size();
    const Instant now = clock_.now();
    if (refused_told_ && now - *refused_told_ < told_period) return;
    refused_told_ = now;
    more = std::exchange(refused_untold_, 0) - 1;
  }
  const std::string suffix = more > 0 ? fmt::format(" ({} similar messages suppressed)", more) : "";
  tell(fmt::format("refused: {}{}", reasons.front(), suffix), true);
}

void EdgeNode::look() {
  std::vector<std::string> stops;
  {
    const std::lock_guard lock(mutex_);
    stops.swap(stops_);
  }
  for (const std::string& machine : stops) (void)controlled_.command("stop", machine, "a Sparkplug host");
  const SystemStatus status = controlled_.status();
  std::vector<sparkplug::Snapshot> snapshots;
  snapshots.reserve(status.machines.size());
  for (const MachineStatus& machine : status.machines) snapshots.push_back(readings_.of(machine));
  const std::lock_guard lock(mutex_);
  session_.update(snapshots, utc_ms(), [this](sparkplug::Outgoing message) {
    return client_->publish({std::move(message.topic), std::move(message.payload), message.qos, false});
  });
}

void EdgeNode::run(const std::stop_token& stop) {
  begin();
  while (!stop.stop_requested()) {
    const Instant began = now();
    look();
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, options_.period, [this] { return woken_; });
    // However many commands there are, it looks at most 20 times a second.
    wake_.wait_until(lock, stop, std::min(began + soonest, now() + options_.period), [] { return false; });
    woken_ = false;
  }
  finish();
}

void EdgeNode::finish() {
  std::vector<mqtt::Message> farewell;
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
    if (auto death = session_.farewell(utc_ms()))
      farewell.push_back({std::move(death->topic), std::move(death->payload), death->qos, false});
  }
  client_->leave(std::move(farewell), now() + farewell_limit);
}

SparkplugStatus EdgeNode::status() const {
  const std::lock_guard lock(mutex_);
  const mqtt::Counters counters = client_ ? client_->counters() : mqtt::Counters{};
  SparkplugStatus status;
  status.broker = mqtt::broker_text(options_.broker);
  status.group = name_.group;
  status.node = name_.node;
  status.state = phase_text(session_.phase(), !options_.config.primary_host.empty());
  status.connected = counters.connected;
  status.devices = session_.born_devices();
  status.sent = counters.sent;
  status.dropped = counters.dropped;
  status.received = counters.received;
  status.refused = session_.commands_refused();
  status.rebirths = session_.rebirths();
  status.connects = counters.connects;
  status.stored = session_.store().size();
  status.store_lost = session_.store().lost();
  status.trouble = counters.trouble;
  return status;
}

}  // namespace tandem::runtime
