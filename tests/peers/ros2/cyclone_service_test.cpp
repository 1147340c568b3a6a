// SPDX-License-Identifier: Apache-2.0
// Services between us and rmw_cyclonedds, in both directions.
#include <future>

#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/peers/ros2/cyclone_service.hpp"

namespace tandem::ros2 {
namespace {

using std_srvs::SetBool;

std::string on = "on", off = "off";

void mirror_there(const cyclone::SetBool::Request& request, cyclone::SetBool::Response& response) {
  response.success = request.data;
  response.message = request.data ? on.data() : off.data();
}

SetBool::Request asking(bool data) {
  SetBool::Request request;
  request.data = data;
  return request;
}

}  // namespace

TEST_CASE("Cyclone clients call our service and each gets its own answers") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem", "/lab");
  const Service<SetBool> service(node, "light", mirror);
  Cyclone cyclone(options.domain);
  CycloneClient<cyclone::SetBool> marked(cyclone, "/lab/light"), unmarked(cyclone, "/lab/light", Marks::none);
  for (auto* client : {&marked, &unmarked}) {
    REQUIRE(eventually([&] { return client->ready(); }));
    // Sent once each, from the first moment on.
    for (int i = 0; i < 50; ++i) {
      const bool data = i % 3 == 0;
      CHECK(client->call({0, 0, data}, [&](const cyclone::SetBool::Response& response) {
        CHECK(response.success == data);
        CHECK(std::string(response.message) == (data ? "on" : "off"));
      }));
    }
  }
  CHECK(service.malformed() == 0);
}

TEST_CASE("our client calls a Cyclone service with and without marks") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  for (const Marks marks : {Marks::given, Marks::none}) {
    const Client<SetBool> client(node, "/sea/horn");
    Cyclone cyclone(options.domain);
    CycloneServer<cyclone::SetBool> server(cyclone, "/sea/horn", marks);
    const std::jthread serving = server.serve(mirror_there);
    REQUIRE(client.wait_for_server(20s));
    for (int i = 0; i < 50; ++i) {
      const auto answer = client.call(asking(i % 2 == 0), {.timeout = 20s});
      REQUIRE_MESSAGE(answer.ok(), answer.error().text);
      CHECK(answer->success == (i % 2 == 0));
      CHECK(answer->message == (i % 2 == 0 ? "on" : "off"));
    }
    CHECK(client.late() == 0);
  }
}

TEST_CASE("an answer of a Cyclone service that comes too late is dropped") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  const Client<SetBool> client(node, "/sea/horn");
  Cyclone cyclone(options.domain);
  CycloneServer<cyclone::SetBool> server(cyclone, "/sea/horn");
  REQUIRE(client.wait_for_server(20s));
  std::this_thread::sleep_for(3300ms);  // until both have found each other, or nothing would be sent
  const auto missed = client.call(asking(true), {.timeout = 200ms});
  REQUIRE_FALSE(missed.ok());
  CHECK(missed.error().fault == Fault::timeout);
  CHECK(missed.error().text == "/sea/horn: no answer within the timeout");
  const auto asked = server.wait();
  REQUIRE(asked.has_value());
  cyclone::SetBool::Response response{};
  response.message = off.data();
  CHECK(server.answer(*asked, response));
  CHECK(eventually([&] { return client.late() == 1; }));

  // The next call is not taken in by it.
  auto waiting = std::async(std::launch::async, [&] { return client.call(asking(true), {.timeout = 20s}); });
  const auto second = server.wait();
  REQUIRE(second.has_value());
  CHECK(server.answer(*asked, response));
  response.success = true;
  response.message = on.data();
  CHECK(server.answer(*second, response));
  const auto answer = waiting.get();
  REQUIRE(answer.ok());
  CHECK(answer->message == "on");
}

TEST_CASE("a Cyclone service that vanishes ends the call and the next one takes over") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  const Client<SetBool> client(node, "/sea/horn");
  Cyclone stays(options.domain, "stays");
  for (const bool whole_participant : {false, true}) {
    CAPTURE(whole_participant);
    auto goes = std::make_unique<Cyclone>(options.domain, "goes");
    auto server = std::make_unique<CycloneServer<cyclone::SetBool>>(whole_participant ? *goes : stays, "/sea/horn");
    REQUIRE(eventually([&] { return server->sees_client(); }));
    auto waiting = std::async(std::launch::async, [&] { return client.call(asking(true), {.timeout = 30s}); });
    REQUIRE(server->wait().has_value());
    server.reset();
    goes.reset();
    const auto lost = waiting.get();
    REQUIRE_FALSE(lost.ok());
    CHECK(lost.error().fault == Fault::closed);
    CHECK(lost.error().text == "/sea/horn: the server went away before it answered");
    CHECK_FALSE(client.ready());
  }
  CycloneServer<cyclone::SetBool> next(stays, "/sea/horn");
  const std::jthread serving = next.serve(mirror_there);
  const auto answer = client.call(asking(true), {.timeout = 20s});
  REQUIRE_MESSAGE(answer.ok(), answer.error().text);
  CHECK(answer->message == "on");
}

TEST_CASE("our service answers Cyclone later and forgets a client that has gone") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  std::mutex mutex;
  std::vector<Reply<SetBool>> kept;
  const Service<SetBool> service(node, "slow", [&](const SetBool::Request&, const Reply<SetBool>& reply) {
    const std::lock_guard lock(mutex);
    kept.push_back(reply);
  });
  const auto kept_count = [&] {
    const std::lock_guard lock(mutex);
    return kept.size();
  };
  Cyclone cyclone(options.domain);
  CycloneClient<cyclone::SetBool> stays(cyclone, "/slow");
  auto goes = std::make_unique<CycloneClient<cyclone::SetBool>>(cyclone, "/slow");
  REQUIRE(eventually([&] { return stays.ready() && goes->ready(); }));
  const std::int64_t number = stays.send({0, 0, true});
  REQUIRE(eventually([&] { return kept_count() == 1; }));
  goes->send({0, 0, false});
  REQUIRE(eventually([&] { return kept_count() == 2; }));
  goes.reset();
  CHECK(kept[1].send(mirror(asking(false))));
  CHECK(kept[0].send(mirror(asking(true))));
  bool got = false;
  CHECK(eventually([&] {
    stays.take([&](const cyclone::SetBool::Response& response) {
      CHECK(response.seq == number);
      CHECK(std::string(response.message) == "on");
      got = true;
    });
    return got;
  }));
}

}  // namespace tandem::ros2
