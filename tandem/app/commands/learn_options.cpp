// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "tandem/app/commands/learn.hpp"
#include "tandem/app/commands/option_checks.hpp"

namespace tandem::app {

std::pair<CLI::App*, std::function<int()>> add_learn(CLI::App& program) {
  const auto arguments = std::make_shared<LearnArguments>();
  auto* learn = program.add_subcommand("learn", "write the configuration of a device from what it, or its files, say");
  learn->footer(
      "Examples:\n"
      "  tandem learn registers.csv --device modbus://192.168.1.40 --out press.yaml\n"
      "  tandem learn registers.csv --device virtual --out press.yaml      # for tandem demo --config press.yaml\n"
      "  tandem learn ads://192.168.1.15 --match 'GVL.*' --out conveyor.yaml\n"
      "  tandem learn Conveyor.tmc --out conveyor.yaml      # or .tpy\n"
      "  tandem learn modbus://192.168.1.40 --from 0 --to 199 --yes --out press.yaml\n"
      "  tandem learn run.mcap --machine press              # from what other masters asked\n"
      "Reads only. Outputs are proposed as comments; limits and rates are yours to put in. A scan of a Modbus device\n"
      "reads every register in the range, 10 requests a second, and wants --yes: some registers clear or latch when\n"
      "they are read. Columns of a CSV: address, name, description, table, type, scale, offset, unit, access, "
      "order.\n");
  learn
      ->add_option("SOURCE", arguments->source,
                   "ads://HOST, modbus://HOST[:PORT][?unit=N], or a file: .csv, .tmc, .tpy, .mcap")
      ->required();
  learn->add_option("--match", arguments->match, "PLC variables to take, such as 'GVL.*'; may be given several times")
      ->type_name("GLOB")
      ->take_all()
      ->allow_extra_args(false);
  learn->add_option("--from", arguments->from, "first address of a scan, from 0 as on the wire")
      ->type_name("N")
      ->check(whole_number_check(0, 65535))
      ->capture_default_str();
  learn->add_option("--to", arguments->to, "last address of a scan")
      ->type_name("N")
      ->check(whole_number_check(0, 65535))
      ->capture_default_str();
  learn->add_option("--tables", arguments->tables, "tables of a scan: holding, input, coil, discrete")
      ->type_name("LIST")
      ->capture_default_str();
  learn->add_option("--base", arguments->base, "how the addresses of a CSV count; default: as they look")
      ->type_name("N")
      ->check(choice_check({"0", "1", "40001"}));
  learn->add_option("--device", arguments->device, "URL of the device, or virtual; for files that do not know it")
      ->type_name("URL");
  learn->add_option("--machine", arguments->machine, "name of the machine in the file; of a recording: which machine")
      ->type_name("NAME");
  learn->add_option("--out", arguments->out, "write this new file; default: standard output")->type_name("FILE");
  learn->add_flag("--yes", arguments->yes, "scan: the device may be read everywhere");
  learn->add_option("--control", arguments->control, "path of the control socket")->type_name("PATH");
  return {learn, [arguments] { return app::learn(*arguments); }};
}

}  // namespace tandem::app
