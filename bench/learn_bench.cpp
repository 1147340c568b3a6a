// SPDX-License-Identifier: Apache-2.0
// How long `tandem learn` takes for a PLC of 5,000 variables, from the start of the command to its end: upload, tree,
// proposal of 2,000 signals, and the check that the reader takes the file.
//
//   bench_learn build/bench/tandem
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "bench/report.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/protocols/ads/server/server.hpp"

using namespace tandem;

namespace {

constexpr int variables = 5000, variables_a_list = 500;

void fill(ads::SymbolTable& table) {
  for (int i = 0; i < variables; ++i)
    table.add(fmt::format("GVL_{}.fValue{}", i / variables_a_list, i), i % 2 == 0 ? "REAL" : "DINT", "value [mm]");
}

// Seconds of wall time; negative if the command failed.
double learn(const std::string& tandem, const std::string& url) {
  const auto before = system_clock().now();
  const pid_t child = ::fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(126);
    ::execl(tandem.c_str(), "tandem", "learn", url.c_str(), "--match", "GVL_0.*", "--match", "GVL_1.*", "--match",
            "GVL_2.*", "--match", "GVL_3.*", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return seconds(system_clock().now() - before);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string tandem = argc > 1 ? argv[1] : "build/bench/tandem";
  ads::SymbolTable table;
  fill(table);
  ads::ServerOptions options;
  options.tcp_port = 0;
  options.udp = false;
  auto server = ads::Server::listen(table, options);
  if (!server) {
    fmt::print(stderr, "{}\n", server.error().text);
    return 1;
  }
  const std::jthread serving([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) (*server)->poll(system_clock().now() + 5ms);
  });
  const std::string url = fmt::format("ads://127.0.0.1:{}", (*server)->tcp_port());
  std::vector<double> taken;
  for (int i = 0; i < (bench::quick() ? 1 : 5); ++i) taken.push_back(learn(tandem, url));
  std::ranges::sort(taken);
  if (taken.front() < 0) {
    fmt::print(stderr, "{} learn {}: expected exit status 0, got another one\n", tandem, url);
    return 1;
  }
  const double median = taken[taken.size() / 2];
  fmt::print("learn a PLC of {} variables, 2000 of them taken: {:.2f} s (wanted: at most 5)\n", variables, median);
  bench::report_at_most("learn a PLC of 5,000 variables, 2,000 taken, median", median, "s", 5);
}
