// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {

using urscript::Builtins;
using urscript::Call;
using urscript::None;
using urscript::Outcome;
using urscript::Value;

void add_path_offset(Builtins& builtins, Controller& controller) {
  PathOffset& offset = controller.path_offset;
  builtins.add("path_offset_enable", {}, [&offset](Call&) -> Outcome {
    offset.enable();
    return Value(None{});
  });
  builtins.add_waiting("path_offset_disable", {{"a", 20.0}}, [&controller](Call& call) -> Outcome {
    using Claim = std::shared_ptr<Motion::Claim>;
    if (call.resumed()) {
      if (!controller.motion.at_rest()) return urscript::wait;
      std::any_cast<Claim&>(call.state)->settle();
      return Value(None{});
    }
    const auto deceleration = finite_of(call[0]);
    if (!deceleration) return deceleration.error();
    if (*deceleration <= 0)
      return Error{Fault::invalid, fmt::format("expected a deceleration above 0, got {}", *deceleration)};
    auto claim = controller.motion.claim(call.thread);
    if (!claim) return claim.error();
    controller.path_offset.disable();
    controller.motion.absorb_added();
    controller.motion.stop(*deceleration);
    call.state = *claim;
    return urscript::wait;
  });
  builtins.add("path_offset_set", {"offset", "type"}, [&offset](Call& call) -> Outcome {
    const auto pose = joints_of(call[0]);
    const auto frame = integer_in(call[1], 1, 4);
    if (const auto error = first_error(pose, frame)) return *error;
    offset.offset(*pose, static_cast<PathOffset::Frame>(*frame));
    return Value(None{});
  });
  builtins.add("path_offset_get", {"type"}, [&controller](Call& call) -> Outcome {
    const auto frame = integer_in(call[0], 1, 4);
    if (!frame) return frame.error();
    const Twist6 applied = controller.path_offset.applied(static_cast<PathOffset::Frame>(*frame),
                                                          controller.tool(controller.motion.position()));
    urscript::PoseValue pose;
    std::copy(applied.begin(), applied.end(), pose.begin());
    return Value(pose);
  });
  builtins.add("path_offset_set_alpha_filter", {"alpha"}, [&offset](Call& call) -> Outcome {
    const auto alpha = number_in(call[0], 0, 1);
    if (!alpha) return alpha.error();
    offset.filter(*alpha);
    return Value(None{});
  });
  builtins.add("path_offset_set_max_offset", {"transLimit", "rotLimit"}, [&offset](Call& call) -> Outcome {
    const auto distance = number_in(call[0], 0, 1);
    const auto angle = number_in(call[1], 0, 3.15);
    if (const auto error = first_error(distance, angle)) return *error;
    offset.limits(*distance, *angle);
    return Value(None{});
  });
}

}  // namespace tandem::ur3e
