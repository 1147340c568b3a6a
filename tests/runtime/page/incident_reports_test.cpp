// SPDX-License-Identifier: Apache-2.0
// Reports on incidents as the page serves them: which names, made once, and never by the thread that asks.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tandem/net/socket.hpp"
#include "tandem/runtime/page/incident_reports.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/runtime/counter/machine.hpp"

namespace tandem::runtime {
namespace {

struct Folder {
  std::filesystem::path path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "tandem_reports_XXXXXX").string();
    return std::filesystem::path(::mkdtemp(name.data()));
  }();
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

// Says which file it is about.
Result<std::string> about(const std::string& file) {
  std::ifstream stream(file);
  std::string text;
  std::getline(stream, text);
  if (text == "bad") return Error{Fault::invalid, "it cannot be read"};
  if (text == "throws") throw std::runtime_error("it throws");
  return "<html><head></head>" + text + "</html>";
}

std::string text_of(const web::Response& response) {
  return response.body ? std::string(response.body->begin(), response.body->end()) : std::string();
}

// Asks as a browser does that refreshes, until the report is there.
web::Response ready(IncidentReports& reports, const std::string& path) {
  const Instant until = now() + 20s;
  while (true) {
    auto response = reports.answer(path);
    REQUIRE(response);
    if (text_of(*response).find("http-equiv=\"refresh\"") == std::string::npos || now() > until) return *response;
    system_clock().sleep_until(now() + 2ms);
  }
}

std::string asked(const std::string& address, const std::string& path) {
  const std::string at = address.substr(std::string("http://").size());
  const auto port = static_cast<std::uint16_t>(std::stoi(at.substr(at.find(':') + 1)));
  auto socket = net::TcpSocket::connect("127.0.0.1", port, now() + 10s);
  REQUIRE(socket);
  const std::string request =
      fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", path, port);
  REQUIRE(socket->write_all(as_bytes(request), now() + 10s));
  std::string answer;
  std::array<std::uint8_t, 4096> some{};
  while (true) {
    const auto size = socket->read_some(some, now() + 10s);
    if (!size) return answer;
    answer.append(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(*size));
  }
}

}  // namespace

TEST_CASE("a report has the name of its file") {
  CHECK(report_path("/var/lib/tandem/incidents/20261119T043015Z_lift_lost.mcap") ==
        "/incidents/20261119T043015Z_lift_lost.html");
  CHECK(report_name("a.b.mcap") == "a.b");
}

TEST_CASE("a report is made once for each version of its file") {
  const Folder folder;
  folder.write("a.mcap", "first");
  std::atomic<int> made{0};
  IncidentReports reports(folder.path.string(), [&](const std::string& file) {
    ++made;
    return about(file);
  });
  CHECK_FALSE(reports.answer("/metrics"));
  CHECK(text_of(ready(reports, "/incidents/a.html")) == "<html><head></head>first</html>");
  const web::Response again = ready(reports, "/incidents/a.html");
  CHECK(again.status == 200);
  CHECK(again.content_type == "text/html; charset=utf-8");
  CHECK(made == 1);
  folder.write("a.mcap", "the second, which is longer");
  CHECK(text_of(ready(reports, "/incidents/a.html")) == "<html><head></head>the second, which is longer</html>");
  CHECK(made == 2);
}

TEST_CASE("who asks for a report does not wait for it") {
  const Folder folder;
  folder.write("a.mcap", "slow");
  folder.write("b.mcap", "other");
  std::atomic<bool> go{false};
  std::atomic<std::thread::id> maker{};
  IncidentReports reports(folder.path.string(), [&](const std::string& file) {
    maker = std::this_thread::get_id();
    go.wait(false);
    return about(file);
  });
  // Answers although the report cannot be ready; one at a time is made.
  for (const char* path : {"/incidents/a.html", "/incidents/b.html", "/incidents/a.html"})
    CHECK(text_of(*reports.answer(path)).find("refresh") != std::string::npos);
  go = true;
  go.notify_all();
  CHECK(text_of(ready(reports, "/incidents/a.html")) == "<html><head></head>slow</html>");
  CHECK(text_of(ready(reports, "/incidents/b.html")) == "<html><head></head>other</html>");
  CHECK(maker.load() != std::this_thread::get_id());
}

TEST_CASE("a file that grows is shown as it was until it is read anew") {
  const Folder folder;
  folder.write("a.mcap", "first");
  std::atomic<bool> go{true};
  IncidentReports reports(folder.path.string(), [&](const std::string& file) {
    go.wait(false);
    return about(file);
  });
  CHECK(text_of(ready(reports, "/incidents/a.html")).ends_with("first</html>"));
  go = false;
  folder.write("a.mcap", "first and second");
  const std::string meanwhile = text_of(*reports.answer("/incidents/a.html"));
  CHECK(meanwhile.ends_with("first</html>"));
  CHECK(meanwhile.find("http-equiv=\"refresh\"") != std::string::npos);
  go = true;
  go.notify_all();
  CHECK(text_of(ready(reports, "/incidents/a.html")).ends_with("first and second</html>"));
}

TEST_CASE("no name leads out of the folder") {
  const Folder outside, folder;
  const std::string secret = outside.write("secret.mcap", "secret");
  folder.write("a.mcap", "a");
  folder.write(".hidden.mcap", "hidden");
  folder.write("b.txt", "b");
  std::filesystem::create_symlink(secret, folder.path / "link.mcap");
  std::filesystem::create_directory(folder.path / "folder.mcap");
  IncidentReports reports(folder.path.string(), about);
  const std::string up = "../" + outside.path.filename().string() + "/secret";
  for (const std::string& name :
       {up, "x/../" + up, "..\\" + up, secret.substr(0, secret.size() - 5), std::string("link"), std::string("folder"),
        std::string(".hidden"), std::string(".."), std::string(""), std::string("none"), std::string("b.txt"),
        std::string(300, 'a'), std::string("a.mcap")}) {
    CAPTURE(name);
    const auto response = reports.answer("/incidents/" + name + ".html");
    REQUIRE(response);
    CHECK(response->status == 404);
  }
  CHECK(reports.answer("/incidents/a.mcap")->status == 404);
  CHECK(reports.answer("/incidents/")->status == 404);
  CHECK(ready(reports, "/incidents/a.html").status == 200);
  IncidentReports none("", about);
  CHECK(none.answer("/incidents/a.html")->status == 404);
}

TEST_CASE("a replay offers the report of its own file only") {
  const Folder folder;
  folder.write("a.mcap", "a");
  folder.write("b.mcap", "b");
  IncidentReports reports(folder.path.string(), about, "b.mcap");
  CHECK(reports.answer("/incidents/a.html")->status == 404);
  CHECK(text_of(ready(reports, "/incidents/b.html")) == "<html><head></head>b</html>");
}

TEST_CASE("what cannot be explained is said in words") {
  const Folder folder;
  folder.write("a.mcap", "bad");
  folder.write("b.mcap", "throws");
  IncidentReports reports(folder.path.string(), about);
  const web::Response bad = ready(reports, "/incidents/a.html");
  CHECK(bad.status == 500);
  CHECK(text_of(bad) == "it cannot be read\n");
  CHECK(text_of(ready(reports, "/incidents/b.html")) == "b: it throws\n");
}

TEST_CASE("the page serves reports to those who may look") {
  const Folder folder;
  folder.write("a.mcap", "a");
  IncidentReports reports(folder.path.string(), about);
  SystemOptions options;
  options.version = "test";
  options.incident_reports = &reports;
  static const Registry registry({&counter::machine_type()});
  const std::string token = "a-token-to-look-0123456789";
  const ConfigText text{"test.yaml",
                        "ros: { enabled: false }\nmachines:\n  lift: { type: counter, device: virtual }\n"
                        "web: { listen: \"127.0.0.1:0\", view_token: " +
                            token + " }\n"};
  System system(parse_config({&text, 1}, registry), options);
  system.start();
  const std::string page = system.status().page;
  CHECK(asked(page, "/incidents/a.html").starts_with("HTTP/1.1 401"));
  const Instant until = now() + 20s;
  std::string answer;
  do {
    answer = asked(page, "/incidents/a.html?token=" + token);
  } while (answer.find("<html><head></head>a</html>") == std::string::npos && now() < until);
  CHECK(answer.starts_with("HTTP/1.1 200"));
  CHECK(answer.find("<html><head></head>a</html>") != std::string::npos);
  for (const char* path : {"/incidents/..%2f..%2fetc%2fpasswd.html", "/incidents/%2e%2e/a.html", "/incidents/b.html"})
    CHECK(asked(page, fmt::format("{}?token={}", path, token)).starts_with("HTTP/1.1 404"));
  CHECK(system.stop(10s).empty());
}

}  // namespace tandem::runtime
