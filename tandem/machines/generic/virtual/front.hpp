// SPDX-License-Identifier: Apache-2.0
// The protocol side of the virtual device: a server with exactly the registers or symbols of the file. Values are in
// the unit of the file on this side of it. One thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/generic/signal.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::generic {

// Faults as the server shows them.
struct FrontFaults {
  std::uint8_t exception = 0;  // every request that touches the signal; 0: none
  bool silent = false;         // answers nothing at all
};

class Front {
 public:
  virtual ~Front() = default;
  virtual std::string url() const = 0;
  virtual std::string listening() const = 0;
  // The signals that it serves, made from the file alone.
  virtual const std::vector<Signal>& signals() const = 0;
  // Takes what clients wrote and answers them, until the deadline at the latest or until something was done.
  virtual void serve(Instant until) = 0;
  // What a client has written to an element since the last call, in the unit of the file; nothing: not written.
  virtual std::optional<double> take_written(std::size_t signal, std::size_t element) = 0;
  // The value that clients read; saturates at what fits the type. NaN in an integer is its first `invalid`, or 0.
  virtual void put(std::size_t signal, std::size_t element, double value) = 0;
  virtual void put_text(std::size_t signal, std::string_view text) = 0;
  virtual double value(std::size_t signal, std::size_t element) const = 0;  // as clients read it now
  virtual void fault(std::size_t signal, const FrontFaults& faults) = 0;
};

// Throw std::invalid_argument or std::runtime_error (port in use).
std::unique_ptr<Front> make_modbus_front(std::shared_ptr<const Description> description,
                                         const machines::VirtualSetup& setup);
std::unique_ptr<Front> make_ads_front(std::shared_ptr<const Description> description,
                                      const machines::VirtualSetup& setup);

// The virtual device: a front, behaviours, and MuJoCo where the file binds joints.
std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup);

}  // namespace tandem::generic
