// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/programs/files.hpp"
#include "tandem/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "tandem/base/gunzip.hpp"
#include "tandem/machines/ur3e/virtual/programs/urp.hpp"
#include "tandem/urscript/link/program.hpp"

namespace tandem::ur3e {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_programs = 1000;
constexpr std::size_t largest_file = urscript::largest_script;  // bytes
constexpr std::size_t largest_xml = 32u << 20;                  // bytes, unpacked

std::optional<double> number_in(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// The name of a program as one of URScript.
std::string identifier(std::string_view name) {
  std::string out;
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) out = "program_";
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return out;
}

// Writes the nodes of a program tree as script.
class UrpWriter {
 public:
  Result<void> nodes(const XmlElement& parent) {
    const XmlElement* children = parent.child("children");
    if (children == nullptr) return {};
    for (const XmlElement& node : children->children)
      if (auto written = one(node); !written) return written;
    return {};
  }

  std::string text;

 private:
  Result<void> one(const XmlElement& node) {
    if (node.name == "Comment" || node.name == "InitVariablesNode") return {};
    if (node.name == "Folder") return nodes(node);
    if (node.name == "Move") return move(node);
    if (node.name == "Wait" && node.attribute("type") == "Sleep") return wait(node);
    if (node.name == "Script") return script(node);
    return Error{
        Fault::invalid,
        fmt::format("program node {} is not supported: put the .script that PolyScope saved beside it", node.name)};
  }

  Result<void> wait(const XmlElement& node) {
    const XmlElement* time = node.child("waitTime");
    const auto seconds = time != nullptr ? number_in(time->text) : std::nullopt;
    if (!seconds || *seconds < 0) return Error{Fault::invalid, "Wait: expected a waitTime of 0 or more"};
    text += fmt::format("sleep({})\n", *seconds);
    return {};
  }

  // The file as it was when the program was saved, or the characters of a line.
  Result<void> script(const XmlElement& node) {
    if (const XmlElement* saved = node.child("cachedContents"); saved != nullptr && !saved->text.empty()) {
      text += saved->text + "\n";
      return {};
    }
    const XmlElement* expression = node.child("expression");
    if (expression == nullptr) return Error{Fault::invalid, "Script: it has neither saved contents nor a line"};
    for (const XmlElement& part : expression->children) {
      const std::string_view shown =
          part.name == "ExpressionChar" ? part.attribute("character") : part.attribute("token");
      if (shown.empty()) return Error{Fault::invalid, fmt::format("Script: {} is not supported", part.name)};
      text += shown;
    }
    text += "\n";
    return {};
  }

  Result<void> move(const XmlElement& node) {
    const bool joints = node.attribute("motionType") == "MoveJ";
    if (!joints && node.attribute("motionType") != "MoveL")
      return Error{Fault::invalid, fmt::format("Move: {} is not supported", node.attribute("motionType"))};
    const XmlElement* children = node.child("children");
    if (children == nullptr) return {};
    for (const XmlElement& each : children->children) {
      auto written = each.name == "Waypoint" ? waypoint(node, each, joints) : one(each);
      if (!written) return written;
    }
    return {};
  }

  Result<void> waypoint(const XmlElement& node, const XmlElement& point, bool joints) {
    const XmlElement* position = point.child("position");
    const XmlElement* angles = position != nullptr ? position->child("JointAngles") : nullptr;
    if (point.attribute("type") != "Fixed" || angles == nullptr)
      return Error{Fault::invalid, fmt::format("Waypoint: {} is not supported", point.attribute("type"))};
    std::array<double, 6> q{};
    std::string_view rest = angles->attribute("angles");
    for (std::size_t i = 0; i < q.size(); ++i) {
      const std::size_t comma = rest.find(',');
      const auto angle = number_in(rest.substr(0, comma));
      if (!angle || (comma == rest.npos) != (i + 1 == q.size()))
        return Error{Fault::invalid, fmt::format("Waypoint: expected six joint angles, got \"{}\"",
                                                 angles->attribute("angles").substr(0, 200))};
      q[i] = *angle;
      rest.remove_prefix(comma == rest.npos ? rest.size() : comma + 1);
    }
    const XmlElement* own = point.child("motionParameters");
    // The way-point's own value, else the move's, else the script's default.
    const auto value = [&](std::string_view of_point, std::string_view of_move, double otherwise) {
      const auto chosen = own != nullptr ? number_in(own->attribute(of_point)) : std::nullopt;
      return chosen ? *chosen : number_in(node.attribute(of_move)).value_or(otherwise);
    };
    const double a =
        joints ? value("jointAcceleration", "acceleration", 1.4) : value("cartesianAcceleration", "acceleration", 1.2);
    const double v = joints ? value("jointSpeed", "speed", 1.05) : value("cartesianSpeed", "speed", 0.25);
    text += fmt::format("{}([{}], a={}, v={}, r={})\n", joints ? "movej" : "movel", fmt::join(q, ", "), a, v,
                        value("blendRadius", "blendRadius", 0));
    return {};
  }
};

Result<std::vector<std::uint8_t>> contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes(largest_file + 1);
  if (!file) return Error{Fault::not_found, "cannot be read"};
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.size() > largest_file) return Error{Fault::invalid, fmt::format("more than {} bytes", largest_file)};
  return bytes;
}

}  // namespace

Result<std::string> script_from_urp(Bytes file, std::string_view name) {
  if (file.size() > largest_file) return Error{Fault::invalid, fmt::format("more than {} bytes", largest_file)};
  const auto xml = gunzip(file, largest_xml);
  if (!xml) return xml.error();
  return script_from_xml(*xml, name);
}

Result<std::string> script_from_xml(std::string_view xml, std::string_view name) {
  const auto program = parse_xml(xml);
  if (!program) return program.error();
  if (program->name != "URProgram")
    return Error{Fault::invalid, fmt::format("expected a URProgram, got {}", program->name)};
  UrpWriter once, body;
  bool loops = false;
  const XmlElement* parts = program->child("children");
  if (parts == nullptr) return Error{Fault::invalid, "URProgram: it has no nodes"};
  for (const XmlElement& part : parts->children) {
    const bool main = part.name == "MainProgram";
    if (main) loops = part.attribute("runOnlyOnce") != "true";
    if (part.name == "InitVariablesNode") continue;
    if (!main && part.name != "SpecialSequence")
      return Error{Fault::invalid, fmt::format("program part {} is not supported: put the .script that PolyScope saved "
                                               "beside it",
                                               part.name)};
    if (auto written = (main ? body : once).nodes(part); !written) return std::move(written).error();
  }
  // A program that loops takes a cycle for each round, whatever it does.
  const std::string main_part = loops ? "while True:\n" + body.text + "sync()\nend\n" : body.text;
  return fmt::format("def {}():\n{}{}end\n", identifier(name), once.text, main_part);
}

Result<ProgramFiles> programs_from(const std::string& folder) {
  ProgramFiles files;
  std::error_code failed;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string kind = at->path().extension().string();
    std::error_code unknown;
    if ((kind != ".script" && kind != ".urp") || !at->is_regular_file(unknown)) continue;
    found.push_back(at->path());
    if (found.size() > most_programs)
      return Error{Fault::invalid, fmt::format("{}: more than {} programs", folder, most_programs)};
  }
  if (failed) return Error{Fault::not_found, fmt::format("{}: {}", folder, failed.message())};
  std::ranges::sort(found);  // box.script comes before box.urp
  for (const fs::path& path : found) {
    const std::string name = path.filename().string(), stem = path.stem().string();
    const bool is_script = path.extension() == ".script";
    if (!is_script && files.scripts.contains(name)) continue;
    const auto bytes = contents(path);
    Result<std::string> script = bytes ? std::string(bytes->begin(), bytes->end()) : Result<std::string>(bytes.error());
    if (bytes && !is_script) script = script_from_urp(*bytes, stem);
    if (!script) {
      files.broken[name] = script.error().text;
      continue;
    }
    if (is_script) files.scripts[stem + ".urp"] = *script;
    files.scripts[name] = std::move(*script);
  }
  return files;
}

}  // namespace tandem::ur3e
