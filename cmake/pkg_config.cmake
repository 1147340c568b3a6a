# SPDX-License-Identifier: Apache-2.0
# One tandem-COMPONENT.pc for each component, for builds without CMake: pkg-config --cflags --libs tandem-kinematics
# The libraries are static, so everything that they link is named.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
set(root /root)  # any: only the way from the .pc file up to the prefix counts
cmake_path(ABSOLUTE_PATH pc_folder BASE_DIRECTORY ${root} OUTPUT_VARIABLE pc_absolute)
cmake_path(RELATIVE_PATH root BASE_DIRECTORY ${pc_absolute} OUTPUT_VARIABLE prefix_from_pc)

# What others have in pkg-config, and what is linked by name; headers that none of ours includes are not needed.
set(requires_Eigen3::Eigen eigen3)
set(requires_fmt::fmt fmt)
set(requires_spdlog::spdlog spdlog)
set(requires_OpenSSL::Crypto libcrypto)
set(requires_OpenSSL::SSL libssl)
set(requires_yaml-cpp yaml-cpp)
set(flags_Threads::Threads -pthread)
set(flags_fastrtps -lfastrtps)
set(flags_fastcdr -lfastcdr)

# The libraries of a component, each before those that it links.
function(tandem_link_order component out)
  set(ordered "")
  set(left ${${component}_libraries})
  while(left)
    set(placed "")
    foreach(library ${left})
      set(wanted FALSE)
      foreach(other ${left})
        get_target_property(linked ${other} LINK_LIBRARIES)
        string(REPLACE "tandem_" "tandem::" alias ${library})
        if(alias IN_LIST linked)
          set(wanted TRUE)
        endif()
      endforeach()
      if(NOT wanted)
        list(APPEND placed ${library})
      endif()
    endforeach()
    if(NOT placed)
      message(FATAL_ERROR "${component}: expected libraries without a circle, got ${left}")
    endif()
    list(APPEND ordered ${placed})
    list(REMOVE_ITEM left ${placed})
  endwhile()
  set(${out} ${ordered} PARENT_SCOPE)
endfunction()

foreach(component ${components})
  set(requires ${${component}_needs})
  list(TRANSFORM requires PREPEND tandem-)
  tandem_link_order(${component} flags)
  list(TRANSFORM flags PREPEND -l)
  foreach(item ${${component}_linked})
    list(APPEND requires ${requires_${item}})
    list(APPEND flags ${flags_${item}})
  endforeach()
  foreach(external ${${component}_externals})
    list(SUBLIST tandem_external_${external} 1 -1 names)
    list(TRANSFORM names PREPEND -l)
    list(APPEND flags ${names})
  endforeach()
  foreach(kind requires flags)
    list(REMOVE_DUPLICATES ${kind})
    list(JOIN ${kind} " " ${kind})
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pkgconfig/tandem-${component}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@prefix_from_pc@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: tandem-@component@
Description: @PROJECT_DESCRIPTION@: tandem/@component@
Version: @PROJECT_VERSION@
Requires: @requires@
Libs: -L\${libdir} @flags@
Cflags: -I\${includedir} -std=c++20
")
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/tandem-${component}.pc DESTINATION ${pc_folder} COMPONENT development)
endforeach()
