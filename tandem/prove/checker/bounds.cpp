// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/checker/bounds.hpp"

#include <array>

namespace tandem::prove::checker {
namespace {

constexpr std::array bounds{
    Bounds{.type = "raptorlift",
           .coast = 1.0,
           .stop_time = 1,
           .loss_time = 2.5,
           .notice = 0.5,
           .link_back = 1.5,
           .command_age = 1.2,
           .rest = 0.02,
           .axes = 2},
    Bounds{.type = "cable_robot",
           .coast = 0.041,
           .stop_time = 1.5,
           .loss_time = 1.5,
           .notice = 0.5,
           .link_back = 1.5,
           .command_age = 2.5,
           .rest = 0.02,
           .axes = 3,
           .switch_off = 1.2},
    Bounds{.type = "ur3e",
           .coast = 0.18,
           .stop_time = 1,
           .loss_time = 1,
           .notice = 0.5,
           .link_back = 2,
           .command_age = 1,
           .rest = 0.02,
           .axes = 6},
    Bounds{.type = "orca",
           .coast = 6,
           .stop_time = 10,
           .loss_time = 13,
           .notice = 1,
           .link_back = 3,
           .command_age = 0.8,
           .published = 3,
           .replayed = 10,
           .rest = 0.15,
           .axes = 2},
    Bounds{.type = "em1500", .link_back = 1.5, .axes = 3, .moves = false},
};

constexpr std::string_view winches_gone =
    "the link is reset and refused; black hole; half-open; requests that are held up and come all at once";
constexpr std::array rows{
    LossRow{"raptorlift", "reset_link", 0.8, "raptorlift.md", "link reset", "0.8"},
    LossRow{"raptorlift", "black_hole", 0.8, "raptorlift.md", "black hole", "0.8"},
    LossRow{"raptorlift", "unplug", 0.8, "raptorlift.md", "black hole", "0.8"},
    LossRow{"raptorlift", "half_open", 1.0, "raptorlift.md", "answers lost", "1.0"},
    LossRow{"cable_robot", "reset_link", 0.011, "cable_robot.md", winches_gone, "11 mm"},
    LossRow{"cable_robot", "black_hole", 0.011, "cable_robot.md", winches_gone, "11 mm"},
    LossRow{"cable_robot", "unplug", 0.011, "cable_robot.md", winches_gone, "11 mm"},
    LossRow{"cable_robot", "half_open", 0.016, "cable_robot.md",
            "answers come too late, or vanish while requests arrive", "16 mm"},
    LossRow{"ur3e", "reset_link", 0.18, "ur3e.md", "connections reset", "0.18 rad"},
    LossRow{"ur3e", "black_hole", 0.18, "ur3e.md", "black hole (cable pulled)", "0.18 rad"},
    LossRow{"ur3e", "unplug", 0.18, "ur3e.md", "black hole (cable pulled)", "0.18 rad"},
    LossRow{"ur3e", "half_open", 0.18, "ur3e.md", "answers 130 ms late", "0.18 rad"},
    LossRow{"orca", "reset_link", 4, "orca.md", "black hole", "4 m"},
    LossRow{"orca", "black_hole", 4, "orca.md", "black hole", "4 m"},
    LossRow{"orca", "unplug", 4, "orca.md", "black hole", "4 m"},
    LossRow{"orca", "half_open", 2, "orca.md", "half-open: what the vehicle sends is lost", "2 m"},
};

}  // namespace

std::span<const Bounds> all_bounds() { return bounds; }

const Bounds* bounds_of(std::string_view type) {
  for (const Bounds& one : bounds)
    if (one.type == type) return &one;
  return nullptr;
}

std::span<const LossRow> loss_rows() { return rows; }

std::optional<double> loss_distance(std::string_view type, std::string_view verb) {
  for (const LossRow& row : rows)
    if (row.type == type && row.verb == verb) return row.distance;
  return std::nullopt;
}

}  // namespace tandem::prove::checker
