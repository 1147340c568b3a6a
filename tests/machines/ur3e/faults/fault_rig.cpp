// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/ur3e/faults/fault_rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <stdexcept>

#include "tandem/machines/ur3e/options.hpp"
#include "tandem/protocols/ur/rtde/client.hpp"
#include "tandem/runtime/config/config.hpp"

namespace tandem::ur3e::faults {
namespace {

constexpr double far_from_truth = 0.6;  // rad: what the rate gate lets through in a few periods
constexpr double swing_speed = 0.1;     // rad/s
constexpr double moved_on = 0.01;       // rad
constexpr double at_rest = 2e-3;        // rad/s

template <typename T>
void raise(std::atomic<T>& most, T value) {
  if (value > most) most = value;  // one thread writes
}

class Witness final : public machines::Machine {
 public:
  Witness(std::unique_ptr<ur3e::Machine> bridge, const Eye& eye, Account& account)
      : bridge_(std::move(bridge)), eye_(eye), account_(account) {}

  Result<void> connect(Instant deadline) override {
    newest_ = -1;
    const Instant begun = now();
    auto connected = bridge_->connect(deadline);
    raise(account_.slowest, (now() - begun).count());
    if (!connected) account_.say(connected.error().text);
    return connected;
  }

  Result<machines::Cycle> cycle(const machines::Permit& permit) override {
    if (const auto pause = account_.pause_for.exchange(0); pause > 0) pass(Duration(pause));
    const Instant begun = now();
    auto cycle = bridge_->cycle(permit);
    raise(account_.slowest, (now() - begun).count());
    if (!cycle) {
      account_.say(cycle.error().text);
    } else if (cycle->quality == Quality::live) {
      check();
      ++account_.live;
    }
    if (cycle) account_.say(cycle->why.view());
    return cycle;
  }

  void disconnect() noexcept override { bridge_->disconnect(); }
  Duration period() const override { return bridge_->period(); }
  bool moves() const override { return bridge_->moves(); }
  std::vector<machines::Value> values() const override { return bridge_->values(); }

 private:
  void check() {
    const State state = bridge_->state();
    const Seen truth = eye_.seen();
    const double stamp = state.controller.timestamp;
    bool good = stamp > newest_;
    newest_ = stamp;
    // False for what is no number.
    for (std::size_t i = 0; i < 6; ++i)
      good = good && std::abs(state.controller.actual_q[i] - truth.q[i]) < far_from_truth;
    if (truth.stamp == 0) good = stamp > 0;  // it looks away: its controller is gone
    if (truth.stamp > stamp) raise(account_.oldest, truth.stamp - stamp);
    if (good) return;
    ++account_.wrong;
    account_.say(fmt::format("WRONG SAMPLE SHOWN: {} rad at {} s", state.controller.actual_q[0], stamp));
  }

  std::unique_ptr<ur3e::Machine> bridge_;
  const Eye& eye_;
  Account& account_;
  double newest_ = -1;  // s, stamp of the sample shown last on this connection
};

net::FaultProxy proxy_to(std::uint16_t port) {
  auto proxy = net::FaultProxy::start({.upstream = loopback_port(port)});
  if (!proxy) throw std::runtime_error(proxy.error().text);
  return std::move(*proxy);
}

std::unique_ptr<VirtualDevice> controller_with(PendantScript& pendant) {
  VirtualDeviceSetup setup;
  setup.script = &pendant;
  return std::make_unique<VirtualDevice>(setup);
}

}  // namespace

double Seen::fastest() const {
  double most = 0;
  for (const double speed : qd) most = std::max(most, std::abs(speed));
  return most;
}

void Eye::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    watch(port_, stop);
    pass(20ms);
  }
}

void Eye::watch(std::uint16_t port, const std::stop_token& stop) {
  seen_.put({});
  auto client = ur::RtdeClient::connect("127.0.0.1", port, in(1s));
  const std::vector<std::string> names = {"timestamp", "actual_q", "actual_qd", "input_int_register_25"};
  if (!client || !client->setup_outputs(names, 125, in(1s)) || !client->start(in(1s))) return;
  ur::Variables values;
  while (!stop.stop_requested() && port == port_) {
    const auto received = client->receive_newest(values, in(100ms));
    if (!received && received.error().fault != Fault::timeout) return;
    if (!received) continue;
    seen_.put({values.state.timestamp, values.state.actual_q, values.state.actual_qd,
               values.inputs.input_int_register[script::inputs::sequence]});
  }
}

void HoldUp::run(const std::stop_token& stop) {
  constexpr Duration pause = 1ms;
  const timespec request{.tv_sec = 0, .tv_nsec = std::chrono::nanoseconds(pause).count()};
  while (!stop.stop_requested()) {
    const Instant begun = now();
    clock_nanosleep(CLOCK_MONOTONIC, 0, &request, nullptr);
    const Duration::rep late = (now() - begun - pause).count();
    for (Duration::rep longest = longest_; late > longest && !longest_.compare_exchange_weak(longest, late);) {
    }
  }
}

Rig::Rig(Mode mode_, double cycle_hz, Clock& clock, const std::string& device)
    : mode(mode_),
      controller(controller_with(pendant)),
      controller_thread([this](const std::stop_token& stop) { controller->run(stop); }),
      rtde(proxy_to(controller->ports().rtde)),
      primary(proxy_to(controller->ports().primary)),
      eye(controller->ports().rtde) {
  machines::Setup setup{.name = "arm", .device = device, .options = {}, .clock = &clock, .tap = &capture};
  if (device.empty())
    setup.device = fmt::format("rtde://{}?primary={}&dashboard={}", rtde.endpoint().text(), primary.endpoint().port,
                               controller->ports().dashboard);
  const std::vector<std::string> settings = {fmt::format("cycle_hz={}", cycle_hz), "gripper=false",
                                             "servo_watchdog=0.5"};
  setup.options = runtime::options_from_settings(bridge_options(), settings);
  auto machine = std::make_unique<Machine>(setup);
  bridge = machine.get();
  supervisor = std::make_unique<runtime::Supervisor>("arm", std::make_unique<Witness>(std::move(machine), eye, account),
                                                     clock, [this](const runtime::Event& event) {
                                                       const std::lock_guard lock(mutex_);
                                                       events_.push_back(event);
                                                     });
}

Rig::~Rig() {
  machine_thread_ = {};  // before what its events and requests use
  supervisor.reset();
  controller_thread = {};
}

void Rig::start() {
  REQUIRE(eventually([&] { return eye.seen().stamp > 0; }));
  machine_thread_ = std::jthread([this](const std::stop_token& stop) { supervisor->run(stop); });
}

void Rig::kill_controller() {
  controller_thread = {};
  controller.reset();
}

void Rig::restart_controller() {
  controller = controller_with(pendant);
  controller_thread = std::jthread([this](const std::stop_token& stop) { controller->run(stop); });
  eye.look_at(controller->ports().rtde);
  REQUIRE(eventually([&] { return eye.seen().stamp > 0; }));
  rtde.redirect(loopback_port(controller->ports().rtde));
  primary.redirect(loopback_port(controller->ports().primary));
}

bool Rig::flows(std::uint64_t more) {
  const std::uint64_t before = account.live;
  return eventually([&] { return account.live >= before + more && live(); });
}

void Rig::post_swing() {
  auto wanted = std::make_shared<TrajectoryRequest>();
  const Six from = eye.seen().q;
  const double side = from[0] > 0 ? -1 : 1;
  Joints q = Joint6D::from_radians(from).vector(), qd = Joints::Zero();
  q[0] += side * swing_speed * 0.5;
  qd[0] = side * swing_speed;
  wanted->points.push_back({1, q, qd, {}});
  q[0] += side * swing_speed * 20;
  wanted->points.push_back({21, q, qd, {}});
  wanted->finished = [this](Finish, const std::string&) { ++given_up; };
  bridge->commands().trajectory.post(std::move(wanted));
}

bool Rig::swing() {
  for (int attempt = 0; attempt < 5; ++attempt) {
    supervisor->latch().reset("test");
    if (!eventually([&] { return live() && supervisor->latch().arm("test").ok(); })) return false;
    eventually([&] { return bridge->state().armed || !armed(); });
    if (!armed()) continue;
    const double standing = eye.seen().q[0];
    pass(100ms);
    CHECK(std::abs(eye.seen().q[0] - standing) < no_motion);
    post_swing();
    if (moves()) return true;
  }
  return false;
}

bool Rig::moves() {
  const double from = eye.seen().q[0];
  eventually([&] { return std::abs(eye.seen().q[0] - from) > moved_on || !armed(); }, 5s);
  return armed() && std::abs(eye.seen().q[0] - from) > moved_on;
}

bool Rig::stands() {
  return eventually([&] { return eye.seen().fastest() < at_rest; });
}

long Rig::events(std::string_view kind) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::count_if(events_, [&](const auto& event) { return event.kind == kind; });
}

long Rig::events() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(events_);
}

}  // namespace tandem::ur3e::faults
