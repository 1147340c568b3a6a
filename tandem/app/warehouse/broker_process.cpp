// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/broker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tandem/base/clock.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::warehouse {
namespace {

constexpr Duration start_limit = 10s;
constexpr std::array programs{"/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto"};
constexpr int config_number = 3;  // its descriptor in the child
constexpr unsigned no_rights = 65534;

const char* installed() {
  for (const char* program : programs)
    if (::access(program, X_OK) == 0) return program;
  return nullptr;
}

Error missing() {
  return {Fault::not_found, "mosquitto: expected it installed, got none; run `apt-get install mosquitto`"};
}

// After fork(): only calls that are safe there.
[[noreturn]] void become(const char* program, int config, pid_t parent) {
  // A broker for anybody on this computer needs no rights. Before prctl(), as a change of user undoes that.
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(no_rights) != 0 || ::setuid(no_rights) != 0))
    ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::setpgid(0, 0);  // Ctrl-C is for the demonstration, which ends it in its turn
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2}) ::dup2(nowhere, standard);
  if (config == config_number) {
    ::fcntl(config, F_SETFD, 0);
  } else {
    ::dup2(config, config_number);
  }
  ::close_range(config_number + 1, ~0U, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  ::execl(program, "mosquitto", "-c", "/proc/self/fd/3", static_cast<char*>(nullptr));
  ::_exit(127);
}

bool listens(std::uint16_t port) {
  return net::TcpSocket::connect("127.0.0.1", port, system_clock().now() + 500ms).ok();
}

std::string ended_by(int status) {
  return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("exit status {}", WEXITSTATUS(status));
}

}  // namespace

BrokerProcess::BrokerProcess(BrokerProcess&& other) noexcept
    : config_(std::exchange(other.config_, -1)), port_(other.port_), process_(std::exchange(other.process_, -1)) {}

BrokerProcess::~BrokerProcess() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  if (config_ >= 0) ::close(config_);
}

Result<BrokerProcess> BrokerProcess::start() {
  if (installed() == nullptr) return missing();
  BrokerProcess broker;
  {
    const auto free = net::TcpListener::listen("127.0.0.1", 0);
    if (!free) return free.error();
    broker.port_ = free->local().port;
  }
  broker.config_ = ::memfd_create("mosquitto.conf", MFD_CLOEXEC);
  const std::string text =
      fmt::format("listener {} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type none\n", broker.port_);
  if (broker.config_ < 0 || ::write(broker.config_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return Error{Fault::refused, fmt::format("mosquitto's configuration: {}", std::strerror(errno))};
  if (auto begun = broker.restart(); !begun) return begun.error();
  return broker;
}

Result<void> BrokerProcess::restart() {
  if (process_ > 0) return {};
  const char* const program = installed();
  if (program == nullptr) return missing();
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) become(program, config_, parent);
  if (process_ < 0) return Error{Fault::refused, fmt::format("mosquitto: fork: {}", std::strerror(errno))};
  const Instant deadline = system_clock().now() + start_limit;
  while (!listens(port_)) {
    if (auto end = take_end())
      return Error{Fault::refused, fmt::format("mosquitto on port {}: expected it to serve, got {}", port_, *end)};
    if (system_clock().now() > deadline)
      return Error{Fault::timeout, fmt::format("mosquitto on port {}: expected it to serve, got no connection", port_)};
    system_clock().sleep_until(system_clock().now() + 10ms);
  }
  return {};
}

std::optional<std::string> BrokerProcess::take_end() {
  int status = 0;
  if (process_ <= 0 || ::waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
  process_ = -1;
  return ended_by(status);
}

}  // namespace tandem::warehouse
