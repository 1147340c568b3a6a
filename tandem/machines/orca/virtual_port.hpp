// One link of the virtual vehicle, with the faults of frames that can be asked for. For one thread.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tandem/protocols/mavlink/link.hpp"

namespace tandem::orca {

class VehicleFaults;

struct PortOptions {
  mavlink::Address own;
  std::optional<mavlink::SigningOptions> signing{};
  const Clock* clock = nullptr;
  VehicleFaults* faults = nullptr;
};

class VirtualPort final : public mavlink::Outlet {
 public:
  static Result<std::unique_ptr<VirtualPort>> open(std::string_view address, const PortOptions& options);

  // The next frame that is there already. It holds until the next call.
  std::optional<mavlink::Frame> receive();
  bool send_payload(const mavlink::MessageInfo& info, Bytes payload) override;
  Instant watch(std::vector<net::Watch>& watches) const { return link_.watch(watches); }
  net::Endpoint local() const { return link_.local(); }
  const mavlink::Link& link() const { return link_; }

 private:
  VirtualPort(mavlink::Link link, const PortOptions& options);
  bool send_raw(Bytes bytes);
  bool misbehave(const mavlink::MessageInfo& info, Bytes payload, bool& sent);

  mavlink::Link link_;
  VehicleFaults* faults_;
  mavlink::Channel spoilt_;  // makes the frames that are to be wrong
  mavlink::FrameBuffer buffer_;
};

}  // namespace tandem::orca
