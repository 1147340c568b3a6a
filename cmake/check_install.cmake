# Installs the build into a folder, builds examples against it as a user would, and runs them.
set(configure -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_FLAGS=${FLAGS})
foreach(command IN ITEMS
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${WORK}/prefix"
    "${CMAKE_COMMAND};-S;${SOURCE}/examples/01_legs;-B;${WORK}/build;${configure}"
    "${CMAKE_COMMAND};--build;${WORK}/build"
    "${CMAKE_COMMAND};-S;${SOURCE}/examples/02_pick_cube;-B;${WORK}/build_arm;${configure}"
    "${CMAKE_COMMAND};--build;${WORK}/build_arm"
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
# ROS 2 is part of the arm's library: a controller is looked for, and named when it is missing.
execute_process(COMMAND ${CMAKE_COMMAND} -E env ROS_DOMAIN_ID=97 ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
  ${WORK}/build_arm/pick_cube ros2:/no_such_controller OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT output MATCHES "no_such_controller/follow_joint_trajectory: no such action")
  message(FATAL_ERROR "the example printed: ${output}")
endif()
