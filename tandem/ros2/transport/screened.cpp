// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/screened.hpp"

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>
#include <fastrtps/utils/IPLocator.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "tandem/ros2/rtps/acknacks.hpp"
#include "tandem/ros2/rtps/leave.hpp"
#include "tandem/ros2/rtps/screen.hpp"
#include "tandem/ros2/rtps/sources.hpp"
#include "tandem/ros2/transport/announcers.hpp"
#include "tandem/ros2/transport/server_gate.hpp"

namespace tandem::ros2 {
namespace {

namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::ChainingTransport;
using eprosima::fastdds::rtps::ChainingTransportDescriptor;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::TransportInterface;
using eprosima::fastdds::rtps::TransportReceiverInterface;

struct ScreenDescriptor final : ChainingTransportDescriptor {
  ScreenDescriptor(std::shared_ptr<TransportDescriptorInterface> udp, TransportNotes log, ScreenOptions choices)
      : ChainingTransportDescriptor(std::move(udp)), notes(std::move(log)), options(std::move(choices)) {}
  TransportInterface* create_transport() const override;
  TransportNotes notes;
  ScreenOptions options;
};

class ScreenedTransport final : public ChainingTransport {
 public:
  explicit ScreenedTransport(const ScreenDescriptor& descriptor)
      : ChainingTransport(descriptor),
        descriptor_(descriptor),
        announcers_(descriptor.options.secured ? Moves::refused : Moves::believed),
        servers_({descriptor.options.servers, descriptor.options.secured, descriptor.options.endpoints_of_one},
                 descriptor.notes.relayed, descriptor.notes.endpoints, own_) {}

  TransportDescriptorInterface* get_configuration() override { return &descriptor_; }

  bool send(rtps::SenderResource* sender, const rtps::octet* bytes, std::uint32_t size, rtps::LocatorsIterator* begin,
            rtps::LocatorsIterator* end, const std::chrono::steady_clock::time_point& deadline) override {
    if (servers_.has_servers()) servers_.note_own_name(Bytes(bytes, size));
    return sender->send(bytes, size, begin, end, deadline);
  }

  void receive(TransportReceiverInterface* receiver, const rtps::octet* bytes, std::uint32_t size,
               const rtps::Locator_t& to, const rtps::Locator_t& from) override {
    const Instant now = std::chrono::steady_clock::now();
    const Arrival arrival{*receiver, to, from, own_.origin(ipv4_of(from), now), now};
    if (servers_.is_from_server(Bytes(bytes, size), arrival.origin, now)) {
      return receive_from_server(arrival, Bytes(bytes, size));
    }
    const auto parts = by_source(Bytes(bytes, size));
    if (parts.empty()) return receive_one(arrival, Bytes(bytes, size));
    for (const std::vector<std::uint8_t>& part : parts) receive_one(arrival, part);
  }

 private:
  struct Arrival {
    TransportReceiverInterface& receiver;
    const rtps::Locator_t &to, &from;
    Ipv4 origin;  // 127.0.0.1 for all addresses of this computer
    Instant now;

    void hand_over(Bytes message) const {
      receiver.OnDataReceived(message.data(), static_cast<std::uint32_t>(message.size()), to, from);
    }
  };

  void receive_from_server(const Arrival& arrival, Bytes whole) {
    thread_local std::vector<std::uint8_t> copy;
    servers_.pass(
        whole, arrival.origin, is_of_discovery(arrival.to), arrival.now,
        [&](Bytes message) { arrival.hand_over(take_acknacks(message, copy)); },
        [&](const char* fault) { refuse(arrival, static_cast<std::uint32_t>(whole.size()), fault); });
  }

  // Of one source.
  void receive_one(const Arrival& arrival, Bytes message) {
    if (servers_.has_name_of_server(message)) {
      return refuse(arrival, static_cast<std::uint32_t>(message.size()),
                    "it has the name of a discovery server but not its address");
    }
    thread_local std::vector<std::uint8_t> copy, copy_of_whole;  // one receive thread for each port
    const Screened result = screened(message, copy, rules(arrival));
    if (result.fault != nullptr) return refuse(arrival, static_cast<std::uint32_t>(message.size()), result.fault);
    for (const FragmentPart& part : result.fragments) {
      const std::optional<std::vector<std::uint8_t>> whole = reassembly_.add(part, arrival.origin);
      if (whole) pass(arrival, screened(*whole, copy_of_whole, rules(arrival)), copy_of_whole);
    }
    pass(arrival, result, copy);
  }

  // Readers of announcements and handshakes listen on even ports alone, those of topics on odd ones.
  static bool is_of_discovery(const rtps::Locator_t& to) { return to.port % 2 == 0; }

  ScreenRules rules(const Arrival& arrival) {
    return {descriptor_.options.secured, [&](const ParticipantPrefix& source, const Ipv4& address) {
              if (is_dds_group(address)) return true;
              const Ipv4 announced = own_.origin(address, arrival.now);
              return announced == arrival.origin || announcers_.has_heard(source, announced) ||
                     descriptor_.options.peers.contains(address);
            }};
  }

  void pass(const Arrival& arrival, const Screened& result, std::vector<std::uint8_t>& copy) {
    const auto size = static_cast<std::uint32_t>(result.message.size());
    if (result.fault != nullptr) return refuse(arrival, size, result.fault);
    // Without a signature anyone can say that a participant ends; with security its lease reports.
    if (result.takes_leave && descriptor_.options.secured) return;
    if (result.describes_endpoints && !has_room_for_endpoints(arrival.origin))
      return refuse(arrival, size, "there are too many readers and writers already");
    if (servers_.has_servers() && (result.announces || result.takes_leave || result.describes_endpoints)) {
      return refuse(arrival, size, "it announces itself, which discovery servers do here: set them there as well");
    }
    std::unique_lock<std::mutex> in_order(announcing_, std::defer_lock);
    if (result.announces || result.takes_leave) in_order.lock();
    if (result.announces && !admit(arrival, result)) return;
    arrival.hand_over(take_acknacks(result.message, copy));
    if (!result.ends || !is_of_discovery(arrival.to)) return;
    // It may have been for another participant, or too old for Fast DDS, which has to forget whom we forget.
    const std::optional<std::int64_t> last = announcers_.forget(*result.ends);
    if (last) arrival.hand_over(leave_of(*result.ends, std::max(*last, result.sequence) + 1));
  }

  bool has_room_for_endpoints(const Ipv4& origin) {
    const EndpointCounts& counts = *descriptor_.notes.endpoints;
    const std::size_t all = counts.all(), most = descriptor_.options.endpoints_of_one;
    return all < most || (all < 4 * most && counts.of(announcers_.of(origin)) < most);
  }

  bool admit(const Arrival& arrival, const Screened& result) {
    const auto size = static_cast<std::uint32_t>(result.message.size());
    // What Fast DDS would not see must not take a place.
    if (!is_of_discovery(arrival.to)) {
      refuse(arrival, size, "discovery message on a port for user data");
      return false;
    }
    const Admission admission = announcers_.admit(
        {*result.announces, arrival.origin, result.lease, result.sequence, result.hides_addresses}, arrival.now);
    if (admission.fault != nullptr) refuse(arrival, size, admission.fault);
    if (admission.dismissed) arrival.hand_over(leave_of(*admission.dismissed, admission.sequence + 1));
    return admission.admitted;
  }

  // Notes who receives us. A reader of Fast DDS does from the moment in which it requests a heartbeat; Cyclone's needs
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

  void refuse(const Arrival& arrival, std::uint32_t size, const char* fault) {
    descriptor_.notes.refusals->add(rtps::IPLocator::toIPv4string(arrival.from), size, fault);
  }

  ScreenDescriptor descriptor_;
  OwnAddresses own_;
  Announcers announcers_;
  ServerGate servers_;
  // From the admission until Fast DDS has seen it: the leave of a participant must not come after its return. Taken by
  // receive threads alone, before any lock of Fast DDS.
  std::mutex announcing_;
  Reassembly reassembly_;
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
  if (count_ == 0 || count_ < 2 * reported_) return {};
  reported_ = count_;
  return fmt::format("refused {} RTPS messages from the network, the last of {} bytes from {}: {}", count_, size_,
                     address_, fault_);
}

std::shared_ptr<TransportDescriptorInterface> screened_transport(std::shared_ptr<TransportDescriptorInterface> udp,
                                                                 TransportNotes notes, ScreenOptions options) {
  return std::make_shared<ScreenDescriptor>(std::move(udp), std::move(notes), std::move(options));
}

Ipv4 ipv4_of(const rtps::Locator_t& locator) {
  Ipv4 address{};
  std::copy_n(locator.address + 12, address.size(), address.begin());
  return address;
}

}  // namespace tandem::ros2
