// SPDX-License-Identifier: Apache-2.0
// Signals as joints of a URDF, and what does not fit together.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/machines/generic/schema/reading.hpp"
#include "tests/machines/generic/schema/temporary_folder.hpp"

using namespace tandem::generic;
using tandem::generic::testing::must_read;
using tandem::generic::testing::problems_of;
using tandem::generic::testing::TemporaryFolder;

namespace {

constexpr std::string_view urdf = R"(<robot name="gantry"><link name="base"/><link name="carriage"/><link name="tool"/>
<link name="plate"/><link name="jaw"/>
<joint name="x_axis" type="prismatic"><parent link="base"/><child link="carriage"/><limit lower="0" upper="2"/></joint>
<joint name="turn" type="revolute"><parent link="carriage"/><child link="tool"/><limit lower="-3" upper="3"/></joint>
<joint name="screws" type="fixed"><parent link="tool"/><child link="plate"/></joint>
<joint name="grip" type="revolute"><parent link="plate"/><child link="jaw"/><limit lower="0" upper="1"/>
<mimic joint="turn"/></joint></robot>)";

constexpr std::string_view signals = R"(
device: virtual
signals:
  x:     {at: "GVL.stX.fPos", unit: mm}
  x_v:   {at: "GVL.stX.fVel", unit: mm/s}
  x_set: {at: "GVL.stX.fSet", unit: mm, write: {limits: [0, 2000], rate: 500 /s, idle: follow x, watchdog: 1 s}}
  angle: {at: "GVL.fAngle", unit: deg}
  count: {at: "GVL.nCount"}
)";

class Gantry {
 public:
  Gantry() { folder_.put("gantry.urdf", urdf); }
  std::string file() const { return folder_.path("gantry.yaml"); }
  // The problems with these joints, without the folder.
  std::string with(std::string_view joints) const {
    std::string text = problems_of(text_of(joints), file());
    const std::string folder = folder_.path("");
    for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder)) text.erase(at, folder.size());
    return text;
  }
  std::shared_ptr<const Description> read(std::string_view joints) const { return must_read(text_of(joints), file()); }

 private:
  static std::string text_of(std::string_view joints) {
    return std::string(signals) + "robot:\n  urdf: gantry.urdf\n  joints:\n    " + std::string(joints) + "\n";
  }
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("bound signals are critical and, on the virtual device, joints") {
  const Gantry gantry;
  const auto read = gantry.read("x_axis: {position: x, velocity: x_v, command: x_set, sim: {kp: 4000, damping: 120}}");
  CHECK(read->protocol == Protocol::ads);
  REQUIRE(read->robot);
  CHECK(read->robot->joints[0].kp == 4000);
  CHECK(read->find("x")->critical == true);
  CHECK(read->find("x")->sim->kind == Sim::Kind::joint);
  CHECK(read->find("x")->sim->signal == "x_axis");
  CHECK(read->find("x_v")->sim->joint == Sim::JointValue::velocity);
  CHECK_FALSE(read->find("angle")->critical.has_value());
  CHECK(read->find("x_set")->write->follow == "x");
}

TEST_CASE("joints, units and limits have to fit the URDF") {
  const Gantry gantry;
  CHECK(gantry.with("x_axes: {position: x}") ==
        "gantry.yaml:12:5: robot.joints.x_axes: expected a movable joint of gantry.urdf, got unknown joint 'x_axes'; "
        "did you mean 'x_axis'? (known: x_axis, turn)");
  CHECK(gantry.with("screws: {position: x}") ==
        "gantry.yaml:12:5: robot.joints.screws: expected a movable joint of gantry.urdf, got a fixed joint 'screws' "
        "(known: x_axis, turn)");
  CHECK(gantry.with("grip: {position: angle}") ==
        "gantry.yaml:12:5: robot.joints.grip: expected a movable joint of gantry.urdf, got a joint that mimics another "
        "'grip' (known: x_axis, turn)");
  CHECK(gantry.with("x_axis: {position: angle}") ==
        "gantry.yaml:12:24: robot.joints.x_axis.position: expected a length such as mm, as x_axis is prismatic, got "
        "angle in deg");
  CHECK(gantry.with("turn: {position: count}") ==
        "gantry.yaml:12:22: robot.joints.turn.position: expected an angle such as deg, as turn is revolute, got count "
        "in no unit");
  CHECK(gantry.with("x_axis: {position: x, velocity: x}") ==
        "gantry.yaml:12:37: robot.joints.x_axis.velocity: expected a speed such as mm/s, as x_axis is prismatic, got x "
        "in mm");
  CHECK(
      gantry.with("x_axis: {position: x, effort: x}") ==
      "gantry.yaml:12:35: robot.joints.x_axis.effort: expected a force such as N, as x_axis is prismatic, got x in mm");
  CHECK(gantry.with("x_axis: {position: y}") == "gantry.yaml:12:24: robot.joints.x_axis.position: no signal 'y'");
  CHECK(gantry.with("x_axis: {position: x, command: x}") ==
        "gantry.yaml:12:36: robot.joints.x_axis.command: expected an output, got x without `write`");
  CHECK(gantry.with("x_axis: {command: x_set}") ==
        "gantry.yaml:12:5: robot.joints.x_axis: missing key 'position', the signal that measures it");
  CHECK(problems_of(std::string(signals).replace(signals.find("2000"), 4, "2500") +
                        "robot: {urdf: gantry.urdf, joints: {x_axis: {position: x, command: x_set}}}\n",
                    gantry.file())
            .ends_with("gantry.yaml:6:3: x_set.write.limits: expected within 0 to 2000 mm, the limits of x_axis in the "
                       "URDF, got 0 to 2500"));
  CHECK(problems_of(std::string(signals) + "  load: {at: GVL.fLoad, sim: {joint: z_axis, value: effort}}\n" +
                        "robot: {urdf: gantry.urdf}\n",
                    gantry.file())
            .ends_with("got 'z_axis'; did you mean 'x_axis'? (known: x_axis, turn, grip)"));
  CHECK(problems_of(std::string(signals) + "robot: {urdf: none.urdf}\n", gantry.file())
            .ends_with("none.urdf: cannot be read: No such file or directory"));
  CHECK(problems_of(std::string(signals) + "robot: {joints: {}}\n", gantry.file())
            .ends_with("gantry.yaml:9:8: robot: missing key 'urdf', the file"));
}
