// SPDX-License-Identifier: Apache-2.0
// Limits on many callers: those who guess tokens, and those who take all places.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tandem/base/clock.hpp"

namespace tandem::web {

// How often each address came with a wrong token lately. Many addresses share the few places there are.
class WrongTokens {
 public:
  static constexpr int most = 20;
  static constexpr Duration lately = 60s;
  void note(std::uint32_t address, Instant when);
  bool too_many(std::uint32_t address, Instant when) const;

 private:
  struct Place {
    std::uint32_t address = 0;
    int count = 0;
    Instant since{};
  };
  std::array<Place, 256> places_{};
};

// Whose crowd a caller counts to. Every program of this computer can call from any of its 2^24 loopback addresses.
std::uint32_t crowd_address(std::uint32_t caller);

// A connection that is not, or not yet, a client's.
struct Waiter {
  std::uint32_t address = 0;  // as crowd_address() has it
  bool one_too_many = false;  // of its address
};
// Which of them, the oldest first, goes when there is no room: one too many, else of the address that has most of them.
// So a crowd from one address does not push the others out. There is at least one.
std::size_t who_makes_room(std::span<const Waiter> waiters);

}  // namespace tandem::web
