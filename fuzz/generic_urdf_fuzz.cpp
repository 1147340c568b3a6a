// SPDX-License-Identifier: Apache-2.0
// Any bytes as a URDF and, behind the first byte of value 0, as a mesh: links that have finite places, or an error.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "tandem/machines/generic/robot/mesh.hpp"
#include "tandem/machines/generic/robot/urdf.hpp"

namespace {

using namespace tandem::generic;

void check(bool good) {
  if (!good) std::abort();
}

void check_mesh(const tandem::Result<Mesh>& mesh) {
  if (!mesh) return check(!mesh.error().text.empty());
  check(!mesh->triangles.empty() && mesh->triangles.size() <= most_triangles);
  for (const auto& point : mesh->points) {
    for (const float x : point) check(std::isfinite(x));
  }
  for (const auto& triangle : mesh->triangles) {
    for (const std::uint32_t corner : triangle) check(corner < mesh->points.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = text.find('\0');
  if (zero == 0) {
    check_mesh(mesh_from_stl(text.substr(1)));
    check_mesh(mesh_from_obj(text.substr(1)));
    return 0;
  }
  const auto urdf = urdf_from_text(text, "a.urdf");
  if (!urdf) {
    check(urdf.error().text.starts_with("a.urdf:"));
    return 0;
  }
  check(urdf->order.size() + 1 == urdf->links.size() && urdf->joints.size() == urdf->order.size());
  const std::vector<double> positions(urdf->joints.size(), 0.7);
  for (const auto& pose : link_poses(*urdf, positions)) {
    check(pose.matrix().allFinite());
    check((pose.linear() * pose.linear().transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-6);
  }
  return 0;
}
