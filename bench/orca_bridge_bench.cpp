// SPDX-License-Identifier: Apache-2.0
// The Orca's bridge in a process of its own, with real sockets and DDS on loopback: what it costs at 50 Hz streams and
// a SLAM of 10 Hz, and how long a frame of the SLAM takes to become a VISION_POSITION_DELTA on the wire.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "bench/cycles.hpp"
#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"
#include "tandem/ros2/messages/orb_slam3_msgs.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tandem/runtime/config/config.hpp"

namespace {

using namespace tandem;
using ros2::orb_slam3_msgs::SlamStatus;

constexpr Duration settle = 5s;
constexpr double most_cpu = 2;  // % of a core
constexpr std::uint32_t points = 500;
constexpr float depth = 3.095F / 2;  // of the floor in the SLAM's units, with a sonar that says 3 m

ros2::ContextOptions bench_domain() {
  ros2::ContextOptions options;
  options.domain = 96;
  options.range = ros2::DiscoveryRange::localhost;
  return options;
}

double process_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto number = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return number(used.ru_utime) + number(used.ru_stime);
}

struct Spent {
  double cpu = 0, wall = 0;  // s
  std::uint64_t samples = 0, deltas = 0;
};

// Of the child: all of its threads count, DDS's among them.
[[noreturn]] void be_the_bridge(const std::string& device, double time, int out) {
  Spent spent;
  {
    ros2::Context context(bench_domain());
    orca::Machine bridge({"sub", device, runtime::options_from_settings(orca::bridge_options(), {}), &context,
                          &system_clock(), nullptr});
    if (auto connected = bridge.connect(bench::in(10s)); !connected) bench::give_up(connected.error().text);
    const Instant begin = bench::in(settle), end = begin + duration_of(time);
    bool counts = false;
    Instant started{};
    orca::State before;
    while (system_clock().now() < end) {
      if (auto cycle = bridge.cycle({}); !cycle) bench::give_up(cycle.error().text);
      if (!counts && system_clock().now() >= begin) {
        counts = true;
        started = system_clock().now();
        before = bridge.state();
        spent.cpu = -process_time();
      }
    }
    spent.cpu += process_time();
    spent.wall = seconds(system_clock().now() - started);
    spent.samples = bridge.state().samples - before.samples;
    spent.deltas = bridge.state().sent - before.sent;
  }
  const bool told = write(out, &spent, sizeof spent) == static_cast<ssize_t>(sizeof spent);
  _exit(told ? 0 : 1);
}

SlamStatus slam_frame(double x) {
  SlamStatus message;
  message.tracking_state = SlamStatus::TRACKING_OK;
  message.map_id = 1;
  message.pose.position.x = x;
  message.pose.orientation.w = 1;
  auto& cloud = message.tracked_points;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    ros2::sensor_msgs::PointField field;
    field.name = std::string(1, static_cast<char>('x' + axis));
    field.offset = 4 * axis;
    field.datatype = ros2::sensor_msgs::PointField::FLOAT32;
    field.count = 1;
    cloud.point_fields.push_back(field);
  }
  cloud.height = 1;
  cloud.width = points;
  cloud.point_step = 12;
  cloud.row_step = 12 * points;
  cloud.data.resize(cloud.row_step);
  for (std::uint32_t i = 0; i < points; ++i) {
    const std::array<float, 3> point{static_cast<float>(x) + 0.002F * static_cast<float>(i % 25), 0, depth};
    std::memcpy(cloud.data.data() + 12 * i, point.data(), 12);
  }
  return message;
}

// What ArduSub sends at the rates that the bridge asks for.
class StreamingVehicle {
 public:
  explicit StreamingVehicle(mavlink::Link& link) : link_(link) {}

  void say(std::uint64_t step) {  // 50 times a second
    const auto ms = static_cast<std::uint32_t>(20 * step);
    link_.send(mavlink::Attitude{.time_boot_ms = ms, .roll = 0.01F});
    link_.send(mavlink::LocalPositionNed{.time_boot_ms = ms, .z = 1});
    if (step % 2 == 0) link_.send(mavlink::RangeFinder{.distance = 3});
    if (step % 10 == 0) {
      link_.send(mavlink::GlobalPositionInt{.time_boot_ms = ms, .relative_alt = -1000});
      mavlink::EkfStatusReport report;
      report.flags = 0x16F;
      link_.send(report);
    }
    if (step % 50 == 0) {
      link_.send(
          mavlink::Heartbeat{.type = 12, .autopilot = 3, .base_mode = 65, .custom_mode = 19, .system_status = 4});
      link_.send(mavlink::SysStatus{.voltage_battery = 16000});
    }
  }
  // Until then; true when a delta came.
  bool hear(Instant until) {
    while (const auto frame = link_.receive(until))
      if (frame->is<mavlink::VisionPositionDelta>()) return true;
    return false;
  }

 private:
  mavlink::Link& link_;
};

// One thread is the vehicle and the SLAM; both speak at once.
std::vector<double> fly(mavlink::Link& link, double time) {
  StreamingVehicle vehicle(link);
  ros2::Context context(bench_domain());
  ros2::Node slam(context, "slam");
  const auto frames = slam.advertise<SlamStatus>("/slam_status");
  std::vector<double> latency;
  Instant asked{};
  const Instant begin = system_clock().now();
  const auto steps = static_cast<std::uint64_t>(50 * (time + seconds(settle) + 1));
  for (std::uint64_t step = 0; step < steps; ++step) {
    vehicle.say(step);
    if (step % 5 == 0) {
      SlamStatus frame = slam_frame(0.002 * static_cast<double>(step));
      frame.header.stamp = ros2::message_from(system_clock().utc());
      asked = system_clock().now();
      frames.publish(frame);
    }
    const Instant next = begin + 20ms * static_cast<std::int64_t>(step + 1);
    while (system_clock().now() < next) {
      if (!vehicle.hear(next) || asked == Instant{}) continue;
      if (step > 50 * static_cast<std::uint64_t>(seconds(settle)))
        latency.push_back(1e6 * seconds(system_clock().now() - asked));
      asked = {};
    }
  }
  return latency;
}

}  // namespace

int main(int argc, char** argv) {
  const double time = argc > 1 ? std::atof(argv[1]) : 30;  // s
  auto link = mavlink::Link::open("udpin:127.0.0.1:0", {.channel = {.own = {1, 1}}});
  if (!link) bench::give_up(link.error().text);
  int ends[2];
  if (pipe(ends) != 0) bench::give_up("no pipe");
  const std::string device = fmt::format("mavlink://127.0.0.1:{}?link=udpout", link->local().port);
  const pid_t child = fork();  // before there are threads
  if (child == 0) be_the_bridge(device, time, ends[1]);
  close(ends[1]);
  const std::vector<double> latency = fly(*link, time);
  Spent spent;
  const bool told = read(ends[0], &spent, sizeof spent) == static_cast<ssize_t>(sizeof spent);
  waitpid(child, nullptr, 0);
  if (!told || latency.empty()) bench::give_up("the bridge did not tell what it spent, or sent no deltas");
  const double cpu = 100 * spent.cpu / spent.wall;
  fmt::print("{:.0f} s, {:.1f} attitudes/s, {:.1f} deltas/s, clouds of {} points\n", spent.wall,
             static_cast<double>(spent.samples) / spent.wall, static_cast<double>(spent.deltas) / spent.wall, points);
  fmt::print("CPU of the bridge's process, all threads: {:.2f} % of a core (at most {} wanted)\n", cpu, most_cpu);
  fmt::print(
      "RANGEFINDER and slam_status in -> VISION_POSITION_DELTA out: p50 {:.0f}  p99 {:.0f}  worst {:.0f} us ({})\n",
      bench::quantile(latency, 0.5), bench::quantile(latency, 0.99), bench::quantile(latency, 1), latency.size());
  bench::report_at_most("machine with streams of 50 Hz and a SLAM of 10 Hz, CPU", cpu, "% of a core", most_cpu);
  bench::report_at_most("slam_status in to VISION_POSITION_DELTA out, p50", bench::quantile(latency, 0.5), "us");
  bench::report_at_most("slam_status in to VISION_POSITION_DELTA out, p99", bench::quantile(latency, 0.99), "us");
  return cpu <= most_cpu ? 0 : 1;
}
