#include "tandem/protocols/ur/script_intake.hpp"

#include <doctest/doctest.h>

using namespace tandem;
using namespace tandem::ur;

namespace {

struct Programs final : ScriptSink {
  void program(std::string_view text) override { all.emplace_back(text); }
  std::vector<std::string> all;
};

std::vector<std::string> programs_of(std::string_view text, std::size_t step) {
  Programs programs;
  ScriptIntake intake(&programs);
  for (std::size_t at = 0; at < text.size(); at += step) CHECK(intake.receive(as_bytes(text.substr(at, step))));
  return programs.all;
}

}  // namespace

TEST_CASE("a program is complete with the end that closes it wherever it is cut") {
  // As ISCoin sends it.
  const std::string move =
      "def move_j():\n  write_output_boolean_register(0, True)\n  movej( [0.5, -1.2, 1.2, -1.5, -1.5, 0.1], a=1, v=1,  "
      "r=0)\n\n\n  write_output_boolean_register(1, True)\nend\n";
  const std::string nested =
      "def f():\n  global end_it = False\n  thread t():\n    while (True):\n      if end_it:  # end\n        "
      "textmsg(\"end if while\")\n      elif not end_it:\n        sync()\n      end\n    end\n  end\n  run t()\nend\n";
  const std::string line = "set_digital_out(1, True)\n";
  const std::string second = "sec s():\n  textmsg('x')\nend\n";
  const std::string stream = "\n# a remark\n" + move + line + "\n" + nested + second;
  for (std::size_t step = 1; step <= stream.size(); step += step < 40 ? 1 : 17)
    CHECK(programs_of(stream, step) == std::vector<std::string>{move, line, nested, second});
}

TEST_CASE("a program that never ends is never given and has a bound") {
  CHECK(programs_of("def f():\n  sync()\n", 100).empty());
  Programs programs;
  ScriptIntake intake(&programs);
  const std::string chunk(1 << 16, 'a');
  bool alive = true;
  for (int i = 0; i < 100 && alive; ++i) alive = intake.receive(as_bytes(chunk));
  CHECK_FALSE(alive);
}

TEST_CASE("words in texts comments and longer names open and close nothing") {
  CHECK(block_balance("if x: # end") == 1);
  CHECK(block_balance("  end_force_mode()") == 0);
  CHECK(block_balance("textmsg(\"while\", 'def')") == 0);
  CHECK(block_balance("end") == -1);
  CHECK(block_balance("while True: sync() end") == 0);
  CHECK(block_balance("a.end = forward") == 0);
  CHECK(block_balance("else:") == 0);
}

TEST_CASE("the read-only ports forget what they are sent") {
  ScriptIntake intake(nullptr);
  CHECK(intake.receive(as_bytes("def f():\nend\n")));
  CHECK(intake.progress().completed == 0);
}
