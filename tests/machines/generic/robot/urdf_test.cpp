// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/robot/urdf.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "tandem/machines/generic/robot/mesh.hpp"
#include "tests/machines/generic/schema/temporary_folder.hpp"

using namespace tandem;
using namespace tandem::generic;
using tandem::generic::testing::TemporaryFolder;

namespace {

constexpr std::string_view gantry = R"(<?xml version="1.0"?>
<robot name="gantry">
  <material name="steel"><color rgba="0.5 0.6 0.7 1"/></material>
  <link name="base">
    <visual><origin xyz="1 0 2" rpy="0 0 1.5707963267948966"/>
      <geometry><box size="2.4 0.1 0.1"/></geometry><material name="steel"/></visual>
  </link>
  <link name="carriage">
    <inertial><mass value="12"/></inertial>
    <visual><geometry><cylinder radius="0.1" length="0.3"/></geometry>
      <material name="own"><color rgba="1 0 0 0.5"/></material></visual>
    <visual><geometry><sphere radius="0.2"/></geometry></visual>
  </link>
  <link name="tool"/>
  <link name="jaw"/>
  <joint name="z_axis" type="prismatic">
    <parent link="carriage"/><child link="tool"/><origin xyz="0 0 -0.2"/><axis xyz="0 0 -2"/>
    <limit lower="0" upper="0.6" velocity="0.3"/>
  </joint>
  <joint name="x_axis" type="prismatic">
    <parent link="base"/><child link="carriage"/><origin xyz="0 0 2"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="2"/>
  </joint>
  <joint name="jaw_joint" type="revolute">
    <parent link="tool"/><child link="jaw"/><origin xyz="0 0.1 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1"/><mimic joint="x_axis" multiplier="0.5" offset="0.1"/>
  </joint>
</robot>)";

std::string error_of(std::string_view text) {
  const auto urdf = urdf_from_text(text, "r.urdf");
  return urdf ? "none" : urdf.error().text;
}

// A robot of one link a with this inside it, and of what follows.
std::string in_link(std::string_view inside, std::string_view more = "") {
  return "<robot>\n<link name=\"a\">" + std::string(inside) + "</link>\n" + std::string(more) + "</robot>";
}
std::string in_joint(std::string_view type, std::string_view inside) {
  return in_link("", "<link name=\"b\"/>\n<joint name=\"j\" type=\"" + std::string(type) +
                         "\"><parent link=\"a\"/><child link=\"b\"/>" + std::string(inside) + "</joint>");
}
std::string shape(std::string_view text) {
  return error_of(in_link("<visual><geometry>" + std::string(text) + "</geometry></visual>"));
}

}  // namespace

TEST_CASE("a URDF has links with their shapes and joints with their limits") {
  const auto urdf = urdf_from_text(gantry, "gantry.urdf");
  REQUIRE_MESSAGE(urdf.ok(), (urdf ? "" : urdf.error().text));
  CHECK(urdf->name == "gantry");
  CHECK(urdf->text == gantry);
  REQUIRE(urdf->links.size() == 4);
  CHECK(urdf->links[urdf->root].name == "base");
  const UrdfVisual& beam = urdf->links[0].visuals[0];
  CHECK(beam.shape == machines::Shape::box);
  CHECK(beam.size == std::array<double, 3>{2.4, 0.1, 0.1});
  CHECK(beam.color == "#8099b3");
  CHECK((beam.at * Eigen::Vector3d::UnitX() - Eigen::Vector3d(1, 1, 2)).norm() < 1e-12);
  CHECK(urdf->links[1].mass == 12);
  CHECK(urdf->links[1].visuals[0].color == "#ff0000");
  CHECK(urdf->links[1].visuals[0].opacity == 0.5);
  CHECK(urdf->links[1].visuals[1].color.empty());
  const UrdfJoint& z = *urdf->find_joint("z_axis");
  CHECK(z.axis == Eigen::Vector3d(0, 0, -1));
  CHECK(z.upper == 0.6);
  CHECK(z.velocity == 0.3);
  CHECK(urdf->find_joint("jaw_joint")->mimic->multiplier == 0.5);
  CHECK(urdf->find_joint("none") == nullptr);
}

TEST_CASE("links are where their joints put them") {
  const auto urdf = urdf_from_text(gantry, "gantry.urdf");
  REQUIRE(urdf.ok());
  const std::vector<double> positions = {0.25, 1.5, std::nan("")};  // z, x, and the mimic one, which follows
  const auto poses = link_poses(*urdf, positions);
  CHECK((poses[0].translation() - Eigen::Vector3d(0, 0, 0)).norm() < 1e-12);
  CHECK((poses[1].translation() - Eigen::Vector3d(1.5, 0, 2)).norm() < 1e-12);
  CHECK((poses[2].translation() - Eigen::Vector3d(1.5, 0, 2 - 0.2 - 0.25)).norm() < 1e-12);
  CHECK((poses[3].translation() - Eigen::Vector3d(1.5, 0.1, 1.55)).norm() < 1e-12);
  const double turned_by = 1.5 * 0.5 + 0.1;
  CHECK((poses[3].linear() * Eigen::Vector3d::UnitX() - Eigen::Vector3d(std::cos(turned_by), std::sin(turned_by), 0))
            .norm() < 1e-12);
  CHECK(complete_positions(*urdf, positions)[2] == doctest::Approx(turned_by));
  CHECK(link_poses(*urdf, {}).size() == 4);  // all at 0
}

TEST_CASE("two turns about tilted axes match the matrices of a textbook") {
  const auto urdf = urdf_from_text(R"(<robot><link name="a"/><link name="b"/><link name="c"/>
<joint name="one" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/>
<axis xyz="0 0 1"/></joint>
<joint name="two" type="continuous"><parent link="b"/><child link="c"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/></joint>
</robot>)",
                                   "arm.urdf");
  REQUIRE(urdf.ok());
  const double a = 0.3, b = -0.8;
  const auto poses = link_poses(*urdf, std::vector<double>{a, b});
  // Rx(90 deg) turns z to -y: the first axis is world -y; the elbow is at Rx Rz(a) (1, 0, 0).
  CHECK((poses[2].translation() - Eigen::Vector3d(std::cos(a), 0, 1 + std::sin(a))).norm() < 1e-12);
  Eigen::Matrix3d rx, rz, ry;
  rx << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  rz << std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1;
  ry << std::cos(b), 0, std::sin(b), 0, 1, 0, -std::sin(b), 0, std::cos(b);
  CHECK((poses[2].linear() - rx * rz * ry).norm() < 1e-12);
}

TEST_CASE("what is wrong in a URDF is said with file and line") {
  CHECK(error_of("<machine/>") == "r.urdf:1: expected <robot>, got <machine>");
  CHECK(error_of("<robot/>") == "r.urdf:1: expected links, got none");
  CHECK(error_of("<robot>\n<xacro:macro/></robot>") ==
        "r.urdf:2: expected a URDF, got xacro (<xacro:macro>); run: xacro FILE.xacro > FILE.urdf");
  CHECK(error_of(in_link("", "<link name=\"a\"/>")) == "r.urdf:3: link 'a' twice");
  CHECK(error_of("<robot>\n<link/></robot>") == "r.urdf:2: expected name of <link> with 1 to 200 characters");
  CHECK(error_of(in_link("", "<link name=\"b\"/>")) == "r.urdf:1: expected one link without a parent, got 'a' and 'b'");
  CHECK(shape("<box size=\"1 2\"/>") == "r.urdf:2: size of <box>: expected 3 numbers, got '1 2'");
  CHECK(shape("<box size=\"1 2 nan\"/>") == "r.urdf:2: size of <box>: expected 3 numbers, got '1 2 nan'");
  CHECK(shape("<box/>") == "r.urdf:2: expected size of <box>");
  CHECK(shape("<sphere radius=\"-1\"/>") == "r.urdf:2: <sphere>: expected sizes from 0");
  CHECK(shape("<cylinder radius=\"1x\" length=\"2\"/>") ==
        "r.urdf:2: radius of <cylinder>: expected a number, got '1x'");
  CHECK(shape("<cone/>") == "r.urdf:2: expected box, cylinder, sphere or mesh, got <cone>");
  CHECK(shape("") == "r.urdf:2: expected <geometry> with one shape in <visual>");
  CHECK(shape("<mesh filename=\"package://arm/a.stl\"/>") ==
        "r.urdf:2: mesh: expected a path relative to the URDF, got 'package://arm/a.stl'; copy the mesh beside the "
        "URDF");
  CHECK(shape("<mesh filename=\"file:///a.stl\"/>") ==
        "r.urdf:2: mesh: expected a path relative to the URDF, got 'file:///a.stl'");
  CHECK(shape("<mesh filename=\"/a.stl\"/>") ==
        "r.urdf:2: mesh: expected a path relative to the URDF, got the absolute '/a.stl'");
  CHECK(error_of(in_joint("floating", "")) ==
        "r.urdf:4: joint 'j': expected fixed, prismatic, revolute or continuous, got 'floating'");
  CHECK(error_of(in_joint("revolute", "")) ==
        "r.urdf:4: joint 'j': expected <limit> with lower and upper, as it is revolute");
  CHECK(error_of(in_joint("revolute", "<limit lower=\"2\" upper=\"1\"/>")) ==
        "r.urdf:4: joint 'j': expected lower <= upper, got 2 and 1");
  CHECK(error_of(in_joint("continuous", "<axis xyz=\"0 0 0\"/>")) ==
        "r.urdf:4: joint 'j': expected an axis that is not zero");
  CHECK(error_of(in_joint("continuous", "<mimic joint=\"j\"/>")) ==
        "r.urdf:4: joint 'j': expected another movable joint to mimic, got 'j'");
  CHECK(error_of(in_joint("fixed", "").replace(40, 0, "")) == "none");
  CHECK(error_of(in_link("", "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"x\"/></joint>")) ==
        "r.urdf:3: child: no link 'x'");
  CHECK(error_of(in_link("", "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"a\"/></joint>")) ==
        "r.urdf:1: expected a link without a parent, got a loop");
  CHECK(error_of("<robot>").starts_with("r.urdf:1: not well-formed XML"));
}

TEST_CASE("a loop beside the tree and a second parent are refused") {
  const std::string links = "<robot><link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>";
  const auto joint = [](std::string_view name, std::string_view parent, std::string_view child) {
    return "<joint name=\"" + std::string(name) + "\" type=\"fixed\"><parent link=\"" + std::string(parent) +
           "\"/><child link=\"" + std::string(child) + "\"/></joint>";
  };
  CHECK(error_of(links + joint("1", "b", "c") + joint("2", "c", "b") + "</robot>") ==
        "r.urdf:1: expected a tree of links, got a loop");
  CHECK(error_of(links + joint("1", "a", "c") + joint("2", "b", "c") + "</robot>") ==
        "r.urdf:1: link 'c': expected one parent, got several");
}

TEST_CASE("meshes come from STL, binary and text, and OBJ, scaled") {
  std::string binary(80, 's');
  binary.replace(0, 5, "solid");  // as some programs begin binary files
  const std::uint32_t count = 1;
  binary.append(reinterpret_cast<const char*>(&count), 4);
  const float numbers[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  binary.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  binary.append(2, '\0');
  const auto one = mesh_from_stl(binary);
  REQUIRE(one.ok());
  CHECK(one->points.size() == 3);
  CHECK(one->points[1] == std::array<float, 3>{1, 0, 0});
  const auto text = mesh_from_stl(
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
      "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n");
  REQUIRE(text.ok());
  CHECK(text->points.size() == 4);  // two are shared
  CHECK(text->triangles.size() == 2);
  const auto obj = mesh_from_obj("# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2//1 3 -1\n");
  REQUIRE(obj.ok());
  CHECK(obj->triangles.size() == 2);
  CHECK(obj->triangles[1] == std::array<std::uint32_t, 3>{0, 2, 3});

  const TemporaryFolder folder;
  folder.put("part.STL", binary);
  const std::string file = folder.put(
      "r.urdf", in_link("<visual><geometry><mesh filename=\"part.STL\" scale=\"0.001 2 1\"/></geometry></visual>"));
  const auto urdf = urdf_from_file(file);
  REQUIRE_MESSAGE(urdf.ok(), (urdf ? "" : urdf.error().text));
  CHECK(urdf->links[0].visuals[0].points[1][0] == doctest::Approx(0.001));
  CHECK(urdf->links[0].visuals[0].points[2][1] == 2);
}

TEST_CASE("broken meshes are refused") {
  CHECK(mesh_from_stl("").error().text == "expected an STL file, got 0 bytes");
  CHECK(mesh_from_stl("solid a\nfacet\nvertex 0 0 x\n").error().text ==
        "triangle 1: expected three numbers behind vertex");
  CHECK(mesh_from_stl("solid a\nvertex 0 0 0\nendfacet\n").error().text == "triangle 1: expected three corners");
  CHECK(mesh_from_stl("solid a\nendsolid").error().text == "expected triangles, got none");
  std::string huge(84, '\0');
  std::memset(huge.data() + 80, 0xff, 4);
  CHECK(mesh_from_stl(huge).error().text == "expected at most 200000 triangles, got more");
  huge[82] = huge[83] = huge[81] = '\0';
  CHECK(mesh_from_stl(huge).error().text == "expected 12834 bytes for 255 triangles, got 84");
  CHECK(mesh_from_obj("v 1 2\n").error().text == "line 1: expected three numbers behind v");
  CHECK(mesh_from_obj("v 1 2 1e39\n").error().text == "line 1: expected finite coordinates up to 1000000 m");
  CHECK(mesh_from_obj("v 1 2 3\nf 1 1 2\n").error().text == "line 2: expected corners of known points, got '2'");
  CHECK(mesh_from_obj("v 1 2 3\nf 1 1\n").error().text == "line 2: expected at least three corners, got 2");
  CHECK(mesh_from_file("a.dae").error().text == "a.dae: expected a mesh in .stl or .obj");
  CHECK(mesh_from_file("/no such/a.stl").error().text == "/no such/a.stl: cannot be read: No such file or directory");
}
