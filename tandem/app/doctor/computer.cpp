// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/doctor/computer.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace tandem::app::doctor {

namespace {

std::string first_line(const char* file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

long long limit_of(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return 0;
  return limit.rlim_cur == RLIM_INFINITY ? -1 : static_cast<long long>(limit.rlim_cur);
}

int leftovers(const char* folder, std::string_view start) {
  int count = 0;
  std::error_code trouble;
  for (const auto& entry : std::filesystem::directory_iterator(folder, trouble))
    count += entry.path().filename().string().starts_with(start) ? 1 : 0;
  return count;
}

// Tried, since neither the user's name nor a limit decides it: root in a container may not, others may by a capability.
bool may_run_in_real_time() {
  bool may = false;
  std::thread([&may] {
    const sched_param parameters{.sched_priority = 50};
    may = ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters) == 0;
  }).join();
  return may;
}

std::string folder_trouble(const std::filesystem::path& folder) {
  std::error_code trouble;
  std::filesystem::path existing = folder;
  while (!existing.empty() && !std::filesystem::exists(existing, trouble) && existing != existing.parent_path())
    existing = existing.parent_path();
  if (existing.empty()) existing = ".";
  if (access(existing.c_str(), W_OK | X_OK) != 0)
    return fmt::format("{} cannot be written by this user", existing.string());
  return "";
}

Finding cycle_priority(const ComputerFacts& facts) {
  if (facts.real_time)
    return {Grade::fine, "real-time", "this user may run real-time threads: chrt -f 50 tandem run ..."};
  return {Grade::note, "real-time", "no real-time priority for this user: a cycle may be milliseconds late under load",
          "for controllers of 500 Hz and more: add '@realtime - rtprio 80' to /etc/security/limits.d/realtime.conf, "
          "put the user into group realtime, log in again, and start by `chrt -f 50 tandem run ...`"};
}

Finding kernel(const ComputerFacts& facts) {
  if (facts.preempt_rt) return {Grade::fine, "kernel", "PREEMPT_RT"};
  return {Grade::note, "kernel", "no PREEMPT_RT: enough for the virtual machines and for 100 Hz links",
          "for a real UR arm at 500 Hz: apt-get install linux-image-rt-amd64, then reboot"};
}

Finding processor(const ComputerFacts& facts) {
  if (facts.load > facts.cores) {
    return {Grade::note, "processor",
            fmt::format("load {:.1f} on {} cores: cycles will be late", facts.load, facts.cores),
            "stop other programs, or run fewer machines on this computer"};
  }
  if (facts.cores < 2)
    return {Grade::note, "processor", "one core: the machines delay each other", "use two or more cores"};
  return {Grade::fine, "processor", fmt::format("{} cores, load {:.1f}", facts.cores, facts.load)};
}

Finding clock_found(const ComputerFacts& facts) {
  if (facts.clock_synchronised) return {Grade::fine, "clock", "synchronised"};
  return {Grade::note, "clock",
          "not synchronised: stamps of other computers will not match, and commands with old stamps are refused",
          "apt-get install chrony (or systemd-timesyncd), on all computers of the system"};
}

}  // namespace

ComputerFacts look_at_computer(const std::string& control_socket) {
  ComputerFacts facts;
  facts.cores = std::max(1u, std::thread::hardware_concurrency());
  double load = 0;
  if (getloadavg(&load, 1) == 1) facts.load = load;
  facts.real_time = may_run_in_real_time();
  facts.descriptors = limit_of(RLIMIT_NOFILE);
  facts.preempt_rt =
      first_line("/sys/kernel/realtime") == "1" || first_line("/proc/version").find("PREEMPT_RT") != std::string::npos;
  facts.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  facts.clock_source = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  timex time{};
  const int clock_state = adjtimex(&time);
  facts.clock_synchronised = clock_state >= 0 && clock_state != TIME_ERROR;
  facts.receive_buffer = std::atoll(first_line("/proc/sys/net/core/rmem_max").c_str());
  struct statvfs disk {};
  if (statvfs(".", &disk) == 0) facts.free_disk = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
  facts.dead_shared_memory = leftovers("/dev/shm", "fastrtps_");
  facts.control_folder = std::filesystem::path(control_socket).parent_path().string();
  if (facts.control_folder.empty()) facts.control_folder = ".";
  facts.control_trouble = folder_trouble(facts.control_folder);
  return facts;
}

Findings judge(const ComputerFacts& facts) {
  Findings findings = {processor(facts), cycle_priority(facts), kernel(facts), clock_found(facts)};
  if (!facts.governor.empty() && facts.governor != "performance") {
    findings.push_back(
        {Grade::note, "processor",
         fmt::format("CPU frequency governor '{}': the first cycles after a pause are slow", facts.governor),
         "cpupower frequency-set -g performance"});
  }
  if (facts.clock_source == "hpet" || facts.clock_source == "acpi_pm" || facts.clock_source == "jiffies") {
    findings.push_back(
        {Grade::note, "clock",
         fmt::format("clock source '{}' is slow to read: microseconds instead of nanoseconds", facts.clock_source),
         "see dmesg for why the kernel does not use the TSC"});
  }
  if (facts.descriptors >= 0 && facts.descriptors < 256) {
    findings.push_back(
        {Grade::wrong, "limits", fmt::format("limit of {} open files", facts.descriptors), "ulimit -n 4096"});
  }
  if (facts.receive_buffer > 0 && facts.receive_buffer < 1 << 20) {
    findings.push_back({Grade::note, "limits",
                        fmt::format("maximum socket receive buffer {} kB: images from other DDS vendors may be lost",
                                    facts.receive_buffer / 1024),
                        "sysctl -w net.core.rmem_max=4194304"});
  }
  if (facts.free_disk < 1'000'000'000) {
    findings.push_back(
        {Grade::note, "disk",
         fmt::format("{} MB free here: a recording will soon fill the disk", facts.free_disk / 1'000'000),
         "record to another disk: --record /path/run.mcap"});
  } else {
    findings.push_back({Grade::fine, "disk", fmt::format("{} GB free here", facts.free_disk / 1'000'000'000)});
  }
  if (facts.dead_shared_memory > 0) {
    findings.push_back(
        {Grade::note, "DDS",
         fmt::format("{} files fastrtps_* in /dev/shm: DDS processes with shared memory are running, or were killed",
                     facts.dead_shared_memory),
         "while no ROS 2 process runs: rm /dev/shm/fastrtps_*"});
  }
  if (!facts.control_trouble.empty()) {
    findings.push_back({Grade::wrong, "permissions", fmt::format("control socket: {}", facts.control_trouble),
                        "choose another path: --control PATH, or TANDEM_CONTROL"});
  } else {
    findings.push_back({Grade::fine, "permissions", fmt::format("control socket in {}", facts.control_folder)});
  }
  return findings;
}

}  // namespace tandem::app::doctor
