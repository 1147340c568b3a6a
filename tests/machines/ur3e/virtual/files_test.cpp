// SPDX-License-Identifier: Apache-2.0
// What the options of the virtual controller bring: programs from a folder, sockets of programs, scene and gripper.
#include <fmt/format.h>
#include <libdeflate.h>

#include <filesystem>
#include <fstream>

#include "tandem/machines/ur3e/virtual/ports/dashboard.hpp"
#include "tandem/machines/ur3e/virtual/programs/files.hpp"
#include "tandem/machines/ur3e/virtual/programs/urp.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tandem_programs_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream(path / name, std::ios::binary) << content;
  }
  std::filesystem::path path;
};

std::string gzip(std::string_view text) {
  auto* packer = libdeflate_alloc_compressor(6);
  std::string out(libdeflate_gzip_compress_bound(packer, text.size()), '\0');
  out.resize(libdeflate_gzip_compress(packer, text.data(), text.size(), out.data(), out.size()));
  libdeflate_free_compressor(packer);
  return out;
}

std::string program_xml(const std::string& nodes, const char* once = "true") {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<URProgram name=\"p\" createdIn=\"5.15.0\"><kinematics status=\"NOT_INITIALIZED\"/>"
      "<children><InitVariablesNode/><MainProgram runOnlyOnce=\"{}\" InitVariablesNode=\"false\"><children>{}"
      "</children></MainProgram></children></URProgram>",
      once, nodes);
}

std::string move_to(const char* motion, const char* angles) {
  return fmt::format(
      "<Move motionType=\"{}\" speed=\"1.0\" acceleration=\"2\" useActiveTCP=\"true\"><feature class=\"x\"/><children>"
      "<Waypoint type=\"Fixed\" name=\"W\"><motionParameters/><position><JointAngles angles=\"{}\"/></position>"
      "</Waypoint></children></Move>",
      motion, angles);
}

Result<std::string> script_of(const std::string& xml, const char* name = "box") {
  return script_from_urp(as_bytes(gzip(xml)), name);
}

std::string answer(Dashboard& dashboard, const char* line) {
  const auto command = ur::dashboard::parse(line);
  if (!ur::dashboard::only_asks(command.verb))
    if (auto refused = dashboard.perform(command)) return *refused;
  return ur::dashboard::answer(command, dashboard.view());
}

}  // namespace

TEST_CASE("programs of a folder are loaded by name and played, and what cannot be read says why") {
  const Folder folder;
  folder.write("nod.script", "def nod():\n  write_output_integer_register(0, 7)\nend\n");
  folder.write("turn.urp", gzip(program_xml(move_to("MoveJ", "0.4, -1.57, 1.57, -1.57, -1.57, 0"))));
  folder.write("nod.urp", "anything: the script beside it is used");
  folder.write("loops.urp", gzip(program_xml("<Loop type=\"Forever\"><children/></Loop>")));
  folder.write("torn.urp", gzip(program_xml("")).substr(0, 40));
  folder.write("notes.txt", "not a program");
  std::filesystem::create_directory(folder.path / "folder.urp");
  const auto files = programs_from(folder.path.string());
  REQUIRE(files.ok());
  CHECK(files->scripts.size() == 3);
  CHECK(files->broken.size() == 2);
  ControllerSetup setup = aside();
  setup.files = files->scripts;
  setup.broken_files = files->broken;
  Bench bench(setup);
  Dashboard dashboard(bench.controller);
  CHECK(answer(dashboard, "load nod.urp") == "Loading program: nod.urp");
  CHECK(answer(dashboard, "play") == "Starting program");
  bench.cycles(3);
  CHECK(bench.state().output_int_register[0] == 7);
  CHECK(answer(dashboard, "load turn.urp") == "Loading program: turn.urp");
  CHECK(answer(dashboard, "play") == "Starting program");
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 10) > 0);
  CHECK(bench.q()[0] == doctest::Approx(0.4).epsilon(1e-3));
  CHECK(answer(dashboard, "load loops.urp") == "Error while loading program: loops.urp");
  CHECK(bench.says("loops.urp: program node Loop is not supported"));
  CHECK(answer(dashboard, "load /programs/torn.urp") == "Error while loading program: /programs/torn.urp");
  CHECK(bench.says("torn.urp: "));
  CHECK(answer(dashboard, "load notes.txt") == "File not found: notes.txt");
  CHECK(answer(dashboard, "get loaded program") == "Loaded program: /programs/turn.urp");
  CHECK(!programs_from((folder.path / "missing").string()));
}

TEST_CASE("a PolyScope program becomes the script of its nodes, or an error that names the node") {
  const auto script =
      script_of(program_xml("<Comment comment=\"hello\"/><Folder name=\"f\"><children>" +
                                move_to("MoveL", "0,-1.5,1.5,-1.5,-1.5,0") +
                                "</children></Folder><Wait type=\"Sleep\"><waitTime>0.25</waitTime></Wait>"
                                "<Script type=\"File\"><cachedContents>a = 1 &lt; 2\nb = 3</cachedContents>"
                                "</Script>",
                            "false"),
                "2 boxes");
  REQUIRE(script.ok());
  CHECK(*script ==
        "def program_2_boxes():\nwhile True:\nmovel([0, -1.5, 1.5, -1.5, -1.5, 0], a=2, v=1, r=0)\nsleep(0.25)\n"
        "a = 1 < 2\nb = 3\nsync()\nend\nend\n");
  for (const std::string& nodes :
       {std::string("<If/>"), move_to("MoveP", "0,0,0,0,0,0"), move_to("MoveJ", "0,0,0,0,0"),
        move_to("MoveJ", "0,0,0,0,0,0]); halt"), move_to("MoveJ", "nan,0,0,0,0,0"), std::string("<Wait type=\"DI\"/>")})
    CHECK_MESSAGE(!script_of(program_xml(nodes)), nodes);
  CHECK(!script_of("<Other/>"));
  CHECK(!script_from_urp(as_bytes(std::string("def raw():\nend\n")), "raw"));
  // A bomb: 64 MiB of blanks in 64 KiB.
  CHECK(!script_of("<URProgram>" + std::string(64u << 20, ' ')));
}

TEST_CASE("any text is XML or an error, never more") {
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "<a>";
  CHECK(!parse_xml(deep));
  for (const char* text : {"", "<", "<a", "<a b", "<a b=", "<a b=\"", "<a>", "<a></b>", "<a>&nosuch;</a>", "<a>&",
                           "</a>", "<a><!-- </a>", "<a><![CDATA[x</a>", "<?xml", "<a b=c/>", "text"})
    CHECK_MESSAGE(!parse_xml(text), text);
  const auto good = parse_xml("<!-- c --><a x='1' y=\"&lt;2&quot;\">t&amp;u<b/><![CDATA[<v>]]></a >");
  REQUIRE(good.ok());
  CHECK(good->attribute("y") == "<2\"");
  CHECK(good->text == "t&u<v>");
  CHECK(good->child("b") != nullptr);
  // Every prefix of a real document is refused, without harm.
  const std::string whole = program_xml(move_to("MoveJ", "0,0,0,0,0,0"));
  for (std::size_t size = 0; size + 1 < whole.size(); ++size)
    CHECK(!parse_xml(std::string_view(whole).substr(0, size)));
}

TEST_CASE("a program's sockets reach its own client only, unless more is allowed") {
  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener.ok());
  const std::uint16_t port = listener->local().port;
  const std::uint32_t stranger = 0x0a000005;  // 10.0.0.5
  const auto connects = [&](const std::string& allowed, std::uint32_t client) {
    ControllerSetup setup = aside();
    setup.script_sockets = allowed;
    Bench bench(setup);
    bench.controller.program(
        fmt::format("def hop():\n  write_output_boolean_register(3, socket_open(\"127.0.0.1\", {}))\n"
                    "  write_output_boolean_register(4, True)\nend\n",
                    port),
        client);
    CHECK(bench.until([&] { return (bench.state().output_bit_registers[0] & 16) != 0; }, 20) >= 0);
    const bool opened = (bench.state().output_bit_registers[0] & 8) != 0;
    CHECK(opened != bench.says("is not the address of the program's client"));
    return opened;
  };
  CHECK(connects("client", loopback));
  CHECK(!connects("client", stranger));
  CHECK(connects("any", stranger));
  CHECK(connects("10.0.0.7,127.0.0.1", stranger));
  CHECK(!connects("10.0.0.7", stranger));
  // A stranger's statement would act for the client of the main program.
  Bench bench;
  const auto answers = std::make_shared<std::string>();
  bench.controller.program("interpreter_mode()\n");
  bench.cycles(5);
  bench.controller.statement(fmt::format("socket_open(\"127.0.0.1\", {})", port), answers, stranger);
  bench.cycles(200);
  CHECK(answers->starts_with("discard: the program belongs to another client: socket_open"));
  CHECK(bench.controller.sockets.status("socket_0") == urscript::Sockets::Status::closed);
  // No name is looked up but that of the loopback.
  bench.controller.program(
      fmt::format("def names():\n  write_output_boolean_register(3, socket_open(\"localhost\", {}))\n"
                  "  socket_open(\"host.invalid\", {}, \"far\")\nend\n",
                  port, port));
  CHECK(bench.until([&] { return bench.says("got 'host.invalid'"); }, 20) >= 0);
  CHECK((bench.state().output_bit_registers[0] & 8) != 0);
  ControllerSetup wrong = aside();
  wrong.script_sockets = "everywhere";
  CHECK_THROWS_AS(Bench{wrong}, std::invalid_argument);
}

TEST_CASE("the scene is empty, a table or a table with cubes, and the flange bare or with a hand") {
  const auto lowered = [](Surroundings surroundings, bool gripper) {
    ControllerSetup setup = aside();
    setup.model.surroundings = surroundings;
    setup.model.gripper = gripper;
    Bench bench(setup);
    bench.controller.program("speedl([0, 0, -0.1, 0, 0, 0], 0.5, 4)\n");
    bench.until([&] { return !bench.controller.programs.running() || bench.controller.programs.paused(); }, 8);
    return std::pair(bench.state().safety_mode == ur::SafetyMode::protective_stop, bench.tool().z());
  };
  const auto [hand_stopped, hand_height] = lowered(Surroundings::table, true);
  CHECK(hand_stopped);
  const auto [bare_stopped, bare_height] = lowered(Surroundings::table, false);
  CHECK(bare_stopped);
  CHECK(bare_height < hand_height - 0.1);
  CHECK(!lowered(Surroundings::empty, true).first);
  // Bare, the arm holds still, feels nothing and carries nothing.
  ControllerSetup setup = aside();
  setup.model.gripper = false;
  Bench bench(setup);
  const Joints before = bench.q();
  bench.cycles(500);
  CHECK((bench.q() - before).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(bench.state().payload == 0);
  CHECK(bench.state().tcp_force_scalar < 0.1);
  bench.run("movej([0.5,-1.57,1.57,-1.57,-1.57,0], a=2, v=1)\n");
  CHECK(bench.q()[0] == doctest::Approx(0.5).epsilon(1e-3));
}
