// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/device.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/protocols/sparkplug/topics.hpp"

namespace tandem::sparkplug {
namespace {

constexpr std::uint64_t slow_period = 10'000;  // ms
constexpr double dead_band = 1e-3;             // of the value last told
constexpr double smallest_change = 1e-6;       // in the metric's unit

bool is_text(DataType type) { return type == DataType::string; }

// Below the dead band a number has not changed.
bool differs(const Value& now, const Value& told) {
  const auto* a = std::get_if<double>(&now);
  const auto* b = std::get_if<double>(&told);
  if (a == nullptr || b == nullptr) return now != told;
  return std::abs(*a - *b) > std::max(smallest_change, dead_band * std::abs(*b));
}

bool fits(DataType type, const Value& value) {
  switch (type) {
    case DataType::float64:
      return std::holds_alternative<double>(value);
    case DataType::int64:
      return std::holds_alternative<std::int64_t>(value);
    case DataType::boolean:
      return std::holds_alternative<bool>(value);
    default:
      return std::holds_alternative<std::string>(value);
  }
}

Property quality_property(Quality quality) { return {"Quality", DataType::int32, static_cast<std::int64_t>(quality)}; }

}  // namespace

Device::Device(std::string name, bool can_stop, std::uint64_t& aliases) : name_(std::move(name)), aliases_(aliases) {
  if (!can_stop) return;
  bool is_new = false;
  Entry* stop = entry({std::string(stop_metric), DataType::boolean, "", false, false, false}, is_new);
  stop->now = false;
  stop_ = entries_.size();
}

Device::Entry* Device::entry(const Reading& reading, bool& is_new) {
  std::string name = metric_name(reading.name);
  auto known = index_.find(name);
  if (known != index_.end() && entries_[known->second].type != reading.type) {
    name += is_text(reading.type) ? "/text" : "/value";  // one name, one type for ever
    known = index_.find(name);
    if (known != index_.end() && entries_[known->second].type != reading.type) return nullptr;
  }
  if (known != index_.end()) return &entries_[known->second];
  if (entries_.size() >= most_entries) return nullptr;
  index_.emplace(name, entries_.size());
  Entry& added = entries_.emplace_back();
  added.name = std::move(name);
  added.unit = reading.unit;
  added.type = reading.type;
  added.slow = reading.slow;
  added.alias = ++aliases_;
  is_new = true;
  return &added;
}

void Device::take(const std::vector<Reading>& readings) {
  bool is_new = false;
  std::vector<bool> seen(entries_.size(), false);
  if (stop_ > 0) seen[stop_ - 1] = true;
  for (const Reading& reading : readings) {
    Entry* into = entry(reading, is_new);
    if (into == nullptr) continue;
    const auto place = static_cast<std::size_t>(into - entries_.data());
    if (place == stop_ - 1) continue;  // not a machine's to name
    seen.resize(entries_.size(), false);
    seen[place] = true;
    const auto* number = std::get_if<double>(&reading.value);
    const bool finite = number == nullptr || std::isfinite(*number);
    const bool null = std::holds_alternative<std::monostate>(reading.value);
    if (reading.stale) {
      into->quality = Quality::stale;  // and the value last known
      continue;
    }
    into->quality = finite ? Quality::good : Quality::bad;
    into->now = finite && !null && fits(into->type, reading.value) ? reading.value : Value();
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (seen[i]) continue;
    entries_[i].now = Value();  // the machine does not say it at present
    entries_[i].quality = Quality::good;
  }
  birth_due = birth_due || is_new;
}

bool Device::changed(const Entry& entry, std::uint64_t timestamp) {
  if (entry.force || entry.quality != entry.told_quality) return true;
  if (!differs(entry.now, entry.told)) return false;
  return !entry.slow || timestamp < entry.told_at || timestamp - entry.told_at >= slow_period;
}

std::vector<Sample> Device::changes(std::uint64_t timestamp, bool status_only) {
  std::vector<Sample> samples;
  for (Entry& entry : entries_) {
    if (status_only && (entry.slow || entry.type == DataType::float64)) continue;
    if (!changed(entry, timestamp)) continue;
    samples.push_back({timestamp, entry.alias, entry.type, entry.now, entry.quality,
                       entry.quality != Quality::good || entry.told_quality != Quality::good});
    entry.told = entry.now;
    entry.told_quality = entry.quality;
    entry.told_at = timestamp;
    entry.force = false;
  }
  return samples;
}

std::vector<Metric> Device::birth(std::uint64_t timestamp) {
  std::vector<Metric> metrics;
  for (Entry& entry : entries_) {
    Metric metric;
    metric.name = entry.name;
    metric.alias = entry.alias;
    metric.timestamp = timestamp;
    metric.type = entry.type;
    metric.value = entry.now;
    if (!entry.unit.empty()) metric.properties.push_back({"engUnit", DataType::string, entry.unit});
    if (entry.quality != Quality::good) metric.properties.push_back(quality_property(entry.quality));
    metrics.push_back(std::move(metric));
    entry.told = entry.now;
    entry.told_quality = entry.quality;
    entry.told_at = timestamp;
    entry.force = false;
  }
  return metrics;
}

void Device::forget() {
  for (Entry& entry : entries_) entry.force = true;
}

void Device::echo_stop() {
  if (stop_ > 0) entries_[stop_ - 1].force = true;
}

bool Device::is_stop(const Metric& metric) const {
  if (stop_ == 0) return false;
  return metric.name.empty() ? metric.alias == entries_[stop_ - 1].alias : metric.name == stop_metric;
}

Metric metric_from(const Sample& sample, bool historical) {
  Metric metric;
  metric.alias = sample.alias;
  metric.timestamp = sample.timestamp;
  metric.type = sample.type;  // optional there, but a common decoder gives null without it
  metric.historical = historical;
  metric.value = sample.value;
  if (sample.tell_quality) metric.properties.push_back(quality_property(sample.quality));
  return metric;
}

}  // namespace tandem::sparkplug
