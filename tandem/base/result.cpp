// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/result.hpp"

namespace tandem {

const char* name(Fault fault) {
  switch (fault) {
    case Fault::timeout:
      return "timeout";
    case Fault::closed:
      return "closed";
    case Fault::refused:
      return "refused";
    case Fault::unreachable:
      return "unreachable";
    case Fault::invalid:
      return "invalid";
    case Fault::not_found:
      return "not_found";
    case Fault::device:
      return "device";
    case Fault::busy:
      return "busy";
    case Fault::unsupported:
      return "unsupported";
  }
  return "unknown";
}

Error within(const std::string& context, Error error) {
  error.text = context + ": " + error.text;
  return error;
}

}  // namespace tandem
