// SPDX-License-Identifier: Apache-2.0
// A device that takes 300 ms for a round trip is set up like any other, and one that says nothing is left at once.
#include <doctest/doctest.h>

#include <deque>
#include <thread>

#include "tandem/net/faults/proxy.hpp"
#include "tandem/net/url.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/registry.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tests/deadline.hpp"

using namespace tandem;

namespace {

constexpr Duration answer_time = 500ms;  // of the supervisor, for a round trip

// A virtual device behind a proxy for every port of its URL.
class Distant {
 public:
  explicit Distant(const machines::MachineType& type) {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    setup.options = runtime::default_options(type.options);
    setup.clock = &system_clock();
    device_ = type.make_virtual(setup);
    thread_ = std::jthread([this](const std::stop_token& stop) { device_->run(stop); });
    url_ = net::parse_url(device_->url()).value();
    url_.port = through(*url_.port);
    for (auto& [key, value] : url_.query)
      if (type.name == "ur3e") value = std::to_string(through(static_cast<std::uint16_t>(std::stoi(value))));
  }
  std::string url() const { return url_.text(); }
  void apply(const net::PathFaults& faults) {
    for (net::FaultProxy& proxy : proxies_) proxy.apply(net::Faults::both(faults));
  }

 private:
  std::uint16_t through(std::uint16_t port) {
    auto proxy = net::FaultProxy::start({.upstream = {0x7F000001, port}});
    REQUIRE(proxy.ok());
    proxies_.push_back(std::move(*proxy));
    return proxies_.back().endpoint().port;
  }

  std::unique_ptr<machines::VirtualDevice> device_;
  std::jthread thread_;
  net::Url url_;
  std::deque<net::FaultProxy> proxies_;
};

void check_set_up(const std::string& name) {
  const machines::MachineType& type = *runtime::all_machines().find(name);
  Distant device(type);
  machines::Setup setup{.name = name, .device = device.url(), .options = {}, .clock = &system_clock()};
  setup.options = runtime::default_options(type.options);
  const auto machine = type.make(setup);

  device.apply({.delay = Duration(150ms)});
  Result<void> connected = Error{};
  for (int attempt = 0; attempt < 5 && !connected; ++attempt) {  // a busy host may hold one up
    machine->disconnect();
    connected = machine->connect(now() + answer_time);
  }
  CHECK_MESSAGE(connected.ok(), (connected ? "" : connected.error().text));
  machine->disconnect();

  device.apply({.black_hole = true});
  Duration quickest = Duration::max();
  for (int attempt = 0; attempt < 3 && quickest >= 2 * answer_time; ++attempt) {
    const Instant begun = now();
    CHECK_FALSE(machine->connect(begun + answer_time).ok());
    quickest = std::min(quickest, now() - begun);
    machine->disconnect();
  }
  CHECK(quickest < 2 * answer_time);
}

template <typename Condition>
bool eventually(Condition condition) {
  for (const Instant until = now() + 20s; !condition(); std::this_thread::sleep_for(5ms))
    if (now() > until) return false;
  return true;
}

// Whether the first arm of a new process still holds after a second.
bool first_arm_holds(const machines::MachineType& type, const std::string& url, std::string& why) {
  machines::Setup setup{.name = std::string(type.name), .device = url, .options = {}, .clock = &system_clock()};
  setup.options = runtime::default_options(type.options);
  runtime::Supervisor supervisor(setup.name, type.make(setup), system_clock(), [](const runtime::Event&) {});
  const std::jthread thread([&](const std::stop_token& stop) { supervisor.run(stop); });
  if (!eventually([&] { return supervisor.status().samples > 30 && supervisor.latch().arm("test").ok(); }))
    return false;
  const Instant until = now() + 1s;
  const auto armed = [&] { return supervisor.latch().status().state == runtime::ArmState::armed; };
  while (armed() && now() < until) std::this_thread::sleep_for(5ms);
  why = supervisor.latch().status().cause.view();
  return armed();
}

// Getting ready to move takes many round trips, longer than samples may be apart.
void check_arm(const std::string& name, Duration each_way) {
  const machines::MachineType& type = *runtime::all_machines().find(name);
  Distant device(type);
  device.apply({.delay = each_way});
  std::string why;
  bool holds = false;
  for (int attempt = 0; attempt < 5 && !holds; ++attempt) holds = first_arm_holds(type, device.url(), why);
  CHECK_MESSAGE(holds, why);
}

}  // namespace

TEST_CASE("the RaptorLift is armed over 26 ms a round trip") { check_arm("raptorlift", 13ms); }
TEST_CASE("the UR3e is armed over 60 ms a round trip") { check_arm("ur3e", 30ms); }
TEST_CASE("the EM1500 connects over 300 ms a round trip and leaves a black hole") { check_set_up("em1500"); }
TEST_CASE("the RaptorLift connects over 300 ms a round trip and leaves a black hole") { check_set_up("raptorlift"); }
TEST_CASE("the cable robot connects over 300 ms a round trip and leaves a black hole") { check_set_up("cable_robot"); }
TEST_CASE("the UR3e connects over 300 ms a round trip and leaves a black hole") { check_set_up("ur3e"); }
