// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/scene_json.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tandem::runtime {
namespace {

using SceneText = nlohmann::ordered_json;

// To a micrometre, so that a text has few digits; null when it is no number.
SceneText figure(double number) {
  if (!std::isfinite(number)) return nullptr;
  const double fine = std::round(number * 1e6) / 1e6;
  return std::isfinite(fine) ? fine + 0.0 : number;
}

template <typename Numbers>
SceneText figures(const Numbers& numbers) {
  SceneText list = SceneText::array();
  for (const auto number : numbers) list.push_back(figure(static_cast<double>(number)));
  return list;
}

template <typename Rows>
SceneText flattened(const Rows& rows) {
  SceneText list = SceneText::array();
  for (const auto& row : rows) {
    for (const auto number : row) list.push_back(figure(static_cast<double>(number)));
  }
  return list;
}

SceneText indices(const std::vector<std::array<std::uint32_t, 3>>& triangles) {
  SceneText list = SceneText::array();
  for (const auto& triangle : triangles) {
    for (const std::uint32_t index : triangle) list.push_back(index);
  }
  return list;
}

const char* shape_name(machines::Shape shape) {
  constexpr std::array names = {"box", "cylinder", "cone", "sphere", "capsule", "mesh", "line", "cloud"};
  return names.at(static_cast<std::size_t>(shape));
}

const char* kind_name(machines::Control::Kind kind) {
  constexpr std::array names = {"jog", "slider", "button"};
  return names.at(static_cast<std::size_t>(kind));
}

SceneText text_of(const machines::Part& part) {
  SceneText at = figures(part.at.position);
  for (const double number : part.at.orientation) at.push_back(figure(number));
  return {{"name", part.name},
          {"frame", part.frame},
          {"shape", shape_name(part.shape)},
          {"size", figures(part.size)},
          {"at", at},
          {"color", part.color},
          {"opacity", figure(part.opacity)},
          {"points", flattened(part.points)},
          {"triangles", indices(part.triangles)},
          {"layer", part.layer},
          {"layer_off", part.layer_off}};
}

SceneText text_of(const machines::Tie& tie) {
  return {{"name", tie.name},
          {"from", tie.from},
          {"to", tie.to},
          {"from_point", figures(tie.from_point)},
          {"to_point", figures(tie.to_point)},
          {"radius", figure(tie.radius)},
          {"color", tie.color},
          {"scalar", tie.scalar}};
}

SceneText text_of(const machines::Scalar& scalar) {
  return {{"name", scalar.name}, {"unit", scalar.unit}, {"low", figure(scalar.low)}, {"high", figure(scalar.high)}};
}

SceneText text_of(const machines::Indicator& indicator) {
  constexpr std::array kinds = {"lamp", "gauge", "text"};
  return {{"value", indicator.value},
          {"kind", kinds.at(static_cast<std::size_t>(indicator.kind))},
          {"low", figure(indicator.low)},
          {"high", figure(indicator.high)},
          {"group", indicator.group}};
}

SceneText text_of(const machines::Control& control) {
  SceneText message = SceneText::parse(control.message, nullptr, false);
  if (!message.is_object()) message = SceneText::object();
  return {{"name", control.name},         {"group", control.group},         {"kind", kind_name(control.kind)},
          {"topic", control.topic},       {"type", control.type},           {"field", control.field},
          {"message", message},           {"unit", control.unit},           {"low", figure(control.low)},
          {"high", figure(control.high)}, {"value", figure(control.value)}, {"rest", figure(control.rest)},
          {"key", control.key},           {"scale", control.scale},         {"offset", control.offset},
          {"flag", control.flag},         {"shows", control.shows}};
}

template <typename Items>
SceneText texts_of(const Items& items) {
  SceneText list = SceneText::array();
  for (const auto& item : items) list.push_back(text_of(item));
  return list;
}

SceneText text_of(const machines::Scene& scene) {
  return {{"frames", scene.frames},
          {"parts", texts_of(scene.parts)},
          {"ties", texts_of(scene.ties)},
          {"scalars", texts_of(scene.scalars)},
          {"controls", texts_of(scene.controls)},
          {"indicators", texts_of(scene.indicators)},
          {"trails", scene.trails},
          {"main_frame", scene.main_frame},
          {"extent", figure(scene.extent)},
          {"beside", {{"name", scene.beside.name}, {"text", scene.beside.text}}},
          {"ground", scene.ground},
          {"camera_topic", scene.camera_topic}};
}

void append(std::string& into, double number) {
  if (!std::isfinite(number)) {
    into += "null";
    return;
  }
  std::array<char, 32> digits;
  char* const end = fmt::format_to(digits.data(), FMT_COMPILE("{:.6g}"), number);
  into.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

template <typename Numbers>
void append_all(std::string& into, const Numbers& numbers) {
  for (const double number : numbers) {
    if (into.back() != '[') into += ',';
    append(into, number);
  }
}

void append_frames(std::string& into, const machines::Picture& picture) {
  into += '[';
  for (const machines::ScenePose& frame : picture.frames) {
    append_all(into, frame.position);
    append_all(into, frame.orientation);
  }
  into += ']';
}

void append_scalars(std::string& into, const machines::Picture& picture) {
  into += '[';
  append_all(into, picture.scalars);
  into += ']';
}

void append_quoted(std::string& into, std::string_view text) {
  // Machines have plain names; anything else takes the long way.
  const bool plain = text.find_first_of("\"\\") == std::string_view::npos &&
                     std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32; });
  if (!plain) {
    into += SceneText(text).dump(-1, ' ', false, SceneText::error_handler_t::replace);
    return;
  }
  into += '"';
  into += text;
  into += '"';
}

}  // namespace

std::string scene_json(std::span<const DrawnMachine> machines) {
  SceneText list = SceneText::array();
  for (const DrawnMachine& machine : machines) {
    list.push_back({{"name", machine.name},
                    {"type", machine.type},
                    {"virtual", machine.is_virtual},
                    {"moves", machine.moves},
                    {"scene", text_of(machine.scene)}});
  }
  const SceneText whole = {{"machines", list}};
  return whole.dump(-1, ' ', false, SceneText::error_handler_t::replace);
}

void picture_json(std::string& into, double time, std::span<const Standing> machines) {
  into.clear();
  fmt::format_to(std::back_inserter(into), "{{\"t\":{:.6f},\"machines\":[", std::isfinite(time) ? time : 0.0);
  for (const Standing& machine : machines) {
    if (into.back() != '[') into += ',';
    into += "{\"name\":";
    append_quoted(into, machine.name);
    into += machine.picture.seen ? ",\"seen\":true,\"frames\":" : ",\"seen\":false,\"frames\":";
    append_frames(into, machine.picture);
    into += ",\"scalars\":";
    append_scalars(into, machine.picture);
    into += ",\"twin\":";
    if (machine.twin.seen) {
      append_frames(into, machine.twin);
    } else {
      into += "null";
    }
    into += ",\"twin_scalars\":";
    append_scalars(into, machine.twin);
    into += '}';
  }
  into += "]}";
}

std::string picture_json(double time, std::span<const Standing> machines) {
  std::string text;
  picture_json(text, time, machines);
  return text;
}

}  // namespace tandem::runtime
