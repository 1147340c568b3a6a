# SPDX-License-Identifier: Apache-2.0
# Installs the build into a folder, moves it elsewhere, builds every example against it as a user would, and runs each.
file(GLOB examples RELATIVE ${SOURCE}/examples ${SOURCE}/examples/*/CMakeLists.txt)
# What each prints, and its arguments. One that is not listed here has a command line: it is asked for its --help.
set(prints_01_legs "leg 6: [0-9.]+ m.*pose found again within")
set(prints_02_pick_cube "tool at .* m, cube held")
set(arguments_02_pick_cube virtual)
set(prints_03_cables "cable7: [0-9.]+ m, [0-9.]+ N.*pose found again within")
set(prints_04_scale "scale of map 0: 3.800 m per unit")
set(longest 60)  # s, of one example

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 600)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: expected status 0, got ${code}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK}/first ${WORK}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/prefix)
run(${WORK}/prefix/bin/tandem --version)

# No path of this computer, in CMake's files and in pkg-config's.
file(GLOB_RECURSE texts ${WORK}/prefix/lib/*.cmake ${WORK}/prefix/lib/*.pc)
foreach(file ${texts})
  file(STRINGS ${file} lines REGEX "(^|[^}A-Za-z0-9_.])/(usr|home|lib|opt|root|tmp|work)/")
  file(STRINGS ${file} own REGEX "${SOURCE}|${BUILD}|${WORK}")
  if(lines OR own)
    message(FATAL_ERROR "${file}: expected no absolute path, got ${lines}${own}")
  endif()
endforeach()
list(LENGTH texts count)
if(count LESS 45)  # two files for each of 15 components (targets and their places), and its .pc
  message(FATAL_ERROR "expected 45 files of CMake and pkg-config and more, got ${count}")
endif()

# A component brings what it needs and nothing more; an unknown one is named.
file(WRITE ${WORK}/one/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(one LANGUAGES CXX)
find_package(tandem 0.2 REQUIRED COMPONENTS \${COMPONENT})
if(TARGET tandem::ros2 OR TARGET fastrtps OR NOT TARGET tandem::kinematics)
  message(FATAL_ERROR \"expected kinematics without ROS 2\")
endif()
file(WRITE one.cpp \"#include <tandem/kinematics/ackermann/ackermann.hpp>\\nint main() {}\\n\")
add_executable(one one.cpp)
target_link_libraries(one PRIVATE tandem::kinematics)
")
set(configure_one ${CMAKE_COMMAND} -S ${WORK}/one -B ${WORK}/one/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix)
file(REMOVE_RECURSE ${WORK}/one/build)
run(${configure_one} -DCOMPONENT=kinematics)
run(${CMAKE_COMMAND} --build ${WORK}/one/build)
execute_process(COMMAND ${configure_one} -DCOMPONENT=kinematic RESULT_VARIABLE code ERROR_VARIABLE output OUTPUT_QUIET)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
if(code EQUAL 0 OR NOT output MATCHES "expected one of base, .*, got kinematic")
  message(FATAL_ERROR "find_package(tandem COMPONENTS kinematic): expected an error that lists components, got ${output}")
endif()

# Without CMake: the same example by pkg-config alone.
find_program(PKG_CONFIG pkg-config REQUIRED)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${WORK}/prefix/lib/pkgconfig
  ${PKG_CONFIG} --cflags --libs tandem-machines OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(c++ ${SOURCE}/examples/01_legs/main.cpp -o ${WORK}/legs_by_pkg_config ${flags})
run(${WORK}/legs_by_pkg_config)
foreach(example ${examples})
  get_filename_component(example ${example} DIRECTORY)
  if(NOT DEFINED prints_${example})
    set(prints_${example} ".")
    set(arguments_${example} --help)
  endif()
  set(build ${WORK}/${example})
  run(${CMAKE_COMMAND} -S ${SOURCE}/examples/${example} -B ${build} -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix
    -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${build}/bin)
  run(${CMAKE_COMMAND} --build ${build})
  if(example STREQUAL 05_machine)
    continue()  # two programs, which run below
  endif()
  file(GLOB program ${build}/bin/*)
  execute_process(COMMAND ${program} ${arguments_${example}} RESULT_VARIABLE code OUTPUT_VARIABLE output
    ERROR_VARIABLE output TIMEOUT ${longest})
  if(NOT code EQUAL 0 OR NOT output MATCHES "${prints_${example}}")
    message(FATAL_ERROR "examples/${example}: expected '${prints_${example}}', got status ${code} and:\n${output}")
  endif()
endforeach()
# ROS 2 is part of the arm's library: a controller is looked for, and named when it is missing.
execute_process(COMMAND ${CMAKE_COMMAND} -E env ROS_DOMAIN_ID=97 ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
  ${WORK}/02_pick_cube/bin/pick_cube ros2:/no_such_controller OUTPUT_VARIABLE output ERROR_VARIABLE output
  TIMEOUT ${longest})
if(NOT output MATCHES "no_such_controller/follow_joint_trajectory: no such action")
  message(FATAL_ERROR "the example printed: ${output}")
endif()

# A machine outside the tree: its size, its tests, and the whole command line with it.
file(GLOB sources ${SOURCE}/examples/05_machine/*)
set(count 0)
foreach(file ${sources})
  file(STRINGS ${file} lines REGEX "[^ ]")
  file(STRINGS ${file} license REGEX "SPDX-License-Identifier")
  list(LENGTH lines length)
  list(LENGTH license license_length)
  math(EXPR count "${count} + ${length} - ${license_length}")
endforeach()
if(count GREATER 500)
  message(FATAL_ERROR "examples/05_machine: expected at most 500 lines that are not empty, got ${count}")
endif()

function(expect code pattern)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ROS_DOMAIN_ID=97 ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
    XDG_RUNTIME_DIR=${WORK} ${ARGN}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE got OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT got STREQUAL code OR NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${ARGN}: expected exit code ${code} and '${pattern}', got ${got} and\n${output}")
  endif()
endfunction()
set(gantry ${WORK}/05_machine/bin/gantry)
file(WRITE ${WORK}/gantry.yaml "machines:\n  portal: { type: gantry, device: \"modbus://127.0.0.1:9\" }\n")
file(WRITE ${WORK}/wrong.yaml "machines:\n  portal: { type: gantry, device: virtual, task: square }\n")
file(REMOVE ${WORK}/gantry.mcap)
expect(0 "SUCCESS" ${WORK}/05_machine/bin/gantry_test)
expect(0 "status gantry live[^\n]* armed" ${gantry} demo gantry --for 3 --record gantry.mcap)
expect(0 "" ${gantry} check gantry.yaml)
expect(1 "expected one of none, circle" ${gantry} check wrong.yaml)
expect(0 "command_timeout=0.3  .number, 0.02 to 5." ${gantry} options gantry)
expect(0 "gantry" ${gantry} info gantry.mcap)
expect(1 "gantry answers as recorded" ${gantry} replay gantry.mcap --as device --port 0 --for 1)
expect(1 "is the gantry's PLC on" ${gantry} doctor gantry.yaml --patience 1)
