# SPDX-License-Identifier: Apache-2.0
# All messages and their constants, for the tests of ros2, among the peers, and for a fuzz target.
include_guard(GLOBAL)
add_library(tandem_any_messages STATIC EXCLUDE_FROM_ALL)
foreach(source any_arms any_control any_core any_vehicles any_world constants)
  target_sources(tandem_any_messages PRIVATE ${CMAKE_CURRENT_LIST_DIR}/messages/${source}.cpp)
endforeach()
target_include_directories(tandem_any_messages PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(tandem_any_messages PUBLIC tandem::ros2 tandem_flags)
target_compile_options(tandem_any_messages PRIVATE $<$<CONFIG:Release>:-O0>)
