// SPDX-License-Identifier: Apache-2.0
// tandem fleet: status, page and stop of the tandems of many hosts.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}
namespace tandem::runtime {
struct HostState;
struct HostStop;
}  // namespace tandem::runtime

namespace tandem::app {

std::pair<CLI::App*, std::function<int()>> add_fleet(CLI::App& program);

struct FleetArguments {
  std::string file;    // hosts.yaml
  std::string action;  // status, page, stop
  bool json = false, watch = false;
  double within = 3;   // s, for each host
  std::string listen;  // of the page; empty: the default, or a free port
};
int fleet(const FleetArguments& arguments);

// A line for each host and one for each of its machines, as text for people: a pure function.
std::string render_fleet(const std::vector<runtime::HostState>& states, bool color, std::size_t columns);
std::string render_stops(const std::vector<runtime::HostStop>& stops);
// "+1.2 ms ± 80 us": how far a clock is ahead.
std::string offset_text(double offset, double uncertainty);

}  // namespace tandem::app
