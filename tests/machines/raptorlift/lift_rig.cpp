#include "tests/machines/raptorlift/lift_rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tandem/machines/raptorlift/machine_options.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/runtime/config.hpp"

namespace tandem::raptorlift::rig {
namespace {

constexpr Duration stop_grace = 1s;  // from the end of a permit to the last command, on a busy host

net::Endpoint endpoint_of(const VirtualLift& plc) {
  const PlcAddress address = plc_address_from(plc.url());
  auto endpoint = net::resolve(address.host, address.port);
  if (!endpoint) throw std::runtime_error(endpoint.error().text);
  return *endpoint;
}

net::FaultProxy proxy_to(const net::Endpoint& upstream) {
  auto proxy = net::FaultProxy::start({.upstream = upstream});
  if (!proxy) throw std::runtime_error(proxy.error().text);
  return std::move(*proxy);
}

VirtualLiftSetup plain(PlcFaults& faults) {
  VirtualLiftSetup setup;
  setup.physics = false;
  setup.step = 5ms;
  setup.watchdog = 1s;
  setup.clock = &system_clock();
  setup.faults = &faults;
  return setup;
}

}  // namespace

machines::Options options(const std::vector<std::string>& settings) {
  const std::vector<machines::Option> table = machines::joined({bridge_options(), machine_options()});
  std::vector<std::string> all = {"cycle_hz=50", "feedback_timeout=0.6", "response_timeout=0.3", "acceleration=10"};
  all.insert(all.end(), settings.begin(), settings.end());
  return runtime::options_from_settings(table, all);
}

machines::Setup setup_for(const std::string& device, const std::vector<std::string>& settings, Clock& clock) {
  machines::Setup setup;
  setup.name = "lift";
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
  bool drive = false;
  if (const auto* write = std::get_if<modbus::WriteRegisters>(&request); write != nullptr && write->address == 0) {
    ++writes;
    const auto words = write->values.span();
    drive = words[0] != 0 || words[1] != 0 || words[4] != 0 || words[5] != 0;
    if (std::ranges::all_of(words, [](std::uint16_t word) { return word == 0; })) ++zeros;
  }
  if (const auto* coil = std::get_if<modbus::WriteCoil>(&request)) {
    const bool enable = coil->address > 8192;
    drive = enable && coil->value;
    if (enable && !coil->value) ++disables;
    if (!enable && coil->value) ++pulses;
  }
  if (drive) ++drives;
  if (drive && stamp - armed_at_ > stop_grace) ++violations;
  const std::lock_guard lock(mutex_);
  std::string words = modbus::describe(request);
  if (log_.size() < 1000 && (log_.empty() || log_.back() != words)) log_.push_back(std::move(words));
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
      "lift", std::move(owned), clock,
      [this](const runtime::Event& event) { say(fmt::format("{}: {}", event.kind, event.text)); });
  recorder.watch(supervisor->latch());
  driver_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (wants_) bridge->orders().post(VelocityInput::reference, {{v_, w_}, now()});
      pass(20ms);
    }
  });
  watcher_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const State state = bridge->state();
      say(state.why);
      say(state.stopped);
      say(status().cause);
      say(supervisor->latch().status().cause);
      pass(3ms);
    }
  });
}

Link::~Link() {
  for (std::jthread* thread : {&driver_, &watcher_, &thread_}) {
    thread->request_stop();
    if (thread->joinable()) thread->join();
  }
}

bool Link::flows(std::uint64_t more) {
  const std::uint64_t before = status().samples;
  return eventually([&] { return status().samples >= before + more && live(); });
}

bool Link::arm() {
  supervisor->latch().reset("test");
  return eventually([&] {
    (void)supervisor->latch().arm("test");
    return state().activity == Activity::driving;
  });
}

void Link::want(double v, double w) {
  v_ = v;
  w_ = w;
  wants_ = true;
}

Rig::Rig(Mode mode_, const std::vector<std::string>& settings, Clock& clock)
    : mode(mode_),
      plc_setup(plain(faults)),
      plc(make_virtual_lift(plc_setup)),
      plc_thread_([this](const std::stop_token& stop) { plc->run(stop); }),
      proxy(proxy_to(endpoint_of(*plc))),
      link(fmt::format("modbus://{}", proxy.endpoint().text()), settings, clock) {}

void Rig::kill_plc() {
  plc_thread_.request_stop();
  plc_thread_.join();
  plc.reset();
}

void Rig::restart_plc() {
  if (plc) kill_plc();
  plc = make_virtual_lift(plc_setup);
  plc_thread_ = std::jthread([this](const std::stop_token& stop) { plc->run(stop); });
  proxy.redirect(endpoint_of(*plc));
}

double Rig::speed() const {
  if (!plc) return 0;
  const TruckState truth = plc->truth();
  return std::max(std::abs(truth.speeds[0]), std::abs(truth.speeds[1]));
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
    CHECK_MESSAGE(rig.rolls(), rig.link.all());
    return;
  }
  CHECK_MESSAGE(eventually([&] { return !rig.link.armed(); }), rig.link.all());
  CHECK_MESSAGE(rig.rests(), rig.link.all());
}

// Once more live: nothing moves by itself, and everything does when told.
void expect_return(const Row& row, Rig& rig, std::uint64_t connects) {
  CHECK_MESSAGE(rig.link.flows(), "not live again: " << rig.link.status().cause.view() << rig.link.all());
  if (row.effect == Row::Effect::loss && !row.before) CHECK(rig.link.status().connects > connects);
  if (row.after) row.after(rig);
  if (rig.mode == Mode::idle || row.effect == Row::Effect::none) return;
  if (row.effect != Row::Effect::either) {
    CHECK_MESSAGE(rig.rests(), rig.link.all());
    pass(200ms);
    CHECK_MESSAGE(rig.speed() < 0.1, rig.link.all());
    CHECK_FALSE(rig.link.armed());
  }
  CHECK_MESSAGE(rig.link.arm(), rig.link.all());
  CHECK_MESSAGE(rig.rolls(), rig.link.all());
}

void play_in(const Row& row, Mode mode) {
  const char* const mode_name = mode == Mode::idle ? "idle" : "driving";
  CAPTURE(mode_name);
  Rig rig(mode, row.settings);
  if (row.before) row.before(rig);
  rig.link.start();
  if (!row.before) REQUIRE_MESSAGE(rig.link.flows(), rig.link.all());
  if (mode == Mode::driving) {
    rig.link.want(0.4, 0.1);
    if (!row.before) {
      REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
      REQUIRE_MESSAGE(rig.rolls(), rig.link.all());
    }
  }
  const std::size_t descriptors = open_descriptors(), before_threads = running_threads();
  const std::uint64_t connects = rig.link.status().connects;
  rig.link.forget();
  if (row.strike) row.strike(rig);
  expect_effect(row, rig);
  if (row.lift) row.lift(rig);
  expect_return(row, rig, connects);
  CHECK_MESSAGE(rig.link.recorder.violations == 0, fmt::format("{}", fmt::join(rig.link.recorder.log(), "; ")));
  CHECK(rig.link.status().state != runtime::LinkState::faulted);
  if (mode == Mode::idle) CHECK(rig.link.recorder.drives == 0);
  CHECK(open_descriptors() <= descriptors + 8);
  CHECK(running_threads() <= before_threads);
}

}  // namespace

void play(const Row& row) {
  if (row.idle) play_in(row, Mode::idle);
  play_in(row, Mode::driving);
}

}  // namespace tandem::raptorlift::rig
