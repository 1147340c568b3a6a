// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/http/answers.hpp"
#include "tandem/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace tandem::web {
namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 101:
      return "Switching Protocols";
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 426:
      return "Upgrade Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    default:
      return status < 400 ? "OK" : "Error";
  }
}

// Nothing but what we serve, no other site around it, and no word of it to others.
constexpr std::string_view for_all =
    "Content-Security-Policy: default-src 'self'; connect-src 'self'{}{}; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src "
    "'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

// Takes the first item off a list with commas.
std::string_view take_item(std::string_view& list) {
  const auto end = std::min(list.find(','), list.size());
  const std::string_view item = trimmed(list.substr(0, end), " \t");
  list.remove_prefix(std::min(end + 1, list.size()));
  return item;
}

bool has_tag(std::string_view if_none_match, std::string_view tag) {
  const auto bare = [](std::string_view text) { return text.starts_with("W/") ? text.substr(2) : text; };
  while (!if_none_match.empty()) {
    const std::string_view item = take_item(if_none_match);
    if (item == "*" || bare(item) == bare(tag)) return true;
  }
  return false;
}

}  // namespace

std::string socket_source(std::string_view host, bool tls) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("-._:[]", c) != nullptr;
  };
  if (host.empty() || !std::ranges::all_of(host, fits)) return {};
  return fmt::format("{}://{}", tls ? "wss" : "ws", host);
}

std::string Answer::head(bool keep_alive, std::string_view socket) const {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", status, reason_of(status));
  for (const auto& header : headers) out.append(header).append("\r\n");
  if (status != 101) {
    fmt::format_to(std::back_inserter(out), for_all, socket.empty() ? "" : " ", socket);
    if (status != 304 && status != 204)
      fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", content().size());
    out += keep_alive ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  }
  return out += "\r\n";
}

Answer refusal(int status, std::string_view text) {
  Answer answer{.status = status, .headers = {"Content-Type: text/plain; charset=utf-8", "Cache-Control: no-store"}};
  if (status == 401)
    answer.headers.emplace_back(
        "WWW-Authenticate: Basic realm=\"Tandem: the token is the password\", charset=\"UTF-8\"");
  if (status == 405) answer.headers.emplace_back("Allow: GET, HEAD");
  if (status == 426) answer.headers.emplace_back("Sec-WebSocket-Version: 13");
  if (status == 429 || status == 503) answer.headers.emplace_back("Retry-After: 5");
  answer.text = fmt::format("{} {}\n{}\n", status, reason_of(status), text);
  answer.why = text;
  return answer;
}

Answer answer_from(Response response) {
  if (response.status == 404 && !response.body) return refusal(404, "Not found. The page is at /.");
  Answer answer{.status = response.status};
  answer.headers.push_back("Content-Type: " + response.content_type);
  answer.headers.push_back("Cache-Control: " + (response.cache.empty() ? "no-store" : response.cache));
  if (!response.content_encoding.empty()) answer.headers.push_back("Content-Encoding: " + response.content_encoding);
  answer.shared = std::move(response.body);
  if (answer.shared) answer.body = *answer.shared;
  return answer;
}

Answer file_answer(const PageFile& file, std::string_view if_none_match, std::string_view accept_encoding) {
  Answer answer;
  answer.headers.push_back(fmt::format("ETag: {}", file.tag));
  answer.headers.emplace_back("Vary: Accept-Encoding");
  answer.headers.emplace_back(file.hashed ? "Cache-Control: private, max-age=31536000, immutable"
                                          : "Cache-Control: no-cache");
  if (has_tag(if_none_match, file.tag)) {
    answer.status = 304;
    return answer;
  }
  answer.headers.push_back(fmt::format("Content-Type: {}", file.type));
  const bool small = !file.gzip.empty() && accepts_gzip(accept_encoding);
  if (small) answer.headers.emplace_back("Content-Encoding: gzip");
  answer.body = as_bytes(small ? file.gzip : file.plain);
  return answer;
}

Answer upgrade_answer(std::string_view accept_key, std::string_view subprotocol) {
  Answer answer{.status = 101, .headers = {"Upgrade: websocket", "Connection: Upgrade"}};
  answer.headers.push_back(fmt::format("Sec-WebSocket-Accept: {}", accept_key));
  if (!subprotocol.empty()) answer.headers.push_back(fmt::format("Sec-WebSocket-Protocol: {}", subprotocol));
  return answer;
}

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::string_view item = take_item(accept_encoding);
    const auto semicolon = std::min(item.find(';'), item.size());
    const std::string_view name = trimmed(item.substr(0, semicolon));
    if (name != "gzip" && name != "*") continue;
    const std::string_view weight = trimmed(item.substr(std::min(semicolon + 1, item.size())));
    return weight.find_first_of("123456789") != std::string_view::npos || weight.empty();
  }
  return false;
}

}  // namespace tandem::web
