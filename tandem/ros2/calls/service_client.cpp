// SPDX-License-Identifier: Apache-2.0
// The calling end of a service.
#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "tandem/ros2/dds/service_core.hpp"

namespace tandem::ros2 {
namespace {

constexpr Duration repeat_after = 1s;
// A server keeps ten requests until it takes them, which is what ROS gives services, and loses the oldest of more. So a
// few are under way at a time; what has no answer after a while has been taken and will be answered later.
constexpr std::size_t most_under_way = 8;
constexpr Duration surely_taken_after = 50ms;
// From this many on, serving them waits for what else there is to do.
constexpr std::size_t many_calls = 64;
// How often to look whether the servers that calls wait for are still there.
constexpr Duration look_again_after = 500ms;

std::uint64_t client_number(const Gid& gid) {
  std::uint64_t number = 0xcbf29ce484222325;
  for (const std::uint8_t byte : gid) number = (number ^ byte) * 0x100000001b3;
  return number;
}

Error no_answer(const std::string& name, bool sent) {
  return sent ? Error{Fault::timeout, name + ": no answer within the timeout"}
              : Error{Fault::timeout, name + ": no server of that name and type within the timeout"};
}

}  // namespace

AnyClient::AnyClient(Node& node, std::string_view name, const AnyService::Type& type, const Qos& qos)
    : core_(std::make_shared<ClientCore>(node.entry(), ServiceEndpoints(*node.entry(), name, type, "clientid"), qos)) {}

std::shared_ptr<const Executor> AnyClient::executor() const { return core_->executor(); }
const std::string& AnyClient::name() const { return core_->name(); }
bool AnyClient::ready() const { return core_->ready(); }
std::uint64_t AnyClient::late() const { return core_->late(); }
bool AnyClient::wait_for_server(Duration timeout) const { return core_->wait_for_server(timeout); }
bool AnyClient::wait_until_callable(Duration timeout) const { return core_->wait_until_callable(timeout); }

void AnyClient::call_raw(std::vector<std::uint8_t> request, const CallOptions& options, Answer answer) const {
  core_->call(std::move(request), options, std::move(answer));
}

Result<std::vector<std::uint8_t>> AnyClient::call_raw(std::vector<std::uint8_t> request,
                                                      const CallOptions& options) const {
  if (core_->in_callback()) {
    return Error{Fault::invalid, name() + ": blocking call inside a callback, where no answer can arrive"};
  }
  auto promise = std::make_shared<std::promise<Result<std::vector<std::uint8_t>>>>();
  auto future = promise->get_future();
  core_->call(std::move(request), options,
              [promise](Result<std::vector<std::uint8_t>> answer) { promise->set_value(std::move(answer)); });
  return future.get();
}

ClientCore::ClientCore(const std::shared_ptr<NodeEntry>& node, ServiceEndpoints endpoints, const Qos& qos)
    : node_(node), executor_(node->participant->executor()), owner_(executor_->enroll()) {
  const auto on_match = [this] {
    {
      const std::lock_guard lock(match_mutex_);  // a poll from now on will report it
    }
    matched_.notify_all();
    executor_->post(owner_, [this] { look_for_servers(); });
  };
  reader_ = std::make_unique<Reader>(
      *node->participant, node, std::move(endpoints.reply), qos, endpoints.reply_data,
      handing_over([this](std::vector<std::uint8_t> payload, const MessageInfo& info) {
        executor_->post(owner_, [this, bytes = std::move(payload), info]() mutable { take(bytes, info); });
      }),
      on_match);
  writer_ = std::make_unique<Writer>(*node->participant, node, std::move(endpoints.request), qos,
                                     endpoints.request_data, on_match);
  id_ = client_number(writer_->gid());
  executor_->post(owner_, [this] {
    started_ = true;
    look_for_servers();
  });
}

ClientCore::~ClientCore() {
  const std::string name = writer_->topic();
  executor_->dismiss(owner_);  // first: its tasks use both endpoints
  reader_.reset();
  writer_.reset();
  for (Call& call : calls_) call.answer(Error{Fault::closed, name + ": the client was closed"});
}

bool ClientCore::wait_for_server(Duration timeout) {
  std::unique_lock lock(match_mutex_);
  return matched_.wait_for(lock, timeout, [this] { return ready(); });
}

bool ClientCore::wait_until_callable(Duration timeout) {
  const Instant deadline = std::chrono::steady_clock::now() + timeout;
  std::unique_lock lock(match_mutex_);
  while (true) {
    const Instant now = std::chrono::steady_clock::now();
    if (callable_ <= now) return true;
    if (now >= deadline) return false;
    matched_.wait_until(lock, std::min(callable_, deadline));
  }
}

std::vector<Gid> ClientCore::servers() const {
  const auto is_gone = [this](const Gid& gid) { return node_->participant->graph().is_gone(gid); };
  std::vector<Gid> givers = reader_->matches().all(), takers = writer_->matches().all();
  std::erase_if(givers, is_gone);
  std::erase_if(takers, [&](const Gid& taker) {
    return is_gone(taker) ||
           std::ranges::none_of(givers, [&](const Gid& giver) { return same_participant(taker, giver); });
  });
  return takers;
}

void ClientCore::call(std::vector<std::uint8_t> request, const CallOptions& options, AnyClient::Answer answer) {
  // A call that the executor never comes to, because the client is closed before, is answered as well.
  const auto drop = [name = name()](Call* unasked) {
    if (unasked->answer) unasked->answer(Error{Fault::closed, name + ": the client was closed"});
    delete unasked;
  };
  const std::shared_ptr<Call> call(new Call, drop);
  call->request = std::move(request);
  call->deadline = std::chrono::steady_clock::now() + options.timeout;
  call->idempotent = options.idempotent;
  call->answer = std::move(answer);
  const bool posted = executor_->post(owner_, [this, call] {
    calls_.push_back(std::move(*call));
    call->answer = nullptr;
    calls_.size() < many_calls ? look_for_servers() : serve_soon();
  });
  if (posted) return;
  call->answer(Error{Fault::busy, name() + ": too many pending calls"});
  call->answer = nullptr;
}

// Keeps who serves, since when; calls to a server that has gone will not be answered.
void ClientCore::look_for_servers() {
  if (!started_) return;
  const std::vector<Gid> present = servers();
  const auto is_present = [&](const Gid& gid) { return std::ranges::find(present, gid) != present.end(); };
  std::erase_if(servers_, [&](const Server& server) { return !is_present(server.reader); });
  for (const Gid& reader : present) {
    if (std::ranges::any_of(servers_, [&](const Server& server) { return server.reader == reader; })) continue;
    const Instant now = std::chrono::steady_clock::now();
    const bool own = same_participant(reader, node_->participant->gid());
    const Duration settling = own ? 0s : settling_time(node_->participant->dialect_of(reader));
    servers_.push_back({reader, now + settling, now + std::min<Duration>(settling, settling_time(Dialect::beside))});
  }
  for (Server& server : servers_) {
    if (writer_->is_acknowledged_by(server.reader)) server.settled = std::min(server.settled, server.soonest);
  }
  {
    const std::lock_guard lock(match_mutex_);
    callable_ = servers_.empty() ? Instant::max() : servers_.front().settled;
  }
  matched_.notify_all();
  for (auto call = calls_.begin(); call != calls_.end();) {
    const auto current = call++;
    if (current->server == Gid{} || is_present(current->server)) continue;
    finish(current, Error{Fault::closed, name() + ": the server went away before it answered"});
  }
  serve();
}

// Sends what can be sent, gives up what is too late, and says when to look again.
void ClientCore::serve() {
  const Instant now = std::chrono::steady_clock::now();
  Instant next = Instant::max();
  std::size_t under_way = 0;
  Instant oldest = now;  // of those under way
  for (const Call& call : calls_) {
    if (call.server == Gid{} || call.sent + surely_taken_after <= now) continue;
    ++under_way;
    oldest = std::min(oldest, call.sent);
  }
  for (auto call = calls_.begin(); call != calls_.end();) {
    const auto current = call++;
    if (current->deadline <= now) {
      finish(current, no_answer(name(), current->server != Gid{}));
      continue;
    }
    next = std::min(next, current->deadline);
    const bool sent = current->server != Gid{};
    if (!sent && !servers_.empty()) {
      const Server& server = servers_.front();
      if (!current->idempotent && server.settled > now) {
        next = std::min(next, server.settled);
      } else if (under_way >= most_under_way) {
        next = std::min(next, oldest + surely_taken_after);
      } else {
        ++under_way;
        send(*current, server.reader);
        if (current->idempotent) current->repeat = now + repeat_after;
      }
    } else if (sent && current->repeat != Instant{} && current->repeat <= now) {
      send(*current, current->server);
      current->repeat = {};
    }
    if (current->repeat != Instant{}) next = std::min(next, current->repeat);
    if (current->server != Gid{}) next = std::min(next, now + look_again_after);
  }
  wake_at(next);
}

// Once for all that waits to be done already: serving goes through all calls, so doing it for each of 5,000 took 18 s.
void ClientCore::serve_soon() {
  if (serves_soon_) return;
  serves_soon_ = executor_->post(owner_, [this] {
    serves_soon_ = false;
    serve();
  });
  if (!serves_soon_) serve();
}

void ClientCore::wake_at(Instant when) {
  if (when == Instant::max() || (!wakes_.empty() && *wakes_.begin() <= when)) return;
  wakes_.insert(when);
  executor_->post_at(owner_, when, [this, when] {
    wakes_.erase(when);
    look_for_servers();
  });
}

void ClientCore::send(Call& call, const Gid& server) {
  const Related related{reader_->gid(), -(std::int64_t{1} << 32)};  // {-1, 0}: none yet
  call.server = server;
  call.sent = std::chrono::steady_clock::now();
  if (node_->participant->dialect_of(server) == Dialect::inside) {
    const CallId id{id_, ++last_number_};
    call.numbers.emplace_back(Dialect::inside, id.sequence);
    writer_->write(with_call_id(call.request, id), related);
  } else {
    call.numbers.emplace_back(Dialect::beside, writer_->write(call.request, related));
  }
}

void ClientCore::take(std::vector<std::uint8_t>& payload, const MessageInfo& info) {
  std::pair<Dialect, std::int64_t> number{node_->participant->dialect_of(info.publisher), info.related_sequence};
  std::size_t start = 0;
  if (number.first == Dialect::inside) {
    CallId id;
    if (const char* failure = take_call_id(payload, id)) return reader_->drop(failure, info.publisher);
    if (id.client != id_) return;  // for another client
    number.second = id.sequence;
    start = call_id_size;
  } else if (info.related != reader_->gid() && info.related != writer_->gid()) {
    return;  // for another client
  }
  for (auto call = calls_.begin(); call != calls_.end(); ++call) {
    if (std::ranges::find(call->numbers, number) == call->numbers.end()) continue;
    payload.erase(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(start));
    finish(call, std::move(payload));
    return calls_.size() < many_calls ? serve() : serve_soon();
  }
  ++late_;
}

void ClientCore::finish(std::list<Call>::iterator call, Result<std::vector<std::uint8_t>> answer) {
  const AnyClient::Answer callback = std::move(call->answer);
  calls_.erase(call);
  callback(std::move(answer));
}

}  // namespace tandem::ros2
