// SPDX-License-Identifier: Apache-2.0
// An edge node of Sparkplug B 3.0 as pure logic: which message follows which, with which numbers. No sockets, no
// clock, no threads: messages leave through a function that may refuse them, and one that was refused used no number.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/protocols/sparkplug/device.hpp"
#include "tandem/protocols/sparkplug/store.hpp"
#include "tandem/protocols/sparkplug/topics.hpp"

namespace tandem::sparkplug {

struct NodeOptions {
  NodeName name{};
  std::string primary_host{};          // empty: none; births do not wait
  std::size_t store = 0;               // samples kept while nobody listens; 0: none
  bool stop_command = false;           // a host may stop devices
  std::vector<std::string> devices{};  // all there will be, for subscriptions to their commands
  std::vector<Metric> properties{};    // of the node, with names and values: "Properties/Version"
};

struct Outgoing {
  std::string topic, payload;
  int qos = 0;
};

// False: not taken, and not sent ever.
using Send = std::function<bool(Outgoing)>;

struct Filter {
  std::string topic;
  int qos = 1;
};

// What a message asks for. Everything else in it was refused.
struct Wanted {
  bool rebirth = false;
  std::vector<std::string> stops;    // devices
  std::vector<std::string> refused;  // in words
};

class Session {
 public:
  // `bd_seq`: for the first connection, 0 to 255.
  Session(NodeOptions options, std::uint8_t bd_seq);

  // Before CONNECT: its number and its will, NDEATH with QoS 1.
  Outgoing greet(std::uint64_t utc_ms);
  std::uint8_t bd_seq() const { return bd_seq_; }            // of the last greeting
  std::uint8_t next_bd_seq() const { return next_bd_seq_; }  // to be kept over restarts
  std::vector<Filter> subscriptions() const;
  void connected();
  void lost();

  // All devices as they are now: births where they are due, then what has changed, deaths, what was stored.
  void update(std::span<const Snapshot> devices, std::uint64_t utc_ms, const Send& send);
  // A message to NCMD or DCMD. A rebirth follows with the next update, at most one in a second.
  Wanted command(std::string_view topic, std::string_view payload, bool retained);
  // STATE of the primary host. True: it is gone, so that NDEATH and DISCONNECT must follow.
  [[nodiscard]] bool host(bool online, std::uint64_t timestamp);
  // What is published before DISCONNECT; nothing without births.
  std::optional<Outgoing> farewell(std::uint64_t utc_ms);

  enum class Phase { offline, waiting, born };
  Phase phase() const { return phase_; }
  std::uint64_t commands_refused() const { return refused_; }
  std::uint64_t rebirths() const { return rebirths_; }
  const Store& store() const { return store_; }
  std::size_t born_devices() const;

 private:
  struct Out {
    std::uint64_t now;
    const Send& send;
  };
  Outgoing death(std::uint64_t utc_ms) const;
  bool publish(const Out& out, std::string_view kind, std::string_view device, std::vector<Metric> metrics);
  bool birth(const Out& out);
  void update_device(const Out& out, Device& device, bool alive);
  void forward(const Out& out);
  Device& device(const std::string& name);
  void node_command(const Metric& metric, Wanted& wanted);
  void device_command(std::string_view name, const Metric& metric, Wanted& wanted);
  void refuse(Wanted& wanted, std::string why);

  const NodeOptions options_;
  Phase phase_ = Phase::offline;
  std::uint8_t bd_seq_ = 0, next_bd_seq_;
  std::uint8_t seq_ = 0;  // of the next message
  bool node_born_ = false;
  bool rebirth_wanted_ = false;
  std::optional<std::uint64_t> last_birth_;  // ms
  bool host_online_ = false;
  std::optional<std::uint64_t> host_timestamp_;
  std::uint64_t aliases_ = 0;
  std::list<Device> devices_;
  Store store_;
  std::uint64_t refused_ = 0, rebirths_ = 0;
};

}  // namespace tandem::sparkplug
