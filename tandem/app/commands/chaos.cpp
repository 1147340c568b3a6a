// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/commands/chaos.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "tandem/app/commands.hpp"
#include "tandem/app/terminal/render.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/runtime/chaos/schedule.hpp"
#include "tandem/runtime/control/client.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::app {
namespace {

namespace faults = runtime::chaos;
using faults::Entry;
using faults::Report;
using faults::Schedule;

struct ChaosArguments {
  std::vector<std::string> words;
  std::string control, schedule, save, seed, length;
  bool random = false, i_know = false;
};

int chaos_failed(const Error& error) { return fail(error.text, error.fault == Fault::not_found ? usage : failure); }

std::string link_text(const Report& report) {
  return fmt::format("{}, {:.1f}/s, age {}{}", report.state == "live" ? report.quality : report.state, report.rate,
                     report.age < 0 ? "-" : short_time(report.age), report.arm.empty() ? "" : ", " + report.arm);
}

// Begins the entries of a schedule when they are due, and prints what they did. Every one ends by itself in the running
// tandem, whatever becomes of this.
class SchedulePlayer {
 public:
  SchedulePlayer(std::string path, Schedule schedule, bool i_know)
      : path_(std::move(path)), schedule_(std::move(schedule)), i_know_(i_know) {}

  int play(Signals& signals) {
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    const Instant begun = now();
    Instant next_line = begun + 1s;
    while (true) {
      for (; next_ < schedule_.entries.size() && now() >= begun + schedule_.entries[next_].at; ++next_)
        if (const auto done = begin(schedule_.entries[next_]); !done) return give_up(done.error());
      const auto reports = runtime::ask_chaos_reports(path_, "");
      if (!reports) return chaos_failed(reports.error());
      const bool line_now = terminal && now() >= next_line;
      bool over = next_ == schedule_.entries.size();
      for (const Report& report : *reports) {
        if (!runs_.contains(report.machine)) continue;
        over = !watch(report, line_now ? seconds(now() - begun) : -1) && over;
      }
      std::fflush(stdout);
      if (over) return success;
      if (line_now) next_line += 1s;
      if (signals.wait(100ms)) return clear_ours();
    }
  }

  // With the seeds that the tandem drew.
  const Schedule& played() const { return schedule_; }

 private:
  struct Ours {
    std::uint64_t first = 0, last = 0;  // runs
    std::uint64_t printed = 0;
  };

  Result<void> begin(Entry& entry) {
    const auto text = runtime::ask_chaos(path_, faults::text_of(entry.terms), entry.machine, i_know_);
    if (!text) return text.error();
    fmt::print("{}\n", *text);
    const auto report = runtime::ask_chaos_reports(path_, entry.machine);
    if (!report) return report.error();
    if (report->empty()) return {};
    Ours& ours = runs_[entry.machine];
    ours.last = report->front().run;
    if (ours.first == 0) ours.first = ours.last;
    if (const auto terms = faults::parse_terms(report->front().terms)) entry.terms.seed = terms->seed;
    return {};
  }

  // True while there is more to come of this machine. `time` of a line about it, s; negative: no line.
  bool watch(const Report& report, double time) {
    Ours& ours = runs_.at(report.machine);
    const bool going_on = report.measuring && report.run == ours.last;
    if (time >= 0 && going_on)
      fmt::print("{:6.1f} s  {}: {}{}{}{}\n", time, report.machine, link_text(report), report.unit.empty() ? "" : ", ",
                 faults::motion_text(report),
                 report.active ? fmt::format(", {:.1f} s left", report.remaining) : ", faults over");
    for (const faults::RunResult& result : report.results) {
      if (result.run < ours.first || result.run > ours.last || result.run <= ours.printed) continue;
      ours.printed = result.run;
      fmt::print("{}\n", result.text);
      if (result.run == report.run) fmt::print("{}: {}\n", report.machine, faults::counts_text(report));
    }
    return going_on;
  }

  int clear_ours() {
    for (const auto& [machine, ours] : runs_)
      if (const auto text = runtime::ask_chaos(path_, "clear", machine, false)) fmt::print("{}\n", *text);
    return success;
  }

  int give_up(const Error& error) {
    clear_ours();
    return chaos_failed(error);
  }

  const std::string path_;
  Schedule schedule_;
  const bool i_know_;
  std::size_t next_ = 0;
  std::map<std::string, Ours> runs_;
};

int list_chaos(const std::string& path, const std::string& machine) {
  const auto reports = runtime::ask_chaos_reports(path, machine);
  if (!reports) return chaos_failed(reports.error());
  if (reports->empty()) {
    fmt::print("{} no fault proxy; write `chaos: true` under the machine, or start with --chaos\n",
               machine.empty() ? "no machine has a fault proxy:" : machine + ":");
    return success;
  }
  for (const Report& report : *reports) {
    fmt::print("{}: {}; {}\n", report.machine,
               report.active ? fmt::format("{}, {:.1f} s left, by {}", report.terms, report.remaining, report.by)
                             : std::string("ready"),
               link_text(report));
    if (!report.results.empty()) fmt::print("  last: {}\n", report.results.back().text);
  }
  return success;
}

Result<std::uint64_t> chosen_seed(const std::string& text) {
  std::uint64_t seed = std::random_device{}() % 1'000'000;
  if (text.empty()) return seed;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return seed;
  return Error{Fault::invalid, fmt::format("--seed: expected a whole number, got '{}'", printable(text))};
}

Result<Schedule> random_from(const ChaosArguments& arguments, const std::string& path, const std::string& machine) {
  const auto seed = chosen_seed(arguments.seed);
  if (!seed) return seed.error();
  const auto length = faults::parse_duration("--for", arguments.length.empty() ? "60s" : arguments.length, 1s, 24h);
  if (!length) return length.error();
  const auto reports = runtime::ask_chaos_reports(path, machine);
  if (!reports) return reports.error();
  std::vector<faults::Target> targets;
  for (const Report& report : *reports) targets.push_back({report.machine, report.streams, report.datagrams});
  if (targets.empty())
    return Error{Fault::unsupported, "--random: expected a machine with a fault proxy, got none; start with --chaos"};
  Schedule schedule = faults::random_schedule(*seed, *length, targets);
  fmt::print("seed {}, {} faults in {}\n", *seed, schedule.entries.size(), faults::text_of(*length));
  return schedule;
}

Result<Schedule> schedule_from(const std::string& file, const std::string& machine) {
  std::ifstream stream(file);
  if (!stream) return Error{Fault::not_found, fmt::format("{}: cannot be read", printable(file, 200))};
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    return faults::parse_schedule(text.str(), file, machine);
  } catch (const yaml::FileError& error) {
    return Error{Fault::invalid, error.what()};
  }
}

// Of the words behind the machine.
Result<Schedule> single_from(const std::vector<std::string>& words) {
  auto terms = faults::parse_terms(fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " ")));
  if (!terms) return std::move(terms).error();
  return Schedule{terms->seed.value_or(0), {{Duration::zero(), words.front(), *terms}}};
}

Result<void> check_words(const ChaosArguments& arguments) {
  const auto& words = arguments.words;
  const bool planned = arguments.random || !arguments.schedule.empty();
  if (arguments.random && !arguments.schedule.empty())
    return Error{Fault::invalid, "expected --random or --schedule, got both"};
  if (planned && words.size() > 1)
    return Error{Fault::invalid,
                 fmt::format("expected a machine alone before --random and --schedule, got '{}'", printable(words[1]))};
  if (!arguments.random && !(arguments.seed.empty() && arguments.length.empty()))
    return Error{Fault::invalid, "--seed and --for: expected with --random; otherwise write seed=7 and for=10s"};
  if (!words.empty() && words.front().find('=') != std::string::npos)
    return Error{Fault::invalid,
                 fmt::format("expected the name of a machine before the faults, got '{}'", printable(words.front()))};
  return {};
}

int run_chaos(const ChaosArguments& arguments) {
  if (const auto good = check_words(arguments); !good) return fail("chaos: " + good.error().text, usage);
  const std::string path = runtime::control_path(arguments.control);
  const auto& words = arguments.words;
  const std::string machine = words.empty() ? "" : words.front();
  const bool planned = arguments.random || !arguments.schedule.empty();
  if (!planned && words.size() <= 1 && machine != "clear") return list_chaos(path, machine);
  if (machine == "clear" || (words.size() == 2 && words[1] == "clear")) {
    const auto text = runtime::ask_chaos(path, "clear", machine == "clear" ? "" : machine, false);
    if (!text) return chaos_failed(text.error());
    fmt::print("{}\n", *text);
    return success;
  }
  const auto schedule = arguments.random              ? random_from(arguments, path, machine)
                        : !arguments.schedule.empty() ? schedule_from(arguments.schedule, machine)
                                                      : single_from(words);
  if (!schedule) return chaos_failed(schedule.error());
  Signals signals;
  SchedulePlayer player(path, *schedule, arguments.i_know);
  const int code = player.play(signals);
  if (arguments.save.empty()) return code;
  Schedule played = player.played();
  if (!planned) played.seed = played.entries.front().terms.seed.value_or(0);
  std::ofstream file(arguments.save);
  file << faults::text_of(played);
  if (!file.flush()) return fail(fmt::format("{}: cannot be written", printable(arguments.save, 200)));
  fmt::print("saved as {}; repeat it with: tandem chaos --schedule {}\n", arguments.save, arguments.save);
  return code;
}

}  // namespace

std::pair<CLI::App*, std::function<int()>> add_chaos(CLI::App& program) {
  auto arguments = std::make_shared<ChaosArguments>();
  CLI::App* command = program.add_subcommand("chaos", "put faults on the links of a running tandem, and measure them");
  command->footer(
      "Examples:\n  tandem demo --chaos           # in another terminal; or `chaos: true` under a machine\n"
      "  tandem chaos                  # which machines have fault proxies, and what is on\n"
      "  tandem chaos raptorlift delay=50ms jitter=20ms loss=1% for=10s seed=7\n"
      "  tandem chaos raptorlift blackhole to=client for=2s\n  tandem chaos raptorlift clear\n"
      "  tandem chaos --random --seed 7 --for 60s --save run.yaml\n  tandem chaos --schedule run.yaml\n"
      "Faults:\n  delay=50ms jitter=20ms        every chunk so much later; jitter up to so much more\n"
      "  loss=1% duplicate=1%          share of chunks (a datagram, or what one read of a stream gave)\n"
      "  reorder=1%                    share of datagrams that come behind the next one; UDP\n"
      "  corrupt=1e-5                  probability per byte that a bit flips\n"
      "  slice=7 rate=10kB/s           bytes per write (TCP); bandwidth\n"
      "  blackhole hold                nothing arrives; nothing arrives until the end, then everything\n"
      "  reset half-open               once: reset connections; close one direction (TCP)\n"
      "  to=device|client|both         direction; the client is the machine; default: both, half-open: client\n"
      "  for=10s                       10ms to 10min; ends by itself in the running tandem\n"
      "  seed=7                        repeats the chances of a run; default: drawn and printed\n"
      "duplicate, reorder, corrupt and slice alone mean the values above.\n"
      "A real device that is armed is refused without --i-know, and arming one while faults are on is refused.\n");
  command->add_option("MACHINE", arguments->words, "machine by its name in the configuration, then faults, or clear");
  command->add_option("--schedule", arguments->schedule, "run the faults of this YAML file")->type_name("FILE");
  command->add_flag("--random", arguments->random, "run random faults on this machine, or on all");
  command->add_option("--seed", arguments->seed, "seed of --random; default: drawn and printed")->type_name("N");
  command->add_option("--for", arguments->length, "length of --random, such as 60s; default: 60s")->type_name("TIME");
  command->add_option("--save", arguments->save, "write what was run as a schedule, with its seeds")->type_name("FILE");
  command->add_flag("--i-know", arguments->i_know, "also for a real device that is armed");
  command->add_option("--control", arguments->control, "path of the control socket")->type_name("PATH");
  return {command, [arguments] { return run_chaos(*arguments); }};
}

}  // namespace tandem::app
