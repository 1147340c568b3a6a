// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/session.hpp"

namespace tandem::ur {

void PrimarySession::begin(net::Outbox& out) {
  packet_.clear();
  primary::encode(primary::RobotMessage{0, -1, source_.version}, packet_);
  out.send(packet_);
  waited_ = source_.cycles;  // the first state follows at once
}

void PrimarySession::cycle(net::Outbox& out) {
  if (++waited_ < source_.cycles) return;
  waited_ = 0;
  packet_.clear();
  primary::encode(primary::robot_state_from(source_.variables, source_.description, full_), packet_);
  out.send_newest(packet_);
}

}  // namespace tandem::ur
