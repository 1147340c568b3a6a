// SPDX-License-Identifier: Apache-2.0
// One client of the control socket, without the socket: bytes come in whatever pieces they arrive, and every line has
// one line as its answer.
#pragma once

#include <string>
#include <string_view>

#include "tandem/runtime/control/protocol.hpp"

namespace tandem::runtime {

class ControlSession {
 public:
  static constexpr std::size_t most_unread = 1 << 20;  // bytes of answers that a client may leave unread and still ask

  // `by` names the client in events: "user 1000, process 4711".
  explicit ControlSession(std::string by) : by_(std::move(by)) {}

  // False: the client is left, once the unsent answers were offered to it: its line is too long, or it does not read.
  bool receive(std::string_view bytes, Controlled& controlled);
  std::string_view unsent() const { return out_; }
  void sent(std::size_t count) { out_.erase(0, count); }

 private:
  std::string by_;
  std::string in_;  // up to one request
  std::string out_;
};

}  // namespace tandem::runtime
