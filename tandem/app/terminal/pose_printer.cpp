// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/pose_printer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tandem::app {
namespace {

constexpr Duration print_every = 50ms;

// By the value "pose", or else by the first that is the pose of something ("tool pose").
std::string plain_pose(const runtime::MachineStatus& machine) {
  const auto& values = machine.values;
  auto pose = std::ranges::find(values, "pose", &machines::Value::name);
  if (pose == values.end())
    pose = std::ranges::find_if(values, [](const machines::Value& value) { return value.name.ends_with(" pose"); });
  if (pose == values.end()) return "";
  return fmt::format("{}: {} {:.6g} ({})\n", machine.name, pose->name, fmt::join(pose->numbers, " "), pose->unit);
}

bool is_writable(int fd) {
  pollfd watched{fd, POLLOUT, 0};
  return ::poll(&watched, 1, 0) == 1;
}

}  // namespace

std::string PrintedPoses::next(const runtime::SystemStatus& status) {
  std::string text;
  for (const runtime::MachineStatus& machine : status.machines) {
    if (machine.state != "live") continue;
    std::uint64_t& printed = printed_[machine.name];
    if (machine.samples == printed) continue;
    printed = machine.samples;
    const std::string own = own_(machine.name);
    text += own.empty() ? plain_pose(machine) : own;
  }
  return text;
}

std::jthread print_poses(const runtime::System& system) {
  return std::jthread([&system](const std::stop_token& stop) {
    PrintedPoses poses([&system](const std::string& machine) { return system.printed_pose(machine); });
    for (Instant next = system_clock().now(); !stop.stop_requested(); next += print_every) {
      system_clock().sleep_until(next);
      if (system_clock().now() - next > print_every) next = system_clock().now();  // no catching up
      if (!is_writable(STDOUT_FILENO)) continue;
      const std::string text = poses.next(system.status());
      std::fwrite(text.data(), 1, text.size(), stdout);
      std::fflush(stdout);
    }
  });
}

}  // namespace tandem::app
