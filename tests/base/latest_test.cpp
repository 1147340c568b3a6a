// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/latest.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace tandem {

namespace {

// Every word follows from the count, so a value put together from two puts cannot look whole.
struct Sample {
  std::uint64_t count = 0;
  std::array<std::uint64_t, 31> words{};

  static Sample of(std::uint64_t count) {
    Sample sample{.count = count};
    for (std::size_t i = 0; i < sample.words.size(); ++i) sample.words[i] = word(count, i);
    return sample;
  }
  bool whole() const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != word(count, i)) return false;
    }
    return true;
  }
  static std::uint64_t word(std::uint64_t count, std::size_t i) {
    return (count + i) * 0x9E3779B97F4A7C15u ^ count >> 3;
  }
};

struct Odd {  // 13 bytes: does not fill its last word
  std::array<std::uint8_t, 13> bytes{};
};

constexpr std::uint64_t puts = 200'000;

struct Seen {
  std::uint64_t reads = 0;
  std::uint64_t torn = 0;
  std::uint64_t backwards = 0;
  std::uint64_t mismatched = 0;  // version and value told different stories
};

Seen watch(const Latest<Sample>& cell, const std::atomic<bool>& over) {
  Seen seen;
  std::uint64_t newest = 0;
  while (!over.load() || seen.reads == 0) {
    std::uint64_t version = 0;
    const auto sample = cell.get(version);
    if (!sample) {
      std::this_thread::yield();
      continue;
    }
    ++seen.reads;
    if (!sample->whole()) ++seen.torn;
    if (sample->count != version) ++seen.mismatched;
    if (version < newest) ++seen.backwards;
    newest = version;
  }
  return seen;
}

}  // namespace

TEST_CASE("a cell is empty before the first put and then holds the newest") {
  Latest<int> cell;
  CHECK_FALSE(cell.get());
  CHECK(cell.version() == 0);
  std::uint64_t version = 99;
  CHECK_FALSE(cell.get(version));
  CHECK(version == 0);
  for (int i = 1; i <= 5; ++i) {
    cell.put(10 * i);
    CHECK(cell.get(version).value() == 10 * i);
    CHECK(version == static_cast<std::uint64_t>(i));
  }
}

TEST_CASE("a value of any size comes back byte for byte") {
  Latest<Odd> cell;
  Odd odd;
  for (std::size_t i = 0; i < odd.bytes.size(); ++i) odd.bytes[i] = static_cast<std::uint8_t>(200 + i);
  cell.put(odd);
  CHECK(cell.get()->bytes == odd.bytes);
}

TEST_CASE("readers on other threads see whole values that never go back") {
  Latest<Sample> cell;
  std::atomic<bool> over = false;
  std::array<Seen, 3> seen{};
  {
    std::vector<std::jthread> readers;
    for (Seen& one : seen) readers.emplace_back([&] { one = watch(cell, over); });
    for (std::uint64_t i = 1; i <= puts; ++i) {
      cell.put(Sample::of(i));
      if (i % 1024 == 0) std::this_thread::yield();  // on few cores readers get their turn too
    }
    over = true;
  }
  for (const Seen& one : seen) {
    CHECK(one.reads > 0);
    CHECK(one.torn == 0);
    CHECK(one.backwards == 0);
    CHECK(one.mismatched == 0);
  }
  CHECK(cell.get()->count == puts);
}

TEST_CASE("a mailbox gives the newest value once") {
  Mailbox<int> mailbox;
  CHECK_FALSE(mailbox.take());
  mailbox.post(1);
  mailbox.post(2);
  CHECK(mailbox.take().value() == 2);
  CHECK_FALSE(mailbox.take());
  mailbox.post(2);  // the same value again is news again
  CHECK(mailbox.take().value() == 2);
}

TEST_CASE("many threads post whole values and each one's come in order") {
  constexpr std::uint64_t posters = 3;
  constexpr std::uint64_t posts = 50'000;
  Mailbox<Sample> mailbox;
  std::atomic<std::uint64_t> posting = posters;
  std::array<std::uint64_t, posters> newest{};
  std::uint64_t torn = 0;
  std::uint64_t backwards = 0;
  std::uint64_t taken = 0;
  const auto take = [&] {
    const auto sample = mailbox.take();
    if (!sample) return false;
    ++taken;
    if (!sample->whole()) ++torn;
    std::uint64_t& before = newest[sample->count % posters];
    if (sample->count <= before) ++backwards;
    before = sample->count;
    return true;
  };
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t poster = 0; poster < posters; ++poster) {
      threads.emplace_back([&, poster] {
        for (std::uint64_t i = 1; i <= posts; ++i) mailbox.post(Sample::of(i * posters + poster));
        --posting;
      });
    }
    while (posting.load() > 0) {
      if (!take()) std::this_thread::yield();
    }
  }
  take();
  CHECK_FALSE(mailbox.take());
  CHECK(taken > 0);
  CHECK(torn == 0);
  CHECK(backwards == 0);
  // Whatever was posted last by the last thread to finish is what was taken last.
  bool a_last_one = false;
  for (std::uint64_t poster = 0; poster < posters; ++poster) a_last_one |= newest[poster] == posts * posters + poster;
  CHECK(a_last_one);
}

}  // namespace tandem
