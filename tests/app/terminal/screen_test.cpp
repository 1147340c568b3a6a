// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/screen.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/app/terminal/vt_screen.hpp"

namespace tandem::app {

namespace {

// As a run with its token in the address.
constexpr const char* address = "page http://127.0.0.1:8088/?token=0123456789abcdefABCDEF0123456789";

runtime::SystemStatus machines(std::size_t count) {
  runtime::SystemStatus status;
  status.version = "1.2.3";
  status.ros = "domain 0, this computer only";
  for (std::size_t i = 0; i < count; ++i) {
    runtime::MachineStatus machine;
    machine.name = fmt::format("machine_{}", i);
    machine.type = "counter";
    machine.state = machine.quality = "live";
    machine.rate = 100;
    machine.age = 0.004;
    machine.moves = true;
    machine.arm = "armed";
    machine.values = {{"count", "", {1, 2, 3, 4, 5, 6}, ""}, {"activity", "", {}, "counting"}};
    status.machines.push_back(machine);
  }
  return status;
}

VtScreen shown(const std::vector<std::string>& lines, const ScreenSize& size) {
  VtScreen screen(size.columns, size.rows);
  for (std::size_t i = 0; i < lines.size(); ++i) screen.feed(lines[i] + (i + 1 < lines.size() ? "\r\n" : ""));
  return screen;
}

}  // namespace

TEST_CASE("a terminal of 80 by 24 has the whole address and every machine") {
  runtime::SystemStatus status = machines(5);
  status.machines[1].state = "connecting";
  status.machines[1].cause = "no answer from 127.0.0.1:502";
  status.machines[1].age = 12;
  status.machines[2].arm = "stopped";
  status.machines[2].arm_cause = "stop requested";
  const std::deque<std::string> recent(50, "machine_1: lost: no answer");
  const ScreenSize size{80, 24};
  const VtScreen screen = shown(screen_lines(status, address, recent, size), size);
  const auto lines = screen.lines();
  CHECK_MESSAGE(screen.scrollback().empty(), screen.text());
  CHECK(lines[0] == "tandem 1.2.3  up 00:00:00  ROS 2 domain 0, this computer only");
  CHECK(lines[1] == address);
  CHECK(lines[3] == "machine_0  live          100 Hz  4.0 ms   armed    counting");
  CHECK(lines[4] == "machine_1  connecting    100 Hz  12.0 s   armed    no answer from 127.0.0.1:502");
  CHECK(lines[5] == "machine_2  live          100 Hz  4.0 ms   stopped  reset, then arm: stop request");
  CHECK(lines[7].starts_with("machine_4  live"));
  CHECK(lines[8].empty());
  CHECK(lines[9] == "  machine_1: lost: no answer");
  CHECK(lines[23] == "  machine_1: lost: no answer");
}

TEST_CASE("a tall terminal has all values and the newest events") {
  const ScreenSize size{100, 60};
  const auto lines = shown(screen_lines(machines(5), address, {"a: live: 1", "b: live: 2"}, size), size).lines();
  CHECK(std::ranges::count(lines, "  activity            counting") == 5);
  CHECK(std::ranges::count(lines, "  b: live: 2") == 1);
  CHECK(lines[1] == address);
}

TEST_CASE("an address that is longer than a line is wrapped and not cut") {
  const std::string longer = std::string(address) + std::string(40, 'x');
  const ScreenSize size{40, 24};
  const auto lines = shown(screen_lines(machines(2), longer, {}, size), size).lines();
  CHECK(lines[1] + lines[2] + lines[3] == longer);
}

TEST_CASE("any size holds what is shown and says what it has no room for") {
  for (std::size_t rows = 1; rows <= 30; ++rows) {
    for (const std::size_t columns : {1u, 7u, 20u, 80u, 200u}) {
      CAPTURE(rows);
      CAPTURE(columns);
      const ScreenSize size{columns, rows};
      const auto lines = screen_lines(machines(12), address, {"x: y: z"}, size);
      CHECK(lines.size() <= rows);
      CHECK(shown(lines, size).scrollback().empty());
    }
  }
  const ScreenSize size{80, 10};
  const auto lines = shown(screen_lines(machines(12), address, {}, size), size).lines();
  CHECK(lines[8].starts_with("machine_6"));
  CHECK(lines[9] == "  and 5 more: `tandem status`");
}

}  // namespace tandem::app
