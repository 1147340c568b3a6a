// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mqtt/handle.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>

namespace tandem::mqtt {
namespace {

constexpr const char* system_authorities = "/etc/ssl/certs";
constexpr std::size_t most_opening = 16;  // threads at a time
constexpr std::size_t longest_detail = 200;
constexpr std::size_t longest_password = 64U * 1024U;

// The threads that open connections with TLS. Those that are through are joined, so that OpenSSL has cleaned up.
class Openers {
 public:
  bool start(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    join();
    if (all_.size() >= most_opening) return false;
    const auto done = std::make_shared<std::atomic<bool>>(false);
    try {
      all_.push_back({std::thread([work = std::move(work), done] {
                        work();
                        done->store(true, std::memory_order_release);
                      }),
                      done});
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }
  // Those that still look up a name are left alone.
  void wait(Instant deadline) {
    for (;;) {
      {
        const std::lock_guard lock(mutex_);
        join();
        if (all_.empty() || now() >= deadline) return;
      }
      std::this_thread::sleep_for(1ms);
    }
  }

 private:
  struct Opener {
    std::thread thread;
    std::shared_ptr<std::atomic<bool>> done;
  };
  void join() {
    std::erase_if(all_, [](Opener& each) {
      if (!each.done->load(std::memory_order_acquire)) return false;
      each.thread.join();
      return true;
    });
  }

  std::mutex mutex_;
  std::list<Opener> all_;
};

// Never destroyed: a thread may outlive the rest of the process's end.
Openers& openers() {
  static auto* const all = new Openers();
  return *all;
}

// The first line of a file. Read for each connection, so that a new password needs no restart.
Result<std::string> password(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  if (!stream || (!std::getline(stream, line) && !stream.eof()) || line.size() > longest_password)
    return Error{Fault::invalid, fmt::format("mqtt.password_file: {} cannot be read", file)};
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

// A key with a pass phrase would ask for it on the terminal.
int no_pass_phrase(char*, int, int, void*) { return 0; }

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

Error error_of(int code, int system_error, const std::string& logged) {
  const std::string detail = logged.empty() ? "" : fmt::format(" ({})", logged);
  switch (code) {
    case MOSQ_ERR_CONN_LOST:
      return {Fault::closed, fmt::format("the broker closed the connection{}", detail)};
    case MOSQ_ERR_KEEPALIVE:
      return {Fault::timeout, "the broker did not answer within the keep-alive"};
    case MOSQ_ERR_ERRNO:
      return {Fault::closed, std::generic_category().message(system_error) + detail,
              static_cast<unsigned>(system_error)};
    case MOSQ_ERR_TLS:
    case MOSQ_ERR_TLS_HANDSHAKE:
      return {Fault::refused, fmt::format("TLS failed{}", detail)};
    default:
      return {Fault::closed, fmt::format("{}{}", mosquitto_strerror(code), detail)};
  }
}

}  // namespace

Result<std::shared_ptr<Handle>> Handle::make(const std::string& client_id, const Greeting& greeting,
                                             const BrokerOptions& broker) {
  static std::once_flag once;
  std::call_once(once, [] { mosquitto_lib_init(); });
  const std::shared_ptr<Handle> handle(new Handle());
  handle->mosquitto_.reset(mosquitto_new(client_id.c_str(), true, handle.get()));
  mosquitto* const raw = handle->mosquitto_.get();
  if (raw == nullptr) return Error{Fault::busy, "libmosquitto: no memory for a connection"};
  mosquitto_int_option(raw, MOSQ_OPT_TCP_NODELAY, 1);
  handle->set_callbacks();
  if (!broker.user.empty()) {
    const auto secret = broker.password_file.empty() ? Result<std::string>("") : password(broker.password_file);
    if (!secret) return secret.error();
    mosquitto_username_pw_set(raw, broker.user.c_str(), or_null(*secret));
  }
  if (const auto& will = greeting.will) {
    const int set = mosquitto_will_set(raw, will->topic.c_str(), static_cast<int>(will->payload.size()),
                                       will->payload.data(), will->qos, will->retain);
    if (set != MOSQ_ERR_SUCCESS)
      return Error{Fault::invalid, fmt::format("will on topic '{}': {}", will->topic, mosquitto_strerror(set))};
  }
  return handle;
}

void Handle::set_callbacks() {
  mosquitto* const raw = mosquitto_.get();
  mosquitto_connect_callback_set(raw, [](mosquitto*, void* self, int code) { of(self).connack = code; });
  mosquitto_subscribe_callback_set(raw, [](mosquitto*, void* self, int id, int count, const int* granted) {
    Handle& handle = of(self);
    const auto asked = std::ranges::find(handle.asked_, id, &Asked::id);
    if (asked == handle.asked_.end()) return;
    if ((count < 1 || granted[0] > 2) && !asked->optional) handle.refused.push_back(asked->filter);
    handle.asked_.erase(asked);
    handle.unanswered = handle.asked_.size();
  });
  mosquitto_publish_callback_set(raw, [](mosquitto*, void* self, int id) { std::erase(of(self).unacknowledged_, id); });
  mosquitto_message_callback_set(raw, [](mosquitto*, void* self, const mosquitto_message* message) {
    if (const auto& pass_on = of(self).received; pass_on && message != nullptr) pass_on(*message);
  });
  mosquitto_log_callback_set(raw, [](mosquitto*, void* self, int level, const char* line) {
    std::string& logged = of(self).logged_;
    if (level != MOSQ_LOG_ERR || line == nullptr || logged.size() > longest_detail) return;
    if (!logged.empty()) logged += "; ";
    logged.append(line, strnlen(line, longest_detail));
  });
}

Result<void> Handle::open(const BrokerOptions& broker, const std::string& host, const BrokerUrl& url, int keep_alive) {
  mosquitto* const raw = mosquitto_.get();
  if (url.tls) {
    const int set =
        mosquitto_tls_set(raw, or_null(broker.authority), broker.authority.empty() ? system_authorities : nullptr,
                          or_null(broker.certificate), or_null(broker.key), no_pass_phrase);
    if (set != MOSQ_ERR_SUCCESS)
      return Error{Fault::invalid,
                   fmt::format("TLS: the files under `mqtt` cannot be used: {}", mosquitto_strerror(set))};
  }
  // libmosquitto sets up its TLS with the first such connection, and two at a time would both do it.
  static std::mutex first;
  static std::atomic<bool> is_set_up{false};
  std::unique_lock alone(first, std::defer_lock);
  if (url.tls && !is_set_up) alone.lock();
  errno = 0;
  auto opened = checked(mosquitto_connect_async(raw, host.c_str(), url.port, keep_alive));
  if (url.tls && opened) is_set_up = true;
  return opened;
}

bool Handle::open_apart(const std::shared_ptr<Handle>& handle, const BrokerOptions& broker, const BrokerUrl& url,
                        int keep_alive) {
  return openers().start([handle, broker, url, keep_alive] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    const auto done = handle->open(broker, url.host, url, keep_alive);
    if (!done) handle->open_trouble_ = done.error().text;
    handle->opened_.store(true, std::memory_order_release);
  });
}

void Handle::wait_for_openers(Instant deadline) { openers().wait(deadline); }

Result<void> Handle::checked(int code) {
  if (code == MOSQ_ERR_SUCCESS || code == MOSQ_ERR_CONN_PENDING) return {};
  return error_of(code, errno, logged_);
}

Result<void> Handle::read() { return checked(mosquitto_loop_read(mosquitto_.get(), 1)); }
Result<void> Handle::write() { return checked(mosquitto_loop_write(mosquitto_.get(), 1)); }
Result<void> Handle::keep_alive() { return checked(mosquitto_loop_misc(mosquitto_.get())); }

Result<void> Handle::subscribe(const std::vector<Subscription>& subscriptions) {
  for (const Subscription& subscription : subscriptions) {
    int id = 0;
    const int code = mosquitto_subscribe(mosquitto_.get(), &id, subscription.filter.c_str(), subscription.qos);
    if (code == MOSQ_ERR_INVAL || code == MOSQ_ERR_MALFORMED_UTF8) {
      refused.push_back(subscription.filter);
      continue;
    }
    if (auto sent = checked(code); !sent) return sent;
    asked_.push_back({id, subscription.filter, subscription.optional});
    unanswered = asked_.size();
  }
  return {};
}

Result<void> Handle::publish(const Message& message) {
  int id = 0;
  errno = 0;
  const int code =
      mosquitto_publish(mosquitto_.get(), &id, message.topic.c_str(), static_cast<int>(message.payload.size()),
                        message.payload.data(), message.qos, message.retain);
  if (code == MOSQ_ERR_SUCCESS) {
    if (message.qos > 0) unacknowledged_.push_back(id);
    return {};
  }
  const bool bad = code == MOSQ_ERR_INVAL || code == MOSQ_ERR_PAYLOAD_SIZE || code == MOSQ_ERR_MALFORMED_UTF8 ||
                   code == MOSQ_ERR_OVERSIZE_PACKET;
  if (bad) return Error{Fault::invalid, fmt::format("topic '{}': {}", message.topic, mosquitto_strerror(code))};
  return checked(code);
}

std::string Handle::connack_text(int code) {
  switch (code) {
    case 2:
      return "the broker refused the client id";
    case 4:
      return "the broker refused user or password; check `user` and `password_file` under `mqtt`";
    case 5:
      return "the broker refused this client: not authorized; check `user` and `password_file` under `mqtt`";
    default:
      return fmt::format("the broker refused the connection: {}", mosquitto_connack_string(code));
  }
}

}  // namespace tandem::mqtt
