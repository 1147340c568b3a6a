// SPDX-License-Identifier: Apache-2.0
// The real program from outside.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/process.hpp"

namespace tandem::app {

namespace {

struct Ran {
  int code = 0;
  std::string output;
};

Ran tandem_says(const std::vector<std::string>& arguments, const std::string& input = "") {
  Process process(TANDEM_PROGRAM, arguments, input);
  const int code = process.finish(20s);
  return {code, process.output()};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A folder of its own for each test.
struct Folder {
  std::filesystem::path path;
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / fmt::format("tandem-app-{}-{}", name, getpid())) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

constexpr const char* lift = "ros: { enabled: false }\nmachines:\n  lift: { type: counter, device: virtual }\n";

}  // namespace

TEST_CASE("every subcommand explains itself with examples") {
  const Ran whole = tandem_says({"--help"});
  CHECK(whole.code == 0);
  for (const char* word : {"demo",   "run",    "check",  "virtual", "solve", "status", "arm",  "stop",
                           "reset",  "teleop", "slam",   "doctor",  "page",  "record", "info", "repair",
                           "export", "plot",   "replay", "merge",   "fleet", "learn",  "chaos"}) {
    CAPTURE(word);
    CHECK(contains(whole.output, word));
    const Ran one = tandem_says({word, "--help"});
    CHECK(one.code == 0);
    CHECK(contains(one.output, "Examples:"));
    CHECK(contains(one.output, fmt::format("tandem {}", word)));
    if (std::string_view(word) == "demo") CHECK(tandem_says({"help", word}).output == one.output);
  }
  // A truck that drove when its link was lost is stopped: `arm` alone would be refused.
  const Ran unplug = tandem_says({"unplug", "--help"});
  const auto reset = unplug.output.find("tandem reset lift"), arm = unplug.output.find("tandem arm lift");
  CHECK_MESSAGE(reset < arm, unplug.output);
  CHECK_MESSAGE(arm != std::string::npos, unplug.output);
  CHECK_MESSAGE(contains(tandem_says({"plug", "--help"}).output, "`reset`"), tandem_says({"plug", "--help"}).output);
  const Ran version = tandem_says({"--version"});
  CHECK(version.code == 0);
  CHECK(version.output.starts_with("tandem "));
}

TEST_CASE("words it does not know are answered with the nearest and code 2") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows = {
      {{"stauts"}, "unknown command 'stauts'; did you mean 'status'?"},
      {{"demo", "countre"}, "unknown machine 'countre'; did you mean 'counter'?"},
      {{"virtual", "zebra"},
       "unknown machine 'zebra' (known: cable_robot, em1500, generic, orca, raptorlift, ur3e, counter"},
      {{"solve", "counter", "twcie"}, "counter: unknown query 'twcie'; did you mean 'twice'?"},
      {{"solve", "cuonter", "twice"}, "did you mean 'counter'?"},
      {{"solve", "counter", "twice", "--vlaue", "2"}, "counter twice: unknown flag '--vlaue'; did you mean 'value'?"},
      {{"solve", "counter", "twice", "{}", "--value"}, "--value: expected a value after it, got none"},
      {{"solve", "counter", "twice", "--value=1", "{}", "--value", "2"}, "--value: expected once, got it again"},
      {{"solve", "em1500", "legs", "--value", "2"}, "em1500 legs: unknown flag '--value', it has none"},
      {{"status", "--wacth"}, "tandem status: unknown option '--wacth'; did you mean '--watch'?"},
      {{"status", "lift", "more"}, "expected no further argument, got 'more'"},
      {{"demo", "--for", "-3"}, "tandem demo: --for: expected a time in seconds, above 0 and at most 1e+08, got '-3'"},
      {{"demo", "--for", "soon"}, "above 0 and at most 1e+08, got 'soon'"},
      {{"demo", "--for"}, "--for"},
      {{"run", "a.yaml", "--port", "99999"}, "--port: expected a port from 1 to 65535, got '99999'"},
      {{"demo", "--port", "9000", "--web", "off"}, "--web excludes --port"},
      {{"demo", "--log", "loud"}, "--log: expected one of trace, debug, info, warn, error, off, got 'loud'"},
      {{"replay", "x.mcap", "--speed", "-1"}, "--speed: expected a number from 0.01 to 100, got '-1'"},
      {{"doctor", "--domain", "233"}, "--domain: expected a whole number from 0 to 232, got '233'"},
      {{"ros", "topic", "hz", "/x", "--window", "-3"}, "--window: expected a whole number from 1 to 1000000, got '-3'"},
      {{"help", "demmo"}, "unknown command 'demmo'; did you mean 'demo'?"},
      {{"run"}, "CONFIG"},
      {{"virtual", "counter", "--port", "70000"}, "--port"},
      {{}, "tandem help COMMAND"},
  };
  for (const auto& [arguments, says] : rows) {
    CAPTURE(says);
    const Ran ran = tandem_says(arguments);
    CHECK(ran.code == 2);
    CHECK_MESSAGE(contains(ran.output, says), ran.output);
  }
}

TEST_CASE("check says fine or everything that is wrong with its place") {
  const Folder folder("check");
  const std::string good = folder.file("good.yaml", lift);
  const Ran fine = tandem_says({"check", good});
  CHECK(fine.code == 0);
  CHECK(fine.output == fmt::format("lift: counter, virtual\n{}: fine\n", good));
  const std::string bad =
      folder.file("bad.yaml", "machines:\n  lift: { type: counter, device: virtual, mode: calm }\nrso: {}\n");
  const Ran wrong = tandem_says({"check", bad});
  CHECK(wrong.code == 1);
  CHECK(contains(wrong.output, bad + ":2:43: unknown key 'mode' of lift; did you mean 'mood'?"));
  CHECK(contains(wrong.output, bad + ":3:1: unknown section 'rso'; did you mean 'ros'?"));
  const std::string cannot =
      folder.file("cannot.yaml", "machines:\n  lift: { type: counter, device: virtual, mood: throwing }\n");
  CHECK(contains(tandem_says({"check", cannot}).output, cannot + ":2:3: lift: counter: mood 'throwing' cannot be"));
  CHECK(tandem_says({"run", bad}).code == 1);
}

TEST_CASE("check and run refuse the same pages and recordings and take off for an answer") {
  const Folder folder("same");
  const auto both = [&](const std::string& more, const std::string& says) {
    CAPTURE(more);
    const std::string file = folder.file("lab.yaml", lift + more);
    std::filesystem::permissions(file, std::filesystem::perms(0644));
    const Ran checked = tandem_says({"check", file});
    const Ran ran = tandem_says({"run", file, "--for", "0.2", "--control", (folder.path / "c.sock").string()});
    CHECK_MESSAGE(checked.code == (says.empty() ? 0 : 1), checked.output);
    CHECK_MESSAGE(ran.code == (says.empty() ? 0 : 1), ran.output);
    CHECK_MESSAGE(contains(checked.output, says), checked.output);
    CHECK_MESSAGE(contains(ran.output, says), ran.output);
  };
  both("web: { listen: \"off\" }\n", "");
  both("web: { listen: \"nowhere\" }\n", "expected an address to listen on");
  both("web: { listen: \":8088\" }\n", "expected an address to listen on");
  both("web: { listen: \"192.0.2.1:8088\" }\n", "TCP port 8088: 192.0.2.1 is not an address of this computer");
  both("web: { listen: \"0.0.0.0:0\" }\n", "no view token is set");
  both("web: { listen: \"127.0.0.1:0\", control_token: short }\n", "expected at least 16 characters, got 5");
  both("web: { listen: \"127.0.0.1:0\", control_token: 0123456789abcdefg }\n", "chmod o-r ");
  both("web: { listen: \"127.0.0.1:0\", certificate: no.pem, key: no.pem }\n", "no certificate in PEM form");
  const std::string lab = folder.file(
      "secure.yaml",
      "ros: { security: { keystore: /no/such/keystore } }\nmachines:\n  lift: { type: counter, device: virtual }\n");
  CHECK(tandem_says({"run", lab, "--for", "0.2", "--control", (folder.path / "c.sock").string()}).code == 1);
  CHECK(contains(tandem_says({"check", lab}).output, "/no/such/keystore"));
  CHECK(tandem_says({"check", lab}).code == 1);
  both("record: { file: \"/no/such/folder/run.mcap\" }\n", "mkdir -p /no/such/folder");
  // What runs beside a machine has options too.
  both("  sub: { type: orca, device: virtual, slam: features, paths: x.gif }\n", "paths: expected a name with .png");
  CHECK_MESSAGE(contains(tandem_says({"check", "/no/such.yaml"}).output, "No such file"), "why it cannot be read");
}

TEST_CASE("output that a full disk does not take is reported and the exit code says so") {
  for (const char* const command :
       {"solve counter twice '{\"value\": 2}'", "options counter", "--version", "help demo"}) {
    CAPTURE(command);
    Process process("/bin/sh", {"-c", fmt::format("exec \"$0\" {} > /dev/full", command), TANDEM_PROGRAM});
    CHECK(process.finish(20s) == 1);
    const bool why = contains(process.output(), "standard output: No space left on device; its end is missing") ||
                     contains(process.output(), "standard output: a write failed (is the disk full?)");
    CHECK_MESSAGE(why, process.output());
  }
}

TEST_CASE("check refuses a control socket that run could not open, and makes nothing") {
  const Folder folder("place");
  const auto both = [&](const std::string& socket, const std::string& says) {
    CAPTURE(socket);
    const std::string file = folder.file("lab.yaml", lift + fmt::format("control: {{ socket: \"{}\" }}\n", socket));
    const Ran checked = tandem_says({"check", file});
    CHECK_MESSAGE(checked.code == (says.empty() ? 0 : 1), checked.output);
    CHECK_MESSAGE(contains(checked.output, says), checked.output);
    if (!says.empty()) CHECK_MESSAGE(contains(checked.output, file + ":4:"), checked.output);
    const Ran ran = tandem_says({"run", file, "--for", "0.2"});
    CHECK_MESSAGE(ran.code == (says.empty() ? 0 : 1), ran.output);
  };
  const std::string at = folder.path.string();
  both(at + "/c.sock", "");
  const std::string deep = fmt::format("{}control: {{ socket: \"{}/a/b/c.sock\" }}\n", lift, at);
  CHECK(tandem_says({"check", folder.file("new.yaml", deep)}).code == 0);
  CHECK_FALSE(std::filesystem::exists(at + "/a"));
  both(at + "/" + std::string(120, 'x'), "expected a path of at most 107 bytes");
  folder.file("a_file", "");
  both(at + "/a_file", "expected nothing or a socket there, got another file");
  both(at + "/a_file/c.sock", "expected a folder");
  std::filesystem::create_directory(at + "/open");
  std::filesystem::permissions(at + "/open", std::filesystem::perms(0777));
  both(at + "/open/c.sock", "other users can write to this folder");
  if (::geteuid() == 0) return;  // who may write everywhere
  std::filesystem::create_directory(at + "/closed");
  std::filesystem::permissions(at + "/closed", std::filesystem::perms(0500));
  both(at + "/closed/c.sock", "Permission denied");
}

TEST_CASE("the page is for viewing until it has the token that tandem page prints") {
  const Folder folder("page");
  const std::string socket = (folder.path / "c.sock").string();
  Process running(TANDEM_PROGRAM, {"run", folder.file("lift.yaml", lift), "--control", socket, "--web", "127.0.0.1:0"});
  REQUIRE_MESSAGE(running.says("event=live", 20s), running.output());
  const Ran page = tandem_says({"page", "--control", socket});
  CHECK(page.code == 0);
  CHECK_MESSAGE(page.output.starts_with("http://127.0.0.1:"), page.output);
  CHECK(contains(page.output, "/?token="));
  CHECK_MESSAGE(contains(running.output(), "page " + page.output), running.output());
  const std::string token = page.output.substr(page.output.find('=') + 1, 32);
  CHECK_FALSE(contains(tandem_says({"status", "--json", "--control", socket}).output, token));
  CHECK_FALSE(contains(tandem_says({"status", "--metrics", "--control", socket}).output, token));

  const std::string place = page.output.substr(7, page.output.find('/', 7) - 7);
  const Ran taken = tandem_says({"demo", "counter", "--web", place, "--control", (folder.path / "d.sock").string()});
  CHECK(taken.code == 1);
  CHECK_MESSAGE(contains(taken.output, "is in use by another program; choose another with --web ADDRESS:PORT"),
                taken.output);
  const std::string port = place.substr(place.find(':') + 1);
  const Ran same = tandem_says({"demo", "counter", "--port", port, "--control", (folder.path / "d.sock").string()});
  CHECK(same.code == 1);
  CHECK_MESSAGE(contains(same.output, fmt::format("port {} on 127.0.0.1 is in use", port)), same.output);
  CHECK_MESSAGE(contains(same.output, "choose another with --port N, or --web off"), same.output);
}

TEST_CASE("solve answers arguments and lines and ends with 1 after an error") {
  const Ran one = tandem_says({"solve", "counter", "twice", "{\"value\": 21}", "{\"value\": -1}"});
  CHECK(one.code == 0);
  CHECK(one.output == "{\"twice\":42}\n{\"twice\":-2}\n");
  const Ran lines = tandem_says({"solve", "counter", "twice"}, "{\"value\": 1}\n\nnonsense\n{\"value\": 3}");
  CHECK(lines.code == 1);
  CHECK(lines.output == "{\"twice\":2}\n{\"error\":\"value: expected a number\"}\n{\"twice\":6}\n");
}

TEST_CASE("flags are fields of every question and a field in both is refused") {
  CHECK(tandem_says({"solve", "counter", "twice", "{}", "--value", "21"}).output == "{\"twice\":42}\n");
  const Ran lines = tandem_says({"solve", "counter", "twice", "--value=4"}, "{}\n{\"value\": 3}\nnonsense\n");
  CHECK(lines.code == 1);
  CHECK(lines.output ==
        "{\"twice\":8}\n{\"error\":\"value: expected in the input object or as --value, got both\"}\n"
        "{\"error\":\"value: expected a number\"}\n");
  CHECK(contains(tandem_says({"solve", "--help"}).output, "fields that may be flags: --value --unit"));
  CHECK(contains(tandem_says({"solve", "counter", "twice", "--help"}).output, "Examples:"));
}

TEST_CASE("a virtual device prints one line and ends on a signal") {
  Process device(TANDEM_PROGRAM,
                 {"virtual", "counter", "--port", std::to_string(20000 + getpid() % 20000), "--set", "cycle_hz=50"});
  REQUIRE_MESSAGE(device.says("\n", 20s), device.output());
  CHECK(device.output() == fmt::format("counter listens on count://127.0.0.1:{}\n", 20000 + getpid() % 20000));
  device.signal(SIGTERM);
  CHECK(device.finish(5s) == 0);
  CHECK(contains(tandem_says({"virtual", "counter", "--set", "cycle_hs=50"}).output, "did you mean 'cycle_hz'?"));
  CHECK(
      contains(tandem_says({"virtual", "counter", "--sitl"}).output, "counter: --sitl: not supported by this machine"));
  CHECK(contains(tandem_says({"virtual", "counter", "--print-parameters"}).output, "requires --sitl"));
}

TEST_CASE("a machine that is called like a command is a machine, and nothing else is done") {
  const Folder folder("named");
  const std::string socket = (folder.path / "s" / "c.sock").string();
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--control", socket});
    return tandem_says(arguments).output;
  };
  const std::string two =
      "ros: { enabled: false }\nmachines:\n  arm: { type: counter, device: virtual }\n"
      "  lift: { type: counter, device: virtual }\n";
  Process running(TANDEM_PROGRAM, {"run", folder.file("two.yaml", two), "--control", socket});
  REQUIRE_MESSAGE(running.says("machine=arm event=live", 20s), running.output());
  CHECK(ask({"stop", "arm"}) == "arm: stopped; `reset`, then `arm`, to continue\n");
  CHECK(contains(ask({"status", "arm"}), "stopped"));
  CHECK(contains(ask({"status", "lift"}), "disarmed"));
  CHECK(ask({"reset", "arm"}) == "arm: reset, disarmed; `arm` to continue\n");
  CHECK(contains(ask({"status", "lift"}), "never armed"));
}

TEST_CASE("faults are put on a link, measured, saved and repeated from the shell") {
  const Folder folder("chaos");
  const std::string socket = (folder.path / "s" / "c.sock").string();
  const std::string saved = (folder.path / "run.yaml").string();
  // Stale only after three quarters of a second: a busy computer disarms nothing here.
  const std::string calm =
      "ros: { enabled: false }\nmachines:\n  lift: { type: counter, device: virtual, cycle_hz: 4 }\n";
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "chaos");
    arguments.insert(arguments.end(), {"--control", socket});
    return tandem_says(arguments);
  };
  Process running(TANDEM_PROGRAM, {"run", folder.file("lift.yaml", calm), "--chaos", "--control", socket});
  REQUIRE_MESSAGE(running.says("event=live", 20s), running.output());
  CHECK(contains(tandem_says({"status", "--control", socket}).output, "through fault proxies, no faults"));
  CHECK(contains(ask({}).output, "lift: ready; "));
  REQUIRE(contains(tandem_says({"arm", "--control", socket}).output, "lift: armed"));

  const Ran run = ask({"lift", "reset", "seed=7", "--save", saved});
  CHECK(run.code == 0);
  CHECK_MESSAGE(run.output.starts_with("lift: reset, both directions, once, seed 7\nlift: disarmed after "),
                run.output);
  CHECK(contains(run.output, "motion not measured: its virtual device has no physics"));
  CHECK(contains(run.output, "1 cuts, 1 new connections"));
  CHECK_FALSE(contains(running.output(), "event=armed text=\"by chaos"));
  std::ifstream file(saved);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) ==
        "seed: 7\nfaults:\n  - { at: 0s, machine: lift, faults: \"reset seed=7\" }\n");
  CHECK(contains(ask({"--schedule", saved}).output, "lift: was not armed, link lost after"));
  CHECK(contains(ask({"lift", "--random", "--seed", "3", "--for", "1s"}).output, "seed 3, "));

  struct Row {
    std::vector<std::string> arguments;
    int code;
    std::string says;
  };
  const std::vector<Row> rows = {
      {{"lift", "clear"}, 0, "lift: no faults"},
      {{"clear"}, 0, "lift: no faults"},
      {{"litf", "hold"}, 2, "unknown machine 'litf'; did you mean 'lift'?"},
      {{"lift", "dealy=5ms"}, 1, "unknown term 'dealy'; did you mean 'delay'?"},
      {{"lift", "reorder"}, 1, "lift: reorder: expected a link over UDP, got TCP"},
      {{"delay=5ms"}, 2, "expected the name of a machine before the faults, got 'delay=5ms'"},
      {{"lift", "hold", "--seed", "3"}, 2, "--seed and --for: expected with --random"},
      {{"--schedule", "/nowhere.yaml"}, 2, "/nowhere.yaml: cannot be read"},
      {{"--schedule", folder.file("bad.yaml", "faults:\n  - { at: 0s, machine: lift, faults: dealy=5ms }\n")},
       1,
       "bad.yaml:2:38: unknown term 'dealy'"},
  };
  for (const auto& [arguments, code, says] : rows) {
    const Ran ran = ask(arguments);
    CAPTURE(says);
    CHECK(ran.code == code);
    CHECK_MESSAGE(contains(ran.output, says), ran.output);
  }
}

TEST_CASE("a running tandem is shown armed stopped and reset from outside") {
  const Folder folder("control");
  const std::string socket = (folder.path / "s" / "c.sock").string();
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--control", socket});
    return tandem_says(arguments);
  };
  const Ran nobody = ask({"status"});
  CHECK(nobody.code == 1);
  CHECK(contains(nobody.output, "no tandem is running here"));

  Process running(TANDEM_PROGRAM, {"run", folder.file("lift.yaml", lift), "--control", socket});
  REQUIRE_MESSAGE(running.says("event=live", 20s), running.output());
  const Ran status = ask({"status"});
  CHECK(status.code == 0);
  for (const char* part :
       {"lift  counter  virtual count://127.0.0.1:", "  live", "disarmed", "p50 / p99 / p99.9", "level"}) {
    CAPTURE(part);
    CHECK_MESSAGE(contains(status.output, part), status.output);
  }
  CHECK(ask({"arm", "lift"}).output == "lift: armed\n");
  CHECK(nlohmann::json::parse(ask({"status", "--json"}).output)["machines"][0]["arm"] == "armed");
  CHECK(contains(ask({"status", "--metrics"}).output, "tandem_arm_state{machine=\"lift\",state=\"armed\"} 1"));
  CHECK(ask({"stop"}).code == 0);
  const Ran refused = ask({"arm"});
  CHECK(refused.code == 1);
  CHECK_MESSAGE(contains(refused.output, "reset first"), refused.output);
  CHECK(ask({"reset"}).code == 0);
  CHECK(contains(ask({"status", "lift"}).output, "disarmed            reset, by user"));
  const Ran unknown = ask({"arm", "litf"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.output, "did you mean 'lift'?"));
  CHECK(ask({"status", "litf"}).code == 2);

  const Ran second = tandem_says({"run", folder.file("again.yaml", lift), "--control", socket});
  CHECK(second.code == 1);
  CHECK(contains(second.output, "another tandem is running there"));

  const Instant asked = system_clock().now();
  running.signal(SIGINT);
  CHECK(running.finish(10s) == 0);
  CHECK(system_clock().now() - asked < 4s);
  CHECK_FALSE(std::filesystem::exists(socket));
}

TEST_CASE("a tandem that was stopped for two seconds comes back disarmed") {
  const Folder folder("pause");
  const std::string socket = (folder.path / "c.sock").string();
  Process running(TANDEM_PROGRAM, {"run", folder.file("lift.yaml", lift), "--control", socket});
  REQUIRE(running.says("event=live", 20s));
  REQUIRE(tandem_says({"arm", "--control", socket}).code == 0);
  running.signal(SIGSTOP);
  system_clock().sleep_until(system_clock().now() + 2s);
  running.signal(SIGCONT);
  CHECK(running.says("event=disarmed", 10s));
  CHECK(contains(tandem_says({"status", "--control", socket}).output, "disarmed"));
}

TEST_CASE("a killed tandem leaves nothing that keeps the next one from starting disarmed") {
  const Folder folder("kill");
  const std::string socket = (folder.path / "c.sock").string();
  const std::string config = folder.file("lift.yaml", lift);
  {
    Process first(TANDEM_PROGRAM, {"run", config, "--control", socket});
    REQUIRE(first.says("event=live", 20s));
    REQUIRE(tandem_says({"arm", "--control", socket}).code == 0);
    first.signal(SIGKILL);
    CHECK(first.finish(5s) == 128 + SIGKILL);
  }
  Process second(TANDEM_PROGRAM, {"run", config, "--control", socket});
  REQUIRE(second.says("event=live", 20s));
  CHECK(contains(tandem_says({"status", "--control", socket}).output, "disarmed            never armed"));
}

TEST_CASE("the demo arms its virtual machines once and says so and ends by itself") {
  const Folder folder("demo");
  Process demo(TANDEM_PROGRAM, {"demo", "counter", "--for", "2", "--control", (folder.path / "c.sock").string()});
  CHECK(demo.says("armed once", 20s));
  CHECK(demo.finish(20s) == 0);
  CHECK_MESSAGE(contains(demo.output(), "status counter live"), demo.output());
  CHECK(contains(demo.output(), "armed"));
}

TEST_CASE("simulated minutes pass in seconds, and are for virtual devices alone") {
  // The program is given 20 s.
  const Ran truck =
      tandem_says({"demo", "raptorlift", "--speed", "30", "--for", "60", "--web", "off", "--black-box", "off"});
  CHECK(truck.code == 0);
  CHECK(contains(truck.output, "simulated time, at most 30 times as fast as real time"));
  CHECK(contains(truck.output, "raptorlift live 100.0 Hz"));
  CHECK(contains(truck.output, "event=demo text=\"armed once"));
  const Folder folder("speed");
  const Ran real = tandem_says(
      {"run", folder.file("real.yaml", "machines:\n  lift: { type: raptorlift, device: \"modbus://127.0.0.1:1\" }\n"),
       "--speed", "2"});
  CHECK(real.code == 1);
  CHECK(contains(real.output,
                 "--speed: expected machines on virtual devices, without MQTT and --chaos, got lift on "
                 "modbus://127.0.0.1:1"));
}

TEST_CASE("a closed terminal ends it as SIGTERM does and nohup keeps it") {
  const Folder folder("hangup");
  const std::string socket = (folder.path / "c.sock").string();
  const std::string file = (folder.path / "run.mcap").string();
  Process running(TANDEM_PROGRAM, {"run", folder.file("lift.yaml", lift), "--control", socket, "--record", file});
  REQUIRE_MESSAGE(running.says("event=live", 20s), running.output());
  running.signal(SIGHUP);
  CHECK(running.finish(20s) == 0);
  CHECK(tandem_says({"info", file}).code == 0);

  Process kept("/usr/bin/nohup", {TANDEM_PROGRAM, "run", folder.file("lift.yaml", lift), "--control", socket});
  REQUIRE_MESSAGE(kept.says("event=live", 20s), kept.output());
  kept.signal(SIGHUP);
  CHECK(tandem_says({"status", "--control", socket}).code == 0);
  CHECK(tandem_says({"status", "--control", socket}).code == 0);
  kept.signal(SIGTERM);
  CHECK(kept.finish(20s) == 0);
}

TEST_CASE("several interrupts within a second do not lose the end of a recording") {
  const Folder folder("twice");
  const std::string file = (folder.path / "run.mcap").string();
  Process running(TANDEM_PROGRAM, {"run", folder.file("lift.yaml", lift), "--control",
                                   (folder.path / "c.sock").string(), "--record", file});
  REQUIRE_MESSAGE(running.says("event=live", 20s), running.output());
  const Instant first = system_clock().now();
  running.signal(SIGINT);
  while (system_clock().now() - first < 700ms) {
    system_clock().sleep_until(system_clock().now() + 10ms);
    running.signal(SIGINT);
  }
  CHECK(running.finish(20s) == 0);
  const Ran info = tandem_says({"info", file});
  CHECK_MESSAGE(info.code == 0, info.output);
}

TEST_CASE("a recording that cannot be written is logged and ends with a code that is not zero") {
  const Folder folder("full");
  const std::string file = (folder.path / "run.mcap").string();
  Process running("/bin/sh",
                  {"-c", "ulimit -f 64; trap '' XFSZ; exec \"$0\" \"$@\"", TANDEM_PROGRAM, "run",
                   folder.file("lift.yaml", lift), "--control", (folder.path / "c.sock").string(), "--record", file});
  CHECK_MESSAGE(running.says("File too large", 60s), running.output());
  running.signal(SIGTERM);
  CHECK(running.finish(20s) == 1);
  CHECK_MESSAGE(contains(running.output(), "messages lost"), running.output());
}

}  // namespace tandem::app
