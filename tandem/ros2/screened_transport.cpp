#include "tandem/ros2/screened_transport.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>
#include <fmt/format.h>

#include "tandem/ros2/announcers.hpp"
#include "tandem/ros2/rtps_screen.hpp"

namespace tandem::ros2 {
namespace {

namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::ChainingTransportDescriptor;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;

struct ScreenDescriptor final : ChainingTransportDescriptor {
  ScreenDescriptor(std::shared_ptr<TransportDescriptorInterface> udp, std::shared_ptr<Refusals> counter)
      : ChainingTransportDescriptor(std::move(udp)), refusals(std::move(counter)) {}
  TransportInterface* create_transport() const override;
  std::shared_ptr<Refusals> refusals;
};

class ScreenedTransport final : public ChainingTransport {
 public:
  explicit ScreenedTransport(const ScreenDescriptor& descriptor)
      : ChainingTransport(descriptor), descriptor_(descriptor) {}

  TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

  bool send(rtps::SenderResource* sender, const rtps::octet* bytes, std::uint32_t size, rtps::LocatorsIterator* begin,
            rtps::LocatorsIterator* end, const std::chrono::steady_clock::time_point& deadline) override {
    return sender->send(bytes, size, begin, end, deadline);
  }

  void receive(TransportReceiverInterface* receiver, const rtps::octet* bytes, std::uint32_t size,
               const rtps::Locator_t& to, const rtps::Locator_t& from) override {
    thread_local std::vector<std::uint8_t> copy;  // one receive thread for each port
    const Screened result = screened(Bytes(bytes, size), copy);
    if (result.fault != nullptr) return refuse(from, size, result.fault);
    if (result.announces && !announcers_.admit(*result.announces, result.lease, std::chrono::steady_clock::now())) {
      return refuse(from, size, "there are too many participants already");
    }
    receiver->OnDataReceived(result.message.data(), static_cast<std::uint32_t>(result.message.size()), to, from);
  }

 private:
  void refuse(const rtps::Locator_t& from, std::uint32_t size, const char* fault) {
    descriptor_.refusals->add(rtps::IPLocator::toIPv4string(from), size, fault);
  }

  ScreenDescriptor descriptor_;
  Announcers announcers_;
};

TransportInterface* ScreenDescriptor::create_transport() const { return new ScreenedTransport(*this); }

}  // namespace

void Refusals::add(const std::string& address, std::uint32_t size, const char* fault) {
  const std::lock_guard lock(mutex_);
  ++count_;
  address_ = address;
  size_ = size;
  fault_ = fault;
}

std::optional<std::string> Refusals::news() {
  const std::lock_guard lock(mutex_);
  if (count_ == 0 || count_ < 2 * told_) return {};
  told_ = count_;
  return fmt::format("refused {} of the messages that came over the network, the last of {} bytes from {}: {}", count_,
                     size_, address_, fault_);
}

std::shared_ptr<TransportDescriptorInterface> screened_transport(std::shared_ptr<TransportDescriptorInterface> udp,
                                                                 std::shared_ptr<Refusals> refusals) {
  return std::make_shared<ScreenDescriptor>(std::move(udp), std::move(refusals));
}

}  // namespace tandem::ros2
