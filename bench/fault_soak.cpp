// SPDX-License-Identifier: Apache-2.0
// All five machines on virtual devices, armed and moving, under a seeded schedule of faults. How far each one moves
// after a fault is read from the physics of its virtual device, never from the machine.
//   bench_fault_soak TANDEM [--for SECONDS] [--seed N] [--only MACHINE]      60 s and seed 1 unless told
// Prints a table per machine and fault. Exits with 1 when a machine moved further than its bound, was armed again
// without an explicit `arm`, or did not come back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include "bench/side_by_side.hpp"
#include "bench/soak_child.hpp"
#include "bench/soak_subject.hpp"
#include "tests/ros2/loopback.hpp"

namespace {

using namespace tandem;
using bench::Child;
using bench::Place;
using bench::Subject;

enum class Fault {
  link_reset,
  black_hole,
  late_answers,
  machine_paused,
  machine_killed,
  device_restarted,
  half_open,
  answers_replayed,
  count
};
constexpr std::size_t fault_count = static_cast<std::size_t>(Fault::count);
constexpr std::array<const char*, fault_count> fault_names{"link reset",     "black hole",      "late answers",
                                                           "machine paused", "machine killed",  "device restarted",
                                                           "half-open",      "answers replayed"};

// How far a machine may go (m; ur3e: rad), as docs/MACHINE.md says, in the order of the faults.
struct Bounds {
  const char* machine;
  std::array<double, fault_count> most;
};
constexpr std::array bounds_table{
    // reset, black hole, late, paused, killed, restarted, half-open, replayed
    Bounds{"raptorlift", {0.8, 0.8, 1.0, 0.8, 0.8, 0.5, 1.0, 1.0}},                   // at 1 m/s
    Bounds{"cable_robot", {0.011, 0.011, 0.016, 0.011, 0.011, 0.011, 0.016, 0.041}},  // at up to 0.3 m/s
    Bounds{"ur3e", {0.18, 0.18, 0.18, 0.18, 0.18, 0.18, 0.18, 0.18}},                 // at 1 rad/s
    Bounds{"orca", {3, 4, 3, 4, 4, 1.3, 2.5, 1.5}},                                   // at 0.9 m/s, full stick
    Bounds{"em1500", {}},                                                             // only read
};
constexpr double reconnect_limit = 0.25;  // s, p99, after the device listens again

double bound_of(const std::string& machine, Fault fault) {
  for (const Bounds& row : bounds_table)
    if (machine == row.machine) return row.most[static_cast<std::size_t>(fault)];
  return 0;
}

// Until it is disarmed a machine with late or repeated answers follows its commands.
bool counts_from_disarm(Fault fault) { return fault == Fault::late_answers || fault == Fault::answers_replayed; }
// Those after which a device listens again; the others end with the machine's own process.
bool is_of_the_link(Fault fault) { return fault != Fault::machine_paused && fault != Fault::machine_killed; }

double distance(const Place& a, const Place& b, bool joints) {
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    const double by = a.position[i] - b.position[i];
    sum += by * by;
    most = std::max(most, std::abs(by));
  }
  return joints ? most : std::sqrt(sum);
}

void wait(Duration time) { std::this_thread::sleep_for(time); }
Instant now() { return system_clock().now(); }

struct Row {
  int count = 0, went_on = 0;  // of them: was not disarmed, and went on
  double farthest = 0;
  std::vector<double> back;  // s until the link was live again
  int beyond = 0, armed_itself = 0, lost = 0;
};

// One machine with its own schedule, on a thread of its own.
class Trial {
 public:
  Trial(Subject& subject, const std::string& program, const std::filesystem::path& folder, int domain,
        std::uint64_t seed)
      : subject_(subject),
        random_(seed),
        child_(program, folder, subject.name(),
               fmt::format("machines:\n  {}: {{ {} }}\nros: {{ domain: {}, discovery: localhost }}\n", subject.name(),
                           subject.entry(), domain)) {}

  void run(Instant end) {
    std::vector<Fault> round;
    while (now() < end) {
      if (!ready(end)) return;
      if (round.empty()) round = shuffled();
      suffer(round.back());
      round.pop_back();
    }
  }

  std::string name() const { return subject_.name(); }
  const char* unit() const { return subject_.unit(); }
  std::map<Fault, Row> rows() const {
    const std::lock_guard lock(mutex_);
    return rows_;
  }
  std::vector<std::string> complaints() const {
    const std::lock_guard lock(mutex_);
    return complaints_;
  }
  int not_ready() const { return not_ready_; }

 private:
  bool moves() const { return subject_.moving() > 0; }
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }

  std::vector<Fault> shuffled() {
    std::vector<Fault> all;
    for (std::size_t i = 0; i < fault_count; ++i) all.push_back(static_cast<Fault>(i));
    std::shuffle(all.begin(), all.end(), random_);
    return all;
  }

  // Live, and armed and moving where it can. Armed here and nowhere else.
  bool ready(Instant end) {
    const Instant patience = now() + 60s;
    for (Instant next{}; now() < patience; wait(5ms)) {
      if (now() > end) return false;
      if (now() < next) continue;
      const auto status = child_.status();
      if (!status || status->state != "live") continue;
      if (!moves()) return true;
      if (status->arm == "armed" && subject_.truth().speed >= subject_.moving()) {
        wait(duration_of(between(0.1, 0.8)));
        if (subject_.truth().speed >= subject_.moving()) return true;
      }
      if (status->arm == "armed") continue;
      next = now() + 300ms;
      if (child_.command("reset")) child_.command("arm");
    }
    const std::lock_guard lock(mutex_);
    ++not_ready_;
    complaints_.push_back(fmt::format("{}: not live, armed and moving within 60 s", name()));
    return true;
  }

  // What is seen between a fault and the next arming.
  struct Watch {
    Place from;             // where distances begin
    bool disarmed = false;  // seen at least once
    bool armed_itself = false;
    double farthest = 0;
  };

  void look(Watch& watch, bool at_child, Fault fault) {
    const Place place = subject_.truth();
    if (counts_from_disarm(fault) && !watch.disarmed) watch.from = place;
    watch.farthest = std::max(watch.farthest, distance(place, watch.from, subject_.unit()[0] == 'r'));
    if (!at_child || !moves()) return;
    const auto status = child_.status();
    if (!status) return;
    const bool armed = status->arm == "armed";
    if (armed && watch.disarmed) watch.armed_itself = true;
    watch.disarmed = watch.disarmed || !armed;
  }

  void look_for(Watch& watch, Duration time, bool at_child, Fault fault) {
    for (const Instant end = now() + time; now() < end; wait(2ms)) look(watch, at_child, fault);
  }

  // Seconds until a sample that came after now is live; nothing when it does not come back.
  std::optional<double> come_back(Watch& watch, Fault fault) {
    const Instant begun = now();
    std::optional<std::uint64_t> before;
    for (Instant next_look{}; now() - begun < 20s; wait(1ms)) {
      const auto status = child_.status();
      if (status && !before) before = status->samples;
      if (status && status->state == "live" && status->samples > *before) return seconds(now() - begun);
      if (now() < next_look) continue;
      next_look = now() + 5ms;
      look(watch, true, fault);
    }
    return std::nullopt;
  }

  template <typename What>
  void all_lines(What what) {
    for (net::FaultProxy& line : subject_.lines()) what(line);
  }
  void unplug(net::Cut how) {
    all_lines([&](net::FaultProxy& line) {
      line.stop_listening();
      line.cut(how);
    });
  }
  void plug() {
    all_lines([](net::FaultProxy& line) {
      line.clear();
      if (auto again = line.listen_again(); !again) throw std::runtime_error(again.error().text);
    });
  }
  void apply(const net::Faults& faults) {
    all_lines([&](net::FaultProxy& line) { line.apply(faults); });
  }

  // Strikes, and gives how long it lasts.
  Duration strike(Fault fault) {
    tail_ = {};
    switch (fault) {
      case Fault::link_reset:
        unplug(net::Cut::rst);
        return duration_of(between(0.05, 1.5));
      case Fault::black_hole:
        apply(net::Faults::both({.black_hole = true}));
        return duration_of(between(0.3, 2.5));
      case Fault::late_answers:
        tail_ = duration_of(between(0.1, 0.6));
        apply({{}, {.delay = tail_, .jitter = 20ms}});
        return duration_of(between(0.5, 2.5));
      case Fault::machine_paused:
        child_.pause();
        return duration_of(between(0.1, 3));
      case Fault::machine_killed:
        child_.kill();
        return duration_of(between(0.2, 2));
      case Fault::device_restarted:
        unplug(net::Cut::rst);
        subject_.restart();
        return duration_of(between(0.2, 1));
      case Fault::half_open:
        if (between(0, 1) < 0.5)
          all_lines([](net::FaultProxy& line) { line.cut(net::Cut::half_to_client); });
        else
          apply({{}, {.black_hole = true}});  // commands still arrive, answers do not
        return duration_of(between(0.3, 2));
      case Fault::answers_replayed:
        apply({{}, {.replay = between(0.1, 0.5)}});
        return duration_of(between(0.3, 1.5));
      case Fault::count:
        break;
    }
    return {};
  }

  void lift(Fault fault) {
    if (fault == Fault::machine_paused) return child_.resume();
    if (fault == Fault::machine_killed) return child_.start();
    plug();
    // The proxy has swallowed bytes for good. A line that heals would send them again; a device that is back resets.
    if (fault == Fault::black_hole || fault == Fault::half_open)
      all_lines([](net::FaultProxy& line) { line.cut(net::Cut::rst); });
  }

  void suffer(Fault fault) {
    Watch watch;
    watch.from = subject_.truth();
    const Duration lasts = strike(fault);
    look_for(watch, lasts, is_of_the_link(fault), fault);
    lift(fault);
    look_for(watch, tail_, true, fault);
    const auto back = come_back(watch, fault);
    look_for(watch, 1s, true, fault);
    // A truck without a brake rolls for long.
    const double rest = subject_.moving() / 20;
    for (const Instant end = now() + 10s; watch.disarmed && subject_.truth().speed > rest && now() < end; wait(2ms))
      look(watch, true, fault);
    note(fault, watch, back);
  }

  void note(Fault fault, const Watch& watch, const std::optional<double>& back) {
    const std::lock_guard lock(mutex_);
    Row& row = rows_[fault];
    ++row.count;
    const auto complain = [&](int& counter, const std::string& text) {
      ++counter;
      complaints_.push_back(fmt::format("{}: {}: {}", name(), fault_names[static_cast<std::size_t>(fault)], text));
    };
    if (!back) complain(row.lost, "not live again within 20 s");
    if (back) row.back.push_back(*back);
    if (!moves()) return;
    if (watch.armed_itself) complain(row.armed_itself, "armed without an explicit arm");
    if (!watch.disarmed) {
      ++row.went_on;
      return;
    }
    row.farthest = std::max(row.farthest, watch.farthest);
    const double most = bound_of(name(), fault);
    if (watch.farthest > most)
      complain(row.beyond, fmt::format("expected at most {:.3f} {}, got {:.3f}", most, unit(), watch.farthest));
  }

  Subject& subject_;
  std::mt19937_64 random_;
  Duration tail_{};  // answers stay late this long after the fault is lifted
  Child child_;
  mutable std::mutex mutex_;
  std::map<Fault, Row> rows_;            // guarded
  std::vector<std::string> complaints_;  // guarded
  std::atomic<int> not_ready_{0};
};

int print(const std::vector<std::unique_ptr<Trial>>& trials) {
  fmt::print("\n{:<12} {:<17} {:>5} {:>7} {:>10} {:>8} {:>9} {:>9} {:>7}\n", "machine", "fault", "count", "went on",
             "farthest", "bound", "back p50", "back p99", "wrong");
  int wrong = 0;
  for (const auto& trial : trials) {
    std::vector<double> all;
    for (const auto& [fault, row] : trial->rows()) {
      const int bad = row.beyond + row.armed_itself + row.lost;
      wrong += bad;
      const double most = bound_of(trial->name(), fault);
      if (most > 0)
        bench::report_at_most(
            fmt::format("{}, {}, farthest", trial->name(), fault_names[static_cast<std::size_t>(fault)]), row.farthest,
            trial->unit(), most);
      fmt::print("{:<12} {:<17} {:>5} {:>7} {:>10} {:>8} {:>6.0f} ms {:>6.0f} ms {:>7}\n", trial->name(),
                 fault_names[static_cast<std::size_t>(fault)], row.count, row.went_on,
                 most > 0 ? fmt::format("{:.3f} {}", row.farthest, trial->unit()) : "-",
                 most > 0 ? fmt::format("{:.2f}", most) : "-", 1e3 * bench::quantile(row.back, 0.5),
                 1e3 * bench::quantile(row.back, 0.99), bad);
      if (is_of_the_link(fault)) all.insert(all.end(), row.back.begin(), row.back.end());
    }
    const double p99 = bench::quantile(all, 0.99);
    fmt::print("{:<12} live again after a fault of the link: p50 {:.0f}, p99 {:.0f}, worst {:.0f} ms of {}{}\n",
               trial->name(), 1e3 * bench::quantile(all, 0.5), 1e3 * p99, 1e3 * bench::quantile(all, 1), all.size(),
               p99 > reconnect_limit ? fmt::format("; wanted: p99 at most {:.0f} ms", 1e3 * reconnect_limit) : "");
    bench::report_at_most(fmt::format("{}, live again after a fault of the link, p99", trial->name()), 1e3 * p99, "ms",
                          1e3 * reconnect_limit);
    wrong += trial->not_ready();
  }
  for (const auto& trial : trials)
    for (const std::string& complaint : trial->complaints()) fmt::print("{}\n", complaint);
  fmt::print("{}\n", wrong == 0 ? "nothing moved beyond its bound, nothing was armed by itself"
                                : fmt::format("{} faults ended wrong", wrong));
  return wrong == 0 ? 0 : 1;
}

struct Arguments {
  std::string program, only;
  double length = 60;  // s
  std::uint64_t seed = 1;
};

Arguments arguments_from(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool last = i + 1 == count;
    if (word == "--for" && !last)
      arguments.length = std::atof(words[++i]);
    else if (word == "--seed" && !last)
      arguments.seed = std::strtoull(words[++i], nullptr, 10);
    else if (word == "--only" && !last)
      arguments.only = words[++i];
    else
      arguments.program = word;
  }
  return arguments;
}

int soak(const Arguments& arguments) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("tandem-soak-{}", getpid());
  std::filesystem::create_directories(folder);
  const ros2::ContextOptions options = ros2::loopback_options();  // a domain that no other test uses
  ros2::Context context(options);
  ros2::Node node(context, "soak");
  auto subjects = bench::make_subjects(node);
  if (!arguments.only.empty()) std::erase_if(subjects, [&](const auto& one) { return one->name() != arguments.only; });
  fmt::print("seed {}, {:.0f} s, files in {}\n", arguments.seed, arguments.length, folder.string());
  std::vector<std::unique_ptr<Trial>> trials;
  for (auto& subject : subjects)
    trials.push_back(std::make_unique<Trial>(*subject, arguments.program, folder, options.domain,
                                             arguments.seed * 1000 + trials.size()));
  const Instant begun = now(), end = begun + duration_of(arguments.length);
  {
    const std::jthread commander([&](const std::stop_token& stop) {
      for (; !stop.stop_requested(); wait(50ms))
        for (auto& subject : subjects) subject->command();
    });
    std::vector<std::jthread> threads;
    for (auto& trial : trials) threads.emplace_back([&trial, end] { trial->run(end); });
    for (Instant next = begun; now() < end; next += 10s) {
      std::this_thread::sleep_until(std::chrono::steady_clock::now() + std::min<Duration>(10s, end - now()));
      int faults = 0;
      std::size_t complaints = 0;
      for (const auto& trial : trials) {
        for (const auto& [fault, row] : trial->rows()) faults += row.count;
        complaints += trial->complaints().size();
      }
      fmt::print(stderr, "{:>5.0f} s: {} faults, {} complaints\n", seconds(now() - begun), faults, complaints);
    }
  }
  const int code = print(trials);
  trials.clear();
  if (code == 0) std::filesystem::remove_all(folder);
  return code;
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments = arguments_from(count, words);
  if (arguments.program.empty() || !(arguments.length > 0)) {
    fmt::print(stderr, "usage: bench_fault_soak build/release/tandem [--for SECONDS] [--seed N] [--only MACHINE]\n");
    return 2;
  }
  try {
    return soak(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_fault_soak: {}\n", error.what());
    return 1;
  }
}
