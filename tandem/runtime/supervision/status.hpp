// SPDX-License-Identifier: Apache-2.0
// What `tandem status` knows: a plain snapshot of every machine, and its forms as JSON and Prometheus text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/machines/machine.hpp"

namespace tandem::runtime {

// /metrics counts how many latencies were at most this long; Prometheus makes quantiles of any span of time from that.
inline constexpr std::array<Duration, 12> hop_edges = {10us, 20us, 50us, 100us, 200us, 500us,
                                                       1ms,  2ms,  5ms,  10ms,  100ms, 1s};

struct HopStatus {
  std::string name;                    // "solve", "publish", "total"
  std::uint64_t count = 0;             // samples
  double sum = 0;                      // s
  double p50 = 0, p99 = 0, p999 = 0;   // s
  std::vector<std::uint64_t> up_to{};  // samples at or below each of hop_edges; only for /metrics, not in the JSON
  double worst = 0;                    // s
};

struct MachineStatus {
  std::string name, type, device;
  std::string node;  // on ROS: "/lab/slam_bridge"; empty without ROS
  bool is_virtual = false;
  bool unplugged = false;    // its virtual device is unplugged
  std::string chaos;         // faults of its link: "ready", or what is on; empty: no fault proxy is there
  std::string chaos_result;  // what the last ones did; empty: there were none
  bool moves = false;
  std::string state;    // starting, down, connecting, syncing, live, faulted
  std::string cause;    // why it is not live
  std::string warning;  // why its samples come more seldom than configured
  std::string quality;  // live, stale, invalid
  std::string arm;      // disarmed, armed, stopped; empty for machines that are only read
  std::string arm_cause, arm_by;
  double rate = 0;  // live samples per second
  double age = -1;  // of the newest live sample, s; negative: there was none
  std::uint64_t samples = 0, invalid = 0, connects = 0, attempts = 0, stale_episodes = 0;
  std::uint64_t skipped = 0;  // cycles never begun, as their turns were too long ago
  std::vector<HopStatus> hops;
  std::optional<HopStatus> late;             // how late its cycles begin; none: the device sets the pace
  std::vector<machines::Value> values;       // the machine's own
  std::vector<machines::Value> twin_values;  // its twin's
  std::vector<machines::Metric> metrics{};   // the machine's own; only for /metrics, not in the JSON
};

struct RecordingStatus {
  std::string file;
  std::uint64_t messages = 0, bytes = 0, dropped = 0;  // bytes: of the file
  std::string trouble;                                 // "the disk is full"; empty: none
};

// The last minute, in memory.
struct BlackBoxStatus {
  std::string folder;                    // of the incidents
  double seconds = 0;                    // kept
  std::uint64_t bytes = 0, dropped = 0;  // kept; messages since the start
  std::string trouble;                   // of the memory or the newest file; empty: none
};

// Since the start. Only for /metrics, not in the JSON.
struct PageCounts {
  std::uint64_t accepted = 0, refused = 0, dropped_messages = 0, sent_messages = 0, sent_bytes = 0, given_up = 0;
};

struct DiscoveryServerStatus {
  int id = 0;
  std::string address;  // "10.9.0.1:11811"
  std::string state;    // searching, connected, lost
  double since = 0;     // s ago
};

// The link to the MQTT broker as an edge node of Sparkplug.
struct SparkplugStatus {
  std::string broker;  // "mqtt://127.0.0.1:1883"
  std::string group, node;
  std::string state;  // offline, connected, waiting for the primary host, born
  bool connected = false;
  std::uint64_t devices = 0;                                        // that are born
  std::uint64_t sent = 0, dropped = 0, received = 0, connects = 0;  // messages, connections
  std::uint64_t refused = 0, rebirths = 0;                          // commands
  std::uint64_t stored = 0, store_lost = 0;                         // changes, while nobody listens
  std::string trouble;                                              // empty: none
};

// A file that the black box has written.
struct IncidentStatus {
  std::string file;     // its path
  std::string machine;  // "all": of none alone
  std::string cause;    // one word: stopped, lost, residual, protective_stop, snapshot
  std::string text;     // why, in words
  double at = 0;        // s since 1970, UTC
};

struct SystemStatus {
  std::string version;
  double uptime = 0;  // s
  std::string ros;    // "domain 0, this computer only", or why there is none
  std::vector<DiscoveryServerStatus> discovery_servers{};
  std::string control;
  std::vector<MachineStatus> machines;
  std::string page;  // its address; empty: none
  std::uint64_t viewers = 0;
  std::optional<PageCounts> page_counts;
  std::optional<RecordingStatus> recording;
  std::optional<BlackBoxStatus> black_box{};  // none: off
  std::optional<SparkplugStatus> sparkplug;   // none: not configured
  std::vector<IncidentStatus> incidents{};    // the newest first
};

std::string json_from_status(const SystemStatus& status);  // one line
Result<SystemStatus> status_from_json(std::string_view json);
std::string metrics_text(const SystemStatus& status);

}  // namespace tandem::runtime
