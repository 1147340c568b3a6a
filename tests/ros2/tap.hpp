// SPDX-License-Identifier: Apache-2.0
// The lowest of Fast DDS' transports: lets a program call what the network would.
#pragma once

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>

#include <memory>
#include <utility>
#include <vector>

namespace tandem::ros2 {

// Where a participant listens, and what its transport calls for a datagram there.
struct TapPort {
  eprosima::fastrtps::rtps::Locator_t locator;
  eprosima::fastdds::rtps::TransportReceiverInterface* receiver = nullptr;
};
using TapPorts = std::vector<TapPort>;

enum class TapNetwork { open, closed };  // whether real datagrams arrive as well

struct TapDescriptor final : eprosima::fastdds::rtps::ChainingTransportDescriptor {
  TapDescriptor(std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> udp,
                std::shared_ptr<TapPorts> opened, TapNetwork real = TapNetwork::open)
      : ChainingTransportDescriptor(std::move(udp)), ports(std::move(opened)), network(real) {}
  eprosima::fastdds::rtps::TransportInterface* create_transport() const override;
  std::shared_ptr<TapPorts> ports;
  TapNetwork network;
};

class Tap final : public eprosima::fastdds::rtps::ChainingTransport {
 public:
  using Locator = eprosima::fastrtps::rtps::Locator_t;
  using Receiver = eprosima::fastdds::rtps::TransportReceiverInterface;

  explicit Tap(const TapDescriptor& descriptor) : ChainingTransport(descriptor), descriptor_(descriptor) {}
  eprosima::fastdds::rtps::TransportDescriptorInterface* get_configuration() override { return &descriptor_; }
  bool OpenInputChannel(const Locator& locator, Receiver* receiver, std::uint32_t size) override {
    descriptor_.ports->push_back({locator, receiver});
    return descriptor_.network == TapNetwork::closed || ChainingTransport::OpenInputChannel(locator, receiver, size);
  }
  bool send(eprosima::fastrtps::rtps::SenderResource* sender, const eprosima::fastrtps::rtps::octet* bytes,
            std::uint32_t size, eprosima::fastrtps::rtps::LocatorsIterator* begin,
            eprosima::fastrtps::rtps::LocatorsIterator* end,
            const std::chrono::steady_clock::time_point& deadline) override {
    return sender->send(bytes, size, begin, end, deadline);
  }
  void receive(Receiver* receiver, const eprosima::fastrtps::rtps::octet* bytes, std::uint32_t size, const Locator& to,
               const Locator& from) override {
    receiver->OnDataReceived(bytes, size, to, from);
  }

 private:
  TapDescriptor descriptor_;
};

inline eprosima::fastdds::rtps::TransportInterface* TapDescriptor::create_transport() const { return new Tap(*this); }

}  // namespace tandem::ros2
