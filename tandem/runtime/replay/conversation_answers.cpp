// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/conversation_answers.hpp"

#include <algorithm>
#include <deque>

namespace tandem::runtime {

ConversationAnswers::ConversationAnswers(const Conversation& conversation, const net::FrameRules& protocol,
                                         std::vector<FrameSpan> questions, std::vector<FrameSpan> answers,
                                         std::size_t from)
    : conversation_(conversation),
      protocol_(protocol),
      questions_(std::move(questions)),
      answers_(std::move(answers)),
      paired_(questions_.size()),
      answers_something_(answers_.size()) {
  std::map<std::uint64_t, std::deque<std::size_t>> open;  // numbers come round again
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    open[protocol.pairing(question_at(i))].push_back(i);
    Asked& asked = asked_[protocol.asks(question_at(i))];
    asked.numbers.push_back(i);
    if (i < from) asked.next = asked.numbers.size();
  }
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    const auto found = open.find(protocol.pairing(answer_at(i)));
    if (found == open.end() || found->second.empty()) continue;
    paired_[found->second.front()] = i;
    answers_something_[i] = true;
    found->second.pop_front();
  }
}

Bytes ConversationAnswers::question_at(std::size_t number) const {
  return Bytes(conversation_.out).subspan(questions_[number].offset, questions_[number].size);
}

Bytes ConversationAnswers::answer_at(std::size_t number) const {
  return Bytes(conversation_.in).subspan(answers_[number].offset, answers_[number].size);
}

std::vector<std::uint8_t> ConversationAnswers::to(Bytes question, net::Carried& carried) {
  std::vector<std::uint8_t> answer;
  const auto found = asked_.find(protocol_.asks(question));
  if (found != asked_.end()) {
    Asked& asked = found->second;
    const std::size_t number = asked.numbers[std::min(asked.next++, asked.numbers.size() - 1)];
    if (!paired_[number]) return {};  // as silent as then
    const Bytes recorded = answer_at(*paired_[number]);
    answer.assign(recorded.begin(), recorded.end());
    if (protocol_.learn != nullptr) protocol_.learn(question_at(number), question, carried);
    if (protocol_.carry != nullptr) protocol_.carry(answer, carried);
  }
  protocol_.fit(question, answer);
  return answer;
}

}  // namespace tandem::runtime
