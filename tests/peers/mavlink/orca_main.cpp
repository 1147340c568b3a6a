// SPDX-License-Identifier: Apache-2.0
// The virtual Orca for other people's ground stations: peer_mavlink_orca [UDP PORT]. It sends to that port of this
// host, if one is given, prints "listening TCP UDP" with the ports that it serves, and ends when its standard input
// does.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/net/url.hpp"

int main(int count, char** arguments) try {
  tandem::orca::VirtualDeviceSetup setup;
  setup.aiding_delay = 1;
  setup.body.X_map_start = tandem::Pose(Eigen::Translation3d(0, 0, -1));
  if (count > 1) setup.called = static_cast<std::uint16_t>(std::atoi(arguments[1]));
  const auto vehicle = tandem::orca::make_virtual_device(setup);
  const auto tcp = tandem::net::parse_url(vehicle->tcp_url()), udp = tandem::net::parse_url(vehicle->url());
  if (!tcp || !tcp->port || !udp || !udp->port) return 1;
  std::printf("listening %u %u\n", static_cast<unsigned int>(*tcp->port), static_cast<unsigned int>(*udp->port));
  std::fflush(stdout);
  const std::jthread thread([&](std::stop_token stop) { vehicle->run(stop); });
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) > 0) continue;
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
