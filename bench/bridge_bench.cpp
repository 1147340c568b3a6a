// SPDX-License-Identifier: Apache-2.0
// From a field frame that is readable to a DDS sample that is handed over: time, CPU and allocations per sample. The
// listener is another process: this program again.
#include <fmt/format.h>

#include <cstdlib>

#include "bench/other.hpp"
#include "bench/rig.hpp"
#include "bench/side_by_side.hpp"
#include "tandem/ros2/node.hpp"
#include "tests/allocations.hpp"

namespace {

using namespace tandem;

constexpr int warm_up = 500;
constexpr int most_samples = 5000;
constexpr const char* legs = "/stewart/legs_em1500";

void measure(const char* what, ros2::Context* ros, double hertz, int samples = most_samples) {
  bench::RunningPlc plc(duration_of(1 / hertz));
  em1500::Machine bridge(bench::bridge_setup(plc.url(), ros, hertz));
  if (auto connected = bridge.connect(system_clock().now() + 2s); !connected) {
    fmt::print("{}: {}\n", what, connected.error().text);
    std::exit(1);
  }
  std::vector<double> total;
  std::vector<double> solve;
  total.reserve(samples);
  solve.reserve(samples);
  std::size_t made = 0;
  std::size_t cycles_that_allocate = 0;
  double cpu = 0;
  for (int i = 0; i < warm_up + samples;) {
    const std::size_t before = allocations;
    const double start = bench::thread_time();
    auto cycle = bridge.cycle({});
    const double spent = bench::thread_time() - start;
    if (!cycle) {
      fmt::print("{}: {}\n", what, cycle.error().text);
      std::exit(1);
    }
    if (cycle->quality != Quality::live) continue;
    if (++i <= warm_up) continue;
    made += allocations - before;
    cycles_that_allocate += allocations != before;
    cpu += spent;
    solve.push_back(1e6 * seconds(cycle->solved - cycle->readable));
    total.push_back(1e6 * seconds(cycle->published - cycle->readable));
  }
  fmt::print(
      "{:<44} {:>6} Hz  solve p50 {:>6.1f}  total p50 {:>6.1f}  p99 {:>7.1f}  p99.9 {:>7.1f} us  CPU {:>6.1f} us"
      "  allocations {:.2f} a cycle ({:.1f} % of cycles)\n",
      what, hertz, bench::quantile(solve, 0.5), bench::quantile(total, 0.5), bench::quantile(total, 0.99),
      bench::quantile(total, 0.999), 1e6 * cpu / samples, static_cast<double>(made) / samples,
      100.0 * static_cast<double>(cycles_that_allocate) / samples);
  const std::string name = fmt::format("{}, {} Hz", what, hertz);
  bench::report_at_most(name + ", p50", bench::quantile(total, 0.5), "us", 15);
  bench::report_at_most(name + ", p99", bench::quantile(total, 0.99), "us", 60);
  bench::report_at_most(name + ", CPU", 1e6 * cpu / samples, "us");
  bench::report_at_most(name + ", allocations", static_cast<double>(made) / samples, "a cycle");
}

ros2::ContextOptions loopback() {
  ros2::ContextOptions options;
  options.domain = 97;
  options.range = ros2::DiscoveryRange::localhost;
  return options;
}

// How many processes elsewhere hear the legs.
std::size_t heard(const ros2::Context& context) {
  std::size_t readers = 0;
  for (const auto& endpoint : context.graph().endpoints) {
    readers += !endpoint.local && !endpoint.writes && endpoint.topic == legs ? 1 : 0;
  }
  return readers;
}

bool becomes(const ros2::Context& context, std::size_t wanted) {
  for (int i = 0; i < 2500 && heard(context) != wanted; ++i) std::this_thread::sleep_for(10ms);
  return heard(context) == wanted;
}

void listen() {
  ros2::Context context(loopback());
  ros2::Node node(context, "listener");
  const auto subscription =
      node.subscribe<ros2::std_msgs::Float64MultiArray>(legs, ros2::Qos::standard(), [](const auto&, const auto&) {});
  std::this_thread::sleep_for(300s);
}

}  // namespace

int main(int count, char**) {
  if (count > 1) return listen(), 0;
  fmt::print("readable -> handed to DDS\n");
  ros2::Context context(loopback());
  for (int round = 0; round < 3; ++round) {
    measure("bridge without ROS (all code is ours)", nullptr, 1000);
    // The listener of the round before was killed: its lease has to run out.
    if (!becomes(context, 0)) return fmt::print("the listener is still there\n"), 1;
    measure("bridge, 4 topics, no subscribers", &context, 1000);
    const bench::Other listener("listen");
    if (!becomes(context, 1)) return fmt::print("no listener was found\n"), 1;
    measure("bridge, 4 topics, one listener of the legs", &context, 1000);
    measure("the same at the PLC's own rate", &context, 100, 1000);
  }
}
