// SPDX-License-Identifier: Apache-2.0
// The legs of the EM1500.
#include <pybind11/stl.h>

#include <tuple>

#include "tandem/kinematics/stewart/stewart.hpp"
#include "tandem/machines/em1500/description.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/failure.hpp"

namespace tandem::python {

void bind_legs(pybind11::module_& module) {
  module.def("leg_lengths",
             [](const stewart::Coordinates& pose) { return stewart::leg_lengths(em1500::platform(), pose); });
  module.def("pose_from_lengths", [](const stewart::Lengths& lengths) {
    const auto found = unwrapped(stewart::pose_from_lengths(em1500::platform(), lengths));
    return std::tuple(stewart::coordinates_from_pose(found.X_base_top), found.residual, found.iterations);
  });
}

}  // namespace tandem::python
