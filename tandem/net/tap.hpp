// SPDX-License-Identifier: Apache-2.0
// A tap on sockets: sees every byte that passes, with flow, direction and stamp, and changes nothing.
#pragma once

#include <string_view>
#include <utility>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/net/endpoint.hpp"

namespace tandem::net {

enum class Direction : std::uint8_t { in, out };

// Who ended a connection.
enum class Ending : std::uint8_t {
  ours,    // closed here
  theirs,  // the peer closed it in order
  broken,  // reset, timed out, unplugged
};

// Which connection it is. A number belongs to one socket from its opening to its end and is never given twice in a
// process; they rise in the order of opening.
struct Flow {
  std::uint32_t connection = 0;
  bool datagram = false;
  Endpoint peer{};            // of a datagram: its own
  Endpoint local{};           // our end
  std::string_view device{};  // a serial line instead of the two; empty: none
};

// Called on the socket's own thread; several sockets may share one tap. Must neither block nor allocate.
class Tap {
 public:
  virtual ~Tap() = default;
  virtual void opened(const Flow& /*flow*/, Instant /*stamp*/) noexcept {}
  // Right after the bytes were received or handed to the kernel.
  virtual void passed(const Flow& flow, Direction direction, Bytes bytes, Instant stamp) noexcept = 0;
  virtual void closed(const Flow& /*flow*/, Ending /*ending*/, Instant /*stamp*/) noexcept {}
};

// Where a tap sits on one connection: reports of the opening and the end, each once. Costs one comparison without a
// tap.
class TapPoint {
 public:
  TapPoint() = default;
  TapPoint(TapPoint&& other) noexcept : tap_(std::exchange(other.tap_, nullptr)), flow_(other.flow_) {}
  TapPoint& operator=(TapPoint&& other) noexcept;
  ~TapPoint() { close(Ending::ours); }

  // Reports that it is open, when there is a tap. `flow.connection` is chosen here.
  void open(Tap* tap, Flow flow) noexcept;
  void pass(Direction direction, Bytes bytes) noexcept {
    if (tap_ != nullptr) tap_->passed(flow_, direction, bytes, now());
  }
  void pass(Direction direction, Bytes bytes, const Endpoint& peer) noexcept {
    flow_.peer = peer;
    pass(direction, bytes);
  }
  void close(Ending ending) noexcept {
    if (tap_ != nullptr) std::exchange(tap_, nullptr)->closed(flow_, ending, now());
  }

 private:
  Tap* tap_ = nullptr;
  Flow flow_;
};

}  // namespace tandem::net
