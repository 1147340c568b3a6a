// SPDX-License-Identifier: Apache-2.0
// The edge node's order of messages, with a host that checks the specification's assertions.
#include "tandem/protocols/sparkplug/session.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tandem/base/clock.hpp"
#include "tests/protocols/sparkplug/golden.hpp"
#include "tests/protocols/sparkplug/host.hpp"

namespace tandem::sparkplug {
namespace {

// A session with its host, both of them on an ideal broker.
struct Rig {
  explicit Rig(NodeOptions options = {}, std::uint8_t bd_seq = 0) : session(named(std::move(options)), bd_seq) {}
  static NodeOptions named(NodeOptions options) {
    options.name = {"lab", "cell1"};
    options.devices = {"lift", "arm"};
    return options;
  }

  void connect() {
    const Outgoing will = session.greet(utc);
    host.connects(will.topic, will.payload, will.qos, false);
    session.connected();
  }
  void update(Duration passed = 500ms) {
    utc += static_cast<std::uint64_t>(milliseconds(passed));
    kinds.clear();
    session.update(devices, utc, [this](Outgoing message) {
      if (refuse > 0) return --refuse, false;
      kinds.push_back(message.topic.substr(12, message.topic.find('/', 12) - 12));
      host.hears(message.topic, message.payload, message.qos, false);
      return true;
    });
  }
  Wanted command(const std::string& topic, std::string_view hex, bool retained = false) {
    return session.command(topic, golden::bytes(hex), retained);
  }
  Wanted ask_rebirth() {
    Metric metric;
    metric.name = rebirth_metric;
    metric.type = DataType::boolean;
    metric.value = true;
    host.asks_rebirth();
    return session.command("spBv1.0/lab/NCMD/cell1", encode({utc, {metric}, {}}), false);
  }
  void set(std::size_t device, double value) { devices[device].readings[1].value = value; }

  static Snapshot device(const std::string& name) {
    return {name,
            true,
            {{"State", DataType::string, "", std::string("live"), false, false},
             {"Values/x", DataType::float64, "m", 1.0, false, false}}};
  }

  std::uint64_t utc = golden::time;
  Session session;
  Host host{"lab", "cell1"};
  std::vector<Snapshot> devices = {device("lift"), device("arm")};
  std::vector<std::string> kinds;  // of the last update
  int refuse = 0;                  // so many of the next messages
};

using Kinds = std::vector<std::string>;

}  // namespace

TEST_CASE("births come first: the node with seq 0, then each device, then only what changes") {
  Rig rig;
  rig.update();
  CHECK(rig.kinds.empty());  // nobody is connected
  rig.connect();
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  rig.update();
  CHECK(rig.kinds.empty());
  rig.set(0, 2);
  rig.update();
  CHECK(rig.kinds == Kinds{"DDATA"});
  CHECK(rig.host.devices["lift"].values["Values/x"] == Value(2.0));
  CHECK(rig.session.born_devices() == 2);
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE(
    "the host names a birth before its primary host, a missing death, data in a rebirth, and an alias without name") {
  const auto metric = [](std::string name, std::optional<std::uint64_t> alias, DataType type, Value value) {
    Metric made;
    made.name = std::move(name);
    made.alias = alias;
    made.timestamp = golden::time;
    made.type = type;
    made.value = std::move(value);
    return made;
  };
  const std::vector<Metric> node = {metric("bdSeq", {}, DataType::int64, std::int64_t{0}),
                                    metric(std::string(rebirth_metric), {}, DataType::boolean, false)};
  Host host("lab", "cell1");
  std::uint64_t seq = 0;
  const auto says = [&](const std::string& kind, const std::vector<Metric>& metrics) {
    if (kind == "NBIRTH/cell1") seq = 0;
    host.hears("spBv1.0/lab/" + kind, encode({golden::time, metrics, seq++}), 0, false);
    return std::exchange(host.broken, {});
  };
  using Ids = std::set<std::string>;
  const std::vector<Metric> birth = {metric("x", 1, DataType::float64, 1.0)};
  const std::vector<Metric> data = {metric("", 1, DataType::float64, 2.0)};
  CHECK(says("NBIRTH/cell1", node) == Ids{});
  CHECK(says("DBIRTH/cell1/lift", birth) == Ids{});
  CHECK(says("DDATA/cell1/lift", data) == Ids{});
  host.asks_rebirth();
  CHECK(says("DDATA/cell1/lift", data) == Ids{"operational-behavior-data-commands-rebirth-action-1"});
  CHECK(says("NBIRTH/cell1", node) == Ids{});
  CHECK(says("DDATA/cell1/lift", data).contains("operational-behavior-data-commands-rebirth-action-3"));
  CHECK(
      says("DBIRTH/cell1/lift", {metric("", 1, DataType::float64, 1.0)}).contains("payloads-alias-birth-requirement"));
  host.disconnects();
  CHECK(std::exchange(host.broken, {}) == Ids{"operational-behavior-edge-node-intentional-disconnect-ndeath"});
  host.primary(false);
  CHECK(says("NBIRTH/cell1", node) == Ids{"message-flow-edge-node-birth-publish-phid-wait"});
}

TEST_CASE("each CONNECT has the next bdSeq, the birth repeats that of its will, and 255 is followed by 0") {
  Rig rig({}, 253);
  for (int i = 0; i < 6; ++i) {
    rig.connect();
    rig.update();
    CHECK(rig.host.birth_number() == (253 + i) % 256);
    CHECK(rig.session.next_bd_seq() == (254 + i) % 256);
    rig.session.lost();
    rig.update();
    CHECK(rig.kinds.empty());
  }
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("the sequence number wraps after 255 without a gap") {
  Rig rig;
  rig.connect();
  for (int i = 0; i < 600; ++i) {
    rig.set(0, i);
    rig.update();
  }
  CHECK(rig.host.messages >= 600);
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("a rebirth repeats bdSeq and all births, and comes at most once a second however often it is asked for") {
  Rig rig;
  rig.connect();
  rig.update();
  rig.update(2s);
  CHECK(rig.ask_rebirth().rebirth);
  CHECK(rig.ask_rebirth().rebirth);
  rig.set(0, 7);
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  CHECK(rig.host.devices["lift"].values["Values/x"] == Value(7.0));
  CHECK(rig.host.birth_number() == 0);
  rig.ask_rebirth();
  rig.set(0, 8);
  rig.update(300ms);
  CHECK(rig.kinds.empty());  // too soon, and no data before the births
  rig.update(300ms);
  CHECK(rig.kinds.empty());
  rig.update(500ms);
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  CHECK(rig.host.devices["lift"].values["Values/x"] == Value(8.0));
  CHECK(rig.session.rebirths() == 2);
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("a device whose link is lost dies after its last words, and is born again whole") {
  Rig rig;
  rig.connect();
  rig.update();
  rig.devices[0].alive = false;
  rig.devices[0].readings[0].value = std::string("down");
  rig.update();
  CHECK(rig.kinds == Kinds{"DDATA", "DDEATH"});
  CHECK(rig.host.devices["lift"].values["State"] == Value(std::string("down")));
  CHECK_FALSE(rig.host.devices["lift"].alive);
  rig.set(0, 9);
  rig.update();
  CHECK(rig.kinds.empty());
  rig.devices[0].alive = true;
  rig.update();
  CHECK(rig.kinds == Kinds{"DBIRTH"});
  CHECK(rig.host.devices["lift"].values["Values/x"] == Value(9.0));
  CHECK(rig.host.devices["lift"].births == 2);
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("a metric that was in no birth brings a new birth before its data") {
  Rig rig;
  rig.connect();
  rig.update();
  rig.devices[1].readings.push_back({"Values/new", DataType::float64, "N", 3.0, false, false});
  rig.update();
  CHECK(rig.kinds == Kinds{"DBIRTH"});
  rig.devices[1].readings.back().value = 4.0;
  rig.update();
  CHECK(rig.kinds == Kinds{"DDATA"});
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("what the broker's queue does not take uses no number and is told later") {
  Rig rig;
  rig.connect();
  rig.refuse = 1;
  rig.update();
  CHECK(rig.kinds.empty());  // no NBIRTH, so nothing
  rig.refuse = 0;
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  rig.set(0, 5);
  rig.refuse = 1;
  rig.update();
  rig.update();
  CHECK(rig.host.devices["lift"].values["Values/x"] == Value(5.0));
  rig.devices[0].alive = false;
  rig.refuse = 1;
  rig.update();
  rig.update();
  CHECK_FALSE(rig.host.devices["lift"].alive);
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("with a primary host nothing is born before it is online, and its end is the node's death") {
  Rig rig({.primary_host = "scada"});
  rig.host.primary(false);
  rig.connect();
  rig.update();
  CHECK(rig.kinds.empty());
  CHECK_FALSE(rig.session.farewell(rig.utc));
  CHECK_FALSE(rig.session.host(false, 1000));
  rig.update();
  CHECK(rig.kinds.empty());
  CHECK_FALSE(rig.session.host(true, 900));  // older than the last word
  rig.update();
  CHECK(rig.kinds.empty());
  CHECK_FALSE(rig.session.host(true, 1000));
  rig.host.primary(true);
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  CHECK_FALSE(rig.session.host(false, 999));  // a late one
  CHECK(rig.session.host(false, 1001));
  const auto death = rig.session.farewell(rig.utc);
  REQUIRE(death);
  rig.host.hears(death->topic, death->payload, death->qos, false);
  rig.host.disconnects();
  rig.host.primary(false);
  CHECK(rig.host.node_deaths == 1);
  rig.set(0, 4);
  rig.update();
  CHECK(rig.kinds.empty());
  rig.session.lost();
  rig.connect();
  rig.update();
  CHECK(rig.kinds.empty());
  CHECK_FALSE(rig.session.host(true, 2000));
  rig.host.primary(true);
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("a host whose clock was ahead and was set right is believed again with the next connection") {
  Rig rig({.primary_host = "scada"});
  rig.connect();
  CHECK_FALSE(rig.session.host(true, 9'000'000));
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  CHECK_FALSE(rig.session.host(false, 1000));  // for now it is an old one
  rig.session.lost();
  rig.connect();
  CHECK_FALSE(rig.session.host(true, 1001));
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH"});
  CHECK(rig.session.host(false, 1002));
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("the node subscribes to its own commands, to devices only if they may be stopped, and to its host") {
  const auto topics = [](const Session& session) {
    std::vector<std::string> all;
    for (const Filter& filter : session.subscriptions()) {
      CHECK(filter.qos == 1);
      all.push_back(filter.topic);
    }
    return all;
  };
  CHECK(topics(Rig().session) == Kinds{"spBv1.0/lab/NCMD/cell1"});
  CHECK(topics(Rig({.primary_host = "scada", .stop_command = true}).session) ==
        Kinds{"spBv1.0/lab/NCMD/cell1", "spBv1.0/lab/DCMD/cell1/lift", "spBv1.0/lab/DCMD/cell1/arm",
              "spBv1.0/STATE/scada"});
}

TEST_CASE("what changed while away is stored, bounded, and sent as historical after the births") {
  Rig rig({.store = 10});
  rig.connect();
  rig.update();
  rig.session.lost();
  for (int i = 0; i < 25; ++i) {
    rig.set(0, 100 + i);
    rig.update();
  }
  CHECK(rig.session.store().size() == 10);
  CHECK(rig.session.store().lost() == 15);
  rig.connect();
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH", "DBIRTH", "DDATA"});
  CHECK(rig.host.devices["lift"].historical == 10);
  CHECK(rig.host.devices["lift"].values["Values/x"] == Value(124.0));
  CHECK(rig.session.store().size() == 0);
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("what was stored for a device whose link is down waits for its birth") {
  Rig rig({.store = 100});
  rig.connect();
  rig.update();
  rig.session.lost();
  rig.set(0, 50);
  rig.update();
  rig.devices[0].alive = false;
  rig.connect();
  rig.update();
  CHECK(rig.kinds == Kinds{"NBIRTH", "DBIRTH"});
  CHECK(rig.session.store().size() == 1);
  rig.devices[0].alive = true;
  rig.update();
  CHECK(rig.kinds == Kinds{"DBIRTH", "DDATA"});
  CHECK(rig.host.devices["lift"].historical == 1);
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("commands are off unless configured; stop is acted on once, and the button is told again as false") {
  Rig off;
  off.connect();
  off.update();
  CHECK(off.host.devices["lift"].values.count("Device Control/stop") == 0);
  CHECK(off.command("spBv1.0/lab/DCMD/cell1/lift", golden::dcmd_stop).stops.empty());
  CHECK(off.session.commands_refused() == 1);

  Rig rig({.stop_command = true});
  rig.connect();
  rig.update();
  CHECK(rig.host.devices["lift"].values["Device Control/stop"] == Value(false));
  CHECK(rig.command("spBv1.0/lab/DCMD/cell1/lift", golden::dcmd_stop).stops == Kinds{"lift"});
  rig.update();
  CHECK(rig.kinds == Kinds{"DDATA"});
  CHECK(rig.host.devices["lift"].values["Device Control/stop"] == Value(false));
  CHECK(rig.session.commands_refused() == 0);
  // By alias alone, as the specification asks hosts to.
  Metric metric;
  metric.alias = 1;
  metric.type = DataType::boolean;
  metric.value = true;
  CHECK(rig.session.command("spBv1.0/lab/DCMD/cell1/lift", encode({rig.utc, {metric}, {}}), false).stops ==
        Kinds{"lift"});
  metric.value = false;
  CHECK(rig.session.command("spBv1.0/lab/DCMD/cell1/lift", encode({rig.utc, {metric}, {}}), false).stops.empty());
  CHECK(rig.host.broken == std::set<std::string>{});
}

TEST_CASE("a message that says stop thousands of times stops once") {
  Rig rig({.stop_command = true});
  rig.connect();
  rig.update();
  Metric metric;
  metric.alias = 1;
  metric.type = DataType::boolean;
  metric.value = true;
  const std::string payload = encode({rig.utc, std::vector<Metric>(most_metrics, metric), {}});
  REQUIRE(payload.size() <= largest_payload);
  CHECK(rig.session.command("spBv1.0/lab/DCMD/cell1/lift", payload, false).stops == Kinds{"lift"});
  CHECK(rig.session.commands_refused() == 0);
}

TEST_CASE("retained, misdirected, unknown, mistyped, foreign, oversized and broken commands are refused and counted") {
  Rig rig({.stop_command = true});
  rig.connect();
  rig.update();
  const std::string node = "spBv1.0/lab/NCMD/cell1", lift = "spBv1.0/lab/DCMD/cell1/lift";
  const auto metric = [](std::string name, DataType type, Value value) {
    Metric made;
    made.name = std::move(name);
    made.type = type;
    made.value = std::move(value);
    return encode({1, {made}, {}});
  };
  const std::string stop(stop_metric), rebirth(rebirth_metric);
  struct Row {
    std::string topic, payload;
    bool retained;
    const char* reason;
  };
  const std::vector<Row> rows = {
      {lift, metric(stop, DataType::boolean, true), true, "retained"},
      {node, metric(rebirth, DataType::boolean, true), true, "retained"},
      {"spBv1.0/lab/DCMD/cell1/crane", metric(stop, DataType::boolean, true), false, "unknown device"},
      {"spBv1.0/lab/DCMD/cell2/lift", metric(stop, DataType::boolean, true), false, "expected NCMD or DCMD"},
      {"spBv1.0/lab/NCMD/cell1/lift", metric(rebirth, DataType::boolean, true), false, "expected NCMD or DCMD"},
      {lift, metric("Device Control/arm", DataType::boolean, true), false, "expected Device Control/stop"},
      {lift, metric("Device Control/reset", DataType::boolean, true), false, "expected Device Control/stop"},
      {lift, metric(rebirth, DataType::boolean, true), false, "expected Device Control/stop"},
      {node, metric(stop, DataType::boolean, true), false, "expected Node Control/Rebirth"},
      {node, metric("Node Control/Reboot", DataType::boolean, true), false, "expected Node Control/Rebirth"},
      {lift, metric(stop, DataType::int32, std::int64_t{1}), false, "another type"},
      {lift, metric(stop, DataType::string, std::string("true")), false, "another type"},
      {lift, metric(stop, DataType::boolean, {}), false, "another type"},
      {node, metric(rebirth, DataType::float64, 1.0), false, "another type"},
      {lift, encode({1, {}, {}}), false, "no metrics"},
      {lift, "stop", false, "cannot be read"},
      {lift, R"({"stop": true})", false, "cannot be read"},
      {lift, std::string(largest_payload + 1, 'x'), false, "at most"},
  };
  std::uint64_t count = 0;
  for (const Row& row : rows) {
    CAPTURE(row.reason);
    CAPTURE(row.topic);
    const Wanted wanted = rig.session.command(row.topic, row.payload, row.retained);
    CHECK(wanted.stops.empty());
    CHECK_FALSE(wanted.rebirth);
    REQUIRE(wanted.refused.size() == 1);
    CHECK(wanted.refused[0].find(row.reason) != std::string::npos);
    CHECK(rig.session.commands_refused() == ++count);
  }
  rig.update(2s);
  CHECK(std::find(rig.kinds.begin(), rig.kinds.end(), "NBIRTH") == rig.kinds.end());
}

TEST_CASE("what a refusal quotes has nothing that a terminal obeys, and no half characters") {
  Rig rig({.stop_command = true});
  rig.connect();
  rig.update();
  Metric metric;
  metric.type = DataType::boolean;
  metric.value = true;
  const std::string lift = "spBv1.0/lab/DCMD/cell1/lift";
  // CSI as U+009B and as ESC [, and characters of two bytes across the place of the cut.
  for (const std::string& name : {std::string("\xc2\x9b") + "2J", std::string("\x1b[2J"), "x" + [] {
                                    std::string text;
                                    for (int i = 0; i < 60; ++i) text += "\xc3\xa9";
                                    return text;
                                  }()}) {
    metric.name = name;
    const std::string payload = encode({1, {metric}, {}});
    for (const std::string& topic :
         {std::string("spBv1.0/lab/NCMD/cell1"), lift, "spBv1.0/lab/DCMD/cell1/" + name, "spBv1.0/lab/NCMD/" + name}) {
      const Wanted wanted = rig.session.command(topic, payload, false);
      REQUIRE(wanted.refused.size() == 1);
      CAPTURE(wanted.refused[0]);
      CHECK(std::ranges::all_of(wanted.refused[0], [](char c) { return c >= 0x20 && c < 0x7f; }));
    }
  }
}

}  // namespace tandem::sparkplug
