// SPDX-License-Identifier: Apache-2.0
// The parameters of all nodes of this process as viewers see them: named "/node.parameter", with values as JSON.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tandem/ros2/parameters/local_parameters.hpp"
#include "tandem/web/hub/hub.hpp"

namespace tandem::runtime {

// Doubles say that they are, as 5 and 5.0 are the same in JSON; bytes are base64.
web::Parameter json_from_parameter(std::string name, const ros2::ParameterValue& value);
// `like`: the value that it replaces, whose type it takes where JSON leaves a choice.
Result<ros2::ParameterValue> parameter_from_json(const web::Parameter& parameter, const ros2::ParameterValue& like);

// All on the server's thread.
class RosParameters {
 public:
  explicit RosParameters(const ros2::LocalParameters& local) : local_(local) {}

  // Those of these names that there are; of no names: all.
  std::vector<web::Parameter> list(const std::vector<std::string>& names) const;
  Result<void> set(const web::Parameter& parameter);
  // What viewers do not know yet of the parameters that a message on /parameter_events names. Anybody may have sent it,
  // so only names are taken from it.
  std::vector<web::Parameter> changed(Bytes event);

 private:
  const ros2::LocalParameters& local_;
  std::map<std::string, std::string> reported_;  // the value last told of each
};

}  // namespace tandem::runtime
