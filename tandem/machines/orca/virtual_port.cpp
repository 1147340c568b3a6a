#include "tandem/machines/orca/virtual_port.hpp"

#include "tandem/machines/orca/virtual_faults.hpp"

namespace tandem::orca {

Result<std::unique_ptr<VirtualPort>> VirtualPort::open(std::string_view address, const PortOptions& options) {
  mavlink::LinkOptions link_options;
  link_options.channel.own = options.own;
  link_options.channel.signing = options.signing;
  link_options.channel.clock = options.clock;
  auto link = mavlink::Link::open(address, link_options);
  if (!link) return std::move(link).error();
  return std::unique_ptr<VirtualPort>(new VirtualPort(std::move(*link), options));
}

VirtualPort::VirtualPort(mavlink::Link link, const PortOptions& options)
    : link_(std::move(link)), faults_(options.faults), spoilt_({.own = options.own}) {}

std::optional<mavlink::Frame> VirtualPort::receive() { return link_.receive(Instant{}); }

bool VirtualPort::send_payload(const mavlink::MessageInfo& info, Bytes payload) {
  bool sent = false;
  if (faults_ != nullptr && misbehave(info, payload, sent)) return sent;
  return link_.send_payload(info, payload);
}

bool VirtualPort::send_raw(Bytes bytes) {
  mavlink::Frame frame;
  frame.bytes = bytes;
  return link_.forward(frame);
}

// True when the frame has been dealt with, one way or the other.
bool VirtualPort::misbehave(const mavlink::MessageInfo& info, Bytes payload, bool& sent) {
  if (faults_->silent) return true;
  if (faults_->due(VehicleFaults::lost_frame)) return true;
  if (faults_->due(VehicleFaults::broken_frame)) {
    const Bytes frame = spoilt_.make(buffer_, info, payload);
    buffer_.data[frame.size() / 2] ^= 0x10;
    sent = send_raw(frame);
    return true;
  }
  if (faults_->due(VehicleFaults::doubled_frame)) {
    const Bytes frame = spoilt_.make(buffer_, info, payload);
    sent = send_raw(frame);
    send_raw(frame);
    return true;
  }
  return false;
}

}  // namespace tandem::orca
