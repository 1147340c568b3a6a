// SPDX-License-Identifier: Apache-2.0
// The cable robot's bridge at 500 Hz over a socket, on the demonstration's path in physics, beside a bare loop of
// clock_nanosleep: cycles done in time, how far the platform is off, and the least tension that was seen.
//   bench_cable_robot [SECONDS]
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "bench/cycles.hpp"
#include "tandem/machines/cable_robot/control/machine.hpp"
#include "tandem/machines/cable_robot/virtual/device.hpp"
#include "tandem/runtime/config/config.hpp"

namespace bench {
namespace {

namespace robot = tandem::cable_robot;

constexpr double rate = 500;             // Hz
constexpr double wanted_cycles = 0.999;  // done with a live sample
constexpr double wanted_error = 0.005;   // m, at most
constexpr Duration late = 5ms;           // from one cycle to the next: the host was busy
constexpr Duration warm_up = 5s;         // tensioning, and the way onto the path

class RunningRobot {
 public:
  RunningRobot() : device_(robot::make_virtual_device(setup())) {
    thread_ = std::jthread([this](const std::stop_token& stop) { device_->run(stop); });
  }
  const robot::VirtualDevice& device() const { return *device_; }

 private:
  static robot::VirtualDeviceSetup setup() {
    robot::VirtualDeviceSetup setup;
    setup.station.limits = robot::limits_for(setup.robot);
    setup.clock = &system_clock();
    return setup;
  }
  std::unique_ptr<robot::VirtualDevice> device_;
  std::jthread thread_;
};

struct Seen {
  double worst = 0, sum = 0;  // m, of the square
  double least_tension = 1e9, most_tension = 0;
  std::size_t samples = 0, live = 0, slack = 0;
  std::size_t low = 0, low_late = 0;  // samples with a cable below its least tension; of them: soon after a late cycle
  Instant late_at{}, last{};
  double cpu = 0;

  void look(const robot::State& state, const robot::PlatformState& truth, double least_wanted) {
    const Instant now = system_clock().now();
    if (last != Instant{} && now - last > late) late_at = now;
    last = now;
    const double before = least_tension;
    least_tension = 1e9;
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) square += std::pow(truth.position[i] - state.set_point[i], 2);
    worst = std::max(worst, std::sqrt(square));
    sum += square;
    for (int i = 0; i < state.cables; ++i) {
      least_tension = std::min(least_tension, truth.tensions[static_cast<std::size_t>(i)]);
      most_tension = std::max(most_tension, truth.tensions[static_cast<std::size_t>(i)]);
    }
    if (least_tension < least_wanted) {
      ++low;
      low_late += now - late_at < 100ms ? 1 : 0;
    }
    least_tension = std::min(least_tension, before);
    slack += state.slack != 0 ? 1 : 0;
    ++samples;
  }
};

bool follow_the_path(double length) {
  const Duration period = duration_of(1 / rate);
  RunningRobot winches;
  NotingClock clock;
  const std::vector<std::string> settings{"task=path"};
  machines::Setup setup{"cables",
                        winches.device().url(),
                        runtime::options_from_settings(robot::machine_type().options, settings),
                        nullptr,
                        &clock,
                        nullptr};
  robot::Machine bridge(setup);
  if (auto connected = bridge.connect(in(10s)); !connected) give_up(connected.error().text);
  const std::atomic<bool> armed{true};
  const auto cycle = [&] {
    const auto done = bridge.cycle(machines::Permit(armed, clock, clock.now() + 10s));
    if (!done) give_up(done.error().text);
    if (done->stop || done->disarm) give_up(std::string(done->why.view()));
    return done->quality == Quality::live;
  };
  const double least_wanted = bridge.robot().design().tension.least;
  const Instant begin = in(warm_up), end = begin + duration_of(length);
  clock.from = begin;
  std::vector<double> bare;
  Seen seen;
  {
    const std::jthread beside([&] { bare_loop(begin, end, period, bare); });
    while (system_clock().now() < begin) cycle();
    const double before = thread_time();
    while (system_clock().now() < end) {
      seen.live += cycle() ? 1 : 0;
      seen.look(bridge.state(), winches.device().truth(), least_wanted);
    }
    seen.cpu = thread_time() - before;
  }
  const double expected = length * rate, share = static_cast<double>(seen.live) / expected;
  fmt::print("\nthe demonstration's path in physics at {} Hz for {} s\n", rate, length);
  print_late_head(period);
  print_late("bridge", clock.late, period);
  print_late("bare clock_nanosleep", bare, period);
  fmt::print("{:<34} {:>8} of {:.0f}, {:.3f} % (wanted: {:.1f} %)\n", "cycles done with a live sample", seen.live,
             expected, 100 * share, 100 * wanted_cycles);
  fmt::print("{:<34} {:>8.4f} of a core\n", "CPU of the bridge", seen.cpu / length);
  fmt::print("{:<34} {:>8.2f} mm at most, {:.2f} mm root mean square (wanted: {:.0f} mm at most)\n",
             "platform from its set point", 1e3 * seen.worst,
             1e3 * std::sqrt(seen.sum / static_cast<double>(std::max<std::size_t>(seen.samples, 1))),
             1e3 * wanted_error);
  fmt::print("{:<34} {:>8.2f} to {:.2f} N (wanted: from {:.0f} N); {} cycles with a slack cable\n",
             "tensions, in truth", seen.least_tension, seen.most_tension, least_wanted, seen.slack);
  fmt::print("{:<34} {:>8} cycles, {} of them within 0.1 s after one that was more than {:g} ms late\n",
             "a cable below its least tension", seen.low, seen.low_late, 1e3 * seconds(late));
  report_at_least("cycles done with a live sample", 100 * share, "%", 100 * wanted_cycles);
  report_at_most("platform from its set point, worst", 1e3 * seen.worst, "mm", 1e3 * wanted_error);
  report_at_least("least tension in truth", seen.least_tension, "N", least_wanted);
  report_at_most("CPU of the machine", seen.cpu / length, "of a core");
  return share >= wanted_cycles && seen.worst <= wanted_error && seen.low == seen.low_late;
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
  const double length = count > 1 ? std::atof(arguments[1]) : 60;
  return bench::follow_the_path(length > 0 ? length : 60) ? 0 : 1;
}
