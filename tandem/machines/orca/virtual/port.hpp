// SPDX-License-Identifier: Apache-2.0
// One link of the virtual vehicle, with the faults of frames that can be asked for. For one thread.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tandem/net/plug.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"

namespace tandem::orca {

class VehicleFaults;

struct PortOptions {
  mavlink::Address own;
  std::optional<mavlink::SigningOptions> signing{};
  const Clock* clock = nullptr;
  VehicleFaults* faults = nullptr;
  net::Plug* plug = nullptr;  // of the vehicle; null: never pulled
};

class VirtualPort final : public mavlink::Outlet {
 public:
  static Result<std::unique_ptr<VirtualPort>> open(std::string_view address, const PortOptions& options);

  // The next frame that is there already. It holds until the next call.
  std::optional<mavlink::Frame> receive();
  bool send_payload(const mavlink::MessageInfo& info, Bytes payload) override;
  // All connections end, and it listens again on the same port.
  void reopen();

  // What to wait for, and until when at most.
  Instant watch(std::vector<net::Watch>& watches) const;
  net::Endpoint local() const { return local_; }

 private:
  VirtualPort(mavlink::Link link, const PortOptions& options);
  bool send_raw(Bytes bytes);
  bool is_cut();

  std::optional<mavlink::Link> link_;  // none while it is being opened again
  mavlink::LinkAddress address_;
  mavlink::LinkOptions link_options_;
  net::Endpoint local_;
  VehicleFaults* faults_;
  net::PlugWatch plug_;
  mavlink::Channel channel_;  // makes what is sent, so that frames can be lost and spoilt behind it
  mavlink::FrameBuffer buffer_;
};

}  // namespace tandem::orca
