// SPDX-License-Identifier: Apache-2.0
#include "tests/protocols/mqtt/broker.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "tandem/net/socket.hpp"

namespace tandem::mqtt {
namespace {

std::string unique_id() {
  static std::atomic<int> number{0};
  return "listener-" + std::to_string(::getpid()) + "-" + std::to_string(number.fetch_add(1));
}

bool listens(std::uint16_t port) { return net::TcpSocket::connect("127.0.0.1", port, in(500ms)).ok(); }

}  // namespace

bool eventually(const std::function<bool()>& what, Duration limit) {
  const Instant deadline = soon(limit);
  while (!what()) {
    if (now() > deadline) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tandem-mqtt-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::file(const std::string& name, const std::string& text, unsigned mode) const {
  std::string path = path_ + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  ::chmod(path.c_str(), mode);
  return path;
}

Broker::Broker(std::vector<std::string> lines) {
  {
    const auto free = net::TcpListener::listen("127.0.0.1", 0);
    if (!free) throw std::runtime_error(free.error().text);
    port_ = free->local().port;
  }
  std::string text = "listener " + std::to_string(port_) + " 127.0.0.1\npersistence false\nlog_type none\n";
  if (::geteuid() == 0) text += "user root\n";  // so that it can read the test's files
  for (const std::string& line : lines) text += line + "\n";
  config_ = folder_.file("mosquitto.conf", text);
  start();
}

Broker::~Broker() { kill(); }

void Broker::start() {
  if (process_ > 0) return;
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (int fd : {0, 1, 2}) ::dup2(nowhere, fd);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::close_range(3, ~0U, 0);
    ::execl("/usr/sbin/mosquitto", "mosquitto", "-c", config_.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  const Instant deadline = soon();
  while (!listens(port_)) {
    int status = 0;
    if (::waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      throw std::runtime_error("mosquitto ended at once: is it installed, and its configuration good?");
    }
    if (now() > deadline) throw std::runtime_error("mosquitto does not listen");
    std::this_thread::sleep_for(5ms);
  }
}

void Broker::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

void Broker::freeze() { ::kill(process_, SIGSTOP); }
void Broker::thaw() { ::kill(process_, SIGCONT); }

Listener::Listener(Loop& loop, const BrokerOptions& broker, std::vector<std::string> filters, int qos)
    : client_(loop, broker, unique_id(), 60s,
              {[filters = std::move(filters), qos] {
                 Greeting greeting;
                 for (const std::string& filter : filters) greeting.subscriptions.push_back({filter, qos});
                 return greeting;
               },
               {},
               {},
               [this](const Message& message) {
                 const std::lock_guard lock(mutex_);
                 heard_.push_back(message);
               }}) {
  if (!eventually([this] { return connected(); })) throw std::runtime_error("listener: " + client_.counters().trouble);
}

Listener::~Listener() { client_.leave({}, in(1s)); }

std::vector<Message> Listener::heard() const {
  const std::lock_guard lock(mutex_);
  return heard_;
}

std::vector<Message> Listener::heard(const std::string& topic) const {
  std::vector<Message> found;
  for (Message& message : heard())
    if (message.topic == topic) found.push_back(std::move(message));
  return found;
}

void Listener::forget() {
  const std::lock_guard lock(mutex_);
  heard_.clear();
}

}  // namespace tandem::mqtt
