// What the forklift's benches share: a virtual PLC on its own thread, a bridge without a supervisor, and a clock that
// notes how late its sleepers wake.
#pragma once

#include <fmt/format.h>
#include <time.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/side_by_side.hpp"
#include "tandem/machines/raptorlift/machine.hpp"
#include "tandem/machines/raptorlift/virtual_faults.hpp"
#include "tandem/machines/raptorlift/virtual_lift.hpp"
#include "tandem/net/url.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/runtime/config.hpp"

namespace bench {

using namespace tandem;

[[noreturn]] inline void give_up(const std::string& why) {
  fmt::print("{}\n", why);
  std::exit(1);
}

inline Instant in(Duration duration) { return system_clock().now() + duration; }

class RunningLift {
 public:
  explicit RunningLift(const raptorlift::VirtualLiftSetup& setup)
      : device_(raptorlift::make_virtual_lift(setup)),
        thread_([this](const std::stop_token& stop) { device_->run(stop); }) {}
  std::string url() const { return device_->url(); }
  std::uint16_t port() const { return net::parse_url(url())->port.value(); }

 private:
  std::unique_ptr<raptorlift::VirtualLift> device_;
  std::jthread thread_;
};

// Never waits: for the cost of cycles one after the other.
class HastyClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc(); }
  void sleep_until(Instant) override {}
};

class NotingClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc(); }
  void sleep_until(Instant instant) override {
    system_clock().sleep_until(instant);
    if (instant >= from) late.push_back(1e6 * seconds(system_clock().now() - instant));
  }

  Instant from = Instant::max();  // nothing is noted before
  std::vector<double> late;       // us
};

inline machines::Setup lift_setup(std::string device, const std::vector<std::string>& settings, Clock& clock,
                                  ros2::Context* ros = nullptr) {
  return {"lift",
          std::move(device),
          runtime::options_from_settings(raptorlift::machine_type().options, settings),
          ros,
          &clock,
          nullptr};
}

// A bridge that is armed as soon as it is connected, and drives what its task wants.
class ArmedBridge {
 public:
  explicit ArmedBridge(const machines::Setup& setup) : clock_(*setup.clock), bridge_(setup) {
    if (auto connected = bridge_.connect(in(10s)); !connected) give_up(connected.error().text);
  }
  // True when a live sample came.
  bool cycle() {
    const auto done = bridge_.cycle(machines::Permit(armed_, clock_, clock_.now() + 10s));
    if (!done) give_up(done.error().text);
    return done->quality == Quality::live;
  }
  const raptorlift::Bridge& bridge() const { return bridge_; }

 private:
  Clock& clock_;
  std::atomic<bool> armed_{true};
  raptorlift::Bridge bridge_;
};

inline void bare_loop(Instant begin, Instant end, Duration period, std::vector<double>& late) {
  for (Instant due = begin; due < end; due += period) {
    const auto since = due.time_since_epoch().count();
    const timespec wake{static_cast<time_t>(since / 1'000'000'000), static_cast<long>(since % 1'000'000'000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nullptr) != 0) {
    }
    late.push_back(1e6 * seconds(system_clock().now() - due));
  }
}

inline std::size_t count_over(const std::vector<double>& late, Duration limit) {
  return static_cast<std::size_t>(
      std::count_if(late.begin(), late.end(), [&](double each) { return each > 1e6 * seconds(limit); }));
}

inline void print_late_head(Duration limit) {
  fmt::print("{:<34} {:>8} {:>8} {:>8} {:>8} {:>12}\n", "cycles begin late, us", "p50", "p99", "p99.9", "worst",
             fmt::format("over {:g} ms", 1e3 * seconds(limit)));
}
inline void print_late(const std::string& what, const std::vector<double>& late, Duration limit) {
  fmt::print("{:<34} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f} {:>12}\n", what, quantile(late, 0.5), quantile(late, 0.99),
             quantile(late, 0.999), quantile(late, 1), count_over(late, limit));
}

// Each says whether what is wanted was reached.
bool one_truck(double rate, double length);  // Hz, s
bool many_trucks(std::size_t count, double length);

}  // namespace bench
