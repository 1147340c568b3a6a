// SPDX-License-Identifier: Apache-2.0
// Sockets whose peers are strings.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "tandem/urscript/run/sockets.hpp"

namespace tandem::urscript {

struct StringSockets final : Sockets {
  struct Peer {
    Status status = Status::closed;
    std::string incoming;  // to the script
    std::string sent;      // by the script
  };

  void connect(const std::string& name) { peers[name].status = Status::open; }

  void open(std::string_view name, std::string_view address, std::uint16_t port) override {
    opened = fmt::format("{} {} {}", name, address, port);
    peers[std::string(name)].status = open_at_once ? Status::open : Status::opening;
  }
  void close(std::string_view name) override { peers[std::string(name)].status = Status::closed; }
  Status status(std::string_view name) override { return peers[std::string(name)].status; }
  bool write(std::string_view name, Bytes bytes) override {
    peers[std::string(name)].sent.append(bytes.begin(), bytes.end());
    return true;
  }
  std::size_t available(std::string_view name) override { return peers[std::string(name)].incoming.size(); }
  std::size_t read(std::string_view name, std::span<std::uint8_t> into) override {
    std::string& incoming = peers[std::string(name)].incoming;
    const std::size_t count = std::min(into.size(), incoming.size());
    std::copy_n(incoming.begin(), count, into.begin());
    incoming.erase(0, count);
    return count;
  }

  std::map<std::string, Peer> peers;
  std::string opened;
  bool open_at_once = false;
};

}  // namespace tandem::urscript
