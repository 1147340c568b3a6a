// SPDX-License-Identifier: Apache-2.0
// Any text as the URL of a device, which reads back as it was written or is refused in words, and as the query of the
// page's address.
#include <cstdlib>

#include "tandem/net/url.hpp"
#include "tandem/runtime/config/values.hpp"
#include "tandem/runtime/registry.hpp"
#include "tandem/web/http/access.hpp"
#include "tandem/web/http/query.hpp"

namespace {

using namespace tandem;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto url = net::parse_url(text)) {
    require(!url->scheme.empty() && !url->host.empty() && url->port.value_or(1) != 0);
    const auto again = net::parse_url(url->text());
    require(again && again->scheme == url->scheme && again->host == url->host && again->port == url->port &&
            again->query == url->query);
  } else {
    require(!url.error().text.empty());
  }
  for (const auto* type : runtime::all_machines().types()) {
    const auto good = runtime::check_device(text, type->scheme);
    require(good || !good.error().text.empty());
  }

  const std::string value = web::query_value(text, "token");
  require(value.size() <= size && value.find('\0') == std::string::npos);
  std::string decoded;
  if (web::percent_decode(text, decoded)) require(decoded.size() <= size && decoded.find('\0') == std::string::npos);
  // What a control token becomes in the printed address is the token again.
  if (size == 0 || size > 200 || text.find('\0') != std::string_view::npos) return 0;
  web::Access access;
  access.control_token = text;
  const web::Gate gate(access, {0x7F000001, 8088});
  const std::string query = gate.control_query();
  web::Visitor owner;
  owner.host = "localhost:8088";
  owner.query = std::string_view(query).substr(1);
  require(gate.admit(owner).may_control);
  return 0;
}
