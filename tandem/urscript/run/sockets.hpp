// SPDX-License-Identifier: Apache-2.0
// The socket functions of URScript over whatever opens real connections.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tandem/base/bytes.hpp"
#include "tandem/urscript/library/builtins.hpp"

namespace tandem::urscript {

// Connections by name. Nothing here may block: opening goes on in the background until it is settled.
class Sockets {
 public:
  enum class Status : std::uint8_t { closed, opening, open };

  virtual ~Sockets() = default;
  virtual void open(std::string_view name, std::string_view address, std::uint16_t port) = 0;
  virtual void close(std::string_view name) = 0;
  virtual Status status(std::string_view name) = 0;  // closed once the peer has closed and all is read
  virtual bool write(std::string_view name, Bytes bytes) = 0;
  virtual std::size_t available(std::string_view name) = 0;  // bytes that read() would give
  virtual std::size_t read(std::string_view name, std::span<std::uint8_t> into) = 0;
};

// socket_open, socket_close, socket_send_*, socket_read_*, socket_get_var, socket_set_var.
// A time-out of zero or less waits indefinitely, as on the controller. What fails answers so in the next cycle, so that
// a loop around a dead connection takes time. `sockets` must outlive the table.
void add_socket_library(Builtins& builtins, Sockets& sockets);

}  // namespace tandem::urscript
