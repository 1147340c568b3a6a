// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tandem/machines/generic/learn/plc_program.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_lines = 40, shortest_share = 50;  // a node with fewer names is not opened

struct TreeNode {
  std::size_t count = 0;
  std::map<std::string, TreeNode> parts;
};

void print_tree(const TreeNode& node, const std::string& path, int depth, std::size_t& lines, std::string& out) {
  std::vector<const std::pair<const std::string, TreeNode>*> sorted;
  sorted.reserve(node.parts.size());
  for (const auto& each : node.parts) sorted.push_back(&each);
  std::ranges::stable_sort(sorted, [](const auto* a, const auto* b) { return a->second.count > b->second.count; });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& [name, part] = *sorted[i];
    const std::string indent(static_cast<std::size_t>(2 + 2 * depth), ' ');
    if (lines == 0 || (depth > 0 && i == 8)) {
      out += fmt::format("{}... and {} more\n", indent, sorted.size() - i);
      return;
    }
    --lines;
    const std::string whole = path.empty() ? name : fmt::format("{}.{}", path, name);
    out += fmt::format("{:<40} {:>6}", indent + whole, part.count);
    if (!part.parts.empty()) out += fmt::format("  --match '{}.*'", whole);
    out += "\n";
    if (part.count >= shortest_share && depth < 2 && part.parts.size() < part.count) {
      print_tree(part, whole, depth + 1, lines, out);
    }
  }
}

}  // namespace

std::string name_tree(const std::vector<std::string>& paths) {
  TreeNode root;
  for (const std::string& path : paths) {
    TreeNode* at = &root;
    std::size_t begin = 0;
    for (int depth = 0; depth < 4 && begin < path.size(); ++depth) {
      const std::size_t dot = std::min(path.find('.', begin), path.size());
      at = &at->parts[path.substr(begin, dot - begin)];
      ++at->count;
      begin = dot + 1;
    }
  }
  std::string out;
  std::size_t lines = most_lines;
  print_tree(root, "", 0, lines, out);
  return out;
}

}  // namespace tandem::generic
