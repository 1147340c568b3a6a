// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tandem/net/socket.hpp"
#include "tandem/record/black_box.hpp"
#include "tandem/record/recorder.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/replay/device.hpp"
#include "tandem/runtime/replay/file.hpp"

namespace tandem::runtime {
namespace {

using ros2::tandem_msgs::FieldFrame;
using Bin = std::vector<std::uint8_t>;

Instant within_seconds() { return now() + 20s; }

struct DeviceScript {
  ConversationBuilder builder;
  bool datagram = false;
  std::string peer = "127.0.0.1:502", local = "127.0.0.1:40000";
  DeviceScript& add(std::uint32_t connection, std::uint8_t kind, int ms, std::string_view data = {}) {
    FieldFrame frame;
    frame.stamp = {100, static_cast<std::uint32_t>(ms) * 1'000'000U};
    frame.connection = connection;
    frame.kind = kind;
    frame.datagram = datagram;
    frame.peer = peer;
    frame.local = local;
    frame.data.assign(data.begin(), data.end());
    REQUIRE(builder.add(frame));
    return *this;
  }
  FieldRecording recording(std::string device) { return {"m", "t", std::move(device), builder.take()}; }
};

struct Replaying {
  explicit Replaying(FieldRecording recording, ReplayOptions options = {}) {
    options.linger = 200ms;
    if (!options.port) options.port = 0;
    options.ports = field_ports(recording, all_machines());
    auto made = ReplayDevice::make(std::move(recording), std::move(options));
    INFO((made ? std::string() : made.error().text));
    REQUIRE(made);
    device = std::move(*made);
    thread = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
  }
  net::Endpoint endpoint() const { return {0x7F000001, port_of(device->url().substr(0, device->url().find('?')))}; }
  ReplaySummary end() {
    thread.join();
    return device->summary();
  }
  std::unique_ptr<ReplayDevice> device;
  std::jthread thread;
};

std::string read_text(net::TcpSocket& socket, std::size_t size) {
  std::string text(size, '\0');
  const auto read = socket.read_exact({reinterpret_cast<std::uint8_t*>(text.data()), text.size()}, within_seconds());
  return read ? text : read.error().text;
}

// As a machine knocks until it is let in.
net::TcpSocket connect_again(std::uint16_t port) {
  const Instant until = within_seconds();
  while (now() < until) {
    if (auto socket = net::TcpSocket::connect("127.0.0.1", port, until)) return std::move(*socket);
    system_clock().sleep_until(now() + 20ms);
  }
  FAIL("nobody listens again");
  return {};
}

}  // namespace

TEST_CASE("a device that closed in the middle of a frame does so again") {
  DeviceScript script;
  script.peer = "10.0.0.9:29999";
  script.add(1, 0, 0).add(1, 1, 1, "Connected\n").add(1, 2, 5, "robotmode\n").add(1, 1, 8, "Robotm").add(1, 4, 9);
  Replaying replay(script.recording("rtde://10.0.0.9"));
  CHECK(replay.device->url().find("rtde://127.0.0.1:1?dashboard=") == 0);
  const std::string url = replay.device->url();
  const auto port = std::stoi(url.substr(url.find('=') + 1));
  auto socket = net::TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(port), within_seconds());
  REQUIRE(socket);
  CHECK(read_text(*socket, 10) == "Connected\n");
  REQUIRE(socket->write_all(as_bytes("robotmode\n"), within_seconds()));
  CHECK(read_text(*socket, 6) == "Robotm");
  CHECK(read_text(*socket, 1).find("closed the connection") != std::string::npos);
  // There was one conversation: who comes again is refused.
  CHECK(!net::TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(port), within_seconds()));
  socket->close();
  const ReplaySummary summary = replay.end();
  CHECK(summary.as_recorded());
  CHECK(summary.text() ==
        "1 of 1 connections replayed to their end, 16 bytes sent, 10 received: the client sent what was recorded");
}

TEST_CASE("a connection that broke breaks again and the next caller has the next conversation") {
  DeviceScript script;
  script.add(1, 0, 0).add(1, 1, 1, "a").add(1, 5, 2).add(2, 0, 500).add(2, 1, 501, "b").add(2, 3, 502);
  Replaying replay(script.recording("modbus://10.0.0.9"));
  auto first = net::TcpSocket::connect("127.0.0.1", replay.endpoint().port, within_seconds());
  REQUIRE(first);
  CHECK(read_text(*first, 1) == "a");
  CHECK(read_text(*first, 1).find("reset") != std::string::npos);
  auto second = connect_again(replay.endpoint().port);
  CHECK(read_text(second, 1) == "b");
  second.close();
  CHECK(replay.end().as_recorded());
}

TEST_CASE("a device that was away between two conversations refuses for as long") {
  DeviceScript script;
  script.add(1, 0, 0).add(1, 1, 1, "a").add(1, 4, 100).add(2, 0, 900).add(2, 1, 901, "b").add(2, 3, 902);
  Replaying replay(script.recording("modbus://10.0.0.9"));
  const std::uint16_t port = replay.endpoint().port;
  auto first = net::TcpSocket::connect("127.0.0.1", port, within_seconds());
  REQUIRE(first);
  CHECK(read_text(*first, 1) == "a");
  CHECK(read_text(*first, 1).find("closed the connection") != std::string::npos);
  const Instant lost = now();
  first->close();
  system_clock().sleep_until(lost + 100ms);
  CHECK(!net::TcpSocket::connect("127.0.0.1", port, within_seconds()));
  auto second = connect_again(port);
  // 800 ms, of which the machine's own pause before it knocks again may be the last 150.
  CHECK(now() - lost >= 600ms);
  CHECK(read_text(second, 1) == "b");
  second.close();
  CHECK(replay.end().as_recorded());
}

namespace {

// 26 MB at once.
DeviceScript talkative() {
  DeviceScript script;
  script.peer = "10.0.0.9:30001";
  script.add(1, 0, 0);
  for (int i = 0; i < 400; ++i) script.add(1, 1, 1, std::string(65536, 'p'));
  script.add(1, 4, 2);
  return script;
}

}  // namespace

TEST_CASE("what the device says waits within bounds for a client that does not read") {
  DeviceScript script = talkative();
  ReplayOptions options;
  options.wait = 300ms;
  Replaying replay(script.recording("rtde://10.0.0.9?primary=30001"), options);
  const std::string url = replay.device->url();
  const auto port = std::stoi(url.substr(url.find("primary=") + 8));
  auto socket = net::TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(port), within_seconds());
  REQUIRE(socket);
  const ReplaySummary summary = replay.end();
  CHECK(summary.said > 1 << 20);
  CHECK(summary.said < 16u << 20);  // of 26 MB; the kernel holds some too
  REQUIRE(summary.differences.size() == 1);
  CHECK(summary.differences.front().find("no longer receives") != std::string::npos);
}

TEST_CASE("a client that reads late has all that was said before its end") {
  DeviceScript script = talkative();
  Replaying replay(script.recording("rtde://10.0.0.9?primary=30001"));
  const std::string url = replay.device->url();
  const auto port = std::stoi(url.substr(url.find("primary=") + 8));
  auto socket = net::TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(port), within_seconds());
  REQUIRE(socket);
  system_clock().sleep_until(now() + 500ms);
  CHECK(read_text(*socket, 400 * 65536).size() == 400 * 65536);
  CHECK(read_text(*socket, 1).find("closed the connection") != std::string::npos);
  socket->close();
  CHECK(replay.end().as_recorded());
}

TEST_CASE("a replay for whose next conversation nobody comes is over after its wait") {
  DeviceScript script;
  script.add(1, 0, 0).add(1, 1, 1, "a").add(1, 5, 2).add(2, 0, 10).add(2, 1, 11, "b").add(2, 3, 12);
  ReplayOptions options;
  options.wait = 200ms;
  Replaying replay(script.recording("modbus://10.0.0.9"), options);
  auto first = net::TcpSocket::connect("127.0.0.1", replay.endpoint().port, within_seconds());
  REQUIRE(first);
  CHECK(replay.end().text().find("no client for 1") != std::string::npos);
}

TEST_CASE("what the other side says differently is told with its place") {
  DeviceScript script;
  script.peer = "10.0.0.9:63352";
  script.add(1, 0, 0).add(1, 2, 1, "GET POS\n").add(1, 1, 2, "POS 3\n").add(1, 3, 3);
  Replaying replay(script.recording("rtde://10.0.0.9?gripper=63352"));
  const std::string url = replay.device->url();
  const auto port = std::stoi(url.substr(url.find("gripper=") + 8));
  auto socket = net::TcpSocket::connect("127.0.0.1", static_cast<std::uint16_t>(port), within_seconds());
  REQUIRE(socket);
  REQUIRE(socket->write_all(as_bytes("GET FLT\n"), within_seconds()));  // was never asked
  REQUIRE(socket->write_all(as_bytes("GET POS\n"), within_seconds()));
  CHECK(read_text(*socket, 6) == "POS 3\n");
  socket->close();
  const ReplaySummary summary = replay.end();
  CHECK(!summary.as_recorded());
  REQUIRE(summary.differences.size() == 1);
  CHECK(summary.differences.front().find("at byte 4 (frame 0): expected 50 4F 53 0A, got 46 4C 54 0A") !=
        std::string::npos);
}

TEST_CASE("datagrams are answered where the machine speaks first and sent where the device does") {
  std::array<std::uint8_t, 64> buffer{};
  DeviceScript first;
  first.datagram = true;
  first.peer = "10.0.0.9:14555";
  first.add(1, 0, 0).add(1, 2, 1, "hello").add(1, 1, 2, "world").add(1, 3, 5);
  Replaying answering(first.recording("mavlink://10.0.0.9:14555?link=udpout"));
  auto machine = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(machine);
  REQUIRE(machine->send(as_bytes("hello"), answering.endpoint()));
  auto datagram = machine->receive(buffer, within_seconds());
  REQUIRE(datagram);
  CHECK(std::string(buffer.begin(), buffer.begin() + 5) == "world");
  CHECK(answering.end().as_recorded());

  DeviceScript second;
  second.datagram = true;
  second.peer = "10.0.0.9:40001";
  second.local = "0.0.0.0:14551";
  second.add(1, 0, 0).add(1, 1, 1, "beat").add(1, 2, 2, "yes").add(1, 1, 3, "next").add(1, 3, 5);
  ReplayOptions options;
  options.port = machine->local().port;
  Replaying sending(second.recording("mavlink://0.0.0.0:14551?link=udpin"), options);
  CHECK(sending.endpoint().port == machine->local().port);
  datagram = machine->receive(buffer, within_seconds());
  REQUIRE(datagram);
  CHECK(datagram->size == 4);
  REQUIRE(machine->send(as_bytes("yes"), datagram->from));
  datagram = machine->receive(buffer, within_seconds());
  REQUIRE(datagram);
  CHECK(std::string(buffer.begin(), buffer.begin() + 4) == "next");
  CHECK(sending.end().as_recorded());
}

TEST_CASE("recordings that cannot be replayed say why") {
  const auto why = [](FieldRecording recording, ReplayOptions options = {}) {
    options.ports = field_ports(recording, all_machines());
    auto made = ReplayDevice::make(std::move(recording), std::move(options));
    return made ? std::string() : made.error().text;
  };
  CHECK(why({"arm", "ur3e", "rtde://10.0.0.1", {}}).find("no connection of arm") != std::string::npos);
  DeviceScript script;
  CHECK(why(script.add(1, 0, 0).recording("profinet://x")).find("no machine supports replay of profinet://") !=
        std::string::npos);
  CHECK(why(script.add(1, 0, 0).recording("not a url")).find("device of the recording") == 0);
  CHECK(why(script.add(1, 0, 0).recording("rtde://h")).find("port 502") != std::string::npos);
  ReplayOptions still;
  still.player.speed = 0;
  CHECK(why(script.add(1, 0, 0).recording("modbus://h"), still).find("expected 0.001 to 1000") != std::string::npos);
}

TEST_CASE("conversations come back from a file as they passed") {
  const auto folder = std::filesystem::temp_directory_path() / ("tandem-replay-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "run.mcap").string();
  {
    record::RecorderOptions options;
    options.file = file;
    record::Recorder recorder(options);
    const FileClock clock(system_clock());
    FieldTap lift(recorder, clock, "lift", "raptorlift", "modbus://10.0.0.9");
    FieldTap arm(recorder, clock, "arm", "ur3e", "rtde://10.0.0.8");
    FieldTap boat(recorder, clock, "boat", "orca", "mavlink://10.0.0.7?link=tcp");
    const net::Flow flow{3, false, {0x0A000009, 502}, {0x0A000001, 40000}, {}};
    Instant stamp = now();
    net::Flow begun_earlier = flow;
    begun_earlier.connection = 1;
    lift.passed(begun_earlier, net::Direction::in, as_bytes("the end of another"), stamp);
    lift.closed(begun_earlier, net::Ending::theirs, stamp);
    boat.passed(begun_earlier, net::Direction::in, as_bytes("rest"), stamp);
    arm.opened(flow, stamp);
    lift.opened(flow, stamp);
    for (int i = 0; i < 100; ++i) {
      const Bin data(static_cast<std::size_t>(i), static_cast<std::uint8_t>(i));
      lift.passed(flow, i % 2 == 0 ? net::Direction::out : net::Direction::in, data, stamp += 1ms);
    }
    lift.closed(flow, net::Ending::theirs, stamp += 1ms);
    CHECK(lift.frames() == 104);
    record_event(recorder, clock, {"lift", "lost", "closed", true}, stamp);
  }
  auto reader = record::McapReader::open(file);
  REQUIRE(reader);
  CHECK(recorded_machines(*reader).size() == 3);
  const auto refused = [&](const std::string& machine) {
    auto read = read_field_recording(*reader, machine);
    return read ? std::string() : read.error().text;
  };
  CHECK(refused("").find("choose one with --machine") != std::string::npos);
  CHECK(refused("ship").find("it contains ") != std::string::npos);
  CHECK(refused("boat").find("the beginning of any of its 1 connections") != std::string::npos);
  auto recording = read_field_recording(*reader, "lift");
  REQUIRE(recording);
  CHECK(recording->device == "modbus://10.0.0.9");
  CHECK(recording->unbegun == 1);
  REQUIRE(recording->conversations.size() == 1);
  const Conversation& talk = recording->conversations.front();
  CHECK(talk.pieces.size() == 99);
  CHECK(talk.length == 101ms);
  CHECK(talk.end == RecordedEnd::theirs);
  CHECK(talk.in.size() == 2500);
  CHECK(talk.out.size() == 2450);
  std::filesystem::remove_all(folder);
}

TEST_CASE("an incident has the beginning of each connection that was open however long ago") {
  const auto folder = std::filesystem::temp_directory_path() / ("tandem-incident-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "incident.mcap").string();
  {
    record::BlackBox box({.keep = 10s, .chunk_bytes = 4000, .restamp = restamp_message});
    const FileClock clock(system_clock());
    FieldTap lift(box, clock, "lift", "raptorlift", "modbus://10.0.0.9");
    const net::Flow flow{3, false, {0x0A000009, 502}, {0x0A000001, 40000}, {}}, before{2, false, flow.peer, {}, {}};
    Instant stamp = now();
    lift.opened(before, stamp);
    lift.opened(flow, stamp);
    lift.passed(flow, net::Direction::out, as_bytes("hello"), stamp += 1ms);
    lift.passed(flow, net::Direction::in, as_bytes("welcome"), stamp += 1ms);
    lift.closed(before, net::Ending::theirs, stamp);
    for (int i = 0; i < 3000; ++i) {  // a minute
      lift.passed(flow, net::Direction::out, Bin(500, 'q'), stamp += 10ms);
      lift.passed(flow, net::Direction::in, Bin(500, 'a'), stamp += 10ms);
    }
    (void)box.write(file, {}, 1h);
    box.finish();
  }
  auto reader = record::McapReader::open(file);
  REQUIRE(reader);
  auto recording = read_field_recording(*reader, "lift");
  REQUIRE(recording);
  CHECK(recording->unbegun == 0);
  CHECK(recording->torn == 0);
  REQUIRE(recording->conversations.size() == 1);
  const Conversation& talk = recording->conversations.front();
  CHECK(std::string(talk.out.begin(), talk.out.begin() + 6) == "helloq");
  CHECK(std::string(talk.in.begin(), talk.in.begin() + 8) == "welcomea");
  CHECK(talk.length >= 10s);  // of the window, and not of the minute
  CHECK(talk.length < 15s);
  CHECK(talk.out.size() > 500 * 500);
  std::filesystem::remove_all(folder);
}

TEST_CASE("frames that are missing in a recording break the connections they belong to and no others") {
  const auto folder = std::filesystem::temp_directory_path() / ("tandem-gaps-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "run.mcap").string();
  const auto text_of = [](Bytes bytes) { return std::string(bytes.begin(), bytes.end()); };
  SUBCASE("the recorder had no room for them") {
    {
      record::RecorderOptions options;
      options.file = file;
      options.ring_bytes = 4096;
      record::Recorder recorder(options);
      FieldTap lift(recorder, FileClock(system_clock()), "lift", "raptorlift", "modbus://10.0.0.9");
      net::Flow flow{3, false, {0x0A000009, 502}, {0x0A000001, 40000}, {}};
      net::Flow packets{8, true, {0x0A000009, 502}, {0x0A000001, 40001}, {}};
      Instant stamp = now();
      lift.opened(packets, stamp);
      lift.opened(flow, stamp);
      lift.passed(flow, net::Direction::in, as_bytes("before"), stamp += 1ms);
      lift.passed(packets, net::Direction::in, as_bytes("one"), stamp += 1ms);
      lift.passed(flow, net::Direction::in, Bin(5000), stamp += 1ms);  // more than the ring takes
      lift.passed(flow, net::Direction::in, as_bytes("behind"), stamp += 1ms);
      lift.passed(packets, net::Direction::in, as_bytes("two"), stamp += 1ms);
      lift.closed(flow, net::Ending::ours, stamp += 1ms);
      flow.connection = 4;
      lift.opened(flow, stamp += 1ms);
      lift.passed(flow, net::Direction::in, as_bytes("whole"), stamp += 1ms);
      lift.closed(flow, net::Ending::ours, stamp += 1ms);
    }
    auto reader = record::McapReader::open(file);
    REQUIRE(reader);
    const auto recording = read_field_recording(*reader, "");
    REQUIRE(recording);
    REQUIRE(recording->conversations.size() == 3);
    CHECK(text_of(recording->conversations[0].in) == "onetwo");  // datagrams may get lost
    CHECK(text_of(recording->conversations[1].in) == "before");
    CHECK(recording->conversations[1].end == RecordedEnd::broken);
    CHECK(text_of(recording->conversations[2].in) == "whole");
    CHECK(recording->conversations[2].end == RecordedEnd::ours);
    CHECK(recording->torn == 1);
    CHECK(recording->unbegun == 1);
  }
  SUBCASE("a part of the file is damaged") {
    std::string said;
    {
      record::RecorderOptions options;
      options.file = file;
      options.chunk_bytes = 1000;
      record::Recorder recorder(options);
      FieldTap lift(recorder, FileClock(system_clock()), "lift", "raptorlift", "modbus://10.0.0.9");
      const net::Flow flow{3, false, {0x0A000009, 502}, {0x0A000001, 40000}, {}};
      Instant stamp = now();
      lift.opened(flow, stamp);
      for (std::uint32_t i = 0; i < 500; ++i) {
        const std::string number = std::to_string(i * 2654435761u) + " ";
        said += number;
        lift.passed(flow, net::Direction::in, as_bytes(number), stamp += 1ms);
      }
      lift.closed(flow, net::Ending::ours, stamp += 1ms);
    }
    {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      std::string bytes(std::filesystem::file_size(file), '\0');
      stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      const std::size_t frame = bytes.find("\x28\xB5\x2F\xFD", bytes.size() / 4);  // how Zstandard begins
      REQUIRE(frame != std::string::npos);
      stream.seekp(static_cast<std::streamoff>(frame + 100));
      stream << "damage";
    }
    for (const bool thorough : {false, true}) {
      auto reader = record::McapReader::open(file, {.thorough = thorough});
      REQUIRE(reader);
      const auto recording = read_field_recording(*reader, "lift");
      REQUIRE(recording);
      REQUIRE(recording->conversations.size() == 1);
      const std::string replayed = text_of(recording->conversations[0].in);
      CHECK(said.starts_with(replayed));
      CHECK(replayed.size() > 100);
      CHECK(replayed.size() < said.size());
      CHECK(recording->conversations[0].end == RecordedEnd::broken);
      CHECK(recording->torn == 1);
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace tandem::runtime
