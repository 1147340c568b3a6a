// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/recordings/incident/incident.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "tandem/app/commands.hpp"
#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/recordings/incident/report.hpp"
#include "tandem/app/recordings/leaves.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/runtime/sparkplug/state_file.hpp"

namespace tandem::app {

namespace {

using incident::History;
using incident::Moment;

struct Listed {
  std::string file;
  std::uint64_t bytes = 0;
  Moment moment;
};

// The newest first. Files of the folder that are of no incident are left out.
Result<std::vector<Listed>> incidents_in(const std::string& folder) {
  std::error_code problem;
  std::vector<Listed> found;
  std::filesystem::directory_iterator files(folder, problem);
  if (problem)
    return Error{Fault::not_found, fmt::format("{}: expected a folder with incidents, got: {}", printable(folder, 200),
                                               problem.message())};
  for (const auto& entry : files) {
    if (entry.path().extension() != ".mcap" || !entry.is_regular_file(problem)) continue;
    const auto reader = record::McapReader::open(entry.path().string());
    if (!reader) continue;
    const auto moment = incident::moment_of(*reader);
    if (moment) found.push_back({entry.path().string(), reader->contents().file_size, *moment});
  }
  std::ranges::sort(found, [](const Listed& a, const Listed& b) { return a.moment.at > b.moment.at; });
  return found;
}

int list_incidents(const IncidentArguments& arguments) {
  const std::string folder = arguments.list->empty() ? default_incident_folder() : *arguments.list;
  if (folder.empty()) return fail("--list: expected a folder, as this user has no home; got none", usage);
  std::error_code ignored;
  const bool nothing_yet = arguments.list->empty() && !std::filesystem::exists(folder, ignored);
  const auto found = nothing_yet ? std::vector<Listed>{} : incidents_in(folder);
  if (!found) return fail(found.error().text);
  if (arguments.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Listed& each : *found)
      list.push_back({{"file", each.file},
                      {"bytes", each.bytes},
                      {"machine", each.moment.machine},
                      {"cause", each.moment.cause},
                      {"text", each.moment.text},
                      {"at_ns", each.moment.at},
                      {"utc", incident::clock_text(each.moment.at, false)}});
    fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return success;
  }
  for (const Listed& each : *found)
    fmt::print("{}  {}: {}: {}\n  {} ({:.1f} MB)\n", incident::clock_text(each.moment.at, false),
               printable(each.moment.machine), printable(each.moment.cause), printable(each.moment.text, 70),
               printable(each.file, 300), static_cast<double>(each.bytes) * 1e-6);
  if (found->empty()) fmt::print("no incidents in {}\n", folder);
  return success;
}

struct Explained {
  History history;
  incident::Incident incident;
};

Result<Explained> explained(const record::McapReader& reader, const IncidentArguments& arguments) {
  incident::Choice choice{arguments.machine, {}, arguments.before, arguments.after};
  if (!arguments.at.empty()) {
    const auto at = incident::time_from(arguments.at, static_cast<incident::Time>(reader.contents().statistics.start));
    if (!at) return at.error();
    choice.at = *at;
  }
  auto history = incident::read_history(reader, arguments.file, choice);
  if (!history) return within(printable(arguments.file, 300), history.error());
  incident::Incident incident = incident::explain(*history);
  return Explained{std::move(*history), std::move(incident)};
}

}  // namespace

std::string default_incident_folder() {
  const std::string folder = runtime::state_folder([](const char* name) { return std::getenv(name); });
  return folder.empty() ? folder : folder + "/incidents";
}

Result<std::string> incident_page(const std::string& file) {
  const auto reader = record::McapReader::open(file);
  if (!reader) return reader.error();
  const auto found = explained(*reader, {.file = file});
  if (!found) return found.error();
  return incident::html_of(found->history, found->incident);
}

int explain_incident(const IncidentArguments& arguments) {
  if (arguments.list) return list_incidents(arguments);
  if (arguments.file.empty())
    return fail("incident: expected an MCAP file, got none; `tandem incident --list` shows those of the black box",
                usage);
  const auto reader = open_recording(arguments.file);
  if (!reader) return failure;
  const auto found = explained(*reader, arguments);
  if (!found) return fail(found.error().text);
  fmt::print("{}", arguments.json ? incident::json_of(found->history, found->incident)
                                  : incident::text_of(found->history, found->incident));
  if (!arguments.html.empty()) {
    const auto page = incident::html_of(found->history, found->incident);
    if (!page) return fail(page.error().text);
    if (const auto written = plot::write_file(arguments.html, *page); !written) return fail(written.error().text);
    if (!arguments.json) fmt::print("\n{}\n", arguments.html);
  }
  return reader->contents().whole ? success : failure;
}

std::pair<CLI::App*, std::function<int()>> add_incident(CLI::App& program) {
  const auto arguments = std::make_shared<IncidentArguments>();
  CLI::App* command = program.add_subcommand("incident", "explain a stop or a lost link from a recording");
  command->footer(
      "Examples:\n  tandem incident --list\n  tandem incident 20261119T043015Z_lift_lost.mcap\n"
      "  tandem incident run.mcap --html why.html        # the first latched stop or loss while armed in it\n"
      "  tandem incident run.mcap --at 12.5 --machine lift --before 2 --after 4\n"
      "  tandem incident run.mcap --json | jq .numbers\n"
      "It prints what changed before and after, how far the machine moved, and how to repeat it.\n");
  command->add_option("FILE", arguments->file, "a file of the black box, or any recording of tandem");
  command->add_option("--at", arguments->at, "moment to explain: s since the beginning, or UTC; default: the incident")
      ->type_name("TIME");
  command->add_option("--machine", arguments->machine, "machine, by its name in the configuration");
  command->add_option("--before", arguments->before, "time before the incident that is shown (s); default: 5")
      ->type_name("SECONDS")
      ->check(number_check(0, 3600));
  command->add_option("--after", arguments->after, "time after the incident that is shown (s); default: 10")
      ->type_name("SECONDS")
      ->check(number_check(0, 3600));
  command->add_flag("--json", arguments->json, "print one JSON object");
  command->add_option("--html", arguments->html, "write a page with plots to this file as well")->type_name("FILE");
  // CLI11 gives "true" for an option without its value.
  command
      ->add_option_function<std::string>(
          "--list", [arguments](const std::string& folder) { arguments->list = folder == "true" ? "" : folder; },
          "list the incidents of this folder; default: that of the black box")
      ->type_name("FOLDER")
      ->expected(0, 1);
  return {command, [arguments] { return explain_incident(*arguments); }};
}

}  // namespace tandem::app
