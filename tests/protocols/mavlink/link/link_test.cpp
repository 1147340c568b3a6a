// SPDX-License-Identifier: Apache-2.0
// Links over real sockets and a pseudo terminal, on loopback.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/net/faults/proxy.hpp"
#include "tandem/protocols/mavlink/codec/crc.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"
#include "tests/deadline.hpp"
#include "tests/protocols/mavlink/golden.hpp"

namespace tandem::mavlink {
namespace {

LinkOptions as(Address own) { return {.channel = {.own = own}}; }

Link opened(std::string_view address, Address own) {
  auto link = Link::open(address, as(own));
  if (!link) throw std::runtime_error(link.error().text);
  return std::move(*link);
}

std::string udpout(const net::Endpoint& to) { return "udpout:" + to.text(); }
std::string tcp(const net::Endpoint& to) { return "tcp:" + to.text(); }

// The next message of one kind.
template <Message M>
std::optional<M> next(Link& link) {
  const Instant deadline = soon();
  while (const auto frame = link.receive(deadline))
    if (const auto message = frame->as<M>()) return message;
  return std::nullopt;
}

// Until both ends of a stream have each other.
void meet(Link& a, Link& b) {
  const Instant deadline = soon();
  while ((a.state() != LinkState::open || b.state() != LinkState::open) && now() < deadline) {
    (void)a.receive(in(2ms));
    (void)b.receive(in(2ms));
  }
  REQUIRE(a.state() == LinkState::open);
  REQUIRE(b.state() == LinkState::open);
}

}  // namespace

TEST_CASE("addresses are read as pymavlink and mavros users write them") {
  struct Case {
    const char* text;
    const char* same;
  };
  for (const Case& one :
       {Case{"udpin:0.0.0.0:14550", "udpin:0.0.0.0:14550"}, Case{"udpin:127.0.0.1:14551", "udpin:127.0.0.1:14551"},
        Case{"udpout:192.168.2.2:14550", "udpout:192.168.2.2:14550"}, Case{"udp://:14550@", "udpin:127.0.0.1:14550"},
        Case{"udp://0.0.0.0:14550@", "udpin:0.0.0.0:14550"}, Case{"udp://@", "udpin:127.0.0.1:14555"},
        Case{"udp://127.0.0.1:14551@127.0.0.1:14555", "udp://127.0.0.1:14551@127.0.0.1:14555"},
        Case{"udp://:14540@10.0.0.1:14557", "udp://0.0.0.0:14540@10.0.0.1:14557"},
        Case{"udp://@10.0.0.1", "udp://0.0.0.0:14555@10.0.0.1:14550"}, Case{"tcp:127.0.0.1:5760", "tcp:127.0.0.1:5760"},
        Case{"tcp://rov.local", "tcp:rov.local:5760"}, Case{"tcpin:127.0.0.1:0", "tcpin:127.0.0.1:0"},
        Case{"tcp-l://:5761", "tcpin:127.0.0.1:5761"}, Case{"serial:/dev/ttyACM0:115200", "serial:/dev/ttyACM0:115200"},
        Case{"serial:///dev/ttyUSB0", "serial:/dev/ttyUSB0:57600"}}) {
    const auto address = parse_link_address(one.text);
    REQUIRE_MESSAGE(address.ok(), one.text);
    CHECK(address->text() == one.same);
  }
  for (const char* bad : {"", "udp:1", "udp://", "udpin:127.0.0.1:x", "udpin:127.0.0.1:65536", "udpout:host:0",
                          "tcp:a:b:1", "serial:ttyACM0", "serial:/dev/x:fast", "serial:/dev/x:0", "http://a",
                          "udp://a@b@c", "udpin:a/b:1", "tcp:host:-1"})
    CHECK_MESSAGE(!parse_link_address(bad).ok(), bad);
  CHECK(parse_link_address("modbus://x").error().text.find("\"modbus://x\"") != std::string::npos);
}

TEST_CASE("udpin learns who called and answers") {
  Link ours = opened("udpin:127.0.0.1:0", {255, 190});
  CHECK(ours.state() == LinkState::connecting);
  CHECK(!ours.send(Heartbeat{}));
  CHECK(ours.unsent() == 1);
  Link theirs = opened(udpout(ours.local()), {1, 1});
  CHECK(theirs.send(golden::heartbeat_message()));
  CHECK(next<Heartbeat>(ours) == golden::heartbeat_message());
  CHECK(ours.state() == LinkState::open);
  CHECK(ours.connections() == 1);
  CHECK(ours.send(TimeSync{.ts1 = 5}));
  CHECK(next<TimeSync>(theirs)->ts1 == 5);
}

TEST_CASE("udpout hears its own peer only") {
  Link server = opened("udpin:127.0.0.1:0", {1, 1});
  Link client = opened(udpout(server.local()), {255, 190});
  client.send(Heartbeat{});
  REQUIRE(next<Heartbeat>(server));
  Link stranger = opened(udpout(client.local()), {9, 9});
  stranger.send(Heartbeat{});
  CHECK(!client.receive(in(50ms)));
  server.send(TimeSync{.ts1 = 1});
  CHECK(next<TimeSync>(client));
}

TEST_CASE("a mavros address talks first and listens to the one who answers") {
  Link server = opened("udpin:127.0.0.1:0", {1, 1});
  Link client = opened("udp://127.0.0.1:0@" + server.local().text(), {255, 190});
  CHECK(client.send(Heartbeat{}));
  REQUIRE(next<Heartbeat>(server));
  CHECK(server.send(TimeSync{.ts1 = 2}));
  CHECK(next<TimeSync>(client)->ts1 == 2);
}

TEST_CASE("several frames in one datagram are all given") {
  auto socket = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(socket.ok());
  Link ours = opened("udpin:127.0.0.1:0", {255, 190});
  std::vector<std::uint8_t> datagram = {1, 2, 3, 0xFD};
  FrameBuffer buffer;
  for (std::uint8_t i = 0; i < 200; ++i) {
    const Bytes frame = encode(buffer, {Version::v2, i, {1, 1}}, golden::heartbeat_message());
    datagram.insert(datagram.end(), frame.begin(), frame.end());
  }
  REQUIRE(socket->send(datagram, ours.local()).ok());
  for (int i = 0; i < 200; ++i) REQUIRE(next<Heartbeat>(ours));
  CHECK(ours.parser_counters().frames == 200);
  CHECK(ours.channel().senders().find({1, 1})->lost == 0);
}

TEST_CASE("V10 frames that cannot be read are not counted as lost and frames that are missing are") {
  auto socket = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(socket.ok());
  Link ours = opened("udpin:127.0.0.1:0", {255, 190});
  FrameBuffer buffer;
  // A heartbeat with bytes of its header changed, and the checksum that its sender would make.
  const auto altered = [&](std::uint8_t sequence, std::size_t at, std::uint8_t value, std::uint8_t crc_extra) {
    const Bytes made = encode(buffer, {Version::v2, sequence, {1, 1}}, golden::heartbeat_message());
    std::vector<std::uint8_t> frame(made.begin(), made.end());
    frame[at] = value;
    const std::uint16_t crc = crc_add(crc_add(crc_start, Bytes(frame).subspan(1, frame.size() - 3)), crc_extra);
    frame[frame.size() - 2] = static_cast<std::uint8_t>(crc);
    frame[frame.size() - 1] = static_cast<std::uint8_t>(crc >> 8);
    return frame;
  };
  constexpr std::uint8_t own_extra = info<Heartbeat>.crc_extra;
  for (int i = 0; i < 300; ++i) {
    const auto sequence = static_cast<std::uint8_t>(i);
    if (i == 150) continue;                                                   // the only one that is lost
    const auto frame = i % 10 == 3   ? altered(sequence, 8, 0x7E, 77)         // a message that is not known
                       : i % 10 == 5 ? altered(sequence, 3, 0, 99)            // another definition of a known one
                       : i % 10 == 7 ? altered(sequence, 2, 0x02, own_extra)  // an unknown incompatible flag
                                     : altered(sequence, 3, 0, own_extra);
    REQUIRE(socket->send(frame, ours.local()).ok());
    if (i % 10 != 3 && i % 10 != 5 && i % 10 != 7) REQUIRE(next<Heartbeat>(ours));
  }
  const auto* sender = ours.channel().senders().find({1, 1});
  REQUIRE(sender != nullptr);
  CHECK(sender->lost == 1);
  CHECK(sender->received == 299);
  CHECK(ours.channel().counters().received == 209);  // those that may be acted on
  CHECK(ours.parser_counters().unknown_message == 30);
  CHECK(ours.parser_counters().other_definition == 30);
  CHECK(ours.parser_counters().unknown_flags == 30);
}

TEST_CASE("frames that cannot be read make no sender known") {
  Link ours = opened("udpin:127.0.0.1:0", {255, 190});
  auto socket = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(socket.ok());
  for (std::uint8_t i = 0; i < 200; ++i) {  // more than are kept apart
    std::vector<std::uint8_t> whole{0xFD, 1, 0, 0, 7, i, 1, 0x00, 0x7E, 0x00, 1, 0, 0};
    const std::uint16_t crc = crc_add(crc_add(crc_start, Bytes(whole).subspan(1, 10)), std::uint8_t{5});
    whole[11] = static_cast<std::uint8_t>(crc);
    whole[12] = static_cast<std::uint8_t>(crc >> 8);
    REQUIRE(socket->send(whole, ours.local()).ok());
  }
  FrameBuffer buffer;
  REQUIRE(socket->send(encode(buffer, {Version::v2, 0, {1, 1}}, golden::heartbeat_message()), ours.local()).ok());
  REQUIRE(next<Heartbeat>(ours));
  CHECK(ours.channel().senders().senders().size() == 1);
  CHECK(ours.parser_counters().unknown_message == 200);
}

TEST_CASE("tcp connects and comes back when the server does") {
  net::Endpoint place;
  Link client = [&] {
    Link server = opened("tcpin:127.0.0.1:0", {1, 1});
    place = server.local();
    Link made = opened(tcp(place), {255, 190});
    meet(made, server);
    CHECK(made.connections() == 1);
    made.send(Heartbeat{});
    CHECK(next<Heartbeat>(server));
    server.send(TimeSync{.ts1 = 3});
    CHECK(next<TimeSync>(made)->ts1 == 3);
    return made;
  }();
  const Instant deadline = soon();
  while (client.state() == LinkState::open && now() < deadline) (void)client.receive(in(2ms));
  CHECK(client.state() != LinkState::open);
  CHECK(!client.send(Heartbeat{}));
  CHECK(!client.trouble().empty());
  Link again = opened("tcpin:" + place.text(), {1, 1});
  meet(client, again);
  CHECK(client.connections() == 2);
  client.send(Heartbeat{});
  CHECK(next<Heartbeat>(again));
}

TEST_CASE("G1 a peer that is never there blocks nothing") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener.ok());
  const net::Endpoint place = listener->local();
  listener->close();
  Link link = opened(tcp(place), {255, 190});
  for (int i = 0; i < 5; ++i) CHECK(!link.receive(in(20ms)));
  CHECK(link.state() != LinkState::open);
  CHECK(!link.send(Heartbeat{}));
}

TEST_CASE("tcpin serves several callers and mixes nothing up") {
  Link server = opened("tcpin:127.0.0.1:0", {1, 1});
  Link first = opened(tcp(server.local()), {255, 1});
  Link second = opened(tcp(server.local()), {255, 2});
  meet(first, server);
  meet(second, server);
  // Halves of two frames that come in turns.
  FrameBuffer a;
  FrameBuffer b;
  encode(a, {Version::v2, 0, {255, 1}}, TimeSync{.ts1 = 11});
  encode(b, {Version::v2, 0, {255, 2}}, TimeSync{.ts1 = 22});
  const auto part = [](const FrameBuffer& whole, std::size_t from, std::size_t to) {
    Frame frame;
    frame.bytes = whole.bytes().subspan(from, to - from);
    return frame;
  };
  first.forward(part(a, 0, 9));
  second.forward(part(b, 0, 9));
  CHECK(!server.receive(in(20ms)));
  first.forward(part(a, 9, a.size));
  second.forward(part(b, 9, b.size));
  std::int64_t sum = 0;
  for (int i = 0; i < 2; ++i) sum += next<TimeSync>(server).value_or(TimeSync{}).ts1;
  CHECK(sum == 33);
  while (server.connections() < 2) (void)server.receive(in(5ms));
  server.send(Heartbeat{});
  CHECK(next<Heartbeat>(first));
  CHECK(next<Heartbeat>(second));
}

TEST_CASE("G10 every byte in a segment of its own gives the same frames") {
  Link server = opened("tcpin:127.0.0.1:0", {1, 1});
  auto proxy = net::FaultProxy::start({.upstream = server.local(), .seed = 3});
  REQUIRE(proxy.ok());
  proxy->apply(net::Faults::both({.slice = 1}));
  Link client = opened(tcp(proxy->endpoint()), {255, 190});
  meet(client, server);
  for (std::int64_t i = 1; i <= 10; ++i) client.send(TimeSync{.ts1 = i});
  for (std::int64_t i = 1; i <= 10; ++i) CHECK(next<TimeSync>(server)->ts1 == i);
}

TEST_CASE("a client that comes back at once says the same again and is heard") {
  Link server = opened("tcpin:127.0.0.1:0", {1, 1});
  for (int i = 0; i < 3; ++i) {
    auto client = net::TcpSocket::connect("127.0.0.1", server.local().port, soon());
    REQUIRE(client.ok());
    REQUIRE(client->write_all(golden::bytes(golden::heartbeat), soon()).ok());
    CHECK(next<Heartbeat>(server));
  }
  Link other = opened("udpin:127.0.0.1:0", {1, 1});
  for (int i = 0; i < 3; ++i) {
    auto client = net::UdpSocket::bind("127.0.0.1", 0);
    REQUIRE(client.ok());
    REQUIRE(client->send(golden::bytes(golden::heartbeat), other.local()).ok());
    CHECK(next<Heartbeat>(other));
  }
}

TEST_CASE("G13 garbage that looks like a long frame holds the next one back for a moment only") {
  Link server = opened("tcpin:127.0.0.1:0", {1, 1});
  auto client = net::TcpSocket::connect("127.0.0.1", server.local().port, soon());
  REQUIRE(client.ok());
  const std::uint8_t garbage[] = {start_v2, 255, 0, 0, 0, 1, 1, 0, 0, 0};
  REQUIRE(client->write_all(garbage, soon()).ok());
  REQUIRE(client->write_all(golden::bytes(golden::heartbeat), soon()).ok());
  CHECK(next<Heartbeat>(server));
  CHECK(server.parser_counters().skipped == sizeof garbage);
}

TEST_CASE("G14 G15 G16 a bad UDP line gives every frame at most once and never a wrong one") {
  Link server = opened("udpin:127.0.0.1:0", {1, 1});
  auto proxy = net::FaultProxy::start({.upstream = server.local(), .udp = true, .seed = 5});
  REQUIRE(proxy.ok());
  proxy->apply(net::Faults::both({.drop = 0.1, .duplicate = 0.2, .reorder = 0.1, .corrupt = 0.002}));
  Link client = opened(udpout(proxy->endpoint()), {255, 190});
  std::vector<int> seen(400, 0);
  const auto read = [&](Instant deadline) {
    while (const auto frame = server.receive(deadline)) {
      const auto message = frame->as<TimeSync>();
      REQUIRE(message);
      REQUIRE(message->tc1 == 7 * message->ts1);
      REQUIRE((message->ts1 > 0 && message->ts1 < 400));
      ++seen[static_cast<std::size_t>(message->ts1)];
    }
  };
  for (std::int64_t i = 1; i < 400; ++i) {
    client.send(TimeSync{.tc1 = 7 * i, .ts1 = i});
    if (i % 20 == 0) read(in(1ms));
  }
  const Instant deadline = soon();
  std::size_t before = 0;
  do {
    before = server.channel().counters().received;
    read(in(150ms));
  } while (server.channel().counters().received != before && now() < deadline);
  CHECK(*std::max_element(seen.begin(), seen.end()) == 1);
  CHECK(server.channel().counters().received > 200);
  CHECK(server.channel().counters().duplicates > 10);
  CHECK(server.channel().senders().find({255, 190})->lost > 10);
}

TEST_CASE("V19 a flood is taken in portions") {
  Link server = opened("udpin:127.0.0.1:0", {1, 1});
  auto flooder = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(flooder.ok());
  const std::vector<std::uint8_t> garbage(100, 0x55);
  for (int i = 0; i < 500; ++i) (void)flooder->send(garbage, server.local());
  int calls = 0;
  std::uint64_t before = 0;
  do {
    before = server.parser_counters().bytes;
    CHECK(!server.receive(Instant{}));  // comes back although there is more
    CHECK(server.parser_counters().bytes - before <= 64 * garbage.size());
    ++calls;
  } while (server.parser_counters().bytes != before && calls < 1000);
  CHECK(calls > 3);
}

TEST_CASE("a serial line is opened raw and comes back after it was gone") {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(master >= 0);
  net::Descriptor keep(master);
  REQUIRE(grantpt(master) == 0);
  REQUIRE(unlockpt(master) == 0);
  std::array<char, 128> path{};
  REQUIRE(ptsname_r(master, path.data(), path.size()) == 0);
  Link link = opened("serial:" + std::string(path.data()) + ":115200", {255, 190});
  REQUIRE(link.state() == LinkState::open);
  // 0x03, 0x0A, 0x0D and 0x11 would be interpreted on a line that is not raw.
  FrameBuffer buffer;
  const Bytes frame = encode(buffer, {Version::v2, 0x0A, {0x0D, 0x11}}, ManualControl{.x = 0x030A, .z = 0x0D11});
  REQUIRE(write(master, frame.data(), frame.size()) == static_cast<ssize_t>(frame.size()));
  CHECK(next<ManualControl>(link)->z == 0x0D11);
  CHECK(link.send(ManualControl{.x = 0x0A0D}));
  std::array<std::uint8_t, 64> back{};
  net::Watch watch{.fd = master};
  REQUIRE(net::wait({&watch, 1}, soon()).ok());
  const ssize_t count = read(master, back.data(), back.size());
  Parser parser;
  parser.feed({back.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))});
  CHECK(parser.next()->as<ManualControl>()->x == 0x0A0D);

  keep.reset();
  const Instant deadline = soon();
  while (link.state() == LinkState::open && now() < deadline) (void)link.receive(in(5ms));
  CHECK(link.state() == LinkState::down);
  CHECK(!link.trouble().empty());
}

TEST_CASE("a strange baud rate and a taken port are said at once") {
  const auto serial = Link::open("serial:/dev/null:12345");
  REQUIRE(!serial.ok());
  CHECK(serial.error().text.find("12345 baud") != std::string::npos);
  Link first = opened("udpin:127.0.0.1:0", {1, 1});
  CHECK(!Link::open("udpin:" + first.local().text()).ok());
  CHECK(!Link::open("nonsense").ok());
}

TEST_CASE("signed links hear each other and nobody else") {
  const SigningKey key{1, 2, 3};
  const auto options = [&](Address own, std::uint8_t number) {
    LinkOptions made = as(own);
    made.channel.signing = SigningOptions{.key = key, .link = number};
    return made;
  };
  auto server = Link::open("udpin:127.0.0.1:0", options({1, 1}, 1));
  REQUIRE(server.ok());
  auto client = Link::open(udpout(server->local()), options({255, 190}, 2));
  REQUIRE(client.ok());
  Link forger = opened(udpout(server->local()), {255, 191});
  forger.send(TimeSync{.ts1 = 666});
  client->send(TimeSync{.ts1 = 1});
  CHECK(next<TimeSync>(*server)->ts1 == 1);
  CHECK(!server->receive(in(20ms)));
  CHECK(server->channel().counters().unsigned_or_forged == 1);
  server->send(TimeSync{.ts1 = 2});
  CHECK(next<TimeSync>(*client)->ts1 == 2);
}

}  // namespace tandem::mavlink
