// SPDX-License-Identifier: Apache-2.0
// What is wrong with a graph, in words: nodes of one name, endpoints that will not or must not hear each other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/context_options.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

// Something wrong, as long as it lasts. The key tells it from others of its kind.
struct Trouble {
  std::string key;
  Event event;
  Duration patience{};  // told only if it lasts that long
};

// Duplicate names of all nodes; and of our endpoints: QoS and types that do not match, topics with a second publisher.
std::vector<Trouble> troubles(const Graph& graph);

// Reports each trouble once, until it is over.
class GraphWarnings {
 public:
  std::vector<Event> look(const Graph& graph, Instant now);
  bool waits() const;  // look again soon, even if nothing changes

 private:
  struct Known {
    Instant since;
    bool told = false;
  };
  std::map<std::string, Known> known_;
};

}  // namespace tandem::ros2
