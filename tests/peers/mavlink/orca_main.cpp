// The virtual Orca for other people's ground stations: peer_mavlink_orca. Prints "listening PORT" (TCP) and ends when
// its standard input does.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <thread>

#include "tandem/machines/orca/virtual_vehicle.hpp"
#include "tandem/net/url.hpp"

int main() try {
  tandem::orca::VehicleSetup setup;
  setup.aiding_delay = 1;
  setup.body.X_map_start = tandem::Pose(Eigen::Translation3d(0, 0, -1));
  const auto vehicle = tandem::orca::make_virtual_vehicle(setup);
  const auto url = tandem::net::parse_url(vehicle->tcp_url());
  if (!url || !url->port) return 1;
  std::printf("listening %u\n", static_cast<unsigned int>(*url->port));
  std::fflush(stdout);
  const std::jthread thread([&](std::stop_token stop) { vehicle->run(stop); });
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) > 0) continue;
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
