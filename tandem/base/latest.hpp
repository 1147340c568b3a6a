// SPDX-License-Identifier: Apache-2.0
// Latest<T>: one writer puts the newest value, any number of readers see it whole, without long waits.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

namespace tandem {

// A sequence lock whose payload is copied through relaxed atomic words: a torn copy is seen and
// read again, and no byte is ever touched by a plain access from two threads.
template <typename T>
class Latest {
  static_assert(std::is_trivially_copyable_v<T>, "the cell copies bytes");

 public:
  // Only ever called from one thread. Never waits.
  void put(const T& value) {
    std::array<std::uint64_t, words> copy{};
    std::memcpy(copy.data(), &value, sizeof(T));
    const std::uint64_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    // Released one by one: anyone who sees one of these words sees the odd version before it.
    for (std::size_t i = 0; i < words; ++i) words_[i].store(copy[i], std::memory_order_release);
    version_.store(version + 2, std::memory_order_release);
  }

  // The newest value, or nothing before the first.
  std::optional<T> get() const {
    std::uint64_t ignored = 0;
    return get(ignored);
  }

  // As get(); `version` grows by one with every put and is 0 before the first.
  std::optional<T> get(std::uint64_t& version) const {
    std::array<std::uint64_t, words> copy;
    std::uint64_t before = 0;
    do {
      before = version_.load(std::memory_order_acquire);
      if (before == 0) return version = 0, std::nullopt;
      for (std::size_t i = 0; i < words; ++i) copy[i] = words_[i].load(std::memory_order_acquire);
    } while ((before & 1) != 0 || version_.load(std::memory_order_relaxed) != before);
    version = before / 2;
    T value;
    std::memcpy(static_cast<void*>(&value), copy.data(), sizeof(T));
    return value;
  }

  std::uint64_t version() const { return version_.load(std::memory_order_acquire) / 2; }

 private:
  static constexpr std::size_t words = (sizeof(T) + 7) / 8;
  std::atomic<std::uint64_t> version_{0};
  std::array<std::atomic<std::uint64_t>, words> words_{};
};

// Mailbox<T>: any thread posts, one thread takes; an unread value is replaced by the newer one.
template <typename T>
class Mailbox {
 public:
  void post(const T& value) {
    while (posting_.test_and_set(std::memory_order_acquire)) {
      // Held only while another post copies its bytes.
    }
    cell_.put(value);
    posting_.clear(std::memory_order_release);
  }

  // The newest value posted since the last take, if any.
  std::optional<T> take() {
    if (cell_.version() == taken_) return std::nullopt;
    return cell_.get(taken_);
  }

 private:
  Latest<T> cell_;
  std::atomic_flag posting_ = ATOMIC_FLAG_INIT;
  std::uint64_t taken_ = 0;  // of the taking thread
};

}  // namespace tandem
