// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <list>

#include "tandem/net/address.hpp"
#include "tandem/net/faults/line.hpp"
#include "tandem/net/faults/stream.hpp"
#include "tandem/net/system_error.hpp"

namespace tandem::net {

namespace {

// A socket that is bound and never listens: callers are refused, and no one else is given the port meanwhile.
Result<Descriptor> reserved_port(const std::string& host, std::uint16_t port) {
  const auto wanted = resolve(host, port);
  if (!wanted) return wanted.error();
  Descriptor descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!descriptor) return bind_error("TCP", host, port, errno);
  const int on = 1;
  setsockopt(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const sockaddr_in address = address_of(*wanted);
  if (::bind(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return bind_error("TCP", host, port, errno);
  }
  return descriptor;
}

class TcpFaultLine final : public FaultLine {
 public:
  TcpFaultLine(const FaultProxy::Options& options, Descriptor reserved)
      : seed_(options.seed), tap_(options.tap), listen_(options.listen), reserved_(std::move(reserved)) {
    upstream_ = options.upstream;
  }

  void pump(const Faults& faults, Instant now) override {
    accept_all(now);
    for (auto it = streams_.begin(); it != streams_.end();) {
      const std::uint64_t limits = it->limits_hit();
      const bool goes_on = it->pump(faults, now);
      counts_.cuts += it->limits_hit() - limits;
      it = goes_on ? std::next(it) : finish(it);
    }
  }

  void watch(const Faults& faults, std::vector<Watch>& watches, Instant& wake) const override {
    watches.push_back({.fd = listener_.fd()});
    for (const FaultStream& stream : streams_) stream.watch(faults, watches, wake);
  }

  void reseed(std::uint64_t seed) override {
    seed_ = seed;
    since_seed_ = 0;
    for (FaultStream& stream : streams_) {
      stream.to_device().reseed(seed_to_device(seed, since_seed_));
      stream.to_client().reseed(seed_to_client(seed, since_seed_++));
    }
  }

  void cut(Cut how) override {
    for (auto it = streams_.begin(); it != streams_.end();) {
      ++counts_.cuts;
      it = it->cut(how) ? finish(it) : std::next(it);
    }
  }

  void inject(bool to_device, Bytes bytes, Instant now) override {
    for (FaultStream& stream : streams_) (to_device ? stream.to_device() : stream.to_client()).inject(bytes, now);
  }

  void stop_listening() override { listener_.close(); }

  Result<void> listen_again() override {
    if (listener_.open()) return {};
    auto listener = TcpListener::listen(listen_, endpoint().port);
    if (!listener) return std::move(listener).error();
    listener_ = std::move(*listener);
    return {};
  }

  Endpoint endpoint() const override {
    const Endpoint local = local_of(reserved_.get());
    return local.address == INADDR_ANY ? Endpoint{INADDR_LOOPBACK, local.port} : local;
  }

  ProxyCounts counts() const override {
    ProxyCounts all = counts_;
    all.open = streams_.size();
    for (const FaultStream& stream : streams_) {
      all.to_device += stream.to_device().counts();
      all.to_client += stream.to_client().counts();
    }
    return all;
  }

 private:
  using Streams = std::list<FaultStream>;

  void accept_all(Instant now) {
    for (int callers = 0; callers < 64 && listener_.open(); ++callers) {
      auto client = listener_.accept(now);
      if (!client) return;
      if (streams_.size() >= most_connections) {
        ++counts_.turned_away;
        client->reset();
        continue;
      }
      auto device = TcpSocket::start_connect(upstream_);
      if (device) device->tap(tap_);
      ++counts_.connections;
      streams_.emplace_back(std::move(*client), device ? std::move(*device) : TcpSocket(),
                            seed_to_device(seed_, since_seed_), seed_to_client(seed_, since_seed_));
      ++since_seed_;
    }
  }

  Streams::iterator finish(Streams::iterator stream) {
    counts_.to_device += stream->to_device().counts();
    counts_.to_client += stream->to_client().counts();
    return streams_.erase(stream);
  }

  std::uint64_t seed_;
  std::uint64_t since_seed_ = 0;  // connections
  Tap* const tap_;
  const std::string listen_;
  Descriptor reserved_;
  TcpListener listener_;
  Streams streams_;
  ProxyCounts counts_;  // of what is finished
};

}  // namespace

Result<std::unique_ptr<FaultLine>> tcp_fault_line(const FaultProxy::Options& options) {
  auto reserved = reserved_port(options.listen, options.port);
  if (!reserved) return std::move(reserved).error();
  auto line = std::make_unique<TcpFaultLine>(options, std::move(*reserved));
  if (auto listening = line->listen_again(); !listening) return std::move(listening).error();
  return std::unique_ptr<FaultLine>(std::move(line));
}

}  // namespace tandem::net
