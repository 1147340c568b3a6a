// SPDX-License-Identifier: Apache-2.0
// Any text as the timed faults of a virtual device: of the cable robot, line by line, and of a machine that a file
// describes, as its YAML. Refused in words, or faults of winches that exist, in bounds and the same however time goes.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/machines/cable_robot/virtual/script.hpp"
#include "tandem/machines/generic/schema/entries.hpp"
#include "tandem/machines/generic/virtual/faults.hpp"
#include "tandem/yaml/values.hpp"

namespace {

using namespace tandem;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_winches(const std::vector<std::string>& lines, int winches) {
  cable_robot::FaultScript script;
  try {
    script = cable_robot::FaultScript(lines, winches);
  } catch (const std::invalid_argument& error) {
    require(std::string_view(error.what()).starts_with("faults: \""));
    return;
  }
  require(script.empty() == lines.empty());
  cable_robot::FaultScript again = script;
  cable_robot::WinchFaults at_once, stepped;
  for (double t = 0.01; t < 3e6; t *= 3) again.play(duration_of(t), stepped);
  script.play(duration_of(3e6), at_once);
  using Faults = cable_robot::WinchFaults;
  for (const auto bits : {&Faults::cut, &Faults::stuck, &Faults::broken}) {
    require((at_once.*bits).load() == (stepped.*bits).load());
    require((at_once.*bits).load() >> winches == 0);
  }
  for (int winch = 0; winch < winches; ++winch) {
    const double slip = at_once.take_slip(winch);
    require(slip == stepped.take_slip(winch) && std::abs(slip) <= 1);
  }
}

void check_state(const generic::Declaration& declaration, double t) {
  const generic::FaultState state = generic::faults_at(declaration, 0.1, t);
  std::set<std::uint8_t> codes{0};
  for (const auto& fault : declaration.faults) codes.insert(fault.code);
  require(codes.count(state.exception) == 1);
  if (t < 0) require(state == generic::FaultState{});
}

void check_described(const std::string& text) {
  generic::Declaration declaration;
  try {
    generic::Problems problems("a.yaml");
    const yaml::Node node = yaml::parse(text, "a.yaml");
    declaration.faults = generic::read_faults(node, "press.fault", problems);
    if (problems.count() > 0) return;
  } catch (const yaml::FileError& error) {
    return require(!error.problems().empty());
  }
  for (const generic::TimedFault& fault : declaration.faults) {
    require(fault.at >= 0 && fault.at <= 1e6 && fault.length >= 0 && fault.length <= 1e6 && fault.code <= 11);
    for (const double t : {fault.at, fault.at - 1e-3, fault.at + fault.length / 2, fault.at + fault.length})
      check_state(declaration, t);
  }
  for (const double t : {-1.0, 0.0, 3e6, std::numeric_limits<double>::infinity()}) check_state(declaration, t);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  using namespace cables;
  check_winches(lines, fewest_cables + data[0] % (most_cables - fewest_cables + 1));
  check_described(text);
  return 0;
}
