// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/types/cdr.hpp"

#include <doctest/doctest.h>

#include "tandem/base/sha256.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/messages/visualization_msgs.hpp"
#include "tests/allocations.hpp"
#include "tests/ros2/messages/any_message.hpp"

namespace tandem::ros2 {
namespace {

// One of everything that .msg files can say and our messages do not use.
struct Everything {
  static constexpr std::string_view type_name = "test_msgs/msg/Everything";
  static constexpr auto fields() {
    using E = Everything;
    return Fields{field("octet", &E::octet),     field("letter", &E::letter),   field("flags", &E::flags),
                  field("wide", &E::wide),       field("short_text", &E::name), field("few", &E::few),
                  field("empties", &E::empties), field("texts", &E::texts),     field("large", &E::large)};
  }
  std::byte octet{};
  char letter = 'a';
  std::vector<bool> flags;
  std::u16string wide;
  BoundedString<5> name;
  BoundedVector<double, 3> few;
  std::array<std_msgs::Empty, 3> empties{};
  std::vector<BoundedString<4>> texts;
  std::int64_t large = 0;
  bool operator==(const Everything&) const = default;
};

std::vector<std::uint8_t> encoded(const auto& message) {
  std::vector<std::uint8_t> bytes;
  REQUIRE(encode(message, bytes));
  return bytes;
}

geometry_msgs::PoseStamped pose_stamped() {
  geometry_msgs::PoseStamped message;
  message.header.stamp = {1, 2};
  message.header.frame_id = "base";
  message.pose.position.x = 1.5;
  message.pose.orientation.w = 0.5;
  return message;
}

}  // namespace

TEST_CASE("a PoseStamped has the 84 bytes that a real ROS installation writes") {
  // Dumped from the wire between rmw implementations: stamp 1.000000002, frame base, x 1.5, qw 0.5.
  const std::string golden =
      "00010000"
      "01000000"
      "02000000"
      "05000000"
      "6261736500000000"
      "00000000"
      "000000000000f83f"
      "0000000000000000"
      "0000000000000000"
      "0000000000000000"
      "0000000000000000"
      "0000000000000000"
      "000000000000e03f";
  CHECK(encoded_size(pose_stamped()) == 84);
  CHECK(hex(encoded(pose_stamped())) == golden);
}

TEST_CASE("every message equals what the plain rules write and reads back in both byte orders") {
  Random random(1);
  std::vector<std::uint8_t> bytes;
  std::vector<std::unique_ptr<AnyMessage>> messages = all_messages();
  messages.push_back(std::make_unique<OneMessage<Everything>>());
  for (const auto& message : messages) {
    INFO(message->name());
    const std::unique_ptr<AnyMessage> again = message->fresh();
    for (int round = 0; round < 50; ++round) {
      message->fill(random);
      REQUIRE(message->write(bytes));
      CHECK(bytes == message->plain(false));
      CHECK(again->read(bytes) == nullptr);
      CHECK(again->equals(*message));
      CHECK(again->read(message->plain(true)) == nullptr);
      CHECK(again->equals(*message));
    }
  }
}

TEST_CASE("every message cut short anywhere is an error and never a crash") {
  Random random(2);
  std::vector<std::uint8_t> whole;
  for (const auto& message : all_messages()) {
    INFO(message->name());
    message->fill(random);
    REQUIRE(message->write(whole));
    bool refused = true;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      // A copy of exactly that size, so that a sanitizer sees one byte too many.
      const std::vector<std::uint8_t> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      refused = message->fresh()->read(cut) != nullptr && refused;
    }
    CHECK(refused);
  }
}

TEST_CASE("random damage to every message gives a value or an error") {
  Random random(3);
  std::vector<std::uint8_t> bytes;
  std::size_t refused = 0;
  for (const auto& message : all_messages()) {
    const std::unique_ptr<AnyMessage> again = message->fresh();
    for (int round = 0; round < 200; ++round) {
      message->fill(random);
      REQUIRE(message->write(bytes));
      for (int hit = 0; hit < 3; ++hit) bytes[below(random, bytes.size())] = static_cast<std::uint8_t>(random());
      if (again->read(bytes) != nullptr) ++refused;
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("counts that lie are refused before anything is allocated") {
  const std::vector<std::uint8_t> many = {0, 1, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0};
  visualization_msgs::MarkerArray markers;
  tf2_msgs::TFMessage transforms;
  std_msgs::String text;
  const auto reason = [&](auto& message, const std::vector<std::uint8_t>& bytes) {
    const std::size_t before = allocations;
    const char* failure = detail::decode_failure(bytes, message);
    CHECK(allocations == before);
    return std::string(failure == nullptr ? "" : failure);
  };
  CHECK(reason(markers, many) == "sequence length exceeds the remaining bytes");
  CHECK(reason(transforms, many) == "sequence length exceeds the remaining bytes");
  CHECK(reason(text, many) == "string length exceeds the remaining bytes");
  // Three markers claimed in bytes that hold less than one.
  std::vector<std::uint8_t> three(4 + 4 + 60, 0);
  three[1] = 1;
  three[4] = 3;
  CHECK(reason(markers, three) == "sequence length exceeds the remaining bytes");
}

TEST_CASE("strings end with NUL and an empty one may have no bytes at all") {
  std_msgs::String message{"before"};
  CHECK_FALSE(decode(std::vector<std::uint8_t>{0, 1, 0, 0, 2, 0, 0, 0, 'a', 'b'}, message).ok());
  REQUIRE(decode(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 0, 0}, message).ok());
  CHECK(message.data.empty());
  REQUIRE(decode(std::vector<std::uint8_t>{0, 1, 0, 0, 1, 0, 0, 0, 0}, message).ok());
  CHECK(message.data.empty());
}

TEST_CASE("an encapsulation that is not plain CDR is refused and said so") {
  std_msgs::Bool message;
  for (int kind = 0; kind < 65536; ++kind) {
    const std::vector<std::uint8_t> bytes = {static_cast<std::uint8_t>(kind >> 8), static_cast<std::uint8_t>(kind), 0,
                                             0, 1};
    CHECK(decode(bytes, message).ok() == (kind <= 1));
  }
  const Result<void> result = decode(std::vector<std::uint8_t>{0, 7, 0, 0, 1}, message);
  CHECK(result.error().text == "std_msgs/msg/Bool of 5 bytes: its encapsulation is not plain CDR");
}

TEST_CASE("an empty message has one byte and any more bytes are ignored") {
  CHECK(hex(encoded(std_msgs::Empty{})) == "0001000000");
  std_msgs::Empty message;
  CHECK(decode(std::vector<std::uint8_t>{0, 1, 0, 0, 9, 9, 9}, message).ok());
  CHECK_FALSE(decode(std::vector<std::uint8_t>{0, 1, 0, 0}, message).ok());
}

TEST_CASE("bounds hold in both directions") {
  Everything message;
  std::vector<std::uint8_t> bytes;
  message.name = BoundedString<5>("12345");
  message.few = {1.0, 2.0, 3.0};
  CHECK(encode(message, bytes));
  message.name = BoundedString<5>("123456");
  CHECK_FALSE(encode(message, bytes));
  PlainCdr longer(false);
  longer.add(message);
  Everything again;
  CHECK_FALSE(decode(longer.bytes, again).ok());
  message.name.clear();
  message.few.push_back(4.0);
  CHECK_FALSE(encode(message, bytes));
}

TEST_CASE("writing into a warm buffer and reading into a warm message allocate nothing") {
  Random random(4);
  for (const auto& message : all_messages()) {
    message->fill(random);
    std::vector<std::uint8_t> bytes;
    const std::unique_ptr<AnyMessage> again = message->fresh();
    REQUIRE(message->write(bytes));
    REQUIRE(again->read(bytes) == nullptr);
    const std::size_t before = allocations;
    bool ok = true;
    for (int i = 0; i < 10; ++i) ok = message->write(bytes) && again->read(bytes) == nullptr && ok;
    const std::size_t after = allocations;
    INFO(message->name());
    CHECK(ok);
    CHECK(after == before);
  }
}

}  // namespace tandem::ros2
