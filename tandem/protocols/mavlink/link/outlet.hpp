// SPDX-License-Identifier: Apache-2.0
// Where messages go out: a link, a router's own end, or a test.
#pragma once

#include "tandem/protocols/mavlink/codec/payload.hpp"

namespace tandem::mavlink {

class Outlet {
 public:
  virtual ~Outlet() = default;

  // False when it could not leave; then it is gone. Nothing here waits or allocates.
  template <Message M>
  bool send(const M& message) {
    std::array<std::uint8_t, layout<M>.full_size> payload;
    write_payload(message, std::span<std::uint8_t, layout<M>.full_size>(payload));
    return send_payload(info<M>, payload);
  }
  // All of the payload, extensions included, untruncated.
  virtual bool send_payload(const MessageInfo& info, Bytes payload) = 0;
};

}  // namespace tandem::mavlink
