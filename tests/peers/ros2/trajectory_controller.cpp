// SPDX-License-Identifier: Apache-2.0
// A joint-trajectory controller with a gripper that holds a cube of 40 mm: trajectory_controller fast | cyclone
// Prints its domain, and ends with its standard input.
#define DOCTEST_CONFIG_IMPLEMENT
#include <poll.h>

#include <cstdio>
#include <optional>
#include <string_view>

#include "tests/machines/ur3e/device/stand_in.hpp"
#include "tests/peers/ros2/cyclone_controller.hpp"

using namespace tandem;

namespace {

constexpr double cube = 0.02;  // m, for each finger

// True for as long as the input is open.
bool wait(int milliseconds) {
  pollfd input{0, POLLIN, 0};
  char byte = 0;
  return poll(&input, 1, milliseconds) == 0 || read(0, &byte, 1) > 0;
}

}  // namespace

int main(int count, char** arguments) {
  doctest::Context checks;
  checks.setAsDefaultForAssertsOutOfTestCases();
  const ros2::ContextOptions options = ros2::loopback_options();
  const bool cyclone = count > 1 && arguments[1] == std::string_view("cyclone");
  std::optional<ur3e::StandIn> ours;
  std::optional<ros2::Cyclone> peer;
  std::optional<ros2::CycloneController> theirs;
  if (cyclone) {
    theirs.emplace(peer.emplace(options.domain)).arm.held = cube;
  } else {
    ours.emplace(options).arm.held = cube;
  }
  std::printf("domain %d\n", options.domain);
  std::fflush(stdout);
  while (wait(theirs ? 1 : 100))
    if (theirs) theirs->step();
}
