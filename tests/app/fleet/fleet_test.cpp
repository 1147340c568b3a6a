// SPDX-License-Identifier: Apache-2.0
// `tandem fleet` and `tandem merge` on real tandems on loopback, one of which has a wall clock of its own.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>

#include "tandem/app/fleet/fleet.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/runtime/fleet/watch.hpp"
#include "tests/app/process.hpp"

namespace tandem::app {

namespace {

constexpr Duration patience = 60s;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct FleetRan {
  int code = 0;
  std::string output;
};

FleetRan run_tandem(const std::vector<std::string>& arguments) {
  Process process(TANDEM_PROGRAM, arguments);
  const int code = process.finish(patience);
  return {code, process.output()};
}

struct FleetFolder {
  std::filesystem::path path;
  explicit FleetFolder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / fmt::format("tandem-fleet-{}-{}", name, ::getpid())) {
    std::filesystem::create_directories(path);
  }
  ~FleetFolder() { std::filesystem::remove_all(path); }
  std::string at(const std::string& name) const { return (path / name).string(); }
  std::string file(const std::string& name, const std::string& text, unsigned int mode = 0600) const {
    std::ofstream(path / name) << text;
    std::filesystem::permissions(path / name, static_cast<std::filesystem::perms>(mode));
    return at(name);
  }
};

// A program whose wall clock is so many seconds ahead.
std::unique_ptr<Process> started(const std::vector<std::string>& arguments, int ahead,
                                 const std::vector<std::string>& environment = {}) {
  std::vector<std::string> all = environment;
  if (ahead != 0) {
    all.push_back(fmt::format("LD_PRELOAD={}", TANDEM_SHIFTED_CLOCK));
    all.push_back(fmt::format("TANDEM_TEST_CLOCK_SHIFT={}", ahead));
  }
  all.emplace_back(TANDEM_PROGRAM);
  all.insert(all.end(), arguments.begin(), arguments.end());
  return std::make_unique<Process>("/usr/bin/env", all);
}

// A running tandem with a counter that moves, a page on a free port and a token file for it.
class RunningHost {
 public:
  RunningHost(const FleetFolder& folder, const std::string& name, int ahead = 0, const std::string& record = "")
      : name_(name), control_(folder.at(name + ".sock")) {
    const std::string token = "token-of-the-host-" + name;
    folder.file(name + ".token", token + "\n");
    folder.file(name + ".yaml", "ros: { enabled: false }\nmachines: { lift: { type: counter, device: virtual } }\n");
    std::vector<std::string> arguments = {"run",   folder.at(name + ".yaml"), "--web", "127.0.0.1:0", "--control",
                                          control_};
    if (!record.empty()) arguments.insert(arguments.end(), {"--record", record});
    process_ = started(arguments, ahead, {"TANDEM_CONTROL_TOKEN=" + token});
    REQUIRE_MESSAGE(process_->says("event=live", patience), process_->output());
    std::smatch found;
    const std::string& said = process_->output();
    REQUIRE(std::regex_search(said, found, std::regex("page (http://127\\.0\\.0\\.1:\\d+)")));
    page = found[1];
  }
  std::string line() const { return fmt::format("  {0}: {{ page: \"{1}\", token_file: {0}.token }}\n", name_, page); }
  FleetRan tell(const std::string& what) const { return run_tandem({what, "--control", control_}); }
  std::string arm_state() const {
    const auto status = nlohmann::json::parse(run_tandem({"status", "--json", "--control", control_}).output);
    return status["machines"][0]["arm"];
  }
  void end() {
    process_->signal(SIGINT);
    process_->finish(patience);
  }
  std::string page;

 private:
  std::string name_, control_;
  std::unique_ptr<Process> process_;
};

}  // namespace

TEST_CASE("status shows every machine of every host with its clock, and names the host that is away") {
  const FleetFolder folder("status");
  const RunningHost one(folder, "cell1"), two(folder, "cell2", 90);
  const std::string both = folder.file("both.yaml", "hosts:\n" + one.line() + two.line());
  const FleetRan good = run_tandem({"fleet", both, "status", "--within", "20"});
  CHECK_MESSAGE(good.code == 0, good.output);
  CHECK(std::regex_search(good.output, std::regex("cell1/lift +live ")));
  CHECK(std::regex_search(good.output, std::regex("cell2/lift +live ")));
  CHECK(std::regex_search(good.output, std::regex("cell2 .*clock \\+90\\.0 s ± ")));

  const std::string all =
      folder.file("all.yaml", "hosts:\n  gone: { page: \"http://127.0.0.1:1\" }\n" + one.line() + two.line());
  const FleetRan told = run_tandem({"fleet", all, "status", "--json", "--within", "20"});
  CHECK(told.code == 1);
  const auto json = nlohmann::json::parse(told.output, nullptr, false);
  REQUIRE_MESSAGE(json.is_object(), told.output);
  REQUIRE(json["hosts"].size() == 3);
  CHECK(json["hosts"][0]["reachable"] == false);
  CHECK(contains(json["hosts"][0]["error"], "nothing listens"));
  CHECK(json["hosts"][1]["status"]["machines"][0]["name"] == "lift");
  // Both clocks are the same one, and one of them was shifted.
  const auto& clock = json["hosts"][2]["clock"];
  CHECK(std::abs(clock["offset"].get<double>() - 90) <= clock["uncertainty"].get<double>() + 1e-5);
  CHECK(std::abs(json["hosts"][1]["clock"]["offset"].get<double>()) <=
        json["hosts"][1]["clock"]["uncertainty"].get<double>() + 1e-5);
  const FleetRan text = run_tandem({"fleet", all, "status", "--within", "20"});
  CHECK(text.code == 1);
  CHECK_MESSAGE(std::regex_search(text.output, std::regex("gone .*unreachable: nothing listens")), text.output);
  CHECK(contains(text.output, "cell2/lift"));
  CHECK_FALSE(contains(text.output, "token-of-the-host"));

  Process watch(TANDEM_PROGRAM, {"fleet", both, "status", "--watch"});
  CHECK(watch.says("cell2/lift", patience));
  watch.signal(SIGINT);
  CHECK(watch.finish(patience) == 0);
}

TEST_CASE("stop stops the machines of all hosts that can be reached, and its status says when one did not confirm") {
  const FleetFolder folder("stop");
  const RunningHost one(folder, "cell1"), two(folder, "cell2", -30);
  auto hanging = net::TcpListener::listen("127.0.0.1", 0);  // accepts nobody
  REQUIRE(hanging);
  const std::string both = folder.file("both.yaml", "hosts:\n" + one.line() + two.line());
  const std::string all = folder.file(
      "all.yaml", fmt::format("hosts:\n  hangs: {{ page: \"http://127.0.0.1:{}\" }}\n", hanging->local().port) +
                      one.line() + two.line());
  for (const std::string& file : {both, all}) {
    for (const RunningHost* host : {&one, &two}) {
      host->tell("reset");
      CHECK(host->tell("arm").code == 0);
      CHECK(host->arm_state() == "armed");
    }
    const FleetRan stopped = run_tandem({"fleet", file, "stop", "--within", file == both ? "20" : "5"});
    CHECK_MESSAGE(stopped.code == (file == both ? 0 : 1), stopped.output);
    CHECK(one.arm_state() == "stopped");
    CHECK(two.arm_state() == "stopped");
    CHECK(contains(stopped.output, "NOT CONFIRMED") == (file == all));
    if (file == all) CHECK_MESSAGE(contains(stopped.output, "1 of 3 hosts did not confirm"), stopped.output);
  }
  // Without the token the host is seen and not stopped.
  const std::string viewer =
      folder.file("viewer.yaml", fmt::format("hosts: {{ cell1: {{ page: \"{}\" }} }}\n", one.page));
  one.tell("reset");
  one.tell("arm");
  const FleetRan refused = run_tandem({"fleet", viewer, "stop", "--within", "20", "--json"});
  CHECK(refused.code == 1);
  CHECK(one.arm_state() == "armed");
  CHECK_MESSAGE(contains(refused.output, "read-only"), refused.output);
  CHECK(run_tandem({"fleet", viewer, "status", "--within", "20"}).code == 0);
}

TEST_CASE("mistakes in hosts.yaml are named with their place, and nothing is connected") {
  const FleetFolder folder("mistakes");
  folder.file("open.token", "0123456789abcdef", 0644);
  const FleetRan typo = run_tandem({"fleet", folder.file("typo.yaml", "hosts:\n  a: { pgae: x }\n"), "status"});
  CHECK(typo.code == 1);
  CHECK_MESSAGE(contains(typo.output, "typo.yaml:2:8: unknown key 'pgae' of a; did you mean 'page'?"), typo.output);
  const FleetRan open = run_tandem(
      {"fleet", folder.file("open.yaml", "hosts: { a: { page: \"http://127.0.0.1:1\", token_file: open.token } }"),
       "stop"});
  CHECK(open.code == 1);
  CHECK_MESSAGE(contains(open.output, "chmod o-r"), open.output);
  CHECK(contains(run_tandem({"fleet", "x.yaml", "arm"}).output, "expected one of status, page, stop, got 'arm'"));
  CHECK(run_tandem({"fleet", "x.yaml"}).code == 2);
}

TEST_CASE("the page of a fleet is served with a token of its own and shows what status shows") {
  const FleetFolder folder("page");
  const RunningHost one(folder, "cell1");
  const std::string hosts = folder.file("hosts.yaml", "hosts:\n" + one.line());
  Process page(TANDEM_PROGRAM, {"fleet", hosts, "page", "--listen", "127.0.0.1:0"});
  REQUIRE_MESSAGE(page.says("?token=", patience), page.output());
  std::smatch found;
  const std::string& said = page.output();
  REQUIRE(std::regex_search(said, found, std::regex("http://127\\.0\\.0\\.1:(\\d+)/\\?token=")));
  const auto port = static_cast<std::uint16_t>(std::stoi(found[1]));
  nlohmann::json fleet;
  for (const Instant end = now() + patience; now() < end;) {
    auto socket = net::TcpSocket::connect("127.0.0.1", port, now() + patience);
    REQUIRE(socket);
    const std::string request = "GET /fleet.json HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    REQUIRE(
        socket->write_all({reinterpret_cast<const std::uint8_t*>(request.data()), request.size()}, now() + patience));
    std::string answer;
    std::array<std::uint8_t, 4096> bytes;
    while (true) {
      const auto count = socket->read_some(bytes, now() + patience);
      if (!count) break;
      answer.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*count));
    }
    fleet = nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
    if (fleet.is_object() && fleet["hosts"][0]["reachable"] == true) break;
  }
  REQUIRE(fleet["hosts"].size() == 1);
  CHECK(fleet["hosts"][0]["status"]["machines"][0]["name"] == "lift");
  CHECK_FALSE(contains(fleet.dump(), "token-of-the-host"));
  page.signal(SIGINT);
  CHECK(page.finish(patience) == 0);
}

TEST_CASE("recordings of two hosts merge on one clock, by what is given or measured, and can be read on") {
  const FleetFolder folder("merge");
  {
    RunningHost one(folder, "cell1", 0, folder.at("cell1.mcap")), two(folder, "cell2", 90, folder.at("cell2.mcap"));
    one.end(), two.end();
  }
  const auto span = [&](const std::string& name) {
    const auto reader = record::McapReader::open(folder.at(name));
    REQUIRE(reader);
    return std::pair(static_cast<double>(reader->contents().statistics.start) * 1e-9,
                     static_cast<double>(reader->contents().statistics.end) * 1e-9);
  };
  const auto [start1, end1] = span("cell1.mcap");
  const auto [start2, end2] = span("cell2.mcap");
  CHECK(start2 - start1 > 89);
  const std::string a = folder.at("cell1.mcap"), b = folder.at("cell2.mcap");

  const FleetRan wall = run_tandem({"merge", a, b, "--out", folder.at("wall.mcap")});
  CHECK_MESSAGE(wall.code == 0, wall.output);
  CHECK(contains(wall.output, "wall clock"));
  CHECK(span("wall.mcap").second == doctest::Approx(end2).epsilon(1e-12));

  const FleetRan given = run_tandem({"merge", a, b, "--out", folder.at("given.mcap"), "--offset", b + "=90"});
  CHECK_MESSAGE(given.code == 0, given.output);
  CHECK(contains(given.output, "/tandem/status is /cell2/tandem/status"));
  CHECK(std::abs(span("given.mcap").second - std::max(end1, end2 - 90)) < 1e-5);

  const RunningHost one(folder, "cell1"), two(folder, "cell2", 90);
  const std::string hosts = folder.file("hosts.yaml", "hosts:\n" + one.line() + two.line());
  const FleetRan measured = run_tandem({"merge", a, b, "--out", folder.at("measured.mcap"), "--hosts", hosts});
  CHECK_MESSAGE(measured.code == 0, measured.output);
  CHECK(contains(measured.output, "measured now"));
  CHECK(std::abs(span("measured.mcap").second - span("given.mcap").second) < 0.5);
  const auto reader = record::McapReader::open(folder.at("measured.mcap"));
  REQUIRE(reader);
  CHECK(reader->metadata("tandem.merge")["cell2.source"] == "measured now, by " + hosts);

  CHECK(run_tandem({"info", "--check", folder.at("given.mcap")}).code == 0);
  CHECK(contains(run_tandem({"info", folder.at("given.mcap")}).output, "tandem.merge: cell2.offset = 90.000000000 s"));
  CHECK(
      run_tandem({"plot", folder.at("given.mcap"), "/cell2/tandem/status.uptime", "--out", folder.at("x.svg")}).code ==
      0);
  CHECK(run_tandem({"replay", folder.at("given.mcap"), "--as", "page", "--web", "off"}).code <= 1);

  const FleetRan unknown = run_tandem({"merge", a, b, "--out", folder.at("no.mcap"), "--offset", "cell3.mcap=1"});
  CHECK(unknown.code == 1);
  CHECK(contains(unknown.output, "unknown file 'cell3.mcap'"));
  CHECK(contains(run_tandem({"merge", a, a, "--out", folder.at("no.mcap")}).output, "the same file twice"));
  CHECK_FALSE(std::filesystem::exists(folder.at("no.mcap")));
}

TEST_CASE("an offset is estimated from the samples that two recorders heard of one machine") {
  const FleetFolder folder("heard");
  const std::vector<std::string> domain = {"ROS_DOMAIN_ID=87", "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST"};
  const auto demo = started({"demo", "em1500", "--web", "off", "--control", folder.at("c.sock")}, 0, domain);
  REQUIRE_MESSAGE(demo->says("event=ros", patience), demo->output());
  const auto record = [&](const std::string& file, int ahead) {
    return started({"record", "/stewart/pose", "/joint_states", "--out", folder.at(file)}, ahead, domain);
  };
  const auto one = record("one.mcap", 0), two = record("two.mcap", 5);
  CHECK_MESSAGE(one->says("recording /", patience), one->output());
  CHECK_MESSAGE(two->says("recording /", patience), two->output());
  std::this_thread::sleep_for(3s);
  for (Process* process : {one.get(), two.get()}) process->signal(SIGINT);
  for (Process* process : {one.get(), two.get()}) CHECK_MESSAGE(process->finish(patience) == 0, process->output());
  const FleetRan merged =
      run_tandem({"merge", folder.at("one.mcap"), folder.at("two.mcap"), "--out", folder.at("both.mcap")});
  CHECK_MESSAGE(merged.code == 0, merged.output);
  CHECK_MESSAGE(contains(merged.output, "samples that both heard"), merged.output);
  std::smatch found;
  REQUIRE(std::regex_search(merged.output, found, std::regex("clock ([+-][0-9.e-]+) s to")));
  CHECK(std::stod(found[1]) == doctest::Approx(5).epsilon(0.02));
  demo->signal(SIGINT);
  demo->finish(patience);
}

TEST_CASE("a fleet is one line for a host, one for each machine, and columns stand below each other") {
  runtime::HostState good{
      .name = "cell1", .page = "http://127.0.0.1:8088", .reachable = true, .may_control = true, .version = "0.2.0"};
  good.clock = runtime::ClockOffset{-0.0025, 80e-6, 160e-6, 8};
  good.status.emplace();
  for (const char* name : {"lift", "platform"}) {
    runtime::MachineStatus machine;
    machine.name = name;
    machine.state = "live";
    good.status->machines.push_back(machine);
  }
  const runtime::HostState away{.name = "cell2", .page = "https://10.0.0.5:8088", .error = "no route"};
  const std::string text = render_fleet({good, away}, false, 0);
  CHECK(contains(text, "cell1  http://127.0.0.1:8088  tandem 0.2.0  clock -2.5 ms ± 80.0 us\n"));
  CHECK(contains(text, "cell2  https://10.0.0.5:8088  unreachable: no route\n"));
  CHECK(contains(text, "cell1/lift      "));
  CHECK(contains(text, "cell1/platform  "));
  CHECK(contains(render_stops({{"a", true, "stopped: lift"}, {"bb", false, "no route"}}),
                 "bb  NOT CONFIRMED: no route\n1 of 2 hosts did not confirm"));
}

}  // namespace tandem::app
