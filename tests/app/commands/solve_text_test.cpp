// SPDX-License-Identifier: Apache-2.0
// The words around `tandem solve`: flags, examples and progress, without a process.
#include <doctest/doctest.h>

#include "tandem/app/commands.hpp"
#include "tandem/app/terminal/progress.hpp"

namespace tandem::app {

namespace {

Result<std::string> no_answer(std::string_view, const machines::Progress&) { return std::string("{}"); }

}  // namespace

TEST_CASE("flags are taken out of the words of solve and all else stays in its order") {
  std::vector<std::string> words = {"solve", "crane", "lift",   "--load", "5",      "{\"a\": 1}",
                                    "--to=", "--at",  "-x y z", "--help", "--fast", "--end"};
  const auto flags = take_solve_flags(words);
  CHECK(words == std::vector<std::string>{"solve", "crane", "lift", "{\"a\": 1}", "--help"});
  REQUIRE(flags.size() == 5);
  CHECK((flags[0].name == "load" && flags[0].value == "5" && flags[0].valued));
  CHECK((flags[1].name == "to" && flags[1].value.empty() && flags[1].valued));
  CHECK((flags[2].name == "at" && flags[2].value == "-x y z"));
  CHECK((flags[3].name == "fast" && !flags[3].valued));
  CHECK((flags[4].name == "end" && !flags[4].valued));
}

TEST_CASE("an example that flags can say is shown with flags") {
  constexpr std::array<std::string_view, 2> flags = {"grid", "out"};
  machines::Query query{"space", "what it holds", R"({"grid": "9x9x9"})", no_answer, flags};
  CHECK(solve_example("crane", query) ==
        "  tandem solve crane space --grid 9x9x9\n      what it holds\n      fields that may be flags: --grid --out\n");
  query.example = R"({"grid": [9, 9, 9]})";
  CHECK(solve_example("crane", query).starts_with("  tandem solve crane space '{\"grid\": [9, 9, 9]}'\n"));
}

TEST_CASE("a bar appears after half a second and tells the time that is left") {
  const Instant start{1h};
  ProgressText bar("space", true, start);
  CHECK(bar.end().empty());
  CHECK(bar.at(0.5, start + 499ms).empty());
  CHECK(bar.at(0.25, start + 1s) == "\rspace [#######.......................] 25 %, 3 s left\x1b[K");
  CHECK(bar.at(0.26, start + 1099ms).empty());
  CHECK(bar.at(0.001, start + 1100ms) == "\rspace [..............................] 0 %\x1b[K");
  CHECK(bar.at(1.5, start + 2s) == "\rspace [##############################] 100 %, 0 s left\x1b[K");
  CHECK(bar.end() == "\r\x1b[K");
}

TEST_CASE("without a terminal progress is a line every two seconds") {
  const Instant start{1h};
  ProgressText lines("space", false, start);
  CHECK(lines.at(0.5, start + 1999ms).empty());
  CHECK(lines.at(0.02, start + 2s) == "space: 2 %, 1 min 38 s left\n");
  CHECK(lines.at(0.6, start + 3999ms).empty());
  CHECK(lines.at(0.5, start + 4s) == "space: 50 %, 4 s left\n");
  CHECK(lines.end().empty());
  CHECK(duration_text(0.2) == "1 s");
  CHECK(duration_text(3661) == "1 h 01 min");
  CHECK(duration_text(-1) == "0 s");
  CHECK(duration_text(1e300) == "more than 100 h");
}

}  // namespace tandem::app
