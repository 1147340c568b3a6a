#include "tandem/ros2/screened_transport.hpp"

#include <fmt/format.h>

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>

#include <atomic>
#include <bit>

#include "tandem/ros2/rtps_screen.hpp"

namespace tandem::ros2 {
namespace {

namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::ChainingTransportDescriptor;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;

struct Descriptor final : ChainingTransportDescriptor {
  Descriptor(std::shared_ptr<TransportDescriptorInterface> udp, std::function<void(std::string)> function)
      : ChainingTransportDescriptor(std::move(udp)), tell(std::move(function)) {}
  TransportInterface* create_transport() const override;
  std::function<void(std::string)> tell;
};

class ScreenedTransport final : public ChainingTransport {
 public:
  explicit ScreenedTransport(const Descriptor& descriptor)
      : ChainingTransport(descriptor), descriptor_(descriptor), tell_(descriptor.tell) {}

  TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

  bool send(rtps::SenderResource* sender, const rtps::octet* bytes, std::uint32_t size, rtps::LocatorsIterator* begin,
            rtps::LocatorsIterator* end, const std::chrono::steady_clock::time_point& deadline) override {
    return sender->send(bytes, size, begin, end, deadline);
  }

  void receive(TransportReceiverInterface* receiver, const rtps::octet* bytes, std::uint32_t size,
               const rtps::Locator_t& to, const rtps::Locator_t& from) override {
    const auto [fault, message] = screened(Bytes(bytes, size));
    if (fault == nullptr) {
      return receiver->OnDataReceived(message.data(), static_cast<std::uint32_t>(message.size()), to, from);
    }
    const std::uint64_t count = ++refused_;
    if (!tell_ || !std::has_single_bit(count)) return;
    tell_(fmt::format("refused a message of {} bytes from {}: {} ({} so far)", size,
                      rtps::IPLocator::toIPv4string(from), fault, count));
  }

 private:
  Descriptor descriptor_;
  std::function<void(std::string)> tell_;
  std::atomic<std::uint64_t> refused_ = 0;
};

TransportInterface* Descriptor::create_transport() const { return new ScreenedTransport(*this); }

}  // namespace

std::shared_ptr<TransportDescriptorInterface> screened_transport(std::shared_ptr<TransportDescriptorInterface> udp,
                                                                 std::function<void(std::string)> tell) {
  return std::make_shared<Descriptor>(std::move(udp), std::move(tell));
}

}  // namespace tandem::ros2
