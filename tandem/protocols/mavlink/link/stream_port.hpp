// SPDX-License-Identifier: Apache-2.0
// Whole frames into a byte stream that may take only a part of them now. For the sources of this folder.
#pragma once

#include <array>
#include <cstring>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::mavlink {

// Socket has read_now and write_now as net::TcpSocket does.
template <typename Socket>
class StreamPort {
 public:
  StreamPort() = default;
  explicit StreamPort(Socket socket) : socket_(std::move(socket)) {}

  // False when there is no room for all of it: the peer does not read, and old frames are worth nothing to it.
  Result<bool> put(Bytes frame) {
    if (size_ + frame.size() > waiting_.size()) {
      if (auto flushed = flush(); !flushed) return std::move(flushed).error();
      if (size_ + frame.size() > waiting_.size()) return false;
    }
    std::memcpy(waiting_.data() + size_, frame.data(), frame.size());
    size_ += frame.size();
    if (auto flushed = flush(); !flushed) return std::move(flushed).error();
    return true;
  }

  Result<void> flush() {
    if (size_ == 0) return {};
    auto count = socket_.write_now({waiting_.data(), size_});
    if (!count) return std::move(count).error();
    size_ -= *count;
    if (size_ > 0 && *count > 0) std::memmove(waiting_.data(), waiting_.data() + *count, size_);
    return {};
  }

  bool waits() const { return size_ > 0; }
  Socket& socket() { return socket_; }
  const Socket& socket() const { return socket_; }

 private:
  Socket socket_;
  std::array<std::uint8_t, 8192> waiting_{};
  std::size_t size_ = 0;
};

}  // namespace tandem::mavlink
