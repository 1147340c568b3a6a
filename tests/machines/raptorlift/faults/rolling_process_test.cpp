// SPDX-License-Identifier: Apache-2.0
// How far the truck rolls when the machine's process is killed, paused or ended at 1 m/s. Real signals, a real process,
// and the physics' own account; bounds are those of the table in docs/raptorlift.md.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "tests/machines/raptorlift/faults/rolling_rig.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;

namespace {

volatile sig_atomic_t ended = 0;

// Arms again and again while it may; wants 1 m/s all the time; ends as `tandem run` does.
[[noreturn]] void be_a_bridge(const std::string& url, const std::atomic<bool>& may_arm) {
  struct sigaction action {};
  action.sa_handler = [](int) { ended = 1; };
  sigaction(SIGTERM, &action, nullptr);
  auto owned = std::make_unique<Machine>(setup_for(url, default_settings()));
  Commands& commands = owned->commands();
  runtime::Supervisor supervisor("lift", std::move(owned), system_clock(), {});
  const Instant end = now() + 2min;
  while (ended == 0 && now() < end) {
    supervisor.step({});
    if (may_arm) static_cast<void>(supervisor.latch().arm("test").ok());
    commands.post(VelocityInput::reference, {{1, 0}, now()});
  }
  std::stop_source stop;
  stop.request_stop();
  supervisor.run(stop.get_token());
  _exit(0);
}

class ProcessDrive {
 public:
  ProcessDrive() : lift(make_virtual_device(rolling_setup())) {
    void* const shared = mmap(nullptr, sizeof *may_arm_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    may_arm_ = new (shared) std::atomic<bool>(true);
    child_ = fork();  // before there are threads
    if (child_ == 0) be_a_bridge(lift->url(), *may_arm_);
    REQUIRE(child_ > 0);
    thread_ = std::jthread([this](const std::stop_token& stop) { lift->run(stop); });
    const auto drives = [&] { return lift->truth().twist.vx > full_speed; };
    REQUIRE(eventually([&] {
      *may_arm_ = true;
      if (!eventually(drives)) return false;
      *may_arm_ = false;
      return drives();
    }));
  }
  ~ProcessDrive() {
    send(SIGKILL);
    munmap(may_arm_, sizeof *may_arm_);
  }
  ProcessDrive(const ProcessDrive&) = delete;
  ProcessDrive& operator=(const ProcessDrive&) = delete;

  void send(int signal) {
    if (child_ > 0) kill(child_, signal);
    if (signal != SIGCONT) before_ = lift->truth().distance;
    if (child_ <= 0 || (signal != SIGKILL && signal != SIGTERM)) return;
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }
  void expect_within(std::string_view fault) const {
    metres_to_rest(*lift, before_);
    pass(standing_time);
    const double rolled = metres_to_rest(*lift, before_), bound = documented_bound(fault);
    MESSAGE(fault << ": " << rolled << " m of " << bound);
    CHECK(rolled <= bound);
  }

  std::unique_ptr<VirtualDevice> lift;

 private:
  std::atomic<bool>* may_arm_ = nullptr;  // shared with the child
  pid_t child_ = 0;
  double before_ = 0;  // m, at the signal
  std::jthread thread_;
};

}  // namespace

TEST_CASE("R21 a machine's process that is killed leaves the truck to the PLC's watchdog") {
  ProcessDrive drive;
  drive.send(SIGKILL);
  drive.expect_within("machine process killed");
}

TEST_CASE("R22 a machine's process that is paused and goes on leaves the truck where it is") {
  for (const Duration pause : {Duration(700ms), Duration(2s)}) {
    ProcessDrive drive;
    drive.send(SIGSTOP);
    pass(pause);
    drive.send(SIGCONT);
    drive.expect_within("machine process paused");
  }
}

TEST_CASE("R23 a machine's process that is ended brakes before it leaves") {
  ProcessDrive drive;
  drive.send(SIGTERM);
  drive.expect_within("machine process ended (SIGTERM)");
}
