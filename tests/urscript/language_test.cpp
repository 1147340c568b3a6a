// SPDX-License-Identifier: Apache-2.0
// What the language means, by table: a script and the value of x that somebody worked out by hand.
#include <doctest/doctest.h>

#include "tests/urscript/script_rig.hpp"

namespace tandem::urscript {

namespace {

struct Row {
  const char* script;
  const char* x;
};

void check(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    CAPTURE(row.script);
    ScriptRig rig;
    CHECK(rig.run(row.script) == row.x);
  }
}

// The text must be part of the error.
void check_errors(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    ScriptRig rig;
    const std::string seen = rig.run(row.script);
    CAPTURE(row.script);
    CAPTURE(seen);
    CHECK(seen.rfind("error: ", 0) == 0);
    CHECK(seen.find(row.x) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("integers stay integers and division gives floats") {
  check({{"x = 1 + 2 * 3", "7"},
         {"x = 5 / 2", "2.5"},
         {"x = 6 / 2", "3"},
         {"x = 1500000 / 1000000", "1.5"},
         {"x = 7 % 3", "1"},
         {"x = 7.5 % 2", "1.5"},
         {"x = -7 % 3", "-1"},
         {"x = 2147483647", "2147483647"},
         {"x = 0xFF", "255"},
         {"x = 0xFFFFFFFF", "-1"},
         {"x = 1.5e3", "1500"},
         {"x = .5", "0.5"},
         {"x = 1e-5", "0.00001"},
         {"x = -3 * -2", "6"},
         {"x = 10 - 2 - 3", "5"},
         {"x = 2 - -2", "4"},
         {"x = (1 + 2) * (3 + 4)", "21"},
         {"x = (1, 2.5, 1 + 2)", "[1, 2.5, 3]"}});
  check_errors({{"x = 2147483647 + 1", "does not fit in 32 bits"},
                {"x = (1, )", "expected a value, got ')'"},
                {"x = 1 / 0", "by zero"},
                {"x = 1 % 0", "by zero"},
                {"x = 1.0 / 0", "by zero"},
                {"x = \"a\" * 2", "'*' cannot be applied to a string and an integer"},
                {"x = True + 1", "cannot be applied"}});
}

TEST_CASE("booleans bind and short circuit as in Python") {
  check({{"x = True or False and False", "True"},
         {"x = not False and False", "False"},
         {"x = not (False and False)", "True"},
         {"x = True xor True", "False"},
         {"x = 1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3", "True"},
         {"x = 1 == 1.0", "True"},
         {"x = 1 != 2", "True"},
         {"x = \"a\" == \"a\"", "True"},
         {"x = [1, 2] == [1, 2.0]", "True"},
         {"x = [1, 2] == [1, 3]", "False"},
         {"x = p[1,2,3,0,0,0] == p[1,2,3,0,0,0]", "True"},
         {"x = 1 == \"1\"", "False"},
         {"x = False and y", "False"},
         {"x = True or y", "True"},
         {"x = 0.1 + 0.2 == 0.3", "True"},
         {"x = 2 and 1.5", "True"},
         {"x = 0 or 0.0", "False"}});
  check_errors({{"if [1]: x = 1 end", "expected a boolean"}, {"x = not [1]", "expected a boolean"}});
}

TEST_CASE("blocks need no line ends") {
  check({{"x = 0 while x < 5: x = x + 1 end", "5"},
         {"x = 0\nwhile (x < 5) :\n x = x + 1\nend", "5"},
         {"x = 1 if x == 1: x = 10 elif x == 2: x = 20 else: x = 30 end", "10"},
         {"x = 2\nif x == 1:\nx = 10\nelif x == 2:\nx = 20\nelse:\nx = 30\nend", "20"},
         {"x = 3 if x == 1: x = 10 elif x == 2: x = 20 else: x = 30 end", "30"},
         {"x = 0 while True: x = x + 1 if x == 3: break end end", "3"},
         {"x = 0 i = 0 while i < 5: i = i + 1 if i == 2: continue end x = x + i end", "13"},
         {"x = # the value comes below\n 7", "7"},
         {"x = # the value comes below\n0    global y = 1", "0"},
         {"x = 1 +\n 2", "3"},
         {"x = (1\n + 2)", "3"},
         {"x = [1,\n 2,\n 3]", "[1, 2, 3]"},
         {"x = 1 == 2 or\n 3 == 3", "True"},
         {"x = 0 for i in [1, 2, 3]: x = x + i end", "6"},
         {"def m(): x = 6 end\nrun program\n", "6"},
         {"def p():\n$ 1 \"Robot Program\"\n x = 4\n$ 2 \"end\"\nend", "4"}});
}

TEST_CASE("elements of an array of the robot are written by its function unless a variable has its name") {
  ScriptRig rig;
  std::string written;
  rig.builtins.add("write_lamp", {"n", "on"}, [&](Call& call) -> Outcome {
    written += to_text(call[0]) + "=" + to_text(call[1]) + " ";
    return Value(None{});
  });
  rig.builtins.add_written_array("lamp", "write_lamp");
  CHECK(rig.run("x = 0 lamp[x + 2] = x < 1 lamp[3]=False x = 5") == "5");
  CHECK(written == "2=True 3=False ");
  CHECK(rig.run("lamp = [1, 2] lamp[0] = 7 x = lamp") == "[7, 2]");
  CHECK(written == "2=True 3=False ");
  CHECK(rig.run("x = 0 lamp[1][2] = 3").rfind("error: ", 0) == 0);
  CHECK(rig.run("x = 0 bell[1] = 3").rfind("error: ", 0) == 0);
}

TEST_CASE("switch takes the first case that fits in both ways to write it") {
  check({{"y = 2 switch y: case 1: x = 10 case 2: x = 20 default: x = 30 end", "20"},
         {"y = 5 switch (y): case 1: x = 10 end case 2: x = 20 end default: x = 30 end end", "30"},
         {"y = 1\nswitch y:\n case 1:\n x = 10\n end\n case 2:\n x = 20\n end\nend", "10"},
         {"x = 1 switch 9: case 1: x = 2 end", "1"}});
}

TEST_CASE("functions know parameters by place and by name and default") {
  check({{"def f(a, b=10, c=100): return a + b + c end x = f(1)", "111"},
         {"def f(a, b=10, c=100): return a + b + c end x = f(1, 2)", "103"},
         {"def f(a, b=10, c=100): return a + b + c end x = f(1, c=0)", "11"},
         {"def f(a, b=10, c=100): return a + b + c end x = f( c=3,  b=2, a=1 )", "6"},
         {"def f(a, b=a * 2): return b end x = f(4)", "8"},
         {"def f(): y = 1 end x = f()", "None"},
         {"def f(n): if n < 2: return 1 end return n * f(n - 1) end x = f(10)", "3628800"},
         {"def f(): return g() end def g(): return 5 end x = f()", "5"},
         {"def f(p, k): p[0] = p[0] * k return p end x = f(p[1,2,3,4,5,6], 2)", "p[2, 2, 3, 4, 5, 6]"},
         {"def max(a, b): return 99 end x = max(1, 2)", "99"}});
  check_errors({{"def f(a): end f()", "'f' needs its parameter 'a'"},
                {"def f(a): end f(1, 2)", "takes at most 1 arguments"},
                {"def f(a): end f(b=2)", "has no parameter 'b'"},
                {"def f(a): end f(1, a=2)", "given twice"},
                {"def f(a): end f(a=1, 2)", "without a name follows"},
                {"def f(): f() end f()", "nested more than 200 deep"},
                {"def f(): end def f(): end f()", "defined twice"},
                {"thread t(): end t()", "start it with 'run'"},
                {"def t(): end run t()", "'run' needs a thread"}});
}

TEST_CASE("the main function's names are global and a function's own are not") {
  check({{"def m(): x = 1 def f(): x = 2 end f() end", "2"},
         {"def m(): global x = 1 def f(): local x = 2 end f() end", "1"},
         {"def m(): x = 1 def f(x): x = 5 end f(9) end", "1"},
         {"def m(): def f(): global x = 3 end f() end", "3"},
         {"def m(): def f(): y = 3 return y end x = f() end", "3"},
         {"def m(): a = 4 def f(): return a end x = f() end", "4"},
         {"def m(): local x = 8 end", "8"}});
  check_errors({{"def m(): def f(): y = 3 end f() x = y end", "'y' is never given a value"},
                {"x = y", "line 1: the variable 'y' is never given a value"},
                {"def m():\n\n x = later\n later = 1\nend", "line 3: the variable 'later' is read before"}});
}

TEST_CASE("lists and poses and structs are values") {
  check({{"x = [1, 2.5, True, \"a\", [2, 3]]", "[1, 2.5, True, a, [2, 3]]"},
         {"a = [1, 2] b = a b[0] = 9 x = a", "[1, 2]"},
         {"def f(l): l[0] = 9 return l end a = [1, 2] f(a) x = a", "[1, 2]"},
         {"a = [[1, 2], [3, 4]] a[1][0] = 9 x = a", "[[1, 2], [9, 4]]"},
         {"a = [[1, 2], [3, 4]] a[0, 1] = 9 x = a[0, 1]", "9"},
         {"a = [[1, 2], [3, 4]] b = a[1] b[0] = 7 x = a", "[[1, 2], [3, 4]]"},
         {"x = p[1, 2, 3, 0, 0, 0]", "p[1, 2, 3, 0, 0, 0]"},
         {"x = p[1, 2, 3, 0, 0, 0] x[2] = 5", "p[1, 2, 5, 0, 0, 0]"},
         {"a = p[1, 2, 3, 0, 0, 0] x = a[1]", "2"},
         {"p = [7, 8] x = p[1]", "8"},
         {"s = struct(a = 1, b = [2, 3]) s.b[1] = 9 x = s", "struct(a=1, b=[2, 9])"},
         {"s = struct(a = 1) t = s t.a = 2 x = s.a", "1"},
         {"s = [struct(a=1)] s[0].a = 4 x = s[0].a", "4"},
         {"x = [] x.append(1) x.append(2) x.extend([3, 4]) x.insert(0, 0) x.remove(1)", "[0, 2, 3, 4]"},
         {"a = [1, 2, 3] x = a.pop() + a.length()", "5"},
         {"a = [1, 2, 3] x = a.slice(1, 3)", "[2, 3]"},
         {"a = [4 / 2] x = [1, 2, 3] x = x[a[0]]", "3"}});
  check_errors({{"a = [1] x = a[1]", "index 1 is outside a list of 1 elements"},
                {"a = [1] x = a[-1]", "index -1 is outside"},
                {"a = [1] a[0.5] = 1", "expected an integer"},
                {"a = [1] x = a.b", "only a struct has members"},
                {"s = struct(alpha=1) x = s.alpa", "did you mean 'alpha'"},
                {"s = struct(a=1) s.b = 2", "no member 'b'"},
                {"x = p[1, 2, 3]", "pose: expected 6 numbers, got 3"},
                {"x = p[1, 2, 3, 4, 5, True]", "element 5 of a pose: expected a number"},
                {"a = 1 a[0] = 2", "an integer has no elements"},
                {"a[0] = 2", "'a' is never given a value"},
                {"a = [1] a.push(2)", "unknown method 'push'"}});
}

TEST_CASE("lists calculate element by element and matrices multiply") {
  check({{"x = [1, 2, 3] + [10, 20, 30]", "[11, 22, 33]"},
         {"x = [10, 20] - [1, 2]", "[9, 18]"},
         {"x = [1, 2, 3] * [10, 20, 30]", "[10, 40, 90]"},
         {"x = [10, 20] % [3, 7]", "[1, 6]"},
         {"x = -3 * [1, 2]", "[-3, -6]"},
         {"x = [1, 2] / 4", "[0.25, 0.5]"},
         {"x = 10 / [10, 20]", "[1, 0.5]"},
         {"x = -[1, 2]", "[-1, -2]"},
         {"x = 5 * [[1, 2], [3, 4]]", "[[5, 10], [15, 20]]"},
         {"x = [[1,2],[3,4],[5,6]] * [10, 20]", "[50, 110, 170]"},
         {"x = [[1,2],[3,4]] * [[10,20],[30,40]]", "[[70, 100], [150, 220]]"},
         {"x = \"ab\" + \"cd\"", "abcd"}});
  check_errors({{"x = [1, 2] + [1]", "different length: 2 and 1"},
                {"x = [[1,2],[3,4]] * [1]", "every row needs as many"},
                {"x = p[1,2,3,0,0,0] + p[1,2,3,0,0,0]", "'+' cannot be applied to a pose and a pose"}});
}

TEST_CASE("strings hold their backslashes and both kinds of quotes") {
  check({{"x = \"a # no comment\"", "a # no comment"},
         {"x = 'it says \"end\"'", "it says \"end\""},
         {"x = \"a\\n\"", "a\\n"},
         {"x = 1 # \"half a string", "1"}});
  check_errors({{"x = \"abc\ny = 1", "line 1, column 5: this string has no closing quote"}});
}

}  // namespace tandem::urscript
