// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/rigs/modbus_rig.hpp"

#include <stdexcept>

namespace tandem::kit {

std::uint16_t port_of(const std::string& url) {
  return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
}

net::Endpoint endpoint_of(const std::string& url) {
  auto endpoint = net::resolve("127.0.0.1", port_of(url));
  if (!endpoint) throw std::runtime_error(endpoint.error().text);
  return *endpoint;
}

net::FaultProxy proxy_to(const std::string& url) {
  auto proxy = net::FaultProxy::start({.upstream = endpoint_of(url)});
  if (!proxy) throw std::runtime_error(proxy.error().text);
  return std::move(*proxy);
}

void ModbusRecorder::passed(const net::Flow&, net::Direction direction, Bytes bytes, Instant stamp) noexcept {
  if (direction != net::Direction::out) return;
  while (!bytes.empty()) {
    const std::size_t taken = framer_.feed(bytes);
    bytes = bytes.subspan(taken);
    while (true) {
      const auto frame = framer_.next();
      if (!frame || !*frame) break;
      const auto request = modbus::decode_request((*frame)->pdu);
      if (const auto* good = std::get_if<modbus::Request>(&request)) take(*good, stamp);
    }
    if (taken == 0) framer_.clear();  // a connection that ended in the middle of a request
  }
}

void ModbusRecorder::take(const modbus::Request& request, Instant stamp) {
  if (latch_ != nullptr && latch_->status().state == runtime::ArmState::armed) armed_at_ = stamp;
  if (note(request)) {
    ++motions;
    if (stamp - armed_at_ > stop_grace_) ++violations;
  }
  const std::lock_guard lock(mutex_);
  std::string words = modbus::describe(request);
  if (log_.size() < 1000 && (log_.empty() || log_.back() != words)) log_.push_back(std::move(words));
}

std::vector<std::string> ModbusRecorder::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

}  // namespace tandem::kit
