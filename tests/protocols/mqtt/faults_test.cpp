// SPDX-License-Identifier: Apache-2.0
// The client when the broker is away, dead, frozen, hostile or of another opinion.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <thread>

#include "tandem/net/faults/proxy.hpp"
#include "tandem/net/resolver.hpp"
#include "tests/protocols/mqtt/broker.hpp"
#include "tests/protocols/mqtt/recorder.hpp"

namespace tandem::mqtt {
namespace {

BrokerOptions through(const net::FaultProxy& proxy) {
  return {"mqtt://" + proxy.endpoint().text(), "", "", "", "", ""};
}

net::FaultProxy proxy_to(const net::Endpoint& upstream) {
  auto proxy = net::FaultProxy::start({upstream, false, 1, 0});
  REQUIRE(proxy);
  return *std::move(proxy);
}

Greeting numbered_will(int number) { return {Message{"will", std::to_string(number), 1, false}, {}}; }

}  // namespace

TEST_CASE("each connection has a will of its own, and the broker publishes that of the one that broke") {
  const Broker broker;
  auto proxy = proxy_to(broker.endpoint());
  Loop loop;
  const Listener listener(loop, broker.options(), {"will"});
  Recorder recorder;
  recorder.greet = numbered_will;
  const Client client(loop, through(proxy), "mortal", 60s, recorder.callbacks());
  for (std::size_t i = 0; i < 4; ++i) {
    REQUIRE(eventually([&] { return client.counters().connects == i + 1; }));
    proxy.cut(net::Cut::rst);
    REQUIRE(eventually([&] { return listener.count("will") == i + 1; }));
    CHECK(listener.heard("will")[i].payload == std::to_string(i));
  }
  CHECK(client.counters().lost >= 3);
}

TEST_CASE("G1 G24: attempts whose CONNECT never left keep their greeting; the broker is found once it is there") {
  Broker broker;
  broker.kill();
  Loop loop;
  Recorder recorder;
  recorder.greet = numbered_will;
  const Client client(loop, broker.options(), "early", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return recorder.lost_count() == 1; }));
  CHECK(recorder.lost().at(0).find("refused") != std::string::npos);
  std::this_thread::sleep_for(600ms);  // several attempts
  CHECK(recorder.greets == 1);
  CHECK(recorder.lost_count() == 1);  // once in 10 s
  CHECK_FALSE(client.counters().connected);
  broker.start();
  REQUIRE(eventually([&] { return client.counters().connected; }));
  CHECK(recorder.greets == 1);
}

TEST_CASE("a broker that is killed and started again is found again, and what was published between is not kept") {
  Broker broker;
  Loop loop;
  Recorder recorder;
  Client client(loop, broker.options(), "patient", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  broker.kill();
  REQUIRE(eventually([&] { return !client.counters().connected; }));
  CHECK_FALSE(client.publish({"data", "while away", 1, false}));
  broker.start();
  const Listener listener(loop, broker.options(), {"#"});
  REQUIRE(eventually([&] { return client.counters().connects == 2; }));
  REQUIRE(client.publish({"data", "after", 1, false}));
  REQUIRE(eventually([&] { return listener.count("data") == 1; }));
  CHECK(listener.heard("data").at(0).payload == "after");
  CHECK(recorder.connected == 2);
  CHECK(recorder.lost_count() >= 1);
}

TEST_CASE("G5: a half-open connection ends within twice the keep-alive, while other clients go on") {
  const Broker broker;
  auto proxy = proxy_to(broker.endpoint());
  Loop loop;
  Listener other(loop, broker.options(), {"other"});
  Recorder recorder;
  const Client client(loop, through(proxy), "half", 5s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  proxy.apply(net::Faults::both({.black_hole = true}));
  const Instant began = now();
  std::size_t published = 0;
  REQUIRE(eventually(
      [&] {
        if (other.publish({"other", "x", 0, false})) ++published;
        return client.counters().lost == 1;
      },
      40s));
  CHECK(now() - began > 4s);
  CHECK(client.counters().trouble.find("keep-alive") != std::string::npos);
  REQUIRE(eventually([&] { return other.count("other") == published; }));
  proxy.clear();
  proxy.cut(net::Cut::rst);
  CHECK(eventually([&] { return client.counters().connects == 2; }));
}

TEST_CASE("G23: a frozen broker fills the queue; publish() refuses and counts, and never waits") {
  Broker broker;
  Loop loop;
  Recorder recorder;
  Client client(loop, broker.options(), "flood", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  broker.freeze();
  const std::string payload(4000, 'x');
  std::size_t taken = 0;
  const Instant deadline = soon(60s);
  Duration longest{};
  while (client.counters().dropped < 100 && now() < deadline && client.counters().connects == 1) {
    const Instant began = now();
    if (client.publish({"flood", payload, 0, false})) ++taken;
    longest = std::max<Duration>(longest, now() - began);
  }
  CHECK(client.counters().dropped >= 100);
  CHECK(client.waiting() == most_waiting);
  CHECK(taken > most_waiting);
  CHECK(longest < 2s);  // a busy host, not a broker
  broker.thaw();
  REQUIRE(eventually([&] { return client.waiting() == 0 || client.counters().connects == 2; }));
}

TEST_CASE("G7: a broker that accepts and stays silent is given up and tried again") {
  auto silent = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(silent);
  Loop loop;
  Recorder recorder;
  const Client client(loop, {"mqtt://" + silent->local().text(), "", "", "", "", ""}, "lonely", 60s,
                      recorder.callbacks());
  auto first = silent->accept(soon());
  REQUIRE(first);
  REQUIRE(eventually([&] { return recorder.lost_count() == 1; }));
  CHECK(recorder.lost().at(0).find("did not answer within 5 s") != std::string::npos);
  auto second = silent->accept(soon());
  CHECK(second);
  CHECK(recorder.greets >= 2);  // the first CONNECT did leave
}

TEST_CASE("G13: a hostile broker that sends random bytes costs a connection and nothing else") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  Loop loop;
  Recorder recorder;
  recorder.greeting.subscriptions = {{"#", 0}};
  const Client client(loop, {"mqtt://" + listener->local().text(), "", "", "", "", ""}, "victim", 60s,
                      recorder.callbacks());
  std::mt19937_64 random(19);
  for (int i = 0; i < 60; ++i) {
    auto socket = listener->accept(soon());
    REQUIRE(socket);
    std::vector<std::uint8_t> bytes;
    if (i % 2 == 0) bytes = {0x20, 0x02, 0x00, 0x00};  // a good CONNACK first
    const std::size_t size = random() % 300;
    for (std::size_t k = 0; k < size; ++k) bytes.push_back(static_cast<std::uint8_t>(random()));
    (void)socket->write_all(bytes, soon());
    socket->close();
  }
  CHECK(recorder.lost_count() >= 1);
}

TEST_CASE("wrong password, unknown user: refused, named, and no secret in the words; the right one enters") {
  const Folder folder;
  // What mosquitto_passwd -b writes for "opensesame" would need its tool; a plain file is hashed by it in place.
  const std::string users = folder.file("users", "machine:opensesame\n");
  REQUIRE(std::system(("mosquitto_passwd -U " + users).c_str()) == 0);
  const Broker broker({"allow_anonymous false", "password_file " + users});
  const std::string wrong = folder.file("wrong", "opensesami\n"), right = folder.file("right", "opensesame\n");
  Loop loop;
  Recorder refused, welcome, nameless;
  BrokerOptions options = broker.options();
  const Client anonymous(loop, options, "anonymous", 60s, nameless.callbacks());
  options.user = "machine";
  options.password_file = wrong;
  const Client guess(loop, options, "guess", 60s, refused.callbacks());
  options.password_file = right;
  const Client member(loop, options, "member", 60s, welcome.callbacks());
  REQUIRE(eventually([&] { return member.counters().connected; }));
  REQUIRE(eventually([&] { return guess.counters().trouble.find("not authorized") != std::string::npos; }));
  REQUIRE(eventually([&] { return anonymous.counters().trouble.find("not authorized") != std::string::npos; }));
  CHECK(guess.counters().trouble.find("opensesam") == std::string::npos);
  CHECK(guess.counters().connects == 0);
}

TEST_CASE("a subscription that the broker refuses is named unless it is optional, and the connection stays") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  Loop loop;
  Recorder recorder;
  recorder.greeting.subscriptions = {{"allowed/x", 1}, {"denied/x", 1}, {"unread/x", 1, true}};
  Client client(loop, {"mqtt://" + listener->local().text(), "", "", "", "", ""}, "limited", 60s, recorder.callbacks());
  auto broker = listener->accept(soon());
  REQUIRE(broker);
  // CONNACK: accepted. SUBACK: QoS 1 for the first, 0x80 (failure) for the others [MQTT 3.1.1, 3.9.3].
  const std::vector<std::uint8_t> answers = {0x20, 2, 0, 0, 0x90, 3, 0, 1, 1, 0x90, 3, 0, 2, 0x80, 0x90, 3, 0, 3, 0x80};
  REQUIRE(broker->write_all(Bytes(answers).first(4), soon()));
  std::vector<std::uint8_t> heard(1024);
  std::size_t size = 0;
  while (size < 2 || std::ranges::search(heard, std::string_view("unread/x")).empty()) {
    const auto more = broker->read_some(std::span(heard).subspan(size), soon());
    REQUIRE(more);
    size += *more;
  }
  REQUIRE(broker->write_all(Bytes(answers).subspan(4), soon()));
  REQUIRE(eventually([&] { return client.counters().connected; }));
  CHECK(client.counters().trouble.find("subscription to denied/x") != std::string::npos);
  CHECK(client.counters().trouble.find("allowed/x") == std::string::npos);
  CHECK(client.counters().trouble.find("unread/x") == std::string::npos);
  CHECK(recorder.connected == 1);
}

TEST_CASE("a message larger than 1 MiB is counted and not passed on") {
  const Broker broker;
  Loop loop;
  Recorder recorder;
  recorder.greeting.subscriptions = {{"big", 0}};
  Client client(loop, broker.options(), "small", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  REQUIRE(client.publish({"big", std::string(largest_received + 1, 'x'), 0, false}));
  REQUIRE(client.publish({"big", "small", 0, false}));
  REQUIRE(eventually([&] { return recorder.received_count() == 1; }));
  CHECK(recorder.received().at(0).payload == "small");
  CHECK(client.counters().too_large == 1);
}

TEST_CASE("a name that takes its time to resolve holds no other client") {
  const auto before = net::replace_lookup([](const std::string&) -> Result<std::uint32_t> {
    std::this_thread::sleep_for(1s);
    return std::uint32_t{0x7f000001};
  });
  const Broker broker;
  Loop loop;
  Recorder slow, quick;
  const Client named(loop, {"mqtt://broker.test:" + std::to_string(broker.port()), "", "", "", "", ""}, "named", 60s,
                     slow.callbacks());
  const Client direct(loop, broker.options(), "direct", 60s, quick.callbacks());
  REQUIRE(eventually([&] { return direct.counters().connected; }));
  CHECK_FALSE(named.counters().connected);
  CHECK(eventually([&] { return named.counters().connected; }));
  (void)net::replace_lookup(before);
}

TEST_CASE("clients can be destroyed in any state") {
  Broker broker;
  Loop loop;
  for (int i = 0; i < 40; ++i) {
    Recorder recorder;
    recorder.greet = numbered_will;
    Client client(loop, broker.options(), "brief-" + std::to_string(i), 60s, recorder.callbacks());
    std::this_thread::sleep_for(std::chrono::microseconds(i * 50));
    if (i % 3 == 0) client.publish({"x", "y", 1, false});
    if (i % 4 == 0) client.restart({{"x", "z", 1, false}});
    if (i % 5 == 0) client.leave({}, in(10ms));
  }
  broker.kill();
  for (int i = 0; i < 5; ++i) {
    const Client client(loop, broker.options(), "brief", 60s, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(i * 10));
  }
  CHECK(true);
}

}  // namespace tandem::mqtt
