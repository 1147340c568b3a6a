// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/peers.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastdds/rtps/common/LocatorList.hpp>
#include <fastdds/rtps/common/LocatorsIterator.hpp>

#include "tandem/ros2/transport/neighbours.hpp"
#include "tandem/ros2/transport/screened.hpp"

namespace tandem::ros2 {
namespace {

namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::ChainingTransportDescriptor;
using eprosima::fastdds::rtps::LocatorList;
using eprosima::fastdds::rtps::Locators;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;

struct PeersDescriptor final : ChainingTransportDescriptor {
  PeersDescriptor(std::shared_ptr<TransportDescriptorInterface> udp, std::set<Ipv4> addresses,
                  std::shared_ptr<const Relayed> of_servers)
      : ChainingTransportDescriptor(std::move(udp)), peers(std::move(addresses)), relayed(std::move(of_servers)) {}
  TransportInterface* create_transport() const override;
  std::set<Ipv4> peers;
  std::shared_ptr<const Relayed> relayed;
};

class PeersTransport final : public ChainingTransport {
 public:
  explicit PeersTransport(const PeersDescriptor& descriptor)
      : ChainingTransport(descriptor), descriptor_(descriptor), gate_(descriptor.peers, descriptor.relayed) {}

  TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

  bool send(rtps::SenderResource* sender, const rtps::octet* bytes, std::uint32_t size, rtps::LocatorsIterator* begin,
            rtps::LocatorsIterator* end, const std::chrono::steady_clock::time_point& deadline) override {
    thread_local LocatorList open;
    open.clear();
    const Instant now = std::chrono::steady_clock::now();
    for (rtps::LocatorsIterator& to = *begin; to != *end; ++to) {
      if (gate_.lets_through(ipv4_of(*to), sender, now)) open.push_back(*to);
    }
    if (open.empty()) return true;  // what does not go out is lost, as on any network
    Locators first(open.begin()), last(open.end());
    return sender->send(bytes, size, &first, &last, deadline);
  }

  void receive(TransportReceiverInterface* receiver, const rtps::octet* bytes, std::uint32_t size,
               const rtps::Locator_t& to, const rtps::Locator_t& from) override {
    receiver->OnDataReceived(bytes, size, to, from);
  }

 private:
  PeersDescriptor descriptor_;
  NeighbourGate gate_;
};

TransportInterface* PeersDescriptor::create_transport() const { return new PeersTransport(*this); }

}  // namespace

std::shared_ptr<TransportDescriptorInterface> peers_transport(std::shared_ptr<TransportDescriptorInterface> udp,
                                                              std::set<Ipv4> peers,
                                                              std::shared_ptr<const Relayed> relayed) {
  return std::make_shared<PeersDescriptor>(std::move(udp), std::move(peers), std::move(relayed));
}

}  // namespace tandem::ros2
