// SPDX-License-Identifier: Apache-2.0
// Our server for other people's clients: prints its port and ends when standard input does.
#include <poll.h>

#include <cstdio>

#include "tandem/protocols/modbus/server.hpp"
#include "tests/peers/modbus/peer_device.hpp"

int main() {
  using namespace tandem;
  modbus::peers::PeerDevice device;
  auto server = modbus::Server::listen(device, {.port = 0});
  if (!server) return 1;
  std::printf("listening %u\n", unsigned{(*server)->port()});
  std::fflush(stdout);
  pollfd input{.fd = 0, .events = POLLIN, .revents = 0};
  while (::poll(&input, 1, 0) == 0 || (input.revents & POLLHUP) == 0) {
    if ((input.revents & POLLIN) != 0 && std::getchar() == EOF) break;
    (*server)->poll(system_clock().now() + 20ms);
  }
  return 0;
}
