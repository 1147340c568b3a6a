// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/client/connection.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <thread>

#include "tandem/net/socket.hpp"

namespace tandem::web {

// Not in the nameless namespace: a member of Connection::Impl has it in its type.
struct FreeTls {
  void operator()(SSL* tls) const { SSL_free(tls); }
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

namespace {

bool is_address(const std::string& host) {
  in_addr ignored{};
  return ::inet_pton(AF_INET, host.c_str(), &ignored) == 1;
}

constexpr Duration ask_again = 20ms;

std::string last_error() {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_peek_last_error(), text.data(), text.size());
  ERR_clear_error();
  return text.data();
}

}  // namespace

std::string ServerPlace::text() const { return fmt::format("{}://{}:{}", tls ? "https" : "http", host, port); }

// TLS works on memory only: what it wants to send waits in `out`, what came is put into `in`, both its own.
struct Connection::Impl {
  net::TcpSocket socket;
  std::string where;
  std::unique_ptr<SSL_CTX, FreeTls> context = {};
  std::unique_ptr<SSL, FreeTls> tls = {};
  BIO* in = nullptr;
  BIO* out = nullptr;

  Result<void> begin_tls(const ServerPlace& place);
  Result<void> shake_hands(Instant deadline);
  Result<void> flush(Instant deadline);
  Result<std::size_t> fill(Instant deadline);  // zero: the deadline passed
};

Result<void> Connection::Impl::begin_tls(const ServerPlace& place) {
  const auto failed = [&](const std::string& what) {
    return Error{Fault::invalid, fmt::format("{}: {}: {}", where, what, last_error())};
  };
  context.reset(SSL_CTX_new(TLS_client_method()));
  if (!context) return failed("TLS");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  const bool trusted = place.authority.empty()
                           ? SSL_CTX_set_default_verify_paths(context.get()) == 1
                           : SSL_CTX_load_verify_locations(context.get(), place.authority.c_str(), nullptr) == 1;
  if (!trusted) return failed(fmt::format("{}: no certificate in PEM form", place.authority));
  tls.reset(SSL_new(context.get()));
  in = BIO_new(BIO_s_mem()), out = BIO_new(BIO_s_mem());
  if (!tls || in == nullptr || out == nullptr) {
    BIO_free(in), BIO_free(out);
    return failed("TLS");
  }
  SSL_set_bio(tls.get(), in, out);  // which owns them now
  SSL_set_connect_state(tls.get());
  X509_VERIFY_PARAM* wanted = SSL_get0_param(tls.get());
  if (is_address(place.host)) {
    X509_VERIFY_PARAM_set1_ip_asc(wanted, place.host.c_str());
  } else {
    X509_VERIFY_PARAM_set1_host(wanted, place.host.c_str(), place.host.size());
    // What the macro SSL_set_tlsext_host_name does, without its old cast.
    SSL_ctrl(tls.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(place.host.c_str()));
  }
  return {};
}

Result<void> Connection::Impl::flush(Instant deadline) {
  std::array<std::uint8_t, 16384> bytes;
  for (int count = 0; (count = BIO_read(out, bytes.data(), static_cast<int>(bytes.size()))) > 0;) {
    if (auto sent = socket.write_all(Bytes(bytes).first(static_cast<std::size_t>(count)), deadline); !sent) return sent;
  }
  return {};
}

Result<std::size_t> Connection::Impl::fill(Instant deadline) {
  std::array<std::uint8_t, 16384> bytes;
  auto count = socket.read_until(bytes, deadline);
  if (count && *count > 0) BIO_write(in, bytes.data(), static_cast<int>(*count));
  return count;
}

Result<void> Connection::Impl::shake_hands(Instant deadline) {
  while (true) {
    ERR_clear_error();
    const int done = SSL_do_handshake(tls.get());
    const int error = SSL_get_error(tls.get(), done);
    if (auto sent = flush(deadline); !sent) return sent;
    if (done == 1) return {};
    if (error != SSL_ERROR_WANT_READ) {
      const long verdict = SSL_get_verify_result(tls.get());
      if (verdict != X509_V_OK)
        return Error{Fault::invalid,
                     fmt::format("{}: certificate: {}; set `authority` to the PEM file of who signed it", where,
                                 X509_verify_cert_error_string(verdict))};
      return Error{Fault::invalid, fmt::format("{}: TLS: {}", where, last_error())};
    }
    const auto came = fill(deadline);
    if (!came) return came.error();
    if (*came == 0 || now() >= deadline)
      return Error{Fault::timeout, fmt::format("{}: TLS: no answer before the deadline", where)};
  }
}

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

Result<Connection> Connection::open(const ServerPlace& place, Instant deadline) {
  auto socket = net::TcpSocket::connect(place.host, place.port, deadline);
  // Names are looked up only so many at a time, and a fleet's stop asks for all of its hosts at once.
  while (!socket && socket.error().fault == Fault::busy && now() < deadline) {
    std::this_thread::sleep_for(std::min<Duration>(ask_again, deadline - now()));
    socket = net::TcpSocket::connect(place.host, place.port, deadline);
  }
  if (!socket) return std::move(socket).error();
  std::unique_ptr<Impl> impl(new Impl{std::move(*socket), place.text()});
  if (place.tls) {
    if (auto begun = impl->begin_tls(place); !begun) return begun.error();
    if (auto done = impl->shake_hands(deadline); !done) return done.error();
  }
  return Connection(std::move(impl));
}

Result<std::size_t> Connection::read_until(std::span<std::uint8_t> into, Instant deadline) {
  if (!impl_->tls) return impl_->socket.read_until(into, deadline);
  for (bool filled = false;; filled = true) {
    ERR_clear_error();
    const int count = SSL_read(impl_->tls.get(), into.data(), static_cast<int>(into.size()));
    if (count > 0) return static_cast<std::size_t>(count);
    const int error = SSL_get_error(impl_->tls.get(), count);
    if (error == SSL_ERROR_ZERO_RETURN)
      return Error{Fault::closed, fmt::format("{} closed the connection", impl_->where)};
    if (error != SSL_ERROR_WANT_READ)
      return Error{Fault::invalid, fmt::format("{}: TLS: {}", impl_->where, last_error())};
    if (auto sent = impl_->flush(deadline); !sent) return sent.error();
    if (filled && now() >= deadline) return std::size_t{0};  // records without data come as long as a server likes
    const auto came = impl_->fill(deadline);
    if (!came || *came == 0) return came;
  }
}

Result<void> Connection::write_all(Bytes bytes, Instant deadline) {
  if (!impl_->tls) return impl_->socket.write_all(bytes, deadline);
  while (!bytes.empty()) {
    ERR_clear_error();
    const int count = SSL_write(impl_->tls.get(), bytes.data(), static_cast<int>(bytes.size()));
    if (count <= 0) return Error{Fault::invalid, fmt::format("{}: TLS: {}", impl_->where, last_error())};
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    if (auto sent = impl_->flush(deadline); !sent) return sent;
  }
  return {};
}

}  // namespace tandem::web
