// SPDX-License-Identifier: Apache-2.0
// One thread for the fleet side of all trucks of the process: each is served when a message comes, and every 50 ms.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "tandem/base/clock.hpp"

namespace tandem::raptorlift::fleet {

class Served {
 public:
  virtual ~Served() = default;
  virtual void serve() = 0;
  // An exception has come out of serve().
  virtual void failed(std::string_view why) = 0;

 private:
  friend class FleetThread;
  std::atomic<bool> called_{false};
};

class FleetThread {
 public:
  static constexpr Duration turn = 50ms;

  // That of this process: it runs as long as someone has it.
  static std::shared_ptr<FleetThread> shared();
  FleetThread();
  ~FleetThread();
  FleetThread(const FleetThread&) = delete;
  FleetThread& operator=(const FleetThread&) = delete;

  void add(Served& served);
  // Waits while it is being served.
  void remove(Served& served);
  // Serves it now rather than at its turn. From any thread, without waiting.
  void call(Served& served);

 private:
  void run();

  std::mutex serving_;           // held while one is served
  std::vector<Served*> served_;  // guarded by serving_
  std::mutex calling_;
  std::condition_variable called_;
  bool pending_ = false, ends_ = false;  // guarded by calling_
  std::thread thread_;
};

}  // namespace tandem::raptorlift::fleet
