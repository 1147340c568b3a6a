// SPDX-License-Identifier: Apache-2.0
// The control socket of a running tandem: a Unix domain socket that only its user can open.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "tandem/net/socket.hpp"
#include "tandem/runtime/control/session.hpp"

namespace tandem::runtime {

// One thread serves all clients and never waits for one of them; a client that sends too long a line or does not
// read its answers is left.
class ControlServer {
 public:
  // Makes the folder (0700) where missing and replaces the socket of a dead process; Fault::busy when another tandem
  // answers there.
  static Result<std::unique_ptr<ControlServer>> listen(const std::string& path, Controlled& controlled);
  // Why listen() would fail there, without making anything. Another tandem that runs there is no reason: it may end.
  static Result<void> check(const std::string& path);
  ~ControlServer();

  void run(const std::stop_token& stop);
  const std::string& path() const { return path_; }

 private:
  struct Client {
    net::Descriptor socket;
    ControlSession session;
  };

  ControlServer(std::string path, net::Descriptor lock, net::Descriptor listener, Controlled& controlled);
  void accept_one();
  bool read_from(Client& client);  // false: done with this client
  bool write_to(Client& client);

  const std::string path_;
  const net::Descriptor lock_;  // held as long as this process lives: tells a dead socket from a live one
  const net::Descriptor listener_;
  Controlled& controlled_;
  std::map<int, Client> clients_;  // by descriptor
};

}  // namespace tandem::runtime
