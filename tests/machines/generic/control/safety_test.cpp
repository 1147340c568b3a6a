// SPDX-License-Identifier: Apache-2.0
// The safety rules of docs/generic.md, one by one.
#include "tests/machines/generic/control/rig.hpp"

namespace tandem::generic::test {
namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("nothing is written before an arm, and what was asked for before it is forgotten") {
  Rig rig(press());
  rig.connect();
  rig.cycles(3);
  const auto early = rig.post("valve", 50);
  REQUIRE_FALSE(early);
  CHECK(says(early.error().text, "valve: not armed"));
  rig.arm();
  rig.cycles(5);
  CHECK(rig.device.arrivals.empty());
  CHECK(rig.text("outputs") == "armed, waiting for a command");
}

TEST_CASE("a command for the first cycle of an arm is refused rather than kept from before it") {
  Rig rig(press());
  rig.start();
  REQUIRE(rig.post("valve", 50));
  rig.disarm();
  rig.arm();  // within one cycle
  rig.cycles(3);
  CHECK(rig.device.arrivals.empty());
  REQUIRE(rig.post("valve", 50));
  rig.cycles(1);
  CHECK(rig.written("valve").size() == 1);
}

TEST_CASE("a value outside the limits is refused with the reason and never clamped") {
  Rig rig(press());
  rig.start();
  for (const double value : {100.1, -101.0, 1e9, std::nan(""), HUGE_VAL}) {
    const auto refused = rig.post("valve", value);
    REQUIRE_FALSE(refused);
    CHECK(says(refused.error().text, "valve: expected"));
    CHECK(says(refused.error().text, "got"));
  }
  CHECK(rig.post("valve", 100.1).error().text == "valve: expected -100 to 100 %, got 100.1");
  CHECK(rig.post("pump", 0.5).error().text == "pump: expected 0 or 1, got 0.5");
  rig.cycles(3);
  CHECK(rig.device.arrivals.empty());
  CHECK(rig.post("valve", 100));
  CHECK(rig.post("valve", 100 * (1 + 1e-12)));  // what a conversion may add
}

TEST_CASE("the set point moves at its rate from the value that the device has") {
  Rig rig(press());
  rig.at("valve") = 30;
  rig.start();
  REQUIRE(rig.post("valve", 90));
  rig.cycles(4);
  CHECK(rig.written("valve") == std::vector<double>{50, 70, 90});
  REQUIRE(rig.post("valve", 60));
  rig.cycles(3);
  CHECK(rig.written("valve") == std::vector<double>{50, 70, 90, 70, 60});
}

TEST_CASE("an output without a known present value does not start to move") {
  Rig rig(press());
  rig.start();
  rig.at("valve") = std::nan("");
  rig.cycles(1);
  REQUIRE(rig.post("valve", 10));
  rig.cycles(2);
  CHECK(rig.device.arrivals.empty());
  CHECK(says(rig.text("last refusal"), "its present value is not known"));
  rig.at("valve") = 150;  // by hand, outside of what we may write
  rig.cycles(1);
  REQUIRE(rig.post("valve", 10));
  rig.cycles(1);
  CHECK(rig.device.arrivals.empty());
  CHECK(says(rig.text("last refusal"), "expected a present value of -100 to 100, got 150"));
}

TEST_CASE("values on the wire are inside the limits also where the raw step does not fit them") {
  Description made = press();
  made.signals[2].write->limits = {-0.07, 99.96};
  made.signals[2].write->rate.reset();
  Rig rig(std::move(made));
  rig.start();
  REQUIRE(rig.post("valve", 99.96));
  rig.cycles(1);
  REQUIRE(rig.post("valve", -0.07));
  rig.cycles(1);
  CHECK(rig.written("valve").at(0) == doctest::Approx(99.9));
  CHECK(rig.written("valve").at(1) == doctest::Approx(0));
}

TEST_CASE("a command older than the watchdog is dropped and the idle rule decides") {
  for (const Output::Idle idle : {Output::Idle::hold, Output::Idle::zero, Output::Idle::follow, Output::Idle::leave}) {
    Description made = press();
    made.signals[2].write->idle = idle;
    made.signals[2].write->watchdog = 0.25;
    made.signals[2].write->follow = "pressure";
    Rig rig(std::move(made));
    rig.at("pressure") = 7;
    rig.start();
    REQUIRE(rig.post("valve", 100));
    rig.cycles(6);
    const auto written = rig.written("valve");
    REQUIRE(written.size() >= 2);
    CHECK(written[0] == doctest::Approx(20));
    CHECK(written[1] == doctest::Approx(40));  // 0.2 s after the command; the next is too late
    if (idle == Output::Idle::hold || idle == Output::Idle::leave) CHECK(written.size() == 2);
    if (idle == Output::Idle::zero)
      CHECK(std::vector(written.begin() + 2, written.end()) == std::vector<double>{20, 0});
    if (idle == Output::Idle::follow) CHECK(written.back() == doctest::Approx(7));
    CHECK(rig.armed);
  }
}

TEST_CASE("an output that was left alone starts again from the value that the device has then") {
  Description made = press();
  made.signals[2].write->idle = Output::Idle::leave;
  made.signals[2].write->watchdog = 0.15;
  Rig rig(std::move(made));
  rig.start();
  REQUIRE(rig.post("valve", 100));
  rig.cycles(5);
  rig.at("valve") = -60;  // someone else has moved it
  rig.cycles(20);
  CHECK(rig.armed);
  REQUIRE(rig.post("valve", 100));
  rig.cycles(1);
  CHECK(rig.written("valve").back() == doctest::Approx(-40));
}

TEST_CASE("disarm, stop and a lost link end all writing") {
  for (const char* how : {"disarm", "stop", "link", "silence"}) {
    CAPTURE(how);
    Rig rig(press());
    rig.start();
    REQUIRE(rig.post("valve", 100));
    rig.cycles(2);
    const std::size_t before = rig.device.arrivals.size();
    REQUIRE(before == 2);
    if (how == std::string("disarm")) rig.disarm();
    if (how == std::string("stop")) rig.stop();
    if (how == std::string("link")) rig.device.there = false;
    if (how == std::string("silence")) rig.device.answers = false;
    rig.cycles(how == std::string("silence") ? 4 : 1);
    const std::size_t at_end = rig.device.arrivals.size();
    rig.disarm();
    rig.reset();
    rig.device.there = rig.device.answers = true;
    rig.connect();
    rig.cycles(3);
    rig.arm();
    rig.cycles(3);
    CHECK(rig.device.arrivals.size() == at_end);  // the old command does not come back
    if (how != std::string("silence")) CHECK(at_end == before);
  }
}

TEST_CASE("a stop in the middle of a cycle holds for the very next request") {
  Rig rig(press());
  rig.start();
  REQUIRE(rig.post("valve", 100));
  rig.cycles(1);
  rig.device.on_scan = [&] { rig.stop(); };
  rig.cycles(1);
  CHECK(rig.written("valve").size() == 1);
  rig.device.on_scan = nullptr;
  rig.reset();
  rig.cycles(2);
  rig.arm();
  rig.cycles(1);
  const std::size_t before = rig.device.arrivals.size();
  REQUIRE(rig.post("valve", 0));
  REQUIRE(rig.post("pump", 1));
  REQUIRE(rig.post("start", 1));
  rig.device.on_write = [&] { rig.stop(); };  // after the first of three requests
  rig.cycles(1);
  CHECK(rig.device.arrivals.size() == before + 1);
  rig.reset();
  rig.device.on_write = [&] {
    rig.disarm();
    rig.arm();  // another arm, of which this cycle knows nothing
  };
  rig.arm();
  rig.cycles(1);
  REQUIRE(rig.post("valve", 0));
  REQUIRE(rig.post("pump", 1));
  rig.cycles(3);
  CHECK(rig.device.arrivals.size() == before + 2);
}

TEST_CASE("on_stop is written once, at a stop of an armed machine, while the link lives") {
  Description made = press();
  made.on_stop = {{"valve", 0}, {"pump", 0}};
  {
    Rig rig(Description{made});
    rig.start();
    REQUIRE(rig.post("valve", 100));
    rig.cycles(3);
    const std::size_t before = rig.device.arrivals.size();
    rig.stop();
    rig.cycles(5);
    REQUIRE(rig.device.arrivals.size() == before + 2);
    CHECK(rig.device.arrivals[before].value == 0);
    CHECK(rig.device.arrivals[before].stopped);
    rig.reset();
    rig.cycles(2);
    rig.stop();  // not armed: nothing to end
    rig.cycles(2);
    CHECK(rig.device.arrivals.size() == before + 2);
  }
  {
    Rig rig(Description{made});
    rig.start();
    rig.cycles(1);
    rig.device.answers = false;
    rig.clock.advance(1s);
    rig.stop();
    rig.cycles(3);
    rig.device.answers = true;
    rig.cycles(3);
    CHECK(rig.device.arrivals.empty());
  }
  {
    Rig rig(Description{made});
    rig.start();
    rig.disarm();
    rig.cycles(3);
    rig.stop();
    rig.cycles(3);
    CHECK(rig.device.arrivals.empty());
  }
  made.on_stop = {{"valve", 200}};
  CHECK_THROWS_AS(Rig{Description{made}}, std::invalid_argument);
}

TEST_CASE("three differences of the read-back running are a stop that names both values") {
  Rig rig(press());
  rig.start();
  REQUIRE(rig.post("valve", 20));
  rig.cycles(10);
  CHECK(rig.armed);
  rig.at("valve") = -5;  // another master
  rig.cycles(2);
  CHECK(rig.armed);
  rig.cycles(1);
  CHECK(rig.stopped);
  CHECK(rig.why == "valve: wrote 20 %, read back -5 % (3 times in a row)");
  const std::size_t writes = rig.device.arrivals.size();
  rig.cycles(5);
  CHECK(rig.device.arrivals.size() == writes);
}

TEST_CASE("a device that takes a write and does not act on it is stopped within ten cycles") {
  Rig rig(press());
  rig.start();
  rig.device.answer = FakeDevice::Answer::ignores;
  REQUIRE(rig.post("valve", 20));
  rig.cycles(10);
  CHECK(rig.stopped);
  CHECK(says(rig.why, "valve: wrote 20 %, read back 0 %"));
}

TEST_CASE("a read-back that lags by two cycles is no difference, also while the value moves") {
  Description made = press();
  made.signals[2].write->confirm = ModbusPlace{ModbusTable::holding, 110, -1};
  Declaration confirm = number("valve.confirm", "%", Type::int16);
  confirm.scale = 0.1;
  confirm.hidden = true;
  made.signals.push_back(confirm);
  Rig rig(std::move(made));
  rig.start();
  std::vector<double> past(3, 0);
  for (int i = 0; i < 60; ++i) {
    if (i % 20 == 0) REQUIRE(rig.post("valve", i % 40 == 0 ? 100 : -100));
    rig.at("valve.confirm") = past[past.size() - 3];
    (void)rig.cycle();
    past.push_back(rig.at("valve"));
    REQUIRE_FALSE(rig.stopped);
  }
  CHECK(rig.written("valve").size() == 25);
  rig.cycles(6);  // the confirmation stays where it was
  rig.at("valve.confirm") = 55;
  rig.cycles(3);
  CHECK(rig.stopped);
  CHECK(says(rig.why, "read back 55 %"));
}

TEST_CASE("an output that can no longer be read back is a stop") {
  Rig rig(press());
  rig.start();
  REQUIRE(rig.post("valve", 20));
  rig.cycles(8);
  rig.at("valve") = std::nan("");
  rig.cycles(3);
  CHECK(rig.stopped);
  CHECK(rig.why == "valve: wrote 20 %, could not read it back: broken");
}

TEST_CASE("a write that the device refuses disarms with the code in words and is not repeated") {
  Rig rig(press());
  rig.start();
  rig.device.answer = FakeDevice::Answer::refuses;
  REQUIRE(rig.post("valve", 20));
  rig.cycles(1);
  CHECK_FALSE(rig.armed);
  CHECK_FALSE(rig.stopped);
  CHECK(rig.why == "the device refused valve = 20 %: exception 3, illegal data value");
  rig.cycles(5);
  CHECK(rig.device.arrivals.size() == 1);
  CHECK(says(rig.text("outputs"), "disarmed: the device refused"));
}

TEST_CASE("a write of unknown outcome is never sent again unless it switches off") {
  Rig rig(press());
  rig.start();
  rig.device.answer = FakeDevice::Answer::silent_but_takes;
  REQUIRE(rig.post("pump", 1));
  rig.cycles(5);
  CHECK(rig.device.arrivals.size() == 1);
  CHECK_FALSE(rig.armed);
  CHECK(rig.why == "it is unknown whether pump = on was written: no answer within 500 ms");

  rig.device.answer = FakeDevice::Answer::takes;
  rig.arm();
  rig.cycles(1);
  REQUIRE(rig.post("pump", 0));
  rig.device.answer = FakeDevice::Answer::silent;
  rig.cycles(2);
  CHECK(rig.armed);
  CHECK(rig.written("pump") == std::vector<double>{1, 0, 0});
  rig.cycles(3);  // the third one gives up
  CHECK_FALSE(rig.armed);
  CHECK(rig.written("pump") == std::vector<double>{1, 0, 0, 0});
}

TEST_CASE("a pulse is an edge of its length, and begins low if it was left high") {
  Rig rig(press());
  rig.start();
  REQUIRE(rig.post("start", 1));
  rig.cycles(1);
  CHECK(rig.at("start") == 1);
  REQUIRE(rig.post("start", 1));
  rig.cycles(1);
  CHECK(says(rig.text("last refusal"), "its pulse has not ended yet"));
  rig.cycles(1);
  CHECK(rig.at("start") == 0);
  CHECK(rig.written("start") == std::vector<double>{1, 0});
  rig.at("start") = 1;  // cut short in an earlier life
  rig.cycles(1);
  REQUIRE(rig.post("start", 1));
  rig.cycles(6);
  CHECK(rig.written("start") == std::vector<double>{1, 0, 0, 1, 0});
}

TEST_CASE("the expression enable disarms when it is false, bad or of a signal that is missing") {
  Description made = press();
  made.enable = "safety.door_closed and safety.e_stop_ok";
  Rig rig(std::move(made));
  rig.at("safety") = 3;
  rig.start();
  REQUIRE(rig.post("valve", 20));
  rig.cycles(2);
  CHECK(rig.armed);
  rig.at("safety") = 2;
  const std::size_t before = rig.device.arrivals.size();
  rig.cycles(1);
  CHECK_FALSE(rig.armed);
  CHECK(rig.why == "enable: expected safety.door_closed and safety.e_stop_ok to hold, got false");
  CHECK(rig.device.arrivals.size() == before);
  rig.arm();  // is ended again, with the same reason
  rig.cycles(1);
  CHECK_FALSE(rig.armed);
  rig.at("safety") = std::nan("");
  rig.cycles(1);
  rig.arm();
  rig.cycles(1);
  CHECK_FALSE(rig.armed);
  CHECK(says(rig.why, "safety.door_closed is bad: broken"));
  rig.at("safety") = 3;
  rig.cycles(1);
  rig.arm();
  rig.cycles(2);
  CHECK(rig.armed);
}

TEST_CASE("a device whose own watchdog ran out disarms, and nothing arms it by itself when it recovers") {
  Description made = press();
  made.signals.push_back(number("state", "", Type::uint16));
  made.enable = "state == 1";
  Rig rig(std::move(made));
  rig.at("state") = 1;
  rig.start();
  REQUIRE(rig.post("valve", 20));
  rig.cycles(3);
  REQUIRE(rig.armed);
  rig.at("state") = 4;  // "no commands for too long"
  rig.cycles(1);
  CHECK_FALSE(rig.armed);
  CHECK(rig.why == "enable: expected state == 1 to hold, got false");
  const std::size_t writes = rig.device.arrivals.size();
  rig.at("state") = 1;
  rig.cycles(50);
  CHECK_FALSE(rig.armed);
  CHECK_FALSE(rig.post("valve", 20));
  CHECK(rig.device.arrivals.size() == writes);
  rig.arm();
  rig.cycles(5);
  CHECK(rig.armed);
  CHECK(rig.device.arrivals.size() == writes);  // what was asked for before is forgotten
}

TEST_CASE("a critical signal that turns bad disarms and is named") {
  Description made = press();
  made.signals[0].critical = true;
  Rig rig(std::move(made));
  rig.start();
  REQUIRE(rig.post("pump", 1));
  rig.cycles(2);
  rig.at("pressure") = 400;
  rig.cycles(1);
  CHECK_FALSE(rig.armed);
  CHECK(rig.why == "pressure is bad: expected 0 to 350 bar, got 400");
}

TEST_CASE("the heartbeat counts while armed and only then") {
  Description made = press();
  made.heartbeat = ModbusPlace{ModbusTable::holding, 99, -1};
  Rig rig(std::move(made));
  rig.connect();
  rig.cycles(3);
  CHECK(rig.device.beats.empty());
  rig.arm();
  rig.cycles(4);
  REQUIRE(rig.device.beats.size() == 4);
  for (std::size_t i = 1; i < 4; ++i) CHECK(rig.device.beats[i] == rig.device.beats[i - 1] + 1);
  rig.disarm();
  rig.cycles(3);
  CHECK(rig.device.beats.size() == 4);
  rig.arm();
  rig.device.beat_refused = true;
  rig.cycles(1);
  CHECK_FALSE(rig.armed);
  CHECK(rig.why == "heartbeat: exception 2, illegal data address");
}

TEST_CASE("outputs that lie side by side leave together, and only with values that were given") {
  Description made;
  made.name = "row";
  made.cycle = 0.1;
  for (int i : {3, 0, 1, 2, 5}) {
    Declaration output = number("o" + std::to_string(i), "", Type::int16);
    output.at = ModbusPlace{ModbusTable::holding, static_cast<std::uint16_t>(10 + i), -1};
    output.write = limited(-1000, 1000, std::nullopt);
    made.signals.push_back(output);
  }
  Rig rig(std::move(made));
  rig.start();
  for (const char* name : {"o0", "o1", "o3", "o5"}) REQUIRE(rig.post(name, 7));
  rig.cycles(1);
  REQUIRE(rig.device.arrivals.size() == 4);
  CHECK(rig.device.requests == 3);  // 0 and 1, then 3, then 5
  CHECK(rig.device.arrivals[0].group == rig.device.arrivals[1].group);
  REQUIRE(rig.post("o2", 1));
  REQUIRE(rig.post("o1", 1));
  REQUIRE(rig.post("o3", 1));
  rig.cycles(1);
  CHECK(rig.device.requests == 4);
}

TEST_CASE("a machine without outputs does not move") {
  Description made = press();
  for (Declaration& signal : made.signals) signal.write.reset();
  Rig rig(std::move(made));
  CHECK_FALSE(rig.machine->moves());
  rig.start();
  rig.cycles(3);
  CHECK(rig.device.arrivals.empty());
}

}  // namespace tandem::generic::test
