// SPDX-License-Identifier: Apache-2.0
// What a described machine shows: values in the file's unit, metrics, controls and indicators of the page.
#include <algorithm>

#include "tandem/ros2/node.hpp"
#include "tests/machines/generic/control/rig.hpp"
#include "tests/machines/rigs/scene_check.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::generic::test {
namespace {

Description shown() {
  Description shown = press();
  shown.signals[0].show = Show::gauge;
  Declaration state = number("state", "", Type::uint16);
  state.names = {{0, "idle"}, {1, "pressing"}};
  Declaration quiet = number("quiet", "A");
  quiet.show = Show::none;
  Declaration speed = number("speed", "m/min");
  speed.write = limited(-30, 60, 10);
  speed.write->watchdog = 0.5;
  speed.write->idle = Output::Idle::zero;
  Declaration place = number("place", "mm");
  place.write = limited(100, 2000, 100);
  for (Declaration each : {state, quiet, speed, place}) {
    each.at = ModbusPlace{ModbusTable::holding, static_cast<std::uint16_t>(200 + 10 * shown.signals.size()), -1};
    shown.signals.push_back(std::move(each));
  }
  return shown;
}

const machines::Value& find(const std::vector<machines::Value>& values, std::string_view name) {
  const auto found = std::ranges::find(values, name, &machines::Value::name);
  REQUIRE(found != values.end());
  return *found;
}

double metric(const Machine& machine, std::string_view name, std::string_view label) {
  for (const machines::Metric& each : machine.metrics()) {
    if (each.name == name && !each.labels.empty() && each.labels.back().second == label) return each.value;
  }
  return -1;
}

}  // namespace

TEST_CASE("values are in the unit of the file, and what is not good says why") {
  Rig rig(shown());
  rig.at("pressure") = 12.5;
  rig.at("safety") = 2;
  rig.at("state") = 1;
  rig.start();
  auto values = rig.machine->values();
  CHECK(find(values, "pressure").numbers == std::vector<double>{12.5});
  CHECK(find(values, "pressure").unit == "bar");
  CHECK(find(values, "safety").parts == std::vector<std::string>{"door_closed", "e_stop_ok"});
  CHECK(find(values, "safety").numbers == std::vector<double>{0, 1});
  CHECK(find(values, "state").text == "pressing");
  CHECK(find(values, "state").numbers == std::vector<double>{1});
  CHECK(find(values, "outputs").text == "armed, waiting for a command");
  REQUIRE(rig.post("valve", 20));
  rig.at("pressure") = 500;
  rig.cycles(1);
  values = rig.machine->values();
  CHECK(find(values, "set valve").numbers == std::vector<double>{20});
  CHECK(find(values, "outputs").text == "armed, 1 commanded");
  CHECK(find(values, "pressure").text == "bad: expected 0 to 350 bar, got 500");
  CHECK(std::isnan(find(values, "pressure").numbers.at(0)));
}

TEST_CASE("metrics count qualities and what became of writes") {
  Rig rig(shown());
  rig.start();
  CHECK(metric(*rig.machine, "tandem_signal_quality", "pressure") == 0);
  rig.at("pressure") = std::nan("");
  REQUIRE(rig.post("pump", 1));
  rig.cycles(2);
  CHECK(metric(*rig.machine, "tandem_signal_quality", "pressure") == 2);
  CHECK(metric(*rig.machine, "tandem_writes_total", "done") == 1);
  rig.device.answer = FakeDevice::Answer::refuses;
  REQUIRE(rig.post("pump", 0));
  rig.cycles(2);
  CHECK(metric(*rig.machine, "tandem_writes_total", "refused") == 1);
  rig.machine->disconnect();
  CHECK(metric(*rig.machine, "tandem_signal_quality", "pressure") == 3);
}

TEST_CASE("the page gets plots, lamps, a gauge, sliders, jogs and buttons, each in the unit of the file") {
  ros2::Context context(ros2::loopback_options());
  Rig rig(shown(), &context);
  rig.at("place") = 100;
  rig.start();
  const machines::Scene scene = rig.machine->scene();
  machines::check_scene(scene);
  using machines::Control;
  using machines::Indicator;
  const auto control = [&](std::string_view name) {
    const auto found = std::ranges::find(scene.controls, name, &Control::name);
    REQUIRE(found != scene.controls.end());
    return *found;
  };
  CHECK(control("place").kind == Control::Kind::slider);
  CHECK(control("place").topic == "/press/set/place");
  CHECK(control("place").low == 100);
  CHECK(control("place").scale == doctest::Approx(0.001));
  CHECK(control("place").shows == "place");
  CHECK(control("speed +").kind == Control::Kind::jog);
  CHECK(control("speed +").value == doctest::Approx(15));
  CHECK(control("speed -").value == doctest::Approx(-7.5));
  CHECK(control("speed -").scale == doctest::Approx(1.0 / 60));
  CHECK(control("pump off").flag);
  CHECK(control("pump off").value == 0);
  CHECK(control("start").kind == Control::Kind::button);
  const auto kind_of = [&](std::string_view value) {
    const auto found = std::ranges::find(scene.indicators, value, &Indicator::value);
    return found == scene.indicators.end() ? -1 : static_cast<int>(found->kind);
  };
  CHECK(kind_of("safety") == static_cast<int>(Indicator::Kind::lamp));
  CHECK(kind_of("pressure") == static_cast<int>(Indicator::Kind::gauge));
  CHECK(kind_of("state") == static_cast<int>(Indicator::Kind::text));
  CHECK(kind_of("quiet") == -1);
  const machines::Picture picture = rig.machine->picture();
  machines::check_picture(scene, picture);
  CHECK(std::ranges::find(scene.scalars, "quiet", &machines::Scalar::name) == scene.scalars.end());
}

TEST_CASE("without ROS there is nothing to press, and a device without a robot is a cabinet") {
  Rig rig(shown());
  const machines::Scene scene = rig.machine->scene();
  CHECK(scene.controls.empty());
  CHECK(scene.parts.size() == 2);
  CHECK(scene.frames.size() == 1);
}

}  // namespace tandem::generic::test
