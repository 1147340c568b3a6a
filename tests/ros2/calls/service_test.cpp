// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/calls/service.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <random>

#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using std_srvs::SetBool;
using std_srvs::Trigger;

SetBool::Response mirror(const SetBool::Request& request) {
  SetBool::Response response;
  response.success = request.data;
  response.message = request.data ? "on" : "off";
  return response;
}

SetBool::Request asking(bool data) {
  SetBool::Request request;
  request.data = data;
  return request;
}

}  // namespace

TEST_CASE("a call is answered across two processes' worth of participants and within one") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node server_node(here, "server", "/lab"), client_node(there, "client"), own_node(here, "own");
  const Service<SetBool> service(server_node, "light", mirror);
  CHECK(service.name() == "/lab/light");
  for (Node* node : {&client_node, &own_node}) {
    const Client<SetBool> client(*node, "/lab/light");
    REQUIRE(client.wait_for_server(20s));
    for (const bool data : {true, false}) {
      const auto answer = client.call(asking(data));
      REQUIRE_MESSAGE(answer.ok(), answer.error().text);
      CHECK(answer->success == data);
      CHECK(answer->message == (data ? "on" : "off"));
    }
  }
}

TEST_CASE("calls at the same time from several clients each get their own answer") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node server_node(here, "server");
  const Service<SetBool> service(server_node, "light", mirror);
  Node first_node(there, "first"), second_node(there, "second");
  const Client<SetBool> first(first_node, "light"), second(second_node, "light");
  REQUIRE(first.wait_for_server(20s));
  REQUIRE(second.wait_for_server(20s));
  constexpr int calls = 500;
  std::atomic<int> right = 0, answered = 0;
  for (int i = 0; i < calls; ++i) {
    const bool data = i % 3 == 0;
    (i % 2 == 0 ? first : second).call(asking(data), {.timeout = 20s}, [&, data](Result<SetBool::Response> answer) {
      if (answer && answer->success == data) ++right;
      ++answered;
    });
  }
  CHECK(eventually([&] { return answered == calls; }));
  CHECK(right == calls);
}

TEST_CASE("a call without a server fails at its deadline and says so") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "client");
  const Client<Trigger> client(node, "nobody");
  CHECK_FALSE(client.ready());
  CHECK_FALSE(client.wait_for_server(10ms));
  const auto answer = client.call({}, {.timeout = 50ms});
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().fault == Fault::timeout);
  CHECK(answer.error().text == "/nobody: no server of that name and type within the timeout");
}

TEST_CASE("a reply may come later and a late one is dropped") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node server_node(here, "server"), client_node(there, "client");
  std::mutex mutex;
  std::vector<Reply<Trigger>> kept;
  const Service<Trigger> service(server_node, "slow", [&](const Trigger::Request&, const Reply<Trigger>& reply) {
    const std::lock_guard lock(mutex);
    kept.push_back(reply);
  });
  const auto kept_count = [&] {
    const std::lock_guard lock(mutex);
    return kept.size();
  };
  const Client<Trigger> client(client_node, "slow");
  REQUIRE(client.wait_for_server(20s));
  auto waiting = std::async(std::launch::async, [&] { return client.call({}, {.timeout = 20s}); });
  REQUIRE(eventually([&] { return kept_count() == 1; }));
  Trigger::Response response;
  response.message = "at last";
  CHECK(kept[0].send(response));
  const auto answer = waiting.get();
  REQUIRE(answer.ok());
  CHECK(answer->message == "at last");

  const auto too_short = client.call({}, {.timeout = 100ms});
  REQUIRE_FALSE(too_short.ok());
  CHECK(too_short.error().text == "/slow: no answer within the timeout");
  REQUIRE(eventually([&] { return kept_count() == 2; }));
  CHECK(kept[1].send(response));
  CHECK(eventually([&] { return client.late() == 1; }));
}

TEST_CASE("a server that vanishes ends the calls it owes and another takes over") {
  const ContextOptions options = loopback_options();
  Context client_context(options);
  Node client_node(client_context, "client");
  const Client<Trigger> client(client_node, "shaky");
  std::future<Result<Trigger::Response>> waiting;
  {
    Context context(options);
    Node node(context, "first");
    std::atomic<bool> asked = false;
    const Service<Trigger> service(node, "shaky",
                                   [&](const Trigger::Request&, const Reply<Trigger>&) { asked = true; });
    REQUIRE(client.wait_for_server(20s));
    waiting = std::async(std::launch::async, [&] { return client.call({}, {.timeout = 30s}); });
    REQUIRE(eventually([&] { return asked.load(); }));
  }
  const auto lost = waiting.get();
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().fault == Fault::closed);
  CHECK(lost.error().text == "/shaky: the server went away before it answered");
  CHECK_FALSE(client.ready());

  Context context(options);
  Node node(context, "second");
  const Service<Trigger> service(node, "shaky", [](const Trigger::Request&) { return Trigger::Response{}; });
  CHECK(client.call({}, {.timeout = 20s}).ok());
}

TEST_CASE("waiting inside a callback is refused instead of locking up") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "both");
  const Client<Trigger> inner(node, "inner");
  const Service<Trigger> service(node, "outer", [&](const Trigger::Request&) {
    Trigger::Response response;
    const auto answer = inner.call({});
    if (!answer) response.message = answer.error().text;
    return response;
  });
  const Client<Trigger> client(node, "outer");
  const auto answer = client.call({}, {.timeout = 20s});
  REQUIRE(answer.ok());
  CHECK(answer->message == "/inner: blocking call inside a callback, where no answer can arrive");
}

TEST_CASE("requests and clients that end early leave nothing behind") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node server_node(here, "server");
  std::vector<Reply<Trigger>> kept;
  std::atomic<int> asked = 0;
  auto service = std::make_unique<Service<Trigger>>(server_node, "slow",
                                                    [&](const Trigger::Request&, const Reply<Trigger>& reply) {
                                                      kept.push_back(reply);
                                                      ++asked;
                                                    });
  std::atomic<int> closed = 0;
  {
    Node client_node(there, "client");
    const Client<Trigger> client(client_node, "slow");
    REQUIRE(client.wait_for_server(20s));
    client.call({}, {.timeout = 30s}, [&](Result<Trigger::Response> answer) {
      if (!answer && answer.error().fault == Fault::closed) ++closed;
    });
    REQUIRE(eventually([&] { return asked == 1; }));
  }
  CHECK(closed == 1);
  service.reset();
  CHECK_FALSE(kept.front().send({}));
}

TEST_CASE("a call that nobody came to before its client was closed is answered") {
  Context context(loopback_options());
  Node node(context, "client");
  std::promise<void> entered, leave;
  const Service<Trigger> busy(node, "busy", [&](const Trigger::Request&) {
    entered.set_value();
    leave.get_future().wait();
    return Trigger::Response{};
  });
  const Client<Trigger> first(node, "busy");
  first.call({}, {.timeout = 20s}, [](const Result<Trigger::Response>&) {});
  entered.get_future().wait();  // from now on the executor is busy
  std::atomic<int> closed = 0;
  {
    const Client<Trigger> second(node, "slow");
    second.call({}, {.timeout = 30s}, [&](const Result<Trigger::Response>& answer) {
      if (!answer && answer.error().fault == Fault::closed) ++closed;
    });
  }
  CHECK(closed == 1);
  leave.set_value();
}

TEST_CASE("requests that cannot be read are dropped and told") {
  const ContextOptions options = loopback_options();
  Context here(options), there(options);
  Node server_node(here, "server"), client_node(there, "client");
  const Service<SetBool> service(server_node, "light", mirror);
  const AnyClient client(client_node, "light", {"std_srvs/srv/SetBool", "", ""});
  REQUIRE(client.wait_for_server(20s));
  CHECK_FALSE(client.call_raw({0, 1, 0, 0}, {.timeout = 300ms}).ok());
  CHECK_FALSE(client.call_raw({7, 7, 7, 7, 7, 7}, {.timeout = 300ms}).ok());
  CHECK(service.malformed() == 2);
  const std::vector<Event> events = here.take_events();
  const auto told = std::ranges::find(events, Event::Kind::malformed_sample, &Event::kind);
  REQUIRE(told != events.end());
  CHECK(told->text == "/light: dropped an invalid request from /client: truncated inside a value (1 in total)");
}

TEST_CASE("a call id goes into a payload and comes out in either byte order") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    const CallId id{random(), static_cast<std::int64_t>(random())};
    std::vector<std::uint8_t> message(4 + random() % 64);
    for (auto& byte : message) byte = static_cast<std::uint8_t>(random());
    const bool little = i % 2 == 0;
    message[0] = 0;
    message[1] = little ? 1 : 0;
    std::vector<std::uint8_t> payload = with_call_id(message, id);
    // As rmw_cyclonedds lays it out: encapsulation, u64, i64, body.
    for (std::size_t byte = 0; byte < 8; ++byte) {
      const std::size_t shift = 8 * (little ? byte : 7 - byte);
      CHECK(payload[4 + byte] == static_cast<std::uint8_t>(id.client >> shift));
      CHECK(payload[12 + byte] == static_cast<std::uint8_t>(static_cast<std::uint64_t>(id.sequence) >> shift));
    }
    CallId found;
    REQUIRE(take_call_id(payload, found) == nullptr);
    CHECK(found == id);
    CHECK(std::ranges::equal(Bytes(payload).subspan(call_id_size), message));
  }
}

TEST_CASE("a payload too short for a call id is refused") {
  for (std::size_t size = 0; size < 20; ++size) {
    std::vector<std::uint8_t> payload(size, 0);
    CallId id;
    CHECK(take_call_id(payload, id) != nullptr);
  }
}

TEST_CASE("the marks of clients and servers are written as rmw_cyclonedds writes them") {
  const Gid participant{0x01, 0x0f, 0xa0, 0, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 1, 0xc1};
  CHECK(endpoint_id("clientid", participant, 0x01020304) == "clientid=1.f.a0.0.5.6.7.8.9.a.b.c.1.2.3.4;");
  CHECK(user_data_value("clientid=1.2;typehash=RIHS01_ab;", "typehash") == "RIHS01_ab");
  CHECK(user_data_value("clientid=1.2;typehash=RIHS01_ab;", "clientid") == "1.2");
  CHECK(user_data_value("xtypehash=no;", "typehash").empty());
  CHECK(user_data_value("typehash", "typehash").empty());
}

}  // namespace tandem::ros2
