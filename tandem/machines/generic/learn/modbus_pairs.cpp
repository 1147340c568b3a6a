// SPDX-License-Identifier: Apache-2.0
// Which registers belong together, of all that look as if they did.
#include <algorithm>

#include "tandem/machines/generic/learn/observations.hpp"

namespace tandem::generic {
namespace {

bool overlap(const RegisterPair& a, const RegisterPair& b) { return a.table == b.table && b.address == a.address + 1; }

// The high register of one float and that of the next look like a float of another order: of pairs that overlap those
// are taken that are most together, and the order that is clear elsewhere counts a little.
std::vector<RegisterPair> chosen_of(const std::vector<RegisterPair>& candidates) {
  constexpr double usual_order = 0.1, longest_lead = 100, by_lead = 0.01;
  std::array<std::size_t, 4> votes{};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const bool alone = (i == 0 || !overlap(candidates[i - 1], candidates[i])) &&
                       (i + 1 == candidates.size() || !overlap(candidates[i], candidates[i + 1]));
    if (alone) ++votes[static_cast<std::size_t>(candidates[i].verdict.order)];
  }
  const auto usual = std::ranges::max_element(votes);
  std::vector<double> best(candidates.size() + 2, 0);  // of the candidates from here on
  std::vector<bool> taken(candidates.size(), false);
  for (std::size_t i = candidates.size(); i-- > 0;) {
    const PairVerdict& verdict = candidates[i].verdict;
    double weight = verdict.score + by_lead * std::min(verdict.lead, longest_lead) / longest_lead;
    if (*usual > 0 && static_cast<std::ptrdiff_t>(verdict.order) == usual - votes.begin()) weight += usual_order;
    const bool next_overlaps = i + 1 < candidates.size() && overlap(candidates[i], candidates[i + 1]);
    const double with = weight + best[i + (next_overlaps ? 2 : 1)];
    taken[i] = with >= best[i + 1];
    best[i] = std::max(with, best[i + 1]);
  }
  std::vector<RegisterPair> pairs;
  for (std::size_t i = 0; i < candidates.size();) {
    if (!taken[i]) {
      ++i;
      continue;
    }
    pairs.push_back(candidates[i]);
    i += i + 1 < candidates.size() && overlap(candidates[i], candidates[i + 1]) ? 2 : 1;
  }
  return pairs;
}

}  // namespace

std::vector<RegisterPair> find_pairs(const Observations& seen, bool from_masters) {
  std::vector<RegisterPair> candidates;  // by table and address
  for (const ModbusTable table : {ModbusTable::holding, ModbusTable::input}) {
    for (const std::uint32_t address : seen.addresses(table)) {
      const auto samples = seen.pairs(table, address);
      // Other masters never cut a value: a request that begins or ends in between is proof.
      if (samples.empty() || (from_masters && seen.is_border(table, address + 1))) continue;
      if (auto verdict = judge_pair(samples)) candidates.push_back({table, address, std::move(*verdict)});
    }
  }
  return chosen_of(candidates);
}

}  // namespace tandem::generic
