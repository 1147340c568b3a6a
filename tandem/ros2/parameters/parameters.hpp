// SPDX-License-Identifier: Apache-2.0
// A node's parameters as ROS tools see them: the six services and /parameter_events.
#pragma once

#include "tandem/base/clock.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/parameters/local_parameters.hpp"
#include "tandem/ros2/parameters/store.hpp"

namespace tandem::ros2 {

class Parameters : public ParameterStore {
 public:
  Parameters(Node& node, const Clock& clock);
  ~Parameters();

 private:
  void publish(const std::vector<Change>& declared, const std::vector<Change>& changed) const;

  const Clock& clock_;
  std::string node_;
  std::shared_ptr<LocalParameters> local_;
  Publisher<rcl_interfaces::ParameterEvent> events_;
  Service<rcl_interfaces::DescribeParameters> describe_;
  Service<rcl_interfaces::GetParameters> get_;
  Service<rcl_interfaces::GetParameterTypes> types_;
  Service<rcl_interfaces::ListParameters> list_;
  Service<rcl_interfaces::SetParameters> set_;
  Service<rcl_interfaces::SetParametersAtomically> set_all_;
};

}  // namespace tandem::ros2
