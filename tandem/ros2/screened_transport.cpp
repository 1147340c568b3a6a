#include "tandem/ros2/screened_transport.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>
#include <fmt/format.h>

#include <atomic>

#include "tandem/ros2/announcers.hpp"
#include "tandem/ros2/rtps_acknacks.hpp"
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
  ScreenDescriptor(std::shared_ptr<TransportDescriptorInterface> udp, TransportNotes log)
      : ChainingTransportDescriptor(std::move(udp)), notes(std::move(log)) {}
  TransportInterface* create_transport() const override;
  TransportNotes notes;
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
    const Bytes message = take_acknacks(result.message, copy);
    receiver->OnDataReceived(message.data(), static_cast<std::uint32_t>(message.size()), to, from);
  }

 private:
  // Notes who hears us. A reader of Fast DDS does from the moment in which it requests a heartbeat; Cyclone's needs
  // one.
  Bytes take_acknacks(Bytes message, std::vector<std::uint8_t>& copy) {
    const bool of_cyclone = is_from_cyclone(message), of_fast_dds = is_from_eprosima(message);
    Acknacks acknacks(message);
    while (const std::optional<Acknack> acknack = acknacks.next()) {
      const bool of_discovery = (acknack->writer.back() & 0xc0) == 0xc0;
      if (!of_discovery && (!acknack->requests_heartbeat || of_fast_dds)) {
        descriptor_.notes.acknowledgements->add(acknack->writer, acknack->reader);
      }
      if (!of_cyclone) continue;
      if (message.data() != copy.data()) {
        copy.assign(message.begin(), message.end());
        message = copy;
      }
      translate(copy, *acknack, ++requests_);
    }
    return message;
  }

  void refuse(const rtps::Locator_t& from, std::uint32_t size, const char* fault) {
    descriptor_.notes.refusals->add(rtps::IPLocator::toIPv4string(from), size, fault);
  }

  ScreenDescriptor descriptor_;
  Announcers announcers_;
  std::atomic<std::uint32_t> requests_ = 0;  // for heartbeats
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
                                                                 TransportNotes notes) {
  return std::make_shared<ScreenDescriptor>(std::move(udp), std::move(notes));
}

}  // namespace tandem::ros2
