// SPDX-License-Identifier: Apache-2.0
// A fault proxy between a machine and each port of its device, and the URL by which the machine goes through them.
#pragma once

#include <string>
#include <vector>

#include "tandem/machines/machine.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/runtime/chaos/terms.hpp"

namespace tandem::runtime::chaos {

// The ways that a fault proxy would take to the device at this URL; no network is touched. The error says why none can
// be put in between.
Result<std::vector<machines::Reach>> ways_through(const machines::MachineType& type, const std::string& device);

class Hop {
 public:
  // Where the device calls us, the proxies take its call on the port of the URL and pass it on to a free one, which is
  // the machine's.
  static Result<Hop> open(const machines::MachineType& type, const std::string& device);

  const std::string& url() const { return url_; }

  // Whether the links are such that these terms mean something: reorder is of datagrams; slice, reset and half-open
  // are of connections.
  Result<void> suits(const Terms& terms) const;
  bool has_streams() const;
  bool has_datagrams() const;

  // What happens once happens now; the rest lasts until lift(). The same seed gives the same chances.
  void apply(const Terms& terms, std::uint64_t seed);
  // Bytes that a black hole has swallowed are missing in a stream: such connections are reset, as by a device that is
  // back. Everything else goes on.
  void lift(const Terms& terms);

  net::ProxyCounts counts() const;  // of all proxies since they were made; to_device is to the device

 private:
  struct Line {
    net::FaultProxy proxy;
    bool datagrams = false;
    bool device_calls = false;  // the proxy's client is the device
  };
  static Result<Line> line_to(const machines::Reach& way, std::uint16_t& machine_port);

  std::string url_;
  std::vector<Line> lines_;
};

}  // namespace tandem::runtime::chaos
