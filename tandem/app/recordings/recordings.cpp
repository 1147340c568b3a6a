// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/recordings/recordings.hpp"
#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/recordings/incident/incident.hpp"

#include <CLI/CLI.hpp>
#include <memory>

namespace tandem::app {

namespace {

using RecordingBody = std::pair<CLI::App*, std::function<int()>>;

CLI::App* recording_command(CLI::App& program, const std::string& name, const std::string& help,
                            const std::string& examples) {
  CLI::App* command = program.add_subcommand(name, help);
  command->footer("Examples:\n" + examples);
  return command;
}

RecordingBody add_info(CLI::App& program) {
  const auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command =
      recording_command(program, "info", "list the contents of a recording and check that it is complete",
                        "  tandem info run.mcap\n  tandem info run.mcap --json | jq .topics\n");
  command->add_option("FILE", arguments->file, "an MCAP file")->required();
  command->add_flag("--json", arguments->json, "print one JSON object");
  command->add_flag("--check", arguments->check, "read the whole file and check its CRCs, not only its summary");
  return {command, [arguments] { return recording_info(*arguments); }};
}

RecordingBody add_repair(CLI::App& program) {
  const auto arguments = std::make_shared<RepairArguments>();
  CLI::App* command = recording_command(
      program, "repair", "repair a truncated or damaged recording",
      "  tandem repair run.mcap\n  tandem repair run.mcap --out good.mcap\nThe input file is not changed.\n");
  command->add_option("FILE", arguments->file, "an MCAP file")->required();
  command->add_option("--out", arguments->out, "output file; default: FILE_repaired.mcap")->type_name("FILE");
  return {command, [arguments] { return repair_recording(*arguments); }};
}

RecordingBody add_export(CLI::App& program) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command =
      recording_command(program, "export", "write the messages of a topic as CSV, one column for each value",
                        "  tandem export run.mcap --topic /stewart/pose --out pose.csv\n"
                        "  tandem export run.mcap --topic /joint_states | head\n");
  command->add_option("FILE", arguments->file, "an MCAP file")->required();
  command->add_option("--topic", arguments->topic, "topic to export")->type_name("TOPIC")->required();
  command->add_option("--out", arguments->out, "output file; default: standard output")->type_name("CSV");
  return {command, [arguments] { return export_recording(*arguments); }};
}

RecordingBody add_plot(CLI::App& program) {
  const auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command = recording_command(
      program, "plot", "plot values of a recording over time, as PNG or SVG",
      "  tandem plot run.mcap --list\n  tandem plot run.mcap /stewart/legs_em1500.data --out legs.png\n"
      "  tandem plot run.mcap /odom.pose.pose.position.x /odom.twist.twist.linear.x --from 10 --to 20 --out x.svg\n"
      "A signal is /topic.field.path; one that holds several values means all of them.\n");
  command->add_option("FILE", arguments->file, "an MCAP file")->required();
  command->add_option("SIGNAL", arguments->signals, "signal, such as /odom.pose.pose.position.x");
  command->add_option("--out", arguments->out, "output file, .png or .svg")->type_name("FILE");
  command->add_flag("--list", arguments->list, "list the available signals");
  command->add_option("--from", arguments->from, "time since the first message (s)")->type_name("SECONDS");
  command->add_option("--to", arguments->to, "time since the first message (s)")->type_name("SECONDS");
  return {command, [arguments] { return plot_recording(*arguments); }};
}

RecordingBody add_merge(CLI::App& program) {
  const auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = recording_command(
      program, "merge", "merge recordings of several hosts, on the clock of the first",
      "  tandem merge a.mcap b.mcap --out both.mcap\n"
      "  tandem merge a.mcap b.mcap --out both.mcap --offset b.mcap=0.25     # the clock of b is 0.25 s ahead\n"
      "  tandem merge cell1.mcap cell2.mcap --out both.mcap --hosts hosts.yaml\n"
      "  tandem merge a.mcap b.mcap --out both.mcap --join /tf /tf_static\n"
      "Without an offset it is estimated from samples that both recorded; without those the wall clocks count.\n"
      "A topic that an earlier file has becomes /NAME/topic, with the name of the later file. The inputs stay.\n");
  command->add_option("FILE", arguments->files, "MCAP files, two or more; the first has the clock")->required();
  command->add_option("--out", arguments->out, "output file")->type_name("FILE")->required();
  CLI::Option* offset = command
                            ->add_option("--offset", arguments->offsets,
                                         "clock of a file minus that of the others (s); those that are not named: 0")
                            ->type_name("FILE=SECONDS")
                            ->take_all()
                            ->allow_extra_args(false);
  command->add_option("--hosts", arguments->hosts, "measure now: the hosts of HOST.mcap, as for `tandem fleet`")
      ->type_name("FILE")
      ->excludes(offset);
  command->add_option("--join", arguments->join, "topics that keep their name, though several files have them")
      ->type_name("TOPIC");
  return {command, [arguments] { return merge_recordings(*arguments); }};
}

RecordingBody add_record(CLI::App& program) {
  const auto arguments = std::make_shared<RecordArguments>();
  CLI::App* command = recording_command(
      program, "record", "record the topics of any ROS 2 system",
      "  tandem record\n  tandem record --out drive.mcap /cmd_vel /odom --for 30\n"
      "Topics that appear later are recorded from then on. Its exit status is 1 when messages were dropped.\n"
      "What tandem itself does (field frames, events) is recorded by `record:` in its configuration.\n");
  command->add_option("TOPIC", arguments->topics, "topics to record; default: all, including those that appear later");
  command->add_option("--out", arguments->out, "output file; default: named by date and time")->type_name("FILE");
  command->add_option("--domain", arguments->domain, "ROS domain ID, instead of ROS_DOMAIN_ID")->check(domain_check());
  command
      ->add_option("--hosts", arguments->hosts, "write the clock offsets of these hosts into the file, measured first")
      ->type_name("FILE");
  add_for(*command, arguments->for_seconds);
  return {command, [arguments] { return record_topics(*arguments); }};
}

}  // namespace

std::vector<std::pair<CLI::App*, std::function<int()>>> add_recordings(CLI::App& program) {
  return {add_record(program), add_info(program),  add_repair(program),  add_export(program),
          add_plot(program),   add_merge(program), add_incident(program)};
}

}  // namespace tandem::app
