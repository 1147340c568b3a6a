// SPDX-License-Identifier: Apache-2.0
// What lets many machines, or many virtual devices, share one thread: their work in pieces that never wait. Beside
// Machine and VirtualDevice, for those that can; the others have a thread of their own.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tandem/machines/machine.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::machines {

// A cycle in two halves: a worker asks all its machines and takes the answers as they come. A machine changes between a
// worker and its own thread whenever it has to; one thread at a time has it.
class Shared {
 public:
  virtual ~Shared() = default;

  // Whether the next cycle is one exchange, as far as is known now.
  virtual bool may_share() const = 0;
  // When it is due.
  virtual Instant turn() const = 0;
  // The first half, up to the request, once its turn has come. False: this cycle takes more than one exchange, as it
  // starts, brakes or switches something. Then nothing has been sent, and cycle() does it at once.
  virtual Result<bool> ask(const Permit& permit) = 0;
  // Where the answer comes, and until when it is waited for; sockets are of real time, whatever clock the machine has.
  virtual int answer_fd() const = 0;
  virtual Instant answer_deadline() const = 0;
  // The second half; nothing as long as the answer is not complete and may still come.
  virtual std::optional<Result<Cycle>> take() = 0;
  // The next turn is a little later, so that a worker begins several cycles at once.
  virtual void delay_turn(Duration delay) = 0;
};

class SharedDevice {
 public:
  virtual ~SharedDevice() = default;

  // Answers what has come, and lets the device's time go on. `ready` is what watch() appended last, marked by who has
  // waited for it; empty where nothing is known to have come.
  virtual void serve(std::span<const net::Watch> ready) = 0;
  // Appends where clients come and ask; gives when to serve it though nothing has come.
  virtual Instant watch(std::vector<net::Watch>& watches) const = 0;
};

}  // namespace tandem::machines
