// SPDX-License-Identifier: Apache-2.0
// A connection to a server, plain or encrypted, with a deadline on every call.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"

namespace tandem::web {

struct ServerPlace {
  std::string host;  // IPv4 address or name
  std::uint16_t port = 0;
  bool tls = false;
  std::string authority;  // PEM file of who signs its certificate; empty: those of the system
  std::string text() const;
};

class Connection {
 public:
  // With TLS the certificate must be signed by the authority and name the host.
  static Result<Connection> open(const ServerPlace& place, Instant deadline);
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  // At least one byte; zero when the deadline passes first.
  Result<std::size_t> read_until(std::span<std::uint8_t> into, Instant deadline);
  Result<void> write_all(Bytes bytes, Instant deadline);

 private:
  struct Impl;
  explicit Connection(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::web
