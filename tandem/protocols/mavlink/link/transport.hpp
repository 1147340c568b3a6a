// SPDX-License-Identifier: Apache-2.0
// The wire below a MAVLink link: moves bytes, comes back by itself, never waits. For the sources of this folder.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/net/backoff.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/mavlink/link/link_address.hpp"

namespace tandem::mavlink {

enum class LinkState : std::uint8_t {
  down,        // no one there; tried again by itself
  connecting,  // on the way, or waiting for the first caller
  open,
};

class Transport {
 public:
  static constexpr std::size_t most_peers = 8;

  struct Piece {
    std::size_t size = 0;   // bytes
    std::size_t peer = 0;   // below most_peers
    bool datagram = false;  // whole, and nothing follows it
    bool fresh = false;     // the first of a new peer in this place
  };

  virtual ~Transport() = default;
  // Opens what is closed when it is time to, lets callers in, sends what had to wait.
  virtual void tend(Instant now) = 0;
  // What came, if something did.
  virtual std::optional<Piece> read(std::span<std::uint8_t> into, Instant now) = 0;
  // To all peers, whole or not at all; false when it went to none.
  virtual bool write(Bytes frame, Instant now) = 0;
  // Appends what to wait for; gives the time of the next tend() if nothing happens.
  virtual Instant watch(std::vector<net::Watch>& watches) const = 0;
  virtual LinkState state() const = 0;
  // How many peers have come so far; when it grows, there is a new one to set up.
  virtual std::uint64_t connections() const = 0;
  // Our own end; zero where there is none.
  virtual net::Endpoint local() const { return {}; }
  // What was wrong the last time.
  const std::string& trouble() const { return trouble_; }

 protected:
  std::string trouble_;
};

// When to try again.
class Retry {
 public:
  bool due(Instant now) const { return now >= next_; }
  Instant next() const { return next_; }
  void failed(Instant now) {
    if (since_ == Instant{}) since_ = now;
    next_ = now + backoff_.next(now - since_);
  }
  void worked() {
    next_ = since_ = {};
    backoff_.reset();
  }

 private:
  Instant next_{};
  Instant since_{};
  net::Backoff backoff_;
};

Result<std::unique_ptr<Transport>> open_udp(const LinkAddress& address, net::Tap* tap);
Result<std::unique_ptr<Transport>> open_tcp(const LinkAddress& address, net::Tap* tap);
Result<std::unique_ptr<Transport>> open_tcp_in(const LinkAddress& address, net::Tap* tap);
Result<std::unique_ptr<Transport>> open_serial(const LinkAddress& address, net::Tap* tap);

}  // namespace tandem::mavlink
