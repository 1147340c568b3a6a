// SPDX-License-Identifier: Apache-2.0
// A stream of script text in any segmentation gives the same programs.
#include "tandem/urscript/syntax/splitter.hpp"

#include <doctest/doctest.h>

#include <random>

namespace tandem::urscript {

namespace {

std::vector<std::string> split(std::string_view text) {
  ProgramSplitter splitter;
  std::vector<std::string> programs;
  REQUIRE(splitter.feed(as_bytes(text), programs).ok());
  return programs;
}

void feed(ProgramSplitter& splitter, std::string_view text, std::vector<std::string>& programs) {
  REQUIRE(splitter.feed(as_bytes(text), programs).ok());
}

const std::string iscoin =
    "def move_j():\n  write_output_boolean_register(0, True)\n  movej( [0.5, -1.2, 1.2, -1.5, -1.5, 0.1], a=1, v=1,  "
    "r=0)\n\n\n  write_output_boolean_register(1, True)\nend\n";

}  // namespace

TEST_CASE("a def is one program and a line outside is one of its own") {
  const auto programs = split(iscoin + "textmsg(\"a\")\n\n  # remark\nset_digital_out(1, True)\nsec s():\n x()\nend\n");
  REQUIRE(programs.size() == 4);
  CHECK(programs[0] == iscoin.substr(0, iscoin.size() - 1));
  CHECK(programs[1] == "textmsg(\"a\")\n");
  CHECK(programs[2] == "set_digital_out(1, True)\n");
  CHECK(programs[3] == "sec s():\n x()\nend");
}

TEST_CASE("comments and strings and labels do not confuse the nesting") {
  const std::string text =
      "def f():\n # end of nothing: if while\n x = \"end end\" + 'def'\n $ 3 \"if end\"\n while True: sync() end\n"
      " if a: b() elif c: d() else: e() end\n end_freedrive_mode()\n thread t(): end\n"
      " switch x: case 1: a() end case 2: b() end default: c() end end\n"
      " switch x: case 1: a() case 2: b() end\n for i in l: f() end\nend\n";
  const auto programs = split(text + "g()\n");
  REQUIRE(programs.size() == 2);
  CHECK(programs[0] == text.substr(0, text.size() - 1));
  CHECK(split("def f(): x = \"half\nend\ng()\n").size() == 2);
  CHECK(split("def a(): end def b(): end\n").size() == 2);
  CHECK(split("def a():\r\n x()\r\nend\r\n").size() == 1);
  CHECK(split("def a(): end\nrun program\n").size() == 1);
  CHECK(split("end\n") == std::vector<std::string>{"end\n"});  // a stray end ends nothing else
  CHECK(split("end\ndef a():\nend\n").size() == 2);
  CHECK(split("def a(): end").empty());
  CHECK(split("textmsg(1)").empty());
  CHECK(split("\n\n  \n# only remarks\n").empty());
}

TEST_CASE("every segmentation gives the same programs") {
  const std::string text = iscoin + "movej([0,0,0,0,0,0])\ndef f(): # end\n if x: y = \"end\" end\nend\n" + iscoin;
  const auto whole = split(text);
  REQUIRE(whole.size() == 4);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    ProgramSplitter splitter;
    std::vector<std::string> programs;
    feed(splitter, std::string_view(text).substr(0, cut), programs);
    feed(splitter, std::string_view(text).substr(cut), programs);
    REQUIRE(programs == whole);
    CHECK(splitter.empty());
  }
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    ProgramSplitter splitter;
    std::vector<std::string> programs;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random() % 40;
      feed(splitter, std::string_view(text).substr(at, size), programs);
      at += size;
    }
    REQUIRE(programs == whole);
  }
}

TEST_CASE("every byte alone gives the programs of blocks within blocks and of secondary programs") {
  const std::string nested =
      "def f():\n  global end_it = False\n  thread t():\n    while (True):\n      if end_it:  # end\n        "
      "textmsg(\"end if while\")\n      elif not end_it:\n        sync()\n      end\n    end\n  end\n  run t()\nend";
  const std::string line = "set_digital_out(1, True)\r\n";
  const std::string second = "sec s():\r\n  textmsg('x')\r\nend";
  const std::string choice =
      "def g():\n  switch x:\n    case 1:\n      a()\n    end\n    default:\n    end\n  end\nend";
  const std::string stream =
      "\n# a remark\n" + iscoin + line + "\n" + nested + "\n" + second + "\r\n" + choice + "\n\r\n";
  const std::vector<std::string> wanted{iscoin.substr(0, iscoin.size() - 1), line, nested, second, choice};
  for (std::size_t step = 1; step <= stream.size(); step += step < 40 ? 1 : 17) {
    ProgramSplitter splitter;
    std::vector<std::string> programs;
    for (std::size_t at = 0; at < stream.size(); at += step)
      feed(splitter, std::string_view(stream).substr(at, step), programs);
    REQUIRE(programs == wanted);
  }
}

TEST_CASE("a program that is half sent is never given") {
  ProgramSplitter splitter;
  std::vector<std::string> programs;
  feed(splitter, "def f():\n  sync()\n  if x:\n  end\n", programs);
  CHECK(programs.empty());
  CHECK_FALSE(splitter.empty());
  feed(splitter, "en", programs);
  CHECK(programs.empty());
  feed(splitter, "d\n", programs);
  CHECK(programs.size() == 1);
}

TEST_CASE("words in texts and comments and longer names open and close nothing") {
  for (const char* line : {"x() # end", "end_force_mode()", "textmsg(\"while\", 'def')", "while True: sync() end",
                           "a.end = forward", "a.if = a.def", "else:", "my_end = definite + iffy", "x = 1 $ end"}) {
    CAPTURE(line);
    const std::string program = std::string("def f():\n  ") + line + "\nend";
    CHECK(split(program + "\n") == std::vector<std::string>{program});
  }
}

TEST_CASE("a program above the limit is an error and the next one is read") {
  ProgramSplitter splitter(1'000);
  std::vector<std::string> programs;
  auto flood = splitter.feed(as_bytes("sync()\ndef f():\n" + std::string(2'000, 'x')), programs);
  REQUIRE_FALSE(flood.ok());
  CHECK(flood.error().text.find("more than 1000 bytes") != std::string::npos);
  CHECK(splitter.empty());
  CHECK(programs == std::vector<std::string>{"sync()\n"});
  feed(splitter, "xxx\ntextmsg(1)\n", programs);
  CHECK(programs == std::vector<std::string>{"sync()\n", "textmsg(1)\n"});
}

TEST_CASE("blocks that open without end have a bound") {
  ProgramSplitter splitter;
  std::vector<std::string> programs;
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "if x:\n";
  CHECK_FALSE(splitter.feed(as_bytes(deep), programs).ok());
  CHECK(programs.empty());
}

}  // namespace tandem::urscript
