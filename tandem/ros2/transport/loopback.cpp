// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/loopback.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <fastdds/rtps/common/LocatorsIterator.hpp>
#include <optional>

#include "tandem/ros2/rtps/fields.hpp"
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
  explicit Descriptor(const std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor>& udp)
      : ChainingTransportDescriptor(udp), send_buffer(static_cast<int>(udp->sendBufferSize)) {}
  TransportInterface* create_transport() const override;
  int send_buffer;  // bytes
};

// Sends without waiting. The sender of Fast DDS sets a time limit before each datagram, which the kernel refuses.
class LoopbackSender {
 public:
  explicit LoopbackSender(int buffer_size) : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDBUF, &buffer_size, sizeof buffer_size);
    bound_ = ::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0;
  }
  ~LoopbackSender() {
    if (socket_ >= 0) ::close(socket_);
  }
  LoopbackSender(const LoopbackSender&) = delete;
  LoopbackSender& operator=(const LoopbackSender&) = delete;
  explicit operator bool() const { return bound_; }

  // To this computer, as all destinations are. A datagram for which there is no room is lost, as on any network.
  bool send(const rtps::octet* bytes, std::uint32_t size, std::uint32_t port) const {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(port));
    const ssize_t sent =
        ::sendto(socket_, bytes, size, MSG_DONTWAIT, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    return sent >= 0 || errno == EAGAIN || errno == EWOULDBLOCK;
  }

 private:
  int socket_;
  bool bound_ = false;
};

// Without the counters that Fast DDS appends in Debian's build, which its own sender fills in.
std::uint32_t size_without_statistics(Bytes message) {
  Submessages submessages(message);
  while (const std::optional<Submessage> each = submessages.next()) {
    if (each->kind == SubmessageKind::statistics) return static_cast<std::uint32_t>(each->start);
  }
  return static_cast<std::uint32_t>(message.size());
}

class LoopbackTransport final : public ChainingTransport {
 public:
  explicit LoopbackTransport(const Descriptor& descriptor)
      : ChainingTransport(descriptor), descriptor_(descriptor), sender_(descriptor.send_buffer) {}

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
    if (!sender_) return sender->send(bytes, size, begin, end, deadline);
    const std::uint32_t sent = size_without_statistics(Bytes(bytes, size));
    bool all = true;
    for (rtps::LocatorsIterator& to = *begin; to != *end; ++to) {
      if (IsLocatorSupported(*to)) all = sender_.send(bytes, sent, IPLocator::getPhysicalPort(*to)) && all;
    }
    return all;
  }

  void receive(TransportReceiverInterface* receiver, const rtps::octet* bytes, std::uint32_t size,
               const rtps::Locator_t& to, const rtps::Locator_t& from) override {
    receiver->OnDataReceived(bytes, size, to, from);
  }

 private:
  Descriptor descriptor_;
  LoopbackSender sender_;
};

TransportInterface* Descriptor::create_transport() const { return new LoopbackTransport(*this); }

}  // namespace

std::shared_ptr<TransportDescriptorInterface> loopback_transport(
    std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor> udp) {
  udp->interfaceWhiteList = {loopback};
  return std::make_shared<Descriptor>(udp);
}

}  // namespace tandem::ros2
