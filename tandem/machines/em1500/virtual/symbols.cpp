// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/virtual/symbols.hpp"

namespace tandem::em1500 {
namespace {

constexpr const char* six = "ARRAY [0..5] OF LREAL";

void declare_types(ads::PlcTypes& types) {
  types.structure("ST_Pose", {{"surge", "LREAL", "m"},
                              {"sway", "LREAL", "m"},
                              {"heave", "LREAL", "m"},
                              {"roll", "LREAL", "rad"},
                              {"pitch", "LREAL", "rad"},
                              {"yaw", "LREAL", "rad"}});
  types.structure("ST_StewartFeedback", {{"eta", six}, {"eta_t", six}, {"eta_tt", six}});
  types.structure("ST_MruFeedback", {{"eta", six}, {"eta_t", six}});
  types.structure("ST_ComauFeedback", {{"q", six}, {"q_t", six}, {"q_tt", six}});
  // What is behind the arm in the last 96 bytes is not published; the place is kept.
  types.structure("ST_Feedback", {{"em8000", "ST_StewartFeedback"},
                                  {"em1500", "ST_StewartFeedback"},
                                  {"mru1", "ST_MruFeedback"},
                                  {"mru2", "ST_MruFeedback"},
                                  {"comau", "ST_ComauFeedback"},
                                  {"other", "ARRAY [0..11] OF LREAL"}});
  types.structure("ST_StewartControl", {{"u", six}, {"u_t", six}});
  types.structure("ST_ComauControl", {{"u", six}});
  types.structure("ST_WinchControl", {{"u", "LREAL"}, {"u_t", "LREAL"}, {"u_tt", "LREAL"}});
  types.structure("ST_Control", {{"em8000", "ST_StewartControl"},
                                 {"em1500", "ST_StewartControl"},
                                 {"comau", "ST_ComauControl"},
                                 {"winch", "ST_WinchControl"}});
  types.structure("ST_Generator", {{"fAmplitude", six, "m, rad"}, {"fOmega", six, "rad/s"}, {"fPhase", six, "rad"}});
}

std::string text(std::string_view view) { return std::string(view); }

}  // namespace

VirtualSymbols::VirtualSymbols(ads::SymbolTable& table) {
  declare_types(table.types());
  table.add_at("MAIN.byByte", "ARRAY [0..1027] OF BYTE", ads::Area::memory, 0);
  table.add("MAIN.moreBytes", "ARRAY [0..8192] OF BYTE");
  table.add(text(symbol_pose), "ST_Pose", "measured, metres and radians");
  table.add(text(symbol_rx_counter), "DINT", "grows while the EtherCAT bridge is alive");
  table.add(text(symbol_tx_counter), "DINT");
  table.add(text(symbol_timeout), "BOOL", "no new nRxCounter for 500 ms");
  table.add(text(symbol_time), "LREAL", "s");
  table.add(text(symbol_period), "LREAL", "s");
  table.add(text(symbol_enable), "BOOL", "FALSE freezes the platform");
  table.add(text(symbol_feedback), "ST_Feedback");
  table.add(text(symbol_control), "ST_Control");
  table.add("MAIN.nEM1500State", "DINT",
            "0 transit, 1 off, 2 settled, 3 oil heating, 4 neutral, 5 neutral freeze, "
            "8 engaged, 9 engaged freeze");
  table.add("MAIN.nEM1500Status", "DINT", "0 ok, 4 warning, 8 error");
  table.add("MAIN.nEM1500Command", "DINT", "0 to off, 1 to settled, 3 to neutral, 7 to engaged, 17 acknowledge");
  table.add("MAIN.nEM1500Mode", "DINT", "0 settled, 1 neutral, 2 simulation, 3 generator, 4 remote");
  table.add("MAIN.stEM1500Generator", "ST_Generator");
  table.add("MAIN.fEM1500Legs", six, "displacements from neutral, m");
  bind(table);
}

void VirtualSymbols::bind(const ads::SymbolTable& table) {
  pose = table.bind<PlcPose>(symbol_pose);
  rx_counter = table.bind<std::int32_t>(symbol_rx_counter);
  tx_counter = table.bind<std::int32_t>(symbol_tx_counter);
  timed_out = table.bind<std::uint8_t>(symbol_timeout);
  time = table.bind<double>(symbol_time);
  period = table.bind<double>(symbol_period);
  enable = table.bind<std::uint8_t>(symbol_enable);
  feedback = table.bind<PlatformFeedback>(text(symbol_feedback) + ".em1500");
  control = table.bind<PlatformControl>(text(symbol_control) + ".em1500");
  state = table.bind<std::int32_t>("MAIN.nEM1500State");
  status = table.bind<std::int32_t>("MAIN.nEM1500Status");
  command = table.bind<std::int32_t>("MAIN.nEM1500Command");
  mode = table.bind<std::int32_t>("MAIN.nEM1500Mode");
  generator = table.bind<GeneratorParameters>("MAIN.stEM1500Generator");
  legs = table.bind<std::array<double, 6>>("MAIN.fEM1500Legs");
}

}  // namespace tandem::em1500
