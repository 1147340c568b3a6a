// SPDX-License-Identifier: Apache-2.0
// The newest this many numbers, and what they have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>

namespace tandem::app::ros {

class Statistics {
 public:
  explicit Statistics(std::size_t window) : window_(window) {}

  void add(double value) {
    values_.push_back(value);
    if (values_.size() > window_) values_.pop_front();
  }
  void clear() { values_.clear(); }
  bool empty() const { return values_.empty(); }
  std::size_t count() const { return values_.size(); }
  double sum() const {
    double sum = 0;
    for (const double value : values_) sum += value;
    return sum;
  }
  double mean() const { return empty() ? 0 : sum() / static_cast<double>(count()); }
  double least() const { return empty() ? 0 : *std::ranges::min_element(values_); }
  double most() const { return empty() ? 0 : *std::ranges::max_element(values_); }
  // Of the population, not of a sample.
  double deviation() const {
    double squares = 0;
    const double mean = this->mean();
    for (const double value : values_) squares += (value - mean) * (value - mean);
    return empty() ? 0 : std::sqrt(squares / static_cast<double>(count()));
  }

 private:
  std::size_t window_;
  std::deque<double> values_;
};

}  // namespace tandem::app::ros
