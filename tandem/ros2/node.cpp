// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/node.hpp"

#include <stdexcept>

#include "tandem/ros2/dds/participant.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::ros2 {
namespace {

template <typename T>
T checked(Result<T> result) {
  if (!result) throw std::invalid_argument(result.error().text);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

EndpointNames endpoint_names(const NodeEntry& node, std::string_view topic, std::string_view type,
                             std::string_view type_hash) {
  EndpointNames names;
  names.topic = checked(full_topic_name(topic, node.name_space, node.name));
  names.dds_topic = dds_topic_name(names.topic);
  names.type = type;
  names.type_hash = type_hash;
  if (type.find('/') == std::string_view::npos || type.find('/') == type.rfind('/')) {
    throw std::invalid_argument("message type \"" + names.type + "\": expected package/msg/Name");
  }
  return names;
}

void check_qos(const std::string& topic, const Qos& qos) {
  if (qos.history == History::keep_last && qos.depth < 1) {
    throw std::invalid_argument(topic + ": history depth: expected at least 1, got " + std::to_string(qos.depth));
  }
}

struct RawIncoming final : Incoming {
  explicit RawIncoming(std::function<void(Bytes, const MessageInfo&)> function) : callback(std::move(function)) {}
  const char* decode(Bytes bytes) override {
    buffer.assign(bytes.begin(), bytes.end());
    return nullptr;
  }
  void deliver(const MessageInfo& info) override { callback(buffer, info); }
  std::function<void(Bytes, const MessageInfo&)> callback;
  std::vector<std::uint8_t> buffer;
};

}  // namespace

Context::Context(ContextOptions options) : participant_(std::make_shared<Participant>(std::move(options))) {}

const ContextOptions& Context::options() const { return participant_->options(); }
Graph Context::graph() const { return participant_->graph().snapshot(); }
Distro Context::distro() const { return participant_->distro(); }
std::vector<Event> Context::take_events() { return participant_->take_events(); }
std::vector<ServerState> Context::discovery_servers() const { return participant_->discovery_servers(); }
bool Context::is_own(const Gid& gid) const { return participant_->is_own(gid); }
const LocalParameters& Context::local_parameters() const { return *participant_->local_parameters(); }

Outgoing outgoing_bytes(const Bytes& cdr) {
  return {&cdr, [](const void* any) { return static_cast<const Bytes*>(any)->size(); },
          [](const void* any, std::span<std::uint8_t> out) {
            const Bytes& from = *static_cast<const Bytes*>(any);
            if (from.size() < detail::header_size) return false;
            std::memcpy(out.data(), from.data(), from.size());
            return true;
          }};
}

const std::string& AnyPublisher::topic() const { return writer_->topic(); }
std::size_t AnyPublisher::matched() const { return writer_->matches().count(); }
std::size_t AnyPublisher::reached() const { return writer_->reached(); }
bool AnyPublisher::write(const Outgoing& outgoing) const { return writer_->write(outgoing); }

bool AnyPublisher::wait_for_acknowledgements(Duration timeout) const {
  return writer_->wait_for_acknowledgements(timeout);
}

bool RawPublisher::publish(Bytes cdr) const { return write(outgoing_bytes(cdr)); }

const std::string& Subscription::topic() const { return reader_->topic(); }
std::size_t Subscription::matched() const { return reader_->matches().count(); }
std::uint64_t Subscription::malformed() const { return reader_->malformed(); }
std::uint64_t Subscription::refused() const { return reader_->refused(); }

Node::Node(Context& context, std::string_view name, std::string_view name_space) : participant_(context.participant_) {
  checked(check_node_name(name));
  entry_ = std::make_shared<NodeEntry>(participant_, std::string(name), checked(full_namespace(name_space)));
}

std::string Node::full_name() const {
  return (entry_->name_space == "/" ? "" : entry_->name_space) + "/" + entry_->name;
}

const std::shared_ptr<LocalParameters>& Node::local_parameters() const { return participant_->local_parameters(); }

std::shared_ptr<Writer> Node::writer(std::string_view topic, std::string_view type, std::string_view type_hash,
                                     const Qos& qos) {
  EndpointNames names = endpoint_names(*entry_, topic, type, type_hash);
  check_qos(names.topic, qos);
  return std::make_shared<Writer>(*participant_, entry_, std::move(names), qos, participant_->user_data(type_hash));
}

std::shared_ptr<Reader> Node::reader(std::string_view topic, std::string_view type, std::string_view type_hash,
                                     const Qos& qos, std::unique_ptr<Incoming> incoming, bool tapped) {
  EndpointNames names = endpoint_names(*entry_, topic, type, type_hash);
  names.tapped = tapped;
  check_qos(names.topic, qos);
  return std::make_shared<Reader>(*participant_, entry_, std::move(names), qos, participant_->user_data(type_hash),
                                  std::move(incoming));
}

RawPublisher Node::advertise_raw(std::string_view topic, std::string_view type, std::string_view type_hash,
                                 const Qos& qos) {
  return RawPublisher(writer(topic, type, type_hash, qos));
}

Subscription Node::subscribe_raw(std::string_view topic, std::string_view type, std::string_view type_hash,
                                 const Qos& qos, std::function<void(Bytes, const MessageInfo&)> callback, bool tapped) {
  return Subscription(reader(topic, type, type_hash, qos, std::make_unique<RawIncoming>(std::move(callback)), tapped));
}

}  // namespace tandem::ros2
