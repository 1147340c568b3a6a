// `tandem teleop` as a person has it: in a terminal, beside a running tandem with a virtual forklift.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/app/process.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::app {

namespace {

// A program in a terminal of its own, and somebody who types.
class Typist {
 public:
  explicit Typist(const std::vector<std::string>& arguments) {
    master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) throw std::runtime_error("pty");
    terminal_ = ::open(::ptsname(master_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    const winsize size{40, 200, 0, 0};
    ::ioctl(terminal_, TIOCSWINSZ, &size);
    std::vector<char*> argv = {const_cast<char*>(TANDEM_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::setsid();
      ::ioctl(terminal_, TIOCSCTTY, 0);
      for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(terminal_, each);
      ::execv(TANDEM_PROGRAM, argv.data());
      ::_exit(127);
    }
  }
  Typist(const Typist&) = delete;
  ~Typist() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(terminal_);
    ::close(master_);
  }

  void type(std::string_view keys) const { (void)!::write(master_, keys.data(), keys.size()); }
  void signal(int number) const { ::kill(pid_, number); }
  tcflag_t modes() const {
    termios now{};
    ::tcgetattr(terminal_, &now);
    return now.c_lflag & static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  }
  // Types the keys again and again until the screen shows this, after what the last call waited for.
  bool shows(std::string_view text, std::string_view keys = "", Duration limit = 30s) {
    const Instant until = system_clock().now() + limit;
    std::size_t at = seen_.find(text);
    for (; at == std::string::npos; at = seen_.find(text)) {
      if (system_clock().now() > until) return false;
      type(keys);
      read_some(50ms);
    }
    seen_.erase(0, at + text.size());
    return true;
  }
  int finish(Duration limit = 30s) {
    const Instant until = system_clock().now() + limit;
    int state = 0;
    while (::waitpid(pid_, &state, WNOHANG) == 0) {
      if (system_clock().now() > until) return -1;
      read_some(10ms);
    }
    pid_ = -1;
    read_some(10ms);
    return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  }
  const std::string& screen() const { return all_; }

 private:
  void read_some(Duration time) {
    pollfd watched{master_, POLLIN, 0};
    if (::poll(&watched, 1, static_cast<int>(time / 1ms)) <= 0) return;
    std::array<char, 4096> bytes;
    const ssize_t count = ::read(master_, bytes.data(), bytes.size());
    if (count <= 0) return;
    seen_.append(bytes.data(), static_cast<std::size_t>(count));
    all_.append(bytes.data(), static_cast<std::size_t>(count));
  }

  pid_t pid_ = -1;
  int master_ = -1, terminal_ = -1;
  std::string seen_, all_;
};

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
  Typist typist({"teleop", "raptorlift", "--domain", folder.domain, "--control", folder.control});
  const tcflag_t before = typist.modes();
  REQUIRE(before == static_cast<tcflag_t>(ICANON | ECHO | ISIG));

  REQUIRE_MESSAGE(typist.shows("`tandem arm lift` lets it drive"), typist.screen());
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
  CHECK_MESSAGE(typist.shows("stop asked for", "x"), typist.screen());
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
    Typist typist({"teleop", "raptorlift", "--domain", folder.domain, "--control", folder.control});
    const tcflag_t before = typist.modes();
    REQUIRE_MESSAGE(typist.shows("armed or not is not known: "), typist.screen());
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
  CHECK(process.output().find("standard input is no terminal") != std::string::npos);
  CHECK(process.output().find("start it in a terminal") != std::string::npos);
  Process other(TANDEM_PROGRAM, {"teleop", "em1500"});
  CHECK(other.finish(20s) == 2);
  CHECK(other.output().find("em1500 is not driven by keys; raptorlift is") != std::string::npos);
}

}  // namespace tandem::app
