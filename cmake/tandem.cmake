# SPDX-License-Identifier: Apache-2.0
# One way to make a library, a test and a fuzz target; every folder uses these.

add_library(tandem_flags INTERFACE)
target_compile_options(tandem_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Wold-style-cast -fno-math-errno)
if(CMAKE_UNITY_BUILD)
  # A name of one source may be a variable in another; `dev` looks at each source alone.
  target_compile_options(tandem_flags INTERFACE -Wno-shadow)
endif()
set(TANDEM_LIBRARY_KIND STATIC)
if(TANDEM_SANITIZE)
  add_compile_options(-fsanitize=${TANDEM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TANDEM_SANITIZE})
  if(TANDEM_SANITIZE MATCHES undefined)
    # It looks at memory through a pipe. Where a test has used all descriptors up, it takes a good object for a bad one.
    add_compile_options(-fno-sanitize=vptr)
  endif()
  # Two hundred programs that each hold all of the code are 31 GB with sanitizers; with shared libraries they are two.
  set(TANDEM_LIBRARY_KIND SHARED)
  add_link_options(-Wl,-Bsymbolic-functions)  # else each start of a program looks a hundred thousand names up
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # g++ 12 loses track of std::variant and std::string between a sanitizer's checks and warns of what is not there.
    add_compile_options(-Wno-maybe-uninitialized -Wno-restrict)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  add_link_options(-fuse-ld=lld)  # a hundred programs with sanitizers: GNU's linker takes ten times as long
endif()

# What every executable has: what the sanitizers read in a program is not read in its libraries.
if(TANDEM_SANITIZE)
  add_library(tandem_sanitizers OBJECT ${PROJECT_SOURCE_DIR}/tandem/base/sanitizers.cpp)
  target_include_directories(tandem_sanitizers PRIVATE ${PROJECT_SOURCE_DIR})
endif()
function(tandem_program target)
  if(TARGET tandem_sanitizers)
    target_link_libraries(${target} PRIVATE tandem_sanitizers)
  endif()
endfunction()

# For what parses nothing: without the checks of each single pointer, most of which the address sanitizer makes as well,
# and without what leads a fuzzer. The compiler takes half the time.
function(tandem_fewer_checks target)
  if(TANDEM_SANITIZE MATCHES undefined)
    target_compile_options(${target} PRIVATE -fno-sanitize=null,vptr,object-size,pointer-overflow,alignment)
  endif()
  if(TANDEM_SANITIZE MATCHES fuzzer)
    target_compile_options(${target} PRIVATE -fno-sanitize=fuzzer-no-link)
  endif()
endfunction()

# For those who calculate much: Eigen without any optimisation takes five times as long, and longer under sanitizers.
function(tandem_numeric target)
  if(TANDEM_SANITIZE)
    target_compile_options(${target} PRIVATE -O1)
  endif()
  tandem_fewer_checks(${target})
endfunction()

# For sources that take seconds without optimisation: optimised in every build type. Only where the build type does not
# do so itself, since a source with options of its own is a unit of its own.
function(tandem_always_optimised)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Release)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O2")
  endif()
endfunction()

# For what waits for people and sockets more than it calculates: a release build compiles it a fifth faster.
function(tandem_glue target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# tandem_library(NAME SOURCES a.cpp ... [NUMERIC b.cpp ...] PUBLIC tandem::base ... PRIVATE Foo::foo ...)
# NUMERIC: sources that calculate much, which a sanitized build compiles as tandem_numeric says. Other builds compile
# them with the rest, as few units as possible: most of a unit's time is reading headers.
function(tandem_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;NUMERIC;PUBLIC;PRIVATE" ${ARGN})
  set(parts tandem_${name})
  if(TANDEM_SANITIZE AND ARG_NUMERIC)
    add_library(tandem_${name}_numeric OBJECT ${ARG_NUMERIC})
    tandem_numeric(tandem_${name}_numeric)
    list(APPEND parts tandem_${name}_numeric)
    set(ARG_NUMERIC $<TARGET_OBJECTS:tandem_${name}_numeric>)
  endif()
  add_library(tandem_${name} ${TANDEM_LIBRARY_KIND} ${ARG_SOURCES} ${ARG_NUMERIC})
  add_library(tandem::${name} ALIAS tandem_${name})
  set_target_properties(tandem_${name} PROPERTIES EXPORT_NAME ${name})
  foreach(part ${parts})
    set_target_properties(${part} PROPERTIES UNITY_BUILD_BATCH_SIZE 40)
    target_include_directories(${part} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_compile_features(${part} PUBLIC cxx_std_20)
    target_link_libraries(${part} PUBLIC ${ARG_PUBLIC} PRIVATE $<BUILD_INTERFACE:tandem_flags> ${ARG_PRIVATE})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TANDEM_LIBRARIES tandem_${name})
endfunction()

# tandem_test(NAME SOURCES a_test.cpp ... LINK tandem::base ... [LABEL x] [TIMEOUT s] [SERIAL] [APART])
# One executable; every doctest case in it becomes a test of its own. APART: never compiled several files at a time,
# for files that use the same names for different things.
function(tandem_test name)
  cmake_parse_arguments(ARG "SERIAL;APART" "TIMEOUT;LABEL" "SOURCES;LINK" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  tandem_program(test_${name})
  if(ARG_APART)
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} tandem_test_main tandem_flags)
  target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O0>)  # what they test is optimised, and that is enough
  tandem_fewer_checks(test_${name})
  set(timeout 120)
  if(ARG_TIMEOUT)
    set(timeout ${ARG_TIMEOUT})
  endif()
  set(label ${name})
  if(ARG_LABEL)
    set(label ${ARG_LABEL})
  endif()
  # A test that cannot do its work here says so and returns: it must not look like one that passed.
  set(properties TIMEOUT ${timeout} LABELS ${label} SKIP_REGULAR_EXPRESSION "MESSAGE: skipped: ")
  # Incidents of the programs that tests run stay in the build.
  list(APPEND properties ENVIRONMENT XDG_STATE_HOME=${PROJECT_BINARY_DIR}/state)
  if(ARG_SERIAL)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  doctest_discover_tests(test_${name} TEST_PREFIX "${name}: " ADD_LABELS 0 PROPERTIES ${properties})
endfunction()

# tandem_fuzz(NAME SOURCES a_fuzz.cpp LINK tandem::ads): a libFuzzer target, one of fuzz_targets, and a short seeded run
# of it as a test.
function(tandem_fuzz name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(fuzz_${name} ${ARG_SOURCES})
  tandem_program(fuzz_${name})
  target_link_libraries(fuzz_${name} PRIVATE ${ARG_LINK} tandem_flags -fsanitize=fuzzer)
  set(corpus ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name})
  add_test(NAME "fuzz: ${name}"
    COMMAND ${CMAKE_COMMAND} -DTARGET=$<TARGET_FILE:fuzz_${name}> -DCORPUS=${corpus}
      -DFOUND=${PROJECT_BINARY_DIR}/fuzz-found/${name} -P ${PROJECT_SOURCE_DIR}/cmake/run_fuzz.cmake)
  set_tests_properties("fuzz: ${name}" PROPERTIES TIMEOUT 4000 LABELS fuzz)
  add_dependencies(fuzz_targets fuzz_${name})
endfunction()
