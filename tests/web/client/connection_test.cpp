// SPDX-License-Identifier: Apache-2.0
// Connections to our own server, plain and encrypted; certificates by OpenSSL's own program.
#include "tandem/web/client/connection.hpp"

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "tandem/net/resolver.hpp"
#include "tests/web/server/server_rig.hpp"

namespace tandem::web {

namespace {

struct SignedFor {
  std::filesystem::path folder;
  std::string certificate, key;

  explicit SignedFor(const std::string& names)
      : folder(std::filesystem::temp_directory_path() / fmt::format("tandem_client_{}_{}", getpid(), names.size())),
        certificate(folder / "certificate.pem"),
        key(folder / "key.pem") {
    std::filesystem::create_directories(folder);
    const std::string command = fmt::format(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=tandem "
        "-addext subjectAltName={} -keyout {} -out {} 2>/dev/null",
        names, key, certificate);
    REQUIRE(std::system(command.c_str()) == 0);  // NOLINT: a command of our own
  }
  ~SignedFor() { std::filesystem::remove_all(folder); }
  ServerOptions server() const {
    ServerOptions options = free_port();
    options.access.certificate = certificate;
    options.access.key = key;
    return options;
  }
};

std::string asked(Connection& connection, const std::string& host) {
  REQUIRE(connection.write_all(
      as_bytes(fmt::format("GET /metrics HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", host)), soon()));
  std::string all;
  std::vector<std::uint8_t> bytes(100);
  while (true) {
    const auto count = connection.read_until(bytes, soon());
    if (!count || *count == 0) return all;
    all.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*count));
  }
}

}  // namespace

TEST_CASE("a page is asked over TLS when its certificate is of the authority and names the host") {
  const SignedFor files("DNS:localhost,IP:127.0.0.1");
  ServerRig rig(files.server());
  for (const std::string host : {"localhost", "127.0.0.1"}) {
    CAPTURE(host);
    auto connection = Connection::open({host, rig.port(), true, files.certificate}, soon());
    REQUIRE_MESSAGE(connection, (connection ? "" : connection.error().text));
    CHECK(asked(*connection, "localhost").find("up 1\n") != std::string::npos);
  }
  auto plain = Connection::open({"127.0.0.1", rig.port(), false, ""}, soon());
  REQUIRE(plain);
  CHECK(asked(*plain, "localhost").find("uses TLS") != std::string::npos);
}

TEST_CASE("a certificate that nobody vouches for, or of another host, ends the connection before a token is sent") {
  const SignedFor files("DNS:other.example");
  ServerRig rig(files.server());
  const auto unknown = Connection::open({"127.0.0.1", rig.port(), true, ""}, soon());
  REQUIRE_FALSE(unknown);
  CHECK_MESSAGE(unknown.error().text.find("certificate: ") != std::string::npos, unknown.error().text);
  const auto other = Connection::open({"127.0.0.1", rig.port(), true, files.certificate}, soon());
  REQUIRE_FALSE(other);
  CHECK_MESSAGE(other.error().text.find("mismatch") != std::string::npos, other.error().text);
  const auto none = Connection::open({"127.0.0.1", rig.port(), true, files.key}, soon());
  REQUIRE_FALSE(none);
  CHECK_MESSAGE(none.error().text.find("no certificate in PEM form") != std::string::npos, none.error().text);
}

TEST_CASE("a server that is silent or speaks no TLS ends the handshake in time") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  const Instant begun = now();
  const auto silent = Connection::open({"127.0.0.1", listener->local().port, true, ""}, in(300ms));
  CHECK_FALSE(silent);
  CHECK(now() - begun < 10s);
  ServerRig rig;
  const auto plain = Connection::open({"127.0.0.1", rig.port(), true, ""}, soon());
  CHECK_FALSE(plain);
  const auto nobody = Connection::open({"127.0.0.1", 1, false, ""}, soon());
  CHECK_FALSE(nobody);
}

TEST_CASE("hosts are reached by name at the same time, also more of them than are looked up at once") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  const std::uint16_t port = listener->local().port;
  auto before = net::replace_lookup([](const std::string&) {
    std::this_thread::sleep_for(100ms);
    return Result<std::uint32_t>(0x7F000001u);
  });
  std::vector<std::string> errors(40);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    threads.emplace_back([&errors, port, i] {
      const auto opened = Connection::open({fmt::format("cell{}.example", i), port, false, ""}, soon());
      if (!opened) errors[i] = opened.error().text;
    });
  }
  threads.clear();
  net::replace_lookup(std::move(before));
  for (const std::string& error : errors) CHECK(error == "");
}

}  // namespace tandem::web
