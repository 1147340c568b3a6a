// SPDX-License-Identifier: Apache-2.0
// What has come in on the sockets of a program and is not read yet; internal to the socket library.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tandem/urscript/run/sockets.hpp"

namespace tandem::urscript {

class SocketReader {
 public:
  explicit SocketReader(Sockets& sockets) : sockets_(sockets) {}

  // Takes a value out of the front of what was received, or nothing while it is not whole.
  using Take = std::function<std::optional<Value>(std::string& received)>;
  // What the call answers instead when time is over or the peer is gone; it may take what there is.
  using GiveUp = std::function<Result<Value>(std::string& received)>;

  Outcome read(Call& call, const std::string& name, double timeout, const Take& take, const GiveUp& give_up);

  Sockets& sockets() { return sockets_; }
  void forget(const std::string& name) { received_.erase(name); }

 private:
  struct Waiting {
    std::uint64_t until = 0;  // cycle
  };
  void receive(const std::string& name, std::string& into);
  bool too_often(const Cycle& cycle);

  Sockets& sockets_;
  std::map<std::string, std::string, std::less<>> received_;
  std::uint64_t cycle_ = 0;
  std::uint32_t reads_ = 0;  // in that cycle
};

}  // namespace tandem::urscript
