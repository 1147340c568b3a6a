// SPDX-License-Identifier: Apache-2.0
// What leaves when outputs are written: the bytes of each request, and what becomes of refusals and silence.
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/protocols/modbus/client_session.hpp"
#include "tests/machines/generic/device/modbus_rig.hpp"

namespace tandem::generic {
namespace {

using test::bit;
using test::described;
using test::output;
using test::Scanned;
using test::signal;
using Texts = std::vector<std::string>;

// A device by script, on a thread: notes every frame behind its head as hexadecimal digits and answers what it is told.
class ScriptedDevice {
 public:
  using Answer = std::function<std::vector<std::uint8_t>(std::span<const std::uint8_t> pdu)>;  // empty: silence

  explicit ScriptedDevice(Answer answer) : answer_(std::move(answer)) {
    auto listener = net::TcpListener::listen("127.0.0.1", 0);
    REQUIRE(listener);
    listener_ = std::move(*listener);
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
  std::string url() const { return fmt::format("modbus://127.0.0.1:{}?unit=5", listener_.local().port); }
  Texts take_asked() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(asked_, {});
  }

 private:
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      auto caller = listener_.accept(in(20ms));
      std::vector<std::uint8_t> held;
      std::array<std::uint8_t, 300> room{};
      while (caller && !stop.stop_requested()) {
        auto count = caller->read_until(room, in(20ms));
        if (!count) break;
        held.insert(held.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(*count));
        while (held.size() >= 8 && held.size() >= 6u + held[5]) {
          answer_one(*caller, std::span(held).first(6u + held[5]));
          held.erase(held.begin(), held.begin() + 6 + held[5]);
        }
      }
    }
  }
  void answer_one(net::TcpSocket& caller, std::span<const std::uint8_t> frame) {
    std::string text;
    for (const std::uint8_t byte : frame.subspan(6)) text += fmt::format("{:02x}", byte);
    {
      const std::scoped_lock lock(mutex_);
      asked_.push_back(text);
    }
    const auto pdu = answer_(frame.subspan(7));
    if (pdu.empty()) return;
    std::vector<std::uint8_t> out{frame[0], frame[1], 0, 0, 0, static_cast<std::uint8_t>(pdu.size() + 1), frame[6]};
    out.insert(out.end(), pdu.begin(), pdu.end());
    static_cast<void>(caller.write_all(out, soon()).ok());
  }

  Answer answer_;
  net::TcpListener listener_;
  std::mutex mutex_;
  Texts asked_;
  std::jthread thread_;
};

// As a device that does everything: writes are echoed, reads are the one word 0x00f0.
std::vector<std::uint8_t> obedient(std::span<const std::uint8_t> pdu) {
  if (pdu[0] == 3) return {3, 2, 0x00, 0xf0};
  const std::size_t echo = pdu[0] == 22 ? 7 : 5;
  return {pdu.begin(), pdu.begin() + static_cast<std::ptrdiff_t>(echo)};
}
std::vector<std::uint8_t> exception(std::span<const std::uint8_t> pdu, std::uint8_t code) {
  return {static_cast<std::uint8_t>(pdu[0] | 0x80), code};
}

std::shared_ptr<Description> press() {
  auto description =
      described({output(signal("valve", ModbusTable::holding, 100)),
                 output(signal("speed", ModbusTable::holding, 101, Type::float32, modbus::WordOrder::cdab)),
                 output(signal("far", ModbusTable::holding, 110, Type::uint16)),
                 output(signal("lamp", ModbusTable::coil, 8)), output(signal("horn", ModbusTable::coil, 9)),
                 output(bit("door", 120, 2)), output(bit("vent", 120, 9)), signal("level", ModbusTable::input, 0)});
  description->signals[0].scale = 0.1;
  description->signals[0].offset = -5;
  description->heartbeat = ModbusPlace{ModbusTable::holding, 99, -1};
  return description;
}

TEST_CASE("single values leave as their own bytes") {
  ScriptedDevice plc(obedient);
  Scanned link(press(), plc.url());
  const auto sent = [&](const std::vector<std::pair<std::string, double>>& values) {
    for (const Written& each : link.write(values)) CHECK_MESSAGE(each.outcome, each.outcome.error().text);
    return plc.take_asked();
  };
  CHECK(sent({{"valve", 12.5}}) == Texts{"05060064"
                                         "00af"});  // (12.5 + 5) / 0.1 = 175
  CHECK(sent({{"valve", -12.5}}) == Texts{"05060064"
                                          "ffb5"});
  CHECK(sent({{"speed", 123.456}}) == Texts{"051000650002"
                                            "04"
                                            "e97942f6"});
  CHECK(sent({{"lamp", 1}}) == Texts{"05050008"
                                     "ff00"});
  CHECK(sent({{"lamp", 0}}) == Texts{"05050008"
                                     "0000"});
  CHECK(sent({{"door", 1}}) == Texts{"05160078"
                                     "fffb"
                                     "0004"});
  CHECK(sent({{"vent", 0}}) == Texts{"05160078"
                                     "fdff"
                                     "0000"});
  REQUIRE(link.link->beat(0x12345, in(5s)));
  CHECK(plc.take_asked() == Texts{"05060063"
                                  "2345"});
  CHECK(link.link->counters().writes_done == 7);
}

TEST_CASE("neighbours leave in one request, holes are never written") {
  ScriptedDevice plc(obedient);
  Scanned link(press(), plc.url());
  const auto sent = [&](const std::vector<std::pair<std::string, double>>& values) {
    for (const Written& each : link.write(values)) CHECK_MESSAGE(each.outcome, each.outcome.error().text);
    return plc.take_asked();
  };
  CHECK(sent({{"valve", 12.5}, {"speed", 123.456}, {"far", 7}}) == Texts{"051000640003"
                                                                         "06"
                                                                         "00af"
                                                                         "e97942f6",
                                                                         "0506006e"
                                                                         "0007"});
  CHECK(sent({{"speed", 123.456}, {"valve", 12.5}}) == Texts{"051000640003"
                                                             "06"
                                                             "00af"
                                                             "e97942f6"});
  CHECK(sent({{"lamp", 1}, {"horn", 0}}) == Texts{"050f00080002"
                                                  "01"
                                                  "01"});
  CHECK(sent({{"door", 1}, {"vent", 0}}) == Texts{"05160078"
                                                  "fdfb"
                                                  "0004"});
  // Twice the same: in this order.
  CHECK(sent({{"far", 1}, {"far", 2}}) == Texts{"0506006e"
                                                "0001",
                                                "0506006e"
                                                "0002"});
}

TEST_CASE("what cannot be written is refused before it leaves, the rest is written") {
  ScriptedDevice plc(obedient);
  Scanned link(press(), plc.url());
  const auto outcomes = link.write({{"far", 70000}, {"valve", std::nan("")}, {"level", 1}, {"lamp", 1}});
  CHECK(outcomes[0].outcome.error().text == "far: expected a value that fits in uint16, got 70000");
  CHECK(outcomes[1].outcome.error().text == "valve: expected a number, got nan");
  CHECK(outcomes[2].outcome.error().text == "level: expected a coil or a holding register, got input");
  CHECK(outcomes[3].outcome.ok());
  CHECK(plc.take_asked() == Texts{"05050008ff00"});
  CHECK(link.link->counters().writes_refused == 3);
}

TEST_CASE("a refusal has its code in words and is not repeated") {
  ScriptedDevice plc([](std::span<const std::uint8_t> pdu) { return exception(pdu, 4); });
  Scanned link(press(), plc.url());
  const auto outcomes = link.write({{"valve", 0}, {"speed", 1}});
  CHECK(plc.take_asked().size() == 1);
  for (const Written& each : outcomes) {
    REQUIRE_FALSE(each.outcome);
    CHECK(each.outcome.error().fault == Fault::device);
    CHECK(each.outcome.error().code == 4);
  }
  CHECK(outcomes[0].outcome.error().text == "valve: unit 5: write registers 100 to 102: exception 4, device failure");
  CHECK(link.link->counters().writes_refused == 2);
}

TEST_CASE("a write without an answer is never sent again, and its outcome is unknown") {
  ScriptedDevice plc([](std::span<const std::uint8_t>) { return std::vector<std::uint8_t>{}; });
  Scanned link(press(), plc.url());
  std::vector<Written> outcomes;
  const std::vector<Write> writes{{0, 1.0}, {2, 2.0}};
  REQUIRE(link.link->write(writes, outcomes, in(150ms)));
  REQUIRE(outcomes.size() == 2);
  CHECK(modbus::outcome_unknown(outcomes[0].outcome.error()));
  CHECK(outcomes[0].outcome.error().text.find("outcome UNKNOWN") != std::string::npos);
  // The second was not sent: no time was left.
  CHECK_FALSE(modbus::outcome_unknown(outcomes[1].outcome.error()));
  CHECK(outcomes[1].outcome.error().text == "far: not sent: the deadline has passed");
  Texts asked = plc.take_asked();
  for (const Instant until = soon(); asked.empty() && now() < until; asked = plc.take_asked())
    system_clock().sleep_until(in(2ms));
  CHECK(asked.size() == 1);
  CHECK(plc.take_asked().empty());
  CHECK(link.link->counters().writes_unknown == 1);
}

TEST_CASE("a device without a function is written with the other, and asked once") {
  std::atomic<int> lacks{6};
  ScriptedDevice plc(
      [&](std::span<const std::uint8_t> pdu) { return pdu[0] == lacks ? exception(pdu, 1) : obedient(pdu); });
  Scanned link(press(), plc.url());
  CHECK(link.write({{"far", 7}})[0].outcome);
  CHECK(plc.take_asked() == Texts{"0506006e0007", "0510006e0001020007"});
  CHECK(link.write({{"far", 8}})[0].outcome);
  CHECK(plc.take_asked() == Texts{"0510006e0001020008"});
  const auto notes = link.link->take_notes();
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].text == "device does not know function 6 (write register)");

  lacks = 15;
  for (const Written& each : link.write({{"lamp", 1}, {"horn", 1}})) CHECK(each.outcome);
  CHECK(plc.take_asked() == Texts{"050f000800020103", "05050008ff00", "05050009ff00"});
  lacks = 16;
  CHECK(link.write({{"speed", 1}})[0].outcome.error().code == 1);
}

TEST_CASE("a bit without mask write is refused unless the file shares the register") {
  ScriptedDevice plc(
      [](std::span<const std::uint8_t> pdu) { return pdu[0] == 22 ? exception(pdu, 1) : obedient(pdu); });
  auto description = press();
  const auto written = [&] { return Scanned(description, plc.url()).write({{"door", 1}})[0].outcome; };
  const auto outcome = written();
  REQUIRE_FALSE(outcome);
  CHECK(
      outcome.error().text ==
      "door: expected a device with function 22 (mask write) for a bit of holding 120; `shared: true` accepts reading "
      "and writing the whole register");
  CHECK(plc.take_asked() == Texts{"05160078fffb0004"});
  description = press();
  description->signals[5].write->shared = true;
  CHECK(written());
  CHECK(plc.take_asked() == Texts{"05160078fffb0004", "050300780001", "0506007800f4"});
}

}  // namespace
}  // namespace tandem::generic
