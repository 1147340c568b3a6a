// SPDX-License-Identifier: Apache-2.0
// Frames that wait for one client: bounded, in their order. Data that a newer message makes worthless is dropped, the
// oldest first; everything else is kept, and when it no longer fits, the client is too slow to be served.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tandem/web/http/websocket.hpp"
#include "tandem/web/server/server.hpp"

namespace tandem::web {

struct Waiting {
  Opcode opcode = Opcode::binary;
  Frame frame;
  // Bytes of memory, with what an empty one costs.
  std::size_t size() const { return 64 + frame.head_size + (frame.body ? frame.body->size() : 0); }
};

class Outbox {
 public:
  Outbox(std::size_t droppable_messages, std::size_t bytes) : most_messages_(droppable_messages), most_bytes_(bytes) {}

  // False: it must not be lost and does not fit, even without the data that waits.
  bool put(Waiting waiting);

  // The next ones in their order, appended: one, and more while they have at most this many bytes and frames together.
  void take(std::vector<Waiting>& into, std::size_t bytes, std::size_t frames);

  void clear();  // what waits is lost, and the data among it counted

  bool empty() const { return kept_.empty() && data_.empty(); }
  std::size_t size() const { return kept_.size() + data_.size(); }
  std::size_t bytes() const { return bytes_; }
  std::size_t kept_bytes() const { return kept_bytes_; }  // of those that must not be lost
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Entry {
    std::uint64_t number = 0;  // the order of all
    Waiting waiting;
  };
  void drop_oldest();
  std::deque<Entry>* next();

  std::size_t most_messages_, most_bytes_;
  std::deque<Entry> kept_, data_;
  std::size_t bytes_ = 0, kept_bytes_ = 0;
  std::uint64_t last_ = 0, dropped_ = 0;
};

}  // namespace tandem::web
