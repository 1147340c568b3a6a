// SPDX-License-Identifier: Apache-2.0
// What the fault proxy's thread turns: all connections of one listening port. Only for the sources of this folder.
#pragma once

#include <memory>
#include <vector>

#include "tandem/net/faults/proxy.hpp"

namespace tandem::net {

class FaultLine {
 public:
  virtual ~FaultLine() = default;

  // Moves what can be moved now.
  virtual void pump(const Faults& faults, Instant now) = 0;
  // What to wait for until the next pump, and the latest time for it.
  virtual void watch(const Faults& faults, std::vector<Watch>& watches, Instant& wake) const = 0;

  // Chances of all connections, those to come included, from this seed on.
  virtual void reseed(std::uint64_t seed) = 0;
  virtual void cut(Cut how) = 0;
  virtual void inject(bool to_device, Bytes bytes, Instant now) = 0;
  virtual void stop_listening() = 0;
  virtual Result<void> listen_again() = 0;
  virtual Endpoint endpoint() const = 0;
  virtual ProxyCounts counts() const = 0;

  void redirect(const Endpoint& upstream) { upstream_ = upstream; }

 protected:
  // Of the connection that is the nth since the seed was given, in its direction.
  static std::uint64_t seed_to_device(std::uint64_t seed, std::uint64_t nth) { return seed + 2 * nth; }
  static std::uint64_t seed_to_client(std::uint64_t seed, std::uint64_t nth) { return ~(seed + 2 * nth); }

  static constexpr std::size_t most_connections = 64;
  Endpoint upstream_;
};

Result<std::unique_ptr<FaultLine>> tcp_fault_line(const FaultProxy::Options& options);
Result<std::unique_ptr<FaultLine>> udp_fault_line(const FaultProxy::Options& options);

}  // namespace tandem::net
