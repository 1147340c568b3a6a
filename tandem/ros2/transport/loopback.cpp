// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/loopback.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>

#include "tandem/ros2/transport/addresses.hpp"

namespace tandem::ros2 {
namespace {

namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::ChainingTransportDescriptor;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;
using rtps::IPLocator;

constexpr const char* loopback = "127.0.0.1";

struct Descriptor final : ChainingTransportDescriptor {
  using ChainingTransportDescriptor::ChainingTransportDescriptor;
  TransportInterface* create_transport() const override;
};

class LoopbackTransport final : public ChainingTransport {
 public:
  explicit LoopbackTransport(const Descriptor& descriptor) : ChainingTransport(descriptor), descriptor_(descriptor) {}

  TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

  bool transform_remote_locator(const rtps::Locator_t& remote, rtps::Locator_t& result) const override {
    if (!IsLocatorSupported(remote) || IPLocator::isMulticast(remote)) return false;
    const std::string address = IPLocator::toIPv4string(remote);
    if (!address.starts_with("127.") && !own_addresses().contains(address)) return false;
    result = remote;
    IPLocator::setIPv4(result, loopback);
    return true;
  }

  bool send(rtps::SenderResource* sender, const rtps::octet* bytes, std::uint32_t size, rtps::LocatorsIterator* begin,
            rtps::LocatorsIterator* end, const std::chrono::steady_clock::time_point& deadline) override {
    return sender->send(bytes, size, begin, end, deadline);
  }

  void receive(TransportReceiverInterface* receiver, const rtps::octet* bytes, std::uint32_t size,
               const rtps::Locator_t& to, const rtps::Locator_t& from) override {
    receiver->OnDataReceived(bytes, size, to, from);
  }

 private:
  Descriptor descriptor_;
};

TransportInterface* Descriptor::create_transport() const { return new LoopbackTransport(*this); }

}  // namespace

std::shared_ptr<TransportDescriptorInterface> loopback_transport(
    std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor> udp) {
  udp->interfaceWhiteList = {loopback};
  return std::make_shared<Descriptor>(std::move(udp));
}

}  // namespace tandem::ros2
