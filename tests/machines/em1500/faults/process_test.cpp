// SPDX-License-Identifier: Apache-2.0
// The common faults G20 to G24: clocks, our own process, descriptors, and peers that come and go.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tandem/base/sanitizers.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ads/client/client.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tests/machines/em1500/rig.hpp"
#include "tests/runtime/counter/machine.hpp"
#include "tests/runtime/counter/virtual_device.hpp"

using namespace tandem;
using namespace tandem::em1500;
using namespace tandem::em1500::faults;
using Effect = Row::Effect;
using runtime::ArmState;
using runtime::LinkState;

namespace {

// A machine that moves, under its supervisor, in this process.
struct Mover {
  explicit Mover(const std::string& device)
      : supervisor("counter", counter::machine_type().make(setup_for(device)), system_clock(), {}),
        thread([this](std::stop_token stop) { supervisor.run(stop); }) {}

  static machines::Setup setup_for(const std::string& device) {
    machines::Setup setup{.name = "counter", .device = device, .options = {}, .clock = &system_clock()};
    setup.options = runtime::default_options(counter::machine_type().options);
    return setup;
  }
  bool armed() const { return supervisor.latch().status().state == ArmState::armed; }
  bool live() const { return supervisor.status().state == LinkState::live; }

  runtime::Supervisor supervisor;
  std::jthread thread;
};

// A process of its own that arms its machine once. It ends with 0 when that was disarmed and stayed so while the link
// came back.
pid_t moving_process(const std::string& device) {
  const pid_t child = fork();
  if (child != 0) return child;
  int code = 1;
  {
    Mover mover(device);
    const bool moved = eventually([&] { return mover.live() && mover.supervisor.latch().arm("test").ok(); });
    const bool disarmed = moved && eventually([&] { return !mover.armed(); });
    const bool back = disarmed && eventually([&] { return mover.live(); });
    pass(200ms);
    if (back && !mover.armed()) code = 0;
  }
  _exit(code);
}

struct MovingDevice {
  MovingDevice() : device(setup()) {}
  static machines::VirtualSetup setup() {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    setup.options = runtime::default_options(counter::machine_type().options);
    return setup;
  }
  void start() {
    thread = std::jthread([this](std::stop_token stop) { device.run(stop); });
  }
  bool moves(std::uint32_t more = 5) {
    const std::uint32_t before = device.commands();
    return eventually([&] { return device.commands() >= before + more; });
  }

  counter::CounterDevice device;
  std::jthread thread;
};

}  // namespace

TEST_CASE("G20 clocks jump by an hour") {
  for (const Duration jump : {Duration(1h), Duration(-1h)}) {
    play({.strike = [=](Rig& rig) { rig.plc->ahead = jump.count(); }, .effect = Effect::none});
  }
  JumpyClock clock;
  for (const Mode mode : {Mode::idle, Mode::streaming}) {
    Rig rig(mode, true, {}, clock);
    rig.link.start();
    REQUIRE(rig.connected());
    for (const Duration jump : {Duration(1h), Duration(-1h)}) {
      if (mode == Mode::streaming) REQUIRE(rig.link.flows());
      clock.ahead += jump.count();
    }
    if (mode == Mode::idle) rig.plc->idle(false);
    CHECK(rig.link.flows());
    CHECK(rig.link.account.connects == 1);
    CHECK(rig.link.account.wrong == 0);
  }
}

TEST_CASE("G21 our process is stopped for a while") {
  play({.strike = [](Rig& rig) { rig.link.account.pause_for = Duration(800ms).count(); },
        .effect = Effect::none,
        .after =
            [](Rig& rig) {
              if (rig.mode == Mode::streaming) CHECK(rig.link.account.refused <= 30);  // no work on the backlog
            }});
  MovingDevice stage;
  const pid_t child = moving_process(stage.device.url());
  REQUIRE(child > 0);
  stage.start();
  CHECK(stage.moves());
  kill(child, SIGSTOP);
  pass(100ms);
  const std::uint32_t commands = stage.device.commands();
  pass(800ms);
  kill(child, SIGCONT);
  int status = -1;
  CHECK(eventually([&] { return waitpid(child, &status, WNOHANG) == child; }, 40s));
  CHECK(status == 0);
  CHECK(stage.device.commands() <= commands + 1);  // one may have been past its permit when the process stopped
}

TEST_CASE("G22 our process is killed while it moves a machine") {
  MovingDevice stage;
  const pid_t child = moving_process(stage.device.url());
  REQUIRE(child > 0);
  stage.start();
  CHECK(stage.moves());
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  pass(100ms);
  const std::uint32_t commands = stage.device.commands();
  pass(200ms);
  CHECK(stage.device.commands() == commands);

  Mover again(stage.device.url());
  CHECK(eventually([&] { return again.live(); }));
  pass(200ms);
  CHECK_FALSE(again.armed());
  CHECK(stage.device.commands() == commands);
  CHECK(again.supervisor.latch().arm("test").ok());
  CHECK(stage.moves());
}

TEST_CASE("G23 the peer takes nothing more") {
  // Requests pile up on the way; the samples do not need them, an idle link does.
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply({{.hold = true}, {}});
            },
        .effect = Effect::none,
        .lift = [](Rig& rig) { rig.proxy.clear(); }});

  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener);
  auto client = ads::Client::connect({"127.0.0.1", listener->local().port, {{{1, 2, 3, 4, 1, 1}}, 851}, {}},
                                     system_clock().now() + 5s);
  REQUIRE(client);
  const std::vector<std::uint8_t> much(12u << 20, 1);
  const Instant begun = system_clock().now();
  const auto written = client->write(0x4020, 0, much, begun + 300ms);
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().fault == Fault::timeout);
  CHECK(system_clock().now() - begun < 3s);
  CHECK_FALSE(client->open());
}

TEST_CASE("G24 the peer comes and goes twenty times a second") {
  play({.strike =
            [](Rig& rig) {
              const std::uint64_t attempts = rig.link.status().attempts;
              for (int i = 0; i < 30; ++i) {
                rig.proxy.cut(i % 2 == 0 ? net::Cut::rst : net::Cut::fin);
                if (i % 4 == 0) rig.proxy.stop_listening();
                pass(50ms);
                if (i % 4 == 0) REQUIRE(rig.proxy.listen_again().ok());
              }
              CHECK(rig.link.status().attempts - attempts < 50);
              CHECK(rig.link.events() < 30);
            },
        .beside = true});
}

// UBSan looks at objects through a pipe of its own; without descriptors it reports what is not there.
#if !defined(TANDEM_ADDRESS_SANITIZER)
TEST_CASE("G24 no descriptors are left") {
  play({.strike = [](Rig& rig) {
    NoDescriptors none;
    rig.proxy.cut(net::Cut::rst);
    const auto named = [&] { return none.take(), rig.link.account.said("no file descriptors left"); };
    CHECK_MESSAGE(eventually(named), rig.link.account.all());
  }});
}
#endif

TEST_CASE("G24 another server has the port") {
  Stranger stranger;
  play({.strike =
            [&](Rig& rig) {
              rig.proxy.redirect(stranger.endpoint());
              rig.proxy.cut(net::Cut::rst);
            },
        .shows = {"AMS/TCP"},
        .lift = [](Rig& rig) { rig.proxy.redirect(rig.plc->endpoint()); }});
}

TEST_CASE("G24 there is no route to the peer") {
  for (const char* device : {"ads://240.0.0.1:48898", "ads://255.255.255.255:48898"}) {
    SupervisedMachine link(device, {system_clock().now()});
    link.start();
    CHECK(eventually([&] { return link.status().attempts >= 3; }));
    CHECK(link.status().state == LinkState::connecting);
    CHECK_FALSE(link.status().cause.empty());
    CHECK(link.events("away") == 1);
    CHECK(Duration(link.account.slowest.load()) < 3s);
  }
}
