// SPDX-License-Identifier: Apache-2.0
// One thread that serves many virtual devices.
#pragma once

#include <deque>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "tandem/machines/shared.hpp"
#include "tandem/net/poller.hpp"
#include "tandem/runtime/supervision/event.hpp"

namespace tandem::runtime {

class DeviceWorker {
 public:
  explicit DeviceWorker(OnEvent on_event) : on_event_(std::move(on_event)) {}

  // Before run(). The device lives as long as it runs.
  void add(std::string name, machines::SharedDevice& device);
  // Until a stop is requested. A device that throws is reported and served no more; the others go on.
  void run(const std::stop_token& stop);

 private:
  struct Seat;
  // What the poller gives: an entry of a seat's `watched`.
  struct Entry {
    Seat* seat = nullptr;
    std::size_t index = 0;
  };
  struct Seat {
    std::string name;
    machines::SharedDevice* device = nullptr;
    std::vector<net::Watch> watched;  // as the poller has it, and what is ready
    std::deque<Entry> entries;        // of `watched`, kept: the poller has their addresses
    bool called = false;              // something is ready
    Instant due{};
    Instant renewed{};  // when all of it was last watched anew
  };

  void call(std::span<void* const> ready);
  void serve(Seat& seat);
  void watch(Seat& seat, bool anew);
  void unwatch(Seat& seat);

  const OnEvent on_event_;
  net::Poller poller_;
  std::vector<Seat> seats_;
  std::vector<Seat*> called_;
  std::vector<net::Watch> wanted_;
};

}  // namespace tandem::runtime
