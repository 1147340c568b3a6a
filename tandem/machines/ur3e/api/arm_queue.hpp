// SPDX-License-Identifier: Apache-2.0
// Requests on their way from any thread to the link's: a bounded ring in their order, and how each of them fared.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <variant>

#include "tandem/base/clock.hpp"
#include "tandem/machines/ur3e/arm.hpp"

namespace tandem::ur3e {

enum class Control : std::uint8_t { reset, arm, disarm };

struct Request {
  Ticket ticket = 0;
  Instant posted{};
  std::variant<command::Any, Control> what;
};

class RequestQueue {
 public:
  // From any thread. False, and nothing has happened, when the ring is full.
  bool post(Request& request) {
    while (posting_.test_and_set(std::memory_order_acquire)) {
      // Held only while another post moves its request in.
    }
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    const bool room = tail - head_.load(std::memory_order_acquire) < ring_.size();
    if (room) {
      ring_[tail % ring_.size()] = std::move(request);
      tail_.store(tail + 1, std::memory_order_release);
    }
    posting_.clear(std::memory_order_release);
    return room;
  }

  // From the one thread that takes.
  std::optional<Request> take() {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
    std::optional<Request> request(std::move(ring_[head % ring_.size()]));
    head_.store(head + 1, std::memory_order_release);
    return request;
  }

 private:
  std::array<Request, 32> ring_;
  std::atomic<std::uint64_t> head_{0}, tail_{0};
  std::atomic_flag posting_ = ATOMIC_FLAG_INIT;
};

// Outcomes of the last 64 tickets; any thread reads.
class Outcomes {
 public:
  Ticket next() { return last_.fetch_add(1, std::memory_order_relaxed) + 1; }

  void put(Ticket ticket, Outcome outcome) {
    slots_[ticket % slots_.size()].store((std::uint64_t{ticket} << 8) | static_cast<std::uint64_t>(outcome),
                                         std::memory_order_release);
  }

  Outcome of(Ticket ticket) const {
    const std::uint64_t slot = slots_[ticket % slots_.size()].load(std::memory_order_acquire);
    return slot >> 8 == ticket ? static_cast<Outcome>(slot & 0xff) : Outcome::failed;
  }

 private:
  std::atomic<Ticket> last_{0};
  std::array<std::atomic<std::uint64_t>, 64> slots_{};
};

}  // namespace tandem::ur3e
