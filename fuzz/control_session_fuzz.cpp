// SPDX-License-Identifier: Apache-2.0
// A client of the control socket that says anything, line by line in any pieces: one line of JSON for each line of its
// own, whatever the pieces were, and it is left once a line is too long or it reads nothing.
//
// An input is a list of pieces, each behind two bytes: how often it is said (1 to 8, in the low bits; the highest bit:
// what was answered is read before), and its size.
#include <algorithm>

#include "fuzz/control_stub.hpp"
#include "tandem/base/bytes.hpp"
#include "tandem/runtime/control/session.hpp"

namespace {

using namespace tandem;
using namespace tandem::runtime;
using fuzz::require;

void check_answers(std::string_view answers) {
  while (!answers.empty()) {
    const std::size_t end = answers.find('\n');
    require(end != std::string_view::npos);
    fuzz::check_control_answer(answers.substr(0, end));
    answers.remove_prefix(end + 1);
  }
}

// One byte at a time. The same answers, for lines of the length that is allowed.
std::string answered_slowly(std::string_view said) {
  fuzz::ControlStub stub;
  ControlSession session{std::string(fuzz::control_client)};
  for (const char& byte : said) require(session.receive({&byte, 1}, stub));
  return std::string(session.unsent());
}

std::size_t longest_line_of(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    longest = std::max(longest, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::ControlStub stub;
  ControlSession session{std::string(fuzz::control_client)};
  ByteReader in(Bytes(data, size));
  std::string said, answers;
  bool stays = true;
  while (stays && in.remaining() > 1 && said.size() < 2 * longest_request) {
    const std::uint8_t head = in.byte();
    const std::string_view piece = in.text(std::min<std::size_t>(in.byte(), in.remaining()));
    if ((head & 0x80) != 0) {
      answers += session.unsent();
      session.sent(session.unsent().size());
    }
    for (int i = 0; stays && i <= head % 8; ++i) {
      said += piece;
      stays = session.receive(piece, stub);
    }
  }
  const std::size_t unread = session.unsent().size();
  answers += session.unsent();
  check_answers(answers);
  const auto lines = std::ranges::count(said, '\n'), answered = std::ranges::count(answers, '\n');
  if (!stays) {  // a line that is too long is answered too; what was not read may leave lines unanswered
    require(unread > ControlSession::most_unread ? answered <= lines : answered == lines + 1);
    return 0;
  }
  require(answered == lines);
  if (said.size() < 512 && longest_line_of(said) <= longest_request) require(answers == answered_slowly(said));
  return 0;
}
