// Every message behind one interface, so that a test over all of them is compiled once.
#pragma once

#include <memory>

#include "tandem/ros2/cdr.hpp"
#include "tandem/ros2/messages/all.hpp"
#include "tests/ros2/random_message.hpp"

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

template <typename... M>
std::vector<std::unique_ptr<AnyMessage>> messages_of(std::type_identity<std::tuple<M...>>) {
  std::vector<std::unique_ptr<AnyMessage>> messages;
  (messages.push_back(std::make_unique<OneMessage<M>>()), ...);
  return messages;
}

inline std::vector<std::unique_ptr<AnyMessage>> all_messages() {
  return messages_of(std::type_identity<AllMessages>{});
}

}  // namespace tandem::ros2
