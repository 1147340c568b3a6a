// SPDX-License-Identifier: Apache-2.0
// hosts.yaml: what it may say, and how it says what is wrong.
#include "tandem/runtime/fleet/hosts.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tandem::runtime {

namespace {

std::string problems_of(const std::string& text) {
  try {
    parse_hosts(text, "hosts.yaml");
  } catch (const yaml::FileError& error) {
    return error.what();
  }
  return "";
}

struct HostsFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / fmt::format("tandem-hosts-{}", ::getpid());
  HostsFolder() { std::filesystem::create_directories(path); }
  ~HostsFolder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name, const std::string& text, unsigned int mode = 0600) const {
    std::ofstream(path / name) << text;
    std::filesystem::permissions(path / name, static_cast<std::filesystem::perms>(mode));
    return (path / name).string();
  }
};

std::string load_problems(const std::string& file) {
  try {
    load_hosts(file);
  } catch (const yaml::FileError& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("hosts have a page with a scheme, a host and a port") {
  const auto hosts = parse_hosts(R"(hosts:
  cell1: { page: "http://127.0.0.1:8088", token_file: cell1.token }
  cell-2: { page: "https://lab.example:8443/", token_file: sub/cell2.token, authority: ca.pem }
  viewer: { page: "https://10.0.0.5" }
  old: { page: "http://10.0.0.6", token_file: old.token, plain: true }
)",
                                 "hosts.yaml");
  REQUIRE(hosts.size() == 4);
  CHECK(hosts[0].name == "cell1");
  CHECK(hosts[0].place.text() == "http://127.0.0.1:8088");
  CHECK(hosts[0].token_file == "cell1.token");
  CHECK(hosts[1].place.text() == "https://lab.example:8443");
  CHECK(hosts[1].place.authority == "ca.pem");
  CHECK(hosts[2].place.port == 443);
  CHECK(hosts[3].place.port == 80);
  CHECK(hosts[3].plain);
}

TEST_CASE("what hosts.yaml may not say is an error with its place and the nearest key") {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"hsots: {}", "hosts.yaml:1:1: unknown key 'hsots' of the file; did you mean 'hosts'?"},
      {"hosts:\n  a: { pgae: \"http://127.0.0.1\" }", "hosts.yaml:2:8: unknown key 'pgae' of a; did you mean 'page'?"},
      {"hosts:\n  a: { token_flie: x, page: \"http://127.0.0.1\" }", "did you mean 'token_file'?"},
      {"hosts:\n  a: {}", "hosts.yaml:2:3: a: missing key 'page'"},
      {"hosts: {}", "missing key 'hosts'"},
      {"", "expected a map, got nothing"},
      {"hosts: [1]", "hosts: expected a map, got a list"},
      {"hosts:\n  1a: { page: \"http://127.0.0.1\" }", "host name '1a': expected letters, digits, _ and -"},
      {"hosts:\n  a: { page: \"ftp://127.0.0.1\" }", "expected http://HOST[:PORT] or https://HOST[:PORT]"},
      {"hosts:\n  a: { page: \"127.0.0.1:8088\" }", "expected http://HOST[:PORT] or https://HOST[:PORT]"},
      {"hosts:\n  a: { page: \"http://127.0.0.1:99999\" }", "a.page: expected http://"},
      {"hosts:\n  a: { page: \"http://127.0.0.1:8088?token=secret\" }", "a token belongs in a file of its own"},
      {"hosts:\n  a: { page: \"http://127.0.0.1:8088/?token=secret\" }",
       "got 'http://127.0.0.1:8088/': a token belongs"},
      {"hosts:\n  a: { page: \"http://127.0.0.1:99999/?secret\" }", "a token belongs in a file of its own"},
      {"hosts:\n  a: { page: \"127.0.0.1:8088/#token=secret\" }", "a token belongs in a file of its own"},
      {"hosts:\n  a: { page: \"http://127.0.0.1\", plain: yes }", "a.plain: expected true or false, got 'yes'"},
      {"hosts:\n  a: { page: [1] }", "a.page: expected text, got a list"},
      {"hosts:\n  a: { page: \"http://127.0.0.1\" }\n  a: { page: \"http://127.0.0.2\" }", "key 'a' twice"},
      {"hosts:\n  a: { page: \"http://127.0.0.1\" }\n  b: { page: \"http://127.0.0.1:80/\" }",
       "b.page: http://127.0.0.1:80 is the page of a as well"},
      {"hosts:\n  a: { page: \"http://127.0.0.1\", authority: ca.pem }", "expected a page with https://"},
      {"hosts:\n  a: { page: \"http://10.0.0.5:8088\", token_file: t }",
       "is beyond loopback and without TLS, so its token can be read on the network"},
  };
  for (const auto& [text, expected] : rows) {
    CAPTURE(text);
    const std::string problems = problems_of(text);
    CHECK_MESSAGE(holds(problems, expected), problems);
    CHECK_FALSE(holds(problems, "secret"));
  }
  std::string many = "hosts:\n";
  for (int i = 0; i < 257; ++i) many += fmt::format("  h{}: {{ page: \"http://127.0.0.1:{}\" }}\n", i, 1000 + i);
  CHECK(holds(problems_of(many), "hosts: expected at most 256, got 257"));
}

TEST_CASE("a token is read beside hosts.yaml, alone or out of the address that tandem page prints") {
  const HostsFolder folder;
  folder.file("plain.token", "0123456789abcdef\n");
  folder.file("page.token", "http://127.0.0.1:8088/?token=fedcba9876543210\n");
  const auto hosts = load_hosts(folder.file("hosts.yaml", R"(hosts:
  a: { page: "http://127.0.0.1:1", token_file: plain.token }
  b: { page: "http://127.0.0.1:2", token_file: page.token }
)"));
  REQUIRE(hosts.size() == 2);
  CHECK(hosts[0].token == "0123456789abcdef");
  CHECK(hosts[1].token == "fedcba9876543210");
}

TEST_CASE("token files that every user can read, that are missing or hold no token are refused with their names") {
  const HostsFolder folder;
  folder.file("open.token", "0123456789abcdef\n", 0644);
  folder.file("two.token", "0123456789abcdef\nX-Other: header\n");
  folder.file("empty.token", "\n");
  folder.file("long.token", std::string(5000, 'a'));
  const std::string problems = load_problems(folder.file("hosts.yaml", R"(hosts:
  a: { page: "http://127.0.0.1:1", token_file: open.token }
  b: { page: "http://127.0.0.1:2", token_file: missing.token }
  c: { page: "http://127.0.0.1:3", token_file: two.token }
  d: { page: "http://127.0.0.1:4", token_file: empty.token }
  e: { page: "http://127.0.0.1:5", token_file: long.token }
  f: { page: "http://127.0.0.1:6", token_file: . }
  g: { page: "https://127.0.0.1:7", authority: missing.pem }
)"));
  for (const std::string part :
       {"a.token_file: ", "open.token: contains a token that every user of this computer can read; chmod o-r",
        "b.token_file: ", "missing.token: cannot be read: No such file",
        "c.token_file: ", "expected a token in one line", "d.token_file: ", "e.token_file: ", "expected a regular file",
        "g.authority: "}) {
    CHECK_MESSAGE(holds(problems, part), problems);
  }
  CHECK_FALSE(holds(problems, "0123456789abcdef"));
  CHECK(holds(load_problems((folder.path / "none.yaml").string()), "none.yaml: cannot be read: No such file"));
}

}  // namespace tandem::runtime
