// SPDX-License-Identifier: Apache-2.0
// Any bytes to and from the dashboard: every line has one line as its answer, nothing reaches the robot that is no
// command, and no name passes the whitelist that could be more than a name.
#include <algorithm>
#include <cstdlib>

#include "tandem/protocols/ur/dashboard/client.hpp"

namespace {

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::dashboard;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Robot final : Target {
  std::optional<std::string> perform(const Command& command) override {
    require(command.verb != Verb::unknown && !only_asks(command.verb));
    require(command.argument.find('\n') == std::string::npos);
    return std::nullopt;
  }
  View view() const override { return {}; }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Robot robot;
  DashboardSession session(robot);
  net::Outbox out(64u << 20);
  const std::size_t half = size / 2;
  bool alive = session.receive({data, half}, out);
  if (alive) alive = session.receive({data + half, size - half}, out);
  const auto answers = out.take();
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(answers, std::uint8_t{'\n'}));
  require(lines == session.progress().completed);

  // The client's side: lines as answers, and the whole as a name.
  LineFramer framer(longest_line);
  framer.feed({data, size});
  for (auto line = framer.next(); line && *line; line = framer.next()) {
    const Command command = parse(**line);
    require(command.verb == Verb::unknown || *words(command.verb) != '\0');
    require(!answer(command, {}).empty());
  }
  const std::string name(reinterpret_cast<const char*>(data), size);
  if (is_program_name(name)) require(name.find_first_of("\n\r;|&$`\"'\\<>(){}*?") == std::string::npos);
  return 0;
}
