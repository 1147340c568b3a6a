// SPDX-License-Identifier: Apache-2.0
// A whole tandem on a real broker, with a host application that checks the specification's assertions.
#include "tandem/runtime/sparkplug/edge_node.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "tandem/base/clock.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/protocols/mqtt/broker.hpp"
#include "tests/protocols/sparkplug/host.hpp"
#include "tests/runtime/counter/machine.hpp"

namespace tandem::runtime {

namespace {

using mqtt::Broker;
using mqtt::eventually;
using sparkplug::DataType;
using sparkplug::Metric;
using sparkplug::Value;

// Hears all of the group and keeps the books of a host.
struct Scada {
  explicit Scada(const Broker& broker)
      : host("lab", "cell1"),
        client(loop, broker.options(), "scada", 60s,
               {[] {
                  return mqtt::Greeting{{}, {{"spBv1.0/lab/#", 1}}};
                },
                {},
                {},
                [this](const mqtt::Message& message) {
                  const std::lock_guard lock(mutex);
                  if (message.topic.find("CMD/") != std::string::npos) return;
                  host.hears(message.topic, message.payload, message.qos, message.retain);
                }}) {
    REQUIRE(eventually([this] { return client.counters().connected; }));
  }
  template <typename Holds>
  bool sees(Holds holds, Duration limit = 20s) {
    return eventually(
        [&] {
          const std::lock_guard lock(mutex);
          return holds(host);
        },
        limit);
  }
  Value value(const std::string& device, const std::string& name) {
    const std::lock_guard lock(mutex);
    const auto& values = host.devices[device].values;
    const auto found = values.find(name);
    return found == values.end() ? Value() : found->second;
  }
  std::set<std::string> broken() {
    const std::lock_guard lock(mutex);
    return host.broken;
  }
  void command(const std::string& topic, std::string_view name, Value value, bool retain = false) {
    Metric metric;
    metric.name = name;
    metric.type = DataType::boolean;
    metric.value = std::move(value);
    metric.timestamp = 1;
    REQUIRE(client.publish({topic, sparkplug::encode({1, {metric}, {}}), 0, retain}));
  }

  mqtt::Loop loop;
  std::mutex mutex;
  sparkplug::Host host;  // guarded
  mqtt::Client client;
};

struct Plant {
  Plant(const std::string& url, const std::string& more = "",
        const std::string& machines = "  lift: { type: counter, device: virtual }\n") {
    static const Registry registry({&counter::machine_type()});
    const ConfigText text{
        "test.yaml", fmt::format("ros: {{ enabled: false }}\nmqtt: {{ broker: \"{}\" }}\nsparkplug: {{ group: lab, "
                                 "node: cell1{} }}\nmachines:\n{}",
                                 url, more, machines)};
    SystemOptions options;
    options.version = "test";
    options.state_folder = folder.path();
    options.supervision.longest_pause = 2s;
    options.on_event = [this](const Event& event) {
      const std::lock_guard lock(mutex);
      lines.push_back(fmt::format("{}: {}", event.kind, event.text));
    };
    config = parse_config({&text, 1}, registry);
    begin(options);
    kept = options;
  }
  void begin(const SystemOptions& options) {
    system = std::make_unique<System>(config, options);
    system->start();
  }
  void restart() {
    system.reset();
    begin(kept);
  }
  SparkplugStatus status() const { return *system->status().sparkplug; }
  bool told(std::string_view part) {
    const std::lock_guard lock(mutex);
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

  mqtt::Folder folder;
  std::mutex mutex;
  std::vector<std::string> lines;  // guarded
  Config config;
  SystemOptions kept;
  std::unique_ptr<System> system;
};

}  // namespace

TEST_CASE("a plant sees every machine: births with units, then what changes, then the death of a clean end") {
  const Broker broker;
  Scada scada(broker);
  Plant plant(broker.url());
  REQUIRE(scada.sees([](const auto& host) { return host.devices.contains("lift") && host.devices.at("lift").alive; }));
  REQUIRE(plant.system->command("arm", "lift", "a test"));
  REQUIRE(eventually([&] { return scada.value("lift", "Armed") == Value(true); }));
  CHECK(scada.value("lift", "State") == Value(std::string("live")));
  CHECK(scada.value("lift", "Link live") == Value(true));
  CHECK(scada.value("lift", "Stop latched") == Value(false));
  REQUIRE(plant.system->command("stop", "lift", "a test"));
  REQUIRE(eventually([&] { return scada.value("lift", "Stop latched") == Value(true); }));
  CHECK(scada.value("lift", "Armed") == Value(false));
  CHECK(std::get<std::string>(scada.value("lift", "Last fault")).find("stop") != std::string::npos);
  {
    // Every number of `tandem status` is there.
    const MachineStatus machine = plant.system->status().machines.at(0);
    const std::lock_guard lock(scada.mutex);
    for (const auto& value : machine.values) {
      if (value.numbers.size() != 1) continue;
      CAPTURE(value.name);
      CHECK(scada.host.devices["lift"].types.contains("Values/" + value.name));
    }
    CHECK(scada.host.devices["lift"].types.at("Link/Samples") == DataType::int64);
    CHECK(scada.host.node_values.at("Properties/Version") == Value(std::string("test")));
  }
  const SparkplugStatus status = plant.status();
  CHECK(status.connected);
  CHECK(status.state == "born");
  CHECK(status.devices == 1);
  CHECK(status.sent > 2);
  CHECK(status.dropped == 0);
  const std::string metrics = metrics_text(plant.system->status());
  CHECK(metrics.find("tandem_sparkplug_connected 1") != std::string::npos);
  const auto back = status_from_json(json_from_status(plant.system->status()));
  REQUIRE(back);
  CHECK(back->sparkplug->broker == broker.url());
  plant.system->stop(5s);
  CHECK(scada.sees([](const auto& host) { return host.node_deaths == 1 && !host.node_alive(); }));
  CHECK(scada.broken() == std::set<std::string>{});
}

TEST_CASE("a broker that is killed and started again gets new births with the next bdSeq; the machine never notices") {
  Broker broker;
  Plant plant(broker.url());
  REQUIRE(eventually([&] { return plant.status().state == "born"; }));
  REQUIRE(plant.system->command("arm", "lift", "a test"));
  broker.kill();
  REQUIRE(eventually([&] { return !plant.status().connected; }));
  CHECK(plant.system->status().machines.at(0).arm == "armed");
  broker.start();
  Scada scada(broker);
  scada.command("spBv1.0/lab/NCMD/cell1", sparkplug::rebirth_metric, true);
  REQUIRE(scada.sees([](const auto& host) { return host.node_births >= 1 && host.birth_number() == 1; }));
  CHECK(plant.system->status().machines.at(0).arm == "armed");
  CHECK(plant.status().connects == 2);
  plant.system->stop(5s);
}

TEST_CASE("bdSeq goes on after a restart of the process, and its file is nobody's secret") {
  const Broker broker;
  Scada scada(broker);
  Plant plant(broker.url());
  REQUIRE(scada.sees([](const auto& host) { return host.birth_number() == 0; }));
  plant.restart();
  CHECK(scada.sees([](const auto& host) { return host.birth_number() == 1; }));
  CHECK(scada.broken() == std::set<std::string>{});
}

TEST_CASE("unplugged: the device dies with its reason; plugged in: it is born again") {
  const Broker broker;
  Scada scada(broker);
  Plant plant(broker.url());
  REQUIRE(scada.sees([](const auto& host) { return host.devices.contains("lift") && host.devices.at("lift").alive; }));
  REQUIRE(plant.system->command("unplug", "lift", "a test"));
  REQUIRE(scada.sees([](const auto& host) { return !host.devices.at("lift").alive; }));
  CHECK(scada.value("lift", "Link live") == Value(false));
  REQUIRE(plant.system->command("plug", "lift", "a test"));
  REQUIRE(scada.sees([](const auto& host) { return host.devices.at("lift").births == 2; }));
  CHECK(scada.broken() == std::set<std::string>{});
}

TEST_CASE("a host asks for a rebirth and gets all births once") {
  const Broker broker;
  Scada scada(broker);
  Plant plant(broker.url());
  REQUIRE(scada.sees([](auto& host) { return host.node_births == 1 && host.devices["lift"].alive; }));
  for (int i = 0; i < 20; ++i) scada.command("spBv1.0/lab/NCMD/cell1", sparkplug::rebirth_metric, true);
  REQUIRE(scada.sees([](auto& host) { return host.node_births == 2 && host.devices["lift"].births == 2; }));
  CHECK(scada.broken() == std::set<std::string>{});
}

TEST_CASE("without `commands` nothing stops; with it stop does, and arm and reset never are there") {
  const Broker broker;
  Scada scada(broker);
  const std::string topic = "spBv1.0/lab/DCMD/cell1/lift";
  {
    Plant plant(broker.url());
    REQUIRE(
        scada.sees([](const auto& host) { return host.devices.contains("lift") && host.devices.at("lift").alive; }));
    REQUIRE(plant.system->command("arm", "lift", "a test"));
    scada.command(topic, sparkplug::stop_metric, true);
    scada.command("spBv1.0/lab/NCMD/cell1", "Node Control/Reboot", true);
    REQUIRE(eventually([&] { return plant.status().refused == 1; }));  // it did not even subscribe to DCMD
    CHECK(plant.system->status().machines.at(0).arm == "armed");
    CHECK(plant.told("refused: NCMD 'Node Control/Reboot'"));
    plant.system->stop(5s);
  }
  Plant plant(broker.url(), ", commands: [stop]");
  REQUIRE(eventually([&] { return scada.value("lift", "Device Control/stop") == Value(false); }));
  REQUIRE(plant.system->command("arm", "lift", "a test"));
  for (const char* name : {"Device Control/arm", "Device Control/reset", "Device Control/Stop"})
    scada.command(topic, name, true);
  scada.command(topic, sparkplug::stop_metric, false);
  REQUIRE(eventually([&] { return plant.status().refused == 3; }));
  CHECK(plant.system->status().machines.at(0).arm == "armed");
  scada.command(topic, sparkplug::stop_metric, true);
  REQUIRE(eventually([&] { return plant.system->status().machines.at(0).arm == "stopped"; }));
  CHECK(plant.system->status().machines.at(0).arm_by == "a Sparkplug host");
  REQUIRE(eventually([&] { return scada.value("lift", "Stop latched") == Value(true); }));
  CHECK(scada.broken() == std::set<std::string>{});
}

TEST_CASE("ten thousand stops that arrive while one is carried out are one more") {
  // Carries out each command when it is told to.
  struct Slow final : Controlled {
    SystemStatus status() const override {
      SystemStatus status;
      status.machines.emplace_back().name = "lift";
      return status;
    }
    Result<std::string> command(std::string_view, std::string_view, std::string_view) override {
      ++commands;
      (void)eventually([this] { return go_on.load(); }, 60s);
      return std::string("stopped");
    }
    std::atomic<int> commands{0};
    std::atomic<bool> go_on{false};
  };
  const Broker broker;
  Scada scada(broker);
  Slow slow;
  SystemClock clock;
  mqtt::Loop loop;
  EdgeNode::Options options;
  options.config.group = "lab";
  options.config.node = "cell1";
  options.config.commands = {"stop"};
  options.broker = broker.options();
  options.machines = {"lift"};
  EdgeNode node(options, loop, slow, clock, {});
  std::jthread thread([&](const std::stop_token& stop) { node.run(stop); });
  REQUIRE(eventually([&] { return node.status().state == "born"; }));
  const std::string topic = "spBv1.0/lab/DCMD/cell1/lift";
  scada.command(topic, sparkplug::stop_metric, true);
  REQUIRE(eventually([&] { return slow.commands == 1; }));
  Metric metric;
  metric.name = sparkplug::stop_metric;
  metric.type = DataType::boolean;
  metric.value = true;
  const std::string payload = sparkplug::encode({1, std::vector<Metric>(1000, metric), {}});
  for (int i = 0; i < 10; ++i) REQUIRE(scada.client.publish({topic, payload, 1, false}));
  REQUIRE(eventually([&] { return node.status().received >= 11; }));
  slow.go_on = true;
  CHECK(eventually([&] { return slow.commands >= 2; }));
  thread.request_stop();
  thread.join();
  CHECK(slow.commands == 2);
}

TEST_CASE("a retained stop, and ten thousand malformed commands, do nothing but be counted") {
  const Broker broker;
  Scada scada(broker);
  const std::string topic = "spBv1.0/lab/DCMD/cell1/lift";
  scada.command(topic, sparkplug::stop_metric, true, true);
  Plant plant(broker.url(), ", commands: [stop]");
  REQUIRE(eventually([&] { return plant.status().refused == 1; }));
  REQUIRE(eventually([&] { return plant.system->status().machines.at(0).state == "live"; }));
  REQUIRE(plant.system->command("arm", "lift", "a test"));
  std::mt19937_64 random(19);
  std::uint64_t sent = 0;
  while (sent < 10'000) {
    std::string payload(1 + random() % 60, '\0');
    for (char& c : payload) c = static_cast<char>(random());
    payload[0] = '\x0b';  // a group: nothing that is Sparkplug begins so
    if (scada.client.publish({random() % 2 == 0 ? topic : "spBv1.0/lab/NCMD/cell1", payload, 0, false})) ++sent;
    if (sent % 500 == 0) REQUIRE(eventually([&] { return scada.client.waiting() == 0; }));
  }
  REQUIRE(eventually([&] { return plant.status().refused >= 9'000; }));  // a broker may drop at QoS 0
  CHECK(plant.system->status().machines.at(0).arm == "armed");
  CHECK(plant.status().rebirths == 0);
  const std::lock_guard lock(plant.mutex);
  CHECK(std::ranges::count_if(plant.lines, [](const auto& line) { return line.starts_with("sparkplug: refused"); }) <
        10);
}

TEST_CASE("with a primary host nothing is published before it is online; when it goes, the node dies and waits again") {
  const Broker broker;
  Scada scada(broker);
  Plant plant(broker.url(), ", primary_host: scada, store: 1000");
  REQUIRE(eventually([&] { return plant.status().state == "waiting for the primary host"; }));
  const auto say = [&](std::string_view text) {
    REQUIRE(scada.client.publish({"spBv1.0/STATE/scada", std::string(text), 1, true}));
  };
  for (const char* garbage : {"ONLINE", "", "{}", "[]", R"({"online":1,"timestamp":5})", R"({"online":true})",
                              R"({"online":true,"timestamp":-5})", R"({"online":true,"timestamp":"5"})"})
    say(garbage);
  REQUIRE(eventually([&] { return plant.status().received >= 7; }));
  CHECK(plant.status().state == "waiting for the primary host");
  say(R"({"online":true,"timestamp":1700000000000})");
  REQUIRE(scada.sees([](const auto& host) { return host.devices.contains("lift") && host.devices.at("lift").alive; }));
  say(R"({"online":false,"timestamp":1700000000001})");
  REQUIRE(scada.sees([](const auto& host) { return host.node_deaths == 1; }));
  REQUIRE(eventually([&] { return plant.status().connects == 2 && plant.status().stored > 0; }));
  CHECK(plant.status().state == "waiting for the primary host");
  say(R"({"online":true,"timestamp":1700000000002})");
  REQUIRE(scada.sees([](const auto& host) { return host.devices.at("lift").historical > 0; }));
  CHECK(scada.sees([](const auto& host) { return host.birth_number() == 1; }));
  CHECK(scada.broken() == std::set<std::string>{});
}

TEST_CASE("the number of the next connection survives odd names and odd files, and a folder that is not there") {
  const mqtt::Folder folder;
  const StateFile file(folder.path() + "/deep/er", {"a b", "../../x"});
  CHECK(file.read() == 0);
  CHECK(file.write(255));
  CHECK(file.read() == 255);
  CHECK(std::filesystem::path(file.path()).parent_path() == folder.path() + "/deep/er");
  CHECK(StateFile(folder.path() + "/deep/er", {"a_b", "x"}).read() == 0);
  for (const char* text : {"", "256", "-1", "x", "99999999999999999999"}) {
    std::ofstream(file.path()) << text;
    CHECK(file.read() == 0);
  }
  CHECK_FALSE(StateFile("", {"a", "b"}).write(1));
  CHECK_FALSE(StateFile("/proc/none", {"a", "b"}).write(1));
  const std::map<std::string, std::string> environment = {{"HOME", "/home/me"}};
  const auto look = [&](const std::map<std::string, std::string>& all) {
    return state_folder([&](const char* name) {
      const auto found = all.find(name);
      return found == all.end() ? nullptr : found->second.c_str();
    });
  };
  CHECK(look(environment) == "/home/me/.local/state/tandem");
  CHECK(look({{"HOME", "/h"}, {"XDG_STATE_HOME", "/s"}}) == "/s/tandem");
  CHECK(look({{"STATE_DIRECTORY", "/var/lib/tandem/lab:/b"}, {"HOME", "/h"}}) == "/var/lib/tandem/lab");
  CHECK(look({}).empty());
}

TEST_CASE("the sections mqtt and sparkplug are strict, and one without the other is named with its place") {
  static const Registry registry({&counter::machine_type()});
  const auto problem = [&](const std::string& sections) -> std::string {
    const ConfigText text{"c.yaml", sections + "\nmachines: { lift: { type: counter, device: virtual } }\n"};
    try {
      (void)check_config(parse_config({&text, 1}, registry));
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  const std::string broker = "ros: { enabled: false }\nmqtt: { broker: \"mqtt://127.0.0.1\" }\n";
  CHECK(problem(broker).empty());
  CHECK(problem(broker + "sparkplug: {}").empty());
  CHECK(problem(broker + "sparkplug: { group: lab, node: cell1, primary_host: scada, store: 100, commands: [stop] }")
            .empty());
  const auto has = [](const std::string& text, std::string_view part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(problem("sparkplug: { group: lab }"), "c.yaml:1:1: sparkplug: expected `broker` under `mqtt`");
  has(problem("mqtt: { user: me }"), "c.yaml:1:1: mqtt: missing key 'broker'");
  has(problem("mqtt: { broker: \"http://x\" }"), "expected mqtt://");
  has(problem(broker + "sparkplug: { grup: lab }"), "did you mean 'group'");
  has(problem(broker + "sparkplug: { group: a/b }"), "sparkplug.group");
  has(problem(broker + "sparkplug: { commands: [arm] }"), "above all not arm and reset");
  has(problem(broker + "sparkplug: { store: -1 }"), "from 0 to");
}

}  // namespace tandem::runtime
