// A tap on a socket: sees every byte that passes, with direction and stamp, and changes nothing.
#pragma once

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"

namespace tandem::net {

enum class Direction : std::uint8_t { in, out };

class Tap {
 public:
  virtual ~Tap() = default;
  // Called on the socket's own thread right after the bytes were received or handed to the kernel. Must not block.
  virtual void passed(Direction direction, Bytes bytes, Instant stamp) noexcept = 0;
};

}  // namespace tandem::net
