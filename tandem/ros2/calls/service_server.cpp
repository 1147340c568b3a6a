// SPDX-License-Identifier: Apache-2.0
// The answering end of a service.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "tandem/ros2/dds/service_core.hpp"
#include "tandem/ros2/graph/names.hpp"

namespace tandem::ros2 {
namespace {

// How long a reply waits for its reader, which another process may announce a little later than its request, and which
// may not hear us yet.
constexpr Duration longest_wait_for_reader = settling_time(Dialect::inside);
constexpr Duration longest_wait_for_subscription = 200ms;  // from when its reply reader has been found
constexpr Duration look_after_replies = 10ms;              // while some wait
constexpr std::size_t most_waiting_replies = 1000;

std::uint32_t next_endpoint_number() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

// Copies what comes in, and hands it over.
struct RequestIncoming final : Incoming {
  using Taker = std::function<void(std::vector<std::uint8_t>, const MessageInfo&)>;
  explicit RequestIncoming(Taker function) : taker(std::move(function)) {}
  const char* decode(Bytes bytes) override {
    buffer.assign(bytes.begin(), bytes.end());
    return nullptr;
  }
  void deliver(const MessageInfo& info) override { taker(std::move(buffer), info); }
  Taker taker;
  std::vector<std::uint8_t> buffer;
};

}  // namespace

std::unique_ptr<Incoming> handing_over(std::function<void(std::vector<std::uint8_t>, const MessageInfo&)> taker) {
  return std::make_unique<RequestIncoming>(std::move(taker));
}

ServiceEndpoints::ServiceEndpoints(const NodeEntry& node, std::string_view name, const AnyService::Type& type,
                                   const char* id_key) {
  const Result<std::string> full = full_topic_name(name, node.name_space, node.name);
  if (!full) throw std::invalid_argument(full.error().text);
  if (type.name.find('/') == type.name.rfind('/')) {
    throw std::invalid_argument(fmt::format("service type \"{}\": expected package/srv/Name", type.name));
  }
  request = {*full, service_request_topic(*full), type.name + "_Request", type.request_hash};
  reply = {*full, service_reply_topic(*full), type.name + "_Response", type.response_hash};
  const std::string id = endpoint_id(id_key, node.participant->gid(), next_endpoint_number());
  request_data = id + node.participant->user_data(type.request_hash);
  reply_data = id + node.participant->user_data(type.response_hash);
}

bool AnyReply::send_raw(std::vector<std::uint8_t> cdr, Executor::Task then) const {
  if (!executor_ || cdr.size() < detail::header_size) return false;
  return executor_->post(owner_, [to = *this, bytes = std::move(cdr), then = std::move(then)]() mutable {
    to.core_->reply(to, std::move(bytes), std::move(then));
  });
}

AnyService::AnyService(Node& node, std::string_view name, const Type& type, Handler handler, const Qos& qos,
                       const ReplyPace& pace)
    : core_(std::make_shared<ServiceCore>(node.entry(), ServiceEndpoints(*node.entry(), name, type, "serviceid"),
                                          std::move(handler), qos, pace)) {}

const std::string& AnyService::name() const { return core_->name(); }
std::uint64_t AnyService::malformed() const { return core_->malformed(); }

ServiceCore::ServiceCore(const std::shared_ptr<NodeEntry>& node, ServiceEndpoints endpoints,
                         AnyService::Handler handler, const Qos& qos, const ReplyPace& pace)
    : node_(node),
      executor_(node->participant->executor()),
      owner_(executor_->enroll()),
      handler_(std::move(handler)),
      reply_topic_(endpoints.reply.dds_topic),
      pace_(pace) {
  // The writer first: a request may come as soon as there is a reader.
  writer_ = std::make_unique<Writer>(*node->participant, node, std::move(endpoints.reply), qos, endpoints.reply_data,
                                     [this] { executor_->post(owner_, [this] { serve_waiting(); }); });
  reader_ = std::make_unique<Reader>(
      *node->participant, node, std::move(endpoints.request), qos, endpoints.request_data,
      handing_over([this](std::vector<std::uint8_t> payload, const MessageInfo& info) {
        executor_->post(owner_, [this, bytes = std::move(payload), info]() mutable { handle(bytes, info); });
      }));
}

ServiceCore::~ServiceCore() {
  executor_->dismiss(owner_);  // first: its tasks use both endpoints
  reader_.reset();
  writer_.reset();
}

void ServiceCore::handle(std::vector<std::uint8_t>& payload, const MessageInfo& info) {
  AnyReply reply;
  reply.executor_ = executor_;
  reply.owner_ = owner_;
  reply.core_ = this;
  reply.writer_ = info.publisher;
  reply.sequence_ = static_cast<std::int64_t>(info.sequence);
  reply.dialect_ = node_->participant->dialect_of(info.publisher);
  if (is_reader(info.related) && same_participant(info.related, info.publisher)) reply.reply_reader_ = info.related;
  Bytes request(payload);
  if (reply.dialect_ == Dialect::inside) {
    if (const char* failure = take_call_id(payload, reply.call_)) return drop(failure, info.publisher);
    request = request.subspan(call_id_size);
  }
  if (const char* failure = handler_(request, info, reply)) drop(failure, info.publisher);
}

// Told at the first, second, fourth ... of them.
void ServiceCore::drop(const char* failure, const Gid& from) {
  const std::uint64_t count = ++malformed_;
  if (!std::has_single_bit(count)) return;
  const std::string node = node_->participant->graph().node_of(from);
  node_->participant->report({Event::Kind::malformed_sample, name(),
                              fmt::format("{}: dropped an invalid request from {}: {} ({} in total)", name(),
                                          node.empty() ? "an unknown node" : node, failure, count)});
}

// A Fast client names its reply reader; a Cyclone client marks it with the same id as the request's writer. A reader of
// Fast DDS receives us as soon as it has matched, and that it has before its client calls; one of Cyclone's only after
// a heartbeat.
bool ServiceCore::client_hears(const AnyReply& to) const {
  const Duration settling = to.dialect_ == Dialect::inside ? longest_wait_for_reader : 0s;
  const auto hears = [&](const Gid& reader) {
    return writer_->reaches(reader, settling) && hears_topic(reader, settling);
  };
  if (to.reply_reader_ != Gid{}) return hears(to.reply_reader_);
  const std::string client = node_->participant->graph().client_id_of(to.writer_);
  return std::ranges::any_of(writer_->matches().all(), [&](const Gid& reader) {
    return same_participant(reader, to.writer_) &&
           (client.empty() || node_->participant->graph().client_id_of(reader) == client) && hears(reader);
  });
}

// A client makes its subscription soon after the reader of its replies. Those of its process that are older belong to
// other clients, or to none any more.
bool ServiceCore::hears_topic(const Gid& reply_reader, Duration settling) const {
  const std::optional<Instant> since = writer_->matches().since(reply_reader);
  if (!pace_.follows || !since) return true;
  if (std::chrono::steady_clock::now() >= *since + std::max(settling, longest_wait_for_subscription)) return true;
  bool subscribed = false;
  for (const Gid& reader : pace_.follows->matches().all()) {
    const std::optional<Instant> matched = pace_.follows->matches().since(reader);
    if (!same_participant(reader, reply_reader) || !matched || *matched < *since) continue;
    if (!pace_.follows->reaches(reader, settling)) return false;
    subscribed = true;
  }
  return subscribed || std::chrono::steady_clock::now() >= *since + longest_wait_for_subscription;
}

// Each reply takes an interval; a client may be a burst of them ahead.
Instant ServiceCore::slot_for(const Gid& client, Instant now) {
  if (pace_.interval == 0s) return now;
  std::erase_if(even_, [&](const auto& entry) { return entry.second <= now && entry.first != client; });
  Instant& even = even_[client];
  even = std::max(even, now) + pace_.interval;
  return std::max(now, even - pace_.burst * pace_.interval);
}

void ServiceCore::reply(const AnyReply& to, std::vector<std::uint8_t> cdr, Executor::Task then) {
  const Instant now = std::chrono::steady_clock::now(), slot = slot_for(to.writer_, now);
  if ((slot <= now && client_hears(to)) || waiting_.size() >= most_waiting_replies) return write(to, cdr, then);
  waiting_.push_back({to, std::move(cdr), std::move(then), slot, slot + longest_wait_for_reader});
  look_again(std::max(slot, now + look_after_replies));
}

void ServiceCore::look_again(Instant when) {
  if (looks_again_ != Instant{} && looks_again_ <= when) return;
  // Where the queue is full, the next reply tries again.
  const bool posted = executor_->post_at(owner_, when, [this, when] {
    if (looks_again_ == when) looks_again_ = {};
    serve_waiting();
  });
  if (posted) looks_again_ = when;
}

void ServiceCore::serve_waiting() {
  const Instant now = std::chrono::steady_clock::now();
  for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
    if (waiting->slot <= now && (client_hears(waiting->to) || waiting->deadline <= now)) {
      write(waiting->to, waiting->cdr, waiting->then);
      waiting = waiting_.erase(waiting);
    } else {
      look_again(std::max(waiting->slot, now + look_after_replies));
      ++waiting;
    }
  }
}

void ServiceCore::write(const AnyReply& to, const std::vector<std::uint8_t>& cdr, const Executor::Task& then) {
  const Related related{to.reply_reader_ != Gid{} ? to.reply_reader_ : to.writer_, to.sequence_};
  if (to.dialect_ == Dialect::inside) {
    writer_->write(with_call_id(cdr, to.call_), related);
  } else {
    writer_->write(cdr, related);
  }
  if (then) then();
}

}  // namespace tandem::ros2
