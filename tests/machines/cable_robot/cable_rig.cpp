#include "tests/machines/cable_robot/cable_rig.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/cable_robot/options.hpp"
#include "tandem/net/url.hpp"
#include "tandem/runtime/config.hpp"

namespace tandem::cable_robot::rig {
namespace {

constexpr Duration stop_grace = 3s;   // from the end of a permit to the last command, with braking, on a busy host
constexpr double slow = 0.003;        // m/s: at rest
constexpr double widest_step = 0.02;  // m: what a cable goes in a cycle, and more; a jump is beyond

net::FaultProxy proxy_to(const net::Endpoint& upstream) {
  auto proxy = net::FaultProxy::start({.upstream = upstream});
  if (!proxy) throw std::runtime_error(proxy.error().text);
  return std::move(*proxy);
}

net::Endpoint endpoint_of(const VirtualRobot& winches) {
  auto endpoint = net::resolve("127.0.0.1", port_of(winches.url()));
  if (!endpoint) throw std::runtime_error(endpoint.error().text);
  return *endpoint;
}

VirtualRobotSetup coarse(WinchFaults& faults) {
  VirtualRobotSetup setup;
  setup.station.limits = limits_for(setup.robot);
  setup.station.body.cycle = 0.004;
  setup.clock = &system_clock();
  setup.faults = &faults;
  return setup;
}

std::vector<std::string> with_task(Mode mode, std::vector<std::string> settings) {
  if (mode == Mode::moving) settings.insert(settings.begin(), {"task=path", "task_period=10"});
  return settings;
}

}  // namespace

std::uint16_t port_of(const std::string& url) { return winch_peer_from(url).port; }

machines::Options options(const std::vector<std::string>& settings) {
  std::vector<std::string> all = {"cycle_hz=100", "feedback_timeout=0.6", "response_timeout=0.3", "watchdog=1"};
  all.insert(all.end(), settings.begin(), settings.end());
  return runtime::options_from_settings(bridge_options(), all);
}

machines::Setup setup_for(const std::string& device, const std::vector<std::string>& settings, Clock& clock) {
  machines::Setup setup;
  setup.name = "cables";
  setup.device = device;
  setup.options = options(settings);
  setup.clock = &clock;
  return setup;
}

void Recorder::passed(net::Direction direction, Bytes bytes, Instant stamp) noexcept {
  if (direction != net::Direction::out) return;
  while (!bytes.empty()) {
    const std::size_t taken = framer_.feed(bytes);
    bytes = bytes.subspan(taken);
    while (true) {
      const auto frame = framer_.next();
      if (!frame || !*frame) break;
      const auto request = modbus::decode_request((*frame)->pdu);
      if (const auto* good = std::get_if<modbus::Request>(&request)) note(*good, stamp);
    }
    if (taken == 0) framer_.clear();  // a connection that ended in the middle of a request
  }
}

void Recorder::note(const modbus::Request& request, Instant stamp) {
  if (latch_ != nullptr && latch_->status().state == runtime::ArmState::armed) armed_at_ = stamp;
  if (const auto* write = std::get_if<modbus::WriteRegisters>(&request)) {
    if (write->address == command::start) note_command(write->values.span(), stamp);
    if (write->address == cable_robot::limits::start) ++limits;
  }
  const auto* coil = std::get_if<modbus::WriteCoil>(&request);
  if (coil != nullptr && coil->address == coils::reset && coil->value) ++pulses;
  const std::lock_guard lock(mutex_);
  std::string words = modbus::describe(request);
  if (log_.size() < 100 && (log_.empty() || log_.back() != words)) log_.push_back(std::move(words));
}

void Recorder::note_command(std::span<const std::uint16_t> words, Instant stamp) {
  const bool enable = words[command::enable] != 0;
  const bool move = enable && words[command::mode] != static_cast<std::uint16_t>(WinchMode::hold);
  ++(enable ? enables : disables);
  if (!move) return lengths_.clear();
  ++moves;
  if (stamp - armed_at_ > stop_grace) ++violations;
  std::vector<double> lengths;
  for (std::size_t at = command::first; at + command::stride <= words.size(); at += command::stride) {
    const auto raw = static_cast<std::int32_t>((std::uint32_t{words[at]} << 16) | words[at + 1]);
    lengths.push_back(raw / length_scale);
  }
  for (std::size_t i = 0; i < lengths.size() && lengths_.size() == lengths.size(); ++i)
    widest_step = std::max(widest_step.load(), std::abs(lengths[i] - lengths_[i]));
  lengths_ = std::move(lengths);
}

std::vector<std::string> Recorder::log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

Link::Link(const std::string& device, const std::vector<std::string>& settings, Clock& clock) {
  machines::Setup setup = setup_for(device, settings, clock);
  setup.tap = &recorder;
  auto owned = std::make_unique<Bridge>(setup);
  bridge = owned.get();
  supervisor = std::make_unique<runtime::Supervisor>(
      "cables", std::move(owned), clock,
      [this](const runtime::Event& event) { say(fmt::format("{}: {}", event.kind, event.text)); });
  recorder.watch(supervisor->latch());
  watcher_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const State state = bridge->state();
      for (const auto& text : {state.why, state.stopped, state.refusal}) say(text);
      say(status().cause);
      say(latch().status().cause);
      pass(3ms);
    }
  });
}

Link::~Link() {
  for (std::jthread* thread : {&watcher_, &thread_}) {
    thread->request_stop();
    if (thread->joinable()) thread->join();
  }
}

bool Link::flows(std::uint64_t more) {
  const std::uint64_t before = status().samples;
  return eventually([&] { return status().samples >= before + more && live(); });
}

bool Link::arm() {
  latch().reset("test");
  return eventually([&] {
    (void)latch().arm("test");
    const Activity activity = state().activity;
    return activity == Activity::resting || activity == Activity::moving;
  });
}

void Link::want(double x, double y, double z) { bridge->orders().pose.post({{x, y, z, 0, 0, 0, 1}, now()}); }

Rig::Rig(Mode mode_, const std::vector<std::string>& settings, Clock& clock)
    : mode(mode_),
      winch_setup(coarse(faults)),
      winches(make_virtual_robot(winch_setup)),
      winch_thread_([this](const std::stop_token& stop) { winches->run(stop); }),
      proxy(proxy_to(endpoint_of(*winches))),
      link(fmt::format("modbus://{}", proxy.endpoint().text()), with_task(mode_, settings), clock) {}

void Rig::kill_winches() {
  winch_thread_.request_stop();
  winch_thread_.join();
  winches.reset();
}

void Rig::restart_winches() {
  if (winches) kill_winches();
  winches = make_virtual_robot(winch_setup);
  winch_thread_ = std::jthread([this](const std::stop_token& stop) { winches->run(stop); });
  proxy.redirect(endpoint_of(*winches));
}

Eigen::Vector3d Rig::place() const {
  if (!winches) return Eigen::Vector3d::Zero();
  const auto p = winches->truth().position;
  return {p[0], p[1], p[2]};
}

double Rig::speed() const {
  if (!winches) return 0;
  const auto v = winches->truth().velocity;
  return Eigen::Vector3d(v[0], v[1], v[2]).norm();
}

bool Rig::moves() {
  return eventually([this] { return speed() > 3 * slow; });
}

// For a while, as a path stands still for a moment where it turns.
bool Rig::rests() {
  return eventually([this] {
    for (int i = 0; i < 20; ++i) {
      if (speed() > slow) return false;
      pass(5ms);
    }
    return true;
  });
}

namespace {

void expect_effect(const Row& row, Rig& rig) {
  for (const std::string_view part : row.shows) {
    const bool said = eventually([&] { return rig.link.said(part); });
    CHECK_MESSAGE(said, "expected a cause with '" << part << "', got:" << rig.link.all());
  }
  if (rig.mode == Mode::idle || row.effect == Row::Effect::either) return;
  if (row.effect == Row::Effect::none) {
    CHECK_MESSAGE(rig.link.flows(20), rig.link.all());
    CHECK_MESSAGE(rig.link.armed(), rig.link.all());
    CHECK_MESSAGE(rig.moves(), rig.link.all());
    return;
  }
  CHECK_MESSAGE(eventually([&] { return !rig.link.armed(); }), rig.link.all());
  if (row.effect == Row::Effect::stop) CHECK_MESSAGE(rig.link.stopped(), rig.link.all());
  CHECK_MESSAGE(rig.rests(), rig.link.all());
}

// Once more live: nothing moves by itself, and everything does when told.
void expect_return(const Row& row, Rig& rig, std::uint64_t connects) {
  CHECK_MESSAGE(rig.link.flows(), "not live again: " << rig.link.status().cause.view() << rig.link.all());
  if (row.effect == Row::Effect::loss && !row.before) CHECK(rig.link.status().connects > connects);
  if (row.after) row.after(rig);
  if (rig.mode == Mode::idle || row.effect == Row::Effect::none || !row.again) return;
  if (row.effect != Row::Effect::either) {
    CHECK_MESSAGE(rig.rests(), rig.link.all());
    pass(200ms);
    CHECK_MESSAGE(rig.speed() < slow, rig.link.all());
    CHECK_FALSE(rig.link.armed());
  }
  CHECK_MESSAGE(rig.link.arm(), rig.link.all());
  CHECK_MESSAGE(rig.moves(), rig.link.all());
}

void play_in(const Row& row, Mode mode) {
  const std::string mode_name = mode == Mode::idle ? "idle" : "moving";
  CAPTURE(mode_name);
  Rig rig(mode, row.settings);
  if (row.before) row.before(rig);
  rig.link.start();
  if (!row.before) REQUIRE_MESSAGE(rig.link.flows(), rig.link.all());
  if (mode == Mode::moving && !row.before) {
    REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
    REQUIRE_MESSAGE(rig.moves(), rig.link.all());
  }
  const std::size_t descriptors = open_descriptors(), before_threads = running_threads();
  const std::uint64_t connects = rig.link.status().connects;
  rig.link.forget();
  if (row.strike) row.strike(rig);
  expect_effect(row, rig);
  if (row.lift) row.lift(rig);
  expect_return(row, rig, connects);
  const Recorder& recorder = rig.link.recorder;
  CHECK_MESSAGE(recorder.violations == 0, fmt::format("{}", fmt::join(recorder.log(), "; ")));
  CHECK_MESSAGE(recorder.widest_step < widest_step, rig.link.all());
  CHECK(rig.link.status().state != runtime::LinkState::faulted);
  if (mode == Mode::idle) CHECK(recorder.enables == 0);
  CHECK(open_descriptors() <= descriptors + 8);
  CHECK(running_threads() <= before_threads);
}

}  // namespace

void play(const Row& row) {
  if (row.idle) play_in(row, Mode::idle);
  play_in(row, Mode::moving);
}

}  // namespace tandem::cable_robot::rig
