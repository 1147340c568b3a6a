// SPDX-License-Identifier: Apache-2.0
// The client with Debian's mosquitto, when all is well.
#include "tandem/protocols/mqtt/client.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

#include "tests/protocols/mqtt/broker.hpp"
#include "tests/protocols/mqtt/recorder.hpp"

namespace tandem::mqtt {

TEST_CASE("what is published arrives in order and whole, also empty and binary payloads") {
  const Broker broker;
  Loop loop;
  const Listener listener(loop, broker.options(), {"cell/#"});
  Recorder recorder;
  Client client(loop, broker.options(), "sender", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  for (int i = 0; i < 500; ++i) REQUIRE(client.publish({"cell/number", std::to_string(i), 0, false}));
  for (int i = 0; i < 100; ++i) REQUIRE(client.publish({"cell/sure", std::to_string(i), 1, false}));
  REQUIRE(client.publish({"cell/empty", "", 0, false}));
  const std::string binary("\0\xff\x80 a\0", 6);
  REQUIRE(client.publish({"cell/binary", binary, 0, false}));
  REQUIRE(eventually([&] { return listener.count("cell/binary") == 1 && listener.count("cell/sure") == 100; }));
  const auto numbers = listener.heard("cell/number"), sure = listener.heard("cell/sure");
  REQUIRE(numbers.size() == 500);
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(numbers[i].payload == std::to_string(i));
  for (std::size_t i = 0; i < sure.size(); ++i) CHECK(sure[i].payload == std::to_string(i));
  CHECK(listener.heard("cell/empty").at(0).payload.empty());
  CHECK(listener.heard("cell/binary").at(0).payload == binary);
  CHECK(client.counters().sent == 602);
  CHECK(client.counters().dropped == 0);
  CHECK(client.waiting() == 0);
}

TEST_CASE("connected() comes once the subscriptions are answered, and what it publishes comes back") {
  const Broker broker;
  Loop loop;
  Recorder recorder;
  recorder.greeting.subscriptions = {{"echo/+", 1}};
  Client* self = nullptr;
  std::atomic<bool> set{false};
  recorder.on_connected = [&] {
    while (!set) std::this_thread::yield();
    self->publish({"echo/birth", "here", 0, false});
  };
  Client client(loop, broker.options(), "echo", 60s, recorder.callbacks());
  self = &client;
  set = true;
  REQUIRE(eventually([&] { return recorder.received_count() == 1; }));
  CHECK(recorder.received().at(0).topic == "echo/birth");
  CHECK_FALSE(recorder.received().at(0).retain);
  client.leave({}, soon());
}

TEST_CASE("leave publishes the farewell and takes the will back; the client stays away") {
  const Broker broker;
  Loop loop;
  const Listener listener(loop, broker.options(), {"#"});
  Recorder recorder;
  recorder.greeting.will = Message{"state", "broken", 1, false};
  {
    Client client(loop, broker.options(), "polite", 60s, recorder.callbacks());
    REQUIRE(eventually([&] { return client.counters().connected; }));
    client.publish({"state", "last data", 0, false});
    client.leave({{"state", "offline", 1, false}}, soon());
    CHECK_FALSE(client.publish({"state", "too late", 0, false}));
    CHECK_FALSE(client.counters().connected);
    CHECK(client.counters().lost == 0);
    CHECK(client.counters().trouble.empty());
  }
  REQUIRE(eventually([&] { return listener.count("state") == 2; }));
  std::this_thread::sleep_for(100ms);
  const auto heard = listener.heard("state");
  REQUIRE(heard.size() == 2);
  CHECK(heard[0].payload == "last data");
  CHECK(heard[1].payload == "offline");
  CHECK(recorder.greets == 1);
  CHECK(recorder.lost_count() == 1);
}

TEST_CASE("a client that is destroyed without leaving has its will published") {
  const Broker broker;
  Loop loop;
  const Listener listener(loop, broker.options(), {"state"});
  Recorder recorder;
  recorder.greeting.will = Message{"state", "broken", 1, false};
  {
    const Client client(loop, broker.options(), "rude", 60s, recorder.callbacks());
    REQUIRE(eventually([&] { return client.counters().connected; }));
  }
  CHECK(eventually([&] { return listener.count("state") == 1; }));
}

TEST_CASE("restart leaves politely and connects again with a new greeting") {
  const Broker broker;
  Loop loop;
  const Listener listener(loop, broker.options(), {"#"});
  Recorder recorder;
  recorder.greeting.will = Message{"state", "broken", 1, false};
  Client client(loop, broker.options(), "again", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  client.restart({{"state", "bye", 1, false}});
  REQUIRE(eventually([&] { return client.counters().connects == 2; }));
  REQUIRE(client.publish({"state", "new", 0, false}));
  REQUIRE(eventually([&] { return listener.count("state") == 2; }));
  CHECK(listener.heard("state").at(0).payload == "bye");
  CHECK(listener.heard("state").at(1).payload == "new");
  CHECK(recorder.greets == 2);
  CHECK(client.counters().lost == 0);
}

TEST_CASE("a retained message comes with its mark, a live one without") {
  const Broker broker;
  Loop loop;
  Listener writer(loop, broker.options(), {});
  REQUIRE(writer.publish({"old", "kept", 1, true}));
  REQUIRE(eventually([&] { return writer.client().waiting() == 0; }));
  Recorder recorder;
  recorder.greeting.subscriptions = {{"old", 1}};
  const Client client(loop, broker.options(), "reader", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return recorder.received_count() == 1; }));
  CHECK(recorder.received().at(0).retain);
  REQUIRE(writer.publish({"old", "kept again", 1, true}));
  REQUIRE(eventually([&] { return recorder.received_count() == 2; }));
  CHECK_FALSE(recorder.received().at(1).retain);
}

TEST_CASE("one loop serves fifty clients, and each hears only its own topic") {
  const Broker broker;
  Loop loop;
  Listener writer(loop, broker.options(), {});
  std::vector<std::unique_ptr<Recorder>> recorders;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 50; ++i) {
    recorders.push_back(std::make_unique<Recorder>());
    recorders.back()->greeting.subscriptions = {{"truck/" + std::to_string(i), 0}};
    clients.push_back(std::make_unique<Client>(loop, broker.options(), "truck-" + std::to_string(i), 60s,
                                               recorders.back()->callbacks()));
  }
  for (const auto& client : clients) REQUIRE(eventually([&] { return client->counters().connected; }));
  for (int i = 0; i < 50; ++i) REQUIRE(writer.publish({"truck/" + std::to_string(i), std::to_string(i), 0, false}));
  for (std::size_t i = 0; i < 50; ++i) {
    REQUIRE(eventually([&] { return recorders[i]->received_count() == 1; }));
    CHECK(recorders[i]->received().at(0).payload == std::to_string(i));
  }
}

TEST_CASE("many threads publish through one client, and nothing is lost") {
  const Broker broker;
  Loop loop;
  const Listener listener(loop, broker.options(), {"#"});
  Recorder recorder;
  Client client(loop, broker.options(), "shared", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&client, t] {
      for (int i = 0; i < 200; ++i) client.publish({"t/" + std::to_string(t), std::to_string(i), 0, false});
    });
  }
  threads.clear();
  REQUIRE(eventually([&] { return listener.heard().size() == 800; }));
  for (int t = 0; t < 4; ++t) {
    const auto heard = listener.heard("t/" + std::to_string(t));
    REQUIRE(heard.size() == 200);
    for (std::size_t i = 0; i < 200; ++i) CHECK(heard[i].payload == std::to_string(i));
  }
}

TEST_CASE("an invalid URL or keep-alive is refused when the client is made") {
  Loop loop;
  const BrokerOptions good{"mqtt://127.0.0.1:1", "", "", "", "", ""};
  CHECK_THROWS_AS(Client(loop, {"http://127.0.0.1", "", "", "", "", ""}, "x", 60s, {}), std::invalid_argument);
  CHECK_THROWS_AS(Client(loop, good, "x", 4s, {}), std::invalid_argument);
  CHECK_NOTHROW(Client(loop, good, "x", 5s, {}));
}

TEST_CASE("a topic that cannot be published is dropped and named; the connection stays") {
  const Broker broker;
  Loop loop;
  const Listener listener(loop, broker.options(), {"#"});
  Recorder recorder;
  Client client(loop, broker.options(), "wrong", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  client.publish({"with/+/wildcard", "x", 0, false});
  client.publish({"good", "x", 0, false});
  REQUIRE(eventually([&] { return listener.count("good") == 1; }));
  CHECK(client.counters().dropped == 1);
  CHECK(client.counters().trouble.find("with/+/wildcard") != std::string::npos);
  CHECK(client.counters().connects == 1);
}

}  // namespace tandem::mqtt
