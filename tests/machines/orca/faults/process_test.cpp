// SPDX-License-Identifier: Apache-2.0
// What becomes of the vehicle when the bridge's process stands still or dies while it steers. Real signals, a real
// process, and the virtual vehicle, whose own failsafes have the last word.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/net/url.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"
#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

// Arms, once the autopilot lets it, and never again; steers ahead, and tells what happens line by line.
[[noreturn]] void be_a_bridge(const std::string& url, int out) {
  auto owned = std::make_unique<Machine>(
      rig::setup_for(url, system_clock(), {"parameters=[SYSID_MYGCS=200]", "switch_sources=false"}));
  Machine& bridge = *owned;
  runtime::Supervisor supervisor("sub", std::move(owned), system_clock(), [out](const runtime::Event& event) {
    const std::string line = std::string(event.kind) + ": " + event.text + "\n";
    static_cast<void>(!write(out, line.data(), line.size()));
  });
  bool armed = false;
  const Instant end = now() + 2min;
  while (now() < end) {
    supervisor.step({});
    if (!armed) static_cast<void>(supervisor.latch().arm("test").ok());
    armed = armed || bridge.state().activity == Activity::armed;
    bridge.commands().twist.post({{0.5, 0, 0}, 0, now()});
  }
  _exit(0);
}

constexpr double killed_way = 4;  // m, as docs/orca.md has it for full sticks; here they are half

// The bridge in a process of its own, and a ground station that only looks on.
class ProcessVoyage {
 public:
  ProcessVoyage() : vehicle_(make_virtual_device(setup())) {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    child_ = fork();  // before there are threads
    if (child_ == 0) be_a_bridge(vehicle_->url(), ends[1]);
    REQUIRE(child_ > 0);
    close(ends[1]);
    in_ = ends[0];
    vehicle_thread_ = std::jthread([this](const std::stop_token& stop) { vehicle_->run(stop); });
    reader_ = std::jthread([this] {
      std::array<char, 512> text{};
      for (ssize_t size = read(in_, text.data(), text.size()); size > 0; size = read(in_, text.data(), text.size())) {
        const std::lock_guard lock(mutex_);
        told_.append(text.data(), static_cast<std::size_t>(size));
      }
    });
    const auto url = net::parse_url(vehicle_->url());
    auto opened = mavlink::Link::open("udpout:127.0.0.1:" + std::to_string(*url->port));
    REQUIRE(opened.ok());
    station_.emplace(std::move(*opened));
  }
  ~ProcessVoyage() {
    if (child_ > 0) kill_child();
    reader_.join();  // the pipe ends with the child
    close(in_);
  }
  ProcessVoyage(const ProcessVoyage&) = delete;
  ProcessVoyage& operator=(const ProcessVoyage&) = delete;

  void signal_child(int signal) const { REQUIRE(kill(child_, signal) == 0); }
  void kill_child() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }
  // Until the vehicle's heartbeat says so.
  bool sees(bool armed, Duration limit = 40s) {
    const Instant end = now() + limit;
    while (now() < end) {
      if (now() >= beat_) {
        beat_ = now() + 500ms;
        station_->send(mavlink::Heartbeat{.type = 6, .autopilot = 8});
      }
      const auto frame = station_->receive(now() + 50ms);
      const auto heartbeat = frame ? frame->as<mavlink::Heartbeat>() : std::nullopt;
      if (heartbeat && frame->source == mavlink::Address{1, 1} && ((heartbeat->base_mode & 128) != 0) == armed)
        return true;
    }
    return false;
  }
  Eigen::Vector2d place() const { return vehicle_->truth().X_map_base.translation().head<2>(); }
  double speed() const {
    const Eigen::Vector3d before = vehicle_->truth().X_map_base.translation();
    const double start = vehicle_->truth().time;
    std::this_thread::sleep_for(200ms);
    const double time = vehicle_->truth().time - start;
    return time > 0 ? (vehicle_->truth().X_map_base.translation() - before).head<2>().norm() / time : 0;
  }
  bool reaches(double least, double most, Duration limit = 40s) {
    const Instant end = now() + limit;
    while (now() < end)
      if (const double v = speed(); v >= least && v <= most) return true;
    return false;
  }
  std::string told() const {
    const std::lock_guard lock(mutex_);
    return told_;
  }

 private:
  static VirtualDeviceSetup setup() {
    VirtualDeviceSetup setup;
    setup.clock = &system_clock();
    return setup;
  }

  std::unique_ptr<VirtualDevice> vehicle_;
  pid_t child_ = 0;
  int in_ = -1;
  mutable std::mutex mutex_;
  std::string told_;  // guarded
  std::jthread vehicle_thread_, reader_;
  std::optional<mavlink::Link> station_;
  Instant beat_{};
};

}  // namespace

TEST_CASE("G22 when the bridge is killed the autopilot's own failsafe disarms the vehicle and it comes to rest") {
  ProcessVoyage voyage;
  REQUIRE_MESSAGE(voyage.sees(true), voyage.told());
  REQUIRE_MESSAGE(voyage.reaches(0.2, 10), voyage.told());
  const Eigen::Vector2d from = voyage.place();
  voyage.kill_child();
  CHECK(voyage.sees(false));
  CHECK(voyage.reaches(0, 0.05));
  CHECK((voyage.place() - from).norm() < killed_way);
}

TEST_CASE("G21 a bridge that was stopped for two seconds disarms when it goes on and arms nothing by itself") {
  ProcessVoyage voyage;
  REQUIRE_MESSAGE(voyage.sees(true), voyage.told());
  REQUIRE_MESSAGE(voyage.reaches(0.2, 10), voyage.told());
  const Eigen::Vector2d from = voyage.place();
  voyage.signal_child(SIGSTOP);
  std::this_thread::sleep_for(2s);
  voyage.signal_child(SIGCONT);
  CHECK_MESSAGE(voyage.sees(false), voyage.told());
  CHECK_MESSAGE(voyage.told().find("disarmed") != std::string::npos, voyage.told());
  CHECK_FALSE(voyage.sees(true, 3s));
  CHECK(voyage.reaches(0, 0.05));
  CHECK((voyage.place() - from).norm() < killed_way);
}
