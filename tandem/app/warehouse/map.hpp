// SPDX-License-Identifier: Apache-2.0
// The map of the fleet demonstration: one-way lanes for forklifts, with bays where they stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/kinematics/ackermann/nurbs.hpp"
#include "tandem/kinematics/ackermann/odometry.hpp"

namespace tandem::warehouse {

using kinematics::ackermann::Nurbs;
using kinematics::ackermann::PlanarPose;
using kinematics::ackermann::Point;

struct MapNode {
  std::string id;
  PlanarPose pose;           // of the middle of a truck's traction axle
  bool bay = false;          // trips begin and end here
  bool may_wait = true;      // a truck may stand here on its way
  std::uint32_t height = 0;  // lanes lead to greater heights; only the way out of a bay begins lower again
};

struct MapEdge {
  std::string id;
  std::size_t from = 0, to = 0;
  std::optional<Nurbs> trajectory = {};  // none: a straight line
  double most_speed = 1;                 // m/s
  double length = 0;                     // m
};

struct Map {
  std::vector<MapNode> nodes;
  std::vector<MapEdge> edges;
  std::vector<std::size_t> bays;                  // their nodes
  std::vector<std::vector<std::size_t>> leaving;  // edges, by the node they leave

  // A node or an edge: nodes first.
  std::size_t elements() const { return nodes.size() + edges.size(); }
  std::size_t element_of_edge(std::size_t edge) const { return nodes.size() + edge; }
};

// A comb of bays between a lane to the east in the south and one to the west in the north, joined in the west: trucks
// come in from the south, leave to the north, and pass the west once on every trip. Every bend is a quarter circle of
// 2 m to the left. `bays` is 2 or more; they are 3 m apart. The origin is in the middle.
Map make_warehouse(std::size_t bays);

// Places along an edge, about 0.1 m apart, its ends among them.
std::vector<Point> places_of(const Map& map, std::size_t edge);

// The edges of the shortest way; empty if there is none, or from a node to itself.
std::vector<std::size_t> way_between(const Map& map, std::size_t from, std::size_t to);

}  // namespace tandem::warehouse
