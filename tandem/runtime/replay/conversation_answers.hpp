// SPDX-License-Identifier: Apache-2.0
// The answers of a recorded conversation by what was asked, for a client that asks in another order than it did.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tandem/net/frame_rules.hpp"
#include "tandem/runtime/replay/field_recording.hpp"

namespace tandem::runtime {

// A frame in the bytes of its direction.
struct FrameSpan {
  std::size_t offset = 0, size = 0;
};

class ConversationAnswers {
 public:
  // Questions before the one numbered `from` are past. The protocol must tell what its frames ask; the conversation
  // must outlive this.
  ConversationAnswers(const Conversation& conversation, const net::FrameRules& protocol,
                      std::vector<FrameSpan> questions, std::vector<FrameSpan> answers, std::size_t from);

  // The next recorded answer to the same question, the last one again when there are no more; made ready for this
  // client. Empty: it had none.
  std::vector<std::uint8_t> to(Bytes question, net::Carried& carried);
  // The number of the recorded answer to the recorded question of a number.
  std::optional<std::size_t> number_of_answer(std::size_t question) const { return paired_[question]; }
  // Whether what the device said, by its number, answers a question; garbage does not.
  bool answers_something(std::size_t answer) const { return answers_something_[answer]; }

 private:
  struct Asked {
    std::vector<std::size_t> numbers;  // of the questions that ask it
    std::size_t next = 0;
  };
  Bytes question_at(std::size_t number) const;
  Bytes answer_at(std::size_t number) const;

  const Conversation& conversation_;
  const net::FrameRules protocol_;
  const std::vector<FrameSpan> questions_, answers_;
  std::vector<std::optional<std::size_t>> paired_;  // of each question
  std::vector<bool> answers_something_;             // of each answer
  std::map<std::string, Asked> asked_;
};

}  // namespace tandem::runtime
