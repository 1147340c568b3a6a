// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

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

TEST_CASE("a discovery server in the environment is refused with a sentence") {
  const Result<EnvironmentOptions> found =
      options_from({{"ROS_DISCOVERY_SERVER", "10.9.0.1:11811"}, {"FASTDDS_ENVIRONMENT_FILE", ""}});
  REQUIRE(found.ok());
  CHECK(found->warnings ==
        std::vector<std::string>{
            "ROS_DISCOVERY_SERVER: expected no discovery server, got \"10.9.0.1:11811\"; it is not supported and "
            "is ignored: unset it, and list other computers in ROS_STATIC_PEERS or ros.static_peers"});
  CHECK(options_from({{"FASTDDS_ENVIRONMENT_FILE", "servers.json"}})->warnings.size() == 1);
}

// With the variable set, Fast DDS itself ends the process on loopback, and finds no peers elsewhere.
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

}  // namespace tandem::ros2
