// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/control/session.hpp"

namespace tandem::runtime {

bool ControlSession::receive(std::string_view bytes, Controlled& controlled) {
  in_.append(bytes);
  for (auto end = in_.find('\n'); end != std::string::npos; end = in_.find('\n')) {
    if (out_.size() > most_unread) return false;  // one answer may be longer: a fleet's status
    out_ += answer_to(std::string_view(in_).substr(0, end), by_, controlled);
    in_.erase(0, end + 1);
  }
  if (in_.size() <= longest_request) return true;
  out_ += answer_to(in_, by_, controlled);  // says that it is too long
  return false;
}

}  // namespace tandem::runtime
