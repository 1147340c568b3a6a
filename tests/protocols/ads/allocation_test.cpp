// SPDX-License-Identifier: Apache-2.0
// The warm cycle of an ADS client: no allocation.
#include <doctest/doctest.h>

#include "tests/allocations.hpp"
#include "tests/protocols/ads/fake.hpp"

namespace tandem::ads {
namespace {

constexpr int rounds = 300;  // more than the inbox has places

TEST_CASE("a warm read and sum read and notification allocate nothing") {
  FakeServer server([](FakeDevice& device) {
    const std::array<std::uint8_t, 48> value{};
    const auto add = device.request();
    if (!add) return;
    const AmsHeader subscription = add->header;
    device.answer(subscription, AddNotificationResponse{0, 7});
    while (const auto request = device.request()) {
      device.notify(subscription, 7, value);
      device.notify(subscription, 7, value);
      const std::array<std::uint8_t, 2 * (4 + 48)> sum{};
      if (request->header.command == Command::read_write)
        device.answer(request->header, ReadResponse{0, sum});
      else
        device.answer(request->header, ReadResponse{0, value});
    }
  });
  Client client = server.connect();
  REQUIRE(client.add_notification(group::memory, 0, 48, TransMode::server_cycle, 10ms, soon()));
  std::array<std::uint8_t, 48> a{};
  std::array<std::uint8_t, 48> b{};
  std::array<SumReadItem, 2> items{SumReadItem{group::memory, 0, a}, SumReadItem{group::memory, 48, b}};
  std::size_t warm = 0;
  for (int round = 0; round < 2 * rounds; ++round) {
    if (round == rounds) warm = allocations;
    bool good = client.read(group::memory, 0, a, soon()).ok();
    good &= client.sum_read(items, soon()).ok();
    for (int i = 0; i < 2; ++i) {
      auto next = client.next_notification(soon());
      good &= next.ok() && next->has_value();
    }
    auto newest = client.newest_notification(7, soon());
    good &= newest.ok() && newest->has_value();
    // Asking in vain is part of a cycle too.
    auto none = client.next_notification(Instant{});
    good &= none.ok() && !none->has_value();
    if (!good) FAIL("round ", round);
  }
  CHECK(allocations - warm == 0);
}

TEST_CASE("a warm sum read of many variables allocates nothing") {
  constexpr std::size_t count = 500, size = 48;
  FakeServer server([](FakeDevice& device) {
    const Buffer values(count * (4 + size));
    while (const auto request = device.request()) device.answer(request->header, ReadResponse{0, values});
  });
  Client client = server.connect();
  std::vector<std::uint8_t> into(count * size, 1);
  std::vector<SumReadItem> items;
  for (std::size_t i = 0; i < count; ++i)
    items.push_back({group::memory, static_cast<std::uint32_t>(size * i), std::span(into).subspan(size * i, size)});
  std::size_t warm = 0;
  bool good = true;
  for (int round = 0; round < 20; ++round) {
    if (round == 4) warm = allocations;
    good &= client.sum_read(items, soon()).ok();
  }
  CHECK(allocations - warm == 0);
  CHECK(good);
  CHECK(into == std::vector<std::uint8_t>(count * size));
}

}  // namespace
}  // namespace tandem::ads
