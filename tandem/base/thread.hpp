// SPDX-License-Identifier: Apache-2.0
// A std::jthread that takes part in stepped time where that is active.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "tandem/base/stepped_time.hpp"

namespace tandem {

class Thread {
 public:
  Thread() = default;
  // `body` is called with a std::stop_token. The name orders and explains; it is not the system's.
  template <typename Body>
  Thread(std::string name, Body body) : seat_(SteppedTime::reserve(std::move(name))) {
    try {
      thread_ = std::jthread([seat = seat_, body = std::move(body)](const std::stop_token& stop) mutable {
        SteppedTime::sit_down(seat);
        {
          Body here = std::move(body);  // what it holds goes before the seat does
          here(stop);
        }
        SteppedTime::leave(seat);
      });
    } catch (...) {
      SteppedTime::give_back(seat_);
      throw;
    }
  }
  // One that takes no part: it may wait for whatever it likes.
  template <typename Body>
  static Thread beside(Body body) {
    Thread thread;
    thread.thread_ = std::jthread(std::move(body));
    return thread;
  }
  ~Thread() { end(); }
  Thread(Thread&&) noexcept = default;
  Thread& operator=(Thread&& other) noexcept {
    if (this != &other) {
      end();
      seat_ = std::move(other.seat_);
      thread_ = std::move(other.thread_);
    }
    return *this;
  }

  bool joinable() const { return thread_.joinable(); }
  void request_stop() { thread_.request_stop(); }
  void join() {
    SteppedTime::wait_until_left(seat_);
    thread_.join();
  }

 private:
  void end() {
    if (!joinable()) return;
    request_stop();
    join();
  }

  std::shared_ptr<SteppedTime::Seat> seat_;
  std::jthread thread_;
};

}  // namespace tandem
