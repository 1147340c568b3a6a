// SPDX-License-Identifier: Apache-2.0
// What a machine says to people beside its values: one line now and then, on the console and, if it has a node, on
// /rosout. A machine that does so is a Machine that also inherits this.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace tandem::machines {

class Lines {
 public:
  using Listener = std::function<void(bool bad, std::string_view text)>;

  // Hears every line from here on, in the thread that says it; null: nothing does.
  void heard_by(Listener listener) {
    const std::lock_guard lock(mutex_);
    listener_ = std::move(listener);
  }
  // From any thread. A warning is bad, anything else is news.
  void say(bool bad, std::string_view text) const {
    const std::lock_guard lock(mutex_);
    if (listener_) listener_(bad, text);
  }

 private:
  mutable std::mutex mutex_;
  Listener listener_;  // guarded
};

class Speaks {
 public:
  virtual ~Speaks() = default;
  virtual Lines& lines() = 0;
};

// Where the machine is, in the words of its original program, for `--print pose`: whole lines; empty: not known. From
// any thread. Machines without it are printed by their value "pose" or, say, "tool pose".
class PrintsPose {
 public:
  virtual ~PrintsPose() = default;
  virtual std::string printed_pose() const = 0;
};

}  // namespace tandem::machines
