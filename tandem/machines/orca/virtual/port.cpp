// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/port.hpp"

#include "tandem/machines/orca/virtual/faults.hpp"

namespace tandem::orca {
namespace {

constexpr int most_thrown_away = 256;  // frames of one turn

mavlink::LinkOptions link_options_of(const PortOptions& options) {
  mavlink::LinkOptions link;
  link.channel.own = options.own;
  link.channel.signing = options.signing;
  link.channel.clock = options.clock;
  return link;
}

}  // namespace

Result<std::unique_ptr<VirtualPort>> VirtualPort::open(std::string_view address, const PortOptions& options) {
  auto link = mavlink::Link::open(address, link_options_of(options));
  if (!link) return std::move(link).error();
  return std::unique_ptr<VirtualPort>(new VirtualPort(std::move(*link), options));
}

VirtualPort::VirtualPort(mavlink::Link link, const PortOptions& options)
    : link_(std::move(link)),
      address_(link_->address()),
      link_options_(link_options_of(options)),
      local_(link_->local()),
      faults_(options.faults),
      plug_(options.plug),
      channel_(link_options_.channel) {
  address_.bind_port = local_.port;
}

std::optional<mavlink::Frame> VirtualPort::receive() {
  if (!link_) reopen();
  if (is_cut() || !link_) return std::nullopt;
  const auto frame = link_->receive(Instant{});
  if (frame) channel_.admit(*frame);  // for the version in which it speaks; the link has judged it already
  return frame;
}

// What comes while the plug is pulled is read and thrown away, and connections are new once it is back in.
bool VirtualPort::is_cut() {
  if (plug_.take_back_in()) reopen();
  if (!plug_.cut()) return false;
  for (int i = 0; link_ && i < most_thrown_away && link_->receive(Instant{}); ++i) {
  }
  return true;
}

void VirtualPort::reopen() {
  link_.reset();
  if (auto link = mavlink::Link::open(address_, link_options_)) link_.emplace(std::move(*link));
}

Instant VirtualPort::watch(std::vector<net::Watch>& watches) const {
  return link_ ? link_->watch(watches) : now() + 20ms;
}

bool VirtualPort::send_raw(Bytes bytes) {
  if (!link_ || plug_.cut()) return false;
  mavlink::Frame frame;
  frame.bytes = bytes;
  return link_->forward(frame);
}

bool VirtualPort::send_payload(const mavlink::MessageInfo& info, Bytes payload) {
  if (faults_ != nullptr && faults_->silent) return false;
  const Bytes frame = channel_.make(buffer_, info, payload);
  if (faults_ == nullptr) return send_raw(frame);
  if (faults_->due(VehicleFaults::lost_frame)) return true;
  if (faults_->due(VehicleFaults::broken_frame)) buffer_.data[frame.size() / 2] ^= 0x10;
  if (faults_->due(VehicleFaults::doubled_frame)) send_raw(frame);
  return send_raw(frame);
}

}  // namespace tandem::orca
