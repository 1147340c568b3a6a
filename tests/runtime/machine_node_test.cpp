// SPDX-License-Identifier: Apache-2.0
// What every machine that moves offers on ROS, seen from another participant.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <mutex>

#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/parameters/store.hpp"
#include "tandem/ros2/sim_clock.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/runtime/counter/machine.hpp"

namespace tandem::runtime {
namespace {

using ros2::eventually;
using ros2::std_srvs::Trigger;

struct Lift {
  explicit Lift(const std::string& ros = "") {
    static const Registry counters({&counter::machine_type()});
    const ConfigText text{"test.yaml", fmt::format("ros: {{ domain: {}, discovery: localhost{} }}\nmachines:\n"
                                                   "  lift: {{ type: counter, device: virtual, cycle_hz: 50 }}\n",
                                                   options.domain, ros)};
    SystemOptions system_options;
    system_options.supervision.longest_pause = 2s;
    system = std::make_unique<System>(parse_config({&text, 1}, counters), system_options);
    system->start();
    REQUIRE(eventually([&] { return machine().state == "live"; }));
  }
  MachineStatus machine() const { return system->status().machines.at(0); }
  Trigger::Response call(const std::string& service) {
    const auto answer = ros2::Client<Trigger>(tool, service).call({}, {.timeout = 20s});
    REQUIRE_MESSAGE(answer.ok(), answer.error().text);
    return *answer;
  }

  ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context context{options};
  ros2::Node tool{context, "tool"};
  std::unique_ptr<System> system;
};

}  // namespace

TEST_CASE("a machine that moves is armed and stopped and reset over ROS") {
  Lift lift;
  std::mutex mutex;
  std::vector<std::string> lines;
  const auto rosout = lift.tool.subscribe<ros2::rcl_interfaces::Log>(
      "/rosout", ros2::Qos::rosout(), [&](const ros2::rcl_interfaces::Log& log, const ros2::MessageInfo&) {
        const std::lock_guard lock(mutex);
        lines.push_back(log.name + " " + log.msg);
      });
  const auto armed = lift.call("/lift/arm");
  CHECK(armed.success);
  CHECK(armed.message == "lift: armed");
  CHECK(lift.machine().arm == "armed");
  CHECK(lift.machine().arm_by == "a ROS service");
  CHECK(lift.call("/lift/stop").success);
  CHECK(lift.machine().arm == "stopped");
  const auto refused = lift.call("/lift/arm");
  CHECK_FALSE(refused.success);
  CHECK(refused.message.starts_with("lift: not armed: "));
  CHECK(lift.call("/lift/reset").success);
  CHECK(lift.machine().arm == "disarmed");
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return std::ranges::find(lines, "lift stopped: by a ROS service; latched until reset") != lines.end();
  }));
}

TEST_CASE("the configuration of a machine is read as parameters and cannot be changed") {
  Lift lift;
  using ros2::rcl_interfaces::GetParameters, ros2::rcl_interfaces::SetParameters;
  GetParameters::Request get;
  get.names = {"cycle_hz", "mood", "machine"};
  const auto got = ros2::Client<GetParameters>(lift.tool, "/lift/get_parameters").call(get, {.timeout = 20s});
  REQUIRE_MESSAGE(got.ok(), got.error().text);
  REQUIRE(got->values.size() == 3);
  CHECK(got->values[0].double_value == 50.0);
  CHECK(got->values[1].string_value == "calm");
  CHECK(got->values[2].string_value == "lift");
  SetParameters::Request set;
  set.parameters = {{"cycle_hz", ros2::message_from(ros2::ParameterValue(1.0))}};
  const auto results = ros2::Client<SetParameters>(lift.tool, "/lift/set_parameters").call(set, {.timeout = 20s});
  REQUIRE(results.ok());
  CHECK(results->results.at(0).reason == "parameter 'cycle_hz' is read-only");
}

TEST_CASE("D24 simulated time that jumps back disarms") {
  Lift lift(", use_sim_time: true");
  const ros2::ClockPublisher clock(lift.tool);
  REQUIRE(eventually([&] { return clock.matched() > 0; }));
  for (int i = 0; i < 20; ++i) {
    clock.publish(UtcTime(100s + i * 10ms));
    system_clock().sleep_until(system_clock().now() + 10ms);
  }
  REQUIRE(lift.call("/lift/arm").success);
  clock.publish(UtcTime(100s + 300ms));
  CHECK(lift.machine().arm == "armed");
  CHECK(eventually([&] {
    clock.publish(UtcTime(5s));
    return lift.machine().arm == "disarmed";
  }));
  CHECK(lift.machine().arm_cause.find("ROS time jumped by -") != std::string::npos);
  CHECK(lift.machine().arm_by == "/clock");
}

TEST_CASE("a tandem that is told to publishes its time on clock") {
  Lift lift(", publish_clock: true");
  ros2::SimClock clock(system_clock(), {.follow = true});
  clock.listen(lift.tool);
  CHECK(eventually([&] { return clock.known(); }));
  const double behind = seconds(system_clock().utc() - clock.utc());
  CHECK(behind > -1.0);
  CHECK(behind < 5.0);
}

}  // namespace tandem::runtime
