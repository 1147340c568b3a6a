// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/machines/cable_robot/virtual/script.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

// What the script says to one text; empty when it takes it.
std::string complaint(const std::string& text) {
  try {
    static_cast<void>(FaultScript(std::vector{text}, 8));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("Faults happen at their times whatever order they are written in") {
  WinchFaults faults;
  FaultScript script(std::vector<std::string>{"8 stick 2", "5 cut 3", "9 repair 3", "6 slip 0 0.01", "7 break 7"}, 8);
  script.play(4999ms, faults);
  CHECK(faults.cut == 0);
  script.play(5s, faults);
  CHECK(faults.cut == 1 << 3);
  CHECK(faults.stuck == 0);
  script.play(8s, faults);
  CHECK(faults.stuck == 1 << 2);
  CHECK(faults.broken == 1 << 7);
  CHECK(faults.take_slip(0) == 0.01);
  CHECK(faults.take_slip(0) == 0);
  script.play(20s, faults);
  CHECK(faults.cut == 0);
  CHECK(faults.stuck == 1 << 2);
}

TEST_CASE("Faults of answers begin and end") {
  WinchFaults faults;
  FaultScript script(std::vector<std::string>{"1 silence 1.5", "4 late 0.05 2", "8 exception 1", "10 close"}, 8);
  std::vector<std::uint8_t> frame(20);
  using Fate = modbus::AnswerFate::Kind;
  script.play(900ms, faults);
  CHECK(faults.answer(frame).kind == Fate::send);
  script.play(1s, faults);
  CHECK(faults.answer(frame).kind == Fate::drop);
  script.play(2400ms, faults);
  CHECK(faults.answer(frame).kind == Fate::drop);
  script.play(2500ms, faults);
  CHECK(faults.answer(frame).kind == Fate::send);
  script.play(5s, faults);
  CHECK(faults.answer(frame).delay == 50ms);
  script.play(8s, faults);
  CHECK(faults.answer(frame).delay == Duration{0});
  CHECK(frame.size() == 9);
  CHECK((frame[7] & 0x80) != 0);
  script.play(11s, faults);
  CHECK(faults.answer(frame).kind == Fate::close);
  CHECK(faults.answer(frame).kind == Fate::send);
}

TEST_CASE("A fault that cannot be is refused with its text") {
  CHECK(complaint("5 cut 3").empty());
  CHECK(complaint("0 restart").empty());
  for (const char* text :
       {"", "cut 3", "5", "5 cut", "5 cut 8", "5 cut -1", "5 cut 1.5", "5 cut 3 4", "-1 cut 3", "nan cut 3",
        "5 explode 3", "5 slip 3", "5 slip 3 7", "5 late 1", "5 silence", "5 close 1"}) {
    CAPTURE(text);
    const std::string seen = complaint(text);
    CHECK(seen.starts_with("faults: \"" + std::string(text) + "\": expected"));
  }
  CHECK(complaint("5 explode 3").find("got \"explode\"") != std::string::npos);
}
