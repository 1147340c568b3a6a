// SPDX-License-Identifier: Apache-2.0
// A client from one connection to the next; all in the loop's thread.
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <system_error>

#include "tandem/net/resolver.hpp"
#include "tandem/protocols/mqtt/impl.hpp"

namespace tandem::mqtt {
namespace {

constexpr Duration attempt_limit = 5s;   // from the broker's name to the last answer to SUBSCRIBE
constexpr Duration silence_limit = 10s;  // of the broker's TCP while bytes are on their way
constexpr Duration lasting = 5s;         // a connection that ends sooner does not shorten the back-off
constexpr Duration told_at_most = 10s;   // attempts that fail
constexpr Duration misc_period = 250ms;  // keep-alive
constexpr Duration polled = 5ms;         // what another thread does for us

int socket_error(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

Instant Client::Impl::next_care(Instant now) const {
  switch (stage_) {
    case Stage::resting:
      return next_attempt_;
    case Stage::resolving:
    case Stage::opening:
      return now + polled;
    case Stage::connecting:
    case Stage::greeting:
    case Stage::leaving:
      return std::min(deadline_, next_misc_);
    case Stage::live:
      return next_misc_;
    case Stage::gone:
      break;
  }
  return now + 1h;
}

Instant Client::Impl::advance(Instant now) {
  switch (stage_) {
    case Stage::resting:
      if (now >= next_attempt_) begin(now);
      break;
    case Stage::resolving:
      resolve(now);
      break;
    case Stage::opening:
      if (handle_->opened()) {
        if (!handle_->open_trouble().empty()) {
          fail(now, handle_->open_trouble());
        } else {
          stage_ = Stage::connecting;
          watch();
        }
      } else if (now >= deadline_) {
        fail(now, "no connection within 5 s");
      }
      break;
    case Stage::connecting:
    case Stage::greeting:
      if (now >= deadline_) {
        fail(now, stage_ == Stage::connecting ? "no connection within 5 s" : "the broker did not answer within 5 s");
      } else if (now >= next_misc_) {
        next_misc_ = now + misc_period;
      }
      break;
    case Stage::live:
      if (now < next_misc_) break;
      next_misc_ = now + misc_period;
      if (auto alive = handle_->keep_alive(); !alive) {
        fail(now, alive.error().text);
      } else {
        watch();
      }
      break;
    case Stage::leaving:
      next_misc_ = now + polled;
      pump(now);
      break;
    case Stage::gone:
      break;
  }
  return next_care(now);
}

void Client::Impl::begin(Instant now) {
  stage_ = Stage::resolving;
  deadline_ = now + attempt_limit;
  resolve(now);
}

void Client::Impl::resolve(Instant now) {
  // Without waiting: the answer of the thread that asks is kept for the next time.
  const auto endpoint = net::resolve(url.host, url.port, now);
  if (endpoint) return open(now, endpoint->host());
  if (endpoint.error().fault != Fault::timeout || now >= deadline_) fail(now, endpoint.error().text);
}

void Client::Impl::open(Instant now, const std::string& host) {
  if (!greeting_) greeting_ = callbacks.greet ? callbacks.greet() : Greeting{};
  subscriptions_ = greeting_->subscriptions;
  auto made = Handle::make(client_id, *greeting_, broker);
  if (!made) return fail(now, made.error().text);
  handle_ = *std::move(made);
  handle_->received = [this](const mosquitto_message& message) { take(message); };
  if (url.tls) {
    // With its name, for the certificate.
    stage_ = Stage::opening;
    if (!Handle::open_apart(handle_, broker, url, keep_alive)) fail(now, "too many TLS connections begin at once");
    return;
  }
  if (auto opened = handle_->open(broker, host, url, keep_alive); !opened) return fail(now, opened.error().text);
  stage_ = Stage::connecting;
  next_misc_ = now + misc_period;
  watch();
}

// The socket in the poller, for what is wanted of it now.
void Client::Impl::watch() {
  const int fd = handle_->socket();
  const bool write = stage_ == Stage::connecting || handle_->wants_write();
  if (fd == watched_ && (fd < 0 || write == watching_write_)) return;
  if (fd != watched_ && fd >= 0) {
    const auto limit = static_cast<unsigned>(milliseconds(silence_limit));
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof limit);
  }
  unwatch();
  if (fd < 0) return;
  if (!loop.poller.add(fd, this, true, write)) return;  // looked after by its deadlines alone
  watched_ = fd;
  watching_write_ = write;
}

void Client::Impl::unwatch() {
  if (watched_ >= 0) loop.poller.remove(watched_);
  watched_ = -1;
}

Instant Client::Impl::ready(Instant now) {
  if (!handle_ || stage_ == Stage::opening || handle_->socket() < 0) return next_care(now);
  if (stage_ == Stage::connecting) {
    if (const int error = socket_error(handle_->socket()); error != 0) {
      fail(now, std::generic_category().message(error));
      return next_care(now);
    }
    stage_ = Stage::greeting;
    greeting_.reset();  // CONNECT leaves with the next write
  }
  auto done = handle_->wants_write() ? handle_->write() : Result<void>();
  if (done && handle_->socket() >= 0) done = handle_->read();
  if (stage_ == Stage::leaving) {
    if (!done || handle_->socket() < 0) {
      finish_leaving(now);
    } else {
      pump(now);
    }
    return next_care(now);
  }
  if (stage_ == Stage::greeting) listen(now);
  if (stage_ == Stage::resting) return next_care(now);  // refused
  if (!done) {
    fail(now, done.error().text);
  } else if (stage_ == Stage::live) {
    pump(now);
  } else if (handle_) {
    watch();
  }
  return next_care(now);
}

// What the broker answered to CONNECT and SUBSCRIBE.
void Client::Impl::listen(Instant now) {
  if (!handle_->connack) return;
  if (*handle_->connack != 0) return fail(now, Handle::connack_text(*handle_->connack));
  if (subscribed_) {
    if (handle_->unanswered == 0) go_live(now);
    return;
  }
  subscribed_ = true;
  if (auto sent = handle_->subscribe(subscriptions_); !sent) return fail(now, sent.error().text);
  if (handle_->unanswered == 0) go_live(now);
}

void Client::Impl::go_live(Instant now) {
  stage_ = Stage::live;
  live_since_ = now;
  next_misc_ = now + misc_period;
  told_.reset();
  bool wished = false;
  {
    const std::lock_guard lock(mutex);
    ++counters.connects;
    counters.connected = true;
    counters.trouble.clear();
    for (const std::string& filter : handle_->refused)
      counters.trouble +=
          fmt::format("{}the broker refused the subscription to {}", counters.trouble.empty() ? "" : "; ", filter);
    wished = leave_wished || restart_wished;
    online = !wished;
  }
  if (wished) return leave_now(now);
  if (callbacks.connected) callbacks.connected();
}

Instant Client::Impl::noticed(Instant now) {
  bool wished = false;
  {
    const std::lock_guard lock(mutex);
    queued = false;
    wished = leave_wished || restart_wished;
  }
  if (wished && stage_ != Stage::leaving && stage_ != Stage::gone) leave_now(now);
  if (stage_ == Stage::live || stage_ == Stage::leaving) pump(now);
  return next_care(now);
}

void Client::Impl::fail(Instant now, std::string why) {  // a copy: it may be of the handle
  const bool was_live = stage_ == Stage::live;
  unwatch();
  handle_.reset();
  const std::size_t unsent = drop_waiting();
  const std::string text = fmt::format("{}: {}", broker_text(broker), why);
  bool for_ever = false;
  {
    const std::lock_guard lock(mutex);
    counters.connected = false;
    counters.dropped += unsent;
    counters.trouble = text;
    if (was_live) ++counters.lost;
    for_ever = leave_wished;
    if (for_ever) away = true;
    left.notify_all();
  }
  const bool tell = was_live || !told_ || now - *told_ >= told_at_most;
  if (!was_live && tell) told_ = now;
  rest(now);
  if (for_ever) stage_ = Stage::gone;
  if (tell && callbacks.lost) callbacks.lost(text);
}

void Client::Impl::rest(Instant now) {
  if (stage_ == Stage::live || stage_ == Stage::leaving) {
    if (now - live_since_ >= lasting) backoff_.reset();
    away_since_ = now;
  }
  subscribed_ = false;
  stage_ = Stage::resting;
  next_attempt_ = now + backoff_.next(now - away_since_);
}

void Client::Impl::take(const mosquitto_message& message) {
  const auto size = static_cast<std::size_t>(std::max(message.payloadlen, 0));
  {
    const std::lock_guard lock(mutex);
    ++counters.received;
    if (size > largest_received) {
      ++counters.too_large;
      return;
    }
  }
  if (!callbacks.received || message.topic == nullptr) return;
  const auto* bytes = static_cast<const char*>(message.payload);
  callbacks.received(
      {message.topic, size == 0 ? std::string() : std::string(bytes, size), message.qos, message.retain});
}

void Client::Impl::end() {
  unwatch();
  handle_.reset();
  stage_ = Stage::gone;
  const std::lock_guard lock(mutex);
  online = false;
  counters.connected = false;
  away = true;
  left.notify_all();
}

}  // namespace tandem::mqtt
