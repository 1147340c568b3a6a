// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/dds/security.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>

#include "tandem/base/sanitizers.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tests/ros2/keystore.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/resident.hpp"
#include "tests/ros2/rtps/packets.hpp"

#if defined(TANDEM_ADDRESS_SANITIZER)
// Debian's Fast DDS never frees the certificate of whom it refuses (3 kB each time), nor our identity when it refuses
// our permissions; the stacks end inside libcrypto, so that no narrower way is left.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return 1; }
#endif

namespace tandem::ros2 {
namespace {

using std_msgs::Float64;

ContextOptions secured(ContextOptions options, const Keystore& keystore, const std::string& enclave) {
  options.security = Security{keystore.folder().string(), Security::Strategy::enforce};
  options.enclave = enclave;
  return options;
}

// One node that publishes /level and counts what it hears there.
struct Party {
  Party(const ContextOptions& options, const std::string& name)
      : context(options),
        node(context, name),
        publisher(node.advertise<Float64>("/level")),
        subscription(node.subscribe<Float64>("/level", Qos::standard(), [this](const Float64& message, const auto&) {
          if (message.data != own) ++heard;
        })) {}
  void speak() const { publisher.publish({own}); }

  static inline double next = 1;
  double own = next++;
  std::atomic<int> heard = 0;
  Context context;
  Node node;
  Publisher<Float64> publisher;
  Subscription subscription;
};

// Why a context does not start; "" when it does.
std::string refusal(const ContextOptions& options) {
  try {
    const Context context(options);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

bool told(Context& context, Event::Kind kind, const std::string& part) {
  const std::vector<Event> events = context.take_events();
  return std::ranges::any_of(
      events, [&](const Event& event) { return event.kind == kind && event.text.find(part) != std::string::npos; });
}

// What a stranger with DDS Security, but without a certificate of ours, sends to a participant.
class Stranger {
 public:
  using Buffer = rtps_packets::Buffer;

  Stranger(const rtps_packets::Sender& sender, rtps_packets::Prefix prefix, rtps_packets::Prefix victim)
      : sender_(sender), prefix_(prefix), victim_(victim) {}

  // With tokens that say that it takes part in DDS Security.
  void announce() {
    rtps_packets::Parameters parameters = rtps_packets::announcement(prefix_);
    const auto token = [](const std::string& kind) {
      Buffer bytes;
      rtps_packets::put_text(bytes, kind);
      ByteWriter(bytes).zeros(8);
      return bytes;
    };
    parameters.add(0x1001, token("DDS:Auth:PKI-DH:1.0")).add(0x1002, token("DDS:Access:Permissions:1.0"));
    parameters.add(0x1005, Buffer{0x07, 0, 0, 0x80, 0x06, 0, 0, 0x80});  // what it protects, as sros2 has it
    parameters.add(0x58, Buffer{0x3f, 0x0c, 0xff, 0x0f}).end();          // it has the endpoints of handshakes
    sender_.send(rtps_packets::RtpsMessage(prefix_).data({rtps_packets::spdp_reader, rtps_packets::spdp_writer}, 1,
                                                         parameters.bytes()));
  }
  // A handshake with these tokens, whole and in fragments.
  void shake_hands(const Buffer& tokens) {
    Buffer payload = rtps_packets::handshake(prefix_, victim_);
    ByteWriter(payload).bytes(tokens);
    const rtps_packets::Way way{rtps_packets::handshake_reader, rtps_packets::handshake_writer};
    sender_.send(rtps_packets::RtpsMessage(prefix_).to(victim_).data(way, ++sequence_, payload));
    ++sequence_;
    constexpr std::uint16_t size = 100;
    for (std::uint32_t first = 1; (first - 1) * size < payload.size(); ++first) {
      const Bytes part = Bytes(payload).subspan((first - 1) * size);
      sender_.send(rtps_packets::RtpsMessage(prefix_).to(victim_).data_frag(
          way, sequence_, {first, 1, size, static_cast<std::uint32_t>(payload.size())},
          part.first(std::min<std::size_t>(size, part.size()))));
    }
  }

 private:
  const rtps_packets::Sender& sender_;
  rtps_packets::Prefix prefix_, victim_;
  std::int64_t sequence_ = 0;
};

std::vector<std::uint8_t> octets_of(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("handshakes of strangers that count too much or have no subject do not end a participant") {
  using rtps_packets::Buffer;
  using rtps_packets::Prefix;
  const Keystore keystore;
  keystore.add("/talker");
  keystore.add("/listener");
  const ContextOptions options = secured(loopback_options(), keystore, "/talker");
  Party talker(options, "talker");
  Prefix victim{};
  for (const GraphEndpoint& endpoint : talker.context.graph().endpoints) victim = rtps_packets::prefix_of(endpoint.gid);
  const rtps_packets::Sender sender(options.domain);

  std::vector<Buffer> attacks;
  Buffer one{1, 0, 0, 0}, kind = one;
  rtps_packets::put_text(kind, "DDS:Auth:PKI-DH:1.0+Req");
  for (const std::uint32_t lie : {0xffffffffu, 0xfffffffcu, 0x7fffffffu, 0x10000000u}) {
    const auto lying = [&](Buffer bytes) {
      ByteWriter(bytes).little(lie);
      attacks.push_back(bytes);
    };
    lying({});    // tokens
    lying(kind);  // properties
    Buffer none = kind;
    ByteWriter(none).zeros(4);
    lying(none);  // binary properties
    Buffer name = none;
    ByteWriter(name).bytes(one);
    rtps_packets::put_text(name, "c.id");
    lying(name);  // octets
  }
  for (const std::uint8_t behind_name : Buffer{0, 'X'}) {
    Buffer without_subject = one;
    rtps_packets::put_token(without_subject, "DDS:Auth:PKI-DH:1.0+Req", "c.id",
                            octets_of(rtps_packets::certificate_without_subject), true, behind_name);
    attacks.push_back(without_subject);
  }

  const std::ptrdiff_t before = resident_bytes();
  // Who begins the handshake follows from the numbers of the two: strangers with the lowest and the highest.
  for (const std::uint8_t first : Buffer{0x01, 0xfe}) {
    for (std::size_t i = 0; i < attacks.size(); ++i) {
      Stranger stranger(sender, {first, 15, static_cast<std::uint8_t>(i)}, victim);
      for (int times = 0; times < 3; ++times) {
        stranger.announce();
        std::this_thread::sleep_for(10ms);
        stranger.shake_hands(attacks[i]);
      }
    }
  }
  CHECK(eventually([&] { return told(talker.context, Event::Kind::malformed_sample, "refused "); }));
  CHECK(resident_bytes() - before < (64 << 20));

  // And those that belong together still find each other.
  Party listener(secured(options, keystore, "/listener"), "listener");
  CHECK(eventually([&] {
    talker.speak(), listener.speak();
    return talker.heard > 3 && listener.heard > 3;
  }));
}

TEST_CASE("with security nobody else can say that a participant has ended") {
  using namespace rtps_packets;
  const Keystore keystore;
  keystore.add("/talker");
  keystore.add("/listener");
  const ContextOptions open = loopback_options();
  Party talker(secured(open, keystore, "/talker"), "talker"),
      listener(secured(open, keystore, "/listener"), "listener");
  REQUIRE(eventually([&] { return talker.publisher.matched() == 2 && listener.publisher.matched() == 2; }));
  Prefix spoofed{};
  for (const GraphEndpoint& endpoint : talker.context.graph().endpoints) {
    if (endpoint.local) spoofed = prefix_of(endpoint.gid);
  }
  const Sender sender(open.domain);
  // As Fast DDS sends it, with a payload that is no list of parameters, and with a whole announcement.
  const std::vector<Farewell> forms{{.who = spoofed},
                                    {.who = spoofed, .flags = 4, .payload = {0, 0, 0, 0}},
                                    {.who = spoofed, .status = 1, .flags = 4, .payload = {0, 0, 0, 0}},
                                    {.who = spoofed, .flags = 4, .payload = announcement(spoofed).end().bytes()},
                                    {.who = spoofed, .with_hash = false, .flags = 8, .payload = guid_of(spoofed)}};
  bool always = true;
  for (int i = 0; i < 50; ++i) {
    for (Farewell form : forms) {
      form.sequence += i;
      sender.send(farewell(spoofed, form));
      std::this_thread::sleep_for(5ms);
      always = always && listener.publisher.matched() == 2;
    }
  }
  CHECK(always);
}

TEST_CASE("the folder of an enclave is where ros2 security puts it") {
  CHECK(enclave_folder("/keys", "/") == "/keys/enclaves");
  CHECK(enclave_folder("/keys", "/lab/arm") == "/keys/enclaves/lab/arm");
  CHECK_FALSE(security_properties("", "/").ok());
  CHECK_FALSE(security_properties("/keys", "arm").ok());
  CHECK_FALSE(security_properties("/keys", "/../../etc").ok());
}

TEST_CASE("a missing file stops who enforces and warns who permits") {
  const Keystore keystore;
  keystore.add("/talker");
  ContextOptions options = secured(loopback_options(), keystore, "/talker");
  REQUIRE(security_properties(keystore.folder().string(), "/talker").ok());
  for (const char* file : {"identity_ca.cert.pem", "cert.pem", "key.pem", "permissions_ca.cert.pem", "governance.p7s",
                           "permissions.p7s"}) {
    const auto path = keystore.enclave("/talker") / file;
    std::filesystem::rename(path, path.string() + "~");
    CHECK(refusal(options) == "security: " + path.string() + ": no such file");
    std::filesystem::rename(path.string() + "~", path);
  }
  options.enclave = "/nobody";
  CHECK(refusal(options) == "security: " + keystore.enclave("/nobody").string() + ": no such folder");
  options.security->strategy = Security::Strategy::permissive;
  Context context(options);
  CHECK(told(context, Event::Kind::security, "nobody: no such folder; continuing without security"));
}

TEST_CASE("two with certificates talk and an intruder without neither hears nor is heard nor sees") {
  const Keystore keystore;
  keystore.add("/talker");
  keystore.add("/listener");
  const ContextOptions open = loopback_options();
  Party intruder(open, "intruder");
  Party talker(secured(open, keystore, "/talker"), "talker"),
      listener(secured(open, keystore, "/listener"), "listener");
  REQUIRE(eventually([&] {
    talker.speak(), listener.speak(), intruder.speak();
    return talker.heard > 20 && listener.heard > 20;
  }));
  CHECK(eventually([&] { return listener.context.graph().node("/talker") != nullptr; }));
  CHECK(intruder.heard == 0);
  CHECK(intruder.publisher.matched() == 1);  // itself
  for (const GraphEndpoint& endpoint : intruder.context.graph().endpoints) CHECK(endpoint.local);
  for (Party* party : {&talker, &listener}) {
    const Graph graph = party->context.graph();
    CHECK(graph.node("/intruder") == nullptr);
    CHECK(graph.count("/level", true) == 2);
    CHECK(party->publisher.matched() == 2);
  }
}

TEST_CASE("who may not publish a topic cannot and may still listen") {
  const Keystore keystore;
  keystore.add("/talker");
  keystore.add("/listener", {.publish = {"rt/other"}, .subscribe = {"rt/level"}});
  const ContextOptions open = loopback_options();
  Party talker(secured(open, keystore, "/talker"), "talker");
  Context context(secured(open, keystore, "/listener"));
  Node node(context, "listener");
  CHECK_THROWS_AS(node.advertise<Float64>("/level"), std::runtime_error);
  CHECK_THROWS_AS(node.subscribe<Float64>("/other", Qos::standard(), [](auto&, auto&) {}), std::runtime_error);
  try {
    (void)node.advertise<Float64>("/level");
  } catch (const std::runtime_error& error) {
    CHECK(std::string(error.what()).find("the permissions of enclave /listener") != std::string::npos);
  }
  const auto other = node.advertise<Float64>("/other");
  std::atomic<int> heard = 0;
  const auto subscription =
      node.subscribe<Float64>("/level", Qos::standard(), [&](const Float64&, const auto&) { ++heard; });
  CHECK(eventually([&] { return talker.speak(), heard > 3; }));
}

TEST_CASE("a certificate that has ended is refused at the start") {
  const Keystore keystore;
  keystore.add("/late", {.days = -1});
  const std::string why = refusal(secured(loopback_options(), keystore, "/late"));
  INFO(why);
  CHECK(why.find("/late") != std::string::npos);
  CHECK(why.find("expired") != std::string::npos);
}

TEST_CASE("files that do not belong together are refused at the start and by name") {
  const Keystore ours, theirs;
  ours.add("/talker");
  ours.add("/other");
  theirs.add("/talker");
  const ContextOptions options = secured(loopback_options(), ours, "/talker");
  const auto folder = ours.enclave("/talker");
  const auto with = [&](const char* file, const std::filesystem::path& from) {
    std::filesystem::copy_file(folder / file, folder / "kept", std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy_file(from, folder / file, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::permissions(folder / file,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    const std::string why = refusal(options);
    std::filesystem::copy_file(folder / "kept", folder / file, std::filesystem::copy_options::overwrite_existing);
    return why;
  };
  CHECK(with("key.pem", ours.enclave("/other") / "key.pem").find("key.pem: not the key of") != std::string::npos);
  CHECK(with("key.pem", folder / "cert.pem").find("key.pem: no private key in PEM form") != std::string::npos);
  CHECK(with("identity_ca.cert.pem", theirs.folder() / "ca.pem").find("cert.pem: not accepted by") !=
        std::string::npos);
  CHECK(with("governance.p7s", theirs.folder() / "governance.p7s").find("governance.p7s: not signed by") !=
        std::string::npos);
  CHECK(with("permissions.p7s", ours.folder() / "permissions.xml").find("permissions.p7s: no signed file in S/MIME") !=
        std::string::npos);
  // Good in itself, but another's: DDS finds no grant for our name.
  CHECK(with("permissions.p7s", ours.enclave("/other") / "permissions.p7s").find("/talker") != std::string::npos);
  std::ofstream(ours.folder() / "changed") << [&] {
    std::string text(std::istreambuf_iterator<char>(std::ifstream(folder / "permissions.p7s").rdbuf()), {});
    return text.replace(text.find("DENY"), 4, "ALLOW");
  }();
  CHECK(with("permissions.p7s", ours.folder() / "changed").find("permissions.p7s: modified after it was signed") !=
        std::string::npos);
  CHECK(refusal(options).empty());
}

TEST_CASE("a private key that every user can read is refused with the way to change that") {
  const Keystore keystore;
  keystore.add("/talker");
  ContextOptions options = secured(loopback_options(), keystore, "/talker");
  const auto key = keystore.enclave("/talker") / "key.pem";
  REQUIRE(refusal(options).empty());
  std::filesystem::permissions(key, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  for (const auto strategy : {Security::Strategy::enforce, Security::Strategy::permissive}) {
    options.security->strategy = strategy;
    CHECK(refusal(options).find("can read; chmod o-r " + key.string()) != std::string::npos);
  }
  std::filesystem::permissions(key, std::filesystem::perms::others_read, std::filesystem::perm_options::remove);
  CHECK(refusal(options).empty());
}

TEST_CASE("a certificate of another authority is refused by the others") {
  const Keystore ours, theirs;
  ours.add("/talker");
  ours.add("/listener");
  theirs.add("/stranger");
  const ContextOptions open = loopback_options();
  Party talker(secured(open, ours, "/talker"), "talker"), listener(secured(open, ours, "/listener"), "listener");
  Party stranger(secured(open, theirs, "/stranger"), "stranger");
  CHECK(eventually([&] {
    talker.speak(), listener.speak(), stranger.speak();
    return talker.heard > 20 && listener.heard > 20;
  }));
  // The one that is asked first checks the other's certificate; which one that is follows from their numbers.
  CHECK(eventually([&] {
    return told(talker.context, Event::Kind::security, "refused participant") ||
           told(stranger.context, Event::Kind::security, "refused participant");
  }));
  CHECK(stranger.heard == 0);
  CHECK(talker.context.graph().node("/stranger") == nullptr);
  CHECK(stranger.context.graph().node("/talker") == nullptr);
  CHECK(talker.publisher.matched() == 2);
}

}  // namespace tandem::ros2
