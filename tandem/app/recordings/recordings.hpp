// SPDX-License-Identifier: Apache-2.0
// The commands on recordings: info, repair, export, plot, merge, incident, record.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace tandem::app {

// Adds the commands to the program. The answers are each command and what runs it.
std::vector<std::pair<CLI::App*, std::function<int()>>> add_recordings(CLI::App& program);

struct InfoArguments {
  std::string file;
  bool json = false;
  bool check = false;  // read everything
};
int recording_info(const InfoArguments& arguments);

struct RepairArguments {
  std::string file, out;  // no `out`: beside it
};
int repair_recording(const RepairArguments& arguments);

struct ExportArguments {
  std::string file, topic, out;  // no `out`: standard output
};
int export_recording(const ExportArguments& arguments);

struct PlotArguments {
  std::string file, out;
  std::vector<std::string> signals;  // "/topic.field.path"; a path of several values means all of them
  bool list = false;
  double from = 0;  // s since the first message
  std::optional<double> to;
};
int plot_recording(const PlotArguments& arguments);

struct MergeArguments {
  std::vector<std::string> files, offsets, join;  // an offset: FILE=SECONDS
  std::string out, hosts;
};
int merge_recordings(const MergeArguments& arguments);

struct RecordArguments {
  std::string out;                  // empty: named by the time
  std::vector<std::string> topics;  // none: all
  std::string hosts;                // hosts.yaml whose clocks are measured first; empty: none
  std::optional<int> domain;
  std::optional<double> for_seconds;
};
int record_topics(const RecordArguments& arguments);

}  // namespace tandem::app
