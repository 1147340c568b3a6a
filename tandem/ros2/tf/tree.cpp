// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/tf/tree.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tandem/ros2/graph/publisher_name.hpp"

namespace tandem::ros2 {
namespace {

using Found = TfFinding::Kind;

std::string in_milliseconds(Duration duration) { return fmt::format("{:.1f} ms", 1e3 * seconds(duration)); }

// From one snapshot to entries and findings.
class Check {
 public:
  Check(TfSnapshot snapshot, Instant now, const Graph& graph, const TfTreeLimits& limits)
      : snapshot_(std::move(snapshot)), now_(now), graph_(graph), limits_(limits) {
    for (const TfFrame& frame : snapshot_.frames) parents_[frame.name] = frame.parent;
  }

  TfTree run() {
    for (const TfFrame& frame : snapshot_.frames) {
      add(frame);
      check_parents(frame);
      check_publishers(frame);
      if (!frame.is_static && !frame.parent.empty()) check_times(frame);
    }
    check_roots();
    check_cycles();
    for (const TfSender& sender : snapshot_.senders) check_refusals(sender);
    return std::move(tree_);
  }

 private:
  void add(const TfFrame& frame) {
    TfTree::Entry& entry = tree_.frames.emplace_back();
    entry.frame = frame.name;
    entry.parent = frame.parent;
    entry.is_static = frame.is_static;
    if (!frame.is_static && frame.period > 0ns) entry.rate = 1.0 / seconds(frame.period);
    if (frame.count > 0) entry.age = now_ - frame.heard;
    entry.delay = frame.delay;
    entry.stamp = frame.newest;
    for (const TfFrameSender& sender : frame.senders) entry.authors.push_back(publisher_name(sender.sender, graph_));
  }

  void find(Found kind, const std::string& frame, std::string text) {
    tree_.findings.push_back({kind, frame, std::move(text)});
  }

  void check_parents(const TfFrame& frame) {
    if (frame.parent_changes == 0 || frame.parent.empty()) return;
    find(Found::two_parents, frame.name,
         fmt::format("{} has two parents: now {}, before {}; it changed {} times, last published by {}", frame.name,
                     frame.parent, frame.previous_parent, frame.parent_changes, authors(frame)));
  }

  void check_publishers(const TfFrame& frame) {
    if (frame.both_topics) {
      find(Found::two_publishers, frame.name,
           fmt::format("{} is published on both /tf and /tf_static, by {}", frame.name, authors(frame)));
    }
    if (!frame.contested) return;
    if (!frame.is_static && now_ - *frame.contested > limits_.contest_recent) return;
    const auto is_there = [&](const TfFrameSender& sender) {
      return graph_.endpoints.empty() || sender.sender == Gid{} ||
             std::ranges::find(graph_.endpoints, sender.sender, &GraphEndpoint::gid) != graph_.endpoints.end();
    };
    if (std::ranges::count_if(frame.senders, is_there) < 2) return;
    find(Found::two_publishers, frame.name,
         fmt::format("{} has {} publishers{}: {}", frame.name, frame.senders.size(),
                     frame.is_static ? " that do not agree" : "", authors(frame)));
  }

  void check_times(const TfFrame& frame) {
    const Duration age = now_ - frame.heard;
    if (age > std::max<Duration>(limits_.least_stale, limits_.stale_periods * frame.period)) {
      find(Found::stale, frame.name,
           fmt::format("{} is stale: nothing for {:.1f} s, before that every {}", frame.name, seconds(age),
                       in_milliseconds(frame.period)));
    }
    if (frame.delay > limits_.delay) {
      find(Found::delayed, frame.name,
           fmt::format("{} is late: {} after its stamp on average, from {}", frame.name, in_milliseconds(frame.delay),
                       authors(frame)));
    }
    if (frame.least_delay < -limits_.future) {
      find(Found::future, frame.name,
           fmt::format("{} had a stamp {} in the future, from {}: the clocks of the two disagree", frame.name,
                       in_milliseconds(-frame.least_delay), authors(frame)));
    }
  }

  void check_roots() {
    std::vector<std::string_view> roots;
    for (const auto& [frame, parent] : parents_) {
      if (parent.empty()) roots.push_back(frame);
    }
    if (roots.size() < 2) return;
    find(Found::several_roots, "",
         fmt::format("{} unconnected trees, with the roots {}", roots.size(), fmt::join(roots, ", ")));
  }

  void check_cycles() {
    std::set<std::string_view> done;
    for (const auto& [start, ignored] : parents_) {
      std::vector<std::string_view> path;
      std::string_view frame = start;
      while (!frame.empty() && done.insert(frame).second) {
        path.push_back(frame);
        frame = parents_.find(frame)->second;
      }
      const auto again = std::ranges::find(path, frame);
      if (frame.empty() || again == path.end()) continue;
      find(Found::cycle, std::string(frame),
           fmt::format("frames form a loop: {} -> {}", fmt::join(std::vector(again, path.end()), " -> "), frame));
    }
  }

  void check_refusals(const TfSender& sender) {
    std::vector<std::string> reasons;
    for (std::size_t i = 1; i < tf_refusals; ++i) {
      if (sender.refused[i] == 0) continue;
      reasons.push_back(fmt::format("{} times {}", sender.refused[i], text_of(static_cast<TfRefusal>(i))));
    }
    if (reasons.empty()) return;
    find(Found::refused, "",
         fmt::format("transforms of {} were refused: {}; the last was {}", publisher_name(sender.gid, graph_),
                     fmt::join(reasons, ", "), sender.last_refused));
  }

  std::string authors(const TfFrame& frame) const {
    std::vector<std::string> names;
    for (const TfFrameSender& sender : frame.senders) names.push_back(publisher_name(sender.sender, graph_));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  TfSnapshot snapshot_;
  Instant now_;
  const Graph& graph_;
  const TfTreeLimits& limits_;
  std::map<std::string, std::string, std::less<>> parents_;
  TfTree tree_;
};

std::string about(const TfTree::Entry& entry) {
  if (entry.parent.empty()) return "root";
  const std::string author = entry.authors.empty() ? "?" : entry.authors.front();
  if (entry.is_static) return fmt::format("static, from {}", author);
  return fmt::format("{:.1f} Hz, {} old, delay {}, from {}", entry.rate, in_milliseconds(entry.age),
                     in_milliseconds(entry.delay), author);
}

}  // namespace

TfTree tf_tree(const TfBuffer& buffer, Instant now, const Graph& graph, const TfTreeLimits& limits) {
  return Check(buffer.snapshot(), now, graph, limits).run();
}

std::string to_text(const TfTree& tree) {
  std::multimap<std::string_view, const TfTree::Entry*> children;
  for (const TfTree::Entry& entry : tree.frames) children.emplace(entry.parent, &entry);
  std::set<const TfTree::Entry*> shown;
  std::string text;
  // A stack of our own: a chain of a thousand frames is deep.
  const auto show = [&](const TfTree::Entry* root) {
    std::vector<std::pair<const TfTree::Entry*, std::size_t>> open = {{root, 0}};
    while (!open.empty()) {
      const auto [entry, depth] = open.back();
      open.pop_back();
      if (!shown.insert(entry).second) continue;
      text += fmt::format("{:{}}{}: {}\n", "", 2 * depth, entry->frame, about(*entry));
      const auto [first, last] = children.equal_range(entry->frame);
      for (auto child = last; child != first;) open.emplace_back((--child)->second, depth + 1);
    }
  };
  for (const TfTree::Entry& entry : tree.frames) {
    if (entry.parent.empty()) show(&entry);
  }
  // What hangs from no root goes round in a circle.
  for (const TfTree::Entry& entry : tree.frames) show(&entry);
  for (const TfFinding& finding : tree.findings) text += "! " + finding.text + "\n";
  return text;
}

}  // namespace tandem::ros2
