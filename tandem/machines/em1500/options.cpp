// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "tandem/machines/kit/option_keys.hpp"

namespace tandem::em1500 {
namespace {

using machines::choice_key;
using machines::number_key;
using machines::numbers_key;
using machines::Option;
using machines::text_key;

constexpr std::array<std::string_view, 2> profiles{"original", "frd"};
constexpr std::array<std::string_view, 2> orders{"zyx", "xyz"};
constexpr std::array<std::string_view, 3> references{"first_sample", "neutral", "persisted"};

constexpr std::array bridge_table{
    number_key("cycle_hz", "100", "rate at which the PLC is sampled (Hz); its task runs at 100 Hz", 1, 1000),
    text_key("symbol", symbol_pose, "PLC variable of the pose, six LREAL"),
    choice_key("profile", "original", "direction of the PLC's axes (docs/frames.md)", profiles),
    numbers_key("signs", "[]", "signs of the six axes, 1 or -1, instead of the profile's", -1, 1),
    numbers_key("offsets", "[]", "offsets of the six axes (m, rad), added after the signs, instead of the profile's",
                -10, 10),
    choice_key("rotation_order", "zyx", "rotation order; zyx is Rz(yaw) Ry(pitch) Rx(roll)", orders),
    choice_key("reference", "first_sample", "leg lengths that count as zero displacement", references),
    text_key("reference_file", "em1500.reference", "file of the six lengths for `reference: persisted`"),
    text_key("node", "ads_em1500_node", "name of the ROS node"),
    text_key("namespace", "/", "namespace of the node and its topics"),
    text_key("tf_prefix", "", "prefix of frame names, such as left_"),
};

std::array<double, 6> six(const machines::Options& options, std::string_view key) {
  const auto& numbers = options.numbers(key);
  if (numbers.size() != 6) {
    throw std::invalid_argument(
        fmt::format("{}: expected six numbers (surge, sway, heave, roll, pitch, yaw), got {}", key, numbers.size()));
  }
  std::array<double, 6> result{};
  std::copy(numbers.begin(), numbers.end(), result.begin());
  return result;
}

}  // namespace

std::span<const Option> bridge_options() { return bridge_table; }

PoseMap pose_map_from(const machines::Options& options) {
  PoseMap map(*profile_of(options.text("profile")));
  map.order = options.text("rotation_order") == "zyx" ? RotationOrder::zyx : RotationOrder::xyz;
  if (!options.numbers("offsets").empty()) map.offset = six(options, "offsets");
  if (options.numbers("signs").empty()) return map;
  map.sign = six(options, "signs");
  for (const double sign : map.sign) {
    if (std::abs(sign) != 1) throw std::invalid_argument(fmt::format("signs: expected 1 or -1, got {}", sign));
  }
  return map;
}

ReferenceMode reference_mode_from(const machines::Options& options) {
  const std::string& word = options.text("reference");
  if (word == "neutral") return ReferenceMode::neutral;
  return word == "persisted" ? ReferenceMode::persisted : ReferenceMode::first_sample;
}

ads::Peer peer_from(const std::string& device) { return machines::must_be(ads::peer_from_url(device)); }

}  // namespace tandem::em1500
