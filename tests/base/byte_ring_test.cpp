// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/byte_ring.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <string>
#include <thread>

namespace tandem {
namespace {

std::string ring_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::vector<std::string> all_of(ByteRing& ring) {
  std::vector<std::string> taken;
  ring.take([&](Bytes bytes) { taken.push_back(ring_text(bytes)); });
  return taken;
}

TEST_CASE("records come out of the ring whole and in order") {
  ByteRing ring(256);
  CHECK(all_of(ring).empty());
  CHECK(ring.put({as_bytes("one")}));
  CHECK(ring.put({as_bytes("t"), as_bytes("wo"), Bytes{}}));
  CHECK(ring.put({}));
  CHECK(all_of(ring) == std::vector<std::string>{"one", "two", ""});
  CHECK(all_of(ring).empty());
  CHECK(ring.used() == 0);
}

TEST_CASE("what does not fit into the ring is dropped and counted") {
  ByteRing ring(128);
  CHECK(ring.capacity() == 128);
  const std::string piece(24, 'x');  // 32 bytes with its first word
  for (int i = 0; i < 4; ++i) CHECK(ring.put({as_bytes(piece)}));
  CHECK_FALSE(ring.put({as_bytes(piece)}));
  CHECK_FALSE(ring.put({}));
  CHECK(ring.dropped() == 2);
  CHECK(all_of(ring).size() == 4);
  CHECK(ring.put({as_bytes(piece)}));
  const std::string too_large(ring.largest() + 1, 'x');
  CHECK_FALSE(ring.put({as_bytes(too_large)}));
  CHECK(ring.dropped() == 3);
  CHECK(all_of(ring).size() == 1);
}

TEST_CASE("the largest record always fits into an empty ring") {
  for (std::size_t before = 0; before < 40; ++before) {
    ByteRing ring(256);
    REQUIRE(ring.put({as_bytes(std::string(before, 'a'))}));
    REQUIRE(all_of(ring).size() == 1);
    const std::string largest(ring.largest(), 'b');
    CAPTURE(before);
    CHECK(ring.put({as_bytes(largest)}));
    CHECK(all_of(ring) == std::vector<std::string>{largest});
  }
}

TEST_CASE("a ring and a plain queue agree over many laps") {
  std::mt19937_64 random(7);
  ByteRing ring(1024);
  std::deque<std::string> model;
  std::uint64_t dropped = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 3 != 0) {
      std::string record(random() % 200, '\0');
      for (char& c : record) c = static_cast<char>(random());
      if (ring.put({as_bytes(record)})) {
        model.push_back(record);
      } else {
        ++dropped;
      }
    } else {
      const std::size_t most = random() % 5;
      const std::size_t expected = std::min(most, model.size());
      const std::size_t taken = ring.take(
          [&](Bytes bytes) {
            REQUIRE(ring_text(bytes) == model.front());
            model.pop_front();
          },
          most);
      REQUIRE(taken == expected);
    }
  }
  CHECK(ring.dropped() == dropped);
  CHECK(dropped > 0);
}

TEST_CASE("a producer that is held up stops no other producer") {
  ByteRing ring(256);
  const auto held = ring.claim(4);
  REQUIRE(held);
  std::thread other([&] {
    CHECK(ring.put({as_bytes("after")}));
    CHECK(ring.put({as_bytes("later")}));
  });
  other.join();
  CHECK(all_of(ring).empty());  // what is visible stays in order
  std::memcpy(held->bytes.data(), "slow", 4);
  ring.publish(*held);
  CHECK(all_of(ring) == std::vector<std::string>{"slow", "after", "later"});
}

TEST_CASE("a consumer that throws finds its record again") {
  ByteRing ring(256);
  ring.put({as_bytes("one")});
  CHECK_THROWS_AS(ring.take([](Bytes) { throw 1; }), int);
  CHECK(all_of(ring) == std::vector<std::string>{"one"});
}

// Each record: who, its number, and bytes that follow from both.
TEST_CASE("many producers and one consumer lose nothing but what is counted") {
  constexpr std::size_t producers = 4;
  constexpr std::uint32_t records = 4000;
  ByteRing ring(4096);
  std::atomic<std::size_t> running{producers};
  std::array<std::uint64_t, producers> refused{};
  std::vector<std::thread> threads;
  for (std::size_t who = 0; who < producers; ++who) {
    threads.emplace_back([&, who] {
      std::mt19937 random(static_cast<unsigned>(who));
      std::vector<std::uint8_t> body;
      for (std::uint32_t i = 0; i < records; ++i) {
        body.assign(random() % 90, static_cast<std::uint8_t>(who * 31 + i));
        const std::array<std::uint32_t, 2> head = {static_cast<std::uint32_t>(who), i};
        const Bytes first{reinterpret_cast<const std::uint8_t*>(head.data()), sizeof head};
        if (!ring.put({first, body})) {
          ++refused[who];
          std::this_thread::yield();
        }
      }
      --running;
    });
  }
  std::array<std::uint64_t, producers> seen{};
  std::array<std::int64_t, producers> last{-1, -1, -1, -1};
  std::size_t wrong = 0;
  const auto check = [&](Bytes bytes) {
    ByteReader reader(bytes);
    const auto who = reader.little<std::uint32_t>(), number = reader.little<std::uint32_t>();
    if (!reader.ok() || who >= producers || static_cast<std::int64_t>(number) <= last[who])
      return static_cast<void>(++wrong);
    for (const std::uint8_t byte : reader.rest()) wrong += byte != static_cast<std::uint8_t>(who * 31 + number);
    last[who] = number;
    ++seen[who];
  };
  while (running > 0) {
    if (ring.take(check) == 0) std::this_thread::yield();
  }
  for (auto& thread : threads) thread.join();
  ring.take(check);
  CHECK(wrong == 0);
  std::uint64_t all_refused = 0;
  for (std::size_t who = 0; who < producers; ++who) {
    CHECK(seen[who] + refused[who] == records);
    all_refused += refused[who];
  }
  CHECK(ring.dropped() == all_refused);
  CHECK(ring.used() == 0);
}

}  // namespace
}  // namespace tandem
