// SPDX-License-Identifier: Apache-2.0
// rmw_fastrtps and rmw_cyclonedds with us at the same time, a thousand calls each way without a loss.
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/peers/ros2/cyclone_service.hpp"
#include "tests/peers/ros2/fast_peer.hpp"
#include "tests/peers/ros2/fast_set_bool.hpp"

namespace tandem::ros2 {
namespace {

using std_srvs::SetBool;

constexpr int calls = 1000;

std::string on = "on", off = "off";

bool coin(int i) { return i % 3 == 0 || i % 7 == 2; }

int calls_answered_right(const Client<SetBool>& client) {
  int right = 0;
  for (int i = 0; i < calls; ++i) {
    SetBool::Request request;
    request.data = coin(i);
    const auto answer = client.call(request, {.timeout = 20s});
    if (answer && answer->success == coin(i) && answer->message == (coin(i) ? "on" : "off")) ++right;
  }
  return right;
}

}  // namespace

TEST_CASE("a Cyclone client and a Fast DDS client call our one service a thousand times each at the same time") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  const Service<SetBool> service(node, "light", [](const SetBool::Request& request) {
    SetBool::Response response;
    response.success = request.data;
    response.message = request.data ? "on" : "off";
    return response;
  });
  Cyclone cyclone(options.domain);
  Fast fast(options.domain);
  CycloneClient<cyclone::SetBool> cyclone_client(cyclone, "/light");
  FastClient fast_client(fast, "/light", set_bool);
  REQUIRE(eventually([&] { return cyclone_client.ready() && fast_client.ready(); }));
  std::atomic<int> cyclone_right = 0, fast_right = 0;
  {
    const std::jthread cyclone_calls([&] {
      for (int i = 0; i < calls; ++i) {
        cyclone_client.call({0, 0, coin(i)}, [&](const cyclone::SetBool::Response& response) {
          if (response.success == coin(i) && std::string(response.message) == (coin(i) ? "on" : "off")) ++cyclone_right;
        });
      }
    });
    const std::jthread fast_calls([&] {
      for (int i = 0; i < calls; ++i) {
        const auto reply = fast_client.call(set_bool_request(coin(i)));
        if (reply && is_payload(*reply, set_bool_response(coin(i)))) ++fast_right;
      }
    });
  }
  CHECK(cyclone_right == calls);
  CHECK(fast_right == calls);
  CHECK(service.malformed() == 0);
}

TEST_CASE("our clients call a Cyclone service and a Fast DDS service a thousand times each at the same time") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  Cyclone cyclone(options.domain);
  Fast fast(options.domain);
  CycloneServer<cyclone::SetBool> cyclone_server(cyclone, "/sea/horn");
  FastServer fast_server(fast, "/sky/horn", set_bool);
  const std::jthread cyclone_serving = cyclone_server.serve([](const auto& request, auto& response) {
    response.success = request.data;
    response.message = request.data ? on.data() : off.data();
  });
  const std::jthread fast_serving = fast_server.serve(answer_set_bool);
  const Client<SetBool> to_cyclone(node, "/sea/horn"), to_fast(node, "/sky/horn");
  std::atomic<int> cyclone_right = 0, fast_right = 0;
  {
    const std::jthread cyclone_calls([&] { cyclone_right = calls_answered_right(to_cyclone); });
    const std::jthread fast_calls([&] { fast_right = calls_answered_right(to_fast); });
  }
  CHECK(cyclone_right == calls);
  CHECK(fast_right == calls);
  CHECK(to_cyclone.late() == 0);
  CHECK(to_fast.late() == 0);
}

TEST_CASE("our client goes on with a service of the other dialect when the first one goes") {
  const ContextOptions options = loopback_options();
  Context context(options);
  Node node(context, "tandem");
  const Client<SetBool> client(node, "/sea/horn");
  Cyclone cyclone(options.domain);
  Fast fast(options.domain);
  SetBool::Request request;
  request.data = true;
  auto fast_server = std::make_unique<FastServer>(fast, "/sea/horn", set_bool);
  {
    const std::jthread serving = fast_server->serve(answer_set_bool);
    CHECK(client.call(request, {.timeout = 20s}).ok());
  }
  CycloneServer<cyclone::SetBool> cyclone_server(cyclone, "/sea/horn");
  const std::jthread serving = cyclone_server.serve([](const auto&, auto& response) { response.message = on.data(); });
  fast_server.reset();
  CHECK(eventually([&] {
    const auto answer = client.call(request, {.timeout = 20s});
    return answer.ok() && answer->message == "on" && !answer->success;
  }));
}

}  // namespace tandem::ros2
