// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/faults/proxy.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <future>
#include <mutex>

#include "tandem/base/thread.hpp"
#include "tandem/net/faults/line.hpp"
#include "tandem/net/system_error.hpp"

namespace tandem::net {

// Calls are carried out on the proxy's own thread: a socket that another thread closes under a sleeping poll stays open
// until the poll returns, and a cut would not have happened when cut() returns.
class FaultProxy::Engine {
 public:
  Engine(std::unique_ptr<FaultLine> line, Descriptor bell) : line_(std::move(line)), bell_(std::move(bell)) {
    thread_ = Thread("fault proxy", [this](const std::stop_token& stop) { run(stop); });
  }
  ~Engine() {
    thread_.request_stop();
    ring();
    thread_.join();
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Carries out `change(line, faults)` and gives what it gives.
  template <typename Change>
  auto with_line(Change change) {
    std::packaged_task<std::invoke_result_t<Change, FaultLine&, Faults&>()> task(
        [&] { return change(*line_, faults_); });
    auto done = task.get_future();
    {
      const std::scoped_lock lock(mutex_);
      calls_.emplace_back([&task] { task(); });
    }
    ring();
    if (SteppedTime::takes_part())
      SteppedTime::wait({}, Instant::max(), [&] { return done.wait_for(0s) == std::future_status::ready; });
    return done.get();
  }

 private:
  void ring() { eventfd_write(bell_.get(), 1); }

  void run(const std::stop_token& stop) {
    std::vector<Watch> watches;
    while (!stop.stop_requested()) {
      carry_out_calls();
      line_->pump(faults_, now());
      watches.assign(1, Watch{.fd = bell_.get()});
      Instant wake = Instant::max();
      line_->watch(faults_, watches, wake);
      const auto woken = wait(watches, wake);
      if (!woken) system_clock().sleep_until(now() + 1ms);  // no memory to poll; try again
    }
  }

  void carry_out_calls() {
    eventfd_t rings = 0;
    eventfd_read(bell_.get(), &rings);
    std::vector<std::function<void()>> calls;
    {
      const std::scoped_lock lock(mutex_);
      calls.swap(calls_);
    }
    for (const auto& call : calls) call();
  }

  std::mutex mutex_;
  std::vector<std::function<void()>> calls_;  // guarded by the mutex
  Faults faults_;                             // these two belong to the thread
  std::unique_ptr<FaultLine> line_;
  Descriptor bell_;
  Thread thread_;
};

Result<FaultProxy> FaultProxy::start(const Options& options) {
  auto line = options.udp ? udp_fault_line(options) : tcp_fault_line(options);
  if (!line) return within("fault proxy", std::move(line).error());
  Descriptor bell(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!bell) return connection_error("fault proxy", errno);
  return FaultProxy(std::make_unique<Engine>(std::move(*line), std::move(bell)));
}

FaultProxy::FaultProxy(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
FaultProxy::FaultProxy(FaultProxy&&) noexcept = default;
FaultProxy& FaultProxy::operator=(FaultProxy&&) noexcept = default;
FaultProxy::~FaultProxy() = default;

Endpoint FaultProxy::endpoint() const {
  return engine_->with_line([](FaultLine& line, Faults&) { return line.endpoint(); });
}

void FaultProxy::apply(const Faults& faults) {
  engine_->with_line([&](FaultLine&, Faults& current) { current = faults; });
}

void FaultProxy::apply(const Faults& faults, std::uint64_t seed) {
  engine_->with_line([&](FaultLine& line, Faults& current) {
    line.reseed(seed);
    current = faults;
  });
}

void FaultProxy::cut(Cut how) {
  engine_->with_line([&](FaultLine& line, Faults&) { line.cut(how); });
}

void FaultProxy::inject_to_device(Bytes bytes) {
  engine_->with_line([&](FaultLine& line, Faults&) { line.inject(true, bytes, now()); });
}

void FaultProxy::inject_to_client(Bytes bytes) {
  engine_->with_line([&](FaultLine& line, Faults&) { line.inject(false, bytes, now()); });
}

void FaultProxy::stop_listening() {
  engine_->with_line([](FaultLine& line, Faults&) { line.stop_listening(); });
}

Result<void> FaultProxy::listen_again() {
  return engine_->with_line([](FaultLine& line, Faults&) { return line.listen_again(); });
}

void FaultProxy::redirect(const Endpoint& upstream) {
  engine_->with_line([&](FaultLine& line, Faults&) { line.redirect(upstream); });
}

ProxyCounts FaultProxy::counts() const {
  return engine_->with_line([](FaultLine& line, Faults&) { return line.counts(); });
}

}  // namespace tandem::net
