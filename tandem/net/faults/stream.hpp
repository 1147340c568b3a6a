// SPDX-License-Identifier: Apache-2.0
// One TCP connection through the fault proxy: two sockets and the two paths between them. Only for this folder.
#pragma once

#include <vector>

#include "tandem/net/faults/proxy.hpp"

namespace tandem::net {

class FaultStream {
 public:
  FaultStream(TcpSocket client, TcpSocket device, std::uint64_t seed_to_device, std::uint64_t seed_to_client);

  // Moves what can be moved now; false once the connection is over.
  bool pump(const Faults& faults, Instant now);

  // What to wait for until the next pump, and the latest time for it.
  void watch(const Faults& faults, std::vector<Watch>& watches, Instant& wake) const;

  // True when the connection is over thereby.
  bool cut(Cut how);

  FaultPath& to_device() { return to_device_; }
  FaultPath& to_client() { return to_client_; }
  const FaultPath& to_device() const { return to_device_; }
  const FaultPath& to_client() const { return to_client_; }
  std::uint64_t limits_hit() const { return limits_hit_; }

 private:
  struct Side {
    TcpSocket socket;
    bool ended = false;          // will say no more
    bool broken = false;         // reset, refused or dead
    bool told = false;           // has been informed that the other side will say no more
    bool write_blocked = false;  // waits until the peer reads on
  };
  void receive(Side& from, FaultPath& path, const PathFaults& faults, Instant now);
  void deliver(Side& to, FaultPath& path, const PathFaults& faults, Instant now);
  void pass_on_end(const Side& from, Side& to, const FaultPath& path, const PathFaults& faults);
  bool limit_hit(Cut how);  // false when the connection is over thereby
  static void watch_side(const Side& side, const FaultPath& in, const FaultPath& out, const PathFaults& out_faults,
                         std::vector<Watch>& watches, Instant& wake);

  Side client_;
  Side device_;
  FaultPath to_device_;
  FaultPath to_client_;
  std::uint64_t limits_hit_ = 0;
};

}  // namespace tandem::net
