// SPDX-License-Identifier: Apache-2.0
// One host of a fleet, and many: pages in this process, and what is none.
#include "tandem/runtime/fleet/host_link.hpp"

#include <pthread.h>

#include <random>

#include "tandem/runtime/fleet/page.hpp"
#include "tandem/web/hub/foxglove.hpp"
#include "tests/runtime/fleet/fake_host.hpp"

namespace tandem::runtime {

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <typename Holds>
bool in_time(Holds holds) {
  for (const Instant deadline = soon(); now() < deadline; std::this_thread::sleep_for(5ms))
    if (holds()) return true;
  return false;
}

std::string upgrade_of(const std::string& rest = "") {
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\nSec-WebSocket-Protocol: foxglove.sdk.v1\r\n\r\n" +
         rest;
}

std::string frame_of(const std::string& text) {
  const web::FrameHead head = web::frame_head(web::Opcode::text, text.size());
  return std::string(head.bytes.begin(), head.bytes.begin() + static_cast<std::ptrdiff_t>(head.size)) + text;
}

constexpr Duration streams_for = 12s;  // not for ever, so that a test which it holds fails

// Accepts the upgrade, tells this, and then sends pongs without a pause.
RawHost::Serve streams(const std::string& told) {
  return [told](net::TcpSocket& socket, const std::stop_token& stop) {
    std::array<std::uint8_t, 4096> bytes;
    const auto count = socket.read_some(bytes, soon());
    if (!count) return;
    const std::string request(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(*count));
    const auto key = web::accept_key(request.substr(request.find("Sec-WebSocket-Key: ") + 19, 24));
    std::string answer = upgrade_of(told);
    answer.replace(answer.find("AAAA"), 28, key.value_or(""));
    std::string pongs;
    for (int i = 0; i < 2000; ++i) pongs += std::string("\x8a\0", 2);
    bool open = socket.write_all(as_bytes(answer), soon()).ok();
    for (const Instant end = in(streams_for); open && now() < end && !stop.stop_requested();)
      open = socket.write_all(as_bytes(pongs), soon()).ok();
  };
}

}  // namespace

TEST_CASE("a host's status and clock are seen, and its stop is confirmed") {
  PageHost host({.clock_shift = 1234ms});
  const HostState state = look_at(host_at("cell1", host.port()), 20s);
  CHECK_MESSAGE(state.reachable, state.error);
  CHECK(state.may_control);
  CHECK(state.version == "0.2.0");
  REQUIRE(state.status);
  CHECK(state.status->machines.front().name == "lift");
  REQUIRE(state.clock);
  CHECK(state.clock->exchanges == 8);
  // The truth is known here: both clocks are the same one, and one of them was shifted.
  CHECK(std::abs(state.clock->offset - 1.234) <= state.clock->uncertainty + 1e-6);
  const auto stopped = stop_host(host_at("cell1", host.port()), 20s);
  REQUIRE_MESSAGE(stopped, (stopped ? "" : stopped.error().text));
  CHECK(*stopped == "stopped: lift");
  CHECK(host.stops == 1);
}

TEST_CASE("the time in which a host thinks is no part of the round trip") {
  PageHost host({.clock_shift = -3600s, .answer_after = 30ms});
  HostLink link(host_at("slow", host.port()));
  REQUIRE(link.open(soon()));
  REQUIRE(link.measure(4, soon()));
  const auto clock = link.clock();
  REQUIRE(clock);
  CHECK(std::abs(clock->offset + 3600) <= clock->uncertainty + 1e-6);
  CHECK(clock->round_trip < 4 * 0.030);  // it would be above that of one exchange with every thought in it
}

TEST_CASE("a status that the page kept for newcomers is not taken for the present one") {
  for (const bool has_clock : {true, false}) {
    CAPTURE(has_clock);
    PageHost host({.clock_shift = -86400s, .has_clock = has_clock, .keeps_old_status = true});
    const HostState state = look_at(host_at("cell1", host.port()), 20s);
    CHECK_MESSAGE(state.reachable, state.error);
    REQUIRE(state.status);
    CHECK(state.status->machines.front().arm == "armed");  // an hour ago it was stopped
    CHECK(state.clock.has_value() == has_clock);
    if (!has_clock) CHECK_MESSAGE(has(state.error, "/tandem/clock"), state.error);
  }
}

TEST_CASE("without the right token a host can be seen and not stopped, and the reason is said") {
  PageHost host;
  for (const std::string token : {"", "wrong-wrong-wrong-wrong"}) {
    CAPTURE(token);
    const HostState state = look_at(host_at("cell1", host.port(), token), 20s);
    const auto stopped = stop_host(host_at("cell1", host.port(), token), 20s);
    CHECK_FALSE(stopped);
    if (token.empty()) {
      CHECK(state.reachable);
      CHECK(state.clock);  // viewers may ask the time
      CHECK_FALSE(state.may_control);
      CHECK_MESSAGE(has(stopped.error().text, "read-only"), stopped.error().text);
    } else {  // a page whose token is the user's own refuses a wrong one
      CHECK_FALSE(state.reachable);
      CHECK_MESSAGE(has(state.error, "401: The token is wrong"), state.error);
      CHECK_MESSAGE(has(stopped.error().text, "401"), stopped.error().text);
    }
  }
  CHECK(host.stops == 0);
}

TEST_CASE("a host that hangs, closes, or is something else is named with the reason, within the time given") {
  std::mt19937 random(7);
  std::string garbage(4000, '\0');
  for (char& c : garbage) c = static_cast<char>(random());
  struct Row {
    const char* name;
    RawHost::Serve serve;
    std::string expected;
  };
  const std::vector<Row> rows = {
      {"hangs", hang, "did not come in time"},
      {"closes", [](net::TcpSocket&, const std::stop_token&) {}, ""},
      {"resets", [](net::TcpSocket& socket, const std::stop_token&) { socket.reset(); }, ""},
      {"garbage", says(garbage), "expected the answer of a tandem's page"},
      {"another service", says("SSH-2.0-OpenSSH_9.2\r\n", true),
       "expected the answer of a tandem's page, got 'SSH-2.0"},
      {"not found", says("HTTP/1.1 404 Not Found\r\nContent-Length: 20\r\n\r\n404\nno page is here\n"),
       "HTTP status 404: no page is here"},
      {"a head without an end", says("HTTP/1.1 101 " + std::string(20000, 'x'), true), "at most 16384 bytes"},
      {"another key", says(upgrade_of(), true), "expected Sec-WebSocket-Accept"},
      {"a refusal that stays open", says("HTTP/1.1 403 Forbidden\r\nContent-Length: 7\r\n\r\n403\nno\n", true),
       "HTTP status 403: no"},
      {"no status", says("HTTP/1.1 abc\r\n\r\n", true), "expected the answer of a tandem's page"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    RawHost host(row.serve);
    const Instant begun = now();
    const HostState state = look_at(host_at("bad", host.port()), 500ms);
    const auto stopped = stop_host(host_at("bad", host.port()), 500ms);
    CHECK(now() - begun < 15s);
    CHECK_FALSE(state.reachable);
    CHECK_FALSE(state.error.empty());
    CHECK_MESSAGE(has(state.error, row.expected), state.error);
    CHECK_FALSE(stopped);
    for (const char c : state.error) CHECK(static_cast<unsigned char>(c) >= ' ');
  }
}

TEST_CASE("a host that never falls silent does not hold a stop or a look beyond the time given") {
  const web::ServiceInfo command{std::string(command_service), "t", {"json", "", "", ""}, {"json", "", "", ""}};
  const std::string info = frame_of(web::foxglove::server_info({.name = "tandem",
                                                                .capabilities = {},
                                                                .encodings = {},
                                                                .metadata = {{"control", "yes"}, {"tandem", "0.2.0"}},
                                                                .session = {},
                                                                .data_time = {}}));
  const std::string services = frame_of(web::foxglove::advertise_services({{3, &command}}));
  for (const std::string& told : {std::string(), info, info + services}) {
    CAPTURE(told.size());
    RawHost host(streams(told));
    Instant begun = now();
    const auto stopped = stop_host(host_at("busy", host.port()), 500ms);
    CHECK(now() - begun < streams_for);
    REQUIRE_FALSE(stopped);
    CHECK_MESSAGE(has(stopped.error().text, "did not come in time"), stopped.error().text);
    begun = now();
    const HostState state = look_at(host_at("busy", host.port()), 500ms);
    CHECK(now() - begun < streams_for);
    CHECK_FALSE(state.reachable);
    CHECK_MESSAGE(has(state.error, "did not come in time"), state.error);
  }
}

TEST_CASE("a stop reaches every host at the same time, and one that does not confirm is named") {
  PageHost good, silent({.answers_stop = false});
  RawHost hanging(hang);
  const std::vector<FleetHost> hosts = {host_at("hanging", hanging.port()), host_at("good", good.port()),
                                        host_at("silent", silent.port()), host_at("nobody", 1)};
  const auto stops = stop_all(hosts, 2s);
  REQUIRE(stops.size() == 4);
  CHECK_FALSE(stops[0].ok);
  CHECK_MESSAGE(stops[1].ok, stops[1].text);
  CHECK_FALSE(stops[2].ok);
  CHECK_MESSAGE(has(stops[2].text, "/tandem/command did not come in time"), stops[2].text);
  CHECK_FALSE(stops[3].ok);
  CHECK(good.stops == 1);
  CHECK(silent.stops == 1);
}

TEST_CASE("a stop reaches every host also when the system has no threads left") {
  PageHost one, two;
  const std::vector<FleetHost> hosts = {host_at("one", one.port()), host_at("two", two.port())};
  pthread_attr_t before, huge;
  REQUIRE(pthread_getattr_default_np(&before) == 0);
  REQUIRE(pthread_getattr_default_np(&huge) == 0);
  REQUIRE(pthread_attr_setstacksize(&huge, std::size_t{1} << 47) == 0);  // more than there are addresses
  REQUIRE(pthread_setattr_default_np(&huge) == 0);
  CHECK_THROWS_AS(std::jthread([] {}), std::system_error);
  std::vector<HostStop> stops;
  CHECK_NOTHROW(stops = stop_all(hosts, 20s));
  REQUIRE(pthread_setattr_default_np(&before) == 0);
  pthread_attr_destroy(&before), pthread_attr_destroy(&huge);
  REQUIRE(stops.size() == 2);
  for (const HostStop& stop : stops) CHECK_MESSAGE(stop.ok, stop.text);
  CHECK((one.stops == 1 && two.stops == 1));
}

TEST_CASE("a watch shows a host that goes, and that comes back, without the others being held up") {
  auto first = std::make_unique<PageHost>();
  const std::uint16_t port = first->port();
  RawHost hanging(hang);
  FleetWatch watch({host_at("goes", port), host_at("hangs", hanging.port())});
  CHECK(in_time([&] { return watch.states()[0].reachable; }));
  CHECK_FALSE(watch.states()[1].reachable);
  first.reset();
  CHECK(in_time([&] { return !watch.states()[0].reachable; }));
  CHECK_FALSE(watch.states()[0].status);  // what it was says nothing of what it is
  const PageHost again({.clock_shift = 5s, .listen = fmt::format("127.0.0.1:{}", port)});
  CHECK(in_time([&] { return watch.states()[0].reachable; }));
  CHECK(watch.states()[0].clock->offset == doctest::Approx(5).epsilon(0.2));
}

TEST_CASE("the page of a fleet shows all hosts, and stops them only with its own token") {
  PageHost one, two({.clock_shift = -2s});
  FleetPageOptions options;
  options.listen = "127.0.0.1:0";
  options.control_token = "fleet-token-of-this-test";
  FleetPage page({host_at("one", one.port()), host_at("two", two.port()), host_at("nobody", 1)}, options);
  std::jthread thread([&](const std::stop_token& stop) { page.run(stop); });
  CHECK(in_time([&] { return page.watch().states()[0].reachable && page.watch().states()[1].reachable; }));
  const auto port = static_cast<std::uint16_t>(std::stoi(page.address().substr(page.address().rfind(':') + 1)));
  struct : web::Ears {
    void message(std::string_view, std::uint64_t, Bytes payload) override {
      fleet.assign(payload.begin(), payload.end());
    }
    void answer(std::uint32_t, const Result<Bytes>& answer) override {
      said = answer ? std::string(answer->begin(), answer->end()) : answer.error().text;
    }
    std::string fleet, said;
  } ears;
  for (const std::string token : {"", "fleet-token-of-this-test"}) {
    CAPTURE(token);
    auto connection = web::Connection::open({"127.0.0.1", port, false, ""}, soon());
    REQUIRE(connection);
    web::Conversation talk({fmt::format("127.0.0.1:{}", port), token, {std::string(fleet_topic)}}, ears);
    ears = {};
    bool asked = false;
    std::vector<std::uint8_t> bytes(65536);
    CHECK(in_time([&] {
      (void)connection->write_all(talk.take_unsent(), soon());
      const auto count = connection->read_until(bytes, in(50ms));
      REQUIRE(count);
      REQUIRE(talk.take(Bytes(bytes).first(*count)));
      if (!asked && talk.offers(std::string(fleet_command)))
        asked = talk.call(std::string(fleet_command), R"({"what":"stop"})").ok();
      return !ears.fleet.empty() && !ears.said.empty();
    }));
    const auto fleet = nlohmann::json::parse(ears.fleet);
    CHECK(fleet["hosts"].size() == 3);
    CHECK(fleet["hosts"][1]["name"] == "two");
    CHECK(fleet["hosts"][1]["clock"]["offset"].get<double>() == doctest::Approx(-2).epsilon(0.2));
    CHECK(fleet["hosts"][2]["reachable"] == false);
    CHECK_FALSE(has(ears.fleet, test_token));
    if (token.empty()) {
      CHECK_MESSAGE(has(ears.said, "read-only"), ears.said);
      CHECK(one.stops == 0);
    } else {
      const auto said = nlohmann::json::parse(ears.said);
      CHECK(said["ok"] == false);  // nobody did not confirm
      CHECK(said["hosts"][0]["ok"] == true);
      CHECK(said["hosts"][2]["ok"] == false);
      CHECK(one.stops == 1);
      CHECK(two.stops == 1);
    }
  }
  FleetPageOptions abroad;
  abroad.listen = "0.0.0.0:0";
  CHECK_THROWS_AS(FleetPage({}, abroad), std::invalid_argument);
}

TEST_CASE("what a foreign status says cannot disturb a terminal") {
  SystemStatus bad = status_of_lift("armed\x1b[2J");
  bad.version = "\x1b]0;title\x07";
  bad.machines.front().name = "a\nb\rc";
  bad.machines.front().cause = std::string(5000, 'x');
  bad.machines.front().values.push_back({"v\t", "m\x7f", {1}, "t\x01", {}});
  bad.discovery_servers.push_back({7, "10.9.0.1\x1b[2J", std::string(5000, '\n'), -1e300});
  bad.sparkplug.emplace();
  bad.sparkplug->broker = bad.sparkplug->group = bad.sparkplug->node = "mqtt\x1b[2J";
  bad.sparkplug->state = bad.sparkplug->trouble = std::string(5000, '\x07');
  const auto read = status_from_host(json_from_status(bad));
  REQUIRE(read);
  for (const std::string& text : {read->version, read->machines[0].name, read->machines[0].arm, read->machines[0].cause,
                                  read->machines[0].values[0].text, read->discovery_servers[0].address,
                                  read->discovery_servers[0].state, read->sparkplug->broker, read->sparkplug->group,
                                  read->sparkplug->node, read->sparkplug->state, read->sparkplug->trouble}) {
    CHECK(text.size() < 400);
    for (const char c : text) CHECK(static_cast<unsigned char>(c) >= ' ');
  }
  CHECK_FALSE(status_from_host(std::string(100, '[')));
  CHECK_FALSE(status_from_host(R"({"machines": "none"})"));
  CHECK(read->discovery_servers[0].since == 0);
  const auto good = nlohmann::json::parse(json_from_status(status_of_lift()));
  CHECK(status_from_host(good.dump()));
  for (const nlohmann::json& wrong : {nlohmann::json(1e300), nlohmann::json(-1), nlohmann::json("many")}) {
    for (const char* place : {"/viewers", "/machines/0/samples", "/machines/0/skipped"}) {
      auto text = good;
      text[nlohmann::json::json_pointer(place)] = wrong;
      CHECK_FALSE(status_from_host(text.dump()));
    }
  }
}

}  // namespace tandem::runtime
