// SPDX-License-Identifier: Apache-2.0
// The plainest ADS client there can be, on a raw socket: what a server test compares bytes with.
#pragma once

#include <doctest/doctest.h>

#include <deque>
#include <string_view>
#include <vector>

#include "tandem/net/socket.hpp"

namespace tandem::ads::test {

using Buffer = std::vector<std::uint8_t>;

// Little-endian words and bytes, one after the other.
class Words {
 public:
  Words& u16(std::uint16_t value) { return ByteWriter(buffer).little(value), *this; }
  Words& u32(std::uint32_t value) { return ByteWriter(buffer).little(value), *this; }
  Words& bytes(Bytes bytes) { return ByteWriter(buffer).bytes(bytes), *this; }
  Words& text(std::string_view text) { return ByteWriter(buffer).text(text), *this; }
  Words& zeros(std::size_t count) { return ByteWriter(buffer).zeros(count), *this; }
  operator Bytes() const { return buffer; }

  Buffer buffer;
};

inline std::uint32_t u32_at(Bytes bytes, std::size_t position) {
  REQUIRE(bytes.size() >= position + 4);
  return ByteReader(bytes.subspan(position)).little<std::uint32_t>();
}

struct Answer {
  std::uint32_t ams_error = 0;
  Buffer payload;
  std::uint32_t result() const { return u32_at(payload, 0); }
  std::uint32_t length() const { return u32_at(payload, 4); }
  Bytes data() const { return Bytes(payload).subspan(8); }
  std::uint32_t handle() const { return u32_at(payload, 4); }
};

class RawClient {
 public:
  explicit RawClient(std::uint16_t tcp_port, std::uint16_t ams_port = 30000) : own_port(ams_port) {
    auto connected = net::TcpSocket::connect("127.0.0.1", tcp_port, soon());
    REQUIRE(connected.ok());
    socket = std::move(*connected);
  }

  static Instant soon() { return std::chrono::steady_clock::now() + 20s; }
  void send(Bytes bytes) { REQUIRE(socket.write_all(bytes, soon()).ok()); }

  // The next whole packet as it stands on the wire; empty when the server closed.
  Buffer packet() {
    Buffer packet(6);
    if (!socket.read_exact(packet, soon())) return {};
    const std::uint32_t length = u32_at(packet, 2);
    REQUIRE(length < (32u << 20));
    packet.resize(6 + length);
    REQUIRE(socket.read_exact(std::span(packet).subspan(6), soon()).ok());
    return packet;
  }
  bool closed_by_server() {
    std::uint8_t byte = 0;
    const auto count = socket.read_some({&byte, 1}, soon());
    return !count && count.error().fault == Fault::closed;
  }

  Buffer request(std::uint16_t command, Bytes payload, std::uint32_t invoke_id) const {
    Words words;
    words.u16(0).u32(static_cast<std::uint32_t>(32 + payload.size()));
    words.bytes(target).u16(target_port).bytes(own).u16(own_port);
    words.u16(command).u16(4).u32(static_cast<std::uint32_t>(payload.size())).u32(0).u32(invoke_id);
    return words.bytes(payload).buffer;
  }

  // Sends and waits for the answer; notifications that come in between are kept.
  Answer call(std::uint16_t command, Bytes payload) {
    const std::uint32_t invoke_id = ++last_invoke_id;
    send(request(command, payload, invoke_id));
    while (true) {
      const Buffer seen = packet();
      REQUIRE(seen.size() >= 38);
      if (ByteReader(Bytes(seen).subspan(22)).little<std::uint16_t>() == 8) {
        notifications.push_back(seen);
        continue;
      }
      CHECK(u32_at(seen, 34) == invoke_id);
      CHECK(ByteReader(Bytes(seen).subspan(22)).little<std::uint16_t>() == command);
      CHECK(ByteReader(Bytes(seen).subspan(24)).little<std::uint16_t>() == 5);
      return {u32_at(seen, 30), Buffer(seen.begin() + 38, seen.end())};
    }
  }
  Answer read(std::uint32_t group, std::uint32_t offset, std::uint32_t length) {
    return call(2, Words().u32(group).u32(offset).u32(length));
  }
  Answer write(std::uint32_t group, std::uint32_t offset, Bytes data) {
    return call(3, Words().u32(group).u32(offset).u32(static_cast<std::uint32_t>(data.size())).bytes(data));
  }
  Answer read_write(std::uint32_t group, std::uint32_t offset, std::uint32_t length, Bytes data) {
    return call(9, Words().u32(group).u32(offset).u32(length).u32(static_cast<std::uint32_t>(data.size())).bytes(data));
  }
  // Times in 100 ns.
  Answer add(std::uint32_t group, std::uint32_t offset, std::uint32_t length, std::uint32_t mode,
             std::uint32_t max_delay, std::uint32_t cycle) {
    return call(6, Words().u32(group).u32(offset).u32(length).u32(mode).u32(max_delay).u32(cycle).zeros(16));
  }
  Answer control(std::uint16_t ads_state, Bytes data = {}) {
    return call(5, Words().u16(ads_state).u16(0).u32(static_cast<std::uint32_t>(data.size())).bytes(data));
  }
  std::uint32_t handle(std::string_view name) {
    const Answer answer = read_write(0xF003, 0, 4, tandem::as_bytes(name));
    CHECK(answer.result() == 0);
    return u32_at(answer.payload, 8);
  }
  Buffer notification() {
    if (notifications.empty()) return packet();
    Buffer first = notifications.front();
    notifications.pop_front();
    return first;
  }

  net::TcpSocket socket;
  Buffer own{127, 0, 0, 1, 1, 1};
  Buffer target{127, 0, 0, 1, 1, 1};
  std::uint16_t own_port;
  std::uint16_t target_port = 851;
  std::uint32_t last_invoke_id = 0;
  std::deque<Buffer> notifications;
};

}  // namespace tandem::ads::test
