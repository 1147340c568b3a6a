// SPDX-License-Identifier: Apache-2.0
// A scan over a real socket, against plain memory and against the virtual device of a file.
#include "tandem/machines/generic/learn/scan_device.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "tandem/machines/generic/virtual/modbus_front.hpp"
#include "tandem/protocols/modbus/memory_device.hpp"
#include "tandem/protocols/modbus/server.hpp"
#include "tests/machines/generic/learn/files.hpp"
#include "tests/machines/generic/schema/reading.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

// Serves until the end of the test.
class Serving {
 public:
  explicit Serving(std::function<void()> round)
      : thread_([round = std::move(round)](const std::stop_token& stop) {
          while (!stop.stop_requested()) round();
        }) {}

 private:
  std::jthread thread_;
};

std::unique_ptr<modbus::Server> listen(modbus::Device& device) {
  modbus::ServerOptions options;
  options.port = 0;
  auto server = modbus::Server::listen(device, options);
  REQUIRE(server.ok());
  return std::move(*server);
}

const ProposedSignal* at(const ProposedDevice& device, std::string_view place) {
  for (const auto& each : device.signals) {
    if (each.at == place) return &each;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a scan reads a device of plain memory, writes nothing and keeps its pace") {
  modbus::MemoryDevice memory;
  memory.add(modbus::Table::holding_registers, 10, 8);
  memory.add(modbus::Table::holding_registers, 30, 6);
  memory.add(modbus::Table::input_registers, 0, 4);
  memory.assign(modbus::Table::holding_registers, 12, 1234);
  const std::string text = "TANDEM PRESS";
  for (std::size_t i = 0; i < 6; ++i) {
    memory.assign(modbus::Table::holding_registers, static_cast<std::uint16_t>(30 + i),
                  static_cast<std::uint16_t>(text[2 * i] << 8 | text[2 * i + 1]));
  }
  memory.objects = {{0, "Maker"}, {1, "P-4"}, {2, "1.0"}};
  std::atomic<int> writes{0};
  memory.before_registers = [&](std::uint16_t, std::span<const std::uint16_t>) -> modbus::Refusal {
    ++writes;
    return modbus::ExceptionCode::illegal_function;
  };
  memory.before_coils = [&](std::uint16_t, const modbus::Bits&) -> modbus::Refusal {
    ++writes;
    return modbus::ExceptionCode::illegal_function;
  };
  int reads = 0;
  memory.before_read = [&](modbus::Table table, std::uint16_t, std::size_t) -> modbus::Refusal {
    if (table == modbus::Table::holding_registers) memory.assign(table, 10, static_cast<std::uint16_t>(100 + ++reads));
    return std::nullopt;
  };
  const auto server = listen(memory);
  const Serving serving([&] { server->poll(now() + 5ms); });
  ManualClock clock;
  const Instant begun = clock.now();
  int asked = 0;
  ScanHooks hooks;
  hooks.clock = &clock;
  hooks.progress = [&](double) { ++asked; };
  ScanOptions options;
  options.to = 49;
  const std::string url = fmt::format("modbus://127.0.0.1:{}", server->port());
  const auto run = scan_modbus(url, options, hooks);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().text));
  CHECK(run->given_up.empty());
  CHECK(writes == 0);
  // Ten a second at most, and three pauses of 2 s.
  CHECK(seconds(clock.now() - begun) >= 0.1 * asked + 3 * 1.9);
  const auto device = propose(run->findings);
  REQUIRE(device.ok());
  CHECK(at(*device, "holding 10")->type == "uint16");
  CHECK(at(*device, "holding 10")->reasons[0].starts_with("holding 10 (40011) counter: "));
  CHECK(at(*device, "holding 12")->reasons[0] == "holding 12 (40013) constant 1234");
  REQUIRE(at(*device, "holding 30"));
  CHECK(at(*device, "holding 30")->type == "string 12");
  CHECK(at(*device, "holding 30")->reasons[0] == "holding 30 (40031) text 'TANDEM PRESS'");
  CHECK(device->signals.size() == 8 + 1 + 4);
  const std::string yaml = to_yaml(*device);
  CHECK(yaml.find("# The device says of itself: Maker, P-4, 1.0\n") != yaml.npos);
  CHECK(yaml.find("# holding 0..49: 14 found.\n") != yaml.npos);
  testing::read_back(*device);
}

TEST_CASE("learning a virtual device gives back the places, types and word order of its file") {
  const auto file = testing::must_read(R"(
type: generic
device: virtual
order: cdab
signals:
  pressure:    {at: input 0, type: uint16, scale: 0.1, unit: bar}
  temperature: {at: input 1, type: int16, scale: 0.1, unit: Cel}
  flow:        {at: input 2, type: float32, unit: L/min}
  position:    {at: holding 10, type: float32, unit: mm}
  speed:       {at: holding 12, type: float32, order: abcd, unit: mm/s}
  force:       {at: holding 21, type: float32, unit: kN}
  total:       {at: holding 24, type: int32}
  parts:       {at: holding 40, type: uint16}
  door:        {at: discrete 3}
  horn:        {at: coil 7}
)");
  machines::VirtualSetup setup;
  setup.standard_ports = false;
  setup.clock = &system_clock();
  ModbusFront front(file, setup);
  const auto index = [&](std::string_view name) {
    for (std::size_t i = 0; i < front.signals().size(); ++i) {
      if (front.signals()[i].name == name) return i;
    }
    FAIL(std::string(name));
    return std::size_t{0};
  };
  const std::array<std::size_t, 10> of = {index("pressure"), index("temperature"), index("flow"),  index("position"),
                                          index("speed"),    index("force"),       index("total"), index("parts"),
                                          index("door"),     index("horn")};
  // Values move from pass to pass, which the scan's progress tells, so that nothing depends on time.
  std::atomic<int> pass{0}, moved{-1};
  const auto move = [&](double n) {
    front.put(of[0], 0, 120 + 0.1 * n);
    front.put(of[1], 0, std::fmod(n, 2) == 0 ? -3.5 : 2.5);
    front.put(of[2], 0, 42 + 0.13 * n);
    front.put(of[3], 0, 215.5 - 0.21 * n);
    front.put(of[4], 0, -3 + 0.031 * n);
    front.put(of[5], 0, 7.25 + 0.017 * n);
    front.put(of[6], 0, 131'042 + 29 * n);
    front.put(of[7], 0, 100 + n);
    front.put(of[8], 0, 1);
  };
  const Serving serving([&] {
    const int now_in = pass;
    move(now_in);
    moved = now_in;
    front.serve(now() + 2ms);
  });
  ManualClock clock;
  ScanHooks hooks;
  hooks.clock = &clock;
  hooks.progress = [&](double fraction) {
    pass = fraction < 0.7 ? 0 : 1 + static_cast<int>(std::floor((fraction - 0.7) / 0.1 + 1e-6));
    const Instant until = now() + 20s;
    while (moved != pass && now() < until) std::this_thread::yield();
  };
  ScanOptions options;
  options.tables = {ModbusTable::holding, ModbusTable::input, ModbusTable::coil, ModbusTable::discrete};
  options.to = 63;
  const auto run = scan_modbus(front.url(), options, hooks);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().text));
  const auto device = propose(run->findings);
  REQUIRE(device.ok());
  INFO(to_yaml(*device));
  const auto learned = testing::read_back(*device);
  CHECK(device->order == "cdab");
  REQUIRE(learned->signals.size() == file->signals.size());
  for (const Declaration& expected : file->signals) {
    const auto found = std::ranges::find(learned->signals, expected.at, &Declaration::at);
    REQUIRE_MESSAGE(found != learned->signals.end(), expected.name);
    CHECK_MESSAGE(found->type == expected.type, expected.name);
    if (bytes_of(expected.type) > 2) CHECK_MESSAGE(found->order == expected.order, expected.name);
  }
}

TEST_CASE("a device that does not answer, is not there or has nothing is an error that says what to do") {
  ManualClock clock;
  ScanHooks hooks;
  hooks.clock = &clock;
  hooks.answer_time = 100ms;
  ScanOptions options;
  options.to = 15;
  const auto none = scan_modbus("modbus://127.0.0.1:1", options, hooks);
  REQUIRE(!none.ok());
  CHECK(none.error().fault == Fault::refused);
  modbus::MemoryDevice memory;
  const auto server = listen(memory);
  const std::string url = fmt::format("modbus://127.0.0.1:{}", server->port());
  {
    const Serving serving([&] { server->poll(now() + 5ms); });
    hooks.answer_time = 5s;
    const auto empty = scan_modbus(url, options, hooks);
    REQUIRE(!empty.ok());
    CHECK(empty.error().text ==
          url +
              ": the device has no register in this range; choose another with --from and --to, or --tables "
              "coil,discrete");
    memory.units = {9};
    const auto gateway = scan_modbus(url, options, hooks);
    REQUIRE(!gateway.ok());
    CHECK(gateway.error().text.find("the gateway has no such unit (exception 11") != std::string::npos);
  }
  hooks.answer_time = 50ms;
  const auto silent = scan_modbus(url, options, hooks);
  REQUIRE(!silent.ok());
  CHECK(silent.error().text.find("no answer to 3 requests running") != std::string::npos);
  CHECK(scan_modbus("modbus://", options, hooks).error().fault == Fault::invalid);
}
