// SPDX-License-Identifier: Apache-2.0
// mqtts:// with certificates that openssl has just made.
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/protocols/mqtt/broker.hpp"
#include "tests/protocols/mqtt/recorder.hpp"

namespace tandem::mqtt {
namespace {

// A self-signed certificate for the name, and its key: NAME.pem and NAME.key.
void make_certificate(const Folder& folder, const std::string& name) {
  const std::string command = "cd " + folder.path() +
                              " && umask 077 && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
                              "-days 2 -subj /CN=" +
                              name + " -addext subjectAltName=DNS:" + name + " -keyout " + name + ".key -out " + name +
                              ".pem >/dev/null 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
}

std::vector<std::string> tls_lines(const Folder& folder, const std::string& name) {
  return {"allow_anonymous true", "certfile " + folder.path() + "/" + name + ".pem",
          "keyfile " + folder.path() + "/" + name + ".key"};
}

BrokerOptions secured(const Broker& broker, const std::string& authority) {
  return {"mqtts://localhost:" + std::to_string(broker.port()), "", "", authority, "", ""};
}

}  // namespace

TEST_CASE("mqtts: the broker is believed by its certificate and name, and by nothing less") {
  const Folder folder;
  make_certificate(folder, "localhost");
  make_certificate(folder, "elsewhere");
  const Broker good(tls_lines(folder, "localhost")), misnamed(tls_lines(folder, "elsewhere"));
  const std::string authority = folder.path() + "/localhost.pem", other = folder.path() + "/elsewhere.pem";
  Loop loop;
  Recorder accepted, wrong_authority, wrong_name, plain;
  Client client(loop, secured(good, authority), "believer", 60s, accepted.callbacks());
  const Client strict(loop, secured(good, other), "strict", 60s, wrong_authority.callbacks());
  const Client careful(loop, secured(misnamed, other), "careful", 60s, wrong_name.callbacks());
  const Client open(loop, good.options(), "open", 60s, plain.callbacks());
  REQUIRE(eventually([&] { return client.counters().connected; }));
  REQUIRE(eventually([&] { return wrong_authority.lost_count() >= 1 && wrong_name.lost_count() >= 1; }));
  REQUIRE(eventually([&] { return plain.lost_count() >= 1; }));
  MESSAGE(wrong_authority.lost().at(0));
  MESSAGE(wrong_name.lost().at(0));
  CHECK(wrong_authority.lost().at(0).find("certificate") != std::string::npos);
  CHECK(wrong_name.lost().at(0).find("host name") != std::string::npos);
  CHECK(strict.counters().connects == 0);
  CHECK(careful.counters().connects == 0);
  CHECK(open.counters().connects == 0);
  const Listener listener(loop, secured(good, authority), {"#"});
  for (int i = 0; i < 100; ++i) REQUIRE(client.publish({"secret", std::string(2000, 'x'), 1, false}));
  CHECK(eventually([&] { return listener.count("secret") == 100; }));
}

TEST_CASE("mqtts: a broker that asks for a certificate gets ours; without one it refuses") {
  const Folder folder;
  make_certificate(folder, "localhost");
  make_certificate(folder, "machine");
  auto lines = tls_lines(folder, "localhost");
  lines.push_back("require_certificate true");
  lines.push_back("cafile " + folder.path() + "/machine.pem");
  const std::string authority = folder.path() + "/localhost.pem";
  // The broker's own port check speaks no TLS, so it takes the broker's word that it listens.
  const Broker broker(lines);
  Loop loop;
  Recorder with, without;
  BrokerOptions options = secured(broker, authority);
  const Client stranger(loop, options, "stranger", 60s, without.callbacks());
  options.certificate = folder.path() + "/machine.pem";
  options.key = folder.path() + "/machine.key";
  const Client member(loop, options, "member", 60s, with.callbacks());
  REQUIRE(eventually([&] { return member.counters().connected; }));
  CHECK(eventually([&] { return without.lost_count() >= 1; }));
  CHECK(stranger.counters().connects == 0);
}

TEST_CASE("mqtts: a key that cannot be used is a reason, not a question on the terminal") {
  const Folder folder;
  make_certificate(folder, "localhost");
  const std::string sealed = folder.path() + "/sealed.key";
  REQUIRE(std::system(("openssl ec -aes256 -passout pass:opensesame -in " + folder.path() + "/localhost.key -out " +
                       sealed + " >/dev/null 2>&1")
                          .c_str()) == 0);
  const Broker broker(tls_lines(folder, "localhost"));
  Loop loop;
  Recorder recorder;
  BrokerOptions options = secured(broker, folder.path() + "/localhost.pem");
  options.certificate = folder.path() + "/localhost.pem";
  options.key = sealed;
  const Client client(loop, options, "sealed", 60s, recorder.callbacks());
  REQUIRE(eventually([&] { return recorder.lost_count() >= 1; }));
  CHECK(recorder.lost().at(0).find("TLS") != std::string::npos);
}

}  // namespace tandem::mqtt
