// SPDX-License-Identifier: Apache-2.0
// How far the platform goes after the link is lost in full motion, by the physics' truth. The bounds are those of
// docs/cable_robot.md, with the times of these tests.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "tests/machines/cable_robot/cable_rig.hpp"
#include "tests/machines/rigs/modbus_answer_rows.hpp"
#include "tests/machines/rigs/modbus_fault_rows.hpp"
#include "tests/machines/rigs/modbus_relay.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::rig;

namespace {

constexpr double full_speed = 0.3;        // m/s, as configured
constexpr double feedback_timeout = 0.4;  // s: longer than the default, as the host may be busy
constexpr double watchdog = 0.4;          // s
constexpr double half_way = 0.1;          // m, each way

// The bounds of docs/cable_robot.md. Without a new command the cables go on for 20 ms; then the drums brake, and the
// platform swings in its cables.
constexpr double told_no_more = full_speed * 0.02 + 0.005;  // m
// The last command is repeated until the feedback is too old.
constexpr double told_again = told_no_more + 0.005;
// New commands are made of old feedback for as long.
constexpr double told_by_old_feedback = full_speed * feedback_timeout + told_no_more;
// Drums that follow tensions give way to a platform in motion.
constexpr double pulled_on = 0.05;

std::vector<std::string> settings_for(const char* mode) {
  return {fmt::format("winch_mode={}", mode), fmt::format("speed={}", full_speed),
          fmt::format("feedback_timeout={}", feedback_timeout), fmt::format("watchdog={}", watchdog)};
}

Eigen::Vector3d place_of(const VirtualDevice& device) {
  const auto p = device.truth().position;
  return {p[0], p[1], p[2]};
}

// Where the platform goes from now on: until it has been at rest for a while.
double way_to_rest(const VirtualDevice& device) {
  const Eigen::Vector3d from = place_of(device);
  double farthest = 0;
  Instant moved = now();
  const Instant until = soon();
  while (now() - moved < 300ms && now() < until) {
    farthest = std::max(farthest, (place_of(device) - from).norm());
    if (Cables::speed(device) > 0.002) moved = now();
    pass(1ms);
  }
  CHECK(now() < until);
  return farthest;
}

// Bits of the winches that are enabled, and whether their watchdog had tripped, as another client reads them.
struct Seen {
  std::uint16_t enabled = 0;
  bool tripped = false;
};
Seen look_at(const VirtualDevice& device) {
  auto client = modbus::Client::connect({"127.0.0.1", port_of(device.url()), 1}, soon());
  REQUIRE(client);
  std::array<std::uint16_t, feedback::first> head{};
  REQUIRE(client->read_registers(feedback::start, head, soon()));
  return {head[feedback::enabled], (head[feedback::status] & feedback::status_watchdog) != 0};
}

bool in_full_motion(const VirtualDevice& device) {
  return Cables::speed(device) > 0.8 * full_speed && std::abs(place_of(device).x()) < 0.5 * half_way;
}

// Moves to and fro between two places until it is in full motion.
bool sweep(SupervisedMachine& link, const VirtualDevice& device) {
  double side = 1;
  return eventually([&] {
    if (in_full_motion(device) && link.armed()) return true;
    if (side * place_of(device).x() < -0.95 * half_way || !link.state().has_target) {
      if (!link.armed()) (void)link.arm();
      side = -side;
      link.want(-side * half_way, 0, 0.3);
      pass(20ms);
    }
    return false;
  });
}

// The machine in a process of its own, so that it can be killed and paused: moves to and fro, armed once.
class MachineProcess {
 public:
  // Forks: before this process has other threads.
  MachineProcess() {
    REQUIRE(pipe(urls_.data()) == 0);
    child_ = fork();
    REQUIRE(child_ >= 0);
    if (child_ == 0) run();
  }
  ~MachineProcess() {
    send(SIGKILL);
    waitpid(child_, nullptr, 0);
    for (const int fd : urls_) close(fd);
  }
  MachineProcess(const MachineProcess&) = delete;
  MachineProcess& operator=(const MachineProcess&) = delete;

  void drive(const std::string& url) { REQUIRE(write(urls_[1], url.data(), url.size()) > 0); }
  void send(int signal) const { kill(child_, signal); }

 private:
  [[noreturn]] void run() {
    std::array<char, 128> url{};
    if (read(urls_[0], url.data(), url.size() - 1) <= 0) _exit(1);
    SupervisedMachine link(url.data(), settings_for("length"));
    link.start();
    if (!link.flows() || !link.arm()) _exit(1);
    for (double x = half_way;; x = -x) {
      link.want(x, 0, 0.3);
      pass(1500ms);
    }
  }

  std::array<int, 2> urls_{};
  pid_t child_ = -1;
};

// The winches, in this process.
struct Winches {
  Winches()
      : device(Cables::make(Cables::device_setup(faults))),
        thread([this](const std::stop_token& stop) { device->run(stop); }) {}
  WinchFaults faults;
  std::unique_ptr<VirtualDevice> device;
  std::jthread thread;
};

struct Loss {
  std::function<void(Rig&)> strike;
  double bound = told_no_more;  // m
  std::function<void(Rig&)> heal = {};
  bool trips = false;  // the watchdog does, and stays so
  const char* mode = "length";
};

void play_loss(const Loss& loss) {
  Rig rig(Mode::idle, settings_for(loss.mode));
  rig.link.start();
  REQUIRE_MESSAGE(rig.link.flows(), rig.link.all());
  REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
  REQUIRE_MESSAGE(sweep(rig.link, *rig.device), rig.link.all());
  loss.strike(rig);
  const double way = way_to_rest(*rig.device);
  CAPTURE(way);
  CHECK(way <= loss.bound);
  CHECK_MESSAGE(eventually([&] { return look_at(*rig.device).enabled == 0; }), rig.link.all());
  CHECK_MESSAGE(eventually([&] { return !rig.link.armed(); }), rig.link.all());
  const bool tripped = look_at(*rig.device).tripped;
  if (loss.trips) CHECK(tripped);

  // The link comes back, and nothing else does.
  const Eigen::Vector3d rest = rig.place();
  if (loss.heal) loss.heal(rig);
  rig.link.want(half_way, half_way, 0.3);
  CHECK_MESSAGE(rig.link.flows(20), rig.link.all());
  pass(200ms);
  const Seen after = look_at(*rig.device);
  CHECK(after.enabled == 0);
  CHECK(after.tripped == tripped);
  CHECK((rig.place() - rest).norm() < 0.001);
  CHECK_FALSE(rig.link.armed());
  CHECK(rig.link.recorder.violations == 0);
}

void listen_again(Rig& rig) { REQUIRE(rig.proxy.listen_again().ok()); }

void reset_link(Rig& rig) {
  rig.proxy.stop_listening();
  rig.proxy.cut(net::Cut::rst);
}

}  // namespace

TEST_CASE("a link that is reset and refused leaves the platform where it is") {
  play_loss({.strike = reset_link, .heal = listen_again, .trips = true});
}

TEST_CASE("a link that is reset and back at once leaves the platform where it is") {
  play_loss({.strike = [](Rig& rig) { rig.proxy.cut(net::Cut::rst); }});
}

TEST_CASE("in a black hole the platform stays where it is") {
  play_loss({.strike = [](Rig& rig) { rig.proxy.apply(net::Faults::both({.black_hole = true})); },
             .heal = kit::clear_and_cut<Rig>,
             .trips = true});
}

TEST_CASE("requests that were held up and all come at once move nothing") {
  play_loss({.strike = [](Rig& rig) { rig.proxy.apply(net::Faults::both({.hold = true})); },
             .heal = kit::clear<Rig>,
             .trips = true});
}

TEST_CASE("with late answers the winches hold") {
  play_loss(
      {.strike = [](Rig& rig) { rig.proxy.apply(kit::to_client({.delay = duration_of(1.3 * feedback_timeout)})); },
       .bound = told_again,
       .heal = kit::clear_and_cut<Rig>});
}

TEST_CASE("when only the answers vanish the winches get the hold command") {
  play_loss({.strike = [](Rig& rig) { rig.proxy.apply(kit::to_client({.black_hole = true})); },
             .bound = told_again,
             .heal = kit::clear_and_cut<Rig>});
}

TEST_CASE("behind a half-open connection the platform stays where it is") {
  play_loss({.strike = [](Rig& rig) { rig.proxy.apply(net::Faults::both({.black_hole = true})); },
             .heal =
                 [](Rig& rig) {
                   CHECK(eventually([&] { return rig.link.status().state != runtime::LinkState::live; }));
                   rig.proxy.clear();  // the winches still have the old connection
                 },
             .trips = true});
}

TEST_CASE("winches that restart hold") {
  play_loss({.strike = [](Rig& rig) { rig.faults.next(WinchFaults::restart, 1); }});
}

TEST_CASE("winches whose answers are replayed get the hold command") {
  play_loss({.strike =
                 [](Rig& rig) {
                   rig.faults.feedback_frozen = true;
                   rig.faults.beat_frozen = true;
                 },
             .bound = told_by_old_feedback,
             .heal =
                 [](Rig& rig) {
                   rig.faults.feedback_frozen = false;
                   rig.faults.beat_frozen = false;
                 }});
}

TEST_CASE("winches in tension control hold when their watchdog trips") {
  play_loss({.strike = reset_link, .bound = pulled_on, .heal = listen_again, .trips = true, .mode = "tension"});
  play_loss(
      {.strike = [](Rig& rig) { rig.proxy.apply(kit::to_client({.delay = duration_of(1.3 * feedback_timeout)})); },
       .bound = pulled_on,
       .heal = kit::clear_and_cut<Rig>,
       .mode = "tension"});
}

TEST_CASE("switching off is repeated until the winches are read as off") {
  std::atomic<int> swallowed{0};
  kit::Behind<Cables> behind(kit::Habit::plain, {"watchdog=60"});
  behind.relay.swallow([&](const modbus::Request& request) {
    const auto* write = std::get_if<modbus::WriteRegisters>(&request);
    const bool off = write != nullptr && write->address == command::start && write->values[command::enable] == 0;
    return off && ++swallowed <= 3;
  });
  behind.link.latch().stop("a test", "test");
  CHECK_MESSAGE(eventually([&] { return look_at(*behind.device).enabled == 0; }), behind.link.all());
  CHECK(swallowed > 3);
}

TEST_CASE("when the machine's process is killed the platform stays where it is") {
  MachineProcess machine;
  Winches winches;
  machine.drive(winches.device->url());
  REQUIRE(eventually([&] { return in_full_motion(*winches.device); }));
  machine.send(SIGKILL);
  CHECK(way_to_rest(*winches.device) <= told_no_more);
  CHECK(eventually([&] { return look_at(*winches.device).tripped; }));
  CHECK(look_at(*winches.device).enabled == 0);
}

TEST_CASE("when the machine's process is paused the platform stays where it is and does not move on afterwards") {
  MachineProcess machine;
  Winches winches;
  machine.drive(winches.device->url());
  REQUIRE(eventually([&] { return in_full_motion(*winches.device); }));
  machine.send(SIGSTOP);
  CHECK(way_to_rest(*winches.device) <= told_no_more);
  CHECK(eventually([&] { return look_at(*winches.device).tripped; }));
  const Eigen::Vector3d rest = place_of(*winches.device);
  machine.send(SIGCONT);
  pass(1s);
  CHECK((place_of(*winches.device) - rest).norm() < 0.001);
  CHECK(look_at(*winches.device).enabled == 0);
  CHECK(look_at(*winches.device).tripped);
}
