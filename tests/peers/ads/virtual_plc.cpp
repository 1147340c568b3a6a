// SPDX-License-Identifier: Apache-2.0
// A PLC for other people's ADS clients: prints its port, moves its pose, and ends when standard input does.
#include <cmath>
#include <cstdio>

#include "tests/protocols/ads/server_fixture.hpp"

int main() {
  using namespace tandem;
  ads::test::TestPlc plc({}, [](ads::SymbolTable& table, std::uint64_t cycle) {
    const double time = 0.01 * static_cast<double>(cycle);
    table.write("MAIN.fTime", time);
    table.write("MAIN.nRxCounter", static_cast<std::int32_t>(cycle));
    table.write("MAIN.stEM1500Pose.surge", 0.1);
    table.write("MAIN.stEM1500Pose.heave", 0.2 * std::sin(time));
    table.write("MAIN.stEM1500Pose.yaw", -0.03);
  });
  std::printf("listening %u %u\n", unsigned{plc.tcp_port}, unsigned{plc.udp_port});
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  return 0;
}
