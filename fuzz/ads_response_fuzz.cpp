// SPDX-License-Identifier: Apache-2.0
// Any bytes from a device to the ADS client: every call ends, and nothing half-checked comes out.
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tandem/protocols/ads/client/client.hpp"

namespace {

using namespace tandem;
using namespace tandem::ads;

constexpr std::uint32_t subscribed = 7;
constexpr std::size_t subscribed_length = 8;

void require(bool holds) {
  if (!holds) std::abort();
}

const Peer peer{"fuzz", tcp_port, {NetId{{5, 1, 2, 3, 1, 1}}, port::plc}, {NetId{{127, 0, 0, 1, 1, 1}}, 30000}};

// The handle of the first subscription, then what the fuzzer wrote, then the end of the stream.
void send(net::TcpSocket& device, Bytes input) {
  AmsHeader header{peer.own, peer.target, Command::add_notification, flag::ads_command | flag::response, 0, 0, 1};
  std::vector<std::uint8_t> out;
  append_frame(out, header, AddNotificationResponse{0, subscribed});
  const Bytes fitting = input.first(std::min<std::size_t>(input.size(), 64 << 10));
  out.insert(out.end(), fitting.begin(), fitting.end());
  require(device.write_now(out).ok());
  device.shutdown_write();
}

// One call, which the device answers with the fuzzer's bytes: they are all there before it is made.
void call(Client& client, unsigned which) {
  const Instant at_once{};
  std::array<std::uint8_t, 8> into;
  into.fill(0xEE);
  switch (which % 10) {
    case 0:
      if (!client.read(group::memory, 0, into, at_once)) require(std::ranges::count(into, 0xEE) == 8);
      return;
    case 1:
      return static_cast<void>(client.read_state(at_once).ok());
    case 2:
      return static_cast<void>(client.device_info(at_once).ok());
    case 3:
      return static_cast<void>(client.write(group::memory, 0, into, at_once).ok());
    case 4:
      return static_cast<void>(client.handle_by_name("MAIN.x", at_once).ok());
    case 5:
      if (auto symbol = client.symbol_info("MAIN.x", at_once)) require(same_name(symbol->name, "MAIN.x"));
      return;
    case 6:
      return static_cast<void>(client.type_info("T", at_once).ok());
    case 7: {
      std::array<SumReadItem, 2> items{SumReadItem{1, 2, into}, SumReadItem{3, 4, into}};
      return static_cast<void>(client.sum_read(items, at_once).ok());
    }
    case 8: {
      const auto first = client.begin_read(group::memory, 0, 8, at_once);
      const auto second = client.begin_write(group::memory, 0, into, at_once);
      if (second) static_cast<void>(client.await(*second, at_once).ok());
      if (first) static_cast<void>(client.await(*first, at_once).ok());
      return;
    }
    default:
      return static_cast<void>(client.delete_notification(subscribed, at_once).ok());
  }
}

void use(Client& client, unsigned which) {
  const Instant at_once{};
  require(
      client.add_notification(group::memory, 0, subscribed_length, TransMode::server_cycle, Duration{}, at_once).ok());
  call(client, which);
  for (int i = 0; i < 300; ++i) {
    auto next = client.next_notification(at_once);
    if (!next || !*next) break;
    require((*next)->handle == subscribed && (*next)->data.size() == subscribed_length);
  }
  static_cast<void>(client.newest_notification(subscribed, at_once).ok());
}

// The stream in small pieces gives the packets that it gives as a whole.
void compare_splits(Bytes input) {
  Framer whole(1 << 16);
  Framer pieces(1 << 16);
  whole.feed(input);
  std::size_t fed = 0;
  while (true) {
    const auto expected = whole.next();
    auto got = pieces.next();
    while (got.ok() && !*got && fed < input.size()) {
      const std::size_t size = std::min<std::size_t>(1 + fed % 7, input.size() - fed);
      pieces.feed(input.subspan(fed, size));
      fed += size;
      got = pieces.next();
    }
    require(expected.ok() == got.ok());
    if (!expected.ok() || !*expected) return;
    require(got->has_value() && (*expected)->header == (*got)->header);
    require(std::ranges::equal((*expected)->payload, (*got)->payload));
  }
}

}  // namespace

// The first byte chooses the call, the rest is what the device sends.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes input(data + 1, size - 1);
  compare_splits(input);
  std::array<int, 2> ends{};
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  net::TcpSocket device{net::Descriptor(ends[0])};
  Client client(Exchange(net::TcpSocket(net::Descriptor(ends[1])), peer));
  send(device, input);
  use(client, data[0]);
  decode_symbols(input);
  decode_types(input);
  return 0;
}
