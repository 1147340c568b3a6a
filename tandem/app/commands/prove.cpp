// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/commands/prove.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "tandem/app/commands.hpp"
#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/terminal/signals.hpp"
#include "tandem/prove/checker/bounds.hpp"
#include "tandem/prove/checker/check.hpp"
#include "tandem/prove/stage/stage.hpp"

namespace tandem::app {
namespace {

namespace checker = prove::checker;

// What became of one seed.
struct ProofRun {
  std::uint64_t seed = 0;
  prove::Played played;
  checker::Report report;
  bool good() const { return played.error.empty() && report.violations.empty(); }
};

double length_of(const ProveArguments& arguments) { return std::round(arguments.minutes * 60e3) / 1e3; }

std::string repeat_command(const ProveArguments& arguments, std::uint64_t seed) {
  return fmt::format("tandem prove {} --seeds 1 --seed {} --minutes {:.6g}{} --keep .",
                     fmt::join(arguments.machines, " "), seed, length_of(arguments) / 60,
                     arguments.stepped ? " --stepped" : "");
}

// A folder of this run's own, gone with it.
class ProofFolder {
 public:
  ProofFolder() : path_(std::filesystem::temp_directory_path() / fmt::format("tandem-prove-{}", ::getpid())) {
    std::filesystem::create_directories(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ProofFolder(const ProofFolder&) = delete;
  ~ProofFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

prove::StageOptions stage_of(const ProveArguments& arguments, std::uint64_t seed, std::string file,
                             std::string folder) {
  prove::StageOptions stage;
  stage.machines = arguments.machines;
  stage.seed = seed;
  stage.length = length_of(arguments);
  stage.file = std::move(file);
  stage.folder = std::move(folder);
  stage.stepped = arguments.stepped;
  stage.speed = arguments.speed;
  return stage;
}

// A run in stepped time takes one core; so that two do not take the same one. What it starts stays there as well.
void stay_on_core(int number) {
  cpu_set_t allowed, one;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) == 0) return;
  CPU_ZERO(&one);
  int left = number % CPU_COUNT(&allowed);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &allowed) && left-- == 0) CPU_SET(core, &one);
  (void)::sched_setaffinity(0, sizeof one, &one);
}

// In a process of its own: there is one simulated time in each.
prove::Played play_alone(const ProveArguments& arguments, std::uint64_t seed, const std::string& file) {
  std::vector<std::string> words{"tandem", "prove"};
  words.insert(words.end(), arguments.machines.begin(), arguments.machines.end());
  for (std::string word : {std::string("--stepped"), std::string("--seed"), fmt::format("{}", seed),
                           std::string("--minutes"), fmt::format("{:.9g}", length_of(arguments) / 60),
                           std::string("--speed"), fmt::format("{:g}", arguments.speed), std::string("--play"), file})
    words.push_back(std::move(word));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  prove::Played played;
  played.file = file;
  const Instant begun = now();
  ::pid_t child = 0;
  int status = -1;
  // This process holds the signals that end it back; the new one must not.
  ::posix_spawnattr_t attributes;
  ::sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int failed = ::posix_spawn(&child, "/proc/self/exe", nullptr, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    played.error = "cannot start a process: " + std::generic_category().message(failed);
  } else {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
      played.error = fmt::format("process of the run: expected an end by itself, got signal {}", WTERMSIG(status));
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      played.error = fmt::format("process of the run: expected exit status 0, got {}", WEXITSTATUS(status));
  }
  played.took = seconds(now() - begun);
  return played;
}

// What that process does.
int play_only(const ProveArguments& arguments, const runtime::Registry& registry) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // of the thread that waits for it
  const std::filesystem::path file = arguments.play;
  const auto played =
      prove::play(stage_of(arguments, arguments.seed, file.string(), file.parent_path().string()), registry);
  return played.error.empty() ? success : fail(played.error);
}

class Proof {
 public:
  Proof(const ProveArguments& arguments, const runtime::Registry& registry)
      : arguments_(arguments), registry_(registry) {}

  int run() {
    if (!arguments_.keep.empty()) std::filesystem::create_directories(arguments_.keep);
    Signals signals;
    const Instant begun = now();
    {
      std::vector<std::jthread> jobs;
      for (; working_ < arguments_.jobs; ++working_)
        jobs.emplace_back([this, number = working_.load()] {
          if (arguments_.stepped) stay_on_core(number);
          work();
        });
      while (working_ > 0) {
        if (!signals.wait(100ms) || next_ >= arguments_.seeds) continue;
        next_ = arguments_.seeds;
        fmt::print(stderr, "the runs that have begun are finished; once more to end at once\n");
      }
    }
    const double took = seconds(now() - begun);
    std::ranges::sort(runs_, {}, &ProofRun::seed);
    if (arguments_.json)
      print_json(took);
    else
      print_table(took);
    return std::ranges::all_of(runs_, &ProofRun::good) ? success : failure;
  }

 private:
  void work() {
    while (true) {
      const std::uint64_t place = next_++;
      if (place >= arguments_.seeds) {
        --working_;
        return;
      }
      ProofRun run;
      run.seed = arguments_.seed + place;
      const std::string file = (scratch_.path() / fmt::format("prove_{}.mcap", run.seed)).string();
      run.played = arguments_.stepped
                       ? play_alone(arguments_, run.seed, file)
                       : prove::play(stage_of(arguments_, run.seed, file, scratch_.path().string()), registry_);
      if (run.played.error.empty()) judge(run);
      keep(run);
      report(run);
      const std::lock_guard lock(mutex_);
      runs_.push_back(std::move(run));
    }
  }

  static void judge(ProofRun& run) {
    const auto history = prove::checker::read_history(run.played.file);
    if (!history)
      run.played.error = history.error().text;
    else
      run.report = prove::checker::check(*history);
  }

  // A recording that shows nothing new goes.
  void keep(ProofRun& run) const {
    const std::filesystem::path from = run.played.file;
    std::error_code failed;
    if (run.good() && arguments_.keep.empty()) {
      std::filesystem::remove(from, failed);
      run.played.file.clear();
      return;
    }
    const std::filesystem::path to =
        std::filesystem::path(arguments_.keep.empty() ? "." : arguments_.keep) / from.filename();
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, failed);
    if (!failed) std::filesystem::remove(from, failed);
    run.played.file = to.string();
  }

  void report(const ProofRun& run) {
    const std::lock_guard lock(mutex_);
    const auto& counts = run.report.counts;
    fmt::print(stderr, "seed {}: {:.1f} s, {} faults, {} commands, {} arms, {} losses: {}\n", run.seed, run.played.took,
               counts.faults, counts.commands, counts.arms, counts.losses,
               !run.played.error.empty() ? run.played.error
               : run.good()              ? std::string("no violation")
                                         : fmt::format("{} violations", run.report.violations.size()));
    if (run.good()) return;
    for (const auto& violation : run.report.violations)
      fmt::print(stderr, "  {}\n", prove::checker::text_of(violation));
    fmt::print(stderr, "  repeat: {}\n", repeat_command(arguments_, run.seed));
    if (!run.played.file.empty()) fmt::print(stderr, "  see:    tandem replay {}\n", run.played.file);
  }

  checker::Report total() const {
    checker::Report all;
    for (const ProofRun& run : runs_) all += run.report;
    return all;
  }
  double speed(double took) const { return static_cast<double>(runs_.size()) * length_of(arguments_) / took; }

  void print_table(double took) const {
    const checker::Report all = total();
    const auto failed = std::ranges::count_if(runs_, [](const ProofRun& run) { return !run.good(); });
    fmt::print("{:<36} {:>10} {:>8} {:>10}\n", "invariant", "judged", "skipped", "violations");
    for (std::size_t i = 1; i < prove::checker::invariant_count; ++i)
      fmt::print("({}) {:<32} {:>10} {:>8} {:>10}\n", i, name(static_cast<prove::checker::Invariant>(i)), all.judged[i],
                 all.skipped[i], all.broken[i]);
    fmt::print("\n{:<48} {:>10} {:>8}\n", "nearest to the bound", "reached", "bound");
    for (const auto& [what, margin] : all.nearest)
      if (margin.reached > 0) fmt::print("{:<48} {:>10.3f} {:>8.3f}\n", what, margin.reached, margin.bound);
    fmt::print("\n");
    fmt::print(
        "{} seeds of {:g} s on {}: {} faults, {} commands, {} motions, {} arms, {} losses, {} goals, {:.0f} s in "
        "motion\n",
        runs_.size(), length_of(arguments_), fmt::join(arguments_.machines, ", "), all.counts.faults,
        all.counts.commands, all.counts.motions, all.counts.arms, all.counts.losses, all.counts.goals,
        all.counts.moving);
    fmt::print("{:.2f} times real time, {} of {} seeds failed\n", speed(took), failed, runs_.size());
  }

  void print_json(double took) const {
    const checker::Report all = total();
    nlohmann::json json{{"seeds", runs_.size()},
                        {"first_seed", arguments_.seed},
                        {"seconds", length_of(arguments_)},
                        {"machines", arguments_.machines},
                        {"speed", speed(took)}};
    json["counts"] = {{"faults", all.counts.faults}, {"commands", all.counts.commands}, {"motions", all.counts.motions},
                      {"arms", all.counts.arms},     {"losses", all.counts.losses},     {"goals", all.counts.goals},
                      {"moving", all.counts.moving}};
    for (std::size_t i = 0; i < prove::checker::invariant_count; ++i)
      json["invariants"].push_back({{"number", i},
                                    {"name", name(static_cast<prove::checker::Invariant>(i))},
                                    {"judged", all.judged[i]},
                                    {"skipped", all.skipped[i]},
                                    {"violations", all.broken[i]}});
    json["failed"] = nlohmann::json::array();
    for (const ProofRun& run : runs_) {
      if (run.good()) continue;
      nlohmann::json failed{{"seed", run.seed},
                            {"file", run.played.file},
                            {"repeat", repeat_command(arguments_, run.seed)},
                            {"error", run.played.error},
                            {"violations", nlohmann::json::array()}};
      for (const auto& violation : run.report.violations)
        failed["violations"].push_back({{"invariant", static_cast<int>(violation.invariant)},
                                        {"machine", violation.machine},
                                        {"t", violation.t},
                                        {"expected", violation.expected},
                                        {"got", violation.got}});
      json["failed"].push_back(std::move(failed));
    }
    fmt::print("{}\n", json.dump());
  }

  const ProveArguments& arguments_;
  const runtime::Registry& registry_;
  const ProofFolder scratch_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<int> working_{0};
  std::mutex mutex_;
  std::vector<ProofRun> runs_;  // guarded until all jobs have ended
};

int judge_file(const std::string& file) {
  const auto history = prove::checker::read_history(file);
  if (!history) return fail(history.error().text);
  if (history->machines.empty()) return fail(file + ": expected a recording of `tandem prove`, got no machine in it");
  const checker::Report report = checker::check(*history);
  for (const auto& violation : report.violations) fmt::print("{}\n", prove::checker::text_of(violation));
  fmt::print("seed {}: {} violations\n", history->seed, report.violations.size());
  return report.violations.empty() ? success : failure;
}

// All machines that the checker can judge, or those that are asked for.
bool complete_machines(std::vector<std::string>& machines, const runtime::Registry& registry) {
  if (machines.empty())
    for (const auto& bounds : prove::checker::all_bounds()) machines.emplace_back(bounds.type);
  for (const std::string& machine : machines) {
    if (known_machine(machine, registry) == nullptr) return false;
    if (prove::checker::bounds_of(machine) != nullptr && std::ranges::count(machines, machine) == 1) continue;
    fail(fmt::format("{}: expected machines with bounds to judge by, each once", machine), usage);
    return false;
  }
  return true;
}

}  // namespace

int prove(const ProveArguments& given, const runtime::Registry& registry) {
  ProveArguments arguments = given;
  if (!arguments.check.empty()) return judge_file(arguments.check);
  if (!complete_machines(arguments.machines, registry)) return usage;
  if (arguments.show) {
    fmt::print("{}", prove::text_of(prove::schedule_of(stage_of(arguments, arguments.seed, "", ""))));
    return success;
  }
  if (!arguments.play.empty()) return play_only(arguments, registry);
  try {
    return Proof(arguments, registry).run();
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

std::pair<CLI::App*, std::function<int()>> add_prove(CLI::App& program, const runtime::Registry& registry) {
  const auto arguments = std::make_shared<ProveArguments>();
  CLI::App* command = program.add_subcommand("prove", "break virtual machines at random and judge the history");
  command->footer(
      "Examples:\n"
      "  tandem prove raptorlift --seeds 3\n"
      "  tandem prove --seeds 20 --keep runs             # all machines at once\n"
      "  tandem prove ur3e orca --seed 17 --minutes 2 --json\n"
      "  tandem prove raptorlift --seed 17 --show        # the schedule, without running it\n"
      "  tandem prove --check prove_17.mcap              # judge a recording again\n"
      "  tandem prove --stepped --seeds 100 --jobs 2     # in simulated time, without ROS\n"
      "Runs are in real time, each on a DDS domain of its own on this computer, or --stepped. Exit status: 0 without\n"
      "a violation, 1 with one; a failing seed prints the command that repeats it and keeps its recording. Not a\n"
      "safety function.\n");
  command->add_option("MACHINE", arguments->machines, "machine types; default: all of Tandem's own");
  command->add_option("--seeds", arguments->seeds, "number of runs")
      ->type_name("N")
      ->check(whole_number_check(1, 1000000));
  command->add_option("--seed", arguments->seed, "seed of the first run")->type_name("SEED");
  command->add_option("--minutes", arguments->minutes, "length of each run (min); default: 20 s")
      ->type_name("M")
      ->check(number_check(0.1, 1440));
  command->add_option("--keep", arguments->keep, "folder for all recordings; default: those of failing seeds, here")
      ->type_name("FOLDER");
  command->add_option("--jobs", arguments->jobs, "runs at the same time")
      ->type_name("N")
      ->check(whole_number_check(1, 64));
  CLI::Option* stepped = command->add_flag("--stepped", arguments->stepped,
                                           "simulated time, without ROS: as fast as it can be computed, and each time "
                                           "the same");
  command->add_option("--speed", arguments->speed, "maximum speed of simulated time (times real time); 0: no limit")
      ->type_name("N")
      ->check(number_check(0, 1000))
      ->needs(stepped);
  command->add_option("--play", arguments->play)->group("")->needs(stepped);
  command->add_flag("--json", arguments->json, "print one JSON object at the end");
  CLI::Option* show = command->add_flag("--show", arguments->show, "print the schedule of the first seed and end");
  command->add_option("--check", arguments->check, "judge a recording of `tandem prove` and end")
      ->type_name("FILE")
      ->excludes(show);
  return {command, [arguments, &registry] { return prove(*arguments, registry); }};
}

}  // namespace tandem::app
