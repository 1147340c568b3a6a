// SPDX-License-Identifier: Apache-2.0
// One connection as libmosquitto sees it, from before CONNECT to its end. Only for the sources of this folder.
#pragma once

#include <mosquitto.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/protocols/mqtt/client.hpp"
#include "tandem/protocols/mqtt/url.hpp"

namespace tandem::mqtt {

// A new handle for each connection, so that the library keeps nothing of one for the next: no message, no will.
class Handle {
 public:
  static Result<std::shared_ptr<Handle>> make(const std::string& client_id, const Greeting& greeting,
                                              const BrokerOptions& broker);

  // Begins to connect; `host` is an IPv4 address, or with TLS the broker's name. A name is looked up, certificates are
  // read: both wait, so `open_apart` does it in a thread of its own, and `opened` says when it is through.
  Result<void> open(const BrokerOptions& broker, const std::string& host, const BrokerUrl& url, int keep_alive);
  static bool open_apart(const std::shared_ptr<Handle>& handle, const BrokerOptions& broker, const BrokerUrl& url,
                         int keep_alive);
  static void wait_for_openers(Instant deadline);  // for the threads of all handles
  bool opened() const { return opened_.load(std::memory_order_acquire); }
  const std::string& open_trouble() const { return open_trouble_; }  // once opened; empty: none

  int socket() const { return mosquitto_socket(mosquitto_.get()); }  // -1: none
  bool wants_write() const { return mosquitto_want_write(mosquitto_.get()); }
  // What came is in the members below. Errors end the connection.
  Result<void> read();
  Result<void> write();
  Result<void> keep_alive();
  Result<void> subscribe(const std::vector<Subscription>& subscriptions);
  // Refused with Fault::invalid for what cannot be sent at all; other faults end the connection.
  Result<void> publish(const Message& message);
  void disconnect() { (void)mosquitto_disconnect(mosquitto_.get()); }
  std::size_t unacknowledged() const { return unacknowledged_.size(); }

  // After read(): what the broker said to CONNECT and SUBSCRIBE.
  std::optional<int> connack;
  std::size_t unanswered = 0;        // subscriptions
  std::vector<std::string> refused;  // filters
  std::function<void(const mosquitto_message&)> received;

  static std::string connack_text(int code);

 private:
  Handle() = default;
  Result<void> checked(int code);
  static Handle& of(void* handle) { return *static_cast<Handle*>(handle); }
  void set_callbacks();

  struct Asked {
    int id = 0;
    std::string filter;
    bool optional = false;
  };
  struct Destroy {
    void operator()(mosquitto* handle) const { mosquitto_destroy(handle); }
  };
  std::vector<Asked> asked_;
  std::vector<int> unacknowledged_;  // ids of messages with QoS above 0
  std::string logged_;               // the library's errors
  std::string open_trouble_;
  std::atomic<bool> opened_{false};
  std::unique_ptr<mosquitto, Destroy> mosquitto_;
};

}  // namespace tandem::mqtt
