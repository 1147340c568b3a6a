// SPDX-License-Identifier: Apache-2.0
// What changed while nobody listened: bounded, the oldest goes first.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tandem/protocols/sparkplug/device.hpp"

namespace tandem::sparkplug {

class Store {
 public:
  explicit Store(std::size_t room) : room_(room) {}

  void put(const std::string& device, std::vector<Sample> samples);
  // The oldest of the device, at most `most`; they stay until drop() takes them away.
  std::vector<Sample> oldest(const std::string& device, std::size_t most) const;
  void drop(const std::string& device, std::size_t count);

  bool enabled() const { return room_ > 0; }
  std::size_t size() const { return size_; }
  std::uint64_t lost() const { return lost_; }  // for want of room, since the start

 private:
  void make_room();

  std::size_t room_;
  std::size_t size_ = 0;
  std::uint64_t lost_ = 0;
  std::map<std::string, std::deque<Sample>> samples_;  // by device, in order
};

}  // namespace tandem::sparkplug
