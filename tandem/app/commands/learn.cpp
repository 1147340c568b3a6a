// SPDX-License-Identifier: Apache-2.0
// learn: the description of a device, from the device itself, a list, a project file or a recording.
#include "tandem/app/commands/learn.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "tandem/app/commands.hpp"
#include "tandem/app/terminal/progress.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/learn/ads_upload.hpp"
#include "tandem/machines/generic/learn/characters.hpp"
#include "tandem/machines/generic/learn/csv.hpp"
#include "tandem/machines/generic/learn/register_list.hpp"
#include "tandem/machines/generic/learn/scan_device.hpp"
#include "tandem/machines/generic/learn/traffic.hpp"
#include "tandem/machines/generic/learn/twincat_files.hpp"
#include "tandem/machines/generic/text_file.hpp"
#include "tandem/net/url.hpp"
#include "tandem/record/mcap_reader.hpp"
#include "tandem/runtime/control/client.hpp"
#include "tandem/runtime/replay/file.hpp"

namespace tandem::app {

namespace {

using generic::ProposedDevice;

constexpr Duration upload_time = 5s;  // of each round trip with a PLC

// A bar on standard error for what takes long.
class Bar {
 public:
  explicit Bar(const std::string& what) : text_(what, ::isatty(STDERR_FILENO) == 1, now()) {}
  ~Bar() { write(text_.end()); }
  void at(double fraction) { write(text_.at(fraction, now())); }

 private:
  static void write(const std::string& bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stderr); }
  ProgressText text_;
};

bool is_machine_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && generic::ascii::is_lower(name.front()) &&
         std::ranges::all_of(
             name, [](char c) { return generic::ascii::is_lower(c) || generic::ascii::is_digit(c) || c == '_'; });
}

// "lists/Press 3.csv" is "press_3".
std::string machine_from_file(const std::string& file) {
  std::string stem = file.substr(file.rfind('/') + 1);
  stem = stem.substr(0, stem.rfind('.'));
  return generic::signal_name_from(stem, {});
}

std::string machine_of(const LearnArguments& arguments, const std::string& otherwise) {
  return arguments.machine.empty() ? otherwise : arguments.machine;
}

Result<std::string> read_source(const std::string& file, std::size_t most) {
  auto text = generic::read_text(file, most);
  if (!text) return within("learn", std::move(text).error());
  return text;
}

// Which machine of the running tandem holds the device; empty: none, or no tandem runs.
std::string holder_of(const std::string& device, const std::string& control) {
  const auto mine = net::parse_url(device);
  const auto status = runtime::ask_status(runtime::control_path(control));
  if (!mine || !status) return "";
  const auto host = [](const net::Url& url) { return url.host == "localhost" ? std::string("127.0.0.1") : url.host; };
  constexpr std::uint16_t standard_port = 502;
  for (const auto& machine : status->machines) {
    const auto theirs = net::parse_url(machine.device);
    if (!theirs || theirs->scheme != mine->scheme || host(*theirs) != host(*mine)) continue;
    if (theirs->port.value_or(standard_port) == mine->port.value_or(standard_port)) return machine.name;
  }
  return "";
}

Result<std::vector<generic::ModbusTable>> tables_from(const std::string& text) {
  std::vector<generic::ModbusTable> tables;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    bool found = false;
    for (const auto table : {generic::ModbusTable::holding, generic::ModbusTable::input, generic::ModbusTable::coil,
                             generic::ModbusTable::discrete}) {
      if (word != generic::name(table)) continue;
      if (std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
      found = true;
    }
    if (!found) {
      return Error{Fault::invalid,
                   fmt::format("--tables: expected holding, input, coil and discrete with commas between, got '{}'",
                               printable(word))};
    }
  }
  return tables;
}

struct Learned {
  ProposedDevice device;
  std::string incomplete;  // why; empty: all of it was read
};

Result<Learned> learn_modbus(const LearnArguments& arguments) {
  if (const std::string holder = holder_of(arguments.source, arguments.control); !holder.empty()) {
    return Error{Fault::busy,
                 fmt::format("{}: expected a device that no machine holds, got that of '{}' in the running tandem; end "
                             "it first, or learn from its recording: tandem learn run.mcap",
                             arguments.source, holder)};
  }
  if (!arguments.yes) return Error{Fault::refused, generic::scan_warning};
  generic::ScanOptions options;
  const auto tables = tables_from(arguments.tables);
  if (!tables) return tables.error();
  options.tables = *tables;
  options.from = static_cast<std::uint32_t>(arguments.from);
  options.to = static_cast<std::uint32_t>(arguments.to);
  if (options.from > options.to) {
    return Error{Fault::invalid, fmt::format("--from: expected at most --to, got {} and {}", options.from, options.to)};
  }
  Signals signals;
  Bar bar("scan");
  generic::ScanHooks hooks;
  hooks.progress = [&bar](double fraction) { bar.at(fraction); };
  hooks.interrupted = [&signals] { return signals.wait(0ms); };
  auto run = generic::scan_modbus(arguments.source, options, hooks);
  if (!run) return std::move(run).error();
  run->findings.machine = machine_of(arguments, "device");
  auto device = generic::propose(run->findings);
  if (!device) return std::move(device).error();
  return Learned{std::move(*device), run->given_up};
}

Result<Learned> learn_program(const LearnArguments& arguments, const generic::PlcProgram& program,
                              const std::string& machine, const std::string& device) {
  auto proposed = generic::propose(program, {arguments.match, machine_of(arguments, machine), device});
  if (!proposed) return std::move(proposed).error();
  return Learned{std::move(*proposed), ""};
}

Result<Learned> learn_ads(const LearnArguments& arguments) {
  const auto program = generic::upload_program(arguments.source, now() + upload_time);
  if (!program) return program.error();
  return learn_program(arguments, *program, "plc", arguments.source);
}

// --device, if it was given: virtual, or an address of this protocol.
Result<void> check_device(const LearnArguments& arguments, std::string_view scheme) {
  if (arguments.device.empty() || arguments.device == "virtual") return {};
  const auto url = net::parse_url(arguments.device);
  if (!url) return within("--device", url.error());
  if (url->scheme == scheme) return {};
  return Error{Fault::invalid,
               fmt::format("--device: expected {}://HOST or virtual, got '{}'", scheme, printable(arguments.device))};
}

Result<Learned> learn_twincat(const LearnArguments& arguments) {
  if (auto good = check_device(arguments, "ads"); !good) return std::move(good).error();
  const auto text = read_source(arguments.source, generic::largest_twincat_file);
  if (!text) return text.error();
  const auto program = generic::read_twincat_file(*text, arguments.source);
  if (!program) return program.error();
  std::string device = arguments.device;
  if (device.empty()) {
    // The first four numbers of a NetId are the address that the PLC once had.
    const std::string net_id = program->net_id.empty() ? "192.168.1.15.1.1" : program->net_id;
    device = fmt::format("ads://{}?net_id={}&port={}", net_id.substr(0, net_id.rfind('.', net_id.rfind('.') - 1)),
                         net_id, program->ams_port > 0 ? program->ams_port : 851);
  }
  auto learned = learn_program(arguments, *program, machine_from_file(arguments.source), device);
  if (learned && arguments.device.empty())
    learned->device.remarks.push_back(
        "Check the device's address: it is " +
        std::string(program->net_id.empty() ? "only an example." : "guessed from its NetId."));
  return learned;
}

Result<Learned> learn_list(const LearnArguments& arguments) {
  if (auto good = check_device(arguments, "modbus"); !good) return std::move(good).error();
  const auto text = read_source(arguments.source, generic::largest_csv);
  if (!text) return text.error();
  generic::RegisterListOptions options;
  options.machine = machine_of(arguments, machine_from_file(arguments.source));
  if (!arguments.device.empty()) options.device = arguments.device;
  options.base = arguments.base;
  auto device = generic::read_register_list(*text, arguments.source, options);
  if (!device) return std::move(device).error();
  return Learned{std::move(*device), ""};
}

// The only Modbus machine of the file, or the one that was named.
Result<std::string> recorded_machine(const record::McapReader& reader, const LearnArguments& arguments) {
  std::vector<std::string> fitting;
  std::string all;
  for (const auto& machine : runtime::recorded_machines(reader)) {
    all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", machine.name, machine.device);
    const bool wanted =
        arguments.machine.empty() ? machine.device.starts_with("modbus://") : machine.name == arguments.machine;
    if (wanted) fitting.push_back(machine.name);
  }
  if (fitting.size() == 1) return fitting.front();
  const std::string what =
      arguments.machine.empty() ? "one machine on Modbus" : fmt::format("a machine '{}'", printable(arguments.machine));
  return Error{Fault::not_found, fmt::format("{}: expected {}, got {}{}", arguments.source, what,
                                             all.empty() ? "no bytes of a device" : all,
                                             fitting.size() > 1 ? "; choose one with --machine" : "")};
}

Result<Learned> learn_recording(const LearnArguments& arguments) {
  if (auto good = check_device(arguments, "modbus"); !good) return std::move(good).error();
  const auto reader = record::McapReader::open(arguments.source);
  if (!reader) return reader.error();
  const auto machine = recorded_machine(*reader, arguments);
  if (!machine) return machine.error();
  Bar bar("read");
  const auto recording =
      runtime::read_field_recording(*reader, *machine, [&bar](double fraction) { bar.at(fraction); });
  if (!recording) return recording.error();
  generic::ModbusFindings findings;
  findings.machine = *machine;
  findings.device = arguments.device.empty() ? recording->device : arguments.device;
  std::uint64_t answers = 0;
  for (const auto& conversation : recording->conversations) {
    generic::ModbusTraffic traffic(findings);
    for (const auto& piece : conversation.pieces) {
      const Bytes said = conversation.said(piece);
      piece.direction == net::Direction::out ? traffic.from_master(said) : traffic.from_device(said);
    }
    answers += traffic.answers();
  }
  if (answers == 0) {
    return Error{Fault::invalid,
                 fmt::format("{}: expected Modbus requests and answers of '{}', got none; only machines on "
                             "Modbus can be learned from a recording",
                             arguments.source, *machine)};
  }
  findings.remarks.push_back(fmt::format("Made by `tandem learn` from {}: {} answers of {} to '{}'.", arguments.source,
                                         answers, recording->device, *machine));
  auto device = generic::propose(findings);
  if (!device) return std::move(device).error();
  return Learned{std::move(*device), ""};
}

Result<Learned> learn_from(const LearnArguments& arguments) {
  const std::string lower = generic::ascii::in_lower_case(arguments.source);
  if (lower.starts_with("ads://")) return learn_ads(arguments);
  if (lower.starts_with("modbus://")) return learn_modbus(arguments);
  const auto ends = [&lower](std::initializer_list<std::string_view> suffixes) {
    return std::ranges::any_of(suffixes, [&](std::string_view suffix) { return lower.ends_with(suffix); });
  };
  if (ends({".tmc", ".tpy"})) return learn_twincat(arguments);
  if (ends({".csv", ".tsv", ".txt"})) return learn_list(arguments);
  if (ends({".mcap"})) return learn_recording(arguments);
  return Error{Fault::not_found,
               fmt::format("expected ads://HOST, modbus://HOST, or a file .csv, .tmc, .tpy or .mcap, got '{}'",
                           printable(arguments.source))};
}

// A file that is there may hold somebody's work.
Result<void> write_out(const std::string& file, const std::string& text) {
  if (::access(file.c_str(), F_OK) == 0)
    return Error{Fault::busy, fmt::format("{}: expected a new file, got one that exists; choose another --out", file)};
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) return Error{Fault::invalid, fmt::format("{}: cannot be written", file)};
  return {};
}

}  // namespace

int learn(const LearnArguments& arguments) {
  if (!arguments.machine.empty() && !is_machine_name(arguments.machine) && !arguments.source.ends_with(".mcap")) {
    return fail(fmt::format("learn: --machine: expected up to 64 of a-z, 0-9 and _, a letter first, got '{}'",
                            printable(arguments.machine)),
                usage);
  }
  if (!arguments.out.empty() && ::access(arguments.out.c_str(), F_OK) == 0)
    return fail(
        fmt::format("learn: {}: expected a new file, got one that exists; choose another --out", arguments.out));
  const auto learned = learn_from(arguments);
  if (!learned)
    return fail("learn: " + learned.error().text, learned.error().text == generic::scan_warning ? usage : failure);
  const auto text = generic::checked_yaml(learned->device);
  if (!text) return fail("learn: " + text.error().text);
  if (arguments.out.empty()) {
    fmt::print("{}", *text);
  } else {
    if (auto written = write_out(arguments.out, *text); !written) return fail("learn: " + written.error().text);
    const auto signals = std::ranges::count(learned->device.signals, false, &generic::ProposedSignal::commented);
    fmt::print("{}: {} signals. Check it with: tandem check {}\n", arguments.out, signals, arguments.out);
  }
  if (learned->incomplete.empty()) return success;
  return fail("learn: incomplete: " + learned->incomplete);
}

}  // namespace tandem::app
