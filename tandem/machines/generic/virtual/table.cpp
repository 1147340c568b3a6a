// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tandem::generic {
namespace {

class Table final : public Behaviour {
 public:
  Table(Rows rows, bool hold, bool again) : rows_(std::move(rows)), hold_(hold), again_(again) {}
  double next(const Moment& moment) override {
    const double length = rows_.back().first;
    const double t = again_ && length > 0 ? moment.t - length * std::floor(moment.t / length + 1e-12) : moment.t;
    return value_at(rows_, t, hold_);
  }

 private:
  Rows rows_;
  bool hold_, again_;
};

}  // namespace

double value_at(const Rows& rows, double t, bool hold) {
  // A time that is a row's own, but for rounding, is that row's.
  const auto after = std::ranges::upper_bound(rows, t + 1e-9, {}, &Rows::value_type::first);
  if (after == rows.begin()) return rows.front().second;
  const auto [t0, v0] = *std::prev(after);
  if (hold || after == rows.end()) return v0;
  const auto [t1, v1] = *after;
  return v0 + (v1 - v0) * std::clamp((t - t0) / (t1 - t0), 0.0, 1.0);
}

std::unique_ptr<Behaviour> make_table(Rows rows, bool hold, bool again) {
  if (rows.empty()) throw std::invalid_argument("table: expected rows [time, value], got none");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!(rows[i].first > rows[i - 1].first))
      throw std::invalid_argument(
          fmt::format("table: expected times that rise, got {} behind {}", rows[i].first, rows[i - 1].first));
  }
  return std::make_unique<Table>(std::move(rows), hold, again);
}

std::unique_ptr<Behaviour> make_table(const Sim& sim) { return make_table(sim.rows, sim.hold, sim.again); }

}  // namespace tandem::generic
