// SPDX-License-Identifier: Apache-2.0
// The fleet demonstration with physics and a real broker, judged by where the trucks really are.
#include "tandem/app/warehouse/demo.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <thread>

#include "tandem/app/warehouse/hall.hpp"
#include "tandem/runtime/registry.hpp"
#include "tests/deadline.hpp"

using namespace tandem;
using namespace tandem::warehouse;

namespace {

constexpr std::size_t count = 5;

struct Demo {
  Demo() {
    system.start();
    REQUIRE(until([&] { return armed(); }));
    fleet.join(system);
  }
  ~Demo() {
    fleet.leave();
    (void)system.stop(10s);
  }
  bool armed() {
    (void)system.command("arm", "", "test");
    return std::ranges::all_of(system.status().machines, [](const auto& machine) { return machine.arm == "armed"; });
  }
  // A computer under load may cost a truck its arm: a person beside it would give it back.
  void attend() {
    for (const auto& machine : system.status().machines) {
      if (machine.arm == "armed" || machine.name == left_alone) continue;
      (void)system.command("reset", machine.name, "test");
      (void)system.command("arm", machine.name, "test");
    }
  }
  // Judges all the while.
  bool until(const std::function<bool()>& what, Duration limit = 90s) {
    const Instant deadline = soon(limit);
    while (now() < deadline) {
      for (const runtime::Event& event : fleet.look()) events.push_back(event);
      if (what()) return true;
      attend();
      std::this_thread::sleep_for(50ms);
    }
    return false;
  }
  PlanarPose place(std::size_t truck) const { return fleet.place_of(truck).value(); }
  std::vector<PlanarPose> places() const {
    std::vector<PlanarPose> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(place(i));
    return all;
  }
  double moved(std::size_t truck, const std::vector<PlanarPose>& since) const {
    return std::hypot(place(truck).x - since[truck].x, place(truck).y - since[truck].y);
  }
  std::size_t told(std::string_view kind) const {
    return static_cast<std::size_t>(std::ranges::count(events, kind, &runtime::Event::kind));
  }

  runtime::Registry registry = runtime::all_machines();
  std::vector<std::string> settings{"step_ms=5", "feedback_timeout=0.6", "plc_watchdog=1"};
  FleetDemo fleet{count, settings, registry};
  runtime::System system{fleet.config(), options()};
  std::vector<runtime::Event> events;
  std::string left_alone;  // by attend()

 private:
  runtime::SystemOptions options() const {
    runtime::SystemOptions made;
    made.ground = &fleet;
    return made;
  }
};

}  // namespace

TEST_CASE("a fleet drives; a broker that is killed and a cable that is pulled stop whom they should, and nobody else") {
  Demo demo;
  auto start = demo.places();
  REQUIRE(demo.until([&] {
    for (std::size_t i = 0; i < count; ++i)
      if (demo.moved(i, start) < 1) return false;
    return true;
  }));
  CHECK(demo.until([&] { return demo.fleet.traffic().ready == count; }));
  const auto edges = demo.fleet.traffic().edges;
  CHECK(std::ranges::count(edges, EdgeUse::base) > 0);
  CHECK(std::ranges::count(edges, EdgeUse::horizon) > 0);

  // Without a broker all drive to the end of what is released.
  ::kill(demo.fleet.broker().process(), SIGKILL);
  REQUIRE(demo.until([&] { return demo.told("broker") == 1; }));
  start = demo.places();
  REQUIRE(demo.until([&] { return demo.told("broker") == 2; }));  // started again
  REQUIRE(demo.until([&] {
    std::size_t moving = 0;
    for (std::size_t i = 0; i < count; ++i) moving += demo.moved(i, start) > 7.5;  // more than was released
    return moving >= 2;
  }));

  // One cable is pulled while its truck drives: it stops, and others go on.
  std::size_t pulled = count;
  auto before = demo.places();
  REQUIRE(demo.until([&] {
    for (std::size_t i = 0; i < count && pulled == count; ++i)
      if (demo.moved(i, before) > 0.5) pulled = i;
    return pulled < count;
  }));
  const std::string name = demo.fleet.config().machines[pulled].name;
  demo.left_alone = name;
  REQUIRE(demo.system.command("unplug", name, "test"));
  before = demo.places();
  REQUIRE(demo.until([&] {
    for (std::size_t i = 0; i < count; ++i)
      if (i != pulled && demo.moved(i, before) > 2) return true;
    return false;
  }));
  const auto rolled = demo.places();
  CHECK(demo.moved(pulled, before) < 1.5);

  // Plugged in, it stays where it is until it is reset and armed; then the master says where it is, and it goes on.
  REQUIRE(demo.system.command("plug", name, "test"));
  REQUIRE(demo.until([&] {
    const auto status = demo.system.status();
    return status.machines[pulled].state == "live" && status.machines[pulled].arm != "armed";
  }));
  CHECK(demo.moved(pulled, rolled) < 0.3);
  const auto placed = demo.fleet.traffic().placed;
  REQUIRE(demo.until([&] {
    (void)demo.system.command("reset", name, "test");
    (void)demo.system.command("arm", name, "test");
    return demo.system.status().machines[pulled].arm == "armed";
  }));
  CHECK(demo.until([&] { return demo.moved(pulled, rolled) > 1; }));
  MESSAGE(demo.fleet.summary(), "; positions given before the arm ", placed);
  CHECK_FALSE(demo.fleet.touched());
  CHECK(demo.told("touch") == 0);
}

TEST_CASE("the page gets the hall with a colour for every lane, and each truck on its ground") {
  const Map map = make_warehouse(4);
  const machines::Scene scene = hall_scene(map);
  CHECK(scene.scalars.size() == map.edges.size());
  std::vector<EdgeUse> edges(map.edges.size());
  edges[1] = EdgeUse::base;
  edges[2] = EdgeUse::horizon;
  const machines::Picture picture = hall_picture(edges);
  REQUIRE(picture.scalars.size() == map.edges.size());
  CHECK(std::isnan(picture.scalars[0]));
  CHECK(picture.scalars[1] > picture.scalars[2]);
  for (const machines::Tie& tie : scene.ties) {
    REQUIRE(tie.scalar >= 0);
    CHECK(tie.name == map.edges[static_cast<std::size_t>(tie.scalar)].id);
  }
}

TEST_CASE("states of trucks are read, and whatever is none is none") {
  const auto state = read_state(
      R"({"orderId":"trip-3","orderUpdateId":2,"lastNodeSequenceId":6,"nodeStates":[{"nodeId":"x"}],"edgeStates":[],)"
      R"("driving":true,"operatingMode":"AUTOMATIC","safetyState":{"eStop":"NONE","fieldViolation":false},)"
      R"("agvPosition":{"positionInitialized":true,"x":1.5,"y":-2,"theta":0.5,"mapId":"hall"},)"
      R"("errors":[{"errorType":"routeFailed","errorLevel":"WARNING","errorDescription":"beside it"}]})");
  REQUIRE(state);
  CHECK(state->order == "trip-3");
  CHECK(state->update == 2);
  CHECK(state->last_sequence == 6);
  CHECK_FALSE(state->idle);
  CHECK(state->automatic);
  CHECK(state->initialized);
  CHECK(state->route_failed);
  CHECK(state->problem == "routeFailed: beside it");
  CHECK(state->position->x == doctest::Approx(1.5));
  for (const char* bad : {"", "{}", "[]", "null", "{\"orderId\":1}", "\xff", "[[[[[[[[[[[[[[[[[[[[[[[[[[["})
    CHECK_FALSE(read_state(bad));
  CHECK(says_online(R"({"connectionState":"ONLINE"})"));
  CHECK_FALSE(says_online(R"({"connectionState":"OFFLINE"})"));
  CHECK_FALSE(says_online("{"));
}
