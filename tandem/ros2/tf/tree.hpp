// SPDX-License-Identifier: Apache-2.0
// All frames as a tree, and what is wrong with it, in words.
#pragma once

#include <string>
#include <vector>

#include "tandem/ros2/tf/buffer.hpp"

namespace tandem::ros2 {

struct TfFinding {
  enum class Kind {
    two_parents,     // its parent changed: a tree has one parent per frame
    two_publishers,  // one frame, several publishers
    several_roots,   // nothing connects these trees
    cycle,
    stale,    // no longer sent
    delayed,  // stamps are far behind
    future,   // stamps are ahead of our clock
    refused,  // transforms that could not be taken
  };
  Kind kind{};
  std::string frame;  // empty when it is about no single one
  std::string text;   // a whole sentence
};

struct TfTree {
  struct Entry {
    std::string frame;
    std::string parent;  // empty: a root
    bool is_static = false;
    double rate = 0.0;                 // Hz; zero before the second message, and for what does not move
    Duration age{};                    // since the last message
    Duration delay{};                  // stamp to reception, on average
    UtcTime stamp{};                   // the newest
    std::vector<std::string> authors;  // nodes, or gids of those that the graph does not know; the last one first
  };
  std::vector<Entry> frames;  // by name
  std::vector<TfFinding> findings;
};

struct TfTreeLimits {
  int stale_periods = 3;          // and at least...
  Duration least_stale = 1s;      // ...this long without a message
  Duration delay = 500ms;         // on average
  Duration future = 10ms;         // a stamp ahead of the clock that received it
  Duration contest_recent = 10s;  // two publishers that took turns within this are both there
};

// As the frames are `now` (monotonic). The graph names the publishers, and reports those that are gone; without one,
// they are reported by their gid.
TfTree tf_tree(const TfBuffer& buffer, Instant now, const Graph& graph = {}, const TfTreeLimits& limits = {});

// One line per frame, indented below its parent; then the findings.
std::string to_text(const TfTree& tree);

}  // namespace tandem::ros2
