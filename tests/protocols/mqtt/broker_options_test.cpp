// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mqtt/broker.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/protocols/mqtt/broker.hpp"

namespace tandem::mqtt {
namespace {

std::string all_problems(const BrokerOptions& broker) {
  std::string all;
  for (const std::string& problem : broker_problems(broker)) all += problem + "\n";
  return all;
}

}  // namespace

TEST_CASE("a broker's URL has the scheme mqtt or mqtts and nothing behind the port") {
  CHECK(all_problems({"mqtt://127.0.0.1", "", "", "", "", ""}).empty());
  CHECK(all_problems({"mqtts://broker.example:8884", "", "", "", "", ""}).empty());
  CHECK(broker_text({"mqtt://broker", "", "", "", "", ""}) == "mqtt://broker:1883");
  CHECK(broker_text({"mqtts://broker", "", "", "", "", ""}) == "mqtts://broker:8883");
  for (const char* bad : {"", "127.0.0.1", "http://127.0.0.1", "mqtt://", "mqtt://a:0", "mqtt://a:70000", "mqtt://a/b",
                          "mqtt://user:secret@a", "mqtt://a?keepalive=3"}) {
    CAPTURE(bad);
    CHECK(all_problems({bad, "", "", "", "", ""}).starts_with("mqtt.broker: "));
  }
}

TEST_CASE("a password in the URL is refused and not repeated anywhere") {
  for (const char* bad :
       {"mqtt://me:opensesame@host", "mqtts://me:opensesame@host:8883", "me:opensesame@host", "mqtt://opensesame@host",
        "mqtt://me:open@opensesame@host", "http://me:opensesame@host/a?b"}) {
    CAPTURE(bad);
    const BrokerOptions broker{bad, "me", "file", "", "", ""};
    const std::string problems = all_problems(broker);
    CHECK(problems.find("expected mqtt://HOST[:PORT]") != std::string::npos);
    CHECK(problems.find("keys of their own") != std::string::npos);
    std::string all = problems + broker_text(broker);
    for (const std::string& warning : broker_warnings(broker)) all += warning;
    Loop loop;
    try {
      const Client client(loop, broker, "test", 15s, {});
      FAIL("a client was made");
    } catch (const std::invalid_argument& error) {
      all += error.what();
    }
    CHECK(all.find("opensesame") == std::string::npos);
  }
}

TEST_CASE("keys that need each other are named when one is missing") {
  const Folder folder;
  const std::string secret = folder.file("password", "opensesame\n");
  const std::string file = folder.file("file.pem", "x");
  CHECK(all_problems({"mqtt://a", "me", secret, "", "", ""}).empty());
  CHECK(all_problems({"mqtt://a", "", secret, "", "", ""}).find("expected `user`") != std::string::npos);
  CHECK(all_problems({"mqtts://a", "", "", "", file, ""}).find("together") != std::string::npos);
  CHECK(all_problems({"mqtt://a", "", "", file, "", ""}).find("write mqtts://") != std::string::npos);
}

TEST_CASE("a password or key that every user of this computer can read is refused, and so is a missing file") {
  const Folder folder;
  const std::string open = folder.file("open", "opensesame\n", 0644);
  const std::string closed = folder.file("closed", "opensesame\n", 0640);
  CHECK(all_problems({"mqtt://a", "me", closed, "", "", ""}).empty());
  const std::string wrong = all_problems({"mqtt://a", "me", open, "", "", ""});
  CHECK(wrong.find("chmod o-r " + open) != std::string::npos);
  CHECK(wrong.find("opensesame") == std::string::npos);
  CHECK(all_problems({"mqtts://a", "", "", "", closed, open}).find("chmod o-r") != std::string::npos);
  CHECK(all_problems({"mqtts://a", "", "", folder.path() + "/none", "", ""}).find("cannot be read") !=
        std::string::npos);
}

TEST_CASE("a password that travels in plain text beyond this computer is warned of") {
  const BrokerOptions away{"mqtt://192.168.2.7", "me", "file", "", "", ""};
  CHECK(broker_warnings(away).size() == 1);
  CHECK(broker_warnings({"mqtt://127.0.0.1", "me", "file", "", "", ""}).empty());
  CHECK(broker_warnings({"mqtts://192.168.2.7", "me", "file", "", "", ""}).empty());
  CHECK(broker_warnings({"mqtt://192.168.2.7", "", "", "", "", ""}).empty());
}

}  // namespace tandem::mqtt
