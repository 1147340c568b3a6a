// SPDX-License-Identifier: Apache-2.0
// Sockets with a deadline on every call; none of them ever blocks past it.
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <span>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/endpoint.hpp"
#include "tandem/net/tap.hpp"

namespace tandem::net {

// Owns a file descriptor; -1 is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release();
  void reset();

 private:
  int fd_ = -1;
};

// A connected stream: no delay, keep-alive, and dead within a second of silence
// from the peer's TCP (TCP_USER_TIMEOUT). Every fault but `timeout` and `busy` means that the connection is over.
// The error's code is the system's errno, zero for an orderly end. It carries a text and so allocates: a warm cycle
// that often finds nothing uses read_until().
class TcpSocket {
 public:
  TcpSocket() = default;
  explicit TcpSocket(Descriptor connected);

  static Result<TcpSocket> connect(const std::string& host, std::uint16_t port, Instant deadline);

  // Returns at once. Until the handshake is through, nothing can be read or written (read_now and write_now give
  // zero); if it fails, they tell why.
  static Result<TcpSocket> start_connect(const Endpoint& endpoint);

  // At least one byte, or Fault::timeout, or Fault::closed.
  Result<std::size_t> read_some(std::span<std::uint8_t> into, Instant deadline);
  // The same, but zero when the deadline passes first: without a text, and so without an allocation.
  Result<std::size_t> read_until(std::span<std::uint8_t> into, Instant deadline);
  Result<void> read_exact(std::span<std::uint8_t> into, Instant deadline);
  Result<void> write_all(Bytes bytes, Instant deadline);

  // What can be done at once; zero when that is nothing. For servers that poll.
  Result<std::size_t> read_now(std::span<std::uint8_t> into);
  Result<std::size_t> write_now(Bytes bytes);

  bool open() const { return static_cast<bool>(descriptor_); }
  int fd() const { return descriptor_.get(); }
  Endpoint local() const;
  Endpoint peer() const { return peer_; }  // known even after the connection is gone
  // From now on. A connection that is only starting is reported as open with its first bytes.
  void tap(Tap* tap);
  void close();
  void shutdown_write();
  void reset();  // close with RST instead of FIN
  // Stays open however long the peer's TCP is silent, so that a reset can still be sent when the way is free again.
  void outlast_silence();

 private:
  Result<std::size_t> receive(std::span<std::uint8_t> into, int flags);
  bool may_block();
  void pass(Direction direction, Bytes bytes);

  Descriptor descriptor_;
  bool blocking_ = false;  // a receive without MSG_DONTWAIT waits for a moment
  Endpoint peer_;
  Tap* starting_ = nullptr;  // waits for the first bytes
  TapPoint tap_;
};

class TcpListener {
 public:
  TcpListener() = default;
  // Port 0 takes a free one; local() reports which.
  static Result<TcpListener> listen(const std::string& host, std::uint16_t port);

  // When no descriptors are left, the caller at the door is turned away (Fault::busy), so that a server which polls
  // does not find the same caller there indefinitely.
  Result<TcpSocket> accept(Instant deadline);
  bool open() const { return static_cast<bool>(descriptor_); }
  int fd() const { return descriptor_.get(); }
  Endpoint local() const;
  void close() { descriptor_.reset(); }

 private:
  Error turned_away(int error);

  Descriptor descriptor_;
  Descriptor spare_;  // given up for a moment to turn a caller away when no descriptors are left
};

class UdpSocket {
 public:
  UdpSocket() = default;
  static Result<UdpSocket> bind(const std::string& host, std::uint16_t port);

  struct Datagram {
    Endpoint from;
    std::size_t size = 0;
  };
  // A datagram may be empty. One that does not fit is dropped (Fault::invalid), and the socket goes on.
  Result<Datagram> receive(std::span<std::uint8_t> into, Instant deadline);
  Result<void> send(Bytes bytes, const Endpoint& to);

  bool open() const { return static_cast<bool>(descriptor_); }
  int fd() const { return descriptor_.get(); }
  Endpoint local() const;
  void tap(Tap* tap);
  void close();

 private:
  Descriptor descriptor_;
  TapPoint tap_;
};

// Waits until one of the descriptors is readable (or writable where asked) or the deadline passes.
// Sets `ready_*` of every entry; gives how many are ready.
struct Watch {
  int fd = -1;
  bool want_read = true;
  bool want_write = false;
  bool ready_read = false;  // readable, closed or broken: a read reports which
  bool ready_write = false;
  std::uint64_t connection = 0;  // numbered by its owner: the system gives a closed descriptor's number to the next one
};
Result<std::size_t> wait(std::span<Watch> watches, Instant deadline);

}  // namespace tandem::net
