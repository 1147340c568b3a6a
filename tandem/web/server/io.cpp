// SPDX-License-Identifier: Apache-2.0
// The only source that sees Boost.Asio.
#include "tandem/web/server/io.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

namespace tandem::web {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

// Buffers that another client keeps; copied by Asio as it likes.
struct BufferList {
  using value_type = asio::const_buffer;
  using const_iterator = const asio::const_buffer*;
  const asio::const_buffer *first, *last;
  const_iterator begin() const { return first; }
  const_iterator end() const { return last; }
};

auto reporting(Stream::Report then) {
  return [then = std::move(then)](const error_code& error, std::size_t count) { then(!error, count); };
}

auto reporting_end(Stream::Report then) {
  return [then = std::move(then)](const error_code& error) { then(!error, 0); };
}

}  // namespace

struct Loop::Impl {
  asio::io_context io{1};
};

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;
void Loop::run() { impl_->io.run(); }
void Loop::post(std::function<void()> ask) { asio::post(impl_->io, std::move(ask)); }

void Loop::stop() {
  post([this] { impl_->io.stop(); });
}

void Loop::run_for(Duration time) {
  impl_->io.restart();
  impl_->io.run_for(time);
}

void Loop::run_ready() {
  impl_->io.restart();
  impl_->io.poll();
}

struct Timer::Impl {
  asio::steady_timer timer;
};

Timer::Timer(Loop& loop) : impl_(new Impl{asio::steady_timer(loop.impl().io)}) {}
Timer::~Timer() = default;

void Timer::at(Instant when, std::function<void()> then) {
  impl_->timer.expires_at(when);
  impl_->timer.async_wait([then = std::move(then)](const error_code& error) {
    if (!error) then();
  });
}

void Timer::cancel() {
  error_code ignored;
  impl_->timer.cancel(ignored);
}

struct Door::Impl {
  asio::posix::stream_descriptor descriptor;
};

Door::Door(Loop& loop) : impl_(new Impl{asio::posix::stream_descriptor(loop.impl().io)}) {}
Door::~Door() = default;

void Door::open(int fd) {
  net::Descriptor own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
  error_code error;
  impl_->descriptor.assign(own.get(), error);
  if (error) throw std::runtime_error(error.message());
  own.release();
}

void Door::await(std::function<void()> then) {
  impl_->descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                               [then = std::move(then)](const error_code& error) {
                                 if (!error) then();
                               });
}

void Door::close() {
  error_code ignored;
  impl_->descriptor.close(ignored);
}

struct Tls::Impl {
  asio::ssl::context context{asio::ssl::context::tls_server};
};

Tls::Tls() : impl_(std::make_unique<Impl>()) {}
Tls::~Tls() = default;

std::unique_ptr<Tls> Tls::load(const Access& access) {
  if (access.certificate.empty()) return nullptr;
  std::unique_ptr<Tls> made(new Tls);
  asio::ssl::context& context = made->impl_->context;
  error_code error;
  context.use_certificate_chain_file(access.certificate, error);
  if (error)
    throw std::runtime_error(fmt::format("{}: no certificate in PEM form ({})", access.certificate, error.message()));
  context.use_private_key_file(access.key, asio::ssl::context::pem, error);
  if (error || SSL_CTX_check_private_key(context.native_handle()) != 1) {
    throw std::runtime_error(
        fmt::format("{}: no private key in PEM form that belongs to {}", access.key, access.certificate));
  }
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  return made;
}

struct Stream::Impl {
  tcp::socket socket;
  std::optional<asio::ssl::stream<tcp::socket&>> tls = {};
  std::vector<asio::const_buffer> buffers = {};  // that are being written
};

Stream::Stream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stream::~Stream() = default;

std::unique_ptr<Stream> Stream::adopt(Loop& loop, net::Descriptor connected) {
  tcp::socket socket(loop.impl().io);
  error_code error;
  socket.assign(tcp::v4(), connected.get(), error);
  if (error) return nullptr;
  connected.release();
  return std::unique_ptr<Stream>(new Stream(std::unique_ptr<Impl>(new Impl{std::move(socket)})));
}

bool Stream::encrypted() const { return impl_->tls.has_value(); }
int Stream::fd() const { return impl_->socket.native_handle(); }

void Stream::await_bytes(Report then) {
  impl_->socket.async_wait(tcp::socket::wait_read, reporting_end(std::move(then)));
}

void Stream::encrypt(Tls& tls, Report then) {
  impl_->tls.emplace(impl_->socket, tls.impl().context);
  impl_->tls->async_handshake(asio::ssl::stream_base::server, reporting_end(std::move(then)));
}

void Stream::read(std::span<std::uint8_t> into, Report then) {
  const auto buffer = asio::buffer(into.data(), into.size());
  if (impl_->tls) {
    impl_->tls->async_read_some(buffer, reporting(std::move(then)));
  } else {
    impl_->socket.async_read_some(buffer, reporting(std::move(then)));
  }
}

void Stream::write(std::span<const Bytes> buffers, Report then) {
  auto& kept = impl_->buffers;
  kept.clear();
  for (const Bytes& buffer : buffers) kept.emplace_back(buffer.data(), buffer.size());
  const BufferList list{kept.data(), kept.data() + kept.size()};
  if (impl_->tls) {
    asio::async_write(*impl_->tls, list, reporting(std::move(then)));
  } else {
    asio::async_write(impl_->socket, list, reporting(std::move(then)));
  }
}

void Stream::shut_down(Report then) {
  if (impl_->tls) return impl_->tls->async_shutdown(reporting_end(std::move(then)));
  error_code ignored;
  impl_->socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void Stream::close() {
  error_code ignored;
  impl_->socket.close(ignored);
}

}  // namespace tandem::web
