// SPDX-License-Identifier: Apache-2.0
// Any headers and any address of a request: nobody comes in without a token, from a wrong host or another site.
#include <cstdlib>
#include <string>

#include "tandem/web/http/access.hpp"
#include "tandem/web/http/answers.hpp"
#include "tandem/web/http/query.hpp"

namespace {

using namespace tandem;
using namespace tandem::web;

void require(bool holds) {
  if (!holds) std::abort();
}

Access both_tokens() {
  Access access;
  // Longer than any input that is worth a try.
  access.view_token = std::string(40, 'v') + "look-0123456789";
  access.control_token = std::string(40, 'c') + "act-0123456789";
  access.origins = {"https://app.example"};
  return access;
}

std::string_view take_line(std::string_view& rest) {
  const auto end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Gate guarded(both_tokens(), {0, 8088});
  static const Gate local(Access{}, {0x7F000001, 8088});
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Visitor visitor;
  visitor.host = take_line(rest);
  visitor.origin = take_line(rest);
  visitor.authorization = take_line(rest);
  visitor.cookie = take_line(rest);
  visitor.query = take_line(rest);

  const Admission far = guarded.admit(visitor);
  if (size < 50) require(far.status != 200 && !far.may_control && far.cookie.empty());
  const Admission near = local.admit(visitor);
  require(!near.may_control || near.status == 200);
  require((near.status == 200 && !near.may_control) == !near.only_looks.empty());
  require(!near.may_control);  // the token is random
  require(near.status != 200 || names_loopback(visitor.host));

  std::string decoded;
  if (percent_decode(visitor.query, decoded)) require(decoded.find('\0') == std::string::npos);
  accepts_gzip(rest);
  for (const PageFile& file : page_files()) {
    const Answer answer = file_answer(file, rest, visitor.cookie);
    require(answer.status == 200 || answer.status == 304);
  }
  return 0;
}
