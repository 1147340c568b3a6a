// SPDX-License-Identifier: Apache-2.0
// Every message behind one interface, so that a test over all of them is compiled once.
#pragma once

#include <memory>

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tests/ros2/messages/random_message.hpp"

namespace tandem::ros2 {

struct AnyMessage {
  virtual ~AnyMessage() = default;
  virtual std::string name() const = 0;
  virtual void fill(Random& random) = 0;
  virtual std::vector<std::uint8_t> plain(bool big_endian) const = 0;
  virtual bool write(std::vector<std::uint8_t>& out) const = 0;
  virtual const char* read(Bytes bytes) = 0;
  virtual bool equals(const AnyMessage& other) const = 0;
  virtual std::unique_ptr<AnyMessage> fresh() const = 0;
};

template <Message M>
struct OneMessage final : AnyMessage {
  std::string name() const override { return std::string(M::type_name); }
  void fill(Random& random) override { ros2::fill(random, message); }
  std::vector<std::uint8_t> plain(bool big_endian) const override {
    PlainCdr cdr(big_endian);
    cdr.add(message);
    return cdr.bytes;
  }
  bool write(std::vector<std::uint8_t>& out) const override { return encode(message, out); }
  const char* read(Bytes bytes) override { return detail::decode_failure(bytes, message); }
  bool equals(const AnyMessage& other) const override {
    return message == static_cast<const OneMessage&>(other).message;
  }
  std::unique_ptr<AnyMessage> fresh() const override { return std::make_unique<OneMessage>(); }

  M message;
};

using AnyMessages = std::vector<std::unique_ptr<AnyMessage>>;

template <typename... M>
AnyMessages messages_of(Types<M...>) {
  AnyMessages messages;
  (messages.push_back(std::make_unique<OneMessage<M>>()), ...);
  return messages;
}

// One of each message that goes over the wire, by the groups of all.hpp; each group has a source of its own.
AnyMessages arm_messages();
AnyMessages control_messages();
AnyMessages core_messages();
AnyMessages vehicle_messages();
AnyMessages world_messages();

inline AnyMessages all_messages() {
  AnyMessages all;
  for (const auto group : {core_messages, world_messages, control_messages, arm_messages, vehicle_messages}) {
    for (auto& message : group()) all.push_back(std::move(message));
  }
  return all;
}

}  // namespace tandem::ros2
