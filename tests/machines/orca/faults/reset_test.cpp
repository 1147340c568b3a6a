// SPDX-License-Identifier: Apache-2.0
// A connection that is reset while the vehicle is steered over it: real sockets, real time, and the truth of the
// physics.
#include <doctest/doctest.h>

#include <thread>

#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/net/url.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tests/machines/orca/fake_vehicle.hpp"
#include "tests/machines/rigs/supervised_link.hpp"

using namespace tandem;
using namespace tandem::orca;
using kit::eventually;

namespace {

constexpr double reset_way = 4;  // m; the bound of docs/orca.md is less, for a computer that is not busy

net::FaultProxy proxy_before(const std::string& url) {
  const auto parsed = net::parse_url(url);
  REQUIRE(parsed.ok());
  auto proxy = net::FaultProxy::start({.upstream = {0x7F000001, *parsed->port}});
  REQUIRE(proxy.ok());
  return std::move(*proxy);
}

// Machine and virtual vehicle over TCP; full sticks are wanted all the time.
struct ResetVoyage {
  ResetVoyage() : vehicle(make_virtual_device({})), proxy(proxy_before(vehicle->tcp_url())) {
    const std::string url = "mavlink://" + proxy.endpoint().text() + "?link=tcp";
    auto owned = std::make_unique<Machine>(rig::setup_for(url, system_clock(), {"switch_sources=false"}));
    bridge = owned.get();
    supervisor = std::make_unique<runtime::Supervisor>("sub", std::move(owned), system_clock(), nullptr);
    vehicle_thread = std::jthread([this](const std::stop_token& stop) { vehicle->run(stop); });
    machine_thread = std::jthread([this](const std::stop_token& stop) { supervisor->run(stop); });
    pilot_thread = std::jthread([this](const std::stop_token& stop) {
      for (; !stop.stop_requested(); kit::pass(20ms)) bridge->commands().twist.post({{1, 0, 0}, 0, now()});
    });
  }
  double speed() const { return vehicle->truth().velocity.head<2>().norm(); }
  Eigen::Vector2d place() const { return vehicle->truth().X_map_base.translation().head<2>(); }
  bool armed() const { return supervisor->latch().status().state == runtime::ArmState::armed; }

  std::unique_ptr<VirtualDevice> vehicle;
  net::FaultProxy proxy;
  Machine* bridge = nullptr;
  std::unique_ptr<runtime::Supervisor> supervisor;
  std::jthread vehicle_thread, machine_thread, pilot_thread;
};

}  // namespace

TEST_CASE("A connection that is reset and refused for half a second brings the vehicle to rest and arms nothing") {
  ResetVoyage voyage;
  const auto goes = [&] {
    if (!voyage.armed()) static_cast<void>(voyage.supervisor->latch().arm("test").ok());
    return voyage.speed() > 0.5;
  };
  REQUIRE(eventually(goes, 60s));
  const Eigen::Vector2d from = voyage.place();
  voyage.proxy.stop_listening();
  voyage.proxy.cut(net::Cut::rst);
  kit::pass(500ms);
  REQUIRE(voyage.proxy.listen_again().ok());
  CHECK(eventually([&] { return voyage.speed() < 0.05; }, 60s));
  const double way = (voyage.place() - from).norm();
  MESSAGE("link reset: ", way, " m");
  CHECK(way < reset_way);
  CHECK_FALSE(voyage.armed());
  CHECK(eventually([&] { return voyage.supervisor->status().state == runtime::LinkState::live; }));
  CHECK(eventually([&] { return !voyage.bridge->state().vehicle.armed; }));
  kit::pass(1s);  // the sticks are still wanted
  CHECK(voyage.speed() < 0.1);
  CHECK_FALSE(voyage.armed());
}
