// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/em1500/rig.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <cmath>
#include <filesystem>

#include "tandem/machines/em1500/control/machine.hpp"
#include "tandem/machines/em1500/options.hpp"
#include "tandem/runtime/config/config.hpp"

namespace tandem::em1500::faults {
namespace {

constexpr Duration slowest_allowed = 3s;  // of one call; the bridge's own limits add up to 0.6 s

void raise(std::atomic<Duration::rep>& most, Duration value) { most = std::max(most.load(), value.count()); }

std::vector<double> value_of(const machines::Machine& machine, std::string_view name) {
  for (const auto& value : machine.values())
    if (value.name == name) return value.numbers;
  return {};
}

class Witness final : public machines::Machine {
 public:
  Witness(std::unique_ptr<machines::Machine> bridge, const Oracle& oracle, Account& account)
      : bridge_(std::move(bridge)), oracle_(oracle), account_(account) {}

  Result<void> connect(Instant deadline) override {
    const Instant begun = system_clock().now();
    auto connected = bridge_->connect(deadline);
    raise(account_.slowest, system_clock().now() - begun);
    if (connected) ++account_.connects;
    if (!connected) account_.say(connected.error().text);
    return connected;
  }

  Result<machines::Cycle> cycle(const machines::Permit& permit) override {
    if (const auto pause = account_.pause_for.exchange(0); pause > 0) pass(Duration(pause));
    const Instant begun = system_clock().now();
    auto cycle = bridge_->cycle(permit);
    raise(account_.slowest, system_clock().now() - begun);
    if (!cycle) {
      account_.say(cycle.error().text);
    } else if (cycle->quality == Quality::live) {
      check(cycle->readable);
      ++account_.live;
    } else {
      account_.refused += cycle->readable != Instant{};
      account_.say(cycle->why.view());
    }
    return cycle;
  }

  void disconnect() noexcept override { bridge_->disconnect(); }
  Duration period() const override { return bridge_->period(); }
  std::vector<machines::Value> values() const override { return bridge_->values(); }

 private:
  void check(Instant readable) {
    const auto pose = value_of(*bridge_, "PLC pose");
    const auto legs = value_of(*bridge_, "displacement");
    bool good = pose.size() == 6 && legs.size() == 6;
    for (const double leg : legs) good = good && std::abs(leg) < 3;  // false for NaN
    for (const double axis : pose) good = good && std::abs(axis) <= 2;
    if (good && oracle_.exact) {
      for (std::size_t i = 0; i < 6; ++i) good = good && std::abs(pose[i] - ramp_shares[i] * pose[2]) < 1e-12;
      const Instant made = oracle_.epoch + duration_of((pose[2] - ramp_start) / ramp_speed);
      raise(account_.oldest, readable - made);
      good = good && made >= newest_;  // never back in time
      newest_ = made;
    }
    if (good) return;
    ++account_.wrong;
    account_.say(
        fmt::format("WRONG VALUE PUBLISHED: {}", pose.size() == 6 ? fmt::format("{} {}", pose[0], pose[2]) : ""));
  }

  std::unique_ptr<machines::Machine> bridge_;
  Oracle oracle_;
  Account& account_;
  Instant newest_{};  // when the last pose was made
};

machines::Setup setup_for(const std::string& device, std::span<const std::string> settings, Clock& clock) {
  machines::Setup setup{.name = "platform", .device = device, .options = {}, .clock = &clock};
  setup.options = runtime::options_from_settings(bridge_options(), settings);
  return setup;
}

net::FaultProxy proxy_to(const net::Endpoint& upstream) {
  auto proxy = net::FaultProxy::start({.upstream = upstream});
  if (!proxy) throw std::runtime_error(proxy.error().text);
  return std::move(*proxy);
}

}  // namespace

std::unique_ptr<machines::Machine> witness(std::unique_ptr<machines::Machine> bridge, const Oracle& oracle,
                                           Account& account) {
  return std::make_unique<Witness>(std::move(bridge), oracle, account);
}

SupervisedMachine::SupervisedMachine(const std::string& device, const Oracle& oracle,
                                     std::span<const std::string> settings, Clock& clock)
    : supervisor("platform", witness(std::make_unique<Machine>(setup_for(device, settings, clock)), oracle, account),
                 clock, [this](const runtime::Event& event) {
                   const std::lock_guard lock(mutex_);
                   events_.push_back(event);
                 }) {}

long SupervisedMachine::events(std::string_view kind) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::count_if(events_, [&](const auto& event) { return event.kind == kind; });
}

long SupervisedMachine::events() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(events_);
}

Rig::Rig(Mode mode_, bool exact, std::vector<std::string> settings, Clock& clock)
    : mode(mode_),
      plc(std::make_unique<BenchPlc>(epoch, wire)),
      proxy(proxy_to(plc->endpoint())),
      link("ads://" + proxy.endpoint().text(), {epoch, exact}, settings, clock) {
  if (mode == Mode::idle) plc->idle(true);
}

void Rig::kill_plc() { plc.reset(); }

void Rig::restart(const BenchPlc::Declare& declare) {
  plc.reset();
  plc = std::make_unique<BenchPlc>(epoch, wire, declare);
  proxy.redirect(plc->endpoint());
}

namespace {

void expect_effect(const Row& row, Rig& rig, std::uint64_t connects_before) {
  Account& account = rig.link.account;
  for (const std::string_view part : row.shows) {
    const bool said = eventually([&] { return account.said(part); });
    CHECK_MESSAGE(said, "expected a cause with '" << part << "', got:" << account.all());
  }
  if (rig.mode == Mode::idle) return;
  if (row.effect == Row::Effect::none) {
    CHECK_MESSAGE(rig.link.flows(20), account.all());
    CHECK_MESSAGE(account.connects == connects_before, account.all());
    return;
  }
  CHECK(eventually([&] { return rig.link.status().quality != Quality::live || account.connects > connects_before; }));
  if (row.effect == Row::Effect::stale) CHECK_MESSAGE(account.connects == connects_before, account.all());
}

void check_always(const Row& row, Rig& rig) {
  const Account& account = rig.link.account;
  CHECK_MESSAGE(account.wrong == 0, account.all());
  CHECK(Duration(account.oldest.load()) < row.oldest);
  CHECK(Duration(account.slowest.load()) < slowest_allowed);
  CHECK(rig.wire.writes == 0);
  CHECK(rig.link.status().state != runtime::LinkState::faulted);
}

void play_in(const Row& row, Mode mode) {
  CAPTURE(name(mode));
  Rig rig(mode, row.exact, row.settings);
  if (row.before) row.before(rig);
  rig.link.start();
  if (!row.before) {
    REQUIRE_MESSAGE(rig.connected(), rig.link.account.all());
    if (mode == Mode::streaming) REQUIRE_MESSAGE(rig.link.flows(), rig.link.account.all());
  }
  const std::size_t descriptors = open_descriptors(), before_threads = running_threads();
  // With `before`, the first connection comes with the strike.
  const std::uint64_t connects = std::max<std::uint64_t>(1, rig.link.account.connects);
  rig.link.account.forget();
  if (row.strike) row.strike(rig);
  expect_effect(row, rig, connects);
  if (row.lift) row.lift(rig);
  if (mode == Mode::idle) rig.plc->idle(false);
  CHECK_MESSAGE(rig.link.flows(), "not live again: " << rig.link.status().cause.view() << rig.link.account.all());
  if (row.effect == Row::Effect::loss && mode == Mode::streaming && !row.before)
    CHECK_MESSAGE(rig.link.account.connects > connects, rig.link.account.all());
  if (row.after) row.after(rig);
  check_always(row, rig);
  // Each connection is three descriptors in this process: the bridge's, the proxy's two; and the PLC's one.
  CHECK(open_descriptors() <= descriptors + 8);
  CHECK(running_threads() <= before_threads);
}

}  // namespace

void play(const Row& row) {
  std::optional<Wire> calm;
  std::optional<BenchPlc> neighbour_plc;
  std::optional<SupervisedMachine> neighbour;
  const Instant epoch = system_clock().now();
  if (row.beside) {
    neighbour_plc.emplace(epoch, calm.emplace());
    neighbour.emplace("ads://" + neighbour_plc->endpoint().text(), Oracle{epoch});
    neighbour->start();
    REQUIRE(neighbour->flows());
  }
  const Instant begun = system_clock().now();
  const std::uint64_t before = neighbour ? neighbour->account.live.load() : 0;
  if (row.not_idle == nullptr) play_in(row, Mode::idle);
  play_in(row, Mode::streaming);
  if (!neighbour) return;
  // A busy host may cost it samples, the fault must not: far from all of them, and never its connection.
  const double expected = 100 * seconds(system_clock().now() - begun);
  CHECK(static_cast<double>(neighbour->account.live - before) > 0.5 * expected);
  CHECK(neighbour->account.connects == 1);
  CHECK(neighbour->account.wrong == 0);
}

}  // namespace tandem::em1500::faults
