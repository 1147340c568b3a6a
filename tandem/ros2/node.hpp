// SPDX-License-Identifier: Apache-2.0
// ROS 2 without ROS: a context is this process on DDS; nodes live in it and publish and subscribe.
//
// Wrong names and wrong options throw std::invalid_argument before anything runs. Handles close what they stand
// for when they go; they may outlive the Node and the Context they came from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/context_options.hpp"
#include "tandem/ros2/graph/graph.hpp"
#include "tandem/ros2/qos.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tandem/ros2/types/type_support.hpp"

namespace tandem::ros2 {

class LocalParameters;
class Participant;
struct NodeEntry;
class Writer;
class Reader;

// One DDS participant. Throws std::runtime_error when DDS does not start.
class Context {
 public:
  explicit Context(ContextOptions options = {});

  const ContextOptions& options() const;
  Graph graph() const;
  // Whose form of the graph message goes out now: humble or jazzy.
  Distro distro() const;
  // What happened since the last call, oldest first; at most 256 are kept.
  std::vector<Event> take_events();
  // Whether it is an endpoint of this context.
  bool is_own(const Gid& gid) const;
  // Where others are discovered through servers: which ones are there, and since when.
  std::vector<ServerState> discovery_servers() const;
  // Those of all nodes in it that have any.
  const LocalParameters& local_parameters() const;

 private:
  friend class Node;
  std::shared_ptr<Participant> participant_;
};

struct MessageInfo {
  Gid publisher{};
  std::uint64_t sequence = 0;  // of this publisher, from 1; messages that it sent to no one are not counted
  UtcTime sent{};              // the publisher's clock
  Instant received{};          // ours, when the callback began
  // Of services, where a peer writes it beside the payload: which request this belongs to.
  Gid related{};
  std::int64_t related_sequence = 0;
};

// A message as bytes on their way out: how many, and how to write them in place.
struct Outgoing {
  const void* message = nullptr;
  std::size_t (*size)(const void* message) = nullptr;
  bool (*write)(const void* message, std::span<std::uint8_t> out) = nullptr;
};

// Bytes that already are CDR, with their 4-byte header; `cdr` must live as long.
Outgoing outgoing_bytes(const Bytes& cdr);

// And in: null, or why the bytes are no such message. Then `deliver` hands the message over.
struct Incoming {
  virtual ~Incoming() = default;
  virtual const char* decode(Bytes bytes) = 0;
  virtual void deliver(const MessageInfo& info) = 0;
};

class AnyPublisher {
 public:
  const std::string& topic() const;  // full name
  std::size_t matched() const;       // subscriptions that have been found
  // How many of them a message that is published now reaches: matching says only that we know of them.
  std::size_t reached() const;
  bool wait_for_acknowledgements(Duration timeout) const;
  // For what is built upon a publisher in this folder.
  const std::shared_ptr<Writer>& writer() const { return writer_; }

 protected:
  explicit AnyPublisher(std::shared_ptr<Writer> writer) : writer_(std::move(writer)) {}
  bool write(const Outgoing& outgoing) const;

 private:
  std::shared_ptr<Writer> writer_;
};

template <Message M>
class Publisher : public AnyPublisher {
 public:
  // Written and sent in the caller's thread, from any thread; this layer does not allocate. Not encoded while no one
  // hears it, unless latched or tapped. False when a bounded field is too long, or DDS has no room.
  bool publish(const M& message) const {
    return write(
        {&message, [](const void* any) { return encoded_size(*static_cast<const M*>(any)); },
         [](const void* any, std::span<std::uint8_t> out) { return encode_into(*static_cast<const M*>(any), out); }});
  }

 private:
  friend class Node;
  using AnyPublisher::AnyPublisher;
};

// Publishes bytes that already are CDR, with their 4-byte header.
class RawPublisher : public AnyPublisher {
 public:
  bool publish(Bytes cdr) const;

 private:
  friend class Node;
  using AnyPublisher::AnyPublisher;
};

// Ends with its last copy. Not from its own callback.
class Subscription {
 public:
  const std::string& topic() const;
  std::size_t matched() const;      // publishers that we hear
  std::uint64_t malformed() const;  // samples that could not be read, and were dropped
  std::uint64_t refused() const;    // samples of others than the owner of an exclusive topic, dropped too

 private:
  friend class Node;
  explicit Subscription(std::shared_ptr<Reader> reader) : reader_(std::move(reader)) {}
  std::shared_ptr<Reader> reader_;
};

class Node {
 public:
  Node(Context& context, std::string_view name, std::string_view name_space = "/");

  std::string full_name() const;
  // For what is built upon a node in this folder.
  const std::shared_ptr<NodeEntry>& entry() const { return entry_; }
  const std::shared_ptr<LocalParameters>& local_parameters() const;

  // Topics: "legs" is relative to the namespace, "/legs" absolute, "~/legs" private.
  template <Message M>
  Publisher<M> advertise(std::string_view topic, const Qos& qos = Qos::standard()) {
    const TypeSupport& type = type_support<M>();
    return Publisher<M>(writer(topic, type.name, type.hash, qos));
  }

  // The callback runs on a receive thread of DDS, one message of this subscription at a time: take what you need
  // (post it to a Mailbox, put it in a Latest) and return. The message is only lent; its buffers are reused.
  template <Message M>
  Subscription subscribe(std::string_view topic, const Qos& qos,
                         std::function<void(const M&, const MessageInfo&)> callback) {
    const TypeSupport& type = type_support<M>();
    return Subscription(reader(topic, type.name, type.hash, qos, std::make_unique<Typed<M>>(std::move(callback))));
  }

  // Any type, by name ("std_msgs/msg/String"), as bytes with their CDR header. The hash may be empty.
  RawPublisher advertise_raw(std::string_view topic, std::string_view type, std::string_view type_hash,
                             const Qos& qos = Qos::standard());
  // Not `tapped`: the context's tap does not see it.
  Subscription subscribe_raw(std::string_view topic, std::string_view type, std::string_view type_hash, const Qos& qos,
                             std::function<void(Bytes, const MessageInfo&)> callback, bool tapped = true);

 private:
  template <Message M>
  struct Typed final : Incoming {
    explicit Typed(std::function<void(const M&, const MessageInfo&)> function) : callback(std::move(function)) {}
    const char* decode(Bytes bytes) override { return detail::decode_failure(bytes, message); }
    void deliver(const MessageInfo& info) override { callback(message, info); }
    std::function<void(const M&, const MessageInfo&)> callback;
    M message;
  };

  std::shared_ptr<Writer> writer(std::string_view topic, std::string_view type, std::string_view type_hash,
                                 const Qos& qos);
  std::shared_ptr<Reader> reader(std::string_view topic, std::string_view type, std::string_view type_hash,
                                 const Qos& qos, std::unique_ptr<Incoming> incoming, bool tapped = true);

  std::shared_ptr<Participant> participant_;
  std::shared_ptr<NodeEntry> entry_;
};

}  // namespace tandem::ros2
