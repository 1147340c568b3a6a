// SPDX-License-Identifier: Apache-2.0
// What benchmarks share with bench/all: figures go to the file that BENCH_REPORT names, one line of JSON each (without
// that variable nowhere), and with BENCH_QUICK set a run is short and its figures are rough.
#pragma once

#include <errno.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace bench {

struct Figure {
  std::string name;    // with the program's name it identifies the row
  std::string peer{};  // who did the same in the same run; empty: no peer
  double ours = 0;
  double theirs = std::numeric_limits<double>::quiet_NaN();
  std::string unit{};                                       // of both; "us", "poses/s"
  double ratio = std::numeric_limits<double>::quiet_NaN();  // above 1 ours is better
  double low = std::numeric_limits<double>::quiet_NaN();    // of the ratio: a tenth of all windows is below
  double high = std::numeric_limits<double>::quiet_NaN();   // and a tenth above
  std::string wanted{};                                     // "at least 1.4x", "at most 2 us"; empty: only reported
  bool met = true;
};

inline bool quick() { return std::getenv("BENCH_QUICK") != nullptr; }

inline std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + '"';
}

// JSON has neither NaN nor infinity.
inline std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "null"; }

inline void report(const Figure& figure) {
  const char* const path = std::getenv("BENCH_REPORT");
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "a");
  if (file == nullptr) return;
  fmt::print(file,
             R"({{"bench": {}, "name": {}, "peer": {}, "ours": {}, "theirs": {}, "unit": {}, "ratio": {}, )"
             R"("low": {}, "high": {}, "wanted": {}, "met": {}}})"
             "\n",
             json_text(program_invocation_short_name), json_text(figure.name), json_text(figure.peer),
             json_number(figure.ours), json_number(figure.theirs), json_text(figure.unit), json_number(figure.ratio),
             json_number(figure.low), json_number(figure.high), json_text(figure.wanted), figure.met);
  std::fclose(file);
}

// A figure without a peer, held against a limit; `wanted` 0: only reported.
inline void report_at_most(const std::string& name, double value, const std::string& unit, double wanted = 0) {
  const std::string limit = wanted == 0 ? "" : fmt::format("at most {:g} {}", wanted, unit);
  report({.name = name, .ours = value, .unit = unit, .wanted = limit, .met = wanted == 0 || value <= wanted});
}
inline void report_at_least(const std::string& name, double value, const std::string& unit, double wanted) {
  const std::string limit = wanted == 0 ? "" : fmt::format("at least {:g} {}", wanted, unit);
  report({.name = name, .ours = value, .unit = unit, .wanted = limit, .met = value >= wanted});
}

}  // namespace bench
