// Any text as programs to port 30002: every segmentation gives the same programs.
#include <cstdlib>

#include "tandem/protocols/ur/script_intake.hpp"

namespace {

struct Programs final : tandem::ur::ScriptSink {
  void program(std::string_view text) override { all.emplace_back(text); }
  std::vector<std::string> all;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Programs whole, pieces;
  tandem::ur::ScriptIntake first(&whole), second(&pieces);
  first.receive({data, size});
  for (std::size_t i = 0; i < size; ++i) second.receive({data + i, 1});
  if (whole.all != pieces.all) std::abort();
  return 0;
}
