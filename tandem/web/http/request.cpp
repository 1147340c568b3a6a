// SPDX-License-Identifier: Apache-2.0
// The only source that sees Boost.Beast.
#include "tandem/web/http/request.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>

namespace tandem::web {
namespace {

namespace http = boost::beast::http;

constexpr std::uint32_t largest_header = 12 << 10;  // bytes

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct RequestReader::Parser : http::request_parser<http::empty_body> {
  HttpRequest request() const {
    const auto& all = get();
    const auto field = [&](http::field name) { return view(all[name]); };
    HttpRequest made;
    made.target = view(all.target());
    made.host = field(http::field::host);
    made.origin = field(http::field::origin);
    made.authorization = field(http::field::authorization);
    made.cookie = field(http::field::cookie);
    made.user_agent = field(http::field::user_agent);
    made.if_none_match = field(http::field::if_none_match);
    made.accept_encoding = field(http::field::accept_encoding);
    made.get = all.method() == http::verb::get;
    made.head = all.method() == http::verb::head;
    made.keep_alive = all.keep_alive();
    made.has_body = all.chunked() || content_length().value_or(0) > 0;
    made.several_hosts = all.count(http::field::host) > 1;
    made.upgrade = all.count(http::field::upgrade) > 0;
    made.to_websocket = http::token_list{all[http::field::upgrade]}.exists("websocket") &&
                        http::token_list{all[http::field::connection]}.exists("upgrade") && made.get &&
                        all.version() == 11;
    made.websocket_version = field(http::field::sec_websocket_version);
    made.websocket_key = field(http::field::sec_websocket_key);
    const auto [first, last] = all.equal_range(http::field::sec_websocket_protocol);
    for (auto offer = first; offer != last; ++offer)
      for (const auto& name : http::token_list{offer->value()}) made.subprotocols.emplace_back(view(name));
    return made;
  }
};

RequestReader::RequestReader() : parser_(std::make_unique<Parser>()) { parser_->header_limit(largest_header); }
RequestReader::~RequestReader() = default;

RequestReader::Outcome RequestReader::put(Bytes& bytes) {
  boost::system::error_code error;
  bytes = bytes.subspan(parser_->put(boost::asio::buffer(bytes.data(), bytes.size()), error));
  if (parser_->is_header_done()) {
    request_ = parser_->request();
    return Outcome::whole;
  }
  if (error == http::error::header_limit) return Outcome::too_long;
  if (error == http::error::body_limit) return Outcome::body_too_long;
  return !error || error == http::error::need_more ? Outcome::more : Outcome::invalid;
}

}  // namespace tandem::web
