// SPDX-License-Identifier: Apache-2.0
// Our node and bare Fast DDS that behaves as rmw_fastrtps does: topics, services in both directions, and their bytes.
#include <future>

#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/peers/ros2/fast_peer.hpp"
#include "tests/peers/ros2/fast_set_bool.hpp"

namespace tandem::ros2 {
namespace {

using std_srvs::SetBool;

constexpr std::uint16_t related_identity = 0x800f;  // eProsima's parameter id

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

// GUID, then the two halves of the number, high first; each half little-endian.
Payload identity(const Gid& guid, std::int32_t high, std::uint32_t low) {
  Payload bytes(guid.begin(), guid.end());
  for (const std::uint32_t half : {static_cast<std::uint32_t>(high), low}) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(half >> shift));
  }
  return bytes;
}

Gid own_endpoint(const Context& context, const std::string& dds_topic, bool writes) {
  for (const GraphEndpoint& endpoint : context.graph().endpoints) {
    if (endpoint.local && endpoint.dds_topic == dds_topic && endpoint.writes == writes) return endpoint.gid;
  }
  return {};
}

}  // namespace

TEST_CASE("Fast DDS and we hear each other's topics byte by byte") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  Fast fast(options.domain);
  // "hi!" as CDR: header, length with the zero at the end, text.
  const Payload bytes{0, 1, 0, 0, 4, 0, 0, 0, 'h', 'i', '!', 0};
  const auto publisher = node.advertise<std_msgs::String>("words");
  fast::DataReader* reader = fast.reader("rt/words", "std_msgs::msg::dds_::String_");
  CHECK(eventually([&] {
    publisher.publish({"hi!"});
    const auto taken = take_payload(reader);
    if (taken) CHECK(is_payload(taken->first, bytes));
    return taken.has_value();
  }));
  std::atomic<int> heard = 0;
  const Subscription subscription = node.subscribe<std_msgs::String>(
      "answers", Qos::standard(), [&](const std_msgs::String& message, const MessageInfo&) {
        CHECK(message.data == "hi!");
        ++heard;
      });
  fast::DataWriter* writer = fast.writer("rt/answers", "std_msgs::msg::dds_::String_");
  CHECK(eventually([&] {
    Payload copy = bytes;
    CHECK(writer->write(&copy));
    return heard > 0;
  }));
  CHECK(subscription.malformed() == 0);
}

TEST_CASE("Fast DDS clients call our service whether they tell their reply reader or not") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem", "/lab");
  const Service<SetBool> service(node, "light", mirror);
  Fast fast(options.domain);
  FastClient first(fast, "/lab/light", set_bool), second(fast, "/lab/light", set_bool);
  REQUIRE(eventually([&] { return first.ready() && second.ready(); }));
  for (int i = 0; i < 50; ++i) {
    const bool data = i % 3 == 0;
    CHECK(is_payload(first.call(set_bool_request(data)).value_or(Payload{}), set_bool_response(data)));
    CHECK(is_payload(second.call(set_bool_request(!data), false).value_or(Payload{}), set_bool_response(!data)));
  }
  CHECK(service.malformed() == 0);

  // What was on the wire: 24 bytes beside each reply, and a plain reply.
  const std::vector<SeenData> replies = fast.tap().of(own_endpoint(context, "rr/lab/lightReply", true));
  REQUIRE(replies.size() >= 100);
  int to_reader = 0, to_writer = 0;
  for (const SeenData& reply : replies) {
    REQUIRE(reply.beside.contains(related_identity));
    const Payload& id = reply.beside.at(related_identity);
    for (std::uint32_t number = 1; number <= 50; ++number) {
      const bool data = (number - 1) % 3 == 0;
      const bool for_reader = id == identity(first.reader(), 0, number);
      const bool for_writer = id == identity(second.writer(), 0, number);
      if (for_reader) CHECK(is_payload(reply.payload, set_bool_response(data)));
      if (for_writer) CHECK(is_payload(reply.payload, set_bool_response(!data)));
      to_reader += for_reader;
      to_writer += for_writer;
    }
  }
  CHECK(to_reader >= 50);
  CHECK(to_writer >= 50);
}

TEST_CASE("our client calls a Fast DDS service") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  Fast fast(options.domain);
  for (int start = 0; start < 3; ++start) {
    const Client<SetBool> client(node, "/sea/horn");
    FastServer server(fast, "/sea/horn", set_bool);
    const std::jthread serving = server.serve(answer_set_bool);
    // From the first call on; nothing is sent twice.
    for (int i = 0; i < 50; ++i) {
      const bool data = i % 3 == 0;
      const auto answer = client.call(asking(data), {.timeout = 20s});
      REQUIRE_MESSAGE(answer.ok(), answer.error().text);
      CHECK(answer->success == data);
      CHECK(answer->message == (data ? "on" : "off"));
    }
    CHECK(client.late() == 0);

    const Gid reply_reader = own_endpoint(context, "rr/sea/hornReply", false);
    const std::vector<SeenData> requests = fast.tap().of(own_endpoint(context, "rq/sea/hornRequest", true));
    REQUIRE(requests.size() >= 50);
    for (const SeenData& request : requests) {
      REQUIRE(request.beside.contains(related_identity));
      CHECK(request.beside.at(related_identity) == identity(reply_reader, -1, 0));
      CHECK((is_payload(request.payload, set_bool_request(true)) ||
             is_payload(request.payload, set_bool_request(false))));
    }
  }
}

TEST_CASE("a Fast DDS service that answers late or vanishes does not hold us up") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  const Client<SetBool> client(node, "/sea/horn");
  Fast fast(options.domain);
  auto server = std::make_unique<FastServer>(fast, "/sea/horn", set_bool);
  REQUIRE(client.wait_for_server(20s));
  std::this_thread::sleep_for(200ms);
  CHECK(client.call(asking(true), {.timeout = 200ms}).error().fault == Fault::timeout);
  const auto asked = server->wait();
  REQUIRE(asked.has_value());
  CHECK(server->answer(*asked, set_bool_response(true)));
  CHECK(eventually([&] { return client.late() == 1; }));

  auto waiting = std::async(std::launch::async, [&] { return client.call(asking(true), {.timeout = 30s}); });
  REQUIRE(server->wait().has_value());
  server.reset();
  const auto lost = waiting.get();
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().fault == Fault::closed);

  FastServer next(fast, "/sea/horn", set_bool);
  const std::jthread serving = next.serve(answer_set_bool);
  CHECK(client.call(asking(true), {.timeout = 20s}).ok());
}

}  // namespace tandem::ros2
