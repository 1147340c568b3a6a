// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/render.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace tandem::app {

namespace {

runtime::SystemStatus sample() {
  runtime::SystemStatus status;
  status.version = "0.1.0";
  status.uptime = 3725;
  status.ros = "domain 0, this computer only";
  status.control = "/tmp/c.sock";
  runtime::MachineStatus platform;
  platform.name = "platform";
  platform.type = "em1500";
  platform.device = "ads://127.0.0.1:48898";
  platform.is_virtual = true;
  platform.state = platform.quality = "live";
  platform.rate = 99.96;
  platform.age = 0.0042;
  platform.samples = 1234;
  platform.connects = platform.attempts = 1;
  platform.hops = {{"solve", 1234, 0.01, 3.1e-6, 9e-6, 12e-6}, {"publish", 1234, 0.1, 42e-6, 120e-6, 1.5e-3}};
  platform.values = {{"raw pose", "m, rad", {0.0123, -0.5, std::nan("")}, ""}, {"state", "", {}, "engaged"}};
  platform.twin_values = {{"residual", "m", {1.5e-5}, ""}};
  status.machines.push_back(platform);
  runtime::MachineStatus lift;
  lift.name = "lift";
  lift.type = "counter";
  lift.device = "count://10.0.0.1";
  lift.state = "connecting";
  lift.quality = "invalid";
  lift.cause = "nobody listens";
  lift.moves = true;
  lift.arm = "stopped";
  lift.arm_cause = "stop requested";
  lift.arm_by = "user 0, process 7";
  lift.attempts = 12;
  lift.skipped = 3;
  lift.late = runtime::HopStatus{"late", 400, 0.04, 90e-6, 2.1e-3, 3e-3, {}, 19.3e-3};
  status.machines.push_back(lift);
  return status;
}

}  // namespace

TEST_CASE("the page shows state rate age latencies and the machine's values") {
  CHECK(render(sample(), {}) ==
        "tandem 0.1.0  up 01:02:05  ROS 2 domain 0, this computer only\n"
        "\n"
        "platform  em1500  virtual ads://127.0.0.1:48898\n"
        "  live                100.0 Hz  age 4.2 ms  quality live\n"
        "  counts              samples 1234, invalid 0, stale 0, connects 1 of 1\n"
        "  p50 / p99 / p99.9   solve 3.1 us / 9.0 us / 12.0 us  publish 42.0 us / 120 us / 1.5 ms\n"
        "  raw pose               +0.0123    -0.5000          - m, rad\n"
        "  state               engaged\n"
        "  twin residual        +0.000015 m\n"
        "\n"
        "lift  counter  count://10.0.0.1\n"
        "  connecting          0.0 Hz  no sample yet  quality invalid\n"
        "  because             nobody listens\n"
        "  stopped             stop requested, by user 0, process 7\n"
        "  to move             `tandem reset lift`, then `tandem arm lift` once it is live\n"
        "  counts              samples 0, invalid 0, stale 0, connects 0 of 12\n"
        "  cycle begun late    p50 90.0 us / p99 2.1 ms / worst 19 ms  skipped 3\n");
}

TEST_CASE("a machine that does not move says which commands it needs") {
  runtime::SystemStatus status = sample();
  runtime::MachineStatus& lift = status.machines[1];
  lift.arm = "disarmed";
  CHECK(render(status, {}).find("  to move             `tandem arm lift` once it is live\n") != std::string::npos);
  lift.state = "live";
  CHECK(render(status, {}).find("  to move             `tandem arm lift`\n") != std::string::npos);
  lift.arm = "stopped";
  CHECK(render(status, {}).find("`tandem reset lift`, then `tandem arm lift`\n") != std::string::npos);
  lift.arm = "armed";
  CHECK(render(status, {}).find("to move") == std::string::npos);
}

TEST_CASE("the names of a value's numbers survive the way through JSON") {
  runtime::SystemStatus status = sample();
  status.machines[0].values[0].parts = {"x", "y", "yaw"};
  const auto copy = runtime::status_from_json(runtime::json_from_status(status));
  REQUIRE(copy);
  CHECK(copy->machines[0].values[0].parts == std::vector<std::string>{"x", "y", "yaw"});
  CHECK(copy->machines[0].values[1].parts.empty());
}

TEST_CASE("the black box says what it holds and where the newest incident is") {
  runtime::SystemStatus status = sample();
  CHECK(render(status, {}).find("black box") == std::string::npos);
  status.black_box = runtime::BlackBoxStatus{"/state/incidents", 59.6, 31'200'000, 0, ""};
  CHECK(render(status, {}).find("black box  60 s, 31.2 MB\n") != std::string::npos);
  status.incidents = {{"/state/incidents/a.mcap", "lift", "lost", "closed", 1.5e9}};
  status.black_box->dropped = 3;
  status.black_box->trouble = "the disk is full";
  const std::string text = render(status, {});
  CHECK(text.find("31.2 MB, 3 messages dropped; newest incident /state/incidents/a.mcap\n") != std::string::npos);
  CHECK(text.find("because             the disk is full\n") != std::string::npos);
}

TEST_CASE("discovery servers are listed with their state and since when, and survive the way through JSON") {
  runtime::SystemStatus status = sample();
  status.discovery_servers = {{0, "10.9.0.1:11811", "connected", 3725.0}, {1, "lab-pc:14520", "lost", 12.0}};
  const std::string text = render(status, {});
  CHECK(text.find("  discovery server 0 at 10.9.0.1:11811  connected for 01:02:05\n") != std::string::npos);
  CHECK(text.find("  discovery server 1 at lab-pc:14520  lost for 00:00:12: the graph may be old\n") !=
        std::string::npos);
  const auto copy = runtime::status_from_json(runtime::json_from_status(status));
  REQUIRE(copy);
  REQUIRE(copy->discovery_servers.size() == 2);
  CHECK(copy->discovery_servers[1].address == "lab-pc:14520");
  CHECK(copy->discovery_servers[1].since == 12.0);
  const std::string metrics = runtime::metrics_text(status);
  CHECK(metrics.find("tandem_discovery_server_connected{id=\"0\",address=\"10.9.0.1:11811\"} 1\n") !=
        std::string::npos);
  CHECK(metrics.find("tandem_discovery_server_connected{id=\"1\",address=\"lab-pc:14520\"} 0\n") != std::string::npos);
}

TEST_CASE("a machine that is slower than configured says why") {
  runtime::SystemStatus slow = sample();
  slow.machines[0].warning = "22 Hz instead of 100 Hz: device round trip p50 41 ms";
  CHECK(render(slow, {}).find("  warning             22 Hz instead of 100 Hz: device round trip p50 41 ms\n") !=
        std::string::npos);
  CHECK(render_line(slow).find("p99 120 us (warning: 22 Hz instead of 100 Hz: device round trip p50 41 ms);") !=
        std::string::npos);
  const auto copy = runtime::status_from_json(runtime::json_from_status(slow));
  REQUIRE(copy);
  CHECK(copy->machines[0].warning == slow.machines[0].warning);
}

TEST_CASE("colours add no visible text and a narrow terminal cuts lines") {
  std::string coloured = render(sample(), {true, 0});
  CHECK(coloured.find("\x1b[32m") != std::string::npos);
  for (auto start = coloured.find('\x1b'); start != std::string::npos; start = coloured.find('\x1b')) {
    coloured.erase(start, coloured.find('m', start) - start + 1);
  }
  CHECK(coloured == render(sample(), {}));
  const std::string narrow = render(sample(), {false, 20});
  std::size_t longest = 0, start = 0;
  for (auto end = narrow.find('\n'); end != std::string::npos; end = narrow.find('\n', start)) {
    longest = std::max(longest, end - start);
    start = end + 1;
  }
  CHECK(longest == 20);
  CHECK(cut("\x1b[1mabc\x1b[0m", 2) == "\x1b[1mab\x1b[0m");
  CHECK(cut("h\xc3\xa9llo", 2) == "h\xc3\xa9");
}

TEST_CASE("one line tells all machines to a log") {
  CHECK(render_line(sample()) ==
        "status platform live 100.0 Hz age 4.2 ms p50 42.0 us p99 120 us; lift connecting: nobody listens stopped");
  CHECK(render_event({"lift", "lost", "the peer closed", true}) == "lift: lost: the peer closed");
  CHECK(render_event({"", "ros", "hello", false}) == "ros: hello");
}

TEST_CASE("durations are told in the unit that suits them") {
  CHECK(short_time(0) == "0 ns");
  CHECK(short_time(999e-9) == "999 ns");
  CHECK(short_time(99.9e-6) == "99.9 us");
  CHECK(short_time(250e-6) == "250 us");
  CHECK(short_time(0.0123) == "12 ms");
  CHECK(short_time(61) == "61.0 s");
}

}  // namespace tandem::app
