// SPDX-License-Identifier: Apache-2.0
// One forklift with physics at a given rate, and a hundred without, beside a bare loop of clock_nanosleep.
#include "bench/raptorlift_rig.hpp"

namespace bench {
namespace {

constexpr double wanted_cycles = 0.999;
constexpr double many_rate = 100;  // Hz

// One truck of many: its PLC, its bridge, and what both cost.
struct Truck {
  Truck(std::size_t number, ros2::Context& ros)
      : plc({.physics = false, .step = 2ms}),
        bridge(lift_setup(plc.url(),
                          {"task=figure_eight", "feedback_timeout=5", fmt::format("namespace=/lift{}", number)}, clock,
                          &ros)) {}

  void run(Instant begin, Instant end) {
    clock.from = begin;
    while (system_clock().now() < begin) bridge.cycle();
    const double before = thread_time();
    while (system_clock().now() < end) live += bridge.cycle() ? 1 : 0;
    cpu = thread_time() - before;
  }

  RunningLift plc;
  NotingClock clock;
  ArmedBridge bridge;
  std::size_t live = 0;
  double cpu = 0;  // s, of the bridge's thread
};

}  // namespace

bool one_truck(double rate, double length) {
  const Duration period = duration_of(1 / rate);
  const RunningLift plc({});
  NotingClock clock;
  ArmedBridge bridge(lift_setup(plc.url(), {"task=figure_eight", fmt::format("cycle_hz={}", rate)}, clock));
  const Instant begin = in(1s), end = begin + duration_of(length);
  clock.from = begin;
  std::vector<double> bare;
  std::size_t live = 0;
  double cpu = 0;
  {
    const std::jthread beside([&] { bare_loop(begin, end, period, bare); });
    while (system_clock().now() < begin) bridge.cycle();
    const double before = thread_time();
    while (system_clock().now() < end) live += bridge.cycle() ? 1 : 0;
    cpu = thread_time() - before;
  }
  const double expected = length * rate;
  const double share = static_cast<double>(live) / expected;
  fmt::print("\none truck with physics at {} Hz for {} s\n", rate, length);
  print_late_head(period);
  print_late("bridge", clock.late, period);
  print_late("bare clock_nanosleep", bare, period);
  fmt::print("{:<34} {:>8} of {:.0f}, {:.3f} % (wanted: {:.1f} %)\n", "cycles done with a live sample", live, expected,
             100 * share, 100 * wanted_cycles);
  fmt::print("{:<34} {:>8.4f} of a core; {:.1f} m driven\n", "CPU of the bridge", cpu / length,
             bridge.bridge().state().distance);
  report_at_least(fmt::format("cycles done at {} Hz", rate), 100 * share, "%", 100 * wanted_cycles);
  report({.name = fmt::format("cycles begin late at {} Hz, p99", rate),
          .peer = "bare clock_nanosleep",
          .ours = quantile(clock.late, 0.99),
          .theirs = quantile(bare, 0.99),
          .unit = "us",
          .ratio = quantile(bare, 0.99) / quantile(clock.late, 0.99)});
  return share >= wanted_cycles;
}

bool many_trucks(std::size_t count, double length) {
  const Duration period = duration_of(1 / many_rate);
  ros2::ContextOptions options;
  options.domain = 97;
  ros2::Context ros(options);
  std::vector<std::unique_ptr<Truck>> trucks;
  const Instant first = system_clock().now();
  for (std::size_t i = 0; i < count; ++i) trucks.push_back(std::make_unique<Truck>(i + 1, ros));
  const double making = seconds(system_clock().now() - first);
  const Instant begin = in(3s), end = begin + duration_of(length);
  std::vector<double> bare;
  double spent = 0;
  {
    std::vector<std::jthread> threads;
    for (auto& truck : trucks) threads.emplace_back([&, each = truck.get()] { each->run(begin, end); });
    threads.emplace_back([&] { bare_loop(begin, end, period, bare); });
    system_clock().sleep_until(begin);
    spent = process_time();
    system_clock().sleep_until(end);
    spent = process_time() - spent;
  }
  std::vector<double> late;
  double bridges = 0;
  std::size_t live = 0;
  for (const auto& truck : trucks) {
    late.insert(late.end(), truck->clock.late.begin(), truck->clock.late.end());
    bridges += truck->cpu;
    live += truck->live;
  }
  const auto n = static_cast<double>(count);
  fmt::print("\n{} trucks without physics at {} Hz for {} s, one process, one DDS participant; made in {:.1f} s\n",
             count, many_rate, length, making);
  print_late_head(2 * period);
  print_late("bridges", late, 2 * period);
  print_late("bare clock_nanosleep", bare, 2 * period);
  fmt::print("{:<34} {:>8} of {:.0f}, {:.3f} %\n", "cycles done with a live sample", live, n * length * many_rate,
             100 * static_cast<double>(live) / (n * length * many_rate));
  fmt::print("{:<34} {:>8.4f} of a core (its bridge), {:.4f} with its PLC and its share of DDS\n", "CPU of a machine",
             bridges / length / n, spent / length / n);
  const double misses = static_cast<double>(count_over(late, 2 * period)) / static_cast<double>(late.size());
  const double bare_misses = static_cast<double>(count_over(bare, 2 * period)) / static_cast<double>(bare.size());
  fmt::print("{:<34} {:>7.4f} % of cycles, bare loop {:.4f} %\n", "begun more than two periods late", 100 * misses,
             100 * bare_misses);
  report_at_most(fmt::format("{} trucks: cycles more than two periods late", count), 100 * misses, "%");
  report_at_most("bare clock_nanosleep beside them: the same", 100 * bare_misses, "%");
  report_at_most(fmt::format("one of {} trucks, its bridge", count), bridges / length / n, "of a core");
  report_at_most(fmt::format("one of {} trucks with its PLC and DDS", count), spent / length / n, "of a core");
  return misses <= bare_misses;
}

}  // namespace bench
