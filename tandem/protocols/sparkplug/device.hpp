// SPDX-License-Identifier: Apache-2.0
// One device of an edge node: which metrics it has, what was last told of each, and what has changed since.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tandem/protocols/sparkplug/payload.hpp"

namespace tandem::sparkplug {

enum class Quality : std::int32_t { bad = 0, good = 192, stale = 500 };

// One value of a device now.
struct Reading {
  std::string name;
  DataType type = DataType::float64;
  std::string unit;    // of engineering; empty: none
  Value value;         // NaN and infinity become null with Quality BAD
  bool stale = false;  // not a present value
  bool slow = false;   // a counter or statistic: told at most every 10 s
};

struct Snapshot {
  std::string device;
  bool alive = false;  // its link is live
  std::vector<Reading> readings;
};

// A change of one metric, by its alias.
struct Sample {
  std::uint64_t timestamp = 0;  // ms since 1970
  std::uint64_t alias = 0;
  DataType type = DataType::unknown;
  Value value;
  Quality quality = Quality::good;
  bool tell_quality = false;  // it is not good, or was not
};

class Device {
 public:
  // `aliases` counts those of the whole edge node.
  Device(std::string name, bool can_stop, std::uint64_t& aliases);

  const std::string& name() const { return name_; }
  bool born = false;      // DBIRTH was sent and no DDEATH since: the host believes it is alive
  bool birth_due = true;  // a metric is in no birth yet, so no data before the next one

  // Takes the readings. A new metric makes a birth due.
  void take(const std::vector<Reading>& readings);
  // What has changed since it was told, and from now on counts as told. `status_only`: nothing that is stale or slow.
  std::vector<Sample> changes(std::uint64_t timestamp, bool status_only = false);
  // All metrics with names, types, properties and present values, which count as told.
  std::vector<Metric> birth(std::uint64_t timestamp);
  // What changes() gave was not sent: all of it is told again.
  void forget();
  // Tells the stop button again, as a host expects after it was written.
  void echo_stop();
  bool is_stop(const Metric& metric) const;  // by name or alias
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string name, unit;
    DataType type = DataType::unknown;
    std::uint64_t alias = 0;
    bool slow = false;
    Value now, told;
    Quality quality = Quality::good, told_quality = Quality::good;
    std::uint64_t told_at = 0;  // ms
    bool force = false;
  };
  static constexpr std::size_t most_entries = 2000;

  Entry* entry(const Reading& reading, bool& is_new);
  static bool changed(const Entry& entry, std::uint64_t timestamp);

  std::string name_;
  std::uint64_t& aliases_;
  std::vector<Entry> entries_;                // in the order they came
  std::map<std::string, std::size_t> index_;  // by name
  std::size_t stop_ = 0;                      // index + 1; 0: none
};

Metric metric_from(const Sample& sample, bool historical);

}  // namespace tandem::sparkplug
