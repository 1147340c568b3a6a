// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/robot/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/machines/generic/text_file.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_mesh_bytes = 32 << 20;
constexpr std::size_t stl_header = 84, stl_triangle = 50;
constexpr double farthest_point = 1e6;  // m; beyond it a file has other units or is broken

Error mesh_error(std::string text) { return {Fault::invalid, std::move(text)}; }

using MeshPoint = std::array<float, 3>;

bool is_good_point(const MeshPoint& point) {
  return std::all_of(point.begin(), point.end(),
                     [](float x) { return std::isfinite(x) && std::fabs(x) <= farthest_point; });
}

// Joins equal points, so that neighbours share their corners.
class MeshBuilder {
 public:
  bool add(const std::array<MeshPoint, 3>& corners) {
    if (mesh_.triangles.size() == most_triangles) return false;
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [known, added] = index_.emplace(corners[i], static_cast<std::uint32_t>(mesh_.points.size()));
      if (added) mesh_.points.push_back(corners[i]);
      triangle[i] = known->second;
    }
    mesh_.triangles.push_back(triangle);
    return true;
  }
  Result<Mesh> take() {
    if (mesh_.triangles.empty()) return mesh_error("expected triangles, got none");
    return std::move(mesh_);
  }

 private:
  Mesh mesh_;
  std::map<MeshPoint, std::uint32_t> index_;
};

Error too_many() { return mesh_error(fmt::format("expected at most {} triangles, got more", most_triangles)); }
Error bad_point(std::size_t triangle) {
  return mesh_error(fmt::format("triangle {}: expected finite coordinates up to {} m", triangle + 1, farthest_point));
}

Result<Mesh> binary_stl(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  if (count > most_triangles) return too_many();
  const std::size_t wanted = stl_header + std::size_t{count} * stl_triangle;
  if (bytes.size() < wanted)
    return mesh_error(fmt::format("expected {} bytes for {} triangles, got {}", wanted, count, bytes.size()));
  MeshBuilder builder;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<MeshPoint, 3> corners;
    std::memcpy(corners.data(), bytes.data() + stl_header + i * stl_triangle + 12, sizeof corners);
    if (!std::all_of(corners.begin(), corners.end(), is_good_point)) return bad_point(i);
    builder.add(corners);
  }
  return builder.take();
}

// The next word, without what is before and behind it.
std::string_view next_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(begin);
  const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<float> coordinate_from(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return static_cast<float>(value);
}

Result<Mesh> text_stl(std::string_view text) {
  MeshBuilder builder;
  std::array<MeshPoint, 3> corners;
  std::size_t corner = 0, count = 0;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    if (word == "endfacet" && corner != 3)
      return mesh_error(fmt::format("triangle {}: expected three corners", count + 1));
    if (word == "endfacet") {
      if (!std::all_of(corners.begin(), corners.end(), is_good_point)) return bad_point(count);
      if (!builder.add(corners)) return too_many();
      ++count;
      corner = 0;
    }
    if (word != "vertex") continue;
    if (corner == 3) return mesh_error(fmt::format("triangle {}: expected three corners, got more", count + 1));
    for (float& x : corners[corner]) {
      const auto value = coordinate_from(next_word(text));
      if (!value) return mesh_error(fmt::format("triangle {}: expected three numbers behind vertex", count + 1));
      x = *value;
    }
    ++corner;
  }
  return builder.take();
}

// "7", "7/1/3" and "-1", which counts from the end.
std::optional<std::uint32_t> corner_from(std::string_view word, std::size_t points) {
  word = word.substr(0, word.find('/'));
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (index < 0) index += static_cast<std::int64_t>(points) + 1;
  if (index < 1 || static_cast<std::uint64_t>(index) > points) return std::nullopt;
  return static_cast<std::uint32_t>(index - 1);
}

}  // namespace

Result<Mesh> mesh_from_stl(std::string_view bytes) {
  if (bytes.size() >= stl_header) {
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + 80, 4);
    // Binary files may begin with "solid" as well: their size decides.
    if (bytes.size() == stl_header + std::uint64_t{count} * stl_triangle) return binary_stl(bytes);
  }
  if (trimmed(bytes.substr(0, 80)).starts_with("solid")) return text_stl(bytes);
  if (bytes.size() < stl_header) return mesh_error(fmt::format("expected an STL file, got {} bytes", bytes.size()));
  return binary_stl(bytes);
}

Result<Mesh> mesh_from_obj(std::string_view text) {
  Mesh mesh;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view word = next_word(content);
    if (word == "v") {
      MeshPoint point{};
      for (float& x : point) {
        const auto value = coordinate_from(next_word(content));
        if (!value) return mesh_error(fmt::format("line {}: expected three numbers behind v", line));
        x = *value;
      }
      if (!is_good_point(point))
        return mesh_error(fmt::format("line {}: expected finite coordinates up to {} m", line, farthest_point));
      if (mesh.points.size() == 3 * most_triangles) return too_many();
      mesh.points.push_back(point);
    }
    if (word != "f") continue;
    std::vector<std::uint32_t> corners;
    for (std::string_view each = next_word(content); !each.empty(); each = next_word(content)) {
      const auto corner = corner_from(each, mesh.points.size());
      if (!corner)
        return mesh_error(fmt::format("line {}: expected corners of known points, got '{}'", line, printable(each)));
      corners.push_back(*corner);
    }
    if (corners.size() < 3)
      return mesh_error(fmt::format("line {}: expected at least three corners, got {}", line, corners.size()));
    for (std::size_t i = 2; i < corners.size(); ++i) {
      if (mesh.triangles.size() == most_triangles) return too_many();
      mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    }
  }
  if (mesh.triangles.empty()) return mesh_error("expected triangles, got none");
  return mesh;
}

Result<Mesh> mesh_from_file(const std::string& path) {
  std::string lower = path;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const bool stl = lower.ends_with(".stl"), obj = lower.ends_with(".obj");
  if (!stl && !obj) return mesh_error(fmt::format("{}: expected a mesh in .stl or .obj", printable(path, 200)));
  auto bytes = read_text(path, most_mesh_bytes);
  if (!bytes) return std::move(bytes).error();
  auto mesh = stl ? mesh_from_stl(*bytes) : mesh_from_obj(*bytes);
  if (!mesh) return mesh_error(fmt::format("{}: {}", printable(path, 200), mesh.error().text));
  return mesh;
}

}  // namespace tandem::generic
