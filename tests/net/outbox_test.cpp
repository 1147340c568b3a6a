// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/outbox.hpp"

#include <doctest/doctest.h>

#include <sys/socket.h>

#include <random>
#include <stdexcept>
#include <vector>

using namespace tandem;
using namespace tandem::net;

namespace {

// Two ends of a connection whose buffers are small.
struct Pipe {
  Pipe() {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) throw std::runtime_error("socketpair");
    const int size = 4096;
    ::setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    near = TcpSocket(Descriptor(ends[0]));
    far = TcpSocket(Descriptor(ends[1]));
  }
  TcpSocket near, far;
};

}  // namespace

TEST_CASE("a reader that is slow but steady gets every answer and costs a bounded buffer") {
  Pipe pipe;
  Outbox out(8 * 1024);
  std::vector<std::uint8_t> sent, seen, buffer(3000);
  std::mt19937_64 random(6);
  std::uint8_t next = 0;
  for (int round = 0; round < 3000; ++round) {
    if (out.unsent() < 4000) {
      std::vector<std::uint8_t> packet(1 + random() % 900);
      for (auto& byte : packet) byte = next++;
      out.send(packet);
      sent.insert(sent.end(), packet.begin(), packet.end());
    }
    REQUIRE(out.flush(pipe.near));
    const auto count = pipe.far.read_now(std::span(buffer).first(1 + random() % 500));
    REQUIRE(count);
    seen.insert(seen.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  REQUIRE_FALSE(out.overflowed());
  CHECK(seen.size() > 200'000);
  REQUIRE(seen.size() <= sent.size());
  CHECK(std::equal(seen.begin(), seen.end(), sent.begin()));
}

TEST_CASE("answers beyond the bound are an overflow and samples never are") {
  Outbox out(1000);
  const std::vector<std::uint8_t> packet(400, 1);
  for (int i = 0; i < 100; ++i) out.send_newest(packet);
  CHECK_FALSE(out.overflowed());
  CHECK(out.unsent() == 800);
  out.send(packet);
  CHECK(out.overflowed());
  CHECK(out.unsent() == 800);
}

TEST_CASE("a lossy outbox loses what finds no room and does not overflow") {
  Pipe pipe;
  Outbox out(1000, true);
  const std::vector<std::uint8_t> packet(400, 1);
  for (int i = 0; i < 100; ++i) out.send(packet);
  CHECK_FALSE(out.overflowed());
  CHECK(out.unsent() == 800);
  CHECK(out.dropped() == 98);
  REQUIRE(out.flush(pipe.near));
  out.send(packet);
  CHECK(out.unsent() == 400);
}
