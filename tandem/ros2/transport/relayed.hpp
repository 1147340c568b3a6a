// SPDX-License-Identifier: Apache-2.0
// The participants that discovery servers speak of, and the addresses at which they may be answered: nobody has heard
// them there, so only the server's word counts, within bounds.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "tandem/ros2/rtps/fields.hpp"
#include "tandem/ros2/transport/addresses.hpp"

namespace tandem::ros2 {

// Any thread.
class Relayed {
 public:
  static constexpr std::size_t most = 512;
  static constexpr std::size_t most_addresses = 8;  // of one participant

  // With these addresses instead of those that it had. False: there is no room for another one.
  bool admit(const ParticipantPrefix& who, const std::vector<Ipv4>& addresses);
  void forget(const ParticipantPrefix& who);
  void clear();

  bool has_address(const ParticipantPrefix& who, const Ipv4& address) const;
  bool has_address(const Ipv4& address) const;  // any of them
  std::size_t size() const;

 private:
  void release(const std::vector<Ipv4>& addresses);

  mutable std::mutex mutex_;
  std::map<ParticipantPrefix, std::vector<Ipv4>> participants_;
  std::map<Ipv4, std::size_t> counts_;  // participants at an address
};

}  // namespace tandem::ros2
