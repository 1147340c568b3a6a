// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/faults/path.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace tandem::net {

namespace {

using Buffer = std::vector<std::uint8_t>;
constexpr Instant start{1h};

// Everything that leaves until nothing more will, in virtual time; `at` collects when each piece left.
std::vector<Buffer> drain(FaultPath& path, const PathFaults& faults, Instant now, std::vector<Duration>* at = nullptr) {
  std::vector<Buffer> pieces;
  while (path.next(faults) != Instant::max()) {
    now = std::max(now, path.next(faults));
    const auto bytes = path.due(faults, now);
    REQUIRE(bytes);
    pieces.emplace_back(bytes->begin(), bytes->end());
    if (at != nullptr) at->push_back(now - start);
    path.left(bytes->size(), faults, now);
  }
  return pieces;
}

Buffer joined(const std::vector<Buffer>& pieces) {
  Buffer all;
  for (const Buffer& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  return all;
}

Buffer counted(std::size_t size) {
  Buffer bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i);
  return bytes;
}

}  // namespace

TEST_CASE("without faults everything leaves at once and unchanged") {
  FaultPath path(false, 1);
  path.take(counted(10), {}, start);
  path.take(counted(20), {}, start);
  std::vector<Duration> at;
  const auto pieces = drain(path, {}, start, &at);
  CHECK(pieces == std::vector<Buffer>{counted(10), counted(20)});
  CHECK(at == std::vector<Duration>{0s, 0s});
  CHECK(path.empty());
}

TEST_CASE("a delay is exact and jitter stays within its bounds") {
  const PathFaults faults{.delay = 100ms, .jitter = 20ms};
  FaultPath path(true, 7);
  for (int i = 0; i < 500; ++i) path.take(counted(4), faults, start);
  std::vector<Duration> at;
  drain(path, faults, start, &at);
  REQUIRE(at.size() == 500);
  CHECK(at.front() >= 100ms);
  CHECK(at.front() < 101ms);
  CHECK(at.back() <= 120ms);
  CHECK(at.back() > 119ms);
}

TEST_CASE("jitter never changes the order of a stream and does change that of datagrams") {
  const PathFaults faults{.jitter = 20ms};
  Buffer expected;
  FaultPath stream(false, 3);
  FaultPath datagrams(true, 3);
  for (std::uint8_t i = 0; i < 100; ++i) {
    stream.take(Buffer{i}, faults, start + i * 1ms);
    datagrams.take(Buffer{i}, faults, start + i * 1ms);
    expected.push_back(i);
  }
  CHECK(joined(drain(stream, faults, start)) == expected);
  Buffer mixed_up = joined(drain(datagrams, faults, start));
  CHECK(mixed_up != expected);
  std::sort(mixed_up.begin(), mixed_up.end());
  CHECK(mixed_up == expected);
}

TEST_CASE("old chunks come again whole and behind newer ones") {
  const PathFaults faults{.replay = 0.5};
  FaultPath path(false, 5);
  std::vector<Buffer> pieces;
  for (std::uint8_t i = 0; i < 100; ++i) {
    path.take(Buffer(3, i), faults, start);
    for (Buffer& piece : drain(path, faults, start)) pieces.push_back(std::move(piece));
  }
  std::size_t again = 0;
  std::uint8_t newest = 0;
  for (const Buffer& piece : pieces) {
    REQUIRE(piece == Buffer(3, piece[0]));
    if (piece[0] < newest) {
      ++again;
      CHECK(newest - piece[0] <= 33);
    }
    newest = std::max(newest, piece[0]);
  }
  CHECK(pieces.size() == 100 + again);
  CHECK(again == path.counts().replayed);
  CHECK(again > 30);
  CHECK(again < 70);
}

TEST_CASE("slices and bandwidth set the pace") {
  SUBCASE("slices") {
    const PathFaults faults{.slice = 3, .slice_gap = 10ms};
    FaultPath path(false, 1);
    path.take(counted(8), faults, start);
    std::vector<Duration> at;
    const auto pieces = drain(path, faults, start, &at);
    CHECK(pieces == std::vector<Buffer>{{0, 1, 2}, {3, 4, 5}, {6, 7}});
    CHECK(at == std::vector<Duration>{0ms, 10ms, 20ms});
  }
  SUBCASE("bandwidth") {
    const PathFaults faults{.bytes_per_second = 10'000};
    FaultPath path(false, 1);
    path.take(counted(10'000), faults, start);
    std::vector<Duration> at;
    CHECK(joined(drain(path, faults, start, &at)) == counted(10'000));
    CHECK(seconds(at.back()) == doctest::Approx(1.0).epsilon(0.01));
  }
  SUBCASE("less than a byte a step") {
    const PathFaults faults{.bytes_per_second = 2};
    FaultPath path(false, 1);
    path.take(counted(4), faults, start);
    std::vector<Duration> at;
    drain(path, faults, start, &at);
    CHECK(at == std::vector<Duration>{0ms, 500ms, 1000ms, 1500ms});
  }
}

TEST_CASE("bits flip with the given probability at places that the seed alone decides") {
  std::mt19937_64 random(1);
  const Buffer sent(200'000, 0x55);
  const PathFaults faults{.corrupt = 0.01};
  const auto run = [&](std::uint64_t seed) {
    FaultPath path(false, seed);
    Buffer got;
    for (std::size_t done = 0; done < sent.size();) {  // cut differently in every run
      const std::size_t size = std::min<std::size_t>(1 + random() % 3000, sent.size() - done);
      path.take(Bytes(sent).subspan(done, size), faults, start);
      done += size;
      const Buffer piece = joined(drain(path, faults, start));
      got.insert(got.end(), piece.begin(), piece.end());
    }
    CHECK(path.counts().corrupted > 1700);  // 2000 expected, standard deviation 45
    CHECK(path.counts().corrupted < 2300);
    return got;
  };
  const Buffer first = run(1);
  REQUIRE(first.size() == sent.size());
  for (std::size_t i = 0; i < first.size(); ++i) REQUIRE(std::popcount<unsigned>(first[i] ^ sent[i]) <= 1);
  CHECK(run(1) == first);
  CHECK(run(2) != first);
}

TEST_CASE("a reordered datagram comes right behind the next one or late") {
  const PathFaults reorder{.reorder = 1};
  FaultPath path(true, 1);
  path.take(Buffer{1}, reorder, start);
  path.take(Buffer{2}, {}, start + 1ms);
  path.take(Buffer{3}, {}, start + 2ms);
  CHECK(joined(drain(path, {}, start)) == Buffer{2, 1, 3});

  path.take(Buffer{4}, reorder, start);
  CHECK(path.next({}) == start + 50ms);  // nobody follows
  CHECK(path.counts().reordered == 2);
}

TEST_CASE("a limit stops a stream at the exact byte and silences datagrams") {
  const PathFaults faults{.limit = 5};
  FaultPath stream(false, 1);
  stream.take(counted(10), faults, start);
  CHECK_FALSE(stream.at_limit(faults));
  CHECK(joined(drain(stream, faults, start)) == counted(5));
  CHECK(stream.at_limit(faults));
  FaultPath datagrams(true, 1);
  datagrams.take(counted(5), faults, start);
  CHECK(joined(drain(datagrams, faults, start)) == counted(5));
  datagrams.take(counted(1), faults, start);
  CHECK(datagrams.empty());
}

TEST_CASE("drops and duplicates happen as often as asked") {
  FaultPath path(true, 5);
  const PathFaults faults{.drop = 0.3, .duplicate = 0.2};
  for (int i = 0; i < 5000; ++i) {
    path.take(Buffer{1}, faults, start);
    drain(path, faults, start);
  }
  CHECK(path.counts().dropped > 1350);  // 1500 expected, standard deviation 32
  CHECK(path.counts().dropped < 1650);
  CHECK(path.counts().duplicated > 580);  // 700 expected, standard deviation 25
  CHECK(path.counts().duplicated < 820);
  CHECK(path.counts().bytes_out == 5000 - path.counts().dropped + path.counts().duplicated);
}

TEST_CASE("what waits is bounded") {
  FaultPath datagrams(true, 1);
  const PathFaults hold{.hold = true};
  for (int i = 0; i < 20'000; ++i) datagrams.take(counted(1000), hold, start);
  CHECK(datagrams.full());
  CHECK(datagrams.counts().overflowed > 18'000);
  CHECK(joined(drain(datagrams, {}, start)).size() <= (1 << 20) + 1000);
}

TEST_CASE("an empty datagram passes") {
  FaultPath path(true, 1);
  path.take({}, {}, start);
  CHECK(drain(path, {}, start) == std::vector<Buffer>{{}});
}

TEST_CASE("a new seed draws chances as if nothing had come before") {
  const PathFaults faults{.jitter = 20ms, .drop = 0.3, .duplicate = 0.2, .corrupt = 0.05};
  const auto run = [&](FaultPath& path) {
    for (int i = 0; i < 300; ++i) path.take(counted(16), faults, start);
    return drain(path, faults, start);
  };
  FaultPath fresh(true, 9), used(true, 4);
  const auto other = run(used);
  used.reseed(9);
  const auto again = run(used);
  CHECK(again == run(fresh));
  CHECK(again != other);
}

}  // namespace tandem::net
