// SPDX-License-Identifier: Apache-2.0
// Text as the script manual describes it: numbers, limits, conditions, and names that are keywords elsewhere.
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/urscript/syntax/splitter.hpp"
#include "tests/urscript/script_rig.hpp"

namespace tandem::urscript {

namespace {

std::string result(const std::string& expression) { return ScriptRig().run("x = " + expression); }
bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("floats are written with 6 decimals and without trailing zeros") {
  // The manual's own examples.
  CHECK(result("to_str(10)") == "10");
  CHECK(result("to_str(2.123456123456)") == "2.123456");
  CHECK(result("to_str(p[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])") == "p[1, 2, 3, 4, 5, 6]");
  CHECK(result("to_str([True, False, True])") == "[True, False, True]");
  CHECK(result("str_cat([True, False, True], [1, 0, 1])") == "[True, False, True][1, 0, 1]");
  CHECK(result("str_cat(str_cat(\"\", str_cat(\"One\", \"Two\")), str_cat(3, 4))") == "OneTwo34");
  // Others.
  CHECK(result("to_str(0.1 + 0.2)") == "0.3");
  CHECK(result("to_str(-0.0000004)") == "0");
  CHECK(result("to_str(1/3)") == "0.333333");
  CHECK(result("to_str(100.0)") == "100");
  CHECK(result("to_str(-12.5)") == "-12.5");
  CHECK(result("to_str(1e20)") == "100000000000000000000");
  CHECK(result("str_cat(\"v=\", 3.14159265)") == "v=3.141593");
  ScriptRig rig;
  CHECK(rig.run("x = 1\ntextmsg(\"pose \", p[0.1, 0.2000001, 1/3, 0, 0, 0])") == "1");
  CHECK(rig.all_said() == "pose p[0.1,0.2,0.333333,0,0,0]");
}

TEST_CASE("a string holds 1023 characters") {
  const std::string longest(1023, 'a');
  CHECK(result("str_len(\"" + longest + "\")") == "1023");
  CHECK(result("str_len(str_cat(\"" + longest.substr(1) + "\", \"b\"))") == "1023");
  CHECK(contains(result("str_cat(\"" + longest + "\", \"b\")"), "at most 1023 bytes"));
  CHECK(contains(result("\"" + longest + "\" + \"b\""), "at most 1023 bytes"));
  CHECK(contains(result("\"" + longest + "b\""), "too long"));
  CHECK(contains(result("to_str(make_list(600, 12))"), "at most 1023 bytes"));
}

TEST_CASE("a string is a condition that holds when it is not empty") {
  CHECK(ScriptRig().run("line = \"\"\nx = 0\nif (line):\n  x = 1\nend") == "0");
  CHECK(ScriptRig().run("line = \"go\"\nx = 0\nif (line):\n  x = 1\nend") == "1");
  CHECK(ScriptRig().run("s = \"ab\"\nx = 0\nwhile s:\n  s = str_sub(s, 1)\n  x = x + 1\nend") == "2");
  CHECK(result("not \"\"") == "True");
  CHECK(result("\"a\" and not \"\"") == "True");
  CHECK(result("\"\" or \"b\"") == "True");
  CHECK(contains(result("not [1]"), "expected a boolean"));
}

TEST_CASE("to_num reads decimal, hexadecimal, infinite and no numbers") {
  CHECK(result("to_num(\"10\")") == "10");
  CHECK(result("to_num(\"0X3A\")") == "58");
  CHECK(result("to_num(\"0xb5\")") == "181");
  CHECK(result("to_num(\" -0x10\")") == "-16");
  CHECK(result("to_num(\"0xFFFFFFFF\")") == "-1");
  CHECK(contains(result("to_num(\"0x100000000\")"), "does not fit in 32 bits"));
  CHECK(contains(result("to_num(\"0x\")"), "is not a number"));
  CHECK(contains(result("to_num(\"0x3G\")"), "is not a number"));
  CHECK(result("to_num(\"+5.\")") == "5");
  CHECK(result("to_num(\"-3.0e5\")") == "-300000");
  CHECK(contains(result("to_num(\"+-5\")"), "is not a number"));
  CHECK(result("to_num(\"INF\") > 1e300") == "True");
  CHECK(result("to_num(\"-infinity\") < 0") == "True");
  CHECK(result("to_num(\"nan\") == to_num(\"NaN\")") == "False");
  CHECK(contains(result("to_num(\"123abc\")"), "is not a number"));
  CHECK(contains(result("to_num(\"\")"), "is not a number"));
}

TEST_CASE("inv takes a pose, transpose a list") {
  // The manual's own numbers, rounded to 5 decimals there.
  ScriptRig rig;
  REQUIRE(rig.run("x = inv(p[.2,.5,.1,1.57,0,3.14])").starts_with("p["));
  const PoseValue pose = *rig.program().global("x")->pose();
  const PoseValue manual{0.19324, 0.41794, -0.29662, 1.23993, 0.0, 2.47985};
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(pose[i] - manual[i]) < 1e-5);
  CHECK(result("inv([[0,1,0],[0,0,1],[1,0,0]])") == "[[0, 0, 1], [1, 0, 0], [0, 1, 0]]");
  CHECK(result("transpose([1,2,3])") == "[[1], [2], [3]]");
  CHECK(result("transpose([[1],[2],[3]])") == "[1, 2, 3]");
  CHECK(result("transpose([[1,2],[3,4],[5,6]])") == "[[1, 3, 5], [2, 4, 6]]");
  CHECK(contains(result("transpose([])"), "expected a matrix"));
}

TEST_CASE("interpolate_pose goes on beyond its ends, long lists of bits are cut") {
  CHECK(result("interpolate_pose(p[0,0,0,0,0,0], p[1,0,0,0.5,0,0], 2)") == "p[2, 0, 0, 1, 0, 0]");
  CHECK(result("interpolate_pose(p[0,0,0,0,0,0], p[1,0,0,0.5,0,0], -1)") == "p[-1, 0, 0, -0.5, 0, 0]");
  CHECK(result("binary_list_to_integer(make_list(40, True))") == "-1");
  CHECK(contains(result("pow(0, -1)"), "is not a number"));
}

TEST_CASE("a member may be named like a keyword") {
  CHECK(result("struct(end=1, default=2, run=3).end") == "1");
  CHECK(ScriptRig().run(
            "s = struct(halt=1, if=struct(end=2))\ns.halt = 5\ns.if.end = s.if.end + s.halt\nx = s.if.end") == "7");
  ProgramSplitter splitter;
  std::vector<std::string> programs;
  const std::string text = "def f():\n  s = struct(end=1, if=2)\n  x = s.end\nend\ndef g():\nend\n";
  REQUIRE(splitter.feed({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, programs).ok());
  REQUIRE(programs.size() == 2);
  CHECK(programs[0].starts_with("def f()"));
}

TEST_CASE("pause is a statement, and a name like any other elsewhere") {
  ScriptRig rig;
  int paused = 0;
  rig.builtins.add("pause", {}, [&](Call&) -> Outcome { return ++paused, Value(None{}); });
  CHECK(rig.run("x = 1\npause\nx = 2\nif x == 2:\n  pause\nend") == "2");
  CHECK(paused == 2);
  CHECK(rig.run("pause = 4\nx = pause + 1") == "5");
}

}  // namespace tandem::urscript
