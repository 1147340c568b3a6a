#include "tandem/machines/em1500/options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "tandem/net/url.hpp"

namespace tandem::em1500 {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<std::string_view, 2> profiles{"seed", "frd"};
constexpr std::array<std::string_view, 2> orders{"zyx", "xyz"};
constexpr std::array<std::string_view, 3> references{"first_sample", "neutral", "persisted"};

constexpr std::array bridge_table{
    Option{.name = "cycle_hz",
           .kind = OptionKind::number,
           .default_value = "100",
           .help = "samples a second asked of the PLC; its task runs at 100 Hz",
           .minimum = 1,
           .maximum = 1000},
    Option{.name = "symbol", .default_value = symbol_pose, .help = "PLC variable of the pose: six LREAL"},
    Option{.name = "profile",
           .kind = OptionKind::choice,
           .default_value = "seed",
           .help = "which way the PLC's axes point: see docs/frames.md",
           .choices = profiles},
    Option{.name = "signs",
           .kind = OptionKind::numbers,
           .default_value = "[]",
           .help = "six of 1 or -1 instead of the profile's",
           .minimum = -1,
           .maximum = 1},
    Option{.name = "offsets",
           .kind = OptionKind::numbers,
           .default_value = "[]",
           .help = "six numbers (m, rad) added after the signs, instead of the profile's",
           .minimum = -10,
           .maximum = 10},
    Option{.name = "rotation_order",
           .kind = OptionKind::choice,
           .default_value = "zyx",
           .help = "zyx is Rz(yaw) Ry(pitch) Rx(roll)",
           .choices = orders},
    Option{.name = "reference",
           .kind = OptionKind::choice,
           .default_value = "first_sample",
           .help = "which leg lengths count as zero displacement",
           .choices = references},
    Option{.name = "reference_file",
           .default_value = "em1500.reference",
           .help = "where reference: persisted keeps the six lengths"},
    Option{.name = "node", .default_value = "ads_em1500_node", .help = "name of the ROS node"},
    Option{.name = "namespace", .default_value = "/", .help = "ROS namespace of node and topics"},
    Option{.name = "tf_prefix", .default_value = "", .help = "before the names of frames: left_"},
};

std::array<double, 6> six(const machines::Options& options, std::string_view key) {
  const auto& numbers = options.numbers(key);
  if (numbers.size() != 6) {
    throw std::invalid_argument(
        fmt::format("{}: expected six numbers (surge, sway, heave, roll, pitch, yaw), seen {}", key, numbers.size()));
  }
  std::array<double, 6> result{};
  std::copy(numbers.begin(), numbers.end(), result.begin());
  return result;
}

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::invalid_argument(result.error().text);
  return std::move(*result);
}

ads::NetId net_id_from(const net::Url& url, std::string_view key, std::string_view text) {
  const auto net_id = ads::NetId::parse(text);
  if (net_id) return *net_id;
  throw std::invalid_argument(
      fmt::format("{}: {}: expected six numbers as in 169.254.119.135.1.1, seen '{}'", url.text(), key, text));
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
    if (std::abs(sign) != 1) throw std::invalid_argument(fmt::format("signs: expected 1 or -1, seen {}", sign));
  }
  return map;
}

ReferenceMode reference_mode_from(const machines::Options& options) {
  const std::string& word = options.text("reference");
  if (word == "neutral") return ReferenceMode::neutral;
  return word == "persisted" ? ReferenceMode::persisted : ReferenceMode::first_sample;
}

ads::Peer peer_from(const std::string& device) {
  const net::Url url = must(net::parse_url(device));
  if (url.scheme != "ads") {
    throw std::invalid_argument(
        fmt::format("{}: expected an address as ads://192.168.1.15, seen {}://", device, url.scheme));
  }
  if (auto known = url.only_keys({"net_id", "port", "own"}); !known) throw std::invalid_argument(known.error().text);
  ads::Peer peer;
  peer.host = url.host;
  peer.port = url.port.value_or(ads::tcp_port);
  peer.target.port = static_cast<std::uint16_t>(must(url.number("port", ams_port, 1, 65535)));
  if (const auto text = url.value("net_id")) peer.target.net_id = net_id_from(url, "net_id", *text);
  if (const auto text = url.value("own")) peer.own.net_id = net_id_from(url, "own", *text);
  return peer;
}

}  // namespace tandem::em1500
