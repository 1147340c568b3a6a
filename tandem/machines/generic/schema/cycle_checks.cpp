// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/schema/checks.hpp"

namespace tandem::generic {
namespace {

// "belts[1].fSpeed" and "belts.fSpeed" are one behaviour.
std::string without_indices(const std::string& name) {
  std::string plain;
  bool inside = false;
  for (const char c : name) {
    if (c == '[') inside = true;
    if (!inside) plain += c;
    if (c == ']') inside = false;
  }
  return plain;
}

// What it needs of the same step.
std::vector<std::string> needed(const Sim& sim) {
  switch (sim.kind) {
    case Sim::Kind::follow:
      return sim.delay > 0 ? std::vector<std::string>() : std::vector{without_indices(sim.signal)};
    case Sim::Kind::counter:
      return sim.signal.empty() ? std::vector<std::string>() : std::vector{without_indices(sim.signal)};
    case Sim::Kind::expression: {
      std::vector<std::string> names;
      const auto parsed = Expression::parse(sim.text);
      for (std::size_t i = 0; parsed && i < parsed->names().size(); ++i) {
        if (parsed->reads_now(i)) names.push_back(without_indices(parsed->names()[i]));
      }
      return names;
    }
    default:
      return {};
  }
}

struct SimNode {
  std::string name;
  yaml::Place place;
  std::vector<std::string> needs;
};

std::map<std::string, SimNode> sim_nodes(const Description& description) {
  std::map<std::string, SimNode> all;
  for (const Declaration& each : description.signals) {
    if (each.sim) all[each.name] = {each.name, each.place, needed(*each.sim)};
    for (const auto& [member, value] : each.members) {
      const std::string name = each.name + "." + member;
      if (value.sim) all[name] = {name, each.place, needed(*value.sim)};
    }
  }
  for (auto& [name, behaviour] : all) {
    for (std::string& need : behaviour.needs) {
      if (!all.contains(need)) need = need.substr(0, need.find('.'));  // a bit of a bit field
    }
  }
  return all;
}

// Depth first without recursion: a chain may be as long as the file.
class CycleSearch {
 public:
  explicit CycleSearch(const std::map<std::string, SimNode>& all) : all_(all) {}

  // The names of a cycle, the first of them again at its end; empty: none from here.
  std::vector<std::string> from(const std::string& start) {
    path_.clear(), next_.clear();
    push(start);
    while (!path_.empty()) {
      const SimNode& top = all_.at(path_.back());
      if (next_.back() == top.needs.size()) {
        on_path_.erase(path_.back());
        path_.pop_back(), next_.pop_back();
        continue;
      }
      const std::string& need = top.needs[next_.back()++];
      if (on_path_.contains(need)) return cycle(need);
      push(need);
    }
    return {};
  }

 private:
  void push(const std::string& name) {
    if (!all_.contains(name) || !done_.insert(name).second) return;
    path_.push_back(name);
    next_.push_back(0);
    on_path_.insert(name);
  }
  std::vector<std::string> cycle(const std::string& first) {
    std::vector<std::string> names(std::find(path_.begin(), path_.end(), first), path_.end());
    names.push_back(first);
    on_path_.clear();
    return names;
  }

  const std::map<std::string, SimNode>& all_;
  std::set<std::string> done_, on_path_;
  std::vector<std::string> path_;
  std::vector<std::size_t> next_;
};

}  // namespace

void check_cycles(const Description& description, Problems& problems) {
  const std::map<std::string, SimNode> all = sim_nodes(description);
  CycleSearch search(all);
  for (const auto& [name, behaviour] : all) {
    const auto cycle = search.from(name);
    if (cycle.empty()) continue;
    problems.add(all.at(cycle.front()).place,
                 fmt::format("sim: {}: a cycle without first_order, integrate or delay", fmt::join(cycle, " -> ")));
  }
}

}  // namespace tandem::generic
