// SPDX-License-Identifier: Apache-2.0
// `tandem teleop` as a person has it: in a terminal, beside a running tandem with a virtual forklift.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/app/process.hpp"
#include "tests/app/typist.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::app {

namespace {

struct LiftFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tandem-teleop-{}", ::getpid());
  std::string domain = std::to_string(ros2::loopback_options().domain);
  std::string control = (path / "c.sock").string();
  std::string config = (path / "lift.yaml").string();

  LiftFolder() {
    std::filesystem::create_directories(path);
    // Times for a host that is slow.
    std::ofstream(config) << fmt::format(
        "machines:\n  lift: {{ type: raptorlift, device: virtual, physics: false, feedback_timeout: 3, "
        "plc_watchdog: 10 }}\nros: {{ domain: {} }}\n",
        domain);
  }
  ~LiftFolder() { std::filesystem::remove_all(path); }
  int say(const std::string& word) const {
    Process process(TANDEM_PROGRAM, {word, "lift", "--control", control});
    return process.finish(20s);
  }
};

}  // namespace

TEST_CASE("keys drive an armed truck and stand and stop it") {
  const LiftFolder folder;
  Process running(TANDEM_PROGRAM, {"run", folder.config, "--control", folder.control});
  REQUIRE_MESSAGE(running.says("event=live", 30s), running.output());
  Typist typist(TANDEM_PROGRAM, {"teleop", "raptorlift", "--domain", folder.domain, "--control", folder.control});
  const tcflag_t before = typist.modes();
  REQUIRE(before == static_cast<tcflag_t>(ICANON | ECHO | ISIG));

  REQUIRE_MESSAGE(typist.shows("`tandem arm lift` enables driving"), typist.screen());
  CHECK(typist.modes() == static_cast<tcflag_t>(ISIG));
  REQUIRE_MESSAGE(typist.shows("lift disarmed | gear 10 (0.50 m/s) | no key | measured +0.00"), typist.screen());
  CHECK(typist.shows("forward 0.50 m/s", "w"));  // and not armed by it
  CHECK(typist.shows("| no key | measured +0.00 m/s +0.00 rad/s at 0.00 0.00 m"));

  REQUIRE(folder.say("arm") == 0);
  REQUIRE_MESSAGE(typist.shows("lift is armed: keys move it"), typist.screen());
  CHECK_MESSAGE(typist.shows("| forward 0.50 m/s | measured +0.4", "w"), typist.screen());
  CHECK_MESSAGE(typist.shows("| no key | measured +0.00 m/s"), typist.screen());
  typist.type("-");  // once, or it shifts again
  CHECK(typist.shows("gear 9 (0.45 m/s)"));
  CHECK_MESSAGE(typist.shows("| measured -0.4", "\x1b[B"), typist.screen());
  CHECK_MESSAGE(typist.shows("stop requested", "x"), typist.screen());
  CHECK_MESSAGE(typist.shows("lift stopped | gear"), typist.screen());
  CHECK_MESSAGE(typist.shows("measured +0.00 m/s"), typist.screen());
  typist.type("q");
  CHECK(typist.finish() == 0);
  CHECK(typist.modes() == before);
  CHECK_MESSAGE(typist.screen().find("`tandem reset lift`, then `tandem arm lift`") != std::string::npos,
                typist.screen());
  running.signal(SIGTERM);
  CHECK(running.finish(20s) == 0);
}

TEST_CASE("the terminal is as it was however teleop ends") {
  const LiftFolder folder;
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT, SIGABRT, 0}) {
    CAPTURE(number);
    Typist typist(TANDEM_PROGRAM, {"teleop", "raptorlift", "--domain", folder.domain, "--control", folder.control});
    const tcflag_t before = typist.modes();
    REQUIRE_MESSAGE(typist.shows("arm state unknown: "), typist.screen());
    CHECK(typist.screen().find("no tandem is running here") != std::string::npos);
    CHECK(typist.modes() != before);
    if (number != 0) typist.signal(number);
    if (number == 0) typist.type("\x03");
    CHECK(typist.finish() == (number == SIGABRT ? 128 + SIGABRT : 0));
    CHECK(typist.modes() == before);
  }
}

TEST_CASE("without a terminal teleop says what to do") {
  Process process(TANDEM_PROGRAM, {"teleop", "raptorlift"}, "w");
  CHECK(process.finish(20s) == 1);
  CHECK(process.output().find("standard input: expected a terminal") != std::string::npos);
  CHECK(process.output().find("start it in a terminal") != std::string::npos);
  Process other(TANDEM_PROGRAM, {"teleop", "em1500"});
  CHECK(other.finish(20s) == 2);
  CHECK(other.output().find("teleop does not support em1500; it supports raptorlift") != std::string::npos);
}

}  // namespace tandem::app
