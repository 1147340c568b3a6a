// SPDX-License-Identifier: Apache-2.0
// Both ends of a service on DDS. Only sources of this folder include this header.
#pragma once

#include <list>
#include <set>

#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/dds/participant.hpp"

namespace tandem::ros2 {

// Names and USER_DATA of the two topics of a service.
struct ServiceEndpoints {
  ServiceEndpoints(const NodeEntry& node, std::string_view name, const AnyService::Type& type, const char* id_key);
  EndpointNames request, reply;
  std::string request_data, reply_data;
};

// Takes samples as bytes out of DDS' thread.
std::unique_ptr<Incoming> handing_over(std::function<void(std::vector<std::uint8_t>, const MessageInfo&)> taker);

// All but the constructor, the destructor and what says so runs in the executor's thread.
class ServiceCore {
 public:
  ServiceCore(const std::shared_ptr<NodeEntry>& node, ServiceEndpoints endpoints, AnyService::Handler handler,
              const Qos& qos, const ReplyPace& pace);
  ~ServiceCore();
  ServiceCore(const ServiceCore&) = delete;
  ServiceCore& operator=(const ServiceCore&) = delete;

  const std::string& name() const { return writer_->topic(); }                   // any thread
  std::uint64_t malformed() const { return malformed_ + reader_->malformed(); }  // any thread
  void reply(const AnyReply& to, std::vector<std::uint8_t> cdr, Executor::Task then);

 private:
  struct Waiting {
    AnyReply to;
    std::vector<std::uint8_t> cdr;
    Executor::Task then;
    Instant slot;  // not before
    Instant deadline;
  };

  void handle(std::vector<std::uint8_t>& payload, const MessageInfo& info);
  void drop(const char* failure, const Gid& from);
  bool client_hears(const AnyReply& to) const;
  bool hears_topic(const Gid& reply_reader, Duration settling) const;
  Instant slot_for(const Gid& client, Instant now);
  void write(const AnyReply& to, const std::vector<std::uint8_t>& cdr, const Executor::Task& then);
  void serve_waiting();
  void look_again(Instant when);

  std::shared_ptr<NodeEntry> node_;
  std::shared_ptr<Executor> executor_;
  Executor::Owner owner_;
  AnyService::Handler handler_;
  std::string reply_topic_;
  ReplyPace pace_;
  std::map<Gid, Instant> even_;  // by client: when as many replies are due as have gone out
  std::list<Waiting> waiting_;   // replies that are not due, or whose reader does not hear us yet
  Instant looks_again_{};        // when it looks after them next; zero: not
  std::atomic<std::uint64_t> malformed_ = 0;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Reader> reader_;
};

class ClientCore {
 public:
  ClientCore(const std::shared_ptr<NodeEntry>& node, ServiceEndpoints endpoints, const Qos& qos);
  ~ClientCore();
  ClientCore(const ClientCore&) = delete;
  ClientCore& operator=(const ClientCore&) = delete;

  // Any thread.
  const std::string& name() const { return writer_->topic(); }
  std::uint64_t late() const { return late_; }
  bool ready() const { return !servers().empty(); }
  bool wait_for_server(Duration timeout);
  bool wait_until_callable(Duration timeout);
  bool in_callback() const { return executor_->runs_here(); }
  std::shared_ptr<const Executor> executor() const { return executor_; }
  void call(std::vector<std::uint8_t> request, const CallOptions& options, AnyClient::Answer answer);

 private:
  struct Call {
    std::vector<std::uint8_t> request;
    Instant deadline{};
    Instant sent{};    // last
    Instant repeat{};  // when to send once more; zero: not
    bool idempotent = false;
    Gid server{};                                           // its request reader; zeros: not sent yet
    std::vector<std::pair<Dialect, std::int64_t>> numbers;  // what its answer may refer to
    AnyClient::Answer answer;
  };
  struct Server {
    Gid reader{};       // of requests
    Instant settled{};  // from then on it surely receives us
    Instant soonest{};  // and, if it has acknowledged us, from then on: its answer must find our reader as well
  };

  std::vector<Gid> servers() const;  // any thread: request readers of those who also reply
  void look_for_servers();
  void serve();
  void serve_soon();
  void send(Call& call, const Gid& server);
  void take(std::vector<std::uint8_t>& payload, const MessageInfo& info);
  void finish(std::list<Call>::iterator call, Result<std::vector<std::uint8_t>> answer);
  void wake_at(Instant when);

  std::shared_ptr<NodeEntry> node_;
  std::shared_ptr<Executor> executor_;
  Executor::Owner owner_;
  std::mutex match_mutex_;
  std::condition_variable matched_;
  Instant callable_ = Instant::max();  // from then on the first server receives us; guarded by match_mutex_
  bool started_ = false;
  std::uint64_t id_ = 0;  // in dialect `inside`
  std::int64_t last_number_ = 0;
  std::vector<Server> servers_;  // longest known first
  std::list<Call> calls_;
  std::set<Instant> wakes_;  // when the executor will look again
  bool serves_soon_ = false;
  std::atomic<std::uint64_t> late_ = 0;
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace tandem::ros2
