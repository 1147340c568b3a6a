// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/server/outbox.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace tandem::web {
namespace {

// The number is told by the body.
Waiting numbered(std::uint8_t number, bool droppable, std::size_t size = 1) {
  return {Opcode::binary,
          {.droppable = droppable, .body = std::make_shared<const std::vector<std::uint8_t>>(size, number)}};
}

std::vector<int> all_numbers(Outbox& outbox) {
  std::vector<Waiting> taken;
  while (!outbox.empty()) outbox.take(taken, 1000, 3);
  std::vector<int> numbers;
  for (const auto& one : taken) numbers.push_back((*one.frame.body)[0]);
  CHECK(outbox.bytes() == 0);
  return numbers;
}

const std::size_t cost = numbered(0, true, 0).size();

}  // namespace

TEST_CASE("frames leave the outbox in their order") {
  Outbox outbox(10, 10000);
  for (std::uint8_t i = 0; i < 9; ++i) CHECK(outbox.put(numbered(i, i % 3 != 0)));
  CHECK(outbox.size() == 9);
  CHECK(all_numbers(outbox) == std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(outbox.dropped() == 0);
}

TEST_CASE("the oldest data is dropped and nothing else") {
  Outbox outbox(3, 100000);
  CHECK(outbox.put(numbered(100, false)));
  for (std::uint8_t i = 0; i < 7; ++i) CHECK(outbox.put(numbered(i, true)));
  CHECK(outbox.put(numbered(101, false)));
  CHECK(outbox.dropped() == 4);
  CHECK(all_numbers(outbox) == std::vector{100, 4, 5, 6, 101});
}

TEST_CASE("bytes are bounded and what must not be lost pushes data out") {
  Outbox outbox(100, 10 * (cost + 10));
  for (std::uint8_t i = 0; i < 10; ++i) CHECK(outbox.put(numbered(i, true, 10)));
  CHECK(outbox.dropped() == 0);
  CHECK(outbox.put(numbered(100, false, cost + 20)));  // in the place of two
  CHECK(outbox.dropped() == 2);
  CHECK(outbox.put(numbered(50, true, 20 * cost)));  // never fits: goes itself, and takes nobody along
  CHECK(outbox.dropped() == 3);
  CHECK(all_numbers(outbox) == std::vector{2, 3, 4, 5, 6, 7, 8, 9, 100});
}

TEST_CASE("a client that would lose what must not be lost is given up") {
  Outbox outbox(100, 3 * (cost + 10));
  for (std::uint8_t i = 0; i < 3; ++i) CHECK(outbox.put(numbered(i, false, 10)));
  CHECK(outbox.put(numbered(9, true, 10)));  // data only vanishes
  CHECK(outbox.dropped() == 1);
  CHECK_FALSE(outbox.put(numbered(4, false, 10)));
}

TEST_CASE("a batch holds one frame of any size and else keeps to its bounds") {
  Outbox outbox(100, 1 << 20);
  CHECK(outbox.put(numbered(0, true, 5000)));
  for (std::uint8_t i = 1; i < 20; ++i) CHECK(outbox.put(numbered(i, true, 10)));
  std::vector<Waiting> batch;
  outbox.take(batch, 1000, 8);
  CHECK(batch.size() == 1);
  batch.clear();
  outbox.take(batch, 3 * (cost + 10), 8);
  CHECK(batch.size() == 3);
  batch.clear();
  outbox.take(batch, 1 << 20, 8);
  CHECK(batch.size() == 8);
}

TEST_CASE("the outbox does what a plain list would do") {
  std::mt19937_64 random(3);
  Outbox outbox(5, 100000);
  std::vector<std::pair<int, bool>> model;
  for (int round = 0; round < 5000; ++round) {
    if (random() % 3 != 0) {
      const auto number = static_cast<std::uint8_t>(random() % 256);
      const bool droppable = random() % 4 != 0;
      REQUIRE(outbox.put(numbered(number, droppable)));
      if (droppable && std::ranges::count(model, true, &std::pair<int, bool>::second) == 5) {
        model.erase(std::ranges::find(model, true, &std::pair<int, bool>::second));
      }
      model.emplace_back(number, droppable);
    } else {
      std::vector<Waiting> batch;
      outbox.take(batch, 1 << 20, 2);
      for (const auto& one : batch) {
        REQUIRE(model.front().first == (*one.frame.body)[0]);
        model.erase(model.begin());
      }
    }
    REQUIRE(outbox.size() == model.size());
  }
}

}  // namespace tandem::web
