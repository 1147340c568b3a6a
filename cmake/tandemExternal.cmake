# SPDX-License-Identifier: Apache-2.0
# Libraries that Debian 12 has without CMake files that work: found by header and name, here and where an installed
# Tandem is used, so that no path of one computer is written down.
#   tandem_find_external(mujoco) makes the target tandem_external::mujoco
set(tandem_external_cairo cairo/cairo.h cairo)
set(tandem_external_deflate libdeflate.h deflate)
set(tandem_external_mosquitto mosquitto.h mosquitto)
# Its own mujocoConfig.cmake names a folder of a package that it does not depend on.
set(tandem_external_mujoco mujoco/mujoco.h mujoco)
# Its CMake files are only in the package that brings all of its modules; we use four.
set(tandem_external_opencv opencv2/calib3d.hpp opencv_calib3d opencv_features2d opencv_imgproc opencv_core)
set(tandem_external_tinyxml2 tinyxml2.h tinyxml2)
set(tandem_external_zstd zstd.h zstd)

function(tandem_find_external name)
  if(TARGET tandem_external::${name})
    return()
  endif()
  list(POP_FRONT tandem_external_${name} header)
  find_path(TANDEM_${name}_INCLUDE ${header} PATH_SUFFIXES opencv4 REQUIRED)
  mark_as_advanced(TANDEM_${name}_INCLUDE)
  add_library(tandem_external::${name} INTERFACE IMPORTED)
  target_include_directories(tandem_external::${name} INTERFACE ${TANDEM_${name}_INCLUDE})
  foreach(library ${tandem_external_${name}})
    find_library(TANDEM_${library}_LIBRARY ${library} REQUIRED)
    mark_as_advanced(TANDEM_${library}_LIBRARY)
    target_link_libraries(tandem_external::${name} INTERFACE ${TANDEM_${library}_LIBRARY})
  endforeach()
endfunction()
