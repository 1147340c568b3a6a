// SPDX-License-Identifier: Apache-2.0
// Debian's mosquitto on a free loopback port, as a process of the test's own: to be killed, frozen and started again.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tandem/net/endpoint.hpp"
#include "tandem/protocols/mqtt/client.hpp"
#include "tests/deadline.hpp"

namespace tandem::mqtt {

// True within 20 s, polled; or another limit.
bool eventually(const std::function<bool()>& what, Duration limit = 20s);

// A folder for one test's files; removed with it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  // Writes a file there, for its owner only unless another mode is given; gives its path.
  std::string file(const std::string& name, const std::string& text, unsigned mode = 0600) const;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Broker {
 public:
  // `lines` of mosquitto.conf beside the listener; without any, everyone may do everything. Running when it is made;
  // throws std::runtime_error when there is no mosquitto or it ends at once.
  explicit Broker(std::vector<std::string> lines = {"allow_anonymous true"});
  ~Broker();
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  void kill();    // as by SIGKILL: no farewell
  void start();   // on the same port; waits until it listens
  void freeze();  // SIGSTOP: connections stay, nothing answers
  void thaw();

  std::uint16_t port() const { return port_; }
  net::Endpoint endpoint() const { return {0x7f000001, port_}; }
  std::string url() const { return "mqtt://127.0.0.1:" + std::to_string(port_); }
  BrokerOptions options() const { return {url(), "", "", "", "", ""}; }
  pid_t process() const { return process_; }

 private:
  Folder folder_;
  std::string config_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

// Another client that keeps what it hears, in order.
class Listener {
 public:
  Listener(Loop& loop, const BrokerOptions& broker, std::vector<std::string> filters, int qos = 1);
  ~Listener();

  std::vector<Message> heard() const;
  std::vector<Message> heard(const std::string& topic) const;
  std::size_t count(const std::string& topic) const { return heard(topic).size(); }
  void forget();
  bool publish(Message message) { return client_.publish(std::move(message)); }
  bool connected() const { return client_.counters().connected; }
  Client& client() { return client_; }

 private:
  mutable std::mutex mutex_;
  std::vector<Message> heard_;  // guarded
  Client client_;
};

}  // namespace tandem::mqtt
