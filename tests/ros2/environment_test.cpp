// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>

#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {
namespace {

using Table = std::map<std::string, std::string>;
using Peers = std::vector<std::string>;

Result<EnvironmentOptions> options_from(const Table& table, ContextOptions defaults = {}) {
  return context_options_from(
      [&](const char* name) {
        const auto found = table.find(name);
        return found == table.end() ? nullptr : found->second.c_str();
      },
      std::move(defaults));
}

}  // namespace

TEST_CASE("the environment variables mean what rcl says") {
  constexpr auto range_name = "ROS_AUTOMATIC_DISCOVERY_RANGE";
  constexpr auto peers_name = "ROS_STATIC_PEERS";
  struct Row {
    Table table;
    DiscoveryRange range;
    Peers peers;
    std::size_t warnings;
  };
  using Range = DiscoveryRange;
  const std::vector<Row> rows = {
      {{}, Range::subnet, {}, 0},
      {{{"ROS_LOCALHOST_ONLY", ""}, {range_name, ""}, {peers_name, ""}}, Range::subnet, {}, 0},
      {{{"ROS_LOCALHOST_ONLY", "0"}}, Range::subnet, {}, 0},
      {{{"ROS_LOCALHOST_ONLY", "true"}}, Range::subnet, {}, 0},
      {{{"ROS_LOCALHOST_ONLY", "1"}}, Range::localhost, {}, 0},
      {{{"ROS_LOCALHOST_ONLY", "1"}, {range_name, "OFF"}}, Range::localhost, {}, 1},
      {{{"ROS_LOCALHOST_ONLY", "1"}, {peers_name, "10.0.0.1"}}, Range::localhost, {}, 1},
      {{{range_name, "OFF"}}, Range::off, {}, 0},
      {{{range_name, "LOCALHOST"}}, Range::localhost, {}, 0},
      {{{range_name, "SUBNET"}}, Range::subnet, {}, 0},
      {{{range_name, "SYSTEM_DEFAULT"}}, Range::system_default, {}, 0},
      {{{range_name, "localhost"}}, Range::localhost, {}, 1},
      {{{range_name, "EVERYWHERE"}}, Range::localhost, {}, 1},
      {{{peers_name, "10.0.0.1;lab-pc"}}, Range::subnet, {"10.0.0.1", "lab-pc"}, 0},
      {{{peers_name, ";10.0.0.1;;"}}, Range::subnet, {"10.0.0.1"}, 0},
      {{{range_name, "LOCALHOST"}, {peers_name, "10.0.0.1"}}, Range::localhost, {"10.0.0.1"}, 0},
      {{{range_name, "OFF"}, {peers_name, "10.0.0.1"}}, Range::off, {}, 1},
      {{{range_name, "SYSTEM_DEFAULT"}, {peers_name, "10.0.0.1"}}, Range::system_default, {}, 1},
  };
  ContextOptions defaults;
  defaults.range = DiscoveryRange::subnet;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i);
    const Result<EnvironmentOptions> found = options_from(rows[i].table, defaults);
    REQUIRE(found.ok());
    CHECK(found->options.range == rows[i].range);
    CHECK(found->options.static_peers == rows[i].peers);
    CHECK(found->warnings.size() == rows[i].warnings);
  }
}

TEST_CASE("without variables the defaults stand") {
  ContextOptions defaults;
  defaults.domain = 7;
  defaults.range = DiscoveryRange::localhost;
  const Result<EnvironmentOptions> found = options_from({}, defaults);
  REQUIRE(found.ok());
  CHECK(found->options.domain == 7);
  CHECK(found->options.range == DiscoveryRange::localhost);
}

TEST_CASE("a domain is a number from 0 to 232 and above 101 there is a warning") {
  CHECK(options_from({{"ROS_DOMAIN_ID", "42"}})->options.domain == 42);
  CHECK(options_from({{"ROS_DOMAIN_ID", "101"}})->warnings.empty());
  CHECK(options_from({{"ROS_DOMAIN_ID", "102"}})->warnings.size() == 1);
  for (const char* text : {"-1", "233", "4294967296", "99999999999999999999", "abc", "0x", "0y", " ", "x1"}) {
    INFO(text);
    const Result<EnvironmentOptions> found = options_from({{"ROS_DOMAIN_ID", text}});
    REQUIRE_FALSE(found.ok());
    CHECK(found.error().text == "ROS_DOMAIN_ID: expected a number from 0 to 232, got \"" + std::string(text) + "\"");
  }
}

TEST_CASE("a domain is read as strtoul does so that it is the one of rcl") {
  struct Row {
    const char* text;
    int domain;
    std::size_t warnings;
  };
  for (const Row& row : {Row{"010", 8, 0}, {"0x10", 16, 0}, {" 7", 7, 0}, {"1x", 1, 1}, {"3.9", 3, 1}}) {
    INFO(row.text);
    const Result<EnvironmentOptions> found = options_from({{"ROS_DOMAIN_ID", row.text}});
    REQUIRE(found.ok());
    CHECK(found->options.domain == row.domain);
    CHECK(found->warnings.size() == row.warnings);
  }
}

TEST_CASE("security is on by true alone and enforced by Enforce alone") {
  struct Row {
    Table table;
    bool on, enforced;
    std::size_t warnings;
  };
  const std::vector<Row> rows = {
      {{}, false, false, 0},
      {{{"ROS_SECURITY_ENABLE", "false"}, {"ROS_SECURITY_STRATEGY", "Enforce"}}, false, false, 0},
      {{{"ROS_SECURITY_ENABLE", "True"}}, false, false, 1},
      {{{"ROS_SECURITY_ENABLE", "1"}}, false, false, 1},
      {{{"ROS_SECURITY_ENABLE", "true"}}, true, false, 0},
      {{{"ROS_SECURITY_ENABLE", "true"}, {"ROS_SECURITY_STRATEGY", "Permissive"}}, true, false, 0},
      {{{"ROS_SECURITY_ENABLE", "true"}, {"ROS_SECURITY_STRATEGY", "enforce"}}, true, false, 1},
      {{{"ROS_SECURITY_ENABLE", "true"}, {"ROS_SECURITY_STRATEGY", "Enforce"}}, true, true, 0},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i);
    Table table = rows[i].table;
    table["ROS_SECURITY_KEYSTORE"] = "/keys";
    const Result<EnvironmentOptions> found = options_from(table);
    REQUIRE(found.ok());
    CHECK(found->options.security.has_value() == rows[i].on);
    CHECK(found->warnings.size() == rows[i].warnings);
    CHECK(found->options.enclave == "/");
    if (!rows[i].on) continue;
    CHECK(found->options.security->keystore == "/keys");
    CHECK((found->options.security->strategy == Security::Strategy::enforce) == rows[i].enforced);
  }
  CHECK(options_from({{"ROS_SECURITY_ENCLAVE_OVERRIDE", "/lab/arm"}})->options.enclave == "/lab/arm");
}

TEST_CASE("the place in ROS_DISCOVERY_SERVER is the id and wrong entries are left out with a warning") {
  const auto texts = [](const std::string& list) {
    std::vector<std::string> texts;
    for (const DiscoveryServer& server : servers_from(list).servers) texts.push_back(server.text());
    return texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(texts("10.9.0.1") == Texts{"server 0 at 10.9.0.1:11811"});
  CHECK(texts("10.9.0.1:11811;;lab-pc:14520") == Texts{"server 0 at 10.9.0.1:11811", "server 2 at lab-pc:14520"});
  CHECK(texts(";10.9.0.6") == Texts{"server 1 at 10.9.0.6:11811"});
  CHECK(texts("UDPv4:[lab-pc]:14520;UDPv4:10.9.0.2:1") == Texts{"server 0 at lab-pc:14520", "server 1 at 10.9.0.2:1"});
  CHECK(texts("0.0.0.0:9") == Texts{"server 0 at 127.0.0.1:9"});
  CHECK(texts("").empty());
  CHECK(texts(std::string(400, ';') + "10.9.0.1").empty());
  for (const char* wrong : {"10.9.0", "10.9.0.300", "10.9.0.1:0", "10.9.0.1:70000", "10.9.0.1:x", "10.9.0.1:", "a b",
                            "[fe80::1]:11811", "fe80::1", "TCPv4:[10.9.0.1]:42100", "[10.9.0.1", "239.255.0.1", ":1"}) {
    CAPTURE(wrong);
    const ServerList list = servers_from(std::string(wrong) + ";10.9.0.2");
    CHECK(list.servers == std::vector<DiscoveryServer>{{1, "10.9.0.2"}});
    REQUIRE(list.warnings.size() == 1);
    CHECK(
        list.warnings.front().starts_with("ROS_DISCOVERY_SERVER: expected ADDRESS[:PORT] of a discovery server, got"));
  }
  CHECK_FALSE(server_from("10.9.0.1", 256).ok());
  CHECK_FALSE(server_from("10.9.0.1", -1).ok());
}

TEST_CASE("the name of a server on the wire has its id as third byte") {
  // 44.53.NN.5f.45.50.52.4f.53.49.4d.41: DS, id, _EPROSIMA (ServerAttributes.h of Fast DDS 2.9.1)
  CHECK(server_prefix(0x2a) ==
        std::array<std::uint8_t, 12>{0x44, 0x53, 0x2a, 0x5f, 0x45, 0x50, 0x52, 0x4f, 0x53, 0x49, 0x4d, 0x41});
}

TEST_CASE("discovery servers in the environment are followed as far as the range allows") {
  using Range = DiscoveryRange;
  struct Row {
    Table table;
    Range range;
    std::size_t servers, warnings;
  };
  constexpr auto name = "ROS_DISCOVERY_SERVER";
  const std::vector<Row> rows = {
      {{{name, "10.9.0.1"}}, Range::subnet, 1, 0},
      {{{name, "10.9.0.1;127.0.0.1"}}, Range::subnet, 2, 0},
      {{{name, "127.0.0.1:11811"}}, Range::localhost, 1, 0},
      {{{name, "localhost"}}, Range::localhost, 1, 0},
      {{{name, "127.0.0.1"}, {"ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET"}}, Range::subnet, 1, 0},
      {{{name, "127.0.0.1"}, {"ROS_LOCALHOST_ONLY", "1"}}, Range::localhost, 1, 0},
      {{{name, "10.9.0.1"}, {"ROS_LOCALHOST_ONLY", "1"}}, Range::localhost, 0, 1},
      {{{name, "10.9.0.1"}, {"ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST"}}, Range::localhost, 0, 1},
      {{{name, "127.0.0.1"}, {"ROS_AUTOMATIC_DISCOVERY_RANGE", "OFF"}}, Range::off, 0, 1},
      {{{name, "10.9.0.1"}, {"ROS_AUTOMATIC_DISCOVERY_RANGE", "SYSTEM_DEFAULT"}}, Range::system_default, 1, 0},
      {{{name, "10.9.0.1"}, {"ROS_STATIC_PEERS", "10.0.0.7"}}, Range::subnet, 1, 1},
      {{{name, "nothing at all"}}, Range::localhost, 0, 2},
      {{{name, ""}}, Range::localhost, 0, 0},
      {{{"FASTDDS_ENVIRONMENT_FILE", "/nowhere/servers.json"}}, Range::localhost, 0, 1},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    const Result<EnvironmentOptions> found = options_from(rows[i].table);
    REQUIRE(found.ok());
    CHECK(found->options.range == rows[i].range);
    CHECK(found->options.servers.size() == rows[i].servers);
    CHECK(found->warnings.size() == rows[i].warnings);
    CHECK((found->options.servers.empty() || found->options.static_peers.empty()));
  }
}

TEST_CASE("a context is a super client unless the environment says otherwise") {
  CHECK(options_from({})->options.super_client);
  CHECK(options_from({{"ROS_SUPER_CLIENT", "TRUE"}})->options.super_client);
  CHECK(options_from({{"ROS_SUPER_CLIENT", "maybe"}})->options.super_client);
  for (const char* no : {"FALSE", "false", "False", "0"})
    CHECK_FALSE(options_from({{"ROS_SUPER_CLIENT", no}})->options.super_client);
}

TEST_CASE("the file of Fast DDS wins over the variable") {
  const std::string file = "environment_test_" + std::to_string(getpid()) + ".json";
  const auto servers = [&](const std::string& text) {
    std::ofstream(file) << text;
    return options_from({{"FASTDDS_ENVIRONMENT_FILE", file}, {"ROS_DISCOVERY_SERVER", "10.9.0.1"}}).value();
  };
  CHECK(servers(R"({"environment_variables": {"ROS_DISCOVERY_SERVER": "10.9.0.2;10.9.0.3"}})").options.servers.size() ==
        2);
  CHECK(servers(R"({"environment_variables": {}})").options.servers.front().host == "10.9.0.1");
  for (const char* wrong : {"", "[]", "{", R"({"environment_variables": {"ROS_DISCOVERY_SERVER": 7}})"}) {
    CAPTURE(wrong);
    const EnvironmentOptions found = servers(wrong);
    CHECK(found.options.servers.front().host == "10.9.0.1");
    CHECK(found.warnings.size() == 1);
  }
  std::remove(file.c_str());
}

// With the variable set, Fast DDS itself ends the process on loopback, and finds no peers elsewhere. Whether a context
// uses servers is said by its options alone.
TEST_CASE("nodes find each other although the environment names a discovery server") {
  const ContextOptions options = loopback_options();
  setenv("ROS_DISCOVERY_SERVER", "198.51.100.7:11811", 1);  // a network for documentation, unreachable
  Context here(options);
  setenv("ROS_DISCOVERY_SERVER", "127.0.0.1:11811", 1);
  Context there(options);
  CHECK(std::string(std::getenv("ROS_DISCOVERY_SERVER")) == "127.0.0.1:11811");  // others in this process may use it
  const Node talker(here, "talker"), listener(there, "listener");
  CHECK(eventually([&] { return here.graph().node("/listener") != nullptr; }));
  CHECK(eventually([&] { return there.graph().node("/talker") != nullptr; }));
  ContextOptions alone = options;
  alone.range = DiscoveryRange::off;
  setenv("ROS_DISCOVERY_SERVER", "198.51.100.7:11811", 1);
  CHECK_NOTHROW(Context{alone});
  unsetenv("ROS_DISCOVERY_SERVER");
}

TEST_CASE("a program takes the variables out of its environment and knows them still") {
  setenv("ROS_DISCOVERY_SERVER", "198.51.100.7:11811", 1);
  take_discovery_server_variables();
  CHECK(std::getenv("ROS_DISCOVERY_SERVER") == nullptr);
  CHECK(std::string(ros_variable("ROS_DISCOVERY_SERVER")) == "198.51.100.7:11811");
  CHECK(context_options_from_environment()->options.servers.size() == 1);
}

TEST_CASE("servers with DDS Security are refused with a sentence") {
  ContextOptions options = loopback_options();
  options.servers = {{0, "127.0.0.1"}};
  options.security = Security{"/nowhere", Security::Strategy::enforce};
  CHECK_THROWS_WITH_AS(Context{options}, doctest::Contains("discovery servers with DDS Security: not supported"),
                       std::runtime_error);
}

}  // namespace tandem::ros2
