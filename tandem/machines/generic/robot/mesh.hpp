// SPDX-License-Identifier: Apache-2.0
// Meshes of a URDF: STL, binary or text, and OBJ, triangles only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::generic {

inline constexpr std::size_t most_triangles = 200'000;

struct Mesh {
  std::vector<std::array<float, 3>> points;  // each once
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

// Total: any bytes in. All coordinates are finite, all indices are of points.
Result<Mesh> mesh_from_stl(std::string_view bytes);
Result<Mesh> mesh_from_obj(std::string_view text);

// By the end of its name, .stl or .obj.
Result<Mesh> mesh_from_file(const std::string& path);

}  // namespace tandem::generic
