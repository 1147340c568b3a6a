// SPDX-License-Identifier: Apache-2.0
// What has to hold for outputs to be written: the expression `enable`, and critical signals that are good.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

class Guards {
 public:
  // Throws std::invalid_argument for an `enable` that is no expression.
  explicit Guards(const Description& description);

  void bind(const std::vector<Signal>& signals);
  // In each cycle, as expressions may remember; `dt` in s. Whether nothing objects. Allocates nothing.
  bool judge(double dt, const Readings& readings);
  // What objected at the last judge().
  std::string objection() const;

 private:
  struct Used {
    std::string name;
    std::optional<SignalReference> at;
  };
  bool enabled(double dt, const Readings& readings);

  std::optional<Expression> enable_;
  std::vector<Used> used_;            // of enable_'s names
  std::vector<double> now_, before_;  // their values
  std::vector<std::pair<std::size_t, std::string>> critical_;
  std::vector<std::string> critical_names_;  // beside those that are critical by themselves: of joints
  double time_ = 0;                          // s, of the expression
  // Of the last judge(): what objects, and why it is not good.
  const std::string* bad_ = nullptr;
  SignalQuality quality_ = SignalQuality::good;
  ShortText<120> why_;
};

}  // namespace tandem::generic
