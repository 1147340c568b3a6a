// SPDX-License-Identifier: Apache-2.0
// The server as WebSocket clients see it, good ones and bad ones.
#include <random>

#include "tests/web/server/server_rig.hpp"

namespace tandem::web {
namespace {

// Reads past pings until the close frame; its code, or 0 when the connection just ends.
int close_code_of(WireClient& client) {
  while (true) {
    const WireFrame frame = client.frame();
    if (frame.opcode == -1) return 0;
    if (frame.opcode == 8) return frame.close_code();
  }
}

WireClient opened_client(const ServerRig& rig) {
  WireClient client(rig);
  REQUIRE(client.upgrade().status == 101);
  return client;
}

Buffer noise(std::size_t size) {
  std::mt19937_64 random(size);
  Buffer bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

}  // namespace

TEST_CASE("the handshake agrees on a subprotocol or says why not") {
  ServerRig rig;
  WireClient client(rig);
  // Refusals leave the connection open for another try.
  CHECK(client.ask("GET /", WireClient::upgrade_headers("other")).status == 400);
  std::string headers = WireClient::upgrade_headers();
  headers.replace(headers.find("13\r\n"), 2, "12");
  const HttpReply old = client.ask("GET /", headers);
  CHECK(old.status == 426);
  CHECK(old.header("Sec-WebSocket-Version") == "13");
  headers = WireClient::upgrade_headers();
  headers.replace(headers.find("dGhl"), 4, "dGh?");
  CHECK(client.ask("GET /", headers).status == 400);
  CHECK(client.ask("GET /", "Upgrade: h2c\r\nConnection: Upgrade\r\n").status == 400);

  const HttpReply agreed =
      client.ask("GET /any/path", WireClient::upgrade_headers("x, other") +
                                      "Sec-WebSocket-Protocol: echo.v2, echo.v1\r\nUser-Agent: me\r\n");
  CHECK(agreed.status == 101);
  CHECK(agreed.header("Sec-WebSocket-Accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  CHECK(agreed.header("Sec-WebSocket-Protocol") == "echo.v2");
  REQUIRE(eventually([&] {
    const std::lock_guard lock(rig.handler.mutex);
    return rig.handler.ever.size() == 1;
  }));
  CHECK(rig.server.counts().clients == 1);
  const std::lock_guard lock(rig.handler.mutex);
  CHECK(rig.handler.ever[0].subprotocol == "echo.v2");
  CHECK(rig.handler.ever[0].user_agent == "me");
  CHECK(rig.handler.ever[0].address == client.socket.local().text());
  CHECK_FALSE(rig.handler.ever[0].may_control);
}

TEST_CASE("messages of every size pass both ways unchanged") {
  ServerRig rig;
  WireClient client = opened_client(rig);
  for (const std::size_t size : {0, 1, 12, 13, 14, 125, 126, 65535, 65536, 1 << 20}) {
    CAPTURE(size);
    const Buffer sent = noise(size);
    REQUIRE(client.send(2, sent));
    const WireFrame got = client.frame();
    CHECK(got.opcode == 2);
    CHECK(got.payload == sent);
  }
  client.send_text("gr\xC3\xBC\xC3\x9F dich");
  const WireFrame text = client.frame();
  CHECK(text.opcode == 1);
  CHECK(text.text() == "gr\xC3\xBC\xC3\x9F dich");
}

TEST_CASE("a first message behind the handshake in one piece is heard") {
  ServerRig rig;
  WireClient client(rig);
  const Buffer masked{0x81, 0x82, 0, 0, 0, 0, 'h', 'i'};
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n" + WireClient::upgrade_headers() + "\r\n" +
               std::string(masked.begin(), masked.end()));
  CHECK(client.reply().status == 101);
  CHECK(client.frame().text() == "hi");
}

TEST_CASE("pieces make one message and pings are answered between them") {
  ServerRig rig;
  WireClient client = opened_client(rig);
  client.send(1, as_bytes("one "), false);
  client.send(0, as_bytes("two "), false);
  client.send(9, as_bytes("are you there"));
  const WireFrame pong = client.frame();
  CHECK(pong.opcode == 10);
  CHECK(pong.text() == "are you there");
  client.send(0, as_bytes("three"), true);
  CHECK(client.frame().text() == "one two three");
}

TEST_CASE("a goodbye is answered and told to the handler once") {
  ServerRig rig;
  WireClient client = opened_client(rig);
  client.send(8, Buffer{0x03, 0xE8});
  const WireFrame goodbye = client.frame();
  CHECK(goodbye.opcode == 8);
  CHECK(goodbye.close_code() == 1000);
  CHECK(client.ended());
  CHECK(eventually([&] { return rig.handler.closes == 1; }));
  CHECK(rig.server.counts().clients == 0);
}

TEST_CASE("the handler can close a client with a code and a reason") {
  ServerRig rig;
  WireClient client = opened_client(rig);
  client.send_text("before");
  client.send_text("close");
  client.send_text("after");  // not heard any more
  CHECK(client.frame().text() == "before");
  const WireFrame goodbye = client.frame();
  CHECK(goodbye.close_code() == 4000);
  CHECK(goodbye.text().substr(2) == "as you wish");
  client.send(8, Buffer{0x0F, 0xA0});
  CHECK(client.ended());
  CHECK(eventually([&] { return rig.handler.closes == 1; }));
}

TEST_CASE("broken rules close the connection with the right code") {
  ServerRig rig;
  const auto code_after = [&](const Buffer& raw) {
    WireClient client = opened_client(rig);
    client.socket.write_all(raw, soon()).ok();
    const int code = close_code_of(client);
    CHECK(client.ended());
    return code;
  };
  CHECK(code_after({0x81, 0x01, 'x'}) == 1002);                                 // not masked
  CHECK(code_after({0xC1, 0x81, 0, 0, 0, 0, 'x'}) == 1002);                     // reserved bit
  CHECK(code_after({0x80, 0x81, 0, 0, 0, 0, 'x'}) == 1002);                     // goes on with nothing
  CHECK(code_after({0x81, 0x81, 0, 0, 0, 0, 0xFF}) == 1007);                    // not UTF-8
  CHECK(code_after({0x88, 0x81, 0, 0, 0, 0, 0x03}) == 1002);                    // half a close code
  CHECK(code_after({0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED}) == 1002);              // 1005 may not be sent
  CHECK(code_after({0x82, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}) == 1009);  // 4 GB announced
  CHECK(code_after({0x88, 0x80, 0, 0, 0, 0}) == 1000);
  CHECK(eventually([&] { return rig.handler.closes == 8; }));
}

TEST_CASE("a client that talks too much is closed") {
  ServerOptions options = free_port();
  options.limits.messages_per_second = 20;
  options.limits.messages_at_once = 20;
  ServerRig rig(options);
  WireClient client = opened_client(rig);
  for (int i = 0; i < 60; ++i) {
    if (!client.send_text("x")) break;
  }
  CHECK(close_code_of(client) == 1008);
}

TEST_CASE("thousands of messages at once are heard as long as they do not go on") {
  ServerRig rig;
  WireClient client = opened_client(rig);
  for (int i = 0; i < 4096; ++i) REQUIRE(client.send_text(std::to_string(i)));  // as one subscribes to all there is
  for (int i = 0; i < 4096; ++i) REQUIRE(client.frame().text() == std::to_string(i));
}

TEST_CASE("places are limited and become free again") {
  ServerOptions options = free_port();
  options.limits.clients = 2;
  ServerRig rig(options);
  WireClient first = opened_client(rig), second = opened_client(rig);
  WireClient third(rig);
  const HttpReply refused = third.upgrade();
  CHECK(refused.status == 503);
  CHECK_FALSE(refused.header("Retry-After").empty());
  CHECK(third.ask("GET /metrics").status == 200);
  first.socket.reset();
  REQUIRE(eventually([&] { return rig.server.counts().clients == 1; }));
  CHECK(third.upgrade().status == 101);
  CHECK(rig.handler.closes == 1);
}

TEST_CASE("clients that vanish are noticed however they go") {
  ServerRig rig;
  for (int i = 0; i < 30; ++i) {
    WireClient client = opened_client(rig);
    client.send_text("data 20");
    if (i % 3 == 0) client.socket.reset();
    if (i % 3 == 1) client.socket.close();
    if (i % 3 == 2) client.socket.shutdown_write();
  }
  CHECK(eventually([&] { return rig.handler.closes == 30; }));
  CHECK(rig.server.counts().clients == 0);
  CHECK(rig.server.counts().accepted == 30);
}

TEST_CASE("a client that answers no ping is let go and one that does stays") {
  ServerOptions options = free_port();
  options.limits.idle = 2s;
  ServerRig rig(options);
  WireClient silent = opened_client(rig);
  WireClient good = opened_client(rig);
  for (const Instant end = in(4s); now() < end;) {
    const WireFrame frame = good.frame();
    REQUIRE(frame.opcode == 9);
    good.send(10, frame.payload);
  }
  CHECK(eventually([&] { return rig.handler.closes == 1; }));
  CHECK(rig.server.counts().clients == 1);
  CHECK(silent.frame().opcode == 9);
}

TEST_CASE("a viewer that does not read loses data and delays nobody") {
  ServerOptions options = free_port();
  options.limits.outbox_messages = 8;
  ServerRig rig(options);
  WireClient stuck = opened_client(rig);
  WireClient good = opened_client(rig);
  stuck.send_text("data 200");
  stuck.send_text("data 200");
  CHECK(eventually([&] { return rig.server.counts().dropped_messages > 200; }));
  for (int i = 0; i < 50; ++i) {
    good.send_text(std::to_string(i));
    CHECK(good.frame().text() == std::to_string(i));
  }
  // It reads again: what is left comes whole, and then answers.
  stuck.send_text("awake");
  WireFrame frame;
  do {
    frame = stuck.frame();
    if (frame.opcode == 2) CHECK(frame.payload.size() == 60000);
  } while (frame.opcode == 2);
  CHECK(frame.text() == "awake");
}

TEST_CASE("a viewer that does not read what must not be lost is let go and told why") {
  std::mutex mutex;
  std::string trouble;
  ServerOptions options = free_port();
  options.limits.outbox_bytes = 1 << 20;
  options.on_trouble = [&](std::string_view text) {
    const std::lock_guard lock(mutex);
    trouble += text;
  };
  ServerRig rig(options);
  WireClient stuck = opened_client(rig);
  for (int i = 0; i < 10; ++i) stuck.send_text("lossless 100");
  CHECK(eventually([&] { return rig.handler.closes == 1; }));
  CHECK(rig.server.counts().clients == 0);
  CHECK(rig.server.counts().given_up == 1);
  {
    const std::lock_guard lock(mutex);
    CHECK(trouble == "a viewer at 127.0.0.1 read too slowly and was disconnected");
  }
  // One that reads, only too much at once for it, hears the reason behind what was on its way.
  WireClient slow = opened_client(rig);
  slow.send_text("lossless 100");
  CHECK(close_code_of(slow) == 1008);
  CHECK(rig.server.counts().given_up == 2);
}

TEST_CASE("the clock ticks slowly when nobody looks and faster with a client") {
  ServerOptions options = free_port();
  options.tick = 10ms;
  ServerRig rig(options);
  const Instant start = now();
  std::this_thread::sleep_for(1s);
  const int alone = rig.handler.ticks;
  CHECK(alone >= 1);
  CHECK(alone <= 3 + milliseconds(now() - start) / 100);
  const WireClient client = opened_client(rig);
  CHECK(eventually([&] { return rig.handler.ticks > alone + 30; }));
}

TEST_CASE("a handler that throws costs the client that asked for it and nobody else") {
  std::mutex mutex;
  std::vector<std::string> troubles;
  const auto told = [&](std::string_view part) {
    const std::lock_guard lock(mutex);
    return std::ranges::count_if(troubles,
                                 [&](const std::string& text) { return text.find(part) != std::string::npos; });
  };
  ServerOptions options = free_port();
  options.on_trouble = [&](std::string_view text) {
    const std::lock_guard lock(mutex);
    troubles.emplace_back(text);
  };
  ServerRig rig(options, [] { throw std::runtime_error("the tick was too much"); });
  WireClient good = opened_client(rig);
  for (int i = 0; i < 3; ++i) {
    WireClient bad = opened_client(rig);
    bad.send_text("throw");
    const WireFrame goodbye = bad.frame();
    CHECK(goodbye.close_code() == 1011);
    CHECK(goodbye.text().find("the message was too much") != std::string::npos);
  }
  WireClient asking(rig);
  const HttpReply failed = asking.ask("GET /throw");
  CHECK(failed.status == 500);
  CHECK(failed.body.find("the request was too much") != std::string::npos);
  CHECK(asking.ask("GET /metrics").status == 200);
  CHECK(eventually([&] { return rig.handler.closes == 3 && rig.handler.ticks > 5; }));
  good.send_text("still here");
  CHECK(good.frame().text() == "still here");
  CHECK(told("the tick was too much") == 1);
  CHECK(told("the message was too much") == 1);
  CHECK(told("the request was too much") == 1);
}

TEST_CASE("the end is told to every client and comes soon") {
  EchoHandler handler;
  Server server(free_port(), handler);
  handler.outlet = &server;
  const std::uint16_t port = server.local().port;
  std::jthread thread([&](const std::stop_token& stop) { server.run(stop); });
  std::vector<WireClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back(server.local().port);
    REQUIRE(clients.back().upgrade().status == 101);
  }
  WireClient asking(server.local().port);
  REQUIRE(eventually([&] { return server.counts().clients == 3; }));
  thread.request_stop();
  for (auto& client : clients) CHECK(close_code_of(client) == 1001);
  thread.join();
  CHECK(handler.closes == 3);
  CHECK(asking.ended());
  CHECK(server.local().port == port);  // others may still ask when it has ended
  CHECK(server.address() == fmt::format("http://127.0.0.1:{}/", port));
}

}  // namespace tandem::web
