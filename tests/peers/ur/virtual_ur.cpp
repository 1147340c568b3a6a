// SPDX-License-Identifier: Apache-2.0
// A virtual UR controller for other people's clients: prints its ports, and ends when standard input does.
// With the word "standard" it takes the ports of a real controller instead of free ones.
#include <cstdio>
#include <string_view>
#include <thread>

#include "tandem/machines/ur3e/virtual/device.hpp"

int main(int count, char** arguments) {
  using namespace tandem::ur3e;
  VirtualDeviceSetup setup;
  setup.controller.times.unlock = 1.0;
  if (count > 1 && std::string_view(arguments[1]) == "standard") setup.ports = PortNumbers{};
  VirtualDevice device(setup);
  const PortNumbers ports = device.ports();
  std::printf("listening rtde=%u dashboard=%u primary=%u secondary=%u realtime=%u gripper=%u\n", unsigned{ports.rtde},
              unsigned{ports.dashboard}, unsigned{ports.primary}, unsigned{ports.secondary}, unsigned{ports.real_time},
              unsigned{ports.gripper});
  std::fflush(stdout);
  std::jthread cycle([&device](std::stop_token stop) { device.run(stop); });
  while (std::getchar() != EOF) {
  }
  return 0;
}
