// SPDX-License-Identifier: Apache-2.0
// Services: one node answers, others call. Both ends speak with rmw_fastrtps and rmw_cyclonedds alike.
//
// Handlers and answers run on the process' executor thread: return soon, or keep the Reply and answer later.
// A handle ends its service or client when it goes; not from its own callback.
#pragma once

#include "tandem/ros2/calls/executor.hpp"
#include "tandem/ros2/calls/service_wire.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/ros2/types/interfaces.hpp"

namespace tandem::ros2 {

class ServiceCore;
class ClientCore;

// Where an answer goes. Kept as long as one likes; it may outlive its service, and then answers no one.
class AnyReply {
 public:
  // From any thread. False when the service is gone. `then` runs on the executor's thread after the answer has gone
  // out, which waits until the client receives it.
  bool send_raw(std::vector<std::uint8_t> cdr, Executor::Task then = nullptr) const;

 private:
  friend class ServiceCore;
  std::shared_ptr<Executor> executor_;
  Executor::Owner owner_ = 0;
  ServiceCore* core_ = nullptr;  // valid in the executor's thread while the owner is enrolled
  Gid writer_{};                 // the request's
  Gid reply_reader_{};           // as the request names it; zeros when it does not
  std::int64_t sequence_ = 0;    // the request's
  Dialect dialect_ = Dialect::beside;
  CallId call_{};
};

template <ServiceType S>
class Reply : public AnyReply {
 public:
  explicit Reply(const AnyReply& reply) : AnyReply(reply) {}
  // From any thread. False when the service is gone, or a bounded field is too long.
  bool send(const typename S::Response& response, Executor::Task then = nullptr) const {
    std::vector<std::uint8_t> cdr;
    return encode(response, cdr) && send_raw(std::move(cdr), std::move(then));
  }
};

// How fast replies go out to one client. Its reader keeps ten, which is what ROS gives services, and loses the oldest
// of more; an executor in Python takes one in a millisecond or so.
struct ReplyPace {
  int burst = 4;                      // at once; then one in each
  Duration interval{};                // zero: as fast as they are given
  std::shared_ptr<Writer> follows{};  // a topic that must reach the client first, if it has subscribed
  static ReplyPace gentle() { return {.interval = 4ms}; }
};

// A service by name of its type, with bytes. The handler gives null, or why the request cannot be read.
class AnyService {
 public:
  using Handler = std::function<const char*(Bytes request, const MessageInfo& info, const AnyReply& reply)>;
  struct Type {
    std::string name;           // "std_srvs/srv/SetBool"
    std::string request_hash;   // may be empty
    std::string response_hash;  // the same
  };

  AnyService(Node& node, std::string_view name, const Type& type, Handler handler, const Qos& qos = Qos::services(),
             const ReplyPace& pace = {});

  const std::string& name() const;  // full name
  std::uint64_t malformed() const;  // requests that could not be read

 private:
  std::shared_ptr<ServiceCore> core_;
};

struct CallOptions {
  Duration timeout = 5s;
  // The request may reach the server twice: sent at once and, unanswered, again after a second. Otherwise a server
  // that has just been found is given time to find us as well, or the request would be lost.
  bool idempotent = false;
};

// A client by name of its type, with bytes.
class AnyClient {
 public:
  using Answer = std::function<void(Result<std::vector<std::uint8_t>>)>;

  AnyClient(Node& node, std::string_view name, const AnyService::Type& type, const Qos& qos = Qos::services());

  const std::string& name() const;
  // Answers come on its thread: anyone who waits for one there waits without effect.
  std::shared_ptr<const Executor> executor() const;
  bool ready() const;  // a server is there
  bool wait_for_server(Duration timeout) const;
  // Until a server receives us as well, so that a call with a short timeout can succeed.
  bool wait_until_callable(Duration timeout) const;
  std::uint64_t late() const;  // answers that came when no one waited any more

  // Always answers, once: with the response, or by the deadline with the reason why there is none.
  void call_raw(std::vector<std::uint8_t> request, const CallOptions& options, Answer answer) const;
  // Waits. Not from a callback of this folder: there it fails at once.
  Result<std::vector<std::uint8_t>> call_raw(std::vector<std::uint8_t> request, const CallOptions& options) const;

 private:
  std::shared_ptr<ClientCore> core_;
};

template <ServiceType S>
AnyService::Type service_type() {
  return {std::string(S::type_name), type_support<typename S::Request>().hash,
          type_support<typename S::Response>().hash};
}

template <ServiceType S>
class Service : public AnyService {
 public:
  using Request = typename S::Request;
  using Response = typename S::Response;

  // Answers with what the handler gives.
  Service(Node& node, std::string_view name, std::function<Response(const Request&)> handler,
          const Qos& qos = Qos::services())
      : Service(
            node, name,
            [handler = std::move(handler)](const Request& request, const Reply<S>& reply) {
              reply.send(handler(request));
            },
            qos) {}
  // The handler answers when it can.
  Service(Node& node, std::string_view name, std::function<void(const Request&, const Reply<S>&)> handler,
          const Qos& qos = Qos::services(), const ReplyPace& pace = {})
      : AnyService(
            node, name, service_type<S>(),
            [handler = std::move(handler), request = Request()](Bytes bytes, const MessageInfo&,
                                                                const AnyReply& reply) mutable -> const char* {
              if (const char* failure = detail::decode_failure(bytes, request)) return failure;
              handler(request, Reply<S>(reply));
              return nullptr;
            },
            qos, pace) {}
};

template <ServiceType S>
class Client : public AnyClient {
 public:
  using Request = typename S::Request;
  using Response = typename S::Response;

  Client(Node& node, std::string_view name, const Qos& qos = Qos::services())
      : AnyClient(node, name, service_type<S>(), qos) {}

  Result<Response> call(const Request& request, const CallOptions& options = {}) const {
    std::vector<std::uint8_t> bytes;
    if (!encode(request, bytes)) return too_long();
    return response_from(call_raw(std::move(bytes), options));
  }
  void call(const Request& request, const CallOptions& options, std::function<void(Result<Response>)> answer) const {
    std::vector<std::uint8_t> bytes;
    if (!encode(request, bytes)) return answer(too_long());
    call_raw(std::move(bytes), options, [answer = std::move(answer)](Result<std::vector<std::uint8_t>> raw) {
      answer(response_from(std::move(raw)));
    });
  }

 private:
  Error too_long() const { return {Fault::invalid, name() + ": a bounded field of the request is too long"}; }
  static Result<Response> response_from(Result<std::vector<std::uint8_t>> raw) {
    if (!raw) return raw.error();
    Response response;
    if (auto decoded = decode(*raw, response); !decoded) return decoded.error();
    return response;
  }
};

}  // namespace tandem::ros2
