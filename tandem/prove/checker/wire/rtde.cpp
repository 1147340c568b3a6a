// SPDX-License-Identifier: Apache-2.0
// RTDE (Universal Robots, Real-Time Data Exchange guide) and the program that goes to the primary port: docs/ur3e.md,
// and the registers of tandem/machines/ur3e/device/control_script.hpp, which are its contract with the controller.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>

#include "tandem/prove/checker/wire/pieces.hpp"
#include "tandem/prove/checker/wire/wire.hpp"

namespace tandem::prove::checker {
namespace {

long size_of(Piece bytes) {
  if (bytes.size() < 3) return 0;
  const auto size = big<std::uint16_t>(bytes, 0);
  return size < 3 ? -1 : size;
}

std::size_t bytes_of(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 10> sizes{{{"BOOL", 1},
                                                                            {"UINT8", 1},
                                                                            {"UINT32", 4},
                                                                            {"INT32", 4},
                                                                            {"UINT64", 8},
                                                                            {"DOUBLE", 8},
                                                                            {"VECTOR3D", 24},
                                                                            {"VECTOR6D", 48},
                                                                            {"VECTOR6INT32", 24},
                                                                            {"VECTOR6UINT32", 24}}};
  for (const auto& [name, size] : sizes)
    if (name == type) return size;
  return 0;
}

std::vector<std::string> split(Piece bytes) {
  std::vector<std::string> words(1);
  for (const std::uint8_t byte : bytes) {
    if (byte == ',')
      words.emplace_back();
    else
      words.back() += static_cast<char>(byte);
  }
  return words;
}

// Where the variables of a recipe are in a packet.
using Recipe = std::map<std::string, std::size_t>;
Recipe recipe_of(const std::vector<std::string>& names, Piece types) {
  const std::vector<std::string> words = split(types);
  Recipe recipe;
  std::size_t at = 4;  // size, kind, recipe
  for (std::size_t i = 0; i < std::min(names.size(), words.size()); ++i) {
    recipe[names[i]] = at;
    at += bytes_of(words[i]);
  }
  return recipe;
}

using Six = std::array<double, 6>;

enum class Code : int { movej = 1, path = 5, servoj = 7, speedj = 8, speedl = 9 };

class Controller {
 public:
  explicit Controller(Wire& wire) : wire_(wire) {}

  void take(const Frame& frame) {
    if (frame.kind == Frame::opened) connections_[frame.connection] = {};
    if (frame.kind != Frame::in && frame.kind != Frame::out) return;
    Connection& one = connections_[frame.connection];
    // Who asks for the protocol's version first speaks RTDE.
    if (!one.known && frame.kind == Frame::out && frame.bytes.size() >= 3) {
      one.known = true;
      one.rtde = frame.bytes[2] == 'V';
    }
    if (!one.rtde) {
      const std::string_view text(reinterpret_cast<const char*>(frame.bytes.data()), frame.bytes.size());
      if (frame.kind == Frame::out && text.starts_with("def "))
        wire_.demands.push_back({frame.t, true, "the control program is uploaded"});
      return;
    }
    Stream& stream = frame.kind == Frame::out ? one.out : one.in;
    const bool lost = stream.add(frame.bytes, size_of, [&](Piece packet) {
      ++wire_.packets;
      if (frame.kind == Frame::out)
        ask(one, frame.t, packet);
      else
        answer(one, frame.t, packet);
    });
    if (lost) ++wire_.malformed;
  }

 private:
  struct Connection {
    bool known = false, rtde = false;
    Stream out, in;
    std::vector<std::string> input_names, output_names;
    std::map<std::uint8_t, Recipe> inputs;
    std::optional<std::uint8_t> output;
    Recipe outputs;
  };

  void ask(Connection& one, double t, Piece packet) {
    if (packet[2] == 'I') one.input_names = split(packet.subspan(3));
    if (packet[2] == 'O' && packet.size() > 11) one.output_names = split(packet.subspan(11));
    if (packet[2] != 'U' || packet.size() < 4) return;
    const auto recipe = one.inputs.find(packet[3]);
    if (recipe == one.inputs.end() || !recipe->second.contains("input_int_register_26")) return;
    const auto sequence = big<std::int32_t>(packet, recipe->second.at("input_int_register_25"));
    const auto code = big<std::int32_t>(packet, recipe->second.at("input_int_register_26"));
    if (sequence_ == sequence) return;
    sequence_ = sequence;
    Six first{};
    if (const auto at = recipe->second.find("input_double_register_24"); at != recipe->second.end())
      for (std::size_t i = 0; i < 6; ++i) first[i] = big<double>(packet, at->second + 8 * i);
    judge(t, code, first);
  }

  // A servo target that stays where it was asks for no motion; nor does a speed of zero.
  void judge(double t, int code, const Six& first) {
    constexpr double rest = 2e-4;
    double most = 0;
    const bool servo = code == static_cast<int>(Code::servoj);
    for (std::size_t i = 0; i < 6; ++i)
      most = std::max(most, std::abs(first[i] - (servo ? servo_.value_or(joints_)[i] : 0)));
    const bool speed = code == static_cast<int>(Code::speedj) || code == static_cast<int>(Code::speedl);
    const bool move = code >= static_cast<int>(Code::movej) && code <= static_cast<int>(Code::path);
    servo_ = servo ? std::optional(first) : std::nullopt;
    if (!move && !((servo || speed) && most > rest)) return;
    char text[80];
    std::snprintf(text, sizeof text, "command %d, %.5f rad or rad/s away from rest", code, most);
    wire_.demands.push_back({t, false, text});
  }

  void answer(Connection& one, double t, Piece packet) {
    if (packet[2] == 'I' && packet.size() > 4 && packet[3] != 0)
      one.inputs[packet[3]] = recipe_of(one.input_names, packet.subspan(4));
    if (packet[2] == 'O' && packet.size() > 4) {
      one.output = packet[3];
      one.outputs = recipe_of(one.output_names, packet.subspan(4));
    }
    if (packet[2] != 'U' || packet.size() < 4 || one.output != packet[3]) return;
    const auto at = one.outputs.find("actual_q");
    if (at == one.outputs.end() || at->second + 48 > packet.size()) return;
    for (std::size_t i = 0; i < 6; ++i) joints_[i] = big<double>(packet, at->second + 8 * i);
    wire_.readings.push_back({t, {joints_.begin(), joints_.end()}});
  }

  Wire& wire_;
  std::map<std::uint32_t, Connection> connections_;
  std::optional<std::int32_t> sequence_;
  std::optional<Six> servo_;
  Six joints_{};
};

}  // namespace

Wire arm_wire(const std::vector<Frame>& frames) {
  Wire wire;
  Controller controller(wire);
  for (const Frame& frame : frames) controller.take(frame);
  return wire;
}

}  // namespace tandem::prove::checker
