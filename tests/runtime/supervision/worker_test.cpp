// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/worker.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace tandem::runtime {
namespace {

// A machine whose device is the other end of a pair of sockets, and does what the test says.
class Borrowed final : public machines::Machine, public machines::Shared {
 public:
  enum class Answer { live, whole, silent, doubted, doubted_once, lose, explode };
  struct Told {
    std::atomic<Answer> act{Answer::live};
    std::atomic<int> asked{0}, taken{0}, cycles{0}, disconnects{0};
    std::atomic<std::thread::id> asker{}, cycler{};
  };

  explicit Borrowed(Told& told) : told_(told) {}

  Result<void> connect(Instant) override {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return Error{Fault::refused, "no sockets"};
    near_ = net::Descriptor(ends[0]);
    far_ = net::Descriptor(ends[1]);
    next_ = now();
    return {};
  }
  Result<machines::Cycle> cycle(const machines::Permit&) override {
    told_.cycler = std::this_thread::get_id();
    ++told_.cycles;
    next_ += 5ms;
    system_clock().sleep_until(next_);
    return outcome();
  }
  void disconnect() noexcept override {
    ++told_.disconnects;
    near_.reset();
    far_.reset();
  }
  Duration period() const override { return 5ms; }
  std::vector<machines::Value> values() const override { return {}; }

  bool may_share() const override { return told_.act != Answer::whole; }
  Instant turn() const override { return next_ + 5ms; }
  void delay_turn(Duration delay) override { next_ += delay; }
  Result<bool> ask(const machines::Permit&) override {
    if (told_.act == Answer::explode) throw std::runtime_error("boom");
    if (told_.act == Answer::whole) return false;
    if (told_.act == Answer::lose) return Error{Fault::closed, "the peer closed"};
    told_.asker = std::this_thread::get_id();
    ++told_.asked;
    next_ += 5ms;
    deadline_ = now() + 30ms;
    if (told_.act != Answer::silent) (void)::write(far_.get(), "x", 1);
    return true;
  }
  int answer_fd() const override { return near_.get(); }
  Instant answer_deadline() const override { return deadline_; }
  std::optional<Result<machines::Cycle>> take() override {
    char byte = 0;
    if (::read(near_.get(), &byte, 1) != 1 && now() < deadline_) return std::nullopt;
    ++told_.taken;
    return Result<machines::Cycle>(outcome());
  }

 private:
  machines::Cycle outcome() {
    machines::Cycle cycle;
    Answer once = Answer::doubted_once;
    const bool doubted = told_.act.compare_exchange_strong(once, Answer::live) || told_.act == Answer::doubted;
    if (told_.act == Answer::silent) {
      cycle.quality = Quality::stale;
      return cycle;
    }
    cycle.quality = doubted ? Quality::invalid : Quality::live;
    cycle.readable = cycle.solved = cycle.published = now();
    return cycle;
  }

  Told& told_;
  net::Descriptor near_, far_;
  Instant next_{}, deadline_{};
};

struct WorkerBench {
  explicit WorkerBench(std::size_t count) : told(count) {
    for (auto& each : told) {
      supervisors.push_back(std::make_unique<Supervisor>("machine", std::make_unique<Borrowed>(each), system_clock(),
                                                         nullptr, SupervisorOptions{.calm_cycles = 3}));
    }
    thread = std::jthread([this](const std::stop_token& stop) { worker.run(stop); });
    for (auto& supervisor : supervisors) {
      own.emplace_back([this, &supervisor](const std::stop_token& stop) {
        supervisor->run(stop, [&](const std::stop_token& stopping) { worker.host(*supervisor, stopping); });
      });
    }
  }
  template <typename Holds>
  static bool eventually(Holds holds) {
    for (const Instant until = now() + 20s; now() < until; system_clock().sleep_until(now() + 2ms))
      if (holds()) return true;
    return false;
  }
  bool hosts(std::size_t count) const {
    return eventually([&] { return worker.machines() == count; });
  }
  // Whether it goes on, where it is.
  static bool flows(const std::atomic<int>& count) {
    return eventually([&, before = count.load()] { return count > before + 5; });
  }

  std::vector<Borrowed::Told> told;
  Worker worker{system_clock()};
  std::vector<std::unique_ptr<Supervisor>> supervisors;
  std::jthread thread;
  std::vector<std::jthread> own;
};

}  // namespace

TEST_CASE("a worker runs the cycles of calm machines in its own thread") {
  WorkerBench bench(20);
  REQUIRE(bench.hosts(20));
  for (auto& each : bench.told) {
    const int cycles = each.cycles;
    CHECK(WorkerBench::flows(each.taken));
    CHECK(each.asker.load() == bench.thread.get_id());
    CHECK(each.cycles == cycles);
  }
}

TEST_CASE("a cycle that takes more than one exchange is done by the machine's own thread until it is calm again") {
  WorkerBench bench(5);
  REQUIRE(bench.hosts(5));
  bench.told[2].act = Borrowed::Answer::whole;
  CHECK(bench.hosts(4));
  CHECK(WorkerBench::flows(bench.told[2].cycles));
  CHECK(bench.told[2].cycler.load() == bench.own[2].get_id());
  CHECK(WorkerBench::flows(bench.told[1].taken));
  bench.told[2].act = Borrowed::Answer::live;
  CHECK(bench.hosts(5));
  CHECK(bench.told[2].disconnects == 0);
}

TEST_CASE("a machine without an answer leaves the worker and a lost one connects again by itself") {
  WorkerBench bench(5);
  REQUIRE(bench.hosts(5));
  bench.told[0].act = Borrowed::Answer::silent;
  CHECK(bench.hosts(4));
  bench.told[0].act = Borrowed::Answer::live;
  REQUIRE(bench.hosts(5));
  bench.told[0].act = Borrowed::Answer::lose;
  CHECK(WorkerBench::eventually([&] { return bench.supervisors[0]->status().connects >= 2; }));
  CHECK(bench.told[0].disconnects >= 1);
  bench.told[0].act = Borrowed::Answer::live;
  CHECK(bench.hosts(5));
  for (std::size_t i = 1; i < 5; ++i) CHECK(bench.supervisors[i]->status().connects == 1);
}

TEST_CASE("a sample that is not believed leaves a machine on its worker and a link that goes stale by them does not") {
  WorkerBench bench(5);
  REQUIRE(bench.hosts(5));
  const int cycles = bench.told[1].cycles;
  for (int i = 0; i < 20; ++i) {
    bench.told[1].act = Borrowed::Answer::doubted_once;
    CHECK(WorkerBench::flows(bench.told[1].taken));
  }
  CHECK(bench.told[1].cycles == cycles);
  CHECK(bench.supervisors[1]->status().invalid >= 20);
  CHECK(bench.hosts(5));
  bench.told[1].act = Borrowed::Answer::doubted;
  CHECK(bench.hosts(4));
  CHECK(bench.supervisors[1]->status().state == LinkState::syncing);
  CHECK(WorkerBench::flows(bench.told[1].cycles));
  bench.told[1].act = Borrowed::Answer::live;
  CHECK(bench.hosts(5));
  CHECK(bench.told[1].disconnects == 0);
}

TEST_CASE("a machine that throws on a worker is faulted and named and the others go on") {
  WorkerBench bench(5);
  REQUIRE(bench.hosts(5));
  bench.told[3].act = Borrowed::Answer::explode;
  CHECK(WorkerBench::eventually([&] { return bench.supervisors[3]->status().state == LinkState::faulted; }));
  CHECK(bench.supervisors[3]->status().cause.view() == "boom");
  CHECK(bench.hosts(4));
  CHECK(WorkerBench::flows(bench.told[0].taken));
}

TEST_CASE("a stop takes a machine back and the end of a worker leaves all to their own threads") {
  WorkerBench bench(5);
  REQUIRE(bench.hosts(5));
  bench.own[4] = std::jthread();  // waits for its end
  CHECK(bench.supervisors[4]->status().state == LinkState::down);
  CHECK(bench.told[4].disconnects == 1);
  CHECK(bench.hosts(4));
  bench.thread = std::jthread();
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(WorkerBench::flows(bench.told[i].cycles));
    CHECK(bench.told[i].asked == bench.told[i].taken);  // no answer was left behind
    CHECK(bench.told[i].disconnects == 0);
  }
}

}  // namespace tandem::runtime
