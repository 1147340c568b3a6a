// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <random>

#include "tandem/machines/generic/learn/observations.hpp"

using namespace tandem;
using namespace tandem::generic;
using modbus::WordOrder;

namespace {

// The registers of a value, by the table of the Modbus register codec and not by what is tested.
WordPair words_of(double value, modbus::Encoding encoding, WordOrder order) {
  modbus::Register entry;
  entry.name = "x";
  entry.width = 32;
  entry.order = order;
  entry.encoding = encoding;
  WordPair words{};
  REQUIRE(modbus::encode(entry, value, words).ok());
  return words;
}

constexpr std::array orders = {WordOrder::abcd, WordOrder::cdab, WordOrder::badc, WordOrder::dcba};

}  // namespace

TEST_CASE("the order of a float that moves is found in all four, with the numbers that led to it") {
  for (const WordOrder order : orders) {
    std::vector<WordPair> samples;
    for (const double value : {12.41, 12.44, 12.47})
      samples.push_back(words_of(value, modbus::Encoding::floating, order));
    const auto verdict = judge_pair(samples);
    REQUIRE_MESSAGE(verdict, modbus::name(order));
    CHECK(verdict->type == Type::float32);
    CHECK(verdict->order == order);
    CHECK(verdict->lead >= 2);
    CHECK_MESSAGE(verdict->reason.starts_with(fmt::format("as float32 {}: 12.41, 12.44, 12.47 (", modbus::name(order))),
                  verdict->reason);
  }
}

TEST_CASE("of many random floats that move slowly no order is taken for another, and most are found") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> size(-2.5, 5.5), change(-0.03, 0.03), sign(-1, 1);
  int found = 0, wrong = 0;
  constexpr int rounds = 2000;
  for (int round = 0; round < rounds; ++round) {
    const WordOrder order = orders[random() % 4];
    const double first = std::copysign(std::pow(10, size(random)), sign(random));
    std::vector<WordPair> samples;
    for (int i = 0; i < 3; ++i) {
      samples.push_back(words_of(first * (1 + change(random)), modbus::Encoding::floating, order));
    }
    const auto verdict = judge_pair(samples);
    if (!verdict) continue;
    verdict->order == order && verdict->type == Type::float32 ? ++found : ++wrong;
  }
  MESSAGE("found " << found << ", wrong " << wrong << " of " << rounds);
  CHECK(wrong == 0);
  CHECK(found > rounds * 9 / 10);
}

TEST_CASE("a 32-bit integer is found by what it carries from one register into the other") {
  for (const WordOrder order : orders) {
    std::vector<WordPair> samples;
    for (const double value : {131060.0, 131080.0, 131100.0})
      samples.push_back(words_of(value, modbus::Encoding::signed_integer, order));
    const auto verdict = judge_pair(samples);
    REQUIRE_MESSAGE(verdict, modbus::name(order));
    CHECK(verdict->type == Type::int32);
    CHECK(verdict->order == order);
  }
}

TEST_CASE("two registers that have nothing to do with each other are no pair") {
  std::mt19937_64 random(12);
  int pairs = 0;
  constexpr int rounds = 2000;
  for (int round = 0; round < rounds; ++round) {
    std::array<double, 2> value = {static_cast<double>(random() % 5000), static_cast<double>(random() % 5000)};
    std::vector<WordPair> samples;
    for (int i = 0; i < 3; ++i) {
      samples.push_back({static_cast<Word>(value[0]), static_cast<Word>(value[1])});
      for (double& each : value) each += static_cast<double>(random() % 41) - 20 + (each < 20 ? 20 : 0);
    }
    if (judge_pair(samples)) ++pairs;
  }
  MESSAGE("pairs " << pairs << " of " << rounds);
  CHECK(pairs <= rounds / 100);
}

TEST_CASE("what does not move, is too short or is 0 has no order") {
  CHECK(!judge_pair({}));
  const std::vector<WordPair> one = {{0x4146, 0x8F5C}};
  CHECK(!judge_pair(one));
  const std::vector<WordPair> still(3, WordPair{0x4146, 0x8F5C});
  CHECK(!judge_pair(still));
  const std::vector<WordPair> zeros = {{0, 0}, {0, 0}, {0, 1}};
  CHECK(!judge_pair(zeros));
}

TEST_CASE("single registers are called what they do") {
  const auto motion = [](std::vector<Word> samples) { return behaviour_of(samples).motion; };
  CHECK(motion({7, 7, 7}) == Motion::constant);
  CHECK(motion({7, 8, 9}) == Motion::counter);
  CHECK(motion({65535, 0, 1}) == Motion::counter);
  CHECK(motion({0, 4, 0}) == Motion::bit_like);
  CHECK(motion({100, 90, 120}) == Motion::changing);
  CHECK(behaviour_of(std::vector<Word>{65530, 3, 65000}).is_signed);
  CHECK(!behaviour_of(std::vector<Word>{30000, 40000, 50000}).is_signed);
  CHECK(behaviour_of(std::vector<Word>{65530, 3, 2}).text == "changing: -6, 3, 2");
}

TEST_CASE("histories stay bounded however long they are") {
  Observations seen;
  for (int i = 0; i < 10'000; ++i) {
    const std::array<Word, 2> words = {static_cast<Word>(i), 1};
    seen.add(ModbusTable::holding, 10, words);
  }
  const auto series = seen.series(ModbusTable::holding, 10);
  CHECK(series.size() <= Observations::most_samples);
  CHECK(series.size() >= Observations::most_samples / 4);
  CHECK(series.front() == 0);
  CHECK(series.back() > 9000);
  CHECK(seen.addresses(ModbusTable::holding) == std::vector<std::uint32_t>{10, 11});
  CHECK(seen.is_asked_pair(ModbusTable::holding, 10));
  CHECK(seen.pairs(ModbusTable::holding, 11).empty());
  CHECK(register_text(ModbusTable::holding, 10) == "holding 10 (40011)");
  CHECK(register_text(ModbusTable::input, 20000) == "input 20000 (320001)");
  CHECK(register_text(ModbusTable::coil, 0) == "coil 0 (00001)");
}
