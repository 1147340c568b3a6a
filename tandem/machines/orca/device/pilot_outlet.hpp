// SPDX-License-Identifier: Apache-2.0
// Where sticks and set points go out: the same link, under the system number that the autopilot obeys.
#pragma once

#include "tandem/protocols/mavlink/link/link.hpp"

namespace tandem::orca {

class PilotOutlet final : public mavlink::Outlet {
 public:
  // Until it is set otherwise. The link must live as long as it is used.
  PilotOutlet& over(mavlink::Link& link, const mavlink::Address& source) {
    link_ = &link;
    source_ = source;
    return *this;
  }

  bool send_payload(const mavlink::MessageInfo& info, Bytes payload) override {
    if (link_ == nullptr) return false;
    if (source_ == link_->channel().own()) return link_->send_payload(info, payload);
    return link_->send_payload_from(source_, sequence_, info, payload);
  }

 private:
  mavlink::Link* link_ = nullptr;
  mavlink::Address source_;
  std::uint8_t sequence_ = 0;
};

}  // namespace tandem::orca
