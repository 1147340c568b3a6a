// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/session.hpp"

#include <algorithm>
#include <utility>

namespace tandem::sparkplug {
namespace {

constexpr std::uint64_t rebirth_period = 1000;  // ms
constexpr std::size_t forwarded_at_once = 500;  // samples of one device in one update
constexpr std::size_t samples_in_message = 100;

Metric named(std::string_view name, DataType type, Value value, std::uint64_t timestamp) {
  Metric metric;
  metric.name = name;
  metric.timestamp = timestamp;
  metric.type = type;
  metric.value = std::move(value);
  return metric;
}

std::vector<Metric> metrics_from(std::span<const Sample> samples, bool historical) {
  std::vector<Metric> metrics;
  metrics.reserve(samples.size());
  for (const Sample& sample : samples) metrics.push_back(metric_from(sample, historical));
  return metrics;
}

}  // namespace

Session::Session(NodeOptions options, std::uint8_t bd_seq)
    : options_(std::move(options)), next_bd_seq_(bd_seq), store_(options_.store) {}

Outgoing Session::death(std::uint64_t utc_ms) const {
  Payload payload;
  payload.timestamp = utc_ms;
  payload.metrics.push_back(named(sequence_metric, DataType::int64, std::int64_t{bd_seq_}, utc_ms));
  return {options_.name.topic("NDEATH"), encode(payload), 1};
}

Outgoing Session::greet(std::uint64_t utc_ms) {
  phase_ = Phase::offline;
  bd_seq_ = next_bd_seq_++;
  host_timestamp_.reset();  // STATE is retained and comes again; the host's clock may have been set back
  return death(utc_ms);
}

std::vector<Filter> Session::subscriptions() const {
  std::vector<Filter> filters = {{options_.name.topic("NCMD"), 1}};
  if (options_.stop_command)
    for (const std::string& each : options_.devices) filters.push_back({options_.name.topic("DCMD", each), 1});
  if (!options_.primary_host.empty()) filters.push_back({host_topic(options_.primary_host), 1});
  return filters;
}

void Session::connected() {
  phase_ = Phase::waiting;
  node_born_ = false;
  rebirth_wanted_ = false;
  last_birth_.reset();
  for (Device& each : devices_) each.born = false;
}

void Session::lost() {
  phase_ = Phase::offline;
  node_born_ = false;
  host_online_ = false;
  for (Device& each : devices_) each.born = false;
}

bool Session::publish(const Out& out, std::string_view kind, std::string_view device, std::vector<Metric> metrics) {
  Payload payload;
  payload.timestamp = out.now;
  payload.metrics = std::move(metrics);
  payload.seq = seq_;
  if (!out.send({options_.name.topic(kind, device), encode(payload), 0})) return false;
  ++seq_;  // 255 is followed by 0
  return true;
}

bool Session::birth(const Out& out) {
  std::vector<Metric> metrics;
  metrics.push_back(named(sequence_metric, DataType::int64, std::int64_t{bd_seq_}, out.now));
  metrics.push_back(named(rebirth_metric, DataType::boolean, false, out.now));
  for (Metric metric : options_.properties) {
    metric.timestamp = out.now;
    metrics.push_back(std::move(metric));
  }
  const std::uint8_t before = std::exchange(seq_, std::uint8_t{0});
  if (!publish(out, "NBIRTH", {}, std::move(metrics))) {
    seq_ = before;
    return false;
  }
  if (std::exchange(rebirth_wanted_, false)) ++rebirths_;
  last_birth_ = out.now;
  node_born_ = true;
  phase_ = Phase::born;
  for (Device& each : devices_) each.born = false;
  return true;
}

Device& Session::device(const std::string& name) {
  for (Device& each : devices_)
    if (each.name() == name) return each;
  return devices_.emplace_back(name, options_.stop_command, aliases_);
}

void Session::update(std::span<const Snapshot> snapshots, std::uint64_t utc_ms, const Send& send) {
  const Out out{utc_ms, send};
  const bool welcome = phase_ != Phase::offline && (options_.primary_host.empty() || host_online_);
  const bool too_soon = last_birth_ && utc_ms >= *last_birth_ && utc_ms - *last_birth_ < rebirth_period;
  const bool birth_due = welcome && (!node_born_ || (rebirth_wanted_ && !too_soon));
  // From the wish for a rebirth to the rebirth no data leaves; what changes meanwhile is in the births.
  const bool born = birth_due ? birth(out) : welcome && node_born_ && !rebirth_wanted_;
  for (const Snapshot& snapshot : snapshots) {
    Device& each = device(snapshot.device);
    each.take(snapshot.readings);
    if (born) {
      update_device(out, each, snapshot.alive);
    } else if (!welcome && store_.enabled()) {
      store_.put(each.name(), each.changes(utc_ms));
    }
  }
  if (born) forward(out);
}

void Session::update_device(const Out& out, Device& each, bool alive) {
  if (!alive) {
    if (!each.born) return;
    // Its state and the reason, then its death.
    const auto last = each.birth_due ? std::vector<Sample>() : each.changes(out.now, true);
    if (!last.empty() && !publish(out, "DDATA", each.name(), metrics_from(last, false))) return each.forget();
    if (publish(out, "DDEATH", each.name(), {})) each.born = false;
    return;
  }
  if (!each.born || each.birth_due) {
    if (publish(out, "DBIRTH", each.name(), each.birth(out.now))) each.born = true, each.birth_due = false;
    return;
  }
  const auto samples = each.changes(out.now);
  // What was not taken is told again: a change that is not told would stay wrong.
  if (!samples.empty() && !publish(out, "DDATA", each.name(), metrics_from(samples, false))) each.forget();
}

// What was stored, oldest first and marked as such, a part with each update.
void Session::forward(const Out& out) {
  for (Device& each : devices_) {
    if (!each.born || each.birth_due) continue;
    for (std::size_t sent = 0; sent < forwarded_at_once; sent += samples_in_message) {
      const auto samples = store_.oldest(each.name(), samples_in_message);
      if (samples.empty()) break;
      if (!publish(out, "DDATA", each.name(), metrics_from(samples, true))) return;
      store_.drop(each.name(), samples.size());
    }
  }
}

bool Session::host(bool online, std::uint64_t timestamp) {
  if (options_.primary_host.empty()) return false;
  if (host_timestamp_ && timestamp < *host_timestamp_) return false;  // an older one
  host_timestamp_ = timestamp;
  const bool was_online = std::exchange(host_online_, online);
  return !online && was_online && phase_ != Phase::offline;
}

std::optional<Outgoing> Session::farewell(std::uint64_t utc_ms) {
  if (phase_ != Phase::born) return std::nullopt;
  return death(utc_ms);
}

std::size_t Session::born_devices() const {
  return static_cast<std::size_t>(std::ranges::count_if(devices_, [](const Device& each) { return each.born; }));
}

}  // namespace tandem::sparkplug
