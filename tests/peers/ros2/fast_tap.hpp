// SPDX-License-Identifier: Apache-2.0
// Looks at the datagrams that a Fast DDS participant receives: the DATA in them and what stands beside it, read by the
// letter of RTPS 2.2 and not by the library.
#pragma once

#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

struct SeenData {
  Gid writer{};
  std::map<std::uint16_t, std::vector<std::uint8_t>> beside;  // inline QoS by parameter id
  std::vector<std::uint8_t> payload;
};

class Tap {
 public:
  // Of one writer, oldest first.
  std::vector<SeenData> of(const Gid& writer) const {
    const std::lock_guard lock(mutex_);
    std::vector<SeenData> found;
    for (const SeenData& data : seen_) {
      if (data.writer == writer) found.push_back(data);
    }
    return found;
  }

  void look(Bytes datagram) {
    if (datagram.size() < 20 || std::memcmp(datagram.data(), "RTPS", 4) != 0) return;
    Gid writer{};
    std::copy_n(datagram.begin() + 8, 12, writer.begin());
    for (Bytes rest = datagram.subspan(20); rest.size() >= 4;) {
      const std::uint8_t kind = rest[0], flags = rest[1];
      if ((flags & 1) == 0) return;  // all here are little-endian
      std::size_t size = word(rest, 2);
      if (size == 0) size = rest.size() - 4;
      if (size > rest.size() - 4) return;
      if (kind == 0x15) look_at_data(rest.subspan(4, size), flags, writer);
      rest = rest.subspan(4 + size);
    }
  }

 private:
  static std::uint16_t word(Bytes bytes, std::size_t at) {
    return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8);
  }

  void look_at_data(Bytes body, std::uint8_t flags, Gid writer) {
    if (body.size() < 20) return;
    SeenData data;
    std::copy_n(body.begin() + 8, 4, writer.begin() + 12);
    data.writer = writer;
    std::size_t at = 4 + word(body, 2);
    const bool inline_qos = (flags & 2) != 0;
    for (bool more = inline_qos; more;) {
      if (at + 4 > body.size()) return;
      const std::uint16_t id = word(body, at), size = word(body, at + 2);
      at += 4;
      more = id != 1;  // the sentinel
      if (!more) break;
      if (at + size > body.size()) return;
      data.beside[id] = {body.begin() + static_cast<std::ptrdiff_t>(at),
                         body.begin() + static_cast<std::ptrdiff_t>(at + size)};
      at += size;
    }
    if (at > body.size()) return;
    data.payload = {body.begin() + static_cast<std::ptrdiff_t>(at), body.end()};
    const std::lock_guard lock(mutex_);
    if (seen_.size() < 10'000) seen_.push_back(std::move(data));
  }

  mutable std::mutex mutex_;
  std::vector<SeenData> seen_;
};

// UDP, with the tap in between.
class TappedTransport final : public eprosima::fastdds::rtps::ChainingTransport {
 public:
  struct Descriptor final : eprosima::fastdds::rtps::ChainingTransportDescriptor {
    Descriptor(std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor> udp, std::shared_ptr<Tap> tap_)
        : ChainingTransportDescriptor(std::move(udp)), tap(std::move(tap_)) {}
    eprosima::fastdds::rtps::TransportInterface* create_transport() const override {
      return new TappedTransport(*this);
    }
    std::shared_ptr<Tap> tap;
  };

  explicit TappedTransport(const Descriptor& descriptor) : ChainingTransport(descriptor), descriptor_(descriptor) {}

  eprosima::fastdds::rtps::TransportDescriptorInterface* get_configuration() override { return &descriptor_; }
  bool send(eprosima::fastrtps::rtps::SenderResource* below, const eprosima::fastrtps::rtps::octet* data,
            std::uint32_t size, eprosima::fastrtps::rtps::LocatorsIterator* begin,
            eprosima::fastrtps::rtps::LocatorsIterator* end,
            const std::chrono::steady_clock::time_point& deadline) override {
    return below->send(data, size, begin, end, deadline);
  }
  void receive(eprosima::fastdds::rtps::TransportReceiverInterface* next, const eprosima::fastrtps::rtps::octet* data,
               std::uint32_t size, const eprosima::fastrtps::rtps::Locator_t& local,
               const eprosima::fastrtps::rtps::Locator_t& remote) override {
    descriptor_.tap->look({data, size});
    next->OnDataReceived(data, size, local, remote);
  }

 private:
  Descriptor descriptor_;
};

}  // namespace tandem::ros2
