// SPDX-License-Identifier: Apache-2.0
// How long after a device listens again its samples are live again, and what a bad device costs its neighbour.
//   bench_reconnect [CUTS_OF_0.1s CUTS_OF_1s CUTS_OF_10s]      100 80 20 unless told
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <functional>

#include "bench/rig.hpp"
#include "bench/side_by_side.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"

namespace {

using namespace tandem;

class Supervised {
 public:
  explicit Supervised(const std::string& device)
      : supervisor_("platform", std::make_unique<em1500::Machine>(bench::bridge_setup(device, nullptr, 100)),
                    system_clock(), nullptr),
        thread_([this](const std::stop_token& stop) { supervisor_.run(stop); }) {}
  runtime::LinkStatus status() const { return supervisor_.status(); }

 private:
  runtime::Supervisor supervisor_;
  std::jthread thread_;
};

// Seconds until it holds; more than the limit when it does not.
double until(const std::function<bool()>& holds, Duration limit) {
  const Instant start = system_clock().now();
  while (!holds() && system_clock().now() - start < limit) std::this_thread::sleep_for(200us);
  return seconds(system_clock().now() - start);
}

double recover_from(net::FaultProxy& proxy, const Supervised& link, Duration outage, net::Cut how) {
  proxy.stop_listening();
  proxy.cut(how);
  std::this_thread::sleep_for(outage);
  const auto before = link.status().samples;
  if (auto again = proxy.listen_again(); !again) {
    fmt::print("{}\n", again.error().text);
    std::exit(1);
  }
  return until([&] { return link.status().samples > before; }, 10s);
}

void reconnects(const std::array<int, 3>& counts) {
  bench::RunningPlc plc(10ms);
  auto proxy = net::FaultProxy::start({.upstream = plc.endpoint()});
  const Supervised link("ads://" + proxy->endpoint().text());
  until([&] { return link.status().samples > 10; }, 5s);
  std::vector<double> all;
  const std::array<Duration, 3> outages{100ms, 1s, 10s};
  for (std::size_t i = 0; i < outages.size(); ++i) {
    std::vector<double> times;
    for (int cut = 0; cut < counts[i]; ++cut) {
      const auto how = cut % 2 == 0 ? net::Cut::rst : net::Cut::fin;
      times.push_back(1e3 * recover_from(*proxy, link, outages[i], how));
      if (cut % 10 == 9) fmt::print(stderr, "\r{} of {} cuts of {} s", cut + 1, counts[i], seconds(outages[i]));
      std::this_thread::sleep_for(50ms);
    }
    fmt::print(stderr, "\n");
    fmt::print("outage {:>4} s, {:>3} cuts: back after p50 {:>5.0f}  p99 {:>5.0f}  worst {:>5.0f} ms\n",
               seconds(outages[i]), times.size(), bench::quantile(times, 0.5), bench::quantile(times, 0.99),
               bench::quantile(times, 1));
    bench::report_at_most(fmt::format("outage of {:g} s to the next live sample, p50", seconds(outages[i])),
                          bench::quantile(times, 0.5), "ms");
    all.insert(all.end(), times.begin(), times.end());
  }
  fmt::print("all {} cuts: p99 {:.0f} ms (wanted: at most 250), worst {:.0f} ms\n", all.size(),
             bench::quantile(all, 0.99), bench::quantile(all, 1));
  bench::report_at_most("all outages to the next live sample, p99", bench::quantile(all, 0.99), "ms", 250);
}

// A device that accepts and then misbehaves; serves one connection after the other.
using Misbehave = std::function<void(net::TcpSocket&, const std::stop_token&)>;

void beside(const char* what, const Misbehave& misbehave) {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  const std::string device = "ads://" + listener->local().text();
  const std::jthread bad([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      auto socket = listener->accept(system_clock().now() + 50ms);
      if (socket) misbehave(*socket, stop);
    }
  });
  bench::RunningPlc plc(10ms);
  const Supervised good(plc.url());
  until([&] { return good.status().samples > 10; }, 5s);
  const Supervised victim(device);
  const auto start = good.status();
  const Instant begun = system_clock().now();
  double longest = 0;
  while (system_clock().now() - begun < 4s) {
    longest = std::max(longest, seconds(system_clock().now() - good.status().last_live));
    std::this_thread::sleep_for(500us);
  }
  const double span = seconds(system_clock().now() - begun);
  fmt::print("{:<28} its link is tried every {:>4.0f} ms; the neighbour: {:>5.1f} Hz, longest gap {:>3.0f} ms\n", what,
             1e3 * span / static_cast<double>(std::max<std::uint64_t>(1, victim.status().attempts)),
             static_cast<double>(good.status().samples - start.samples) / span, 1e3 * longest);
  bench::report_at_least(fmt::format("neighbour of a {}", what),
                         static_cast<double>(good.status().samples - start.samples) / span, "Hz", 99);
}

void bad_devices() {
  const auto hold = [](const std::stop_token& stop) {
    for (int i = 0; i < 20 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(50ms);
  };
  const auto sends = [&](std::vector<std::uint8_t> bytes) {
    return [bytes = std::move(bytes), hold](net::TcpSocket& socket, const std::stop_token& stop) {
      if (socket.write_all(bytes, system_clock().now() + 100ms)) hold(stop);
    };
  };
  beside("silent device", [&](net::TcpSocket&, const std::stop_token& stop) { hold(stop); });
  beside("closing device", [](net::TcpSocket&, const std::stop_token&) {});
  beside("garbage-sending device", sends(std::vector<std::uint8_t>(4096, 0xA5)));
  beside("device with huge lengths", sends({0, 0, 0xff, 0xff, 0xff, 0x7f}));
}

}  // namespace

int main(int count, char** arguments) {
  std::array<int, 3> cuts{100, 80, 20};
  for (int i = 1; i < std::min(count, 4); ++i) cuts[static_cast<std::size_t>(i - 1)] = std::atoi(arguments[i]);
  bad_devices();
  reconnects(cuts);
}
