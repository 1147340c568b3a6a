// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/http/access.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "tandem/base/sha256.hpp"
#include "tandem/web/http/query.hpp"

namespace tandem::web {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

// By their digests, so that neither the place of a difference nor a length shows in the time.
bool same_secret(std::string_view a, std::string_view b) {
  const auto x = sha256(as_bytes(a));
  const auto y = sha256(as_bytes(b));
  return CRYPTO_memcmp(x.data(), y.data(), x.size()) == 0;
}

// What programs with a browser inside say, as the desktops of Foxglove and Lichtblick are. No site can, but a file that
// a client opened perhaps.
constexpr std::string_view origin_of_programs = "file://";

struct HostPort {
  std::string_view host, port;  // the port may be empty
};

HostPort split_port(std::string_view text) {
  const auto colon = text.rfind(':');
  const auto bracket = text.rfind(']');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::string_view host_of_origin(std::string_view origin) {
  const auto mark = origin.find("://");
  return mark == std::string_view::npos ? std::string_view() : origin.substr(mark + 3);
}

// Without the scheme; the port of the scheme where none is written.
bool same_port(std::string_view origin, std::string_view host) {
  const std::string_view usual = same_letters(origin.substr(0, origin.find("://")), "https") ? "443" : "80";
  const std::string_view a = split_port(host_of_origin(origin)).port, b = split_port(host).port;
  return (a.empty() ? usual : a) == (b.empty() ? usual : b);
}

bool same_place(std::string_view origin, std::string_view host) {
  const std::string_view name = split_port(host_of_origin(origin)).host;
  return !name.empty() && same_letters(name, split_port(host).host) && same_port(origin, host);
}

// Our own page, or a program that is not a browser. This computer has several names and addresses, and another user can
// listen on the same port of each, so only the very same one counts.
bool is_own(std::string_view origin, std::string_view host) { return origin.empty() || same_place(origin, host); }

// Neither ours nor of a site: what runs or was opened on the viewer's computer. It may view, and control only with the
// token itself; neither the cookie nor a cached password counts, as browsers add those to requests of any page.
bool is_neighbour(std::string_view origin) {
  return origin == origin_of_programs || names_loopback(host_of_origin(origin));
}

// The password of "user:password" in base64; empty if it is none.
std::string password_of(std::string_view base64) {
  if (base64.empty() || base64.size() % 4 != 0 || base64.size() > 4096) return {};
  std::vector<unsigned char> decoded(base64.size());
  const int size = EVP_DecodeBlock(decoded.data(), reinterpret_cast<const unsigned char*>(base64.data()),
                                   static_cast<int>(base64.size()));
  if (size < 0) return {};
  std::string text(decoded.begin(), decoded.begin() + size);
  const std::size_t filled = base64.ends_with("==") ? 2 : base64.ends_with("=") ? 1 : 0;
  text.resize(text.size() - filled);
  const auto colon = text.find(':');
  return colon == std::string::npos ? std::string() : text.substr(colon + 1);
}

// `cached`: whether a password counts, which browsers remember and send again by themselves.
std::string token_in_authorization(std::string_view header, bool cached) {
  const auto space = header.find(' ');
  if (space == std::string_view::npos) return {};
  std::string_view rest = header.substr(space + 1);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  if (same_letters(header.substr(0, space), "bearer")) return std::string(rest);
  if (cached && same_letters(header.substr(0, space), "basic")) return password_of(rest);
  return {};
}

std::string_view cookie_in(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const auto end = std::min(header.find(';'), header.size());
    std::string_view one = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
  }
  return {};
}

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1)
    throw std::runtime_error("the system provides no random bytes");
  return hex(random);
}

constexpr std::size_t run_token_bytes = 16;

bool is_unreserved(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
}

}  // namespace

bool is_loopback(std::uint32_t address) { return address >> 24 == 127; }

bool names_loopback(std::string_view host) {
  const std::string_view name = split_port(host).host;
  if (same_letters(name, "localhost") || name == "[::1]") return true;
  // Four numbers and nothing else: "127.0.0.1.example.org" is a name that anyone can have.
  unsigned int parts[4] = {};
  std::size_t part = 0;
  bool digit = false;
  for (const char c : name) {
    if (c == '.') {
      if (!digit || ++part > 3) return false;
      digit = false;
    } else {
      if (c < '0' || c > '9') return false;
      parts[part] = parts[part] * 10 + static_cast<unsigned int>(c - '0');
      if (parts[part] > 255) return false;
      digit = true;
    }
  }
  return part == 3 && digit && parts[0] == 127;
}

Gate::Gate(Access access, const net::Endpoint& listening)
    : access_(std::move(access)), loopback_(is_loopback(listening.address)), salt_(random_hex(32)) {
  const bool tls = !access_.certificate.empty();
  for (auto& origin : access_.origins) {
    while (origin.ends_with('/') && !origin.ends_with("://")) origin.pop_back();
  }
  own_address_ = fmt::format("{}://{}/", tls ? "https" : "http", listening.text());
  cookie_name_ = fmt::format("tandem_{}", listening.port);
  if (!loopback_ && access_.view_token.empty()) {
    throw std::invalid_argument(fmt::format(
        "{} is open to other hosts, but no view token is set; set one, or listen on 127.0.0.1", listening.text()));
  }
  if (!access_.view_token.empty() && access_.view_token == access_.control_token) {
    throw std::invalid_argument(
        "view_token and control_token: expected different tokens, got the same; every viewer could control");
  }
  if (access_.certificate.empty() != access_.key.empty()) {
    throw std::invalid_argument("TLS: expected a certificate and its key, got only one of them");
  }
  // Every user and every program of this computer reaches loopback, so being there is no permission to control.
  if (loopback_ && access_.control_token.empty()) {
    access_.control_token = random_hex(run_token_bytes);
    of_this_run_ = true;
  }
}

bool Gate::good_host(std::string_view host) const {
  if (!loopback_ || names_loopback(host)) return true;
  return std::ranges::any_of(access_.origins, [&](const std::string& listed) { return same_place(listed, host); });
}

bool Gate::listed(std::string_view origin) const {
  return std::ranges::any_of(access_.origins, [&](const std::string& one) { return same_letters(one, origin); });
}

Gate::Token Gate::judge(std::string_view token) const {
  if (token.empty()) return Token::none;
  // Both are always compared: the time reports nothing.
  const bool control = same_secret(token, access_.control_token) && !access_.control_token.empty();
  const bool view = same_secret(token, access_.view_token) && !access_.view_token.empty();
  if (control) return Token::control;
  return view ? Token::view : Token::wrong;
}

std::string Gate::cookie_value(std::string_view token) const {
  return hex(sha256(as_bytes(fmt::format("{}{}", salt_, token))));
}

// As a form sends it, with + for a space; with %XX only, as most programs do; and as a client typed it.
Gate::Token Gate::token_in_query(std::string_view query) const {
  const std::string_view raw = raw_query_value(query, "token");
  std::string decoded;
  if (!percent_decode(raw, decoded)) decoded.clear();
  return std::max({judge(query_value(query, "token")), judge(decoded), judge(raw)});
}

Gate::Token Gate::token_given(const Visitor& visitor) const {
  const bool own_page = is_own(visitor.origin, visitor.host);
  return std::max(token_in_query(visitor.query), judge(token_in_authorization(visitor.authorization, own_page)));
}

// A browser sends it to every port of this host, to programs of other users too: so it lets in and never controls.
bool Gate::has_cookie(std::string_view cookies) const {
  const std::string_view cookie = cookie_in(cookies, cookie_name_);
  return !cookie.empty() && same_secret(cookie, cookie_value(access_.view_token));
}

std::string Gate::why_view_only(bool wrong_token) const {
  if (access_.control_token.empty())
    return "this connection is read-only; to allow control, set `control_token` under `web`";
  const std::string_view begin =
      wrong_token ? "the token is from another run, so this connection is read-only" : "this connection is read-only";
  return fmt::format("{}; to control, open the address that `tandem page` prints{}", begin,
                     of_this_run_ ? "" : ", or connect with the control token: ?token=... in the address");
}

Admission Gate::admit(const Visitor& visitor) const {
  Admission admission;
  const auto refuse = [&](int status, std::string text) {
    admission.status = status;
    admission.text = std::move(text);
    return admission;
  };
  if (visitor.host.empty()) return refuse(400, "The request has no Host header; a browser or curl sends one.");
  if (!good_host(visitor.host)) {
    return refuse(
        403,
        fmt::format("This server listens on this computer only, and the request names another host. Open {} instead.",
                    own_address_));
  }
  const bool trusted = is_own(visitor.origin, visitor.host) || listed(visitor.origin);
  if (!trusted && !is_neighbour(visitor.origin)) {
    return refuse(403,
                  "A page of another site may not connect. If it should, add its origin to `origins` under `web` in "
                  "the configuration.");
  }
  const bool private_view = !access_.view_token.empty();
  const Token token = token_given(visitor);
  admission.token_given = token != Token::none;
  admission.wrong_token = token == Token::wrong;
  // A page that outlives its program comes with the token of a run that is over: it goes on viewing.
  if (admission.wrong_token && (private_view || !of_this_run_))
    return refuse(401,
                  "The token is wrong. Compare it with the one in the configuration (`web`), or use `tandem page`.");
  if (token == Token::none && private_view && !(trusted && has_cookie(visitor.cookie))) {
    return refuse(401,
                  "A token is needed: add ?token=... to the address, or give it as the password or as a Bearer token.");
  }
  admission.may_control = token == Token::control;
  if (!admission.may_control) admission.only_looks = why_view_only(admission.wrong_token);
  if (private_view && admission.token_given) {
    admission.cookie = fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict{}", cookie_name_,
                                   cookie_value(access_.view_token), access_.certificate.empty() ? "" : "; Secure");
  }
  return admission;
}

std::string Gate::control_query() const {
  if (access_.control_token.empty()) return {};
  std::string query = "?token=";
  for (const char c : access_.control_token) {
    if (is_unreserved(c))
      query += c;
    else
      query += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return query;
}

std::string Gate::printed_query() const {
  if (of_this_run_) return control_query();
  if (!access_.view_token.empty()) return "?token=... (your view or control token)";
  return " (to control, add ?token= and your control token, or open what `tandem page` prints)";
}

}  // namespace tandem::web
