// SPDX-License-Identifier: Apache-2.0
// merge: recordings of several hosts on one clock.
#include "tandem/record/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "tandem/app/commands.hpp"
#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/recordings/leaves.hpp"
#include "tandem/app/recordings/recordings.hpp"
#include "tandem/app/terminal/render.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/record/clock_match.hpp"
#include "tandem/runtime/fleet/watch.hpp"

namespace tandem::app {

namespace {

using record::MergeInput;

constexpr Duration measure_within = 3s;

Error wrong(std::string text) { return {Fault::invalid, std::move(text)}; }

// "b.mcap=0.25": which of the files, and its clock minus that of a common one.
Result<std::pair<std::size_t, double>> given_offset(const std::string& text, const std::vector<std::string>& files) {
  const auto equals = text.rfind('=');
  const auto value = equals == std::string::npos ? std::nullopt : number_from(text.substr(equals + 1));
  if (!value || !std::isfinite(*value))
    return wrong(fmt::format("--offset: expected FILE=SECONDS, got '{}'", printable(text)));
  const std::string file = text.substr(0, equals);
  const auto found = std::ranges::find(files, file);
  if (found != files.end()) return std::pair(static_cast<std::size_t>(found - files.begin()), *value);
  const std::vector<std::string_view> known(files.begin(), files.end());
  return wrong(fmt::format("--offset: unknown file '{}'{}", printable(file), suggestion(file, known)));
}

Result<void> take_given(const MergeArguments& arguments, std::vector<MergeInput>& inputs) {
  std::vector<double> clocks(inputs.size(), 0);
  for (const std::string& text : arguments.offsets) {
    const auto given = given_offset(text, arguments.files);
    if (!given) return given.error();
    clocks[given->first] = given->second;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].offset = clocks[i] - clocks[0];
    inputs[i].uncertainty = i == 0 ? 0 : -1;
    inputs[i].source = i == 0 ? "clock of this recording" : "given";
  }
  return {};
}

// The host of each file is the one with the file's name: cell1 for runs/cell1.mcap.
Result<void> take_measured(const MergeArguments& arguments, std::vector<MergeInput>& inputs) {
  auto all = runtime::load_hosts(arguments.hosts);
  std::vector<runtime::FleetHost> hosts;
  for (const MergeInput& input : inputs) {
    const std::string stem = std::filesystem::path(input.file).stem().string();
    const auto found = std::ranges::find(all, stem, &runtime::FleetHost::name);
    if (found == all.end())
      return wrong(fmt::format("{}: expected a file with the name of a host of {}, as HOST.mcap; or use --offset",
                               input.file, arguments.hosts));
    hosts.push_back(*found);
  }
  const auto states = runtime::look_at_all(hosts, measure_within);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!states[i].clock)
      return Error{Fault::unreachable, fmt::format("{}: its clock is unknown: {}", hosts[i].name, states[i].error)};
    inputs[i].offset = states[i].clock->offset - states[0].clock->offset;
    inputs[i].uncertainty = i == 0 ? 0 : states[i].clock->uncertainty + states[0].clock->uncertainty;
    inputs[i].source = i == 0 ? "clock of this recording" : "measured now, by " + arguments.hosts;
  }
  return {};
}

Result<void> take_estimated(std::vector<MergeInput>& inputs) {
  std::vector<std::string> files;
  for (const MergeInput& input : inputs) files.push_back(input.file);
  const auto readers = record::open_for_merge(files);
  if (!readers) return readers.error();
  inputs[0].source = "clock of this recording";
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    ReadingBar bar("comparing " + inputs[i].file);
    const auto match = record::match_clocks(readers->front(), (*readers)[i],
                                            {.progress = [&bar](double fraction) { bar.show(fraction); }});
    if (!match) return match.error();
    inputs[i].source = "wall clock: the recordings have no samples in common";
    inputs[i].uncertainty = -1;
    if (!*match) continue;
    inputs[i].offset = (*match)->offset;
    inputs[i].uncertainty = (*match)->uncertainty;
    inputs[i].source = fmt::format("{} {}", (*match)->samples, words((*match)->evidence));
    if ((*match)->drift != 0)
      inputs[i].source += fmt::format("; the clocks drift apart by {:.1f} us/s", (*match)->drift * 1e6);
  }
  return {};
}

void tell(const std::vector<MergeInput>& inputs, const record::Merged& merged, const MergeArguments& arguments) {
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const MergeInput& input = inputs[i];
    const std::string error = input.uncertainty < 0 ? "unknown" : short_time(input.uncertainty);
    fmt::print("{}: clock {:+.9g} s to {}, error {}: {}\n", input.file, input.offset, inputs.front().file, error,
               input.source);
  }
  for (const auto& [from, to] : merged.renamed) fmt::print("{} is {}\n", from, to);
  fmt::print("{}: {} messages, {} attachments and {} metadata of {} recordings\n", arguments.out, merged.messages,
             merged.attachments, merged.metadata, inputs.size());
}

Result<std::vector<MergeInput>> inputs_of(const MergeArguments& arguments) {
  const auto names = record::merge_names(arguments.files);
  std::vector<MergeInput> inputs;
  for (std::size_t i = 0; i < names.size(); ++i) inputs.push_back({arguments.files[i], names[i]});
  const auto taken = !arguments.offsets.empty() ? take_given(arguments, inputs)
                     : !arguments.hosts.empty() ? take_measured(arguments, inputs)
                                                : take_estimated(inputs);
  if (!taken) return taken.error();
  return inputs;
}

}  // namespace

int merge_recordings(const MergeArguments& arguments) {
  try {
    const auto inputs = inputs_of(arguments);
    if (!inputs) return fail(inputs.error().text);
    const auto merged = [&] {
      ReadingBar bar("merging into " + arguments.out);
      return record::merge(*inputs, arguments.out,
                           {.join = {arguments.join.begin(), arguments.join.end()},
                            .progress = [&bar](double fraction) { bar.show(fraction); }});
    }();
    if (!merged) return fail(merged.error().text);
    tell(*inputs, *merged, arguments);
    return success;
  } catch (const std::exception& error) {  // hosts.yaml
    return fail(error.what());
  }
}

}  // namespace tandem::app
