// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/acknacks.hpp"

#include <doctest/doctest.h>

#include <random>
#include <thread>

#include "tandem/ros2/rtps/screen.hpp"
#include "tandem/ros2/transport/acknowledgements.hpp"
#include "tests/ros2/rtps/packets.hpp"

namespace tandem::ros2 {
namespace {

using namespace rtps_packets;

const Prefix cyclone{1, 16, 7}, here{1, 15, 8};
const Way way{{0, 0, 9, 4}, {0, 0, 8, 3}};

// As Cyclone DDS 0.10 writes them: its request for a heartbeat, and the answer to one of a writer that has sent
// nothing.
Buffer from_cyclone(RtpsMessage message) {
  Buffer bytes = message.bytes();
  bytes[7] = 16;
  return bytes;
}
RtpsMessage addressed() { return RtpsMessage(cyclone).to(here); }
Buffer request_bytes() { return from_cyclone(addressed().acknack(way, {1, 0, {}}, 0)); }
Buffer final_ack(std::int64_t base, std::uint32_t count) {
  Buffer body{0, 0, 9, 4, 0, 0, 8, 3};
  ByteWriter out(body);
  out.little(std::int32_t{0});
  out.little(static_cast<std::uint32_t>(base));
  out.little(std::uint32_t{0});
  out.little(count);
  return from_cyclone(addressed().submessage(0x06, 1 | 2, body));
}

std::vector<Acknack> all(const Buffer& bytes) {
  std::vector<Acknack> found;
  Acknacks acknacks(bytes);
  while (const auto acknack = acknacks.next()) found.push_back(*acknack);
  return found;
}

Buffer translated(Buffer bytes, std::uint32_t request) {
  for (const Acknack& acknack : all(bytes)) translate(bytes, acknack, request);
  return bytes;
}

}  // namespace

TEST_CASE("a request for a heartbeat differs from an acknowledgement") {
  const Buffer request = request_bytes();
  CHECK(is_from_cyclone(request));
  REQUIRE(all(request).size() == 1);
  const Acknack found = all(request).front();
  CHECK(found.requests_heartbeat);
  CHECK(prefix_of(found.reader) == cyclone);
  CHECK(entity_of(found.reader) == way.reader);
  CHECK(prefix_of(found.writer) == here);
  CHECK(entity_of(found.writer) == way.writer);

  CHECK_FALSE(all(final_ack(1, 0)).front().requests_heartbeat);
  CHECK_FALSE(all(addressed().acknack(way, {4, 1, {1}}, 3).bytes()).front().requests_heartbeat);
  CHECK(all(addressed().acknack(way, {0, 0, {}}, 1).bytes()).front().requests_heartbeat);  // Fast DDS' own
  CHECK(all(addressed().acknack(way, {1, 0, {}}, 0).acknack(way, {9, 0, {}}, 7).bytes()).size() == 2);
}

TEST_CASE("Fast DDS sees base 0 in Cyclone's request and counts that grow") {
  const auto fields = [](const Buffer& bytes) {
    RtpsFields in(Bytes(bytes).subspan(20 + 16 + 4 + 8), true);
    const std::int64_t base = in.sequence();
    in.skip(4);
    return std::pair(base, in.next<std::uint32_t>());
  };
  CHECK(fields(request_bytes()) == std::pair<std::int64_t, std::uint32_t>(1, 0));
  const auto first = fields(translated(request_bytes(), 1)), second = fields(translated(request_bytes(), 2));
  CHECK(first == std::pair<std::int64_t, std::uint32_t>(0, 1));
  CHECK(second == std::pair<std::int64_t, std::uint32_t>(0, 2));
  // Also behind a million requests the first acknowledgement is newer, and its numbers are untouched.
  const auto answer = fields(translated(final_ack(5, 0), 1'000'000)), next = fields(translated(final_ack(6, 1), 1));
  CHECK(answer.first == 5);
  CHECK(answer.second > fields(translated(request_bytes(), 1'000'000)).second);
  CHECK(next == std::pair<std::int64_t, std::uint32_t>(6, answer.second + 1));
  Buffer copy;
  CHECK(screened(translated(request_bytes(), 3), copy).fault == nullptr);
}

TEST_CASE("what is signed or for an unknown peer is left alone") {
  CHECK(all(RtpsMessage(cyclone).acknack(way, {1, 0, {}}, 0).bytes()).empty());
  CHECK(all(addressed().submessage(0x31, 1, Buffer(20)).acknack(way, {1, 0, {}}, 0).bytes()).empty());
  CHECK(all(addressed().submessage(0x0c, 1, Buffer(20)).acknack(way, {1, 0, {}}, 0).bytes()).empty());
  CHECK(all(Buffer{}).empty());
  CHECK(all(Buffer(19)).empty());
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    Buffer bytes = addressed().acknack(way, {4, 33, {1, 2}}, 3).acknack(way, {1, 0, {}}, 0).bytes();
    for (int flips = 0; flips < 4; ++flips)
      bytes[20 + random() % (bytes.size() - 20)] = static_cast<std::uint8_t>(random());
    bytes.resize(20 + random() % (bytes.size() - 19));
    const std::size_t size = translated(bytes, 5).size();  // the sanitizers look on
    CHECK(size == bytes.size());
  }
}

TEST_CASE("acknowledgements are reported once each and bounded") {
  Acknowledgements acknowledgements;
  const Gid writer{1}, other{2}, reader{3};
  int told = 0;
  acknowledgements.add(writer, reader);  // before the writer is known
  acknowledgements.enroll(writer, [&] { ++told; });
  CHECK(acknowledgements.contains(writer, reader));
  CHECK_FALSE(acknowledgements.contains(other, reader));
  acknowledgements.add(writer, reader);
  CHECK(told == 0);
  acknowledgements.forget(writer, reader);
  CHECK_FALSE(acknowledgements.contains(writer, reader));
  acknowledgements.add(writer, reader);
  acknowledgements.add(writer, reader);
  CHECK(told == 1);
  // A flood for writers that do not exist crowds out no known reader.
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    Gid stranger{9};
    for (std::size_t byte = 0; byte < 4; ++byte) stranger[4 + byte] = static_cast<std::uint8_t>(i >> 8 * byte);
    acknowledgements.add(stranger, reader);
  }
  CHECK(acknowledgements.contains(writer, reader));
  acknowledgements.add(writer, other);
  CHECK(acknowledgements.contains(writer, other));
  CHECK(told == 2);
  // Nor does a flood of invented readers keep the next one from being noted.
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    Gid invented{8};
    for (std::size_t byte = 0; byte < 4; ++byte) invented[4 + byte] = static_cast<std::uint8_t>(i >> 8 * byte);
    acknowledgements.add(writer, invented);
  }
  const Gid next{4};
  acknowledgements.add(writer, next);
  CHECK(acknowledgements.contains(writer, next));
  acknowledgements.dismiss(writer);
  CHECK_FALSE(acknowledgements.contains(writer, reader));
}

}  // namespace tandem::ros2
