// SPDX-License-Identifier: Apache-2.0
// The link to a Modbus device, with the front of the virtual device on the other end of loopback, and with devices that
// fail.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "tandem/machines/generic/virtual/modbus_front.hpp"
#include "tandem/protocols/modbus/client.hpp"
#include "tests/machines/generic/device/modbus_rig.hpp"

namespace tandem::generic {
namespace {

using modbus::Table;
using modbus::WordOrder;
using test::described;
using test::Scanned;
using test::ServedDevice;
using test::signal;

// The front on a thread of its own; touched through with().
class RunningFront {
 public:
  explicit RunningFront(const std::shared_ptr<Description>& description, bool whole_numbers = true) {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    front_ = std::make_unique<ModbusFront>(description, setup, whole_numbers);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const std::scoped_lock lock(mutex_);
        front_->serve(in(1ms));
      }
    });
  }
  std::string url() const { return front_->url(); }
  template <typename Use>
  auto with(const Use& use) {
    const std::scoped_lock lock(mutex_);
    return use(*front_);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<ModbusFront> front_;
  std::jthread thread_;
};

TEST_CASE("what the front is given arrives, of every type, order and table") {
  std::vector<Declaration> signals;
  std::uint16_t address = 3;
  for (const Type type : {Type::int16, Type::uint16, Type::int32, Type::uint32, Type::int64, Type::uint64,
                          Type::float32, Type::float64}) {
    for (const WordOrder order : {WordOrder::abcd, WordOrder::cdab, WordOrder::badc, WordOrder::dcba}) {
      for (const ModbusTable table : {ModbusTable::holding, ModbusTable::input}) {
        signals.push_back(signal(fmt::format("s{}", signals.size()), table, address, type, order));
        signals.back().scale = 0.5;
        signals.back().offset = 3;
      }
      address = static_cast<std::uint16_t>(address + 5);
    }
  }
  signals.push_back(signal("coil", ModbusTable::coil, 8));
  signals.push_back(signal("discrete", ModbusTable::discrete, 21));
  signals.push_back(test::bit("third", 900, 3));
  signals.push_back(test::bit("last", 900, 15));
  signals.push_back(signal("cells", ModbusTable::holding, 1000, Type::int32));
  signals.back().count = 100;  // more than one request holds
  signals.push_back(signal("text", ModbusTable::holding, 1300, Type::text));
  signals.back().text_length = 12;
  const auto description = described(signals);
  description->limits.holes = 0;  // the front has none
  RunningFront front(description);
  Scanned link(description, front.url());
  for (int round = 1; round <= 3; ++round) {
    front.with([&](Front& device) {
      for (std::size_t i = 0; i < device.signals().size(); ++i) {
        const Signal& each = device.signals()[i];
        const auto value = [&](std::size_t element) {
          return each.kind == Kind::bit ? (round + static_cast<int>(i)) % 2
                                        : 100.0 * round + static_cast<double>(i + element) / 2;
        };
        for (std::size_t element = 0; element < each.count; ++element) device.put(i, element, value(element));
      }
      device.put_text(device.signals().size() - 1, fmt::format("round {}", round));
    });
    link.scan();
    for (std::size_t i = 0; i + 1 < signals.size(); ++i) {
      const Signal& each = link.link->signals()[i];
      CAPTURE(each.name);
      CHECK(link.reading(each.name).quality == SignalQuality::good);
      CHECK(link.reading(each.name).received >= link.now);
      for (std::size_t element = 0; element < each.count; ++element) {
        const double wanted = each.kind == Kind::bit ? (round + static_cast<int>(i)) % 2
                                                     : 100.0 * round + static_cast<double>(i + element) / 2;
        // Integers of scale 1 round to whole numbers.
        CHECK(std::fabs(link.number(each.name, element) - wanted) <= (each.scale == 1 ? 0.5 : 1e-9));
      }
    }
    CHECK(link.readings.texts[0] == fmt::format("round {}", round));
  }
  CHECK(link.link->counters().timeouts == 0);
  CHECK(link.notes.empty());
}

TEST_CASE("the front serves exactly the places of the file") {
  auto description = described({signal("a", ModbusTable::holding, 10, Type::int32), signal("b", ModbusTable::input, 4),
                                signal("c", ModbusTable::coil, 2), test::bit("flag", 14, 3)});
  description->heartbeat = ModbusPlace{ModbusTable::holding, 20, -1};
  description->name = "press";
  RunningFront front(description);
  const auto port = static_cast<std::uint16_t>(std::stoi(front.url().substr(front.url().rfind(':') + 1)));
  auto client = modbus::Client::connect({"127.0.0.1", port, 7}, soon());
  REQUIRE(client);
  std::array<std::uint16_t, 2> two{};
  const std::span one(two.data(), 1);
  const auto code = [](const Result<void>& result) { return result ? 0u : result.error().code; };
  CHECK(code(client->read_registers(10, two, soon())) == 0);
  CHECK(code(client->read_registers(10, one, soon())) == 2);  // half a number
  CHECK(code(client->read_registers(9, two, soon())) == 2);
  CHECK(code(client->read_registers(12, one, soon())) == 2);
  CHECK(code(client->read_input_registers(4, one, soon())) == 0);
  CHECK(code(client->read_input_registers(10, two, soon())) == 2);
  CHECK(code(client->write_register(20, 1, soon())) == 0);
  CHECK(code(client->write_register(10, 1, soon())) == 2);  // half a number
  bool on = false;
  CHECK(code(client->read_coils(2, std::span(&on, 1), soon())) == 0);
  CHECK(code(client->read_coils(3, std::span(&on, 1), soon())) == 2);

  CHECK(code(client->write_registers(10, std::array<std::uint16_t, 2>{0xffff, 0xfffe}, soon())) == 0);
  CHECK(code(client->write_coil(2, true, soon())) == 0);
  CHECK(code(client->mask_write(14, 0xfff7, 0x0008, soon())) == 0);
  front.with([](Front& device) {
    CHECK(device.take_written(0, 0).value_or(0) == -2);
    CHECK_FALSE(device.take_written(0, 0));
    CHECK_FALSE(device.take_written(1, 0));
    CHECK(device.take_written(2, 0).value_or(0) == 1);
    CHECK(device.take_written(3, 0).value_or(0) == 1);
    CHECK(device.value(3, 0) == 1);
    device.put(0, 0, 1e12);
    CHECK(device.value(0, 0) == 2147483647);
  });
  const auto objects = client->identification(modbus::IdentificationCode::regular, soon());
  REQUIRE(objects);
  CHECK(objects->back().text == "press");
  const auto id = client->server_id(soon());
  REQUIRE(id);
  CHECK(id->running());
  CHECK(id->text().find("press") != std::string::npos);
}

TEST_CASE("with sim_shared the input registers of the front are the holding ones") {
  auto description = described({signal("a", ModbusTable::holding, 1), signal("b", ModbusTable::input, 1)});
  description->sim_shared = true;
  RunningFront front(description);
  front.with([](Front& device) { device.put(0, 0, 77); });
  Scanned link(description, front.url());
  link.scan();
  CHECK(link.number("b") == 77);
}

TEST_CASE("a fault of one signal at the front stays its own, and passes") {
  std::vector<Declaration> signals;
  for (int i = 0; i < 40; ++i)
    signals.push_back(signal(fmt::format("s{}", i), ModbusTable::holding, static_cast<std::uint16_t>(2 * i)));
  const auto description = described(signals);
  description->limits.holes = 0;  // other addresses do not exist
  for (std::size_t i = 0; i < signals.size(); ++i)
    signals[i].at = ModbusPlace{ModbusTable::holding, static_cast<std::uint16_t>(i), -1};
  description->signals = signals;
  RunningFront front(description);
  Scanned link(description, front.url());
  link.scan(3);
  const auto before = link.link->counters().requests;
  link.scan();
  CHECK(link.link->counters().requests - before == 1);
  for (const std::uint8_t code : {std::uint8_t{4}, std::uint8_t{8}}) {
    front.with([&](Front& device) { device.fault(17, {.exception = code}); });
    link.scan(3);
    CHECK(link.reading("s17").quality == SignalQuality::bad);
    CHECK(link.why("s17") ==
          fmt::format("holding 17: exception {}, {}", code, code == 4 ? "device failure" : "memory parity error"));
    CHECK(std::isnan(link.number("s17")));
    for (const char* const other : {"s0", "s16", "s18", "s39"}) CHECK(link.good(other));
    front.with([](Front& device) { device.fault(17, {}); });
    link.scan(4);
    CHECK(link.good("s17"));
    const auto again = link.link->counters().requests;
    link.scan();
    CHECK(link.link->counters().requests - again == 1);  // in one piece again
  }
}

TEST_CASE("signals of another period are read at their own pace, in step") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 100);
  plc.start();
  const auto description =
      described({signal("fast", ModbusTable::holding, 0), signal("slow", ModbusTable::holding, 1)});
  description->signals[1].every = 0.05;
  Scanned link(description, plc.url());
  link.scan(20);
  std::map<std::string, int> counts;
  for (const std::string& each : plc.take_asked()) ++counts[each];
  CHECK(counts["read 2 0 x1"] == 20);
  CHECK(counts["read 2 1 x1"] == 4);
  // Scans that come a little early or late miss nothing.
  for (int i = 0; i < 20; ++i) {
    link.now += i % 2 == 0 ? 2ms : -2ms;
    link.scan();
  }
  counts.clear();
  for (const std::string& each : plc.take_asked()) ++counts[each];
  CHECK(counts["read 2 0 x1"] == 20);
}

TEST_CASE("several requests are on their way at once where the file allows it") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 1000);
  plc.start();
  std::vector<Declaration> signals;
  for (int i = 0; i < 900; ++i)
    signals.push_back(signal(fmt::format("s{}", i), ModbusTable::holding, static_cast<std::uint16_t>(i)));
  const auto description = described(signals);
  description->limits.requests = 4;
  for (std::uint16_t i = 0; i < 1000; ++i) plc.put(Table::holding_registers, i, {i});
  Scanned link(description, plc.url());
  link.scan(2);
  for (int i = 0; i < 900; ++i) CHECK(link.integer(fmt::format("s{}", i)) == i);
  CHECK(link.link->counters().requests == 16);
  CHECK(link.link->counters().timeouts == 0);
}

TEST_CASE("a pause keeps requests apart") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 300);
  plc.start();
  const auto description = described({signal("a", ModbusTable::holding, 0), signal("b", ModbusTable::holding, 100),
                                      signal("c", ModbusTable::holding, 200)});
  description->limits.pause = 0.02;
  Scanned link(description, plc.url());
  const Instant begun = now();
  link.scan(2);
  CHECK(now() - begun >= 5 * 20ms);
  CHECK(link.good("c"));
}

TEST_CASE("a late answer costs its request, and a device that answers nothing is lost") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 300);
  std::atomic<int> late{0}, silent{0};
  plc.fault = [&](std::vector<std::uint8_t>&) {
    if (silent > 0) return modbus::AnswerFate{.kind = modbus::AnswerFate::Kind::drop};
    if (late-- > 0) return modbus::AnswerFate{.delay = 700ms};
    return modbus::AnswerFate{};
  };
  plc.start();
  const auto description = described({signal("a", ModbusTable::holding, 0), signal("b", ModbusTable::holding, 200)});
  Scanned link(description, plc.url());
  link.scan();
  late = 1;
  plc.put(Table::holding_registers, 0, {41});
  link.scan();  // the late one
  CHECK(link.link->counters().timeouts == 1);
  plc.put(Table::holding_registers, 0, {42});
  link.scan(2);
  CHECK(link.good("a"));
  CHECK(link.integer("a") == 42);
  CHECK(link.good("b"));

  silent = 1;
  Result<Scan> scanned = Scan{};
  for (int i = 0; i < 20 && scanned; ++i) {
    link.now += 200ms;
    scanned = link.link->scan(link.now, link.readings, in(5s));
  }
  REQUIRE_FALSE(scanned);
  CHECK(scanned.error().text.starts_with("no answer to "));
  CHECK_FALSE(link.link->open());
  CHECK(link.reading("a").quality == SignalQuality::stale);
  silent = 0;
  REQUIRE(link.link->connect(soon()));
  link.scan();
  CHECK(link.good("a"));
}

TEST_CASE("answers of another unit are no answers, and the cause says so") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 10);
  std::atomic<bool> wrong{false};
  plc.fault = [&](std::vector<std::uint8_t>& frame) {
    if (wrong) frame[6] = 9;
    return modbus::AnswerFate{};
  };
  plc.start();
  const auto description = described({signal("a", ModbusTable::holding, 0)});
  Scanned link(description, plc.url());
  link.scan();
  CHECK(link.good("a"));
  wrong = true;
  link.now += 1s;
  link.scan();
  CHECK(link.reading("a").quality == SignalQuality::stale);
  CHECK(link.why("a").find("expected an answer from unit 1, got one from unit 9") != std::string::npos);
  wrong = false;
  link.scan();
  CHECK(link.good("a"));
}

TEST_CASE("answers that are not what was asked for cost their request only") {
  ServedDevice plc;
  plc.device.add(Table::holding_registers, 0, 300);
  std::atomic<int> broken{0};
  plc.fault = [&](std::vector<std::uint8_t>& frame) {
    if (broken-- > 0) frame[8] = static_cast<std::uint8_t>(frame[8] - 2);  // the byte count
    return modbus::AnswerFate{};
  };
  plc.start();
  const auto description = described({signal("a", ModbusTable::holding, 0), signal("b", ModbusTable::holding, 200)});
  Scanned link(description, plc.url());
  link.scan();
  broken = 1;
  link.now += 1s;
  link.scan();
  CHECK(link.reading("a").quality == SignalQuality::stale);
  CHECK(link.why("a").find("answer rejected") != std::string::npos);
  CHECK(link.good("b"));
  link.scan();
  CHECK(link.good("a"));
}

TEST_CASE("a connection that ends makes everything stale, with the reason") {
  const auto description = described({signal("a", ModbusTable::holding, 0)});
  auto plc = std::make_unique<ServedDevice>();
  plc->device.add(Table::holding_registers, 0, 10);
  plc->start();
  Scanned link(description, plc->url());
  link.scan();
  plc.reset();
  link.now += 10ms;
  const auto scanned = link.link->scan(link.now, link.readings, in(5s));
  REQUIRE_FALSE(scanned);
  CHECK(link.reading("a").quality == SignalQuality::stale);
  CHECK(link.why("a") == std::string(scanned.error().text).substr(0, 120));
  CHECK_FALSE(link.link->connect(in(2s)));
}

TEST_CASE("invalid addresses of devices are refused") {
  const auto description = described({signal("a", ModbusTable::holding, 0)});
  for (const char* const url : {"ads://1.2.3.4", "modbus://1.2.3.4?unit=300", "modbus://1.2.3.4?slave=1", "press"})
    CHECK_THROWS_AS(make_modbus_link({description, url, nullptr}), std::invalid_argument);
}

}  // namespace
}  // namespace tandem::generic
