// SPDX-License-Identifier: Apache-2.0
// A running tandem as a person has it: in a terminal, whose screen is that of an independent model of one.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "tandem/app/terminal/console.hpp"
#include "tests/app/terminal/vt_screen.hpp"
#include "tests/app/typist.hpp"

namespace tandem::app {

namespace {

constexpr std::array names{"platform", "submarine", "lift", "cables", "arm"};

struct LiveFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tandem-live-{}", ::getpid());
  std::string config = (path / "five.yaml").string();
  std::string control = (path / "c.sock").string();

  LiveFolder() {
    std::filesystem::create_directories(path);
    std::ofstream file(config);
    file << "ros: { enabled: false }\nmachines:\n";
    for (const char* name : names) file << fmt::format("  {}: {{ type: counter, device: virtual }}\n", name);
    file << "  broken: { type: counter, device: virtual, mood: exploding }\n";
  }
  ~LiveFolder() { std::filesystem::remove_all(path); }
  std::vector<std::string> run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run", config, "--control", control, "--web", "127.0.0.1:0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

// The terminal's screen follows what the program writes.
struct Watched {
  Typist typist;
  VtScreen screen;
  std::size_t fed = 0;

  Watched(const std::vector<std::string>& arguments, unsigned short columns, unsigned short rows)
      : typist(TANDEM_PROGRAM, arguments, columns, rows), screen(columns, rows) {}
  void follow(const std::string& all) {
    screen.feed(std::string_view(all).substr(fed));
    fed = all.size();
  }
  template <typename Holds>
  bool until(Holds holds, Duration limit = 30s) {
    const Instant end = system_clock().now() + limit;
    while (!holds(screen)) {
      if (system_clock().now() > end) return false;
      follow(typist.read(50ms));
    }
    return true;
  }
  void resize(unsigned short columns, unsigned short rows) {
    follow(typist.read(0ms));
    typist.resize(columns, rows);
    screen.resize(columns, rows);
  }
  int finish() {
    const int code = typist.finish();
    follow(typist.screen());
    return code;
  }
};

bool has(const std::vector<std::string>& lines, std::string_view start, std::string_view part = "") {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.starts_with(start) && line.find(part) != std::string::npos; });
}

bool all_live(const VtScreen& screen) {
  const auto lines = screen.lines();
  return screen.alternate() && has(lines, "broken", "faulted") &&
         std::ranges::all_of(names, [&](const char* name) { return has(lines, name, "live"); });
}

std::string address_of(const std::vector<std::string>& lines) {
  const auto found = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("page "); });
  return found == lines.end() ? "" : *found;
}

}  // namespace

TEST_CASE("on 80 by 24 the address and every machine are in sight and the scrollback is left alone") {
  const LiveFolder folder;
  Watched watched(folder.run(), 80, 24);
  REQUIRE_MESSAGE(watched.until(all_live), watched.screen.text());
  // As it was printed before the page, on the main screen.
  const std::string& all = watched.typist.screen();
  const std::size_t start = all.find("page http://127.0.0.1:");
  REQUIRE(start != std::string::npos);
  const std::string address = all.substr(start, all.find('\r', start) - start);
  CHECK_MESSAGE(watched.until([&](const VtScreen& screen) { return address_of(screen.lines()) == address; }),
                watched.screen.text());
  CHECK(!watched.screen.cursor_shown());
  for (const auto& [columns, rows] : {std::pair{100, 40}, std::pair{70, 12}, std::pair{80, 24}}) {
    CAPTURE(columns);
    watched.resize(static_cast<unsigned short>(columns), static_cast<unsigned short>(rows));
    // A picture for the old size may still be on its way. After it everything fits, and goes on to.
    const auto fits = [&, before = ~std::size_t{0}](const VtScreen& screen) mutable {
      const bool still = std::exchange(before, screen.scrolled_away()) == screen.scrolled_away();
      watched.until([](const VtScreen&) { return false; }, 500ms);
      return still && before == screen.scrolled_away() && all_live(screen) && address_of(screen.lines()) == address;
    };
    CHECK_MESSAGE(watched.until(fits), watched.screen.text());
  }
  CHECK(watched.screen.trouble().empty());
  watched.typist.signal(SIGINT);
  CHECK(watched.finish() == 0);
  // As before the page: the first lines, then what went wrong, then how it ended.
  CHECK(!watched.screen.alternate());
  CHECK(watched.screen.cursor_shown());
  auto left = watched.screen.scrollback();
  const auto on_screen = watched.screen.lines();
  left.insert(left.end(), on_screen.begin(), on_screen.end());
  CHECK_MESSAGE(has(left, "tandem ", "6 machines"), watched.screen.text());
  CHECK(address_of(left) == address);
  CHECK_MESSAGE(has(left, "", "broken: faulted: failed; restart tandem"), watched.screen.text());
  CHECK_MESSAGE(has(left, "status platform live"), watched.screen.text());
  CHECK_MESSAGE(!has(left, "platform  "), watched.screen.text());
}

TEST_CASE("a warning that comes after the page was left is printed") {
  int master = -1;
  const pid_t child = ::forkpty(&master, nullptr, nullptr, nullptr);
  REQUIRE(child >= 0);
  if (child == 0) {
    ::setenv("TERM", "xterm", 1);
    {
      Console console;
      console.show({});
      console.say("the last line");
      console.event({"", "recording", "the disk is full", true});
      console.flush();
    }
    ::_exit(0);
  }
  std::string all;
  std::array<char, 4096> bytes;
  for (ssize_t count = 0; (count = ::read(master, bytes.data(), bytes.size())) > 0;)
    all.append(bytes.data(), static_cast<std::size_t>(count));
  ::close(master);
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  const std::size_t last = all.find("the last line");
  REQUIRE_MESSAGE(last != std::string::npos, all);
  CHECK_MESSAGE(all.find("the disk is full", last) != std::string::npos, all);
}

TEST_CASE("the screen is as it was however a run ends") {
  const LiveFolder folder;
  for (const int number : {0, SIGTERM, SIGHUP, SIGQUIT, SIGABRT}) {
    CAPTURE(number);
    Watched watched(folder.run(number == 0 ? std::vector<std::string>{"--for", "1"} : std::vector<std::string>{}), 80,
                    24);
    REQUIRE_MESSAGE(watched.until([](const VtScreen& screen) { return screen.alternate(); }), watched.screen.text());
    if (number != 0) watched.typist.signal(number);
    CHECK(watched.finish() != -1);
    CHECK(!watched.screen.alternate());
    CHECK(watched.screen.cursor_shown());
    CHECK(watched.screen.trouble().empty());
    std::filesystem::remove(folder.control);
  }
}

TEST_CASE("a program that is suspended gives the shell its screen back") {
  const LiveFolder folder;
  Watched watched(folder.run(), 80, 24);
  const auto drawn = [](const VtScreen& screen) { return screen.alternate(); };
  REQUIRE(watched.until(drawn));
  watched.typist.signal(SIGTSTP);
  REQUIRE(watched.typist.pauses());
  REQUIRE(watched.until([](const VtScreen& screen) { return !screen.alternate(); }));
  watched.typist.signal(SIGCONT);
  CHECK(watched.until(drawn));
  watched.typist.signal(SIGTERM);
  CHECK(watched.finish() == 0);
  CHECK(!watched.screen.alternate());
}

}  // namespace tandem::app
