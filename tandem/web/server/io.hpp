// SPDX-License-Identifier: Apache-2.0
// Sockets, TLS and timers of the server's one thread. Boost.Asio stays in io.cpp. What was begun reports on the thread
// that runs the loop, never before the call has returned.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/web/server/server.hpp"

namespace tandem::web {

class Loop {
 public:
  Loop();
  ~Loop();

  void run();   // until stop(); what a report throws leaves here, and the loop may be run again
  void stop();  // any thread
  void post(std::function<void()> ask);  // any thread
  // After stop(): goes on for this time, or while there is anything to do; without one, what is ready alone.
  void run_for(Duration time);
  void run_ready();

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// One at a time: a later at() replaces an earlier one.
class Timer {
 public:
  explicit Timer(Loop& loop);
  ~Timer();
  void at(Instant when, std::function<void()> then);
  void cancel();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Waits for callers on a descriptor of which it keeps a copy.
class Door {
 public:
  explicit Door(Loop& loop);
  ~Door();
  void open(int fd);  // throws std::runtime_error, with the system's reason alone
  void await(std::function<void()> then);
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A certificate and its key.
class Tls {
 public:
  // Null without a certificate. Throws std::runtime_error for files that do not load.
  static std::unique_ptr<Tls> load(const Access& access);
  ~Tls();

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  Tls();
  std::unique_ptr<Impl> impl_;
};

// One connection, plain or encrypted. Buffers stay the caller's until the report; so does the stream.
class Stream {
 public:
  using Report = std::function<void(bool good, std::size_t bytes)>;

  static std::unique_ptr<Stream> adopt(Loop& loop, net::Descriptor connected);  // null: the system refused
  ~Stream();

  void await_bytes(Report then);        // that can be read
  void encrypt(Tls& tls, Report then);  // the handshake as a server
  bool encrypted() const;
  void read(std::span<std::uint8_t> into, Report then);     // at least one byte
  void write(std::span<const Bytes> buffers, Report then);  // all of them
  void shut_down(Report then);  // nothing more is sent; reports only of an encrypted one, when the peer has agreed
  void close();
  int fd() const;

 private:
  struct Impl;
  explicit Stream(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::web
