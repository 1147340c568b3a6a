// SPDX-License-Identifier: Apache-2.0
#include "tandem/urscript/run/socket_reader.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::urscript {

namespace {

constexpr std::size_t largest_buffer = 64 * 1024;  // the rest stays in the connection
constexpr std::uint32_t reads_per_cycle = 64;      // a flood from the peer must not look like an infinite loop

constexpr std::size_t most_buffers = 1'000;

}  // namespace

void SocketReader::receive(const std::string& name, std::string& into) {
  if (into.size() >= largest_buffer) return;
  const std::size_t count = std::min(sockets_.available(name), largest_buffer - into.size());
  if (count == 0) return;
  const std::size_t before = into.size();
  into.resize(before + count);
  const std::size_t got = sockets_.read(name, {reinterpret_cast<std::uint8_t*>(into.data()) + before, count});
  into.resize(before + std::min(got, count));
}

bool SocketReader::too_often(const Cycle& cycle) {
  if (cycle.number != cycle_) {
    cycle_ = cycle.number;
    reads_ = 0;
  }
  return ++reads_ > reads_per_cycle;
}

Outcome SocketReader::read(Call& call, const std::string& name, double timeout, const Take& take,
                           const GiveUp& give_up) {
  if (!call.resumed()) {
    const double cycles = timeout > 0.0 ? std::max(1.0, std::ceil(timeout / call.cycle.step - 1e-9)) : 1e18;
    call.state = Waiting{call.cycle.number + static_cast<std::uint64_t>(std::min(cycles, 1e18))};
    if (too_often(call.cycle)) return wait;
  }
  std::string& received = received_[name];
  receive(name, received);
  if (auto value = take(received)) {
    if (received.empty()) received_.erase(name);
    return *std::move(value);
  }
  if (received.empty() && received_.size() > most_buffers) return Error{Fault::busy, "too many sockets are waited for"};
  const auto waiting = std::any_cast<Waiting>(call.state);
  if (call.cycle.number >= waiting.until) return give_up(received);
  if (sockets_.status(name) == Sockets::Status::closed) {
    if (call.cycle.number + 1 < waiting.until) {  // tell so in the next cycle
      call.state = Waiting{call.cycle.number + 1};
    }
  }
  return wait;
}

}  // namespace tandem::urscript
