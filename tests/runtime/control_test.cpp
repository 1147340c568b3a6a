#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "tandem/runtime/control_client.hpp"
#include "tandem/runtime/control_server.hpp"

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
    MachineStatus machine;
    machine.name = "li\"ft";
    machine.state = "live";
    machine.quality = "live";
    machine.moves = true;
    machine.arm = "armed";
    machine.rate = 99.5;
    machine.samples = 12;
    machine.hops = {{"total", 12, 0.001, 1e-5, 2e-5, 3e-5, {6, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 13}}};
    machine.values = {{"pose", "m", {1, std::nan(""), -2.5}, ""}, {"mode", "", {}, "engaged"}};
    status.machines.push_back(machine);
    return status;
  }
  Result<std::string> command(std::string_view what, std::string_view machine, std::string_view by) override {
    if (machine == "none") return Error{Fault::not_found, "no machine 'none'"};
    who = by;
    return std::string(what) + " " + std::string(machine);
  }
  std::string who;
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

}  // namespace

TEST_CASE("a status survives the way through JSON") {
  const SystemStatus status = Recorder().status();
  const auto back = status_from_json(json_from_status(status));
  REQUIRE(back.ok());
  CHECK(json_from_status(*back) == json_from_status(status));
  CHECK(back->machines[0].name == "li\"ft");
  CHECK(back->machines[0].hops[0].p99 == 2e-5);
  CHECK(std::isnan(back->machines[0].values[0].numbers[1]));
  CHECK_FALSE(status_from_json("{}").ok());
  CHECK_FALSE(status_from_json("[1").ok());
  CHECK_FALSE(status_from_json(R"({"version":1})").ok());
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
  CHECK(ask_text(bench.path, "stop", "none").error().text == "no machine 'none'");
  struct stat about {};
  REQUIRE(::stat((bench.folder / "deep").c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0700);
  REQUIRE(::stat(bench.path.c_str(), &about) == 0);
  CHECK((about.st_mode & 0777) == 0600);
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
  CHECK(nobody.error().text == "no tandem is running here: nobody answers on " + path);
  Recorder recorder;
  CHECK(ControlServer::listen(path, recorder).ok());
  std::ofstream(path) << "precious";
  const auto refused = ControlServer::listen(path, recorder);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().text.find("not a socket") != std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a path that no socket can have is refused") {
  Recorder recorder;
  CHECK_FALSE(ControlServer::listen("/tmp/" + std::string(200, 'x'), recorder).ok());
  CHECK_FALSE(ControlServer::listen("/proc/tandem/control.sock", recorder).ok());
}

}  // namespace tandem::runtime
