// SPDX-License-Identifier: Apache-2.0
// Units, types, places as texts, and signals by name.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tandem/machines/generic/description.hpp"
#include "tandem/machines/generic/signal.hpp"
#include "tandem/machines/generic/units.hpp"

using namespace tandem::generic;

namespace {

double si(std::string_view unit, double value) {
  const auto known = unit_named(unit);
  REQUIRE_MESSAGE(known.has_value(), unit);
  return value * known->scale + known->offset;
}

}  // namespace

TEST_CASE("units convert as the tables of NIST SP 811 say") {
  CHECK(si("mm", 1500) == doctest::Approx(1.5));
  CHECK(si("in", 1) == 0.0254);
  CHECK(si("deg", 180) == doctest::Approx(std::numbers::pi));
  CHECK(si("rpm", 60) == doctest::Approx(2 * std::numbers::pi));
  CHECK(si("psi", 1) == doctest::Approx(6894.757));
  CHECK(si("bar", 1) == 100000);
  CHECK(si("km/h", 36) == doctest::Approx(10));
  CHECK(si("m/min", 60) == doctest::Approx(1));
  CHECK(si("L/min", 60'000) == doctest::Approx(1));
  CHECK(si("m3/h", 3600) == doctest::Approx(1));
  CHECK(si("Cel", 21.5) == 21.5);
  CHECK(si("K", 300) == doctest::Approx(26.85));
  CHECK(si("%", 50) == 50);
  CHECK(unit_named("rpm")->dimension == Dimension::angular_speed);
  CHECK(unit_named("rpm")->si_text == "rad/s");
  CHECK(unit_named("N.m")->dimension == Dimension::torque);
  for (const char* label : {"parts", "MM", "", "mm ", "l/min"}) CHECK_FALSE(unit_named(label).has_value());
}

TEST_CASE("types have names and sizes") {
  for (const char* text : {"bit", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
                           "float64", "string"}) {
    const auto type = type_named(text);
    REQUIRE(type.has_value());
    CHECK(std::string(name(*type)) == text);
  }
  CHECK_FALSE(type_named("unknown").has_value());
  CHECK_FALSE(type_named("INT").has_value());
  CHECK(bytes_of(Type::uint16) == 2);
  CHECK(bytes_of(Type::float64) == 8);
  CHECK(bytes_of(Type::text) == 0);
}

TEST_CASE("a place is shown as its file counts") {
  const At registers = ModbusPlace{ModbusTable::holding, 10, -1};
  CHECK(place_text(registers, 2, 40001) == "40011-40012");
  CHECK(place_text(registers, 1, 40001) == "40011");
  CHECK(place_text(registers, 2, 0) == "holding 10-11");
  CHECK(place_text(registers, 1, 1) == "holding 11");
  CHECK(place_text(ModbusPlace{ModbusTable::holding, 20, 3}, 1, 40001) == "40021.3");
  CHECK(place_text(ModbusPlace{ModbusTable::input, 9998, -1}, 1, 40001) == "39999");
  CHECK(place_text(ModbusPlace{ModbusTable::input, 9999, -1}, 2, 40001) == "310000-310001");
  CHECK(place_text(ModbusPlace{ModbusTable::coil, 0, -1}, 1, 40001) == "00001");
  CHECK(place_text(ModbusPlace{ModbusTable::discrete, 7, -1}, 1, 0) == "discrete 7");
  CHECK(place_text(AdsPlace{"MAIN.fX"}, 0, 0) == "MAIN.fX");
}

TEST_CASE("signals are found by name, element and bit") {
  std::vector<Signal> signals(4);
  signals[0] = {.name = "pressure", .first = 0};
  signals[1] = {.name = "safety", .kind = Kind::bit_field, .first = 1, .bits = {{0, "door"}, {3, "stop"}}};
  signals[2] = {.name = "belts[1].aTemp", .first = 2, .count = 6, .bounds = {{1, 2}, {0, 3}}};
  signals[3] = {.name = "message", .kind = Kind::text, .text = 0};
  Readings readings;
  readings.resize(signals);
  CHECK(readings.numbers.size() == 8);
  CHECK(readings.texts.size() == 1);
  CHECK(readings.of[0].quality == SignalQuality::stale);
  for (Reading& reading : readings.of) reading.quality = SignalQuality::good;
  for (std::size_t i = 0; i < 8; ++i) readings.numbers[i] = 10.0 + static_cast<double>(i);
  readings.integers[1] = 0b1000;
  const auto value = [&](std::string_view name) {
    const auto found = find_signal(signals, name);
    return found ? value_of(*found, readings) : -1;
  };
  CHECK(value("pressure") == 10);
  CHECK(value("safety.door") == 0);
  CHECK(value("safety.stop") == 1);
  CHECK(value("belts[1].aTemp[1,0]") == 12);
  CHECK(value("belts[1].aTemp[2][2]") == 17);
  CHECK(std::isnan(value("message")));
  for (const char* wrong : {"pressur", "pressures", "pressure.x", "safety.lamp", "belts[1].aTemp[0,0]",
                            "belts[1].aTemp[1,3]", "belts[1].aTemp[1]", "belts[1].aTemp[1,0", "belts[1].aTemp[]", ""})
    CHECK_MESSAGE(value(wrong) == -1, wrong);
  readings.of[0].quality = SignalQuality::uncertain;
  CHECK(value("pressure") == 10);
  readings.of[0].quality = SignalQuality::bad;
  CHECK(std::isnan(value("pressure")));
}
