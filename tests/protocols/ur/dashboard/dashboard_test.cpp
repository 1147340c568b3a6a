// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/dashboard/dashboard.hpp"

#include <doctest/doctest.h>

#include <random>
#include <regex>

#include "tandem/protocols/ur/dashboard/client.hpp"
#include "tests/protocols/ur/ports_fixture.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::dashboard;

namespace {

struct FakeTarget final : Target {
  std::optional<std::string> perform(const Command& command) override {
    performed.push_back(command);
    if (command.verb == Verb::load && command.argument == "missing.urp") return "File not found: missing.urp";
    if (command.verb == Verb::power_on) state.robot_mode = RobotMode::idle;
    if (command.verb == Verb::brake_release) state.robot_mode = RobotMode::running;
    return std::nullopt;
  }
  View view() const override { return state; }
  View state;
  std::vector<Command> performed;
};

std::string talk(net::Session& session, std::string_view text, bool* alive = nullptr) {
  net::Outbox out;
  const bool open = session.receive(as_bytes(text), out);
  if (alive != nullptr) *alive = open;
  const auto bytes = out.take();
  return {bytes.begin(), bytes.end()};
}

// A server that reads one line and answers with this, whatever it was.
auto answering(std::string answer) {
  return [answer](net::TcpSocket& socket) {
    test::write_bytes(socket, as_bytes("Connected: Universal Robots Dashboard Server\n"));
    std::vector<std::uint8_t> buffer(1000);
    while (socket.read_some(buffer, soon(2s))) test::write_bytes(socket, as_bytes(answer));
  };
}

}  // namespace

TEST_CASE("every command has the answer that clients match") {
  // Left: what is sent. Right: the regular expression of UR's own client library.
  const std::pair<const char*, const char*> table[] = {
      {"load box.urp", "(?:Loading program: ).*(?:box.urp).*"},
      {"play", "Starting program"},
      {"stop", "Stopped"},
      {"pause", "Pausing program"},
      {"shutdown", "Shutting down"},
      {"running", "Program running: false"},
      {"robotmode", "Robotmode: POWER_OFF"},
      {"get loaded program", "(?:Loaded program: ).*"},
      {"popup hello there", "showing popup"},
      {"close popup", "closing popup"},
      {"addToLog text", "Added log message"},
      {"isProgramSaved", "(?:true|false).*"},
      {"programState", "(STOPPED|PLAYING|PAUSED) .*"},
      {"PolyscopeVersion", "(?:URSoftware ).*"},
      {"version", "5\\.\\d+\\.\\d+\\.\\d+"},
      {"setUserRole operator", "Setting user role: operator"},
      {"getUserRole", "(PROGRAMMER|OPERATOR|NONE|LOCKED|RESTRICTED)"},
      {"set operational mode manual", "Operational mode MANUAL is set"},
      {"get operational mode", "(NONE|MANUAL|AUTOMATIC)"},
      {"clear operational mode", "(?:No longer controlling the operational mode.).*"},
      {"power on", "Powering on"},
      {"power off", "Powering off"},
      {"brake release", "Brake releasing"},
      {"safetymode", "Safetymode: NORMAL"},
      {"safetystatus", "Safetystatus: NORMAL"},
      {"unlock protective stop", "Protective stop releasing"},
      {"close safety popup", "closing safety popup"},
      {"load installation default.installation", "(?:Loading installation: ).*(?:default.installation).*"},
      {"restart safety", "Restarting safety"},
      {"is in remote control", "true"},
      {"get serial number", "(?:20).*"},
      {"get robot model", "(?:UR).*"},
      {"saveLog", "Log saved to disk"},
      {"nonsense", "could not understand: 'nonsense'"},
      {"playing", "could not understand: 'playing'"}};
  FakeTarget target;
  target.state.loaded_program = "/programs/box.urp";
  DashboardSession session(target);
  for (const auto& [asked, expected] : table) {
    CAPTURE(asked);
    target.state.robot_mode = RobotMode::power_off;
    std::string answer = talk(session, std::string(asked) + '\n');
    REQUIRE(answer.ends_with('\n'));
    answer.pop_back();
    CHECK_MESSAGE(std::regex_match(answer, std::regex(expected)), answer);
  }
  target.state.loaded_program.clear();
  CHECK(talk(session, "get loaded program\n") == "No program loaded\n");
  bool alive = true;
  CHECK(talk(session, "quit\n", &alive) == "Disconnected\n");
  CHECK_FALSE(alive);
}

TEST_CASE("a refusal is told in the words of the robot") {
  FakeTarget target;
  DashboardSession session(target);
  CHECK(talk(session, "load missing.urp\n") == "File not found: missing.urp\n");
  REQUIRE(target.performed.size() == 1);
  CHECK(target.performed[0].argument == "missing.urp");
  talk(session, "robotmode\n");
  CHECK(target.performed.size() == 1);  // asking does nothing
}

TEST_CASE("commands in any pieces and several in one are answered in order") {
  const std::string stream = "power on\r\nrobotmode\nbrake release\n  ROBOTMODE  \n";
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    FakeTarget target;
    DashboardSession session(target);
    std::string answers;
    for (std::size_t at = 0; at < stream.size(); at += step) answers += talk(session, stream.substr(at, step));
    CHECK(answers == "Powering on\nRobotmode: IDLE\nBrake releasing\nRobotmode: RUNNING\n");
  }
}

TEST_CASE("a line that never ends is the end and garbage is not understood") {
  FakeTarget target;
  DashboardSession session(target);
  bool alive = true;
  talk(session, std::string(5000, 'x'), &alive);
  CHECK_FALSE(alive);
  std::mt19937_64 random(21);
  for (int i = 0; i < 2000; ++i) {
    std::string line(random() % 60, 'x');
    for (char& c : line) c = static_cast<char>(random());
    CHECK_NOTHROW(static_cast<void>(parse(line)));
  }
  CHECK(target.performed.empty());
}

TEST_CASE("a client powers the robot up over loopback") {
  FakeTarget target;
  test::Served served([&](const net::Endpoint&) { return std::make_unique<DashboardSession>(target); });
  auto client = Client::connect("127.0.0.1", served.port, soon());
  REQUIRE(client);
  CHECK(*client->robot_mode(soon()) == RobotMode::power_off);
  REQUIRE(client->perform(Verb::power_on, soon()));
  CHECK(*client->robot_mode(soon()) == RobotMode::idle);
  REQUIRE(client->perform(Verb::brake_release, soon()));
  CHECK(*client->robot_mode(soon()) == RobotMode::running);
  CHECK(*client->safety_status(soon()) == SafetyMode::normal);
  CHECK(*client->is_in_remote_control(soon()));
  CHECK_FALSE(*client->running(soon()));
  CHECK(client->polyscope_version(soon())->starts_with("URSoftware 5."));
  REQUIRE(client->load("box.urp", soon()));
  REQUIRE(client->perform(Verb::clear_operational_mode, soon()));
  REQUIRE(client->perform(Command{Verb::popup, "look here"}, soon()));
  const auto missing = client->load("missing.urp", soon());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().text.find("File not found") != std::string::npos);
}

TEST_CASE("R17 only names of programs are sent to load") {
  for (const char* good : {"box.urp", "sub/pick_and-place 2.urp", "A.urp"}) CHECK(is_program_name(good));
  for (const char* bad : {"", "a\nplay", "a;reboot", "$(reboot)", "`x`", "a|b", "../../etc/passwd", "a\rb", "a\"b",
                          "-f", " a", "a ", "a&b", "a\x01", "\xc3\xa4.urp"})
    CHECK_FALSE(is_program_name(bad));
  FakeTarget target;
  test::Served served([&](const net::Endpoint&) { return std::make_unique<DashboardSession>(target); });
  auto client = Client::connect("127.0.0.1", served.port, soon());
  REQUIRE(client);
  CHECK(client->load("x.urp\npower off", soon()).error().fault == Fault::invalid);
  CHECK(client->ask("popup a\nshutdown", soon()).error().fault == Fault::invalid);
  CHECK(client->robot_mode(soon()));
  CHECK(target.performed.empty());
}

TEST_CASE("R17 garbage empty and many-lined answers are told and never taken for the next one") {
  {
    test::Peer peer(answering("\x01\x02nonsense\n"));
    auto client = Client::connect("127.0.0.1", peer.port, soon());
    REQUIRE(client);
    const auto mode = client->robot_mode(soon());
    REQUIRE_FALSE(mode);
    CHECK(mode.error().fault == Fault::device);
    CHECK(mode.error().text.find("??nonsense") != std::string::npos);
  }
  {
    test::Peer peer(answering("\n"));
    auto client = Client::connect("127.0.0.1", peer.port, soon());
    REQUIRE(client);
    CHECK(client->robot_mode(soon()).error().fault == Fault::invalid);
  }
  {
    // The second line of the first answer must not answer the second question.
    test::Peer peer(answering("Robotmode: IDLE\nRobotmode: RUNNING\n"));
    auto client = Client::connect("127.0.0.1", peer.port, soon());
    REQUIRE(client);
    for (int i = 0; i < 3; ++i) {
      CHECK(*client->robot_mode(soon()) == RobotMode::idle);
      system_clock().sleep_until(soon(20ms));
    }
  }
  {
    test::Peer peer(answering(std::string(10'000, 'y')));
    auto client = Client::connect("127.0.0.1", peer.port, soon());
    REQUIRE(client);
    CHECK(client->robot_mode(soon()).error().fault == Fault::invalid);
  }
  {
    test::Peer peer(answering(""));
    auto client = Client::connect("127.0.0.1", peer.port, soon());
    REQUIRE(client);
    CHECK(client->robot_mode(soon(100ms)).error().fault == Fault::timeout);
  }
  {
    test::Peer peer([](net::TcpSocket& socket) { test::write_bytes(socket, as_bytes("SSH-2.0\n")); });
    CHECK_FALSE(Client::connect("127.0.0.1", peer.port, soon()));
  }
}
