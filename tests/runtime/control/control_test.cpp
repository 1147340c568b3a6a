// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "tandem/runtime/control/client.hpp"
#include "tandem/runtime/control/server.hpp"
#include "tandem/runtime/control/trust.hpp"

namespace tandem::runtime {

namespace {

class Recorder final : public Controlled {
 public:
  SystemStatus status() const override {
    SystemStatus status;
    status.version = "1.2.3";
    status.uptime = 4.5;
    status.ros = "domain 0";
    status.page = "http://127.0.0.1:8088/";
    status.viewers = 3;
    status.page_counts = {5, 6, 7, 8, 9, 10};
    status.recording = {"run.mcap", 12, 3456, 1, "the disk is full"};
    status.black_box = {"/state/incidents", 59.5, 123456, 7, "no room"};
    status.incidents = {{"/state/incidents/b.mcap", "lift", "lost", "closed", 1.5e9},
                        {"/state/incidents/a.mcap", "all", "snapshot", "by me", 1.4e9}};
    MachineStatus machine;
    machine.name = "li\"ft";
    machine.state = "live";
    machine.quality = "live";
    machine.moves = true;
    machine.arm = "armed";
    machine.rate = 99.5;
    machine.samples = 12;
    machine.hops = {{"total", 12, 0.001, 1e-5, 2e-5, 3e-5, {6, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 13}}};
    machine.late = HopStatus{"late", 4, 0.03, 1e-4, 2e-2, 2e-2, {0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4}, 0.0193};
    machine.values = {{"pose", "m", {1, std::nan(""), -2.5}, ""}, {"mode", "", {}, "engaged"}};
    status.machines.push_back(machine);
    return status;
  }
  std::string control_page() const override { return page; }
  Result<std::string> command(std::string_view what, std::string_view machine, std::string_view by) override {
    if (machine == "none") return Error{Fault::not_found, "no machine 'none'"};
    who = by;
    return std::string(what) + " " + std::string(machine);
  }
  Result<std::string> snapshot(std::string_view machine, std::string_view text, std::string_view) override {
    return "/state/incidents/" + std::string(machine) + "_" + std::string(text) + ".mcap";
  }
  std::string who, page = "http://127.0.0.1:8088/?token=0123";
};

struct ControlBench {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("tandem-test-" + std::to_string(getpid()));
  std::string path = (folder / "deep" / "control.sock").string();
  Recorder recorder;
  std::unique_ptr<ControlServer> server;
  std::jthread thread;

  ControlBench() {
    auto listening = ControlServer::listen(path, recorder);
    REQUIRE_MESSAGE(listening.ok(), (listening.ok() ? "" : listening.error().text));
    server = std::move(*listening);
    thread = std::jthread([this](const std::stop_token& stop) { server->run(stop); });
  }
  ~ControlBench() {
    thread.request_stop();
    thread.join();
    server.reset();
    std::filesystem::remove_all(folder);
  }
};

int raw_client(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return fd;
}

constexpr uid_t stranger = 65534;

// A socket on which another user says yes to everything, as long as it lives.
class Impostor {
 public:
  // `listener` is bound already, or -1: then the other user makes the socket too.
  Impostor(const std::string& path, int listener = -1) {
    std::array<int, 2> ready{};
    REQUIRE(::pipe(ready.data()) == 0);
    child_ = ::fork();
    if (child_ == 0) {
      const bool away = ::setgid(stranger) == 0 && ::setuid(stranger) == 0;
      if (listener < 0) listener = bound(path);
      if (!away || ::listen(listener, 4) != 0) ::_exit(1);
      (void)!::write(ready[1], "x", 1);
      while (true) {
        const int fd = ::accept(listener, nullptr, nullptr);
        constexpr std::string_view yes = "{\"ok\":true,\"text\":\"all stopped\"}\n";
        (void)!::write(fd, yes.data(), yes.size());
        ::close(fd);
      }
    }
    ::close(ready[1]);
    char byte = 0;
    CHECK(::read(ready[0], &byte, 1) == 1);
    ::close(ready[0]);
  }
  ~Impostor() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  static int bound(const std::string& path) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) ::_exit(2);
    return fd;
  }

 private:
  pid_t child_ = -1;
};

// ctest shows a test that says so as skipped (cmake/tandem.cmake).
constexpr const char* needs_root = "skipped: run as root, so that a part of the test can be another user";

struct ControlFolder {
  std::filesystem::path path;
  explicit ControlFolder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("tandem-" + name + "-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~ControlFolder() { std::filesystem::remove_all(path); }
};

// A variable of the environment, as it was before at the end. Null: not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  Variable(const Variable&) = delete;
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) const { value != nullptr ? ::setenv(name_, value, 1) : ::unsetenv(name_); }
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a snapshot carries its reason and the black box survives the way through JSON") {
  const ControlBench bench;
  const auto file = ask_snapshot(bench.path, "lift", "it jerked");
  REQUIRE(file);
  CHECK(*file == "/state/incidents/lift_it jerked.mcap");
  CHECK(*ask_text(bench.path, "snapshot", "") == "/state/incidents/_.mcap");
  const auto status = ask_status(bench.path);
  REQUIRE(status);
  REQUIRE(status->black_box);
  CHECK(status->black_box->folder == "/state/incidents");
  CHECK(status->black_box->seconds == 59.5);
  CHECK(status->black_box->bytes == 123456);
  CHECK(status->black_box->dropped == 7);
  CHECK(status->black_box->trouble == "no room");
  REQUIRE(status->incidents.size() == 2);
  CHECK(status->incidents[0].file == "/state/incidents/b.mcap");
  CHECK(status->incidents[0].machine == "lift");
  CHECK(status->incidents[0].cause == "lost");
  CHECK(status->incidents[0].text == "closed");
  CHECK(status->incidents[1].at == 1.4e9);
}

TEST_CASE("only our own user and root are trusted") {
  constexpr uid_t we = 1000, they = 1001, root = 0;
  CHECK(is_trusted(we, we));
  CHECK(is_trusted(root, we));
  CHECK_FALSE(is_trusted(they, we));
  CHECK_FALSE(is_trusted(they, root));
  CHECK_FALSE(is_trusted(::geteuid() + 1));

  // A folder and a socket of a user that is not root, seen by that user and by another one: needs no root.
  const ControlFolder folder("trust");
  const std::string path = (folder.path / "control.sock").string();
  const uid_t owner = ::geteuid() == 0 ? stranger : ::geteuid(), other = owner - 1;
  ::close(Impostor::bound(path));
  if (::geteuid() == 0) {
    REQUIRE(::chown(folder.path.c_str(), owner, owner) == 0);
    REQUIRE(::chown(path.c_str(), owner, owner) == 0);
  }
  CHECK(check_control_folder(folder.path.string(), owner).ok());
  CHECK(check_control_socket(path, owner).ok());
  const auto of_another = [&](const Result<void>& checked, const std::string& what) {
    REQUIRE_FALSE(checked.ok());
    const std::string why = "expected a " + what + " of user " + std::to_string(other) + " or root, got one of user " +
                            std::to_string(owner);
    CHECK_MESSAGE(checked.error().text.find(why) != std::string::npos, checked.error().text);
  };
  of_another(check_control_folder(folder.path.string(), other), "folder");
  of_another(check_control_socket(path, other), "socket");
}

TEST_CASE("a folder that its group can write to is refused unless it is sticky") {
  const ControlFolder folder("group");
  const auto with_mode = [&](mode_t mode) {
    REQUIRE(::chmod(folder.path.c_str(), mode) == 0);
    return check_control_folder(folder.path.string());
  };
  CHECK(with_mode(0700).ok());
  CHECK(with_mode(0755).ok());
  CHECK(with_mode(01777).ok());
  CHECK(with_mode(01770).ok());
  for (const mode_t mode : {0770u, 0720u, 0702u, 0777u}) {
    const auto refused = with_mode(mode);  // the group is our own
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().text.find("chmod go-w " + folder.path.string()) != std::string::npos);
  }
}

TEST_CASE("a socket of another user is not believed") {
  if (::geteuid() != 0) {
    MESSAGE(needs_root);
    return;
  }
  const auto refused = [](const std::string& path, const std::string& why) {
    const auto answer = ask_text(path, "stop", "");
    REQUIRE_FALSE(answer.ok());
    CHECK_MESSAGE(answer.error().text.find(why) != std::string::npos, answer.error().text);
  };
  const ControlFolder folder("impostor");
  const std::string path = (folder.path / "control.sock").string();
  {
    REQUIRE(::chown(folder.path.c_str(), stranger, stranger) == 0);
    const Impostor impostor(path);
    refused(path, "got one of user 65534");  // the folder
    REQUIRE(::chown(folder.path.c_str(), 0, 0) == 0);
    refused(path, "expected a socket of user 0 or root, got one of user 65534");
  }
  std::filesystem::remove(path);
  {
    const int ours = Impostor::bound(path);
    const Impostor impostor(path, ours);
    ::close(ours);
    refused(path, "of user 65534");  // who listens
  }
}

TEST_CASE("a lock that another user made is not taken for a tandem that runs") {
  if (::geteuid() != 0) {
    MESSAGE(needs_root);
    return;
  }
  const ControlFolder folder("lock");
  const std::string path = (folder.path / "control.sock").string();
  std::ofstream(path + ".lock") << "";
  REQUIRE(::chown((path + ".lock").c_str(), stranger, stranger) == 0);
  const int held = ::open((path + ".lock").c_str(), O_RDWR);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  Recorder recorder;
  const auto refused = ControlServer::listen(path, recorder);
  ::close(held);
  REQUIRE_FALSE(refused.ok());
  CHECK_MESSAGE(refused.error().text.find(path + ".lock of user 65534") != std::string::npos, refused.error().text);
  std::filesystem::remove(path + ".lock");
  CHECK(ControlServer::listen(path, recorder).ok());
}

TEST_CASE("another user cannot command over the control socket") {
  if (::geteuid() != 0) {
    MESSAGE(needs_root);
    return;
  }
  ControlBench bench;
  REQUIRE(::chmod(bench.folder.c_str(), 0755) == 0);
  REQUIRE(::chmod((bench.folder / "deep").c_str(), 0755) == 0);
  REQUIRE(::chmod(bench.path.c_str(), 0666) == 0);
  std::array<int, 2> answer{};
  REQUIRE(::pipe(answer.data()) == 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, bench.path.data(), bench.path.size());
  const pid_t child = ::fork();
  if (child == 0) {  // with system calls alone, as the server's thread may hold any lock
    if (::setgid(stranger) != 0 || ::setuid(stranger) != 0) ::_exit(1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) ::_exit(2);
    constexpr std::string_view request = "{\"command\": \"arm\"}\n";
    (void)::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
    std::array<char, 512> bytes{};
    const ssize_t count = ::recv(fd, bytes.data(), bytes.size(), 0);
    (void)!::write(answer[1], bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    ::_exit(0);
  }
  ::close(answer[1]);
  std::array<char, 512> bytes{};
  const ssize_t count = ::read(answer[0], bytes.data(), bytes.size());
  ::close(answer[0]);
  ::waitpid(child, nullptr, 0);
  const std::string said(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  CHECK_MESSAGE(said.find("\"ok\":false") != std::string::npos, said);
  CHECK(said.find("user 65534 may not control it") != std::string::npos);
  CHECK(bench.recorder.who.empty());
}

TEST_CASE("a folder that others can write to or made is passed over for another") {
  const ControlFolder folder("runtime");
  const Variable chosen("TANDEM_CONTROL", nullptr), runtime_folder("XDG_RUNTIME_DIR", folder.path.c_str());
  const std::string usual = (folder.path / "tandem" / "control.sock").string();
  CHECK(control_place("").path == usual);
  CHECK(control_place("").passed_over.empty());
  CHECK(control_place("/else/where.sock").path == "/else/where.sock");
  REQUIRE(::chmod(folder.path.c_str(), 0777) == 0);
  const auto passed_over = [&](const std::string& why) {
    const ControlPlace place = control_place("");
    CHECK(place.path != usual);
    CHECK(place.path.ends_with("/control.sock"));
    CHECK_MESSAGE(place.passed_over.find(why) != std::string::npos, place.passed_over);
    Recorder recorder;
    CHECK_FALSE(ControlServer::listen(usual, recorder).ok());
  };
  std::filesystem::create_directories(folder.path / "tandem");
  REQUIRE(::chmod((folder.path / "tandem").c_str(), 0777) == 0);
  passed_over("other users can write");
  std::filesystem::remove(folder.path / "tandem");
  REQUIRE(::chmod(folder.path.c_str(), 0700) == 0);
  std::filesystem::create_directories(folder.path / "theirs");
  std::filesystem::create_symlink(folder.path / "theirs", folder.path / "tandem");
  if (::geteuid() == 0) REQUIRE(::lchown((folder.path / "tandem").c_str(), stranger, stranger) == 0);
  passed_over("got a symbolic link");
  std::filesystem::remove(folder.path / "tandem");
  if (::geteuid() == 0) {
    std::filesystem::create_directories(folder.path / "tandem");
    REQUIRE(::chown((folder.path / "tandem").c_str(), stranger, stranger) == 0);
    passed_over("got one of user 65534");
  }
}

TEST_CASE("the socket of a process that was killed does not hide one that is alive in another folder") {
  const ControlFolder runtime_folder("stale"), home("alive");
  const Variable chosen("TANDEM_CONTROL", nullptr), first("XDG_RUNTIME_DIR", runtime_folder.path.c_str()),
      last("HOME", home.path.c_str());
  const std::string stale = (runtime_folder.path / "tandem" / "control.sock").string();
  std::filesystem::create_directories(runtime_folder.path / "tandem");
  ::close(Impostor::bound(stale));
  REQUIRE(std::filesystem::exists(stale));
  Recorder recorder;
  const auto server = ControlServer::listen((home.path / ".tandem" / "control.sock").string(), recorder);
  REQUIRE_MESSAGE(server.ok(), (server.ok() ? "" : server.error().text));
  // A tandem of this user that runs beside the test in /tmp/tandem-UID is alive as well.
  const std::string asked = control_path("");
  CHECK(asked != stale);
  ::close(raw_client(asked));
}

TEST_CASE("a status survives the way through JSON") {
  const SystemStatus status = Recorder().status();
  const auto back = status_from_json(json_from_status(status));
  REQUIRE(back.ok());
  CHECK(json_from_status(*back) == json_from_status(status));
  CHECK(back->machines[0].name == "li\"ft");
  CHECK(back->machines[0].hops[0].p99 == 2e-5);
  REQUIRE(back->machines[0].late);
  CHECK(back->machines[0].late->worst == 0.0193);
  CHECK(std::isnan(back->machines[0].values[0].numbers[1]));
  CHECK_FALSE(status_from_json("{}").ok());
  CHECK_FALSE(status_from_json("[1").ok());
  CHECK_FALSE(status_from_json(R"({"version":1})").ok());
}

TEST_CASE("what machines count by themselves stands under one head for each name") {
  SystemStatus status = Recorder().status();
  REQUIRE(!status.machines.empty());
  status.machines.resize(2, status.machines[0]);
  status.machines[0].name = "press";
  status.machines[1].name = "belt";
  const auto writes = [](const char* result, double count) {
    return machines::Metric{"tandem_writes_total", "counter", "writes", {{"result", result}}, count};
  };
  status.machines[0].metrics = {
      writes("done", 7), {"tandem_signal_quality", "gauge", "quality", {{"name", "a\"b"}}, 2}, writes("refused", 1)};
  status.machines[1].metrics = {writes("done", 3)};
  const std::string text = metrics_text(status);
  CHECK(text.find("# HELP tandem_writes_total writes\n# TYPE tandem_writes_total counter\n"
                  "tandem_writes_total{machine=\"press\",result=\"done\"} 7\n"
                  "tandem_writes_total{machine=\"press\",result=\"refused\"} 1\n"
                  "tandem_writes_total{machine=\"belt\",result=\"done\"} 3\n") != std::string::npos);
  CHECK(text.find("tandem_signal_quality{machine=\"press\",name=\"a\\\"b\"} 2\n") != std::string::npos);
}

TEST_CASE("metrics are Prometheus text") {
  const std::string text = metrics_text(Recorder().status());
  CHECK(text.find("tandem_link_state{machine=\"li\\\"ft\",state=\"live\"} 1\n") != std::string::npos);
  CHECK(text.find("tandem_arm_state{machine=\"li\\\"ft\",state=\"armed\"} 1\n") != std::string::npos);
  const auto bucket = [&](const std::string& edge, int count) {
    const std::string line = "tandem_hop_seconds_bucket{machine=\"li\\\"ft\",hop=\"total\",le=\"" + edge + "\"} ";
    return text.find(line + std::to_string(count) + "\n") != std::string::npos;
  };
  CHECK(bucket("1e-05", 6));
  CHECK(bucket("2e-05", 11));
  CHECK(bucket("0.1", 11));
  CHECK(bucket("1", 12));  // never more than in all
  CHECK(bucket("+Inf", 12));
  CHECK(text.find("tandem_hop_seconds_count{machine=\"li\\\"ft\",hop=\"total\"} 12\n") != std::string::npos);
  CHECK(text.find("tandem_cycle_late_seconds_bucket{machine=\"li\\\"ft\",le=\"0.001\"} 3\n") != std::string::npos);
  CHECK(text.find("tandem_cycle_late_seconds_count{machine=\"li\\\"ft\"} 4\n") != std::string::npos);
  CHECK(text.find("tandem_cycle_late_worst_seconds{machine=\"li\\\"ft\"} 0.0193\n") != std::string::npos);
  CHECK(text.find("tandem_page_viewers 3\n") != std::string::npos);
  CHECK(text.find("tandem_page_accepted_total 5\n") != std::string::npos);
  CHECK(text.find("tandem_page_given_up_total 10\n") != std::string::npos);
  CHECK(text.find("tandem_page_dropped_messages_total 7\n") != std::string::npos);
  CHECK(text.find("tandem_page_sent_bytes_total 9\n") != std::string::npos);
  CHECK(text.find("tandem_samples_total{machine=\"li\\\"ft\"} 12\n") != std::string::npos);
  CHECK(text.find("nan") == std::string::npos);
  std::istringstream lines(text);
  std::set<std::string> types;
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    if (line.starts_with("# TYPE ")) CHECK(types.insert(line.substr(7, line.find(' ', 7) - 7)).second);
    const bool comment = line.starts_with("# HELP tandem_") || line.starts_with("# TYPE tandem_");
    CHECK((comment || (line.starts_with("tandem_") && std::isdigit(static_cast<unsigned char>(line.back())) != 0)));
  }
}

TEST_CASE("the control socket answers commands and knows who asked") {
  ControlBench bench;
  const auto status = ask_status(bench.path);
  REQUIRE(status.ok());
  CHECK(status->version == "1.2.3");
  CHECK(*ask_text(bench.path, "arm", "lift") == "arm lift");
  CHECK(bench.recorder.who == "user " + std::to_string(getuid()) + ", process " + std::to_string(getpid()));
  CHECK(ask_text(bench.path, "metrics", "")->starts_with("# HELP"));
  CHECK(*ask_text(bench.path, "page", "") == bench.recorder.page);
  CHECK(ask(bench.path, R"({"command": "status"})", 2s)->find("token") == std::string::npos);
  bench.recorder.page.clear();
  CHECK(ask_text(bench.path, "page", "").error().text.starts_with("no page is served"));
  CHECK(ask_text(bench.path, "stop", "none").error().text == "no machine 'none'");
  struct stat about {};
  REQUIRE(::stat((bench.folder / "deep").c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0700);
  REQUIRE(::stat(bench.path.c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0600);
}

TEST_CASE("requests are answered the same in whatever pieces they come") {
  const std::string said =
      "{\"command\": \"arm\", \"machine\": \"lift\"}\n\nnonsense\n{\"command\": \"page\"}\n{\"comm";
  Recorder recorder;
  ControlSession whole("a test");
  REQUIRE(whole.receive(said, recorder));
  CHECK(std::ranges::count(whole.unsent(), '\n') == 4);
  CHECK(recorder.who == "a test");
  for (std::size_t piece = 1; piece < said.size(); ++piece) {
    CAPTURE(piece);
    ControlSession session("a test");
    for (std::size_t at = 0; at < said.size(); at += piece)
      REQUIRE(session.receive(std::string_view(said).substr(at, piece), recorder));
    CHECK(session.unsent() == whole.unsent());
  }
}

TEST_CASE("a client that does not read its answers, or whose line never ends, is left") {
  Recorder recorder;
  ControlSession deaf("a test");
  std::size_t lines = 0;
  while (deaf.receive("{\"command\": \"status\"}\n", recorder)) ++lines;
  CHECK(deaf.unsent().size() > ControlSession::most_unread);
  CHECK(lines > 100);
  deaf.sent(deaf.unsent().size());
  CHECK(deaf.unsent().empty());

  ControlSession endless("a test");
  std::size_t bytes = 0;
  while (endless.receive("x", recorder)) ++bytes;
  CHECK(bytes == longest_request);
  CHECK(std::ranges::count(endless.unsent(), '\n') == 1);
}

TEST_CASE("requests that make no sense are answered with what was expected") {
  Recorder recorder;
  for (const char* bad : {"", "x", "[]", "null", "{\"command\":", "{\"command\": 3}", "{\"command\": \"halt\"}", "{}",
                          "{\"command\": \"arm\", \"machine\": 3}", "\xff\xfe", "[[[[[[[[[[[[[[[[[[[[[[["}) {
    CAPTURE(bad);
    const auto answer = nlohmann::json::parse(answer_to(bad, "test", recorder));
    CHECK(answer["ok"] == false);
    CHECK_FALSE(answer["error"].get<std::string>().empty());
  }
  CHECK(answer_to("{\"command\": \"stauts\"}", "test", recorder).find("did you mean 'status'?") != std::string::npos);
}

TEST_CASE("a client that sends without end is left and the others are served") {
  ControlBench bench;
  const int rude = raw_client(bench.path);
  const std::string flood(100'000, 'x');
  (void)::send(rude, flood.data(), flood.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  std::vector<int> idle;
  for (int i = 0; i < 20; ++i) idle.push_back(raw_client(bench.path));
  CHECK(ask_status(bench.path).ok());
  char buffer[256];
  CHECK(::recv(rude, buffer, sizeof buffer, 0) > 0);  // told why
  for (const int fd : idle) ::close(fd);
  ::close(rude);
}

TEST_CASE("more clients than are served are told so and do no harm") {
  ControlBench bench;
  std::vector<int> many;
  for (int i = 0; i < 32; ++i) many.push_back(raw_client(bench.path));
  CHECK(ask(bench.path, R"({"command": "status"})", 2s).ok());  // an answer, if only a refusal
  for (const int fd : many) ::close(fd);
  bool served = false;
  for (int i = 0; i < 100 && !served; ++i) {
    served = ask_status(bench.path).ok();
    if (!served) system_clock().sleep_until(system_clock().now() + 20ms);
  }
  CHECK(served);
}

TEST_CASE("a client that never reads its answers does not stop the others") {
  ControlBench bench;
  const int deaf = raw_client(bench.path);
  const std::string request = "{\"command\": \"status\"}\n";
  for (int i = 0; i < 5000; ++i) (void)::send(deaf, request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  for (int i = 0; i < 5; ++i) CHECK(ask_status(bench.path).ok());
  ::close(deaf);
}

TEST_CASE("a tandem that accepts nobody does not hold up who asks it to stop") {
  const ControlFolder folder("full");
  const std::string path = (folder.path / "control.sock").string();
  const int listener = Impostor::bound(path);
  REQUIRE(::listen(listener, 0) == 0);
  const int waiting = raw_client(path);  // takes the only place of those that wait to be accepted
  const Instant asked = system_clock().now();
  const auto answer = ask(path, R"({"command": "stop"})", 200ms);
  CHECK(system_clock().now() - asked < 5s);
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().fault == Fault::timeout);
  ::close(waiting);
  ::close(listener);
}

TEST_CASE("a second tandem on the same socket is refused with a clear word") {
  ControlBench bench;
  Recorder other;
  const auto second = ControlServer::listen(bench.path, other);
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().text.find("another tandem is running there") != std::string::npos);
  CHECK(ask_status(bench.path).ok());
}

TEST_CASE("the socket of a dead process is replaced") {
  const auto folder = std::filesystem::temp_directory_path() / ("tandem-dead-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "control.sock").string();
  {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    ::close(fd);  // the file stays, nobody listens
  }
  const auto nobody = ask_status(path);
  REQUIRE_FALSE(nobody.ok());
  CHECK(nobody.error().text == "no tandem is running here: no answer on " + path);
  Recorder recorder;
  CHECK(ControlServer::listen(path, recorder).ok());
  std::ofstream(path) << "precious";
  const auto refused = ControlServer::listen(path, recorder);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().text.find("expected nothing or a socket there, got another file") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a path that no socket can have is refused") {
  Recorder recorder;
  CHECK_FALSE(ControlServer::listen("/tmp/" + std::string(200, 'x'), recorder).ok());
  CHECK_FALSE(ControlServer::listen("/proc/tandem/control.sock", recorder).ok());
}

}  // namespace tandem::runtime
