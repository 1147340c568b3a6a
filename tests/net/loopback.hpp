// SPDX-License-Identifier: Apache-2.0
// Two ends of a real loopback connection, and the small words that net tests share.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <ctime>
#include <random>
#include <vector>

#include "tandem/net/socket.hpp"
#include "tests/deadline.hpp"

namespace tandem::net {

using Buffer = std::vector<std::uint8_t>;

struct Pair {
  TcpSocket client;
  TcpSocket server;
};

inline Pair connected_pair() {
  auto listener = TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  auto client = TcpSocket::connect("127.0.0.1", listener->local().port, soon());
  REQUIRE(client);
  auto server = listener->accept(soon());
  REQUIRE(server);
  return {std::move(*client), std::move(*server)};
}

inline Buffer random_bytes(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Buffer bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// Everything until the peer closes, resets or stays silent past the deadline; `end` says which.
inline Buffer read_until_end(TcpSocket& socket, Instant deadline, Fault* end = nullptr) {
  Buffer all;
  Buffer chunk(65536);
  while (true) {
    auto count = socket.read_some(chunk, deadline);
    if (!count) {
      if (end != nullptr) *end = count.error().fault;
      return all;
    }
    all.insert(all.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(*count));
  }
}

// Processor time of this thread: what a spin would burn.
inline Duration processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace tandem::net
