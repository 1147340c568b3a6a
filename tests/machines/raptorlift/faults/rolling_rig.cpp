// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/raptorlift/faults/rolling_rig.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "tests/machines/rigs/modbus_answer_rows.hpp"

namespace tandem::raptorlift::rig {

double documented_bound(std::string_view fault) {
  std::ifstream page(TANDEM_RAPTORLIFT_PAGE);
  const std::string row = fmt::format("| {} |", fault);
  for (std::string line; std::getline(page, line);) {
    if (line.rfind(row, 0) != 0) continue;
    const std::size_t end = line.rfind('|'), start = line.rfind('|', end - 1) + 1;
    return std::stod(line.substr(start, end - start));
  }
  throw std::runtime_error(fmt::format("docs/raptorlift.md: expected a row that begins with '{}', got none", row));
}

VirtualDeviceSetup rolling_setup() {
  VirtualDeviceSetup setup;
  setup.clock = &system_clock();
  return setup;
}

std::vector<std::string> default_settings(const std::vector<std::string>& more) {
  std::vector<std::string> all = {"cycle_hz=100", "feedback_timeout=0.2", "response_timeout=0.5", "acceleration=2"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

double metres_to_rest(const VirtualDevice& lift, double before) {
  Instant moved = now();
  const bool rested = eventually([&] {
    const TruckState truth = lift.truth();
    const double fastest = 0.1715 * std::max(std::abs(truth.speeds[0]), std::abs(truth.speeds[1]));
    if (std::max(std::abs(truth.twist.vx), fastest) > standing_speed) moved = now();
    return now() - moved > standing_time;
  });
  CHECK_MESSAGE(rested, "it still rolls at " << lift.truth().twist.vx << " m/s");
  return lift.truth().distance - before;
}

bool RollingRig::drive(double v) {
  link.want(v, 0);
  return eventually([&] {
    if (link.armed()) return forward() * (v < 0 ? -1 : 1) > full_speed;
    link.latch().reset("test");
    (void)link.latch().arm("test");
    return false;
  });
}

bool RollingRig::coils_off() {
  auto other = kit::intruder(*this);
  return eventually([&] {
    std::array<bool, coils::count> levels{};
    REQUIRE(other.read_coils(8192, levels, now() + 5s));
    return std::ranges::none_of(levels, [](bool level) { return level; });
  });
}

}  // namespace tandem::raptorlift::rig
