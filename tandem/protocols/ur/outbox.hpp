// What a connection has still to send: whole packets, each handed to the socket with one call of its own. Bounded.
#pragma once

#include <cstdint>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::ur {

class Outbox {
 public:
  // `lossy`: what finds no room is lost, instead of the client.
  explicit Outbox(std::size_t most_unsent = 256 * 1024, bool lossy = false)
      : most_unsent_(most_unsent), lossy_(lossy) {}

  // An answer: goes out in its turn. A client that leaves too many of them lying has overflowed() and should be
  // dropped.
  void send(Bytes packet);
  // A sample of a stream: while something older has not gone out, only the newest one waits.
  void send_newest(Bytes packet);
  // Forgets the sample that waits.
  void drop_newest() { newest_.clear(); }

  // Hands over what the socket takes at once. True when something moved.
  Result<bool> flush(net::TcpSocket& socket);

  std::size_t unsent() const { return bytes_.size() - sent_ + newest_.size(); }
  bool overflowed() const { return overflowed_; }
  std::uint64_t dropped() const { return dropped_; }  // samples that a newer one replaced, and what was lost
  // Everything that waits, in order, as if it had been sent.
  std::vector<std::uint8_t> take();

 private:
  void push(Bytes packet);
  bool promote();

  std::size_t most_unsent_;
  bool lossy_;
  std::vector<std::uint8_t> bytes_;  // packets in order
  std::vector<std::size_t> ends_;    // where each of them ends in bytes_
  std::size_t next_ = 0;             // the packet that is being sent
  std::size_t sent_ = 0;             // bytes of bytes_ that have left
  std::vector<std::uint8_t> newest_;
  std::uint64_t dropped_ = 0;
  bool overflowed_ = false;
};

}  // namespace tandem::ur
