// SPDX-License-Identifier: Apache-2.0
// Who holds which nodes and edges of a map. Two trucks never hold elements that are less than a clearance apart.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tandem/app/warehouse/map.hpp"

namespace tandem::warehouse {

// m, between the paths of two traction axles: a truck reaches 1.1 m back from its own and 0.6 m forward, and is 0.8 m
// wide.
inline constexpr double clearance = 2.2;

class Reservations {
 public:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  explicit Reservations(const Map& map);

  // Whether nobody else holds any of them nor anything too near.
  bool is_free(std::size_t truck, std::span<const std::size_t> elements) const;
  // All of them or none.
  bool take(std::size_t truck, std::span<const std::size_t> elements);
  void release(std::size_t truck, std::size_t element);
  std::size_t holder(std::size_t element) const { return holders_[element]; }
  bool conflict(std::size_t a, std::size_t b) const;

 private:
  std::vector<std::vector<std::size_t>> near_;  // elements too near to each, itself among them
  std::vector<std::size_t> holders_;
};

}  // namespace tandem::warehouse
