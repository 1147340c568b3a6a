// SPDX-License-Identifier: Apache-2.0
// `tandem incident`, and the same report for the page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "tandem/base/result.hpp"

namespace CLI {
class App;
}

namespace tandem::app {

struct IncidentArguments {
  std::string file{}, machine{}, at{}, html{};
  double before = 5, after = 10;  // s
  bool json = false;
  std::optional<std::string> list{};  // a folder; empty: the default one
};
int explain_incident(const IncidentArguments& arguments);
std::pair<CLI::App*, std::function<int()>> add_incident(CLI::App& program);

// The report on a file as one HTML page.
Result<std::string> incident_page(const std::string& file);
// Where the black box keeps its files unless it is told otherwise; empty: no home.
std::string default_incident_folder();

}  // namespace tandem::app
