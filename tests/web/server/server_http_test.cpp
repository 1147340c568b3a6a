// SPDX-License-Identifier: Apache-2.0
// The server as browsers, curl and attackers see it before there is a WebSocket.
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "tandem/web/http/page_files.hpp"
#include "tests/web/server/server_rig.hpp"

namespace tandem::web {

TEST_CASE("the page comes with headers that keep others out") {
  ServerRig rig;
  WireClient client(rig);
  const HttpReply page = client.ask("GET /");
  CHECK(page.status == 200);
  CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
  CHECK(page.body == page_file("/index.html")->plain);
  CHECK(page.header("Content-Security-Policy").starts_with("default-src 'self'; connect-src 'self' ws://127.0.0.1:"));
  CHECK(page.header("X-Content-Type-Options") == "nosniff");
  CHECK(page.header("Referrer-Policy") == "no-referrer");
  CHECK(page.header("Cache-Control") == "no-cache");
  // On the same connection: only the head, and nothing when nothing has changed.
  const HttpReply head = client.ask("HEAD /?x=1");
  CHECK(head.status == 200);
  CHECK(head.header("Content-Length") == page.header("Content-Length"));
  const HttpReply same = client.ask("GET /index.html", "If-None-Match: \"other\", " + page.header("ETag") + "\r\n");
  CHECK(same.status == 304);
  CHECK(client.ask("GET /metrics").body == "up 1\n");
  CHECK(client.ask("GET /nothing").status == 404);
}

TEST_CASE("every file of the page is served whole in both forms") {
  ServerRig rig;
  WireClient client(rig);
  for (const PageFile& file : page_files()) {
    CAPTURE(file.path);
    const HttpReply plain = client.ask("GET " + std::string(file.path));
    CHECK(plain.status == 200);
    CHECK(plain.body == file.plain);
    CHECK(plain.header("Content-Type") == file.type);
    CHECK(plain.header("Content-Encoding").empty());
    const HttpReply packed = client.ask("GET " + std::string(file.path), "Accept-Encoding: br, gzip;q=0.5\r\n");
    CHECK(packed.body == (file.gzip.empty() ? file.plain : file.gzip));
    CHECK(packed.header("Content-Encoding") == (file.gzip.empty() ? "" : "gzip"));
    CHECK((packed.header("Cache-Control").find("immutable") != std::string::npos) == file.hashed);
  }
}

TEST_CASE("no path reaches the file system") {
  ServerRig rig;
  for (const auto* path :
       {"/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/../../../etc/passwd", "//etc/passwd", "/etc/passwd",
        "/..%5c..%5cetc%5cpasswd", "/index.html/", "/./index.html", "/index.html%00.png", "/%", "/%zz", "/server.cpp",
        "http://127.0.0.1/", "index.html", "*", "/.tandem-sources", "/CMakeLists.txt"}) {
    CAPTURE(path);
    WireClient client(rig);
    const int status = client.ask("GET " + std::string(path)).status;
    CHECK((status == 404 || status == 400));
  }
}

TEST_CASE("requests that cannot be are answered in words and closed") {
  ServerRig rig;
  const auto status = [&](const std::string& text) {
    WireClient client(rig);
    client.write(text);
    const HttpReply reply = client.reply();
    CHECK(reply.header("Connection") == "close");
    CHECK(client.ended());
    return reply.status;
  };
  const std::string host = "Host: localhost\r\n";
  CHECK(status("POST / HTTP/1.1\r\n" + host + "Content-Length: 3\r\n\r\nabc") == 405);
  CHECK(status("DELETE / HTTP/1.1\r\n" + host + "\r\n") == 405);
  CHECK(status("GET / HTTP/1.1\r\n" + host + "Content-Length: 3\r\n\r\nabc") == 413);
  CHECK(status("GET / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == 413);
  CHECK(status("GET / HTTP/1.1\r\n" + host + "Content-Length: 99999999999\r\n\r\n") == 413);
  CHECK(status("nonsense\r\n\r\n") == 400);
  CHECK(status(std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15)) == 400);
  CHECK(status("GET / HTTP/1.1\r\n" + host + "X: " + std::string(13000, 'x') + "\r\n\r\n") == 431);
  CHECK(status("GET /" + std::string(20000, 'x')) == 431);
  CHECK(status("GET / HTTP/1.0\r\n" + host + "\r\n") == 200);
  CHECK(rig.server.counts().refused == 9);
}

TEST_CASE("a request without a host or with two is refused") {
  ServerRig rig;
  WireClient none(rig);
  none.write("GET / HTTP/1.1\r\n\r\n");
  CHECK(none.reply().status == 400);
  WireClient two(rig);
  CHECK(two.ask("GET /", "Host: localhost\r\n").status == 400);
}

TEST_CASE("requests in one piece are answered one after the other") {
  ServerRig rig;
  WireClient client(rig);
  const std::string one = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.write(one + one + one + "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  for (int i = 0; i < 3; ++i) CHECK(client.reply().body == "up 1\n");
  CHECK(client.reply().status == 404);
  CHECK(client.ended());
}

TEST_CASE("a connection that asks too much is told so and closed") {
  ServerOptions options = free_port();
  options.limits.messages_per_second = 3;
  options.limits.messages_at_once = 3;
  ServerRig rig(options);
  WireClient client(rig);
  std::string requests;
  for (int i = 0; i < 20; ++i) requests += "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.write(requests);
  int answered = 0;
  HttpReply reply = client.reply();
  for (; reply.status == 200; reply = client.reply()) ++answered;
  CHECK(reply.status == 429);
  CHECK(answered >= 3);
  CHECK(answered < 20);
  CHECK(client.ended());
}

TEST_CASE("names of other hosts and pages of other sites are turned away") {
  ServerRig rig;
  WireClient rebound(rig);
  rebound.write("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  CHECK(rebound.reply().status == 403);
  WireClient other(rig);
  const HttpReply refused = other.upgrade("/", "Origin: https://evil.example\r\n");
  CHECK(refused.status == 403);
  CHECK(refused.body.find("origins") != std::string::npos);
  WireClient own(rig);
  CHECK(own.upgrade("/", fmt::format("Origin: http://127.0.0.1:{}\r\n", rig.port())).status == 101);
}

TEST_CASE("tokens open the door by address or header or cookie") {
  ServerOptions options = free_port();
  options.access.view_token = "look";
  options.access.control_token = "act";
  ServerRig rig(options);
  WireClient client(rig);
  const HttpReply refused = client.ask("GET /");
  CHECK(refused.status == 401);
  CHECK(refused.header("WWW-Authenticate").starts_with("Basic"));
  CHECK(client.ask("GET /metrics").status == 401);
  CHECK(client.ask("GET /?token=wrong").status == 401);
  CHECK(client.ask("GET /", WireClient::upgrade_headers("other")).status == 401);
  CHECK(client.ask("GET /control?token=look").body == "no");
  CHECK(client.ask("GET /control", "Authorization: Bearer act\r\n").body == "yes");
  const HttpReply page = client.ask("GET /?token=act");
  CHECK(page.status == 200);
  const std::string cookie = page.header("Set-Cookie").substr(0, page.header("Set-Cookie").find(';'));
  CHECK(client.ask("GET /control", "Cookie: " + cookie + "\r\n").body == "no");

  WireClient viewer(rig), driver(rig);
  CHECK(viewer.upgrade("/?token=look").status == 101);
  CHECK(driver.upgrade("/?token=act", "Cookie: " + cookie + "\r\n").status == 101);
  REQUIRE(eventually([&] { return rig.server.counts().clients == 2; }));
  const std::lock_guard lock(rig.handler.mutex);
  CHECK_FALSE(rig.handler.ever[0].may_control);
  CHECK(rig.handler.ever[1].may_control);
}

TEST_CASE("control needs the token of the run and some places are kept for it") {
  ServerOptions options = free_port();
  options.limits.clients = 4;
  ServerRig rig(options);
  const std::string address = rig.server.control_address();
  CHECK(address == rig.server.printed_address());
  REQUIRE(address.starts_with(rig.server.address() + "?token="));
  const std::string query = address.substr(address.find('?'));
  WireClient client(rig);
  CHECK(client.ask("GET /control").body == "no");
  CHECK(client.ask("GET /control" + query).body == "yes");
  WireClient first(rig), second(rig), third(rig), fourth(rig), driver(rig), fifth(rig);
  for (WireClient* viewer : {&first, &second, &third}) CHECK(viewer->upgrade("/").status == 101);
  REQUIRE(eventually([&] { return rig.server.counts().clients == 3; }));
  CHECK(fourth.upgrade("/").status == 503);
  CHECK(driver.upgrade("/" + query).status == 101);
  REQUIRE(eventually([&] { return rig.server.counts().clients == 4; }));
  CHECK(fifth.upgrade("/" + query).status == 503);
}

TEST_CASE("the page may connect to its own host only") {
  ServerRig rig;
  WireClient client(rig);
  const std::string own = fmt::format("connect-src 'self' ws://127.0.0.1:{};", rig.port());
  const std::string policy = client.ask("GET /").header("Content-Security-Policy");
  CHECK_MESSAGE(policy.find(own) != std::string::npos, policy);
  CHECK(policy.find("ws:;") == std::string::npos);
  CHECK(policy.find("ws: ") == std::string::npos);
  CHECK(policy.find("wss:") == std::string::npos);
  WireClient odd(rig);
  odd.write("GET / HTTP/1.1\r\nHost: localhost; script-src *\r\n\r\n");
  CHECK(odd.reply().header("Content-Security-Policy").find("script-src") == std::string::npos);
}

TEST_CASE("a refused socket that offers to hear why is told in its close frame and is never a client") {
  ServerOptions options = free_port();
  options.access.view_token = "look";
  options.limits.clients = 1;
  ServerRig rig(options);
  const auto refused = [&](const std::string& target, const std::string& protocols = "echo.v1, tandem.words",
                           const std::string& headers = "") {
    WireClient client(rig);
    // What it says behind the handshake is for nobody.
    client.write(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n{}{}\r\n", target,
                             WireClient::upgrade_headers(protocols), headers) +
                 std::string("\x81\x82\0\0\0\0hi", 8));
    const HttpReply reply = client.reply();
    CHECK(reply.status == 101);
    CHECK(reply.header("Sec-WebSocket-Protocol") == "tandem.words");
    CHECK(reply.header("Set-Cookie").empty());
    const WireFrame goodbye = client.frame();
    CHECK(goodbye.opcode == 8);
    CHECK(goodbye.close_code() == 1008);
    CHECK(client.ended());
    return goodbye.text().substr(2);
  };
  CHECK(refused("/?token=wrong").starts_with("The token is wrong."));
  CHECK(refused("/").starts_with("A token is needed"));
  CHECK(
      refused("/", "echo.v1, tandem.words", "Origin: https://evil.example\r\n").starts_with("A page of another site"));
  CHECK(refused("/?token=look", "tandem.words").starts_with("No supported subprotocol was offered"));
  // Others are refused by their status.
  WireClient plain(rig);
  CHECK(plain.upgrade("/?token=wrong").status == 401);
  WireClient other(rig);
  CHECK(other.upgrade("/?token=wrong", "Origin: https://evil.example\r\n").status == 403);
  CHECK(rig.server.counts().refused == 6);
  CHECK(rig.server.counts().accepted == 0);
  // Nor is one for whom there is no place.
  WireClient first(rig);
  CHECK(first.upgrade("/?token=look").status == 101);
  REQUIRE(eventually([&] { return rig.server.counts().clients == 1; }));
  CHECK(refused("/?token=look").starts_with("All 1 connections are in use"));
  CHECK(rig.server.counts().accepted == 1);
  const std::lock_guard lock(rig.handler.mutex);
  CHECK(rig.handler.ever.size() == 1);
}

TEST_CASE("who speaks too slowly is told so and closed") {
  ServerOptions options = free_port();
  options.limits.handshake = 1s;
  ServerRig rig(options);
  WireClient slow(rig), silent(rig);
  const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + std::string(2000, 'x');
  std::size_t sent = 0;
  while (sent < request.size() && slow.write(request.substr(sent, 1))) {
    ++sent;
    if (net::Watch watch{.fd = slow.socket.fd()}; net::wait({&watch, 1}, in(10ms)).value() > 0) break;
  }
  CHECK(sent < request.size());
  CHECK(slow.reply().status == 408);
  CHECK(silent.ended());
  // One that is kept open between requests ends without a word.
  WireClient kept(rig);
  CHECK(kept.ask("GET /metrics").status == 200);
  CHECK(kept.ended());
}

TEST_CASE("a thousand connections that say nothing do not keep others out") {
  ServerRig rig;
  WireClient client(rig);
  REQUIRE(client.upgrade().status == 101);
  std::vector<net::TcpSocket> crowd;
  for (int i = 0; i < 1000; ++i) {
    auto one = net::TcpSocket::connect("127.0.0.1", rig.port(), soon());
    REQUIRE(one);
    crowd.push_back(std::move(*one));
    if (crowd.size() > 200) crowd.erase(crowd.begin());
  }
  CHECK(client.send_text("still here"));
  CHECK(client.frame().text() == "still here");
  WireClient late(rig);
  CHECK(late.ask("GET /metrics").status == 200);
  for (auto& one : crowd) one.reset();
}

TEST_CASE("callers from many loopback addresses do not push those of the usual one out") {
  ServerRig rig;
  const auto from = [&](std::uint32_t last) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in own{}, there{};
    own.sin_family = there.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(0x7F000100 + last);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    there.sin_port = htons(rig.port());
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
    REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0);
    return net::Descriptor(fd);
  };
  std::vector<net::Descriptor> crowd;
  for (std::uint32_t i = 0; i < 40; ++i) crowd.push_back(from(i));
  WireClient first(rig), second(rig);
  for (WireClient* each : {&first, &second}) REQUIRE(each->write("GET /metrics HTTP/1.1\r\n"));
  for (std::uint32_t i = 40; i < 80; ++i) crowd.push_back(from(i));  // 64 of all have a place
  WireClient witness(rig);
  CHECK(witness.ask("GET /metrics").status == 200);  // the others have been let in
  for (WireClient* each : {&first, &second}) {
    CHECK(each->write("Host: localhost\r\n\r\n"));
    CHECK(each->reply().status == 200);
  }
}

TEST_CASE("when descriptors run out callers are turned away and later come in again") {
  ServerRig rig;
  WireClient client(rig);
  REQUIRE(client.upgrade().status == 101);
  // Once before: the sanitizer looks at a type the first time by means of a descriptor.
  CHECK(client.send_text("here"));
  CHECK(client.frame().text() == "here");
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  {
    // One more is left: for the caller, none for the server.
    net::Descriptor next(dup(0));
    rlimit few = before;
    few.rlim_cur = static_cast<rlim_t>(next.get() + 1);
    next.reset();
    setrlimit(RLIMIT_NOFILE, &few);
    auto caller = net::TcpSocket::connect("127.0.0.1", rig.port(), soon());
    Buffer byte(1);
    if (caller) CHECK(caller->read_some(byte, soon()).error().fault == Fault::closed);
    CHECK(client.send_text("still here"));
    CHECK(client.frame().text() == "still here");
    setrlimit(RLIMIT_NOFILE, &before);
  }
  WireClient late(rig);
  CHECK(late.ask("GET /metrics").status == 200);
}

TEST_CASE("options that cannot be are refused with words") {
  EchoHandler handler;
  const auto with = [&](const std::string& listen) {
    ServerOptions options;
    options.listen = listen;
    return Server(options, handler).local();
  };
  CHECK_THROWS_AS(with("0.0.0.0:0"), std::invalid_argument);
  CHECK_THROWS_AS(with("127.0.0.1"), std::invalid_argument);
  CHECK_THROWS_AS(with("127.0.0.1:65536"), std::invalid_argument);
  CHECK_THROWS_AS(with("127.0.0.1:80x"), std::invalid_argument);
  ServerOptions options = free_port();
  const Server first(options, handler);
  CHECK(first.address() == fmt::format("http://127.0.0.1:{}/", first.local().port));
  CHECK_THROWS_AS(with(first.local().text()), std::runtime_error);
  options.access.certificate = options.access.key = "/nowhere/to/be/found.pem";
  CHECK_THROWS_WITH_AS(Server(options, handler), doctest::Contains("found.pem"), std::runtime_error);
  ServerOptions wide;
  wide.listen = "0.0.0.0:0";
  wide.access.view_token = "look";
  CHECK(Server(wide, handler).address().starts_with("http://127.0.0.1:"));
}

}  // namespace tandem::web
