// SPDX-License-Identifier: Apache-2.0
// The network plug of a virtual device, which a person may pull to see what happens.
#pragma once

#include <atomic>
#include <cstdint>

namespace tandem::net {

// What the sockets of a device look at before they read, write or accept: while it is pulled nothing passes, and no
// connection ends, as behind a pulled cable. A connection that was open or opening while it was pulled is reset when it
// is back in, with whatever was sent on it meanwhile: a command that waited must not be obeyed. Any thread.
class Plug {
 public:
  void pull() { turn(false); }
  void insert() { turn(true); }
  bool pulled() const { return pulled_at(turns()); }

  // Rises with each pull and each insert: a connection of another number than the present one has missed something.
  std::uint32_t turns() const { return turns_.load(std::memory_order_acquire); }
  static bool pulled_at(std::uint32_t turns) { return turns % 2 == 1; }

  // Sockets look at it. Without any, to pull it does nothing.
  void attach() { attached_.store(true, std::memory_order_relaxed); }
  bool attached() const { return attached_.load(std::memory_order_relaxed); }

 private:
  void turn(bool in) {
    std::uint32_t before = turns();
    while (pulled_at(before) == in && !turns_.compare_exchange_weak(before, before + 1, std::memory_order_acq_rel)) {
    }
  }

  std::atomic<std::uint32_t> turns_{0};  // odd: it is pulled
  std::atomic<bool> attached_{false};
};

// What one server or socket knows of it.
class PlugWatch {
 public:
  PlugWatch() = default;
  explicit PlugWatch(Plug* plug) : plug_(plug), seen_(plug != nullptr ? plug->turns() : 0) {
    if (plug != nullptr) plug->attach();
  }

  // Nothing may pass: it is pulled, or what was open then is not reset yet.
  bool cut() const { return plug_ != nullptr && (plug_->turns() != seen_ || Plug::pulled_at(seen_)); }
  bool pulled() const { return plug_ != nullptr && plug_->pulled(); }
  // True once after it was pulled and is in again: what was open is to be reset now.
  bool take_back_in() {
    if (plug_ == nullptr) return false;
    const std::uint32_t turns = plug_->turns();
    if (turns == seen_ || Plug::pulled_at(turns)) return false;
    seen_ = turns;
    return true;
  }

 private:
  Plug* plug_ = nullptr;  // null: always in
  std::uint32_t seen_ = 0;
};

}  // namespace tandem::net
