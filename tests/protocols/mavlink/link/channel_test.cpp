// SPDX-License-Identifier: Apache-2.0
// Sequence numbers, versions and signatures of one conversation.
#include <doctest/doctest.h>

#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tandem/protocols/mavlink/link/channel.hpp"
#include "tests/protocols/mavlink/golden.hpp"

namespace tandem::mavlink {
namespace {

// A frame with the bytes that it looks at.
struct Kept {
  explicit Kept(Bytes bytes) {
    parser.feed(bytes);
    if (const auto found = parser.next()) frame = *found;
  }
  Parser parser;
  Frame frame;
};

Frame numbered(std::uint8_t sequence, std::uint16_t checksum = 0, Address source = {1, 1}) {
  Frame frame;
  frame.sequence = sequence;
  frame.source = source;
  frame.checksum = checksum != 0 ? checksum : static_cast<std::uint16_t>(sequence * 7 + 1);
  frame.verified = true;
  return frame;
}

constexpr Instant begin{1h};

SigningKey counting_key() {
  SigningKey key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
  return key;
}

// The UTC of the golden signature.
constexpr SigningTime golden_time = 0x010203040506;
UtcTime utc_of(SigningTime time) {
  using namespace std::chrono;
  return UtcTime(sys_days{year{2015} / 1 / 1}) + microseconds(static_cast<std::int64_t>(time) * 10);
}

Bytes signed_frame(FrameBuffer& buffer, Signing& signing, UtcTime at, const auto& message, Address source = {1, 1}) {
  encode(buffer, {Version::v2, 0, source, true}, message);
  return signing.sign(buffer, at);
}

}  // namespace

TEST_CASE("V10 gaps are counted as lost") {
  SequenceWatch watch;
  CHECK(watch.arrived(numbered(250), begin) == Arrival::first);
  CHECK(watch.arrived(numbered(251), begin) == Arrival::next);
  CHECK(watch.arrived(numbered(254), begin) == Arrival::gap);
  CHECK(watch.arrived(numbered(1), begin) == Arrival::gap);
  const auto* sender = watch.find({1, 1});
  REQUIRE(sender != nullptr);
  CHECK(sender->received == 4);
  CHECK(sender->lost == 4);
  CHECK(sender->loss() == doctest::Approx(0.5));
}

TEST_CASE("G16 one that was overtaken is late and not lost") {
  SequenceWatch watch;
  for (const int sequence : {1, 2, 4, 5}) (void)watch.arrived(numbered(static_cast<std::uint8_t>(sequence)), begin);
  CHECK(watch.find({1, 1})->lost == 1);
  CHECK(watch.arrived(numbered(3), begin) == Arrival::late);
  CHECK(watch.find({1, 1})->lost == 0);
  CHECK(watch.find({1, 1})->late == 1);
  CHECK(watch.arrived(numbered(3), begin) == Arrival::duplicate);
}

TEST_CASE("G15 a frame that comes twice is a duplicate and a sender that starts anew is not") {
  SequenceWatch watch;
  (void)watch.arrived(numbered(10, 5), begin);
  CHECK(watch.arrived(numbered(10, 5), begin) == Arrival::duplicate);
  CHECK(watch.arrived(numbered(10, 6), begin) == Arrival::first);
  CHECK(watch.arrived(numbered(11, 7), begin) == Arrival::next);
  CHECK(watch.find({1, 1})->duplicates == 1);
}

TEST_CASE("a client that comes back says the same again and is heard") {
  SequenceWatch watch;
  (void)watch.arrived(numbered(0, 5), begin);
  (void)watch.arrived(numbered(1, 6), begin + 10ms);
  CHECK(watch.arrived(numbered(0, 5), begin + 20ms) == Arrival::duplicate);
  CHECK(watch.arrived(numbered(0, 5), begin + 1s) == Arrival::first);
  CHECK(watch.arrived(numbered(1, 6), begin + 1010ms) == Arrival::next);
}

TEST_CASE("a client that never counts is heard all the same") {
  SequenceWatch watch;
  for (int i = 0; i < 10; ++i) CHECK(watch.arrived(numbered(0, 5), begin + i * 1s) == Arrival::first);
}

TEST_CASE("senders are counted apart and their number is bounded") {
  SequenceWatch watch;
  for (unsigned int i = 0; i < SequenceWatch::most_senders; ++i)
    CHECK(watch.arrived(numbered(static_cast<std::uint8_t>(i), 0, {static_cast<std::uint8_t>(i), 1}), begin) ==
          Arrival::first);
  CHECK(watch.arrived(numbered(9, 0, {200, 200}), begin) == Arrival::crowded);
  CHECK(watch.arrived(numbered(4, 0, {3, 1}), begin) == Arrival::next);
  CHECK(watch.senders().size() == SequenceWatch::most_senders);
}

TEST_CASE("V6 the answer has the version that was last received") {
  Channel channel({.own = {255, 190}});
  FrameBuffer buffer;
  const auto made = [&](const auto& message) {
    std::array<std::uint8_t, 255> payload{};
    return channel.make(buffer, info<std::decay_t<decltype(message)>>, payload)[0];
  };
  CHECK(made(Heartbeat{}) == start_v2);
  CHECK(channel.admit(Kept(golden::bytes(golden::heartbeat_v1)).frame));
  CHECK(made(Heartbeat{}) == start_v1);
  CHECK(made(VisionPositionDelta{}) == start_v2);
  CHECK(channel.counters().too_new_for_v1 == 1);
  CHECK(channel.admit(Kept(golden::bytes(golden::timesync)).frame));
  CHECK(made(Heartbeat{}) == start_v2);
  CHECK(channel.counters().received == 2);
}

TEST_CASE("a fixed version stays") {
  Channel channel({.version = VersionPolicy::v2});
  CHECK(channel.admit(Kept(golden::bytes(golden::heartbeat_v1)).frame));
  CHECK(channel.version() == Version::v2);
  CHECK(Channel({.version = VersionPolicy::v1}).version() == Version::v1);
}

TEST_CASE("our frames count up and wrap") {
  Channel channel({.own = {9, 8}});
  FrameBuffer buffer;
  for (int i = 0; i < 600; ++i) {
    const Kept kept(channel.make(buffer, info<Heartbeat>, {}));
    CHECK(kept.frame.sequence == i % 256);
    CHECK(kept.frame.source == Address{9, 8});
  }
}

TEST_CASE("V4 somebody with our own address is not listened to") {
  Channel channel({.own = golden::source});
  CHECK(!channel.admit(Kept(golden::bytes(golden::heartbeat)).frame));
  CHECK(channel.counters().with_our_address == 1);
}

TEST_CASE("the golden signature is made and accepted") {
  Signing signing({.key = counting_key(), .link = 3});
  FrameBuffer buffer;
  encode(buffer, {Version::v2, 7, golden::source, true}, golden::heartbeat_message());
  const Bytes made = signing.sign(buffer, utc_of(golden_time));
  const auto wanted = golden::bytes(golden::signed_heartbeat);
  CHECK(std::equal(made.begin(), made.end(), wanted.begin(), wanted.end()));

  Signing receiver({.key = counting_key()});
  const Kept kept(wanted);
  CHECK(receiver.check(kept.frame, utc_of(golden_time)) == SigningVerdict::good);
  CHECK(receiver.time() == golden_time);
}

TEST_CASE("S1 unsigned frames are refused unless the policy names them") {
  Signing signing({.key = counting_key()});
  const Kept heartbeat(golden::bytes(golden::heartbeat));
  CHECK(signing.check(heartbeat.frame, utc_of(golden_time)) == SigningVerdict::unsigned_refused);
  FrameBuffer buffer;
  const Kept radio(encode(buffer, {}, RadioStatus{}));
  CHECK(signing.check(radio.frame, utc_of(golden_time)) == SigningVerdict::unsigned_allowed);
  Signing lenient({.key = counting_key(), .allow_unsigned = true});
  CHECK(lenient.check(heartbeat.frame, utc_of(golden_time)) == SigningVerdict::unsigned_allowed);
  CHECK(signing.count(SigningVerdict::unsigned_refused) == 1);
}

TEST_CASE("S2 another key is refused") {
  SigningKey other = counting_key();
  other[31] ^= 1;
  Signing signing({.key = other});
  const Kept kept(golden::bytes(golden::signed_heartbeat));
  CHECK(signing.check(kept.frame, utc_of(golden_time)) == SigningVerdict::wrong_signature);
  CHECK(signing.time() == 0);  // a forger does not move our time
}

TEST_CASE("S3 G17 the same or an older time is refused") {
  Signing sender({.key = counting_key()});
  Signing receiver({.key = counting_key()});
  FrameBuffer first;
  FrameBuffer second;
  const UtcTime at = utc_of(golden_time);
  const Kept older(signed_frame(first, sender, at, Heartbeat{}));
  const Kept newer(signed_frame(second, sender, at, Heartbeat{}));
  CHECK(receiver.check(newer.frame, at) == SigningVerdict::good);
  CHECK(receiver.check(newer.frame, at) == SigningVerdict::old);
  CHECK(receiver.check(older.frame, at) == SigningVerdict::old);
  // A stream that was never seen may be a minute behind and no more.
  Signing late({.key = counting_key()});
  CHECK(late.check(newer.frame, at + 59s) == SigningVerdict::good);
  Signing later({.key = counting_key()});
  CHECK(later.check(newer.frame, at + 61s) == SigningVerdict::old);
}

TEST_CASE("S4 a time more than a minute ahead is refused") {
  Signing sender({.key = counting_key()});
  FrameBuffer buffer;
  const UtcTime at = utc_of(golden_time);
  const Kept kept(signed_frame(buffer, sender, at, Heartbeat{}));
  Signing receiver({.key = counting_key()});
  CHECK(receiver.check(kept.frame, at - 61s) == SigningVerdict::ahead);
  CHECK(receiver.check(kept.frame, at - 59s) == SigningVerdict::good);
  Signing patient({.key = counting_key(), .most_ahead = 0});
  CHECK(patient.check(kept.frame, at - 1h) == SigningVerdict::good);
}

TEST_CASE("S5 every link of a sender has its own time") {
  const UtcTime at = utc_of(golden_time);
  Signing first({.key = counting_key(), .link = 1});
  Signing second({.key = counting_key(), .link = 2});
  Signing receiver({.key = counting_key()});
  FrameBuffer a;
  FrameBuffer b;
  CHECK(receiver.check(Kept(signed_frame(a, first, at + 10s, Heartbeat{})).frame, at) == SigningVerdict::good);
  CHECK(receiver.check(Kept(signed_frame(b, second, at, Heartbeat{})).frame, at) == SigningVerdict::good);
  CHECK(receiver.check(Kept(b.bytes()).frame, at) == SigningVerdict::old);
  // The link is covered by the signature.
  a.data[a.size - signature_size] = 9;
  CHECK(receiver.check(Kept(a.bytes()).frame, at) == SigningVerdict::wrong_signature);
}

TEST_CASE("S6 G20 after a restart with a clock gone back time still grows") {
  SigningTime kept = 0;
  const UtcTime at = utc_of(golden_time);
  FrameBuffer buffer;
  SigningTime last = 0;
  {
    Signing signing({.key = counting_key(), .remember = [&](SigningTime time) { kept = time; }});
    for (int i = 0; i < 100; ++i) {
      (void)signed_frame(buffer, signing, at + i * 1s, Heartbeat{});
      CHECK(signing.time() > last);
      last = signing.time();
      CHECK(kept >= last);
    }
  }
  Signing again({.key = counting_key(), .remembered = kept});
  (void)signed_frame(buffer, again, at - 1h, Heartbeat{});
  CHECK(again.time() > last);
}

TEST_CASE("S8 a changed payload with a mended checksum is refused") {
  auto bytes = golden::bytes(golden::signed_heartbeat);
  bytes[header_v2] ^= 1;
  const std::size_t crc_at = header_v2 + 9;
  const std::uint16_t crc = crc_add(crc_add(crc_start, Bytes(bytes.data() + 1, crc_at - 1)), info<Heartbeat>.crc_extra);
  bytes[crc_at] = static_cast<std::uint8_t>(crc);
  bytes[crc_at + 1] = static_cast<std::uint8_t>(crc >> 8);
  const Kept kept(bytes);
  REQUIRE(kept.frame.verified);
  Signing signing({.key = counting_key()});
  CHECK(signing.check(kept.frame, utc_of(golden_time)) == SigningVerdict::wrong_signature);
}

TEST_CASE("a channel with a key signs all and acts on nothing else") {
  ManualClock clock;
  Channel ours({.own = {255, 190}, .signing = SigningOptions{.key = counting_key(), .link = 1}, .clock = &clock});
  Channel theirs({.own = {1, 1}, .signing = SigningOptions{.key = counting_key(), .link = 2}, .clock = &clock});
  FrameBuffer buffer;
  const Kept kept(theirs.make(buffer, info<Heartbeat>, {}));
  CHECK(kept.frame.is_signed());
  CHECK(ours.admit(kept.frame));
  CHECK(!ours.admit(kept.frame));
  CHECK(!ours.admit(Kept(golden::bytes(golden::heartbeat)).frame));
  CHECK(ours.counters().received == 1);
  CHECK(ours.counters().unsigned_or_forged == 2);
  CHECK(ours.version() == Version::v2);
}

TEST_CASE("signing streams are bounded") {
  const UtcTime at = utc_of(golden_time);
  Signing sender({.key = counting_key()});
  Signing receiver({.key = counting_key()});
  FrameBuffer buffer;
  for (unsigned int i = 0; i < 64; ++i) {
    const Kept kept(signed_frame(buffer, sender, at, Heartbeat{}, {static_cast<std::uint8_t>(i), 1}));
    CHECK(receiver.check(kept.frame, at) == SigningVerdict::good);
  }
  const Kept kept(signed_frame(buffer, sender, at, Heartbeat{}, {100, 1}));
  CHECK(receiver.check(kept.frame, at) == SigningVerdict::crowded);
}

}  // namespace tandem::mavlink
