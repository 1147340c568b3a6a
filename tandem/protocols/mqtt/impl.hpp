// SPDX-License-Identifier: Apache-2.0
// A client's state machine and the loop that runs it. Only for the sources of this folder.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "tandem/net/backoff.hpp"
#include "tandem/net/bell.hpp"
#include "tandem/net/poller.hpp"
#include "tandem/protocols/mqtt/handle.hpp"

namespace tandem::mqtt {

struct Client::Impl {
  Impl(Loop::Impl& loop, const BrokerOptions& broker, std::string client_id, std::chrono::seconds keep_alive,
       Callbacks callbacks);

  // Any thread.
  bool publish(Message message);
  void wish(bool come_back, std::vector<Message> farewell, Instant deadline);

  // The loop's thread, from here on. Each gives when it has to be called again at the latest.
  Instant advance(Instant now);  // time has passed
  Instant ready(Instant now);    // the socket is readable or writable
  Instant noticed(Instant now);  // something was published or wished for
  void end();                    // for ever, without a word to the broker

  enum class Stage { resting, resolving, opening, connecting, greeting, live, leaving, gone };

  Loop::Impl& loop;
  const BrokerOptions broker;
  const BrokerUrl url;
  const std::string client_id;
  const int keep_alive;
  const Callbacks callbacks;

  mutable std::mutex mutex;  // guards these
  std::deque<Message> waiting;
  std::size_t waiting_bytes = 0;
  bool online = false;  // publish() takes messages
  bool queued = false;  // the loop knows that there is something to do
  bool leave_wished = false, restart_wished = false;
  std::vector<Message> farewell;
  Instant leave_until{};
  bool away = false;  // left
  std::condition_variable left;
  Counters counters;

 private:
  void begin(Instant now);
  void resolve(Instant now);
  void open(Instant now, const std::string& host);
  void watch();
  void unwatch();
  void listen(Instant now);
  void go_live(Instant now);
  void pump(Instant now);
  void leave_now(Instant now);
  void finish_leaving(Instant now);
  void take(const mosquitto_message& message);
  void fail(Instant now, std::string why);
  void rest(Instant now);
  std::size_t drop_waiting();
  Instant next_care(Instant now) const;

  Stage stage_ = Stage::resting;
  std::shared_ptr<Handle> handle_;
  std::optional<Greeting> greeting_;  // of an attempt whose CONNECT did not leave
  std::vector<Subscription> subscriptions_;
  bool subscribed_ = false;  // asked for
  net::Backoff backoff_;
  Instant next_attempt_{}, deadline_{}, next_misc_{}, live_since_{}, away_since_{};
  std::optional<Instant> told_;  // lost() for an attempt that failed
  int watched_ = -1;
  bool watching_write_ = false;
  bool comes_back_ = false;  // after leaving
};

struct Loop::Impl {
  Impl();
  ~Impl();
  void add(std::shared_ptr<Client::Impl> client);
  void remove(const Client::Impl& client);  // waits until none of its callbacks runs
  void notice(Client::Impl& client);        // any thread
  bool in_loop() const { return std::this_thread::get_id() == thread_.get_id(); }

  net::Poller poller;

 private:
  void run(const std::stop_token& stop);
  void take_changes();
  void serve(Instant now);

  net::Bell bell_;
  std::mutex mutex_;  // guards these
  std::vector<std::shared_ptr<Client::Impl>> added_;
  std::vector<const Client::Impl*> removed_;
  std::vector<Client::Impl*> noticed_;
  std::condition_variable ended_;

  std::vector<std::shared_ptr<Client::Impl>> clients_;  // the loop's thread only, and so what follows
  std::vector<Client::Impl*> working_;
  Instant next_care_{};
  std::jthread thread_;  // last: the others are there when it begins
};

}  // namespace tandem::mqtt
