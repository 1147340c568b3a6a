// SPDX-License-Identifier: Apache-2.0
// MQTT 3.1.1 clients on libmosquitto: one thread serves any number of them, and none of its calls waits for a broker.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mqtt/broker.hpp"

namespace tandem::mqtt {

struct Message {
  std::string topic, payload;
  int qos = 0;
  bool retain = false;  // received: it was retained by the broker and is not new
};

struct Subscription {
  std::string filter;
  int qos = 0;
  bool optional = false;  // a broker that refuses it is not reported
};

// What one connection begins with. Asked again for each CONNECT packet, so that the will can differ each time; an
// attempt whose CONNECT never left this computer leaves its greeting to the next one.
struct Greeting {
  std::optional<Message> will;
  std::vector<Subscription> subscriptions;
};

// All called by the loop's thread, so none may wait, and none may destroy a client. After each connected() there is
// exactly one lost() before the next greet().
struct Callbacks {
  std::function<Greeting()> greet;
  std::function<void()> connected;                 // all subscriptions are answered; publish births here
  std::function<void(std::string_view why)> lost;  // or not reached: then at most once in 10 s
  std::function<void(const Message&)> received;
};

struct Counters {
  std::uint64_t sent = 0;       // handed to the broker's connection
  std::uint64_t dropped = 0;    // for want of room in the queue, or still waiting when the connection was lost
  std::uint64_t received = 0;   // messages, also those too large
  std::uint64_t too_large = 0;  // of those, larger than largest_received: not passed on
  std::uint64_t connects = 0;   // that the broker accepted
  std::uint64_t lost = 0;       // connections that ended without leave() or restart()
  bool connected = false;
  std::string trouble;  // why it is not connected, or what the broker refused; empty: nothing. Never has a secret
};

// Limits of one client. What does not fit is dropped and counted.
inline constexpr std::size_t most_waiting = 4096;              // messages on their way to the broker
inline constexpr std::size_t most_waiting_bytes = 16U << 20U;  // of topics and payloads
inline constexpr std::size_t largest_received = 1U << 20U;     // bytes of a payload
inline constexpr std::chrono::seconds shortest_keep_alive{5};  // libmosquitto accepts nothing shorter

class Client;

// One thread for the sockets of all its clients. Outlives them.
class Loop {
 public:
  Loop();  // throws std::system_error when the system has no thread or descriptor left
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

 private:
  friend class Client;
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

// Connects at once and, whenever the connection is lost, again: after 20 ms, doubling to 150 ms, and once a second when
// the broker has been away for five minutes. Always a clean session. Thread-safe.
class Client {
 public:
  // Throws std::invalid_argument if the broker's URL is invalid or the keep-alive is too short.
  Client(Loop& loop, const BrokerOptions& broker, std::string client_id, std::chrono::seconds keep_alive,
         Callbacks callbacks);
  // Without leave() the broker publishes the will. Waits until no callback runs; not for callbacks themselves.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Never waits. True: it is sent on this connection, in order (of one QoS), or lost with it. False: there is no
  // connection, or its queue is full (counted). Nothing is kept for a later connection.
  bool publish(Message message);
  // Publishes these, then DISCONNECT, so that the broker forgets the will, and stays away. Waits for that until the
  // deadline; then the connection is closed.
  void leave(std::vector<Message> farewell, Instant deadline);
  // The same without waiting, and connects again after the back-off, with a new greeting; lost() is called. Also for
  // callbacks.
  void restart(std::vector<Message> farewell);
  // Messages that wait: zero once the broker takes what it is given.
  std::size_t waiting() const;

  Counters counters() const;

 private:
  friend class Loop;
  struct Impl;
  const std::shared_ptr<Impl> impl_;
};

}  // namespace tandem::mqtt
