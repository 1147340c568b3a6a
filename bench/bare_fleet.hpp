// SPDX-License-Identifier: Apache-2.0
// The least that polling many Modbus devices can cost: one epoll loop that asks, one that answers, nothing else.
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "tandem/net/poller.hpp"

namespace bench {

// Answers any reading with zeros and any writing with its echo, in one thread.
class BareResponder {
 public:
  BareResponder();
  std::uint16_t port() const { return listener_.local().port; }

 private:
  struct Client {
    tandem::net::TcpSocket socket;
    std::vector<std::uint8_t> bytes;  // of a request that is not complete
  };
  void run(const std::stop_token& stop);
  bool serve(Client& client);

  tandem::net::TcpListener listener_;
  std::jthread thread_;
};

struct BareRun {
  double rate = 0;   // answers of each connection per second
  double late = 0;   // share of cycles that began more than one period late
  double cores = 0;  // of both threads
};
BareRun run_bare(std::size_t count, double rate, tandem::Duration length);

}  // namespace bench
