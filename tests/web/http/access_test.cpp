// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/http/access.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "tandem/web/http/query.hpp"
#include "tandem/web/server/crowd.hpp"

namespace tandem::web {
namespace {

constexpr net::Endpoint here{0x7F000001, 8088};
constexpr net::Endpoint everywhere{0, 8088};
const Access open_access;
const Access guarded{.view_token = "look", .control_token = "act", .origins = {}, .certificate = {}, .key = {}};

Visitor to(std::string_view host) {
  return {.host = host, .origin = {}, .authorization = {}, .cookie = {}, .query = {}};
}

Visitor with_query(std::string_view query) {
  Visitor visitor = to("robot.example:8088");
  visitor.query = query;
  return visitor;
}

Visitor with_header(std::string_view authorization) {
  Visitor visitor = to("robot.example:8088");
  visitor.authorization = authorization;
  return visitor;
}

}  // namespace

TEST_CASE("on loopback everybody may view and who has the token of the run may control") {
  const Gate gate(open_access, here);
  const std::string query = gate.control_query().substr(1);  // without "?"
  CHECK(query.size() == std::string_view("token=").size() + 32);
  CHECK(gate.printed_query() == gate.control_query());
  for (const auto* host : {"127.0.0.1:8088", "localhost:8088", "LocalHost", "[::1]:9000", "127.1.2.3"}) {
    const Admission admission = gate.admit(to(host));
    CHECK(admission.status == 200);
    CHECK_FALSE(admission.may_control);
    CHECK(admission.only_looks.find("`tandem page`") != std::string::npos);
    CHECK(admission.cookie.empty());
    Visitor owner = to(host);
    owner.query = query;
    CHECK(gate.admit(owner).may_control);
    CHECK(gate.admit(owner).cookie.empty());
  }
  CHECK(gate.admit(to("")).status == 400);
  // A page of the run before goes on viewing.
  const Gate next(open_access, here);
  CHECK(next.control_query() != gate.control_query());
  Visitor late = to("localhost");
  late.query = query;
  CHECK(next.admit(late).status == 200);
  CHECK_FALSE(next.admit(late).may_control);
  CHECK(next.admit(late).only_looks.find("another run") != std::string::npos);
}

TEST_CASE("the address with the token is made of any token and prints no token of the user") {
  Access access;
  access.control_token = "a+b/c=d&e %";
  const Gate gate(access, here);
  CHECK(gate.control_query() == "?token=a%2Bb%2Fc%3Dd%26e%20%25");
  CHECK(gate.printed_query().find("a+b") == std::string::npos);
  CHECK(gate.printed_query().find("a%2B") == std::string::npos);
  const std::string query = gate.control_query().substr(1);
  Visitor owner = to("localhost");
  owner.query = query;
  CHECK(gate.admit(owner).may_control);
  access = {};
  access.view_token = "look";
  CHECK(Gate(access, everywhere).control_query().empty());
}

TEST_CASE("a password that the browser remembers does not count for a page of another port") {
  Access access = guarded;
  Visitor page = to("localhost:8088");
  page.authorization = "Basic OmFjdA==";  // :act
  const auto admitted = [&](std::string_view origin) {
    page.origin = origin;
    return Gate(access, here).admit(page);
  };
  CHECK(admitted("").may_control);
  CHECK(admitted("http://localhost:8088").may_control);
  CHECK(admitted("http://localhost:5173").status == 401);
  access.view_token.clear();
  CHECK(admitted("http://localhost:5173").status == 200);
  CHECK_FALSE(admitted("http://localhost:5173").may_control);
  CHECK_FALSE(admitted("file://").may_control);
  // Another user can listen on the same port of another loopback address.
  for (const auto* alias : {"http://[::1]:8088", "http://127.0.0.2:8088", "http://127.0.0.1:8088"}) {
    CAPTURE(alias);
    CHECK(admitted(alias).status == 200);
    CHECK_FALSE(admitted(alias).may_control);
  }
  // To be listed is a permission to connect; what the browser remembers is none to control.
  access.origins = {"http://localhost:5173", "https://app.foxglove.dev"};
  for (const auto* listed : {"http://localhost:5173", "https://app.foxglove.dev"}) {
    CAPTURE(listed);
    CHECK(admitted(listed).status == 200);
    CHECK_FALSE(admitted(listed).may_control);
  }
  page.authorization = "Bearer act";  // which no browser adds by itself
  CHECK(admitted("http://localhost:5173").may_control);
}

TEST_CASE("a name that only points to loopback is turned away") {
  const Gate gate(open_access, here);
  for (const auto* host : {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8088", "192.168.1.5:8088",
                           "127.0.0", "127.0.0.256", "127.0.0.1.", "1270.0.0.1", "127..0.1", ":8088", "]"}) {
    CAPTURE(host);
    const Admission admission = gate.admit(to(host));
    CHECK(admission.status == 403);
    CHECK(admission.text.find("http://127.0.0.1:8088/") != std::string::npos);
    CHECK_FALSE(admission.may_control);
  }
}

TEST_CASE("pages of other sites may not connect unless they are listed") {
  Access access;
  access.origins = {"https://app.foxglove.dev", "http://robot.example:9000/"};
  const Gate gate(access, here);
  const auto status = [&](std::string_view origin, std::string_view host = "127.0.0.1:8088") {
    Visitor visitor = to(host);
    visitor.origin = origin;
    return gate.admit(visitor).status;
  };
  CHECK(status("http://127.0.0.1:8088") == 200);
  CHECK(status("http://localhost:5173") == 200);  // another program of this computer
  CHECK(status("https://app.foxglove.dev") == 200);
  CHECK(status("HTTPS://APP.foxglove.dev") == 200);
  CHECK(status("http://robot.example:9000") == 200);
  CHECK(status("http://robot.example:9000", "robot.example:9000") == 200);  // a proxy that keeps the name
  for (const auto* origin :
       {"https://evil.example", "http://127.0.0.1.evil.example:8088", "null", "https://app.foxglove.dev.evil.example",
        "http://app.foxglove.dev", "https://app.foxglove.dev:444", "file://evil.example", "localhost", "http://"}) {
    CAPTURE(origin);
    CHECK(status(origin) == 403);
  }
  const Gate wide(guarded, everywhere);
  Visitor same = with_query("token=look");
  same.origin = "http://robot.example:8088";
  CHECK(wide.admit(same).status == 200);
  same.origin = "http://robot.example:8089";
  CHECK(wide.admit(same).status == 403);
  same.host = "robot.example";
  same.origin = "http://robot.example:80";
  CHECK(wide.admit(same).status == 200);
}

TEST_CASE("a desktop program with a browser inside may view and controls when it has the token") {
  Visitor desktop = to("127.0.0.1:8088");
  desktop.origin = "file://";
  const Admission looking = Gate({}, here).admit(desktop);
  CHECK(looking.status == 200);
  CHECK_FALSE(looking.may_control);
  Access access;
  access.origins = {"file://"};
  CHECK_FALSE(Gate(access, here).admit(desktop).may_control);
  desktop.query = "token=act";
  access = {};
  access.control_token = "act";
  CHECK(Gate(access, here).admit(desktop).may_control);
}

TEST_CASE("our own page acts under every name of this computer") {
  const auto may_control = [](const Gate& gate, std::string_view origin, std::string_view host,
                              std::string_view query) {
    Visitor visitor = to(host);
    visitor.origin = origin;
    visitor.query = query;
    const Admission admission = gate.admit(visitor);
    return admission.status == 200 && admission.may_control && admission.only_looks.empty();
  };
  const Gate local({}, here);
  const std::string query = local.control_query().substr(1);
  CHECK(may_control(local, "http://localhost:8088", "localhost:8088", query));
  CHECK(may_control(local, "http://127.0.0.1:8088", "127.0.0.1:8088", query));
  CHECK(may_control(local, "http://[::1]:8088", "[::1]:8088", query));
  CHECK(may_control(local, "http://localhost:8088", "127.0.0.1:8088", query));
  CHECK(may_control(local, "http://localhost:9000", "localhost:9000", query));  // through a tunnel
  CHECK(may_control(local, "http://localhost", "127.0.0.1:80", query));
  CHECK_FALSE(may_control(local, "http://localhost:8088", "localhost:8088", ""));
  const Gate wide(guarded, everywhere);
  CHECK(may_control(wide, "http://192.168.1.5:8088", "192.168.1.5:8088", "token=act"));
  CHECK_FALSE(may_control(wide, "http://192.168.1.5:8088", "192.168.1.5:8088", "token=look"));
}

TEST_CASE("a page of another port views and controls with the token and never by the cookie") {
  Access access;
  const auto admitted = [&](std::string_view origin, std::string_view query = {}, std::string_view cookie = {}) {
    const Gate gate(access, here);
    std::string own;
    if (!cookie.empty()) {
      Visitor owner = to("localhost:8088");
      owner.query = cookie;
      const Admission first = gate.admit(owner);
      own = first.cookie.substr(0, first.cookie.find(';'));
    }
    Visitor visitor = to("localhost:8088");
    visitor.origin = origin;
    visitor.query = query;
    visitor.cookie = own;
    return gate.admit(visitor);
  };
  for (const auto* origin : {"http://localhost:5173", "http://127.0.0.1:80", "https://localhost", "http://[::1]:1"}) {
    CAPTURE(origin);
    const Admission looking = admitted(origin);
    CHECK(looking.status == 200);
    CHECK_FALSE(looking.may_control);
    CHECK(looking.only_looks.find("`tandem page`") != std::string::npos);
  }
  access.control_token = "act";
  CHECK_FALSE(admitted("http://localhost:8088", "", "token=act").may_control);
  CHECK(admitted("http://localhost:5173").only_looks.find("control token") != std::string::npos);
  CHECK(admitted("http://localhost:5173", "token=act").may_control);
  access.view_token = "look";
  CHECK(admitted("http://localhost:8088", "", "token=act").status == 200);
  CHECK_FALSE(admitted("http://localhost:8088", "", "token=act").may_control);
  for (const auto* origin : {"http://localhost:5173", "http://[::1]:8088", "http://127.0.0.2:8088"}) {
    CAPTURE(origin);
    CHECK(admitted(origin, "", "token=act").status == 401);
    CHECK(admitted(origin, "token=look").status == 200);
  }
  access.origins = {"http://localhost:5173"};
  CHECK(admitted("http://localhost:5173", "", "token=act").status == 200);
  CHECK_FALSE(admitted("http://localhost:5173", "", "token=act").may_control);
  access = {};
  access.origins = {"http://localhost:5173"};
  CHECK_FALSE(admitted("http://localhost:5173").may_control);
}

TEST_CASE("who may only look is told what would help") {
  Access view_only = guarded;
  view_only.control_token.clear();
  const Admission nobody = Gate(view_only, everywhere).admit(with_query("token=look"));
  CHECK(nobody.only_looks.find("set `control_token`") != std::string::npos);
  const Admission other = Gate(guarded, everywhere).admit(with_query("token=look"));
  CHECK(other.only_looks.find("connect with the control token") != std::string::npos);
  CHECK(Gate(guarded, everywhere).admit(with_query("token=act")).only_looks.empty());
}

TEST_CASE("beyond loopback nothing is served without a token") {
  const Gate gate(guarded, everywhere);
  CHECK(gate.admit(to("robot.example:8088")).status == 401);
  CHECK(gate.admit(to("127.0.0.1:8088")).status == 401);
  for (const auto* query : {"token=", "token", "tokens=look", "token=Look", "token=loo", "token=look ", "token=lookx",
                            "x=look", "token=%6", "token=%00look", "token=nothing&token=look"}) {
    CAPTURE(query);
    const Admission admission = gate.admit(with_query(query));
    CHECK(admission.status == 401);
    CHECK(admission.cookie.empty());
  }
  CHECK(gate.admit(with_query("token=wrong")).wrong_token);
  CHECK_FALSE(gate.admit(with_query("")).wrong_token);
}

TEST_CASE("one token to look and another to act") {
  const Gate gate(guarded, everywhere);
  for (const auto* query : {"token=look", "a=b&token=%6Cook&c", "token=look&token=act"}) {
    const Admission admission = gate.admit(with_query(query));
    CHECK(admission.status == 200);
    CHECK_FALSE(admission.may_control);
  }
  CHECK(gate.admit(with_query("token=act")).may_control);
  CHECK(gate.admit(with_header("Bearer act")).may_control);
  CHECK(gate.admit(with_header("bearer  look ")).status == 200);
  CHECK(gate.admit(with_header("Basic YW55Ym9keTpsb29r")).status == 200);  // anybody:look
  CHECK(gate.admit(with_header("Basic OmFjdA==")).may_control);            // :act
  for (const auto* bad :
       {"Basic YW55", "Basic ????", "Basic ", "Bearer", "Digest look", "Basic bG9vaw==", "Bearer wrong"}) {
    CAPTURE(bad);
    CHECK(gate.admit(with_header(bad)).status == 401);
  }
  Access view_only = guarded;
  view_only.control_token.clear();
  CHECK_FALSE(Gate(view_only, everywhere).admit(with_query("token=look")).may_control);
  Visitor local = to("localhost");
  local.query = "token=look";
  CHECK_FALSE(Gate(view_only, here).admit(local).may_control);
}

TEST_CASE("a token with a plus or a percent sign is known however the address writes it") {
  Access access;
  access.view_token = "a+b/c=";
  access.control_token = "50%20 x";
  const Gate gate(access, everywhere);
  for (const auto* query : {"token=a+b/c=", "token=a%2Bb%2Fc%3D", "token=a%2bb/c%3d"}) {
    CAPTURE(query);
    CHECK(gate.admit(with_query(query)).status == 200);
    CHECK_FALSE(gate.admit(with_query(query)).may_control);
  }
  for (const auto* query : {"token=50%2520+x", "token=50%2520%20x", "token=50%20 x"}) {
    CAPTURE(query);
    CHECK(gate.admit(with_query(query)).may_control);
  }
  for (const auto* query : {"token=a%20b/c=", "token=a b/c=", "token=a%252Bb/c=", "token=50%20x"}) {
    CAPTURE(query);
    CHECK(gate.admit(with_query(query)).status == 401);
  }
}

TEST_CASE("with only a control token loopback may look and not act") {
  Access access;
  access.control_token = "act";
  const Gate gate(access, here);
  CHECK(gate.admit(to("localhost")).status == 200);
  CHECK_FALSE(gate.admit(to("localhost")).may_control);
  Visitor visitor = to("localhost");
  visitor.query = "token=act";
  CHECK(gate.admit(visitor).may_control);
  visitor.query = "token=typo";
  CHECK(gate.admit(visitor).status == 401);
}

TEST_CASE("the cookie stands for the token without holding it") {
  const Gate gate(guarded, everywhere);
  const Admission first = gate.admit(with_query("token=act"));
  CHECK(first.cookie.find("act") == std::string::npos);
  CHECK(first.cookie.find("HttpOnly; SameSite=Strict") != std::string::npos);
  CHECK(first.cookie.find("Secure") == std::string::npos);
  const std::string pair = first.cookie.substr(0, first.cookie.find(';'));
  CHECK(pair.starts_with("tandem_8088="));
  Visitor visitor = to("robot.example:8088");
  const std::string among = "other=1; " + pair + "; more=2";
  visitor.cookie = among;
  CHECK(gate.admit(visitor).status == 200);
  CHECK_FALSE(gate.admit(visitor).may_control);  // every port of this host gets to see it
  CHECK_FALSE(gate.admit(visitor).token_given);  // nobody guesses it, so it is let through where guesses are not
  CHECK(first.token_given);
  CHECK(gate.admit(with_query("token=guess")).token_given);
  CHECK(gate.admit(with_header("Bearer guess")).token_given);
  visitor.cookie = "tandem_8088=act";
  CHECK(gate.admit(visitor).status == 401);
  const std::string cut = pair.substr(0, pair.size() - 1);
  visitor.cookie = cut;
  CHECK(gate.admit(visitor).status == 401);
  visitor.cookie = among;
  CHECK(Gate(guarded, everywhere).admit(visitor).status == 401);  // of another run
  visitor.query = "token=wrong";
  CHECK(gate.admit(visitor).status == 401);  // what is said aloud counts
  Access secure = guarded;
  secure.certificate = "a.pem";
  secure.key = "b.pem";
  CHECK(Gate(secure, everywhere).admit(with_query("token=look")).cookie.ends_with("; Secure"));
}

TEST_CASE("access that cannot be is refused at once") {
  CHECK_THROWS_AS(Gate(open_access, everywhere), std::invalid_argument);
  Access only_control;
  only_control.control_token = "act";
  CHECK_THROWS_AS(Gate(only_control, everywhere), std::invalid_argument);
  Access same = guarded;
  same.control_token = same.view_token;
  CHECK_THROWS_AS(Gate(same, here), std::invalid_argument);
  Access half;
  half.certificate = "a.pem";
  CHECK_THROWS_AS(Gate(half, here), std::invalid_argument);
}

TEST_CASE("percent signs decode to bytes or not at all") {
  std::string decoded;
  CHECK(percent_decode("/a%20b%2F%C3%A4", decoded));
  CHECK(decoded == "/a b/\xC3\xA4");
  for (const auto* bad : {"%", "%1", "%zz", "%00", "a%2"}) CHECK_FALSE(percent_decode(bad, decoded));
  CHECK(query_value("a=1&token=x+y%21", "token") == "x y!");
  CHECK(query_value("", "token").empty());
}

TEST_CASE("a crowd from one address makes room before others do") {
  const auto who = [](const std::vector<Waiter>& waiters) { return who_makes_room(waiters); };
  CHECK(who({{1, false}}) == 0);
  CHECK(who({{1, false}, {2, false}, {3, false}}) == 0);  // the oldest
  CHECK(who({{1, false}, {2, false}, {2, false}, {3, false}}) == 1);
  CHECK(who({{1, false}, {2, false}, {2, false}, {3, true}, {3, true}}) == 3);
  CHECK(who({{1, false}, {1, false}, {2, false}, {2, false}}) == 0);
  CHECK(crowd_address(0x7F000002) == crowd_address(0x7FFFFFFE));
  CHECK(crowd_address(0x7F000002) == 0x7F000001);
  CHECK(crowd_address(0x0A000002) == 0x0A000002);
}

TEST_CASE("an address that guesses tokens has to wait") {
  WrongTokens wrong;
  const Instant start{1h};
  for (int i = 0; i < WrongTokens::most; ++i) {
    CHECK_FALSE(wrong.too_many(7, start));
    wrong.note(7, start);
  }
  CHECK(wrong.too_many(7, start + 59s));
  CHECK_FALSE(wrong.too_many(8, start));
  CHECK_FALSE(wrong.too_many(7, start + 61s));
  wrong.note(7, start + 61s);
  CHECK_FALSE(wrong.too_many(7, start + 62s));
}

}  // namespace tandem::web
