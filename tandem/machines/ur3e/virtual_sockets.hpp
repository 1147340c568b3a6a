// The connections that programs open to their clients.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tandem/net/socket.hpp"
#include "tandem/urscript/sockets.hpp"

namespace tandem::ur3e {

class ScriptSockets final : public urscript::Sockets {
 public:
  void open(std::string_view name, std::string_view address, std::uint16_t port) override;
  void close(std::string_view name) override;
  Status status(std::string_view name) override;
  bool write(std::string_view name, Bytes bytes) override;
  std::size_t available(std::string_view name) override;
  std::size_t read(std::string_view name, std::span<std::uint8_t> into) override;

  void close_all() { connections_.clear(); }

 private:
  struct Connection {
    net::TcpSocket socket;
    std::vector<std::uint8_t> received;
    std::size_t taken = 0;  // of received
    bool connected = false;
    bool over = false;  // the peer has closed
  };

  Connection* find(std::string_view name);
  void pump(Connection& connection);

  std::map<std::string, Connection, std::less<>> connections_;
};

}  // namespace tandem::ur3e
