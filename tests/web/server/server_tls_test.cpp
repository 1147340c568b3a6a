// SPDX-License-Identifier: Apache-2.0
// The server behind TLS, asked by OpenSSL's own client.
#include <openssl/ssl.h>

#include <cstdlib>
#include <filesystem>

#include "tests/web/server/server_rig.hpp"

namespace tandem::web {
namespace {

struct CertificateFiles {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("tandem_web_{}", getpid());
  std::string certificate = folder / "certificate.pem", key = folder / "key.pem";

  CertificateFiles() {
    std::filesystem::create_directories(folder);
    const std::string command = fmt::format(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost "
        "-keyout {} -out {} 2>/dev/null",
        key, certificate);
    REQUIRE(std::system(command.c_str()) == 0);  // NOLINT: a command of our own
  }
  ~CertificateFiles() { std::filesystem::remove_all(folder); }
};

ServerOptions with_tls(const CertificateFiles& files) {
  ServerOptions options = free_port();
  options.access.certificate = files.certificate;
  options.access.key = files.key;
  return options;
}

class TlsClient {
 public:
  TlsClient(std::uint16_t port, int highest = TLS1_3_VERSION) {
    auto connected = net::TcpSocket::connect("127.0.0.1", port, soon());
    REQUIRE(connected);
    socket_ = std::move(*connected);
    SSL_CTX_set_min_proto_version(context_, TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context_, highest);
    SSL_CTX_set_security_level(context_, 0);
    ssl_ = SSL_new(context_);
    SSL_set_fd(ssl_, socket_.fd());
    greeted = finish([&] { return SSL_connect(ssl_); }) == 1;
  }
  ~TlsClient() {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }
  TlsClient(const TlsClient&) = delete;
  TlsClient& operator=(const TlsClient&) = delete;

  bool write(std::string_view text) {
    return finish([&] { return SSL_write(ssl_, text.data(), static_cast<int>(text.size())); }) ==
           static_cast<int>(text.size());
  }
  // Until the text ends so, or the connection does.
  std::string read_until(std::string_view end) {
    std::string all;
    char chunk[4096];
    while (!all.ends_with(end)) {
      const int count = finish([&] { return SSL_read(ssl_, chunk, sizeof chunk); });
      if (count <= 0) break;
      all.append(chunk, static_cast<std::size_t>(count));
    }
    return all;
  }

  bool greeted = false;

 private:
  template <typename Call>
  int finish(Call call) {
    while (true) {
      const int result = call();
      if (result > 0) return result;
      const int wanted = SSL_get_error(ssl_, result);
      if (wanted != SSL_ERROR_WANT_READ && wanted != SSL_ERROR_WANT_WRITE) return result;
      net::Watch watch{
          .fd = socket_.fd(), .want_read = wanted == SSL_ERROR_WANT_READ, .want_write = wanted == SSL_ERROR_WANT_WRITE};
      if (net::wait({&watch, 1}, soon()).value() == 0) return -1;
    }
  }

  net::TcpSocket socket_;
  SSL_CTX* context_ = SSL_CTX_new(TLS_client_method());
  SSL* ssl_ = nullptr;
};

}  // namespace

TEST_CASE("page and WebSocket work behind TLS") {
  const CertificateFiles files;
  ServerRig rig(with_tls(files));
  CHECK(rig.server.address().starts_with("https://127.0.0.1:"));
  TlsClient page(rig.port());
  REQUIRE(page.greeted);
  page.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  CHECK(page.read_until("up 1\n").starts_with("HTTP/1.1 200 OK"));
  CHECK(page.read_until("x").empty());  // an orderly end

  TlsClient client(rig.port());
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n" + WireClient::upgrade_headers() + "\r\n");
  CHECK(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 101"));
  client.write(std::string("\x81\x82\0\0\0\0hi", 8));
  CHECK(client.read_until("hi") == "\x81\x02hi");
  client.write(std::string("\x81\x87\0\0\0\0data 10", 13));
  client.write(std::string("\x81\x83\0\0\0\0end", 9));
  CHECK(client
            .read_until("\x81\x03"
                        "end")
            .size() == 10 * 60004 + 5);
  client.write(std::string("\x88\x82\0\0\0\0\x03\xE8", 8));
  CHECK(client.read_until("x") == "\x88\x02\x03\xE8");
  CHECK(eventually([&] { return rig.handler.closes == 1; }));
}

TEST_CASE("plain HTTP on the TLS port is told so and old TLS is refused") {
  const CertificateFiles files;
  ServerRig rig(with_tls(files));
  WireClient plain(rig);
  const HttpReply reply = plain.ask("GET /");
  CHECK(reply.status == 400);
  CHECK(reply.body.find("https://") != std::string::npos);
  CHECK_FALSE(TlsClient(rig.port(), TLS1_1_VERSION).greeted);
  CHECK(TlsClient(rig.port(), TLS1_2_VERSION).greeted);
}

TEST_CASE("a handshake of TLS that never ends is cut") {
  const CertificateFiles files;
  ServerOptions options = with_tls(files);
  options.limits.handshake = 200ms;
  ServerRig rig(options);
  WireClient silent(rig), stopped(rig);
  stopped.write(std::string("\x16\x03\x01\x02", 4));
  CHECK(silent.ended());
  CHECK(stopped.ended());
}

TEST_CASE("a key that belongs to another certificate is refused") {
  const CertificateFiles files;
  EchoHandler handler;
  ServerOptions options = with_tls(files);
  options.access.key = options.access.certificate;
  CHECK_THROWS_AS(Server(options, handler), std::runtime_error);
}

}  // namespace tandem::web
