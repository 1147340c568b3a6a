# Installs the build into a folder, builds an example against it as a user would, and runs it.
foreach(command IN ITEMS
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${WORK}/prefix"
    "${CMAKE_COMMAND};-S;${SOURCE}/examples/01_legs;-B;${WORK}/build;-G;Ninja;-DCMAKE_PREFIX_PATH=${WORK}/prefix;-DCMAKE_CXX_FLAGS=${FLAGS}"
    "${CMAKE_COMMAND};--build;${WORK}/build"
    "${WORK}/build/legs"
    "${WORK}/prefix/bin/tandem;--version")
  execute_process(COMMAND ${command} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  if(command MATCHES "legs$" AND NOT output MATCHES "leg 6")
    message(FATAL_ERROR "the example printed: ${output}")
  endif()
endforeach()
