// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/order.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::generic {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// Tarjan's strongly connected components, with a stack of its own: chains may be long.
std::vector<std::size_t> components(std::span<const OrderNode> nodes) {
  struct Visit {
    std::size_t node, read = 0;
  };
  std::vector<std::size_t> index(nodes.size(), none), low(nodes.size(), 0), component(nodes.size(), none), open;
  std::size_t count = 0, found = 0;
  for (std::size_t root = 0; root < nodes.size(); ++root) {
    if (index[root] != none) continue;
    std::vector<Visit> path{{root}};
    while (!path.empty()) {
      const std::size_t node = path.back().node;
      if (path.back().read == 0 && index[node] == none) {
        index[node] = low[node] = count++;
        open.push_back(node);
      }
      if (path.back().read < nodes[node].reads.size()) {
        const std::size_t read = nodes[node].reads[path.back().read++];
        if (index[read] == none) {
          path.push_back({read});
        } else if (component[read] == none) {
          low[node] = std::min(low[node], index[read]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
      if (low[node] != index[node]) continue;
      std::size_t member = none;
      do {
        member = open.back();
        open.pop_back();
        component[member] = found;
      } while (member != node);
      ++found;
    }
  }
  return component;
}

Error loop_error(std::span<const OrderNode> nodes, const std::vector<std::size_t>& path, std::size_t first) {
  std::string text;
  for (auto at = std::ranges::find(path, first); at != path.end(); ++at) text += nodes[*at].name + " reads ";
  return {Fault::invalid,
          fmt::format("{}{}: expected first_order, second_order, integrate or a delay in this loop, got none", text,
                      nodes[first].name)};
}

}  // namespace

Result<Order> evaluation_order(std::span<const OrderNode> nodes) {
  const auto component = components(nodes);
  Order order;
  order.late.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::size_t read : nodes[i].reads)
      order.late[i].push_back(nodes[i].breaks_loops && component[i] == component[read]);
  }
  // Depth first along what is read within the step.
  enum class Mark : std::uint8_t { fresh, open, done };
  std::vector<Mark> marks(nodes.size(), Mark::fresh);
  std::vector<std::size_t> path, next(nodes.size(), 0);
  for (std::size_t root = 0; root < nodes.size(); ++root) {
    if (marks[root] != Mark::fresh) continue;
    path.assign(1, root);
    marks[root] = Mark::open;
    while (!path.empty()) {
      const std::size_t node = path.back();
      if (next[node] == nodes[node].reads.size()) {
        marks[node] = Mark::done;
        order.sorted.push_back(node);
        path.pop_back();
        continue;
      }
      const std::size_t which = next[node]++;
      const std::size_t read = nodes[node].reads[which];
      if (order.late[node][which] || marks[read] == Mark::done) continue;
      if (marks[read] == Mark::open) return loop_error(nodes, path, read);
      marks[read] = Mark::open;
      path.push_back(read);
    }
  }
  return order;
}

}  // namespace tandem::generic
