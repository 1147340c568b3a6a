// SPDX-License-Identifier: Apache-2.0
// The faults of RTPS itself, cases D11 to D17 and D26: messages written by hand, to the ports of real participants.
//
// Spoofed messages that are well formed (D11, D12) do harm by the specification: what they may cost is bounded here,
// and only the certificates of DDS Security keep them out.
#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <random>

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/resident.hpp"
#include "tests/ros2/rtps/packets.hpp"

namespace tandem::ros2 {
namespace {

using namespace rtps_packets;
using std_msgs::String;

constexpr std::ptrdiff_t mebibyte = 1 << 20;
constexpr std::int64_t huge = std::int64_t{1} << 62;

// Two processes' worth of participants that talk; the second publisher is the one that nobody spoofs.
class Stage {
 public:
  Stage()
      : first(talker.advertise<String>("chatter")),
        second(other.advertise<String>("chatter")),
        subscription_(listener.subscribe<String>(
            "chatter", Qos::standard(), [this](const String& message, const MessageInfo&) { hear(message); })) {
    REQUIRE(eventually([&] { return first.matched() == 1 && second.matched() == 1 && subscription_.matched() == 2; }));
    writer = endpoint(here, "/talker");
    reader = endpoint(there, "/listener");
    REQUIRE(heard_from(first, "first"));
    REQUIRE(heard_from(second, "second"));
    sender.emplace(options.domain);
    REQUIRE(sender->ports().size() >= 4);
  }

  // Whether something new of this publisher is heard, and within seconds.
  bool heard_from(const Publisher<String>& publisher, const std::string& text, Duration deadline = 10s) {
    const int before = heard(text);
    return eventually(
        [&] {
          publisher.publish({text});
          std::this_thread::sleep_for(10ms);
          return heard(text) > before;
        },
        deadline);
  }
  int heard(const std::string& text) {
    const std::lock_guard lock(mutex_);
    return heard_[text];
  }
  void expect_talk() {
    CHECK(heard_from(first, "first"));
    CHECK(heard_from(second, "second"));
  }
  // A message in the name of the writer to the reader, or back.
  RtpsMessage spoofed() const { return RtpsMessage(prefix_of(writer)).to(prefix_of(reader)); }
  RtpsMessage spoofed_back() const { return RtpsMessage(prefix_of(reader)).to(prefix_of(writer)); }
  Way way() const { return {entity_of(reader), entity_of(writer)}; }
  bool told_of_refusal() {
    return eventually([&] {
      for (Context* context : {&here, &there}) {
        for (const Event& event : context->take_events()) {
          if (event.text.starts_with("refused ")) return true;
        }
      }
      return false;
    });
  }
  std::size_t matched() const { return subscription_.matched(); }

  ContextOptions options = loopback_options();
  Context here{options}, there{options};
  Node talker{here, "talker"}, other{here, "other"}, listener{there, "listener"};
  Publisher<String> first, second;
  Gid writer{}, reader{};  // of the first publisher; of the subscription
  std::optional<Sender> sender;

 private:
  static Gid endpoint(const Context& context, const std::string& node) {
    for (const GraphEndpoint& endpoint : context.graph().endpoints) {
      if (endpoint.local && endpoint.topic == "/chatter" && endpoint.node == node) return endpoint.gid;
    }
    return {};
  }
  void hear(const String& message) {
    const std::lock_guard lock(mutex_);
    ++heard_[message.data];
  }

  std::mutex mutex_;
  std::map<std::string, int> heard_;
  Subscription subscription_;  // last: what it calls must outlive it
};

Buffer text_payload(const std::string& text) {
  Buffer bytes;
  REQUIRE(encode(String{text}, bytes));
  return bytes;
}

Prefix stranger(std::uint32_t number) {
  Prefix prefix{1, 15, 0xee, 0xee};
  for (std::size_t i = 0; i < 4; ++i) prefix[8 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  return prefix;
}

RtpsMessage announcing(const Prefix& prefix, const Buffer& parameters, std::int64_t number = 1) {
  return RtpsMessage(prefix).data({spdp_reader, spdp_writer}, number, parameters);
}

// A participant that consists of what this test sends in its name: it announces itself and one best effort writer.
class Puppet {
 public:
  Puppet(const Stage& stage, std::int32_t lease) : stage_(stage), lease_(lease) {}

  void announce() {
    ++announced_;
    announce_again();
  }
  // With the number of the last time, as Fast DDS does.
  void announce_again() const {
    // The last parameter is the set of builtin endpoints: this one announces itself and writes publications.
    Buffer bytes = announcement(prefix_, lease_).bytes();
    bytes[bytes.size() - 4] = 0x05;
    ByteWriter(bytes).bytes(Buffer{1, 0, 0, 0});
    stage_.sender->send(announcing(prefix_, bytes, std::max<std::int64_t>(announced_, 1)));
  }
  void advertise() const {
    Buffer guid(prefix_.begin(), prefix_.end()), best_effort;
    ByteWriter(guid).bytes(entity_);
    ByteWriter(best_effort).little(std::uint32_t{1});
    ByteWriter(best_effort).zeros(8);
    Parameters parameters;
    parameters.add(0x5a, guid).add(0x05, text("rt/puppet")).add(0x07, text("std_msgs::msg::dds_::String_"));
    parameters.add(0x1a, best_effort).end();
    stage_.sender->send(RtpsMessage(prefix_).data({{0, 0, 3, 0xc7}, {0, 0, 3, 0xc2}}, 1, parameters.bytes()));
  }
  void say(const std::string& words) {
    stage_.sender->send(RtpsMessage(prefix_).data({{0, 0, 0, 0}, entity_}, ++sequence_, text_payload(words)));
  }

 private:
  static Buffer text(const std::string& words) {
    Buffer bytes;
    ByteWriter out(bytes);
    out.little(static_cast<std::uint32_t>(words.size() + 1));
    out.text(words);
    out.byte(0);
    return bytes;
  }

  const Stage& stage_;
  std::int32_t lease_;  // s
  Prefix prefix_ = stranger(77);
  EntityId entity_{0, 0, 1, 3};
  std::int64_t announced_ = 0;
  std::int64_t sequence_ = 0;
};

}  // namespace

TEST_CASE("D11 a heartbeat that promises samples without end loses none") {
  Stage stage;
  stage.sender->send(stage.spoofed().heartbeat(stage.way(), 1, huge, 0x40000000));
  stage.expect_talk();
  CHECK(stage.told_of_refusal());
  stage.sender->send(stage.spoofed().heartbeat(stage.way(), 1, 1'000'000'000, 0x40000001));
  stage.expect_talk();
}

TEST_CASE("D11 a heartbeat that takes back all samples silences its writer alone and not for good") {
  Stage stage;
  stage.sender->send(stage.spoofed().heartbeat(stage.way(), huge, huge, 0x40000000));
  stage.expect_talk();  // that one was refused
  stage.sender->send(stage.spoofed().heartbeat(stage.way(), 100'000, 100'000, 0x40000001));
  CHECK(stage.heard_from(stage.second, "second"));
  const auto anew = stage.talker.advertise<String>("chatter");
  CHECK(stage.heard_from(anew, "anew"));
  const bool silenced = !stage.heard_from(stage.first, "first", 1s);
  MESSAGE("the spoofed writer is " << std::string(silenced ? "silent until it is made anew" : "still heard")
                                   << ": spoofing needs DDS Security");
}

TEST_CASE("D12 a gap over everything silences its writer at most and keeps nobody busy") {
  Stage stage;
  const std::ptrdiff_t before = resident_bytes();
  stage.sender->send(stage.spoofed().gap(stage.way(), 1, {huge, 0, {}}));
  stage.sender->send(stage.spoofed().gap(stage.way(), 1000, {huge, 256, std::vector<std::uint32_t>(8, ~0u)}));
  stage.expect_talk();
  CHECK(stage.told_of_refusal());
  stage.sender->send(stage.spoofed().gap(stage.way(), 1, {100'000, 0, {}}));
  CHECK(stage.heard_from(stage.second, "second"));
  const auto anew = stage.talker.advertise<String>("chatter");
  CHECK(stage.heard_from(anew, "anew"));
  CHECK(resident_bytes() - before < 32 * mebibyte);
}

TEST_CASE("D13 acknowledgements with no bits and with too many disturb nobody") {
  Stage stage;
  const std::vector<std::uint32_t> ones(9, ~0u);
  const std::vector<std::uint32_t> eight(8, ~0u);
  std::uint32_t count = 0x40000000;
  for (const NumberSet& set : {NumberSet{0, 0, {}}, NumberSet{1, 0, {}}, NumberSet{1, 256, eight},
                               NumberSet{1, 257, ones}, NumberSet{1, ~0u, ones}, NumberSet{-1, 256, eight},
                               NumberSet{huge, 256, eight}, NumberSet{1, 256, {}}, NumberSet{1'000'000, 256, eight}}) {
    stage.sender->send(stage.spoofed_back().acknack(stage.way(), set, count++));
  }
  stage.expect_talk();
}

TEST_CASE("D14 fragments that lie or overlap or never end disturb nobody") {
  Stage stage;
  const std::ptrdiff_t before = resident_bytes();
  const Buffer bytes(1000, 1);
  const auto send = [&](const Fragments& fragments, std::int64_t sequence) {
    stage.sender->send(stage.spoofed().data_frag(stage.way(), sequence, fragments, bytes));
  };
  for (const Fragments& lie : {Fragments{1, 1, 0, 1000}, Fragments{1, 1, 1, 1000}, Fragments{1, 1, 100, 0xfffffff0},
                               Fragments{0, 1, 1000, 1000}, Fragments{1, 0, 1000, 1000}, Fragments{9, 1, 1000, 1000},
                               Fragments{0xffffffff, 1, 1000, 1000}, Fragments{1, 1000, 60000, 60'000'000},
                               Fragments{1, 65535, 65535, 0x7fffffff}}) {
    send(lie, 500);
  }
  CHECK(stage.told_of_refusal());
  stage.expect_talk();
  // Well formed: some that overlap or say another size, and many that never get their second half.
  send({1, 1, 1000, 3000}, 600);
  send({1, 1, 500, 3000}, 600);
  send({2, 1, 1000, 9000}, 600);
  send({1, 1, 1000, 1000}, 600);
  for (std::int64_t sequence = 700; sequence < 900; ++sequence) send({1, 1, 1000, 2000}, sequence);
  CHECK(stage.heard_from(stage.second, "second"));
  const auto anew = stage.talker.advertise<String>("chatter");
  CHECK(stage.heard_from(anew, "anew"));
  CHECK(resident_bytes() - before < 32 * mebibyte);
}

TEST_CASE("D15 properties with lengths that lie are survived") {
  Stage stage;
  const std::ptrdiff_t before = resident_bytes();
  std::uint32_t number = 1000;
  const auto send = [&](int id, const Buffer& value, std::optional<std::uint16_t> claimed = {}) {
    const Prefix prefix = stranger(number++);
    stage.sender->send(
        announcing(prefix, announcement(prefix, 1).add(static_cast<std::uint16_t>(id), value, claimed).end().bytes()));
    stage.sender->send(announcing(
        prefix,
        announcement(prefix, 1).add(static_cast<std::uint16_t>(id), value, claimed).bytes()));  // without an end
  };
  for (const int id : {0x59, 0x2c, 0x62, 0x29, 0x73, 0x75, 0x1001, 0x1002, 0x05, 0x32, 0x8006, 0x8007}) {
    for (const std::uint32_t count : {0u, 1u, 2u, 1000u, 0x7fffffffu, 0xffffffffu}) {
      for (const std::uint32_t length : {0u, 1u, 3u, 5u, 0x7fffffffu, 0xfffffffcu, 0xffffffffu}) {
        Buffer value;
        ByteWriter out(value);
        out.little(count);
        out.little(length);
        out.text("name");
        out.little(length);
        out.text("text");
        send(id, value);
        send(id, value, static_cast<std::uint16_t>(value.size() + 400));
        send(id, value, std::uint16_t{4});
        send(id, value, std::uint16_t{0xfffc});
      }
    }
  }
  stage.expect_talk();
  CHECK(resident_bytes() - before < 64 * mebibyte);
}

TEST_CASE("D16 ten thousand participants take bounded memory and peers talk on") {
  Stage stage;
  const std::ptrdiff_t before = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  constexpr std::uint32_t participants = 10'000;
  for (std::uint32_t i = 0; i < participants; ++i) {
    const Prefix prefix = stranger(100'000 + i);
    stage.sender->send(announcing(prefix, announcement(prefix, 2).end().bytes()));
    if (i % 50 == 49) std::this_thread::sleep_for(2ms);
  }
  CHECK(stage.heard_from(stage.first, "first", 20s));
  CHECK(stage.heard_from(stage.second, "second", 20s));
  const auto took = std::chrono::steady_clock::now() - start;
  const std::ptrdiff_t grown = resident_bytes() - before;
  CHECK(grown < 128 * mebibyte);
  // A newcomer has its place: those that were heard once leave for it.
  Context late(stage.options);
  Node node(late, "late");
  const auto publisher = node.advertise<String>("chatter");
  CHECK(eventually([&] { return publisher.matched() == 1 && stage.matched() == 3; }, 30s));
  CHECK(stage.heard_from(publisher, "late"));
  MESSAGE("10000 strangers: " << seconds(took) << " s, memory grew by " << grown / 1024 << " KiB for two participants");
}

TEST_CASE("D16 spoofed announcements whose leases never end do not lock newcomers out") {
  Stage stage;
  constexpr std::int32_t forever = 0x7fffffff;
  for (const int repetition : {1, 2}) {  // so far apart that they count as established
    for (std::uint32_t i = 0; i < 600; ++i) {
      const Prefix prefix = stranger(200'000 + i);
      stage.sender->send(announcing(prefix, announcement(prefix, forever).end().bytes(), repetition));
      if (i % 20 == 19) std::this_thread::sleep_for(10ms);
    }
    std::this_thread::sleep_for(600ms);
  }
  std::vector<std::unique_ptr<Context>> late;
  for (int i = 0; i < 3; ++i) late.push_back(std::make_unique<Context>(stage.options));
  Node node(*late.back(), "late");
  const auto publisher = node.advertise<String>("chatter");
  CHECK(eventually([&] { return publisher.matched() == 1 && stage.matched() == 3; }));
  CHECK(stage.heard_from(publisher, "late"));
  stage.expect_talk();
}

TEST_CASE("D16 a thousand readers of a stranger take a bounded part of a writer and its own reader hears on") {
  Stage stage;
  const Prefix prefix = stranger(88);
  Buffer bytes = announcement(prefix, 100).bytes();
  bytes[bytes.size() - 4] = 0x3f;  // all endpoints of discovery
  ByteWriter(bytes).bytes(Buffer{1, 0, 0, 0});
  stage.sender->send(announcing(prefix, bytes));
  const auto advertise = [&](std::uint16_t number) {
    Buffer guid(prefix.begin(), prefix.end()), address, topic, type;
    ByteWriter(guid).bytes(Buffer{0, static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number), 4});
    ByteWriter(address).little(std::int32_t{1});
    ByteWriter(address).little(std::uint32_t{20'000} + number);
    ByteWriter(address).zeros(12);
    ByteWriter(address).bytes(Buffer{127, 0, 0, 1});
    put_text(topic, "rt/chatter");
    put_text(type, "std_msgs::msg::dds_::String_");
    Parameters parameters;
    parameters.add(0x5a, guid).add(0x05, topic).add(0x07, type).add(0x2f, address).end();
    stage.sender->send(RtpsMessage(prefix).data({{0, 0, 4, 0xc7}, {0, 0, 4, 0xc2}}, number, parameters.bytes()));
  };
  const auto most_seen = [&] {
    for (std::uint16_t number = 1; number <= 1000; ++number) {
      advertise(number);
      if (number % 50 == 0) std::this_thread::sleep_for(2ms);
    }
    return stage.first.matched() >= 500;
  };
  CHECK(eventually(most_seen, 20s));
  CHECK(stage.first.matched() == 500);
  stage.expect_talk();
}

TEST_CASE("a participant that lost its place gets it back with its next announcement") {
  Stage stage;
  std::atomic<int> heard = 0;
  const Subscription subscription = stage.listener.subscribe<String>(
      "puppet", Qos::sensor_data(), [&](const String&, const MessageInfo&) { ++heard; });
  Puppet puppet(stage, 100);
  const auto found = [&] {
    puppet.advertise();
    std::this_thread::sleep_for(20ms);
    return subscription.matched() == 1;
  };
  puppet.announce_again();  // once: it is not established
  REQUIRE(eventually(found));
  // Strangers push it out of its quota: Fast DDS forgets it long before its lease ends.
  std::uint32_t number = 300'000;
  const auto pushed_out = [&] {
    for (int i = 0; i < 10; ++i) {
      const Prefix prefix = stranger(number++);
      stage.sender->send(announcing(prefix, announcement(prefix, 100).end().bytes()));
    }
    std::this_thread::sleep_for(11ms);
    return subscription.matched() == 0;
  };
  CHECK(eventually(pushed_out));
  CHECK(eventually([&] {
    puppet.announce_again();  // with the number of its first announcement
    return found();
  }));
  stage.expect_talk();
}

TEST_CASE("D17 data keeps a peer alive when its announcements stop and silence ends it") {
  Stage stage;
  std::atomic<int> heard = 0;
  const Subscription subscription = stage.listener.subscribe<String>(
      "puppet", Qos::sensor_data(), [&](const String&, const MessageInfo&) { ++heard; });
  Puppet puppet(stage, 1);
  const auto found = [&] {
    puppet.announce();
    puppet.advertise();
    std::this_thread::sleep_for(20ms);
    return subscription.matched() == 1;
  };
  REQUIRE(eventually(found));
  bool always = true;
  for (int i = 0; i < 30; ++i) {  // three leases long
    puppet.say("alive");
    std::this_thread::sleep_for(100ms);
    always = always && subscription.matched() == 1;
  }
  CHECK(always);
  CHECK(heard >= 25);
  CHECK(eventually([&] { return subscription.matched() == 0; }));
  CHECK(stage.there.graph().count("/puppet", true) == 0);
  const int before = heard;
  puppet.say("a ghost");
  std::this_thread::sleep_for(200ms);
  CHECK(heard == before);
  REQUIRE(eventually(found));
  CHECK(eventually([&] {
    puppet.say("back");
    return heard > before;
  }));
  stage.expect_talk();
}

TEST_CASE("D26 a megabyte of garbage to every port disturbs nobody") {
  Stage stage;
  const std::ptrdiff_t before = resident_bytes();
  std::mt19937_64 random(26);
  for (const std::uint16_t port : stage.sender->ports()) {
    for (std::size_t sent = 0; sent < static_cast<std::size_t>(mebibyte);) {
      Buffer bytes(1 + random() % 1400);
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
      // Noise; noise behind a header; submessages of every kind, in the name of a peer, with noise in them.
      const std::uint64_t form = random() % 3;
      if (form == 1) bytes.insert(bytes.begin(), {'R', 'T', 'P', 'S', 2, 3, 1, 15});
      if (form == 2) {
        RtpsMessage message = stage.spoofed();
        while (message.bytes().size() < 600) {
          const std::size_t size = std::min<std::size_t>(bytes.size(), random() % 80);
          message.submessage(static_cast<std::uint8_t>(random() % 0x40), static_cast<std::uint8_t>(random()),
                             Bytes(bytes).first(size));
        }
        bytes = message.bytes();
      }
      stage.sender->send(bytes, port);
      sent += bytes.size();
      if (random() % 8 == 0) std::this_thread::sleep_for(100us);
    }
  }
  stage.expect_talk();
  CHECK(stage.told_of_refusal());
  CHECK(resident_bytes() - before < 64 * mebibyte);
}

}  // namespace tandem::ros2
