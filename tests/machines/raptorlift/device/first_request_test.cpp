// SPDX-License-Identifier: Apache-2.0
// Motors are switched off even by a server without a watchdog that answers only the first of several requests in one
// TCP segment, as pymodbus 3.7 and later does.
#include <algorithm>

#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server_session.hpp"
#include "tests/machines/raptorlift/lift_rig.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;

namespace {

constexpr std::uint16_t coil_base = 8192;

// Plain memory with the registers and coils of the truck's PLC, all speeds zero. One client at a time.
class FirstRequestServer {
 public:
  explicit FirstRequestServer(bool enabled) : listener_(std::move(*net::TcpListener::listen("127.0.0.1", 0))) {
    memory_.add(modbus::Table::holding_registers, 0, 64);
    memory_.add(modbus::Table::coils, coil_base, coils::count);
    for (std::uint16_t m = 1; m < coils::count; ++m) memory_.assign(modbus::Table::coils, coil_base + m, enabled);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested())
        if (auto caller = listener_.accept(in(20ms))) serve(*caller, stop);
    });
  }

  std::string url() const { return fmt::format("modbus://{}", listener_.local().text()); }
  int motors_on() const {
    const std::lock_guard lock(mutex_);
    int on = 0;
    for (std::uint16_t m = 1; m < coils::count; ++m) on += memory_.bit(modbus::Table::coils, coil_base + m) ? 1 : 0;
    return on;
  }

 private:
  void serve(net::TcpSocket& caller, const std::stop_token& stop) {
    modbus::Session session(memory_);
    std::array<std::uint8_t, 1024> segment{};
    std::vector<std::uint8_t> answer;
    while (!stop.stop_requested() && caller.open()) {
      const auto size = caller.read_some(segment, in(20ms));
      if (!size && size.error().fault == Fault::timeout) continue;
      if (!size) return;
      if (*size < 6) return;
      const std::size_t first = std::min<std::size_t>(*size, 6U + segment[4] * 256U + segment[5]);
      answer.clear();
      {
        const std::lock_guard lock(mutex_);
        if (!session.receive(Bytes(segment).first(first), answer)) return;
      }
      if (!caller.write_all(answer, in(1s))) return;
    }
  }

  net::TcpListener listener_;
  mutable std::mutex mutex_;
  modbus::MemoryDevice memory_;  // guarded
  std::jthread thread_;
};

}  // namespace

TEST_CASE("motors that are found enabled are switched off though only first requests are answered") {
  FirstRequestServer server(true);
  SupervisedMachine link(server.url(), {"pipelining=true"});
  link.start();
  CHECK_MESSAGE(eventually([&] { return server.motors_on() == 0; }), server.motors_on() << " still on" << link.all());
  CHECK(eventually([&] { return link.state().activity == Activity::idle; }));
}

TEST_CASE("a stop switches all motors off though only first requests are answered") {
  FirstRequestServer server(false);
  SupervisedMachine link(server.url(), {"readback_hz=0.5", "pipelining=true"});
  link.start();
  REQUIRE_MESSAGE(link.flows(), link.all());
  REQUIRE_MESSAGE(link.arm(), link.all());
  CHECK(server.motors_on() == 4);
  link.latch().stop("a test", "test");
  CHECK_MESSAGE(eventually([&] { return server.motors_on() == 0; }), server.motors_on() << " still on" << link.all());
  CHECK(eventually([&] { return link.state().activity == Activity::idle; }));
}
