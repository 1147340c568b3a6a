// SPDX-License-Identifier: Apache-2.0
// What the links of machines on Modbus have in common, against a server on loopback.
#include "tandem/machines/kit/modbus_link.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace tandem::machines {
namespace {

constexpr std::uint16_t reset = 7;

struct TestLink : ModbusLink {
  explicit TestLink(std::uint16_t port) : ModbusLink(5, 10) {
    REQUIRE(open_client({"127.0.0.1", port, 1}, now() + 5s, nullptr));
  }
  using ModbusLink::end_pulse;
  using ModbusLink::watch_beat;
  Result<void> pulse_reset() { return pulse({reset, "reset"}, 0.001, now() + 5s); }
};

// A device that answers "busy" to as many writes of `refused_level` as `refusals` says.
struct LinkBench {
  LinkBench() {
    device.add(modbus::Table::coils, reset, 1);
    device.before_coils = [this](std::uint16_t, const modbus::Bits& values) -> modbus::Refusal {
      if (values[0] != refused_level || refusals == 0) return std::nullopt;
      --refusals;
      return modbus::ExceptionCode::busy;
    };
    device.after_coils = [this](std::uint16_t, const modbus::Bits& values) { high = values[0]; };
    auto listening = modbus::Server::listen(device, {.port = 0});
    REQUIRE(listening);
    server = std::move(*listening);
    thread = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) server->poll(now() + 5ms);
    });
  }

  modbus::MemoryDevice device;
  std::unique_ptr<modbus::Server> server;
  std::atomic<bool> high = false, refused_level = false;
  std::atomic<int> refusals = 0;
  std::jthread thread;
};

}  // namespace

TEST_CASE("a reset pulse ends low") {
  LinkBench bench;
  TestLink link(bench.server->port());
  CHECK(link.pulse_reset());
  CHECK_FALSE(bench.high);
}

TEST_CASE("a reset pulse whose end fails is ended before the next exchange") {
  LinkBench bench;
  TestLink link(bench.server->port());
  bench.refusals = 1;
  const auto pulsed = link.pulse_reset();
  REQUIRE_FALSE(pulsed);
  CHECK(pulsed.error().text.starts_with("reset to off"));
  CHECK(bench.high);
  link.end_pulse();
  CHECK_FALSE(bench.high);
}

TEST_CASE("a reset pulse whose end fails is ended when the link closes") {
  LinkBench bench;
  TestLink link(bench.server->port());
  bench.refusals = 1;
  REQUIRE_FALSE(link.pulse_reset());
  link.close();
  CHECK_FALSE(bench.high);
}

TEST_CASE("silence and a busy device cost one exchange and any other failure is distrusted") {
  Exchange exchange;
  exchange.write_failed({Fault::timeout, "late"});
  exchange.write_failed({Fault::device, "busy", static_cast<unsigned>(modbus::ExceptionCode::busy)});
  CHECK_FALSE(exchange.distrust);
  exchange.write_failed({Fault::device, "first", static_cast<unsigned>(modbus::ExceptionCode::illegal_address)});
  exchange.doubt("second");
  CHECK(exchange.distrust);
  CHECK(exchange.cause.view().find("first") != std::string_view::npos);
  exchange.read_failed({Fault::timeout, "late"});
  CHECK(exchange.quality == Quality::stale);
  exchange.read_failed({Fault::invalid, "nonsense"});
  CHECK(exchange.quality == Quality::invalid);
}

TEST_CASE("a counter of the device that does not change makes its feedback stale") {
  LinkBench bench;
  TestLink link(bench.server->port());
  const Instant start = now();
  const auto quality = [&](std::uint16_t beat, Duration after) {
    Exchange exchange;
    exchange.received = start + after;
    link.watch_beat(beat, "the beat", exchange);
    return exchange.quality;
  };
  CHECK(quality(1, 0s) == Quality::live);
  CHECK(quality(1, 10s) == Quality::live);
  CHECK(quality(1, 11s) == Quality::stale);
  CHECK(quality(2, 12s) == Quality::live);
}

}  // namespace tandem::machines
