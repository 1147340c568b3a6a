// SPDX-License-Identifier: Apache-2.0
// What a connection has still to send, bounded: packets, each handed to the socket with one call of its own, or a
// stream, handed over in as few calls as possible.
#pragma once

#include <cstdint>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::net {

class Outbox {
 public:
  // `lossy`: what finds no room is lost, instead of the client.
  explicit Outbox(std::size_t most_unsent = 256 * 1024, bool lossy = false)
      : most_unsent_(most_unsent), lossy_(lossy) {}

  // A packet: goes out in its turn. A client that leaves too many of them unread has overflowed() and should be
  // dropped.
  void send(Bytes packet);
  // A sample of a stream: while something older has not gone out, only the newest one waits.
  void send_newest(Bytes packet);
  // Forgets the sample that waits.
  void drop_newest() { newest_.clear(); }
  // To append to, for a connection that sends no packets: a stream whose borders are the protocol's own.
  std::vector<std::uint8_t>& stream() { return bytes_; }
  // Ends the connection at once; nothing that waits goes out.
  void abort() { aborted_ = true; }

  // Hands over what the socket takes at once. True when something moved.
  Result<bool> flush(TcpSocket& socket);

  std::size_t unsent() const { return bytes_.size() - sent_ + newest_.size(); }
  bool overflowed() const { return overflowed_ || (ends_.empty() && bytes_.size() - sent_ > most_unsent_); }
  bool aborted() const { return aborted_; }
  std::uint64_t dropped() const { return dropped_; }  // samples that a newer one replaced, and what was lost
  // Everything that waits, in order, as if it had been sent.
  std::vector<std::uint8_t> take();

 private:
  void push(Bytes packet);
  bool promote();
  void forget_sent();

  std::size_t most_unsent_;
  bool lossy_;
  std::vector<std::uint8_t> bytes_;  // packets in order, or a stream
  std::vector<std::size_t> ends_;    // where each packet ends in bytes_
  std::size_t next_ = 0;             // the packet that is being sent
  std::size_t sent_ = 0;             // bytes of bytes_ that have left
  std::vector<std::uint8_t> newest_;
  std::uint64_t dropped_ = 0;
  bool overflowed_ = false;
  bool aborted_ = false;
};

}  // namespace tandem::net
