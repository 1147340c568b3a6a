// SPDX-License-Identifier: Apache-2.0
// What a client is told, kept for the test.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tandem/protocols/mqtt/client.hpp"

namespace tandem::mqtt {

// Outlives its client.
class Recorder {
 public:
  Greeting greeting;                   // before the client is made
  std::function<Greeting(int)> greet;  // instead of it; with the number of greetings before
  std::function<void()> on_connected;
  std::atomic<int> greets{0}, connected{0};

  Callbacks callbacks() {
    return {[this] {
              const int number = greets.fetch_add(1);
              return greet ? greet(number) : greeting;
            },
            [this] {
              ++connected;
              if (on_connected) on_connected();
            },
            [this](std::string_view why) {
              const std::lock_guard lock(mutex_);
              lost_.emplace_back(why);
            },
            [this](const Message& message) {
              const std::lock_guard lock(mutex_);
              received_.push_back(message);
            }};
  }
  std::vector<Message> received() const {
    const std::lock_guard lock(mutex_);
    return received_;
  }
  std::size_t received_count() const { return received().size(); }
  std::vector<std::string> lost() const {
    const std::lock_guard lock(mutex_);
    return lost_;
  }
  std::size_t lost_count() const { return lost().size(); }

 private:
  mutable std::mutex mutex_;
  std::vector<Message> received_;  // guarded
  std::vector<std::string> lost_;  // guarded
};

}  // namespace tandem::mqtt
