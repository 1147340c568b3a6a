// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/announcers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

namespace tandem::ros2 {
namespace {

using namespace std::chrono_literals;

const Ipv4 flooder{10, 0, 0, 66}, quiet{10, 0, 0, 2};
const Instant start = Instant{} + 1h;

ParticipantPrefix participant(std::uint32_t number) {
  ParticipantPrefix prefix{1, 15};
  for (std::size_t i = 0; i < 4; ++i) prefix[8 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  return prefix;
}

}  // namespace

TEST_CASE("a flood from one address takes its quota and no more and newcomers of others have their place") {
  Announcers announcers;
  Instant now = start;
  for (std::uint32_t i = 0; i < 20; ++i) REQUIRE(announcers.admit({participant(i), quiet, 10, 1}, now).admitted);
  std::size_t dismissed = 0;
  for (std::uint32_t i = 0; i < 20'000; ++i, now += 1ms) {
    const Admission admission = announcers.admit({participant(1000 + i), flooder, 0x7fffffff, 1}, now);
    if (!admission.dismissed) continue;
    ++dismissed;
    CHECK(admission.admitted);
    for (std::uint32_t own = 0; own < 20; ++own) CHECK(*admission.dismissed != participant(own));
  }
  CHECK(announcers.size() == 20 + Announcers::most_of_one);
  CHECK(dismissed > 1000);
  CHECK(dismissed <= 2001);  // one in 10 ms
  const Admission late = announcers.admit({participant(500), quiet, 10, 1}, now);
  CHECK(late.admitted);
  CHECK_FALSE(late.dismissed.has_value());
}

TEST_CASE("spoofed announcements that fill the table with long leases do not lock newcomers out") {
  Announcers announcers;
  for (std::uint32_t i = 0; i < Announcers::most; ++i) {
    const Ipv4 from{10, 0, 1, static_cast<std::uint8_t>(i % 200)};
    REQUIRE(announcers.admit({participant(i), from, 0x7fffffff, 7}, start + i * 1ms).admitted);
  }
  const Admission late = announcers.admit({participant(9999), quiet, 10, 1}, start + 1s);
  CHECK(late.admitted);
  REQUIRE(late.dismissed.has_value());
  // The least recently heard among those of the addresses with most participants, three each: 0 to 111.
  CHECK(*late.dismissed == participant(0));
  CHECK(late.sequence == 7);
  CHECK(announcers.size() == Announcers::most);
}

TEST_CASE("who was heard again stays longer than who was heard once and of those the newest leaves") {
  // Against a list that is kept in the plainest way: an element each time that one is heard.
  Announcers announcers;
  std::mt19937_64 random(16);
  struct Heard {
    ParticipantPrefix who;
    Instant first, last;
  };
  std::vector<Heard> list;
  Instant now = start;
  for (int i = 0; i < 4000; ++i) {
    now += 10ms;
    const ParticipantPrefix who = participant(static_cast<std::uint32_t>(random() % 200));
    const Admission admission = announcers.admit({who, quiet, 100, i}, now);
    REQUIRE(admission.admitted);
    const auto known = std::ranges::find(list, who, &Heard::who);
    if (known != list.end()) {
      CHECK_FALSE(admission.dismissed.has_value());
      known->last = now;
      continue;
    }
    CHECK(admission.dismissed.has_value() == (list.size() == Announcers::most_of_one));
    if (admission.dismissed) {
      std::ranges::sort(list, {}, &Heard::last);
      auto leaves = std::ranges::find_if(list, [](const Heard& each) { return each.last - each.first < 500ms; });
      if (leaves == list.end()) leaves = std::ranges::max_element(list, {}, &Heard::first);
      CHECK(*admission.dismissed == leaves->who);
      list.erase(leaves);
    }
    list.push_back({who, now, now});
  }
  CHECK(announcers.size() == Announcers::most_of_one);
}

TEST_CASE("who is established keeps its place beside others that announce themselves often") {
  Announcers announcers;
  Instant now = start;
  const auto own = [&] { return announcers.admit({participant(1), quiet, 10, 1}, now); };
  own();
  now += 3s;
  own();
  for (std::uint32_t round = 0; round < 300; ++round, now += 100ms) {  // at 10 Hz, and a new one each second
    if (round % 30 == 0) own();
    for (std::uint32_t i = 0; i < Announcers::most_of_one + round / 10; ++i) {
      const bool is_new = round % 10 == 0 && (round == 0 || i + 1 == Announcers::most_of_one + round / 10);
      if (!is_new && !announcers.has_heard(participant(1000 + i), quiet)) continue;
      CHECK(announcers.admit({participant(1000 + i), quiet, 100, round}, now).dismissed != participant(1));
    }
  }
  CHECK(announcers.has_heard(participant(1), quiet));
}

TEST_CASE("a lease that ended makes room first and no lease is longer than the longest") {
  Announcers announcers;
  constexpr std::int32_t forever = 0x7fffffff;  // s
  const auto fill = [&](std::uint32_t number, std::int32_t lease, Instant now) {
    return announcers.admit({participant(number), quiet, lease, 1}, now);
  };
  for (std::uint32_t i = 0; i < Announcers::most_of_one; ++i) fill(i, i == 77 ? 5 : forever, start + i * 1ms);
  for (std::uint32_t i = 0; i < Announcers::most_of_one; ++i) fill(i, i == 77 ? 5 : forever, start + 2s + i * 1ms);
  CHECK(fill(1000, 10, start + 9s).dismissed == participant(77));
  // Of those that never end by their own words, the one heard last leaves after 101 s before one that is established.
  for (std::uint32_t i = 0; i < Announcers::most_of_one; ++i) {
    if (i != 5 && i != 77) fill(i, forever, start + 60s);
  }
  CHECK(fill(1001, 10, start + 104s).dismissed == participant(1000));
  CHECK(fill(1002, 10, start + 105s).dismissed == participant(5));
}

TEST_CASE("a participant is known by all addresses that it announced itself from") {
  Announcers announcers;
  const Ipv4 second{192, 168, 1, 2};
  announcers.admit({participant(1), quiet, 10, 1}, start);
  CHECK(announcers.has_heard(participant(1), quiet));
  CHECK_FALSE(announcers.has_heard(participant(1), second));
  announcers.admit({participant(1), second, 10, 1}, start);
  CHECK(announcers.has_heard(participant(1), quiet));
  CHECK(announcers.has_heard(participant(1), second));
  CHECK_FALSE(announcers.has_heard(participant(2), second));
  CHECK(announcers.size() == 1);
}

TEST_CASE("who has ended leaves room for others") {
  Announcers announcers;
  for (std::uint32_t i = 0; i < 10 * Announcers::most_of_one; ++i) {
    const Admission admission = announcers.admit({participant(i), quiet, 100, 7}, start);
    REQUIRE(admission.admitted);
    CHECK_FALSE(admission.dismissed.has_value());
    if (i < 70) continue;  // these stay
    CHECK(announcers.forget(participant(i)) == 7);
    CHECK_FALSE(announcers.forget(participant(i)).has_value());
  }
  CHECK(announcers.size() == 70);
  for (std::uint32_t i = 0; i < 70; ++i) CHECK(announcers.has_heard(participant(i), quiet));
}

TEST_CASE("another address of a participant takes over once when the one that was read is silent") {
  const Ipv4 second{192, 168, 1, 2};
  const auto heard = [&](Announcers& announcers, const Ipv4& from, Duration after, std::int64_t sequence = 1) {
    return announcers.admit({participant(1), from, 10, sequence, from == quiet}, start + after).dismissed;
  };
  Announcers announcers;
  heard(announcers, quiet, 0s);
  for (int i = 0; i < 100; i += 3) {  // on both networks, and now and then one is lost
    CHECK_FALSE(heard(announcers, second, i * 1s).has_value());
    if (i % 9 != 0) CHECK_FALSE(heard(announcers, quiet, i * 1s).has_value());
  }
  CHECK_FALSE(heard(announcers, second, 115s).has_value());
  CHECK(heard(announcers, second, 120s) == participant(1));
  CHECK_FALSE(heard(announcers, second, 123s).has_value());
  CHECK_FALSE(heard(announcers, quiet, 200s).has_value());

  // What Fast DDS reads by itself needs no help, and one that hides nothing has no other address.
  Announcers moving;
  heard(moving, quiet, 0s);
  heard(moving, second, 1s, 2);
  CHECK_FALSE(heard(moving, second, 60s, 2).has_value());
  Announcers whole;
  heard(whole, second, 0s);
  CHECK_FALSE(heard(whole, quiet, 60s).has_value());
  // With DDS Security a second address is none of the participant's while the first is alive.
  Announcers fixed(Moves::refused);
  heard(fixed, quiet, 0s);
  CHECK_FALSE(fixed.admit({participant(1), second, 10, 1}, start + 5s).admitted);
  CHECK_FALSE(fixed.admit({participant(1), second, 10, 2}, start + 5s).admitted);
  CHECK_FALSE(fixed.has_heard(participant(1), second));
  CHECK(fixed.admit({participant(1), second, 10, 2}, start + 12s).admitted);
}

}  // namespace tandem::ros2
