// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/session.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/protocols/ur/bytes_by_hand.hpp"

using namespace tandem;
using namespace tandem::ur;
using test::Hand;
using test::hex;
using test::Packet;

namespace {

struct Line {
  explicit Line(RtdeController& controller) : session(controller) {}

  // What the controller answers to these bytes.
  Packet ask(const Packet& bytes) {
    alive = session.receive(bytes, out) && alive;
    return out.take();
  }
  Packet cycle() {
    session.cycle(out);
    return out.take();
  }
  void second() { CHECK(ask(hex("00 05 56 00 02")) == hex("00 04 56 01")); }

  RtdeSession session;
  net::Outbox out;
  bool alive = true;
};

Packet outputs(double frequency, std::string_view names) {
  return test::package('O', Hand().real(frequency).text(names).bytes);
}
Packet inputs(std::string_view names) { return test::package('I', test::text_bytes(names)); }
Packet recipe(char kind, unsigned id, std::string_view types) {
  return test::package(kind, Hand().u8(id).text(types).bytes);
}

int packets_in(Line& line, int cycles) {
  int count = 0;
  for (int i = 0; i < cycles; ++i) count += line.cycle().empty() ? 0 : 1;
  return count;
}

}  // namespace

TEST_CASE("a session of protocol 2 from first byte to data") {
  Variables variables;
  variables.state.timestamp = 200.25;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  CHECK(line.ask(hex("00 03 76")) == test::package('v', Hand().u32(5).u32(11).u32(1).u32(108318).bytes));
  CHECK(line.ask(outputs(500, "timestamp,robot_mode")) == recipe('O', 1, "DOUBLE,INT32"));
  CHECK(line.cycle().empty());
  CHECK(line.ask(hex("00 03 53")) == hex("00 04 53 01"));
  CHECK(line.cycle() == test::package('U', Hand().u8(1).real(200.25).u32(3).bytes));
  CHECK(line.ask(hex("00 03 50")) == hex("00 04 50 01"));
  CHECK(line.cycle().empty());
}

TEST_CASE("R1 protocol 1 has no recipe id no frequency and the full rate") {
  Variables variables;
  variables.state.timestamp = 1;
  RtdeController controller(variables);
  Line line(controller);
  // URBasic asks for the version first and for protocol 1 by name.
  CHECK(line.ask(hex("00 03 76")).size() == 19);
  CHECK(line.ask(hex("00 05 56 00 01")) == hex("00 04 56 01"));
  CHECK(line.ask(test::package('O', test::text_bytes("timestamp"))) == test::package('O', test::text_bytes("DOUBLE")));
  CHECK(line.ask(inputs("input_int_register_0")) == recipe('I', 1, "INT32"));
  line.ask(hex("00 03 53"));
  CHECK(line.cycle() == test::package('U', Hand().real(1).bytes));
  CHECK(packets_in(line, 100) == 100);
  CHECK(line.ask(test::package('U', Hand().u8(1).u32(77).bytes)).empty());
  CHECK(variables.inputs.input_int_register[0] == 77);
  CHECK(line.ask(hex("00 05 56 00 03")) == hex("00 04 56 00"));
  CHECK(line.ask(hex("00 05 56 00 00")) == hex("00 04 56 00"));
}

TEST_CASE("R2 unknown variables are NOT_FOUND and such a recipe cannot start") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  CHECK(line.ask(outputs(500, "timestamp,nonsense,actual_q")) == recipe('O', 0, "DOUBLE,NOT_FOUND,VECTOR6D"));
  CHECK(line.ask(hex("00 03 53")) == hex("00 04 53 00"));
  CHECK(line.ask(inputs("timestamp")) == recipe('I', 0, "NOT_FOUND"));
  CHECK(line.ask(outputs(500, "speed_slider_mask")) == recipe('O', 0, "NOT_FOUND"));
  CHECK(line.ask(outputs(500, "timestamp")) == recipe('O', 1, "DOUBLE"));
  CHECK(line.ask(hex("00 03 53")) == hex("00 04 53 01"));
}

TEST_CASE("a trailing comma names nothing") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  CHECK(line.ask(outputs(500, "timestamp,actual_q,")) == recipe('O', 1, "DOUBLE,VECTOR6D"));
  CHECK(line.ask(inputs("input_int_register_24,")) == recipe('I', 1, "INT32"));
}

TEST_CASE("R4 an input that another client has claimed is IN_USE until that client leaves") {
  Variables variables;
  RtdeController controller(variables);
  Line second(controller);
  second.second();
  {
    Line first(controller);
    first.second();
    CHECK(first.ask(inputs("speed_slider_mask,speed_slider_fraction")) == recipe('I', 1, "UINT32,DOUBLE"));
    // The same client may use it in another recipe.
    CHECK(first.ask(inputs("speed_slider_mask")) == recipe('I', 2, "UINT32"));
    CHECK(second.ask(inputs("input_int_register_0,speed_slider_mask")) == recipe('I', 0, "INT32,IN_USE"));
    // A refused recipe claims nothing.
    CHECK(first.ask(inputs("input_int_register_0")) == recipe('I', 3, "INT32"));
    // Reading back is free for all.
    CHECK(second.ask(outputs(10, "input_int_register_0")) == recipe('O', 1, "INT32"));
  }
  CHECK(second.ask(inputs("input_int_register_0,speed_slider_mask")) == recipe('I', 1, "INT32,UINT32"));
}

TEST_CASE("several input recipes are written each by its id and the owner hears what they concern") {
  Variables variables;
  RtdeController controller(variables);
  std::vector<Concerns> heard;
  controller.inputs_written = [&heard](const Recipe& recipe) { heard.push_back(recipe.concerns()); };
  Line line(controller);
  line.second();
  line.ask(inputs("speed_slider_mask,speed_slider_fraction"));
  line.ask(inputs("standard_digital_output_mask,standard_digital_output,input_double_register_47"));
  line.ask(hex("00 03 53"));
  const Packet first = test::package('U', Hand().u8(1).u32(1).real(0.5).bytes);
  const Packet second = test::package('U', Hand().u8(2).u8(4).u8(6).real(-1.5).bytes);
  CHECK(line.ask(Hand().add(first).add(second).bytes).empty());
  CHECK(variables.inputs.speed_slider_fraction == 0.5);
  CHECK(variables.inputs.standard_digital_output_mask == 4);
  CHECK(variables.inputs.standard_digital_output == 6);
  CHECK(variables.inputs.input_double_register[47] == -1.5);
  REQUIRE(heard.size() == 2);
  CHECK(has(heard[0], Concern::speed_slider));
  CHECK_FALSE(has(heard[0], Concern::registers));
  CHECK(has(heard[1], Concern::standard_digital));
  CHECK(has(heard[1], Concern::registers));
}

TEST_CASE("R3 data for a recipe that is not there or has another size changes nothing") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  line.ask(inputs("input_int_register_0"));
  for (const Packet& bad :
       {test::package('U', Hand().u8(0).u32(9).bytes), test::package('U', Hand().u8(2).u32(9).bytes),
        test::package('U', Hand().u8(1).u16(9).bytes), test::package('U', Hand().u8(1).u64(9).bytes)}) {
    const Packet told = line.ask(bad);
    REQUIRE(told.size() > 3);
    CHECK(told[2] == 'M');
    CHECK(variables.inputs.input_int_register[0] == 0);
  }
  CHECK(line.alive);
}

TEST_CASE("R5 package sizes that lie close the connection") {
  for (const unsigned size : {0u, 1u, 2u}) {
    Variables variables;
    RtdeController controller(variables);
    Line line(controller);
    line.ask(Hand().u16(size).u8('S').bytes);
    CHECK_FALSE(line.alive);
  }
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  CHECK(line.ask(Hand().u16(65535).u8('O').bytes).empty());
  CHECK(line.alive);
  CHECK(line.session.progress().partial);  // its owner closes it when the rest does not come
}

TEST_CASE("R6 unknown kinds and texts are passed over") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  CHECK(line.ask(test::package('M', Hand().u8(2).text("hi").u8(1).text("c").u8(3).bytes)).empty());
  const Packet told = line.ask(test::package('z', hex("01 02")));
  REQUIRE(told.size() > 3);
  CHECK(told[2] == 'M');
  CHECK(line.ask(hex("00 03 53")) == hex("00 04 53 01"));
  // Endless nonsense is not answered for ever.
  Packet flood;
  for (int i = 0; i < 1000; ++i) flood = Hand().add(flood).add(test::package('z')).bytes;
  CHECK(test::rtde_packets(line.ask(flood)).size() < 20);
  CHECK(line.alive);
}

TEST_CASE("recipes change only while paused") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  line.ask(outputs(500, "timestamp"));
  line.ask(hex("00 03 53"));
  for (const Packet& request : {outputs(500, "actual_q"), inputs("input_int_register_0")}) {
    const auto answers = test::rtde_packets(line.ask(request));
    REQUIRE(answers.size() == 2);
    CHECK(answers[0][2] == 'M');
    CHECK(answers[1] == test::package(static_cast<char>(request[2]), hex("00")));
  }
  CHECK(line.cycle().size() == 3 + 1 + 8);
  CHECK(line.ask(hex("00 05 56 00 01")) == hex("00 04 56 00"));
  line.ask(hex("00 03 50"));
  CHECK(line.ask(outputs(500, "actual_q")) == recipe('O', 1, "VECTOR6D"));
}

TEST_CASE("every rate is kept over a second") {
  for (const double rate : {1.0, 10.0, 30.0, 60.0, 100.0, 125.0, 166.6, 250.0, 333.0, 499.0, 500.0}) {
    Variables variables;
    RtdeController controller(variables);
    Line line(controller);
    line.second();
    line.ask(outputs(rate, "timestamp"));
    line.ask(hex("00 03 53"));
    CHECK_FALSE(line.cycle().empty());  // the first one comes at once
    CAPTURE(rate);
    CHECK(packets_in(line, 5000) == doctest::Approx(rate * 10).epsilon(0.001));
  }
  for (const double rate : {0.0, -1.0, 1e9, std::nan(""), HUGE_VAL}) {
    Variables variables;
    RtdeController controller(variables);
    Line line(controller);
    line.second();
    line.ask(outputs(rate, "timestamp"));
    line.ask(hex("00 03 53"));
    CHECK(packets_in(line, 100) == 100);
  }
}

TEST_CASE("125 Hz is every fourth cycle exactly") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  line.ask(outputs(125, "timestamp"));
  line.ask(hex("00 03 53"));
  for (int i = 0; i < 400; ++i) CHECK(line.cycle().empty() == (i % 4 != 0));
}

TEST_CASE("every segmentation of a whole session gives the same answers") {
  Hand script;
  script.add(hex("00 05 56 00 02")).add(hex("00 03 76")).add(outputs(500, "timestamp,actual_q,"));
  script.add(inputs("input_int_register_0")).add(hex("00 03 53")).add(test::package('U', Hand().u8(1).u32(5).bytes));
  script.add(hex("00 03 50"));
  Packet whole;
  for (std::size_t step = script.bytes.size(); step >= 1; --step) {
    Variables variables;
    RtdeController controller(variables);
    Line line(controller);
    Packet answers;
    for (std::size_t at = 0; at < script.bytes.size(); at += step) {
      const auto begin = script.bytes.begin() + static_cast<std::ptrdiff_t>(at);
      const Packet piece(begin, begin + static_cast<std::ptrdiff_t>(std::min(step, script.bytes.size() - at)));
      answers = Hand().add(answers).add(line.ask(piece)).bytes;
    }
    if (whole.empty()) whole = answers;
    CHECK(answers == whole);
    CHECK(variables.inputs.input_int_register[0] == 5);
  }
  CHECK(test::rtde_packets(whole).size() == 6);
}

TEST_CASE("R9 a reader that stalls gets whole packets and the newest at last") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  line.ask(outputs(500, "timestamp"));
  line.ask(hex("00 03 53"));
  for (int i = 1; i <= 100; ++i) {
    variables.state.timestamp = i;
    line.session.cycle(line.out);  // nothing is taken out
  }
  CHECK(line.out.unsent() == 2 * 12);
  CHECK(line.out.dropped() == 98);
  const auto packets = test::rtde_packets(line.out.take());
  REQUIRE(packets.size() == 2);
  CHECK(test::real_at(packets[1], 4) == 100.0);
  CHECK_FALSE(line.out.overflowed());
}

TEST_CASE("garbage of every kind ends a session or leaves it as it was") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    Variables variables;
    RtdeController controller(variables);
    Line line(controller);
    Packet bytes(random() % 2000);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : random() % 4);
    const Packet answers = line.ask(bytes);
    std::size_t size = 0;
    for (const Packet& packet : test::rtde_packets(answers)) size += packet.size();
    CHECK(size == answers.size());
  }
}

TEST_CASE("a list of nonsense longer than an answer can be is refused") {
  Variables variables;
  RtdeController controller(variables);
  Line line(controller);
  line.second();
  std::string names;
  while (names.size() < 60'000) names += "a,";
  CHECK(line.ask(inputs(names)) == hex("00 04 49 00"));
  CHECK(line.ask(outputs(500, names)) == hex("00 04 4f 00"));
  std::string everything;
  for (const Field& field : fields())
    if (field.output) everything += field.name + ',';
  const Packet answer = line.ask(outputs(500, everything));
  CHECK(answer[3] == 1);
}
