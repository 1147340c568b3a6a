// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/config.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "tandem/base/nearest.hpp"
#include "tandem/runtime/ros_context.hpp"
#include "tests/runtime/counter/machine.hpp"

namespace tandem::runtime {

namespace {

const Registry& counters() {
  static const Registry registry({&counter::machine_type()});
  return registry;
}

Config parse(const std::string& text) {
  const ConfigText one{"lab.yaml", text};
  return parse_config({&one, 1}, counters());
}

// What is wrong with it, one line per problem; "fine" when nothing is.
std::string wrong(const std::string& text) {
  try {
    (void)parse(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "fine";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a whole configuration is read with its defaults filled in") {
  const Config config = parse(
      "machines:\n"
      "  lift: { type: counter, device: \"count://192.168.2.1:502?unit=1\", cycle_hz: 50, offsets: [0.5, -1, 1e-1] }\n"
      "  mast:\n"
      "    type: counter\n"
      "    device: virtual\n"
      "    twin: false\n"
      "ros: { domain: 7, discovery: subnet }\n"
      "control: { socket: /tmp/here.sock }\n"
      "log: { level: debug }\n");
  REQUIRE(config.machines.size() == 2);
  const MachineConfig& lift = config.machines[0];
  CHECK(lift.name == "lift");
  CHECK(lift.device == "count://192.168.2.1:502?unit=1");
  CHECK_FALSE(lift.is_virtual);
  CHECK(lift.twin);
  CHECK(lift.options.number("cycle_hz") == 50);
  CHECK(lift.options.text("mood") == "calm");
  CHECK(lift.options.numbers("offsets") == std::vector<double>{0.5, -1, 0.1});
  CHECK_FALSE(lift.options.flag("loud"));
  CHECK(lift.place.text() == "lab.yaml:2:3");
  CHECK(config.machines[1].is_virtual);
  CHECK_FALSE(config.machines[1].twin);
  CHECK(config.ros.domain == 7);
  CHECK(config.ros.discovery == "subnet");
  CHECK(config.control_socket == "/tmp/here.sock");
  CHECK(config.log_level == "debug");
}

TEST_CASE("mistakes are told with place and nearest known word") {
  struct Row {
    std::string text, says;
  };
  const std::string lift = "machines:\n  lift: { type: counter, device: virtual";
  const std::vector<Row> rows = {
      {"", "lab.yaml: the file is empty"},
      {"42", "lab.yaml:1:1: a configuration: expected keys with values, got '42'"},
      {"machines: {}", "lab.yaml: no machines"},
      {"machine:\n  a: 1",
       "lab.yaml:1:1: unknown section 'machine'; did you mean 'machines'? (known: machines, ros, web, record, "
       "black_box, mqtt, sparkplug, control, log)"},
      {"machines: [a]", "lab.yaml:1:11: machines: expected keys with values, got a list"},
      {"machines:\n  lift: 3", "lab.yaml:2:9: lift: expected keys with values, got '3'"},
      {"machines:\n  lift: { device: virtual }", "lab.yaml:2:3: lift: missing key 'type'"},
      {"machines:\n  lift: { type: counter }",
       "lab.yaml:2:3: lift: missing key 'device': 'virtual' or 'count://HOST[:PORT]'"},
      {"machines:\n  lift: { type: countre, device: virtual }",
       "lab.yaml:2:17: lift.type: unknown machine 'countre'; did you mean 'counter'? (known: counter)"},
      {"machines:\n  2x: { type: counter, device: virtual }",
       "lab.yaml:2:3: machine name '2x': expected letters, digits and _, a letter first"},
      {lift + ", cycle_hs: 3 }",
       "lab.yaml:2:43: unknown key 'cycle_hs' of lift; did you mean 'cycle_hz'? (known: type, device, twin, chaos, "
       "cycle_hz, "
       "mood, offsets, loud)"},
      {lift + ", cycle_hz: fast }", "lab.yaml:2:53: lift.cycle_hz: expected a number from 1 to 1000, got 'fast'"},
      {lift + ", cycle_hz: 1001 }", "lab.yaml:2:53: lift.cycle_hz: expected a number from 1 to 1000, got '1001'"},
      {lift + ", cycle_hz: .nan }", "lab.yaml:2:53: lift.cycle_hz: expected a number from 1 to 1000, got '.nan'"},
      {lift + ", cycle_hz: 0x10 }", "lab.yaml:2:53: lift.cycle_hz: expected a number from 1 to 1000, got '0x10'"},
      {lift + ", cycle_hz: \"50\" }",
       "lab.yaml:2:53: lift.cycle_hz: expected a number from 1 to 1000, got '50' in quotes"},
      {lift + ", cycle_hz: }", "lab.yaml:2:53: lift.cycle_hz: expected a number from 1 to 1000, got nothing"},
      {lift + ", loud: yes }", "lab.yaml:2:49: lift.loud: expected true or false, got 'yes'"},
      {lift + ", mood: clam }",
       "lab.yaml:2:49: lift.mood: expected one of calm, throwing, exploding, got 'clam'; did you mean 'calm'?"},
      {lift + ", offsets: [1, 2] }", "lab.yaml:2:52: lift.offsets: expected a list of 3 numbers, got 2"},
      {lift + ", offsets: [1, x, 0] }",
       "lab.yaml:2:52: lift.offsets: expected a number from -1 to 1 as element 2, got 'x'"},
      {lift + ", loud: true, loud: true }", "lab.yaml:2:55: 'loud' twice; first at lab.yaml:2:43"},
      {lift + " }\n  lift: { type: counter, device: virtual }",
       "lab.yaml:3:3: machine 'lift' twice; first at lab.yaml:2:3"},
      {lift + " }\nros: { domain: 233 }", "lab.yaml:3:16: ros.domain: expected a number from 0 to 232, got '233'"},
      {lift + " }\nros: { domain: 1.5 }", "lab.yaml:3:16: ros.domain: expected a whole number, got '1.5'"},
      {lift + " }\nlog: { level: loud }",
       "lab.yaml:3:15: log.level: expected one of trace, debug, info, warn, error, off, got 'loud'"},
      {lift + " }\nweb: { lisen: \"127.0.0.1:8088\" }",
       "lab.yaml:3:8: unknown key 'lisen' of web; did you mean 'listen'? (known: listen, view_token, control_token, "
       "origins, certificate, key, plain)"},
      {lift + " }\nblack_box: { after: 61 }",
       "lab.yaml:3:21: black_box.after: expected a number from 0 to 60, got '61'"},
      {lift + " }\nblack_box: { minutes: 1 }",
       "lab.yaml:3:14: unknown key 'minutes' of black_box (known: enabled, folder, seconds, after, megabytes, "
       "keep_megabytes)"},
      {lift + " }\nrecord: { picture_hz: 0 }",
       "lab.yaml:3:23: record.picture_hz: expected a number from 1 to 60, got '0'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(wrong(row.text) == row.says);
  }
}

TEST_CASE("all keys of ros are read") {
  const std::string machine = "machines:\n  lift: { type: counter, device: virtual }\n";
  const RosConfig ros = parse(machine +
                              "ros:\n  discovery: system_default\n  static_peers: [10.0.0.1, lab-pc]\n"
                              "  shared_memory: true\n  use_sim_time: true\n"
                              "  security: { keystore: /keys, enclave: /lab, strategy: permissive }\n")
                            .ros;
  CHECK(ros.discovery == "system_default");
  CHECK(ros.static_peers == std::vector<std::string>{"10.0.0.1", "lab-pc"});
  CHECK(ros.shared_memory);
  CHECK(ros.use_sim_time);
  REQUIRE(ros.security.has_value());
  CHECK(ros.security->keystore == "/keys");
  CHECK(ros.security->strategy == ros2::Security::Strategy::permissive);
  CHECK(ros.enclave == "/lab");

  const RosConfig plain = parse(machine + "ros: { security: { keystore: keys } }").ros;
  CHECK_FALSE(plain.shared_memory);
  CHECK_FALSE(plain.use_sim_time);
  CHECK_FALSE(plain.static_peers.has_value());
  CHECK(plain.security->strategy == ros2::Security::Strategy::enforce);
  CHECK(plain.enclave == "/");

  CHECK(wrong(machine + "ros: { static_peers: 10.0.0.1 }") ==
        "lab.yaml:3:22: ros.static_peers: expected a list of texts, got '10.0.0.1'");
  CHECK(wrong(machine + "ros: { static_peers: [a, []] }") ==
        "lab.yaml:3:22: ros.static_peers: expected text as element 2, got a list");
  CHECK(wrong(machine + "ros: { security: true }") ==
        "lab.yaml:3:18: ros.security: expected keys with values, got 'true'\n"
        "lab.yaml:3:8: ros.security: missing key 'keystore'");
  CHECK(wrong(machine + "ros: { security: { enclave: /lab } }") ==
        "lab.yaml:3:8: ros.security: missing key 'keystore'");
  CHECK(wrong(machine + "ros: { security: { keystore: /keys, strategi: enforce } }") ==
        "lab.yaml:3:37: unknown key 'strategi' of ros.security; did you mean 'strategy'? (known: keystore, enclave, "
        "strategy)");
}

TEST_CASE("all keys of web and record are read") {
  const std::string machine = "machines:\n  lift: { type: counter, device: virtual }\n";
  CHECK(parse(machine).web.listen.empty());
  CHECK(parse(machine).record.file.empty());
  CHECK(parse(machine + "web: {}\n").web.listen == "127.0.0.1:8088");
  const Config all = parse(
      machine +
      "web: { view_token: see, control_token: act, origins: [\"https://a.example\"], certificate: c.pem, key: k.pem, "
      "plain: true }\n"
      "record: { file: run.mcap, megabytes: 100, picture_hz: 5, frames: false }\n");
  CHECK(all.web.listen == "127.0.0.1:8088");
  CHECK(all.web.view_token == "see");
  CHECK(all.web.control_token == "act");
  CHECK(all.web.origins == std::vector<std::string>{"https://a.example"});
  CHECK(all.web.certificate == "c.pem");
  CHECK(all.web.key == "k.pem");
  CHECK(all.web.plain);
  CHECK(parse(machine + "web: { listen: \"off\" }\n").web.listen.empty());
  CHECK(parse(machine + "web: { listen: off }\n").web.listen.empty());
  CHECK(all.record.file == "run.mcap");
  CHECK(all.record.megabytes == 100);
  CHECK(all.record.picture_hz == 5);
  CHECK_FALSE(all.record.frames);
}

TEST_CASE("all keys of the black box are read") {
  const std::string machine = "machines:\n  lift: { type: counter, device: virtual }\n";
  const BlackBoxConfig usual = parse(machine).black_box;
  CHECK(usual.enabled);
  CHECK(incident_folder(usual, "/var/lib/tandem") == "/var/lib/tandem/incidents");
  CHECK(incident_folder(usual, "").empty());
  const BlackBoxConfig all = parse(machine +
                                   "black_box: { enabled: true, folder: /data, seconds: 30, after: 5, megabytes: 16, "
                                   "keep_megabytes: 100 }\n")
                                 .black_box;
  CHECK(all.folder == "/data");
  CHECK(all.seconds == 30);
  CHECK(all.after == 5);
  CHECK(all.megabytes == 16);
  CHECK(all.keep_megabytes == 100);
  CHECK(incident_folder(all, "/var/lib/tandem") == "/data");
  CHECK(incident_folder(parse(machine + "black_box: { enabled: false, folder: /data }\n").black_box, "/a").empty());
  BlackBoxConfig chosen;
  choose_black_box(chosen, "off");
  CHECK_FALSE(chosen.enabled);
  choose_black_box(chosen, "/elsewhere");
  CHECK(incident_folder(chosen, "/a") == "/elsewhere");
}

TEST_CASE("a folder for incidents is refused where none can be made") {
  const std::string folder = fmt::format("/tmp/tandem-incidents-{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/file") << "x";
  CHECK(black_box_problems({.folder = folder + "/a/b"}).empty());
  CHECK(black_box_problems({.folder = ""}).empty());
  const auto problems = black_box_problems({.folder = folder + "/file/a"});
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().find(folder + "/file: expected a folder, got a file") != std::string::npos);
  CHECK(black_box_problems({.enabled = false, .folder = folder + "/file/a"}).empty());
  std::filesystem::remove_all(folder);
}

TEST_CASE("tokens and keys that are short or open to others are refused with what to do") {
  const std::string folder = fmt::format("/tmp/tandem-web-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string file = folder + "/lab.yaml", key = folder + "/key.pem";
  std::ofstream(file) << "web:\n";
  std::ofstream(key) << "-----BEGIN PRIVATE KEY-----\n";
  const auto problem = [](const WebConfig& web, std::string_view text) {
    const auto problems = web_problems(web);
    const std::string all = fmt::format("{}", fmt::join(problems, "\n"));
    CHECK_MESSAGE(all.find(text) != std::string::npos, all);
  };
  WebConfig good;
  good.listen = "127.0.0.1:0";
  good.view_token = "0123456789abcdef";
  good.control_token = "fedcba9876543210";
  CHECK(web_problems(good).empty());
  WebConfig web = good;
  web.view_token = "see";
  problem(web,
          "web.view_token (or TANDEM_VIEW_TOKEN): expected at least 16 characters, got 3; create one: openssl rand");
  web = good;
  web.control_token = "0123456789abcde";
  problem(web, "web.control_token (or TANDEM_CONTROL_TOKEN): expected at least 16 characters, got 15");
  web = good;
  web.token_files = {file};
  std::filesystem::permissions(file, std::filesystem::perms(0644));
  problem(web, "chmod o-r " + file);
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  CHECK(web_problems(web).empty());
  web = good;
  web.certificate = web.key = key;
  std::filesystem::permissions(key, std::filesystem::perms(0644));
  problem(web, "chmod o-r " + key);
  web = good;
  web.listen = "0.0.0.0:0";
  problem(web, "tokens can be read on the network");
  web.plain = true;
  CHECK(web_problems(web).empty());
  web.view_token.clear();
  problem(web, "no view token is set");
  web = good;
  web.listen = "here";
  problem(web, "expected an address to listen on like 127.0.0.1:8088, or off, got \"here\"");
  web.listen.clear();  // no page: nothing to refuse
  CHECK(web_problems(web).empty());
  CHECK_FALSE(record_problems({.file = folder + "/no/run.mcap"}).empty());
  CHECK_FALSE(record_problems({.file = folder}).empty());
  CHECK(record_problems({.file = folder + "/run.mcap"}).empty());
  std::filesystem::remove_all(folder);
}

TEST_CASE("tokens come from the environment where the file has none") {
  WebConfig web;
  web.view_token = "of the file";
  tokens_from(web, [](const char* name) { return std::string_view(name) == "TANDEM_VIEW_TOKEN" ? "v" : "c"; });
  CHECK(web.view_token == "of the file");
  CHECK(web.control_token == "c");
}

TEST_CASE("a key of ros wins over the ROS environment and that over the defaults") {
  const std::string machine = "machines:\n  lift: { type: counter, device: virtual }\n";
  const std::map<std::string, std::string> variables = {{"ROS_DOMAIN_ID", "5"},
                                                        {"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"},
                                                        {"ROS_STATIC_PEERS", "10.0.0.9"},
                                                        {"ROS_SECURITY_ENABLE", "true"},
                                                        {"ROS_SECURITY_KEYSTORE", "/theirs"}};
  const auto options = [&](const std::string& text, bool with_environment) {
    return ros_options(parse(machine + text), [&](const char* name) -> const char* {
      const auto found = variables.find(name);
      return found == variables.end() || !with_environment ? nullptr : found->second.c_str();
    });
  };
  const auto bare = options("", false).options;
  CHECK(bare.domain == 0);
  CHECK(bare.range == ros2::DiscoveryRange::localhost);
  CHECK_FALSE(bare.security.has_value());
  const auto environment = options("", true).options;
  CHECK(environment.domain == 5);
  CHECK(environment.range == ros2::DiscoveryRange::subnet);
  CHECK(environment.static_peers == std::vector<std::string>{"10.0.0.9"});
  CHECK(environment.security->keystore == "/theirs");
  const auto file = options(
                        "ros: { domain: 7, discovery: localhost, static_peers: [lab-pc], "
                        "security: { keystore: /ours, enclave: /lab } }",
                        true)
                        .options;
  CHECK(file.domain == 7);
  CHECK(file.range == ros2::DiscoveryRange::localhost);
  CHECK(file.static_peers == std::vector<std::string>{"lab-pc"});
  CHECK(file.security->keystore == "/ours");
  CHECK(file.enclave == "/lab");
  const auto off = options("ros: { discovery: off, static_peers: [lab-pc] }", false);
  CHECK(off.options.range == ros2::DiscoveryRange::off);
  CHECK(off.options.static_peers.empty());
  CHECK(off.warnings.size() == 1);
}

TEST_CASE("discovery servers have their place in the list as id or one of their own") {
  const std::string machine = "machines:\n  lift: { type: counter, device: virtual }\n";
  const RosConfig ros =
      parse(machine + "ros: { servers: [10.9.0.1, {id: 7, address: \"lab-pc:14520\"}, 10.9.0.3] }").ros;
  CHECK(ros.servers == std::vector<ros2::DiscoveryServer>{{0, "10.9.0.1"}, {7, "lab-pc", 14520}, {2, "10.9.0.3"}});
  CHECK_FALSE(ros.super_client.has_value());
  CHECK(parse(machine + "ros: { super_client: false }").ros.super_client == false);
  const auto fault = [&](const std::string& value) {
    const std::string text = wrong(machine + "ros: { discovery: server, servers: " + value + " }");
    return text.substr(std::min(text.find("ros.servers"), text.size()));
  };
  CHECK(fault("10.9.0.1") == "ros.servers: expected a list of discovery servers, got '10.9.0.1'");
  CHECK(fault("[]") == "ros.servers: expected a list of discovery servers, got an empty one");
  CHECK(fault("[10.9.0.1, {id: 0, address: a}]") == "ros.servers: element 2: id 0 is another server's already");
  CHECK(fault("[{id: 1}]") == "ros.servers: element 1: missing key 'address'");
  CHECK(fault("[{address: a}]") == "ros.servers: element 1: missing key 'id'");
  CHECK(fault("[{id: 256, address: a}]") ==
        "ros.servers: element 1: id: expected a whole number from 0 to 255, got '256'");
  CHECK(fault("[{id: 1.5, address: a}]") ==
        "ros.servers: element 1: id: expected a whole number from 0 to 255, got '1.5'");
  CHECK(fault("[{id: 1, adress: a}]") == "ros.servers: element 1: unknown key 'adress' (known: id, address)");
  CHECK(fault("[10.9.0.300]") ==
        "ros.servers: element 1: expected ADDRESS[:PORT] of a discovery server, got \"10.9.0.300\"");
  CHECK(fault("[[a]]") == "ros.servers: element 1: expected HOST[:PORT] or {id, address}, got a list");
  CHECK(wrong(machine + "ros: { discovery: localhost, servers: [a] }") ==
        "lab.yaml:3:30: ros.servers: expected with discovery: server, got discovery: localhost");
}

TEST_CASE("a key of ros wins over the discovery servers of the environment") {
  const std::string machine = "machines:\n  lift: { type: counter, device: virtual }\n";
  using Table = std::map<std::string, std::string>;
  const auto options = [&](const std::string& text, const Table& variables) {
    return ros_options(parse(machine + text), [&](const char* name) -> const char* {
      const auto found = variables.find(name);
      return found == variables.end() ? nullptr : found->second.c_str();
    });
  };
  const Table remote = {{"ROS_DISCOVERY_SERVER", "10.9.0.1"}};
  using Range = ros2::DiscoveryRange;
  // Virtual machines alone stay on loopback, unless a server is named.
  CHECK(options("", {}).options.range == Range::localhost);
  const auto followed = options("", remote);
  CHECK(followed.options.range == Range::subnet);
  CHECK(followed.options.servers == std::vector<ros2::DiscoveryServer>{{0, "10.9.0.1"}});
  CHECK(followed.warnings.empty());
  CHECK(options("", {{"ROS_DISCOVERY_SERVER", "127.0.0.1"}}).options.range == Range::localhost);
  const auto stays = options("ros: { discovery: localhost }", remote);
  CHECK(stays.options.servers.empty());
  CHECK(stays.options.range == Range::localhost);
  REQUIRE(stays.warnings.size() == 1);
  CHECK(stays.warnings.front().find("contradict each other") != std::string::npos);
  const auto own = options("ros: { servers: [10.9.0.2], super_client: false, static_peers: [a] }",
                           {{"ROS_DISCOVERY_SERVER", "10.9.0.1"}, {"ROS_LOCALHOST_ONLY", "1"}});
  CHECK(own.options.servers == std::vector<ros2::DiscoveryServer>{{0, "10.9.0.2"}});
  CHECK(own.options.range == Range::subnet);
  CHECK_FALSE(own.options.super_client);
  CHECK(own.options.static_peers.empty());
  CHECK(own.warnings.size() == 1);
  CHECK(options("ros: { discovery: server }", remote).options.servers.size() == 1);
  CHECK_THROWS_WITH_AS(
      options("ros: { discovery: server }", {}),
      "ros.discovery: server: expected discovery servers in ros.servers or ROS_DISCOVERY_SERVER, got none",
      std::runtime_error);
}

TEST_CASE("ROS stays on this computer as long as all devices do") {
  const auto range = [](const std::string& device) {
    return default_range(parse("machines:\n  a: { type: counter, device: virtual }\n  b: { type: counter, device: \"" +
                               device + "\" }"));
  };
  for (const char* here : {"virtual", "count://127.0.0.1:5", "count://127.9.9.9", "count://localhost"}) {
    CHECK(range(here) == ros2::DiscoveryRange::localhost);
  }
  for (const char* elsewhere : {"count://10.0.0.1", "count://plc.lab"}) {
    CHECK(range(elsewhere) == ros2::DiscoveryRange::subnet);
  }
}

TEST_CASE("a device is the word virtual or a URL of the machine's scheme") {
  const auto device = [](const std::string& url) {
    return wrong("machines:\n  lift: { type: counter, device: \"" + url + "\" }");
  };
  for (const char* good :
       {"virtual", "count://10.0.0.1", "count://plc.lab:65535", "count://plc?net_id=1.2.3.4.1.1&port=851"}) {
    CAPTURE(good);
    CHECK(device(good) == "fine");
  }
  for (const char* bad : {"", "Virtual", "count", "count:/x", "ads://10.0.0.1", "count://", "count://:5", "count://a:0",
                          "count://a:65536", "count://a:5x", "count://a b", "count://a/\\u00e9", "://a"}) {
    CAPTURE(bad);
    CHECK(contains(device(bad), "expected 'virtual' or 'count://HOST[:PORT]'"));
  }
}

TEST_CASE("every problem is told and not only the first") {
  const std::string all =
      wrong("machines:\n  a: { type: counter, device: x, lout: true }\n  b: { type: z }\nrso: {}\n");
  for (const char* line : {"lab.yaml:2:31:", "lab.yaml:2:34:", "lab.yaml:3:14:", "lab.yaml:4:1:"}) {
    CAPTURE(line);
    CHECK(contains(all, line));
  }
}

TEST_CASE("several files are one configuration and a machine twice names both places") {
  const std::vector<ConfigText> files = {
      {"a.yaml", "machines: { one: { type: counter, device: virtual } }\nros: { domain: 3 }"},
      {"b.yaml", "machines: { two: { type: counter, device: virtual } }"}};
  CHECK(parse_config(files, counters()).machines.size() == 2);
  const std::vector<ConfigText> twice = {
      files[0], {"c.yaml", "machines:\n  one: { type: counter, device: virtual }\nros: { domain: 4 }"}};
  try {
    (void)parse_config(twice, counters());
    FAIL("accepted");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()) ==
          "c.yaml:2:3: machine 'one' twice; first at a.yaml:1:13\n"
          "c.yaml:3:8: 'ros.domain' again; first at a.yaml:2:8");
  }
}

TEST_CASE("a file that is not there is named") {
  const std::vector<std::string> files = {"/nowhere/lab.yaml"};
  CHECK_THROWS_WITH_AS((void)load_config(files, counters()),
                       "/nowhere/lab.yaml: cannot be read: No such file or directory", ConfigError);
  const std::vector<std::string> folder = {"/tmp"};
  CHECK_THROWS_AS((void)load_config(folder, counters()), ConfigError);
}

TEST_CASE("hostile files are refused in bounded time") {
  const auto repeated = [](std::string_view part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
  };
  const std::vector<std::pair<std::string, std::string>> rows = {
      {repeated("[", 100'000), "nested"},
      {repeated("{a: ", 50'000), "nested"},
      {repeated("- ", 100'000), "nested"},
      {repeated("? ", 100'000), ""},
      {"a: &x [1]\nb: *x", "anchors"},
      {"a: *x", ""},
      {"a: !!python/object 1", "tags"},
      {std::string("machines:\0", 10), "NUL"},
      {"machines: \xff\xfe", "not UTF-8"},
      {"machines: \xc0\xaf", "not UTF-8"},
      {std::string(300'000, 'a'), "at most"},
      {repeated("a: 1\n", 30'000), "more than"},
      {"a: 1\n---\nb: 2", "several documents"},
      {"{a: 1", "not YAML"},
      {"\t- x", ""},
      {"[a, b]: 1", "a key is a word"},
      {repeated("#", 200'000), "the file is empty"},
      {repeated(" ", 200'000) + "x", ""},
      {"a: \"" + repeated("\\x41", 50'000) + "\"", ""},
      {"a: |\n" + repeated("  x\n", 60'000), ""},
  };
  const Instant start = system_clock().now();
  for (const auto& [text, says] : rows) {
    CAPTURE(text.substr(0, 20));
    const std::string told = wrong(text);
    CHECK(told != "fine");
    CHECK(contains(told, says));
    CHECK(told.size() < 1000);
  }
  CHECK(system_clock().now() - start < 20s);
}

TEST_CASE("random bytes and broken configurations never do more than complain") {
  const std::string good =
      "machines:\n  lift: { type: counter, device: virtual, offsets: [0, 1, 0] }\nros: { domain: 1 }\n";
  std::mt19937_64 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (std::uint64_t k = random() % 6; k > 0; --k) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 5);
      else if (random() % 2 == 0)
        text[at] = "{}[]:,&*!|>'\"%@`?-\n \t#\x80z"[random() % 25];
      else
        text.insert(at, text.substr(random() % text.size(), random() % 12));
      if (text.empty()) text = "x";
    }
    (void)wrong(text);
  }
}

TEST_CASE("the nearest word is one a finger could have meant") {
  const std::vector<std::string_view> known = {"machines", "ros", "control", "log"};
  CHECK(nearest("mahcines", known) == "machines");
  CHECK(nearest("contol", known) == "control");
  CHECK(nearest("rso", known) == "ros");
  CHECK(nearest("zebra", known).empty());
  CHECK(nearest("", known).empty());
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(printable("a\x1b[31m\xc3\xa9", 60) == "a?[31m??");
}

}  // namespace tandem::runtime
